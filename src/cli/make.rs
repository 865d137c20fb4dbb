//! The commands that make files of logic: `export`, `pack`, `minimize`, `build`.

use super::args::{Build, Export, Format, LayersArg, Minimize, Minimizer, Pack, PlaTypeArg, ShapeArg};
use super::{Resources, counted, io_error, materials, model, print, progress};
use crate::build::{self, Built, Listener, Options, Stages};
use crate::compare::syzygy_bytes;
use crate::error::{Error, ErrorKind, Result};
use crate::export::{Scope, check_type, natural_type, write_pla};
use crate::model::Model;
use crate::position::{Material, Wdl};
use crate::retrograde::Store;
use crate::{atomic, pcn, peak};
use espresso::minimize::Step;
use espresso::pla::{Pla, PlaType};
use indicatif::ProgressBar;
use serde_json::json;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Writes a PLA.
pub(super) fn export(args: &Export, resources: &Resources) -> Result<ExitCode> {
    let line = progress::line(resources.quiet);
    let material = super::material(&args.material)?;
    let model = model(&args.model)?;
    let scope = if args.no_canonical { Scope::full_board() } else { Scope::default() };
    let kind = match args.r#type {
        Some(PlaTypeArg::Fdr) => PlaType::Fdr,
        Some(PlaTypeArg::Fr) => PlaType::Fr,
        None => natural_type(model),
    };
    check_type(model, kind)
        .map_err(|error| Error::new(ErrorKind::BadMaterial, format!("--type: {error}")))?;
    build::check_function_memory(&material, model, scope.canonical, resources.memory, "exporting")?;
    args.output.as_deref().map_or(Ok(()), atomic::check)?;
    let table = store(args.tables.as_deref(), &line, resources).get(&material)?;
    line.set_message(format!("{material}: writing the PLA"));
    if let Some(path) = &args.output {
        atomic::write(path, |out| {
            write_pla(&table, model, &scope, kind, out).map_err(|error| error.context(path.display()))
        })?;
        line.finish_and_clear();
        print(format!("{}: {material} in model {model}\n", path.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let failed = |error| Error::with_source(ErrorKind::Io, "cannot write to standard output", error);
    write_pla(&table, model, &scope, kind, &mut out).map_err(|error| match io_error(&error) {
        // All that is written here goes there.
        Some(cause) => failed(io::Error::new(cause.kind(), cause.to_string())),
        None => error,
    })?;
    out.flush().map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}

/// Packs a minimized PLA.
pub(super) fn pack(args: &Pack, resources: &Resources) -> Result<ExitCode> {
    let line = progress::line(resources.quiet);
    let material = super::material(&args.material)?;
    let model = model(&args.model)?;
    build::check_function_memory(&material, model, true, resources.memory, "packing")?;
    atomic::check(&args.output)?;
    let shown = args.pla.display();
    line.set_message(format!("{shown}: reading"));
    let pla = if args.pla.as_os_str() == "-" {
        Pla::read(io::stdin().lock())
    } else {
        let file = File::open(&args.pla).map_err(|error| Error::io("read", &args.pla, error))?;
        Pla::read(BufReader::new(file))
    };
    let pla = pla.map_err(|error| Error::from(error).context(shown))?;
    let table = store(args.tables.as_deref(), &line, resources).get(&material)?;
    let say = progress::saying(&line);
    let options = Options {
        models: vec![model],
        codec: args.codec.into(),
        memory: resources.memory,
        progress: &say,
        ..Options::default()
    };
    let built = build::pack(&table, &pla.on, &options)?;
    atomic::write_bytes(&args.output, &built.bytes)?;
    line.finish_and_clear();
    print(one_line(&args.output, &material, &built))?;
    Ok(ExitCode::SUCCESS)
}

/// Minimizes one table.
pub(super) fn minimize(args: &Minimize, resources: &Resources) -> Result<ExitCode> {
    let line = progress::line(resources.quiet);
    let material = super::material(&args.material)?;
    let say = progress::saying(&line);
    let options = options(&args.minimizer, resources, &say)?;
    build::check_shape(&[material], &options)?;
    build::check_memory(&[material], &options)?;
    atomic::check(&args.output)?;
    let table = store(args.tables.as_deref(), &line, resources).get(&material)?;
    let built = build::build(&table, &options)?;
    atomic::write_bytes(&args.output, &built.bytes)?;
    line.finish_and_clear();
    print(one_line(&args.output, &material, &built))?;
    Ok(ExitCode::SUCCESS)
}

/// Builds .pcn files from nothing and prints a summary.
pub(super) fn build(args: &Build, resources: &Resources) -> Result<ExitCode> {
    let line = progress::line(resources.quiet);
    let materials = materials(&args.targets)?;
    let say = progress::saying(&line);
    let options = options(&args.minimizer, resources, &say)?;
    let store = store(Some(&args.out), &line, resources);
    build::check_shape(&materials, &options)?;
    build::check_memory(&materials, &options)?;
    store.check_budget(&store.plan(&materials)?)?;
    make_dir(&args.out)?;
    let file = |material: &Material| args.out.join(format!("{material}.pcn"));
    materials.iter().try_for_each(|material| atomic::check(&file(material)))?;
    if args.keep_tables {
        store.generate(&materials)?;
    }
    let mut rows = Vec::with_capacity(materials.len());
    if args.format == Format::Text {
        line.suspend(|| print(Row::HEADER))?;
    }
    for material in &materials {
        let start = Instant::now();
        let table = store.get(material)?;
        let (generating, generating_peak_bytes) = (start.elapsed(), peak::bytes());
        let built = build::build(&table, &options)?;
        atomic::write_bytes(&file(material), &built.bytes)?;
        let row = Row {
            material: *material,
            model: built.pcn.model(),
            positions: built.positions,
            clauses: built.pcn.clauses(),
            literals: built.pcn.literals(),
            bytes: built.bytes.len() as u64,
            syzygy: syzygy_bytes(material),
            seconds: start.elapsed().as_secs_f64(),
            generating_seconds: generating.as_secs_f64(),
            stages: built.stages,
            generating_peak_bytes,
            peak_bytes: peak::bytes(),
        };
        if args.format == Format::Text {
            line.suspend(|| print(row.text()))?;
        }
        rows.push(row);
        if args.keep_tables && material.len() > 4 {
            // Its file is there; five men are too many to keep them all in memory.
            store.forget(material);
        }
    }
    line.finish_and_clear();
    match args.format {
        Format::Text => {
            let (files, place) = (counted(rows.len(), "file"), args.out.display());
            print(Row::total(&rows) + &format!("{files} in {place}\n"))?;
        }
        Format::Json => {
            let tables: Vec<_> = rows.iter().map(Row::json).collect();
            print(format!("{:#}\n", json!({ "tables": tables })))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// One table of `build`'s summary.
struct Row {
    material: Material,
    model: Model,
    positions: [u64; 3],
    clauses: usize,
    literals: usize,
    bytes: u64,
    syzygy: Option<u64>,
    /// From solving the table to writing the file.
    seconds: f64,
    /// Of these for solving the table and what it needs, or for reading it.
    generating_seconds: f64,
    stages: Stages,
    /// The most memory that the process has had until the table was solved.
    generating_peak_bytes: Option<u64>,
    /// The same until its file was checked.
    peak_bytes: Option<u64>,
}

impl Row {
    const HEADER: &'static str =
        "material       win      draw      loss  clauses     bytes    Syzygy   ratio  seconds\n";

    fn text(&self) -> String {
        let [loss, draw, win] = self.positions;
        let mut text = format!("{:<8} {win:>9} {draw:>9} {loss:>9}", self.material);
        self.push_sizes(&mut text);
        text
    }

    fn push_sizes(&self, text: &mut String) {
        let syzygy = self.syzygy.map_or("-".into(), |bytes| bytes.to_string());
        let ratio =
            self.syzygy.map_or("-".into(), |bytes| format!("{:.3}", self.bytes as f64 / bytes as f64));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            " {:>8} {:>9} {syzygy:>9} {ratio:>7} {:>8.2}",
            self.clauses, self.bytes, self.seconds
        );
    }

    fn total(rows: &[Row]) -> String {
        let sum = |of: fn(&Row) -> u64| rows.iter().map(of).sum::<u64>();
        let bytes = sum(|row| row.bytes);
        let clauses = sum(|row| row.clauses as u64);
        let (compared, syzygy) = rows
            .iter()
            .filter_map(|row| row.syzygy.map(|syzygy| (row.bytes, syzygy)))
            .fold((0, 0), |(a, b), (bytes, syzygy)| (a + bytes, b + syzygy));
        let ratio = if syzygy == 0 { "-".into() } else { format!("{:.3}", compared as f64 / syzygy as f64) };
        let shown = if syzygy == 0 { "-".into() } else { syzygy.to_string() };
        let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
        let positions = |i: usize| rows.iter().map(|row| row.positions[i]).sum::<u64>();
        let [loss, draw, win] = [positions(0), positions(1), positions(2)];
        format!(
            "{:<8} {win:>9} {draw:>9} {loss:>9} {clauses:>8} {bytes:>9} {shown:>9} {ratio:>7} {seconds:>8.2}\n",
            "total"
        )
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "material": self.material.to_string(),
            "model": self.model.name(),
            "positions_win": self.positions[Wdl::Win.index()],
            "positions_draw": self.positions[Wdl::Draw.index()],
            "positions_loss": self.positions[Wdl::Loss.index()],
            "clauses": self.clauses,
            "literals": self.literals,
            "bytes": self.bytes,
            "syzygy_bytes": self.syzygy,
            "seconds": self.seconds,
            "generating_seconds": self.generating_seconds,
            "trials_seconds": self.stages.trials.as_secs_f64(),
            "minimizing_seconds": self.stages.minimizing.as_secs_f64(),
            "coding_seconds": self.stages.coding.as_secs_f64(),
            "checking_seconds": self.stages.checking.as_secs_f64(),
            "generating_peak_bytes": self.generating_peak_bytes,
            "peak_bytes": self.peak_bytes,
        })
    }
}

fn one_line(path: &Path, material: &Material, built: &Built) -> String {
    let (path, clauses, bytes) = (path.display(), built.pcn.clauses(), built.bytes.len());
    let positions: u64 = built.positions.iter().sum();
    format!("{path}: {material}, {clauses} clauses, {bytes} bytes, right on all {positions} positions\n")
}

/// The models that `args` let choose from.
fn models(args: &Minimizer) -> Result<Vec<Model>> {
    let covers = args.layers == LayersArg::Independent || args.steps.is_some();
    match args.model.as_deref() {
        None if covers && args.shape == ShapeArg::Tree => {
            let why =
                "--shape tree: --layers independent and --steps are of model binary, which has lists alone";
            Err(Error::new(ErrorKind::BadMaterial, why))
        }
        None if covers => Ok(vec![Model::Binary]),
        Some(name) if covers && name != "binary" => {
            let why = format!("--layers independent and --steps are of model binary, not of {name}");
            Err(Error::new(ErrorKind::BadMaterial, why))
        }
        None | Some("auto") => Ok(vec![Model::Board, Model::Geometry, Model::Attack]),
        Some("binary") if args.shape == ShapeArg::Tree => {
            Err(Error::new(ErrorKind::BadMaterial, "--shape tree: model binary has lists alone"))
        }
        Some(name) => Model::parse(name).map(|model| vec![model]).map_err(|_| {
            let names = Model::ALL.map(Model::name).join(", ");
            Error::new(ErrorKind::BadMaterial, format!("no model '{name}' (there are: auto, {names})"))
        }),
    }
}

fn options<'a>(args: &Minimizer, resources: &Resources, progress: Listener<'a>) -> Result<Options<'a>> {
    let options = Options {
        models: models(args)?,
        layers: args.layers.into(),
        shape: args.shape.into(),
        codec: pcn::Codec::from(args.codec),
        memory: resources.memory,
        progress,
        ..Options::default()
    };
    let mut options = options.with_effort(args.effort);
    if let Some(steps) = &args.steps {
        options.steps = Step::parse_list(steps)
            .map_err(|error| Error::new(ErrorKind::BadMaterial, format!("--steps: {error}")))?;
    }
    Ok(options)
}

/// Returns tables from the directory, if any, generating what is missing, with what it does shown on `line`.
pub(super) fn store(dir: Option<&Path>, line: &ProgressBar, resources: &Resources) -> Store {
    Store::new(dir.map(Path::to_path_buf))
        .with_memory(resources.memory)
        .with_progress(progress::generating(line, &[]))
}

fn make_dir(dir: &Path) -> Result<()> {
    std::fs::create_dir_all(dir).map_err(|error| Error::io("make the directory", dir, error))
}
