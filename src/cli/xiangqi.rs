//! Chinese chess in the commands `minimize`, `build` and `export`, and its files in `verify` and `info`.

use super::args::{Build, Export, Minimize, Minimizer};
use super::games::xiangqi_material;
use super::generate::{elapsed, store};
use super::sources::Source;
use super::values::Format;
use super::values::PlaTypeArg;
use super::{
    Resources, counted, directory_of, paint, print, print_json, progress, to_standard_output, usage,
};
use crate::atomic;
use crate::covers::Layers;
use crate::error::{Error, ErrorKind, Result};
use crate::pipeline::{Forecast, Monitor, Options};
use crate::probe::EXTENSION;
use crate::xiangqi::{Clauses, Material, Model, Store, write_pla};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// How tables are minimized.
pub(super) struct Minimizing {
    /// The models to try; the smallest file stays.
    models: Vec<Model>,
    options: Options<'static>,
}

impl Minimizing {
    pub(super) fn new(args: &Minimizer, resources: &Resources, scratch: PathBuf) -> Result<Self> {
        if args.layers != Layers::Ordered || args.steps.is_some() {
            let why = "Chinese chess has only trees: no --layers independent or --steps";
            return Err(usage(why));
        }
        let models = match args.model.as_deref() {
            None | Some("auto") => Model::ALL.to_vec(),
            Some(name) => vec![name.parse().map_err(|error: Error| usage(error.to_string()))?],
        };
        let (memory, scratch) = (resources.memory, Some(scratch));
        let options = Options { codec: args.codec, memory, scratch, ..Options::default() };
        Ok(Minimizing { models, options: options.with_effort(args.effort) })
    }

    /// The cost of a table at an effort, and whether it is possible.
    pub(super) fn forecast(&self, material: &Material, effort: u8) -> (Forecast, Result<()>) {
        let options = self.options.clone().with_effort(effort);
        let check = Clauses::check_size(material, &self.models, &options);
        (Clauses::forecast(material, &self.models, &options), check)
    }

    fn check(&self, material: &Material) -> Result<()> {
        Clauses::check_size(material, &self.models, &self.options)
    }

    /// The bytes of the smallest checked file of `material`.
    fn smallest(&self, material: &Material, store: &Store, line: &ProgressBar) -> Result<Vec<u8>> {
        let table = store.get(material)?;
        let show = progress::showing(line, material, None);
        let options = Options { progress: Monitor::new(&show), ..self.options.clone() };
        let mut best: Option<Vec<u8>> = None;
        for &model in &self.models {
            let bytes = Clauses::build(&table, model, &options)?;
            best = Some(best.filter(|best| best.len() <= bytes.len()).unwrap_or(bytes));
        }
        best.ok_or_else(|| Error::new(ErrorKind::BadInput, "no input model to choose"))
    }
}

pub(super) fn minimize(args: &Minimize, resources: &Resources) -> Result<ExitCode> {
    let material = xiangqi_material(&args.material)?;
    let minimizing = Minimizing::new(&args.minimizer, resources, directory_of(&args.output))?;
    minimizing.check(&material)?;
    let line = progress::line(resources.quiet);
    atomic::check(&args.output)?;
    let store = store(args.tables.as_deref(), &line, resources);
    let bytes = minimizing.smallest(&material, &store, &line)?;
    atomic::write_bytes(&args.output, &bytes)?;
    line.finish_and_clear();
    print(summary(&args.output, &bytes)?)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn build(materials: &[Material], args: &Build, resources: &Resources) -> Result<ExitCode> {
    if args.castling {
        return Err(usage("--castling: Chinese chess has no castling"));
    }
    let minimizing = Minimizing::new(&args.minimizer, resources, args.out.clone())?;
    materials.iter().try_for_each(|material| minimizing.check(material))?;
    let line = progress::line(resources.quiet);
    let store = store(Some(&args.out), &line, resources);
    store.check_budget(&store.plan(materials)?)?;
    std::fs::create_dir_all(&args.out).map_err(|error| Error::io("make the directory", &args.out, error))?;
    let file = |material: &Material| args.out.join(format!("{material}.{EXTENSION}"));
    materials.iter().try_for_each(|material| atomic::check(&file(material)))?;
    if args.keep_tables {
        store.generate(materials)?;
    }
    let (start, mut rows) = (Instant::now(), Vec::new());
    for material in materials {
        let bytes = minimizing.smallest(material, &store, &line)?;
        atomic::write_bytes(&file(material), &bytes)?;
        match args.format {
            Format::Text => line.suspend(|| print(summary(&file(material), &bytes)?))?,
            Format::Json => rows.push(json(&Clauses::decode(&bytes)?, bytes.len())),
        }
    }
    line.finish_and_clear();
    match args.format {
        Format::Text => {
            print(format!("{} in {}\n", counted(materials.len(), "table"), elapsed(start.elapsed())))?;
        }
        Format::Json => print_json(&json!({ "tables": rows }))?,
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn export(args: &Export, resources: &Resources) -> Result<ExitCode> {
    let material = xiangqi_material(&args.material)?;
    // The default, `binary`, is a model of chess only.
    let name = if args.model == "binary" { "board" } else { &args.model };
    let model: Model = name.parse().map_err(|error: Error| usage(error.to_string()))?;
    if args.no_canonical || matches!(args.r#type, Some(PlaTypeArg::Fdr)) {
        let why = "a PLA of Chinese chess has canonical positions and is of type fr: no --no-canonical, no --type fdr";
        return Err(usage(why));
    }
    let line = progress::line(resources.quiet);
    args.output.as_deref().map_or(Ok(()), atomic::check)?;
    let table = store(args.tables.as_deref(), &line, resources).get(&material)?;
    let Some(path) = &args.output else {
        return to_standard_output(|out| write_pla(&table, model, out));
    };
    atomic::write(path, |out| write_pla(&table, model, out).map_err(|error| error.context(path.display())))?;
    line.finish_and_clear();
    print(format!("{}: {material} in model {model}\n", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// A line about a file that was just made.
fn summary(path: &Path, bytes: &[u8]) -> Result<String> {
    Ok(line(path, &Clauses::decode(bytes)?, bytes.len()))
}

pub(super) fn line(path: &Path, clauses: &Clauses, bytes: usize) -> String {
    let (leaves, literals) = clauses.clauses_and_literals();
    format!(
        "{}: {}, Chinese chess, model {}, {}, {}, {}\n",
        paint::out(paint::HEAD, path.display()),
        clauses.material(),
        clauses.variables().model(),
        counted(bytes, "byte"),
        counted(leaves, "clause"),
        counted(literals, "literal"),
    )
}

/// The clauses in the bytes of a source, whose name must be that of their material.
pub(super) fn decode(source: &Source, bytes: &[u8]) -> Result<Clauses> {
    let clauses = Clauses::decode(bytes).map_err(|error| error.in_file(&source.path))?;
    source.check_name(clauses.material())?;
    Ok(clauses)
}

/// The bytes of a file of Chinese chess; `None` for others, and for those that cannot be read.
pub(super) fn bytes_of(source: &Source) -> Option<Vec<u8>> {
    source.read().ok().filter(|bytes| Clauses::are_in(bytes))
}

/// A file as a JSON object.
pub(super) fn json(clauses: &Clauses, bytes: usize) -> Value {
    let (leaves, literals) = clauses.clauses_and_literals();
    json!({
        "game": "xiangqi",
        "material": clauses.material().to_string(),
        "model": clauses.variables().model().name(),
        "bytes": bytes,
        "clauses": leaves,
        "literals": literals,
    })
}

/// Checks the file of `source`, with these bytes, on every position. Returns the number of probes.
pub(super) fn verify(source: &Source, bytes: &[u8], store: &Store, progress: Monitor<'_>) -> Result<u64> {
    let clauses = decode(source, bytes)?;
    clauses.verify(&*store.get(clauses.material())?, progress)
}
