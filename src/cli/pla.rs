//! The commands that write or read a PLA: `export` and `pack`.

use super::args::{Export, Pack};
use super::games::{Played, chess_material, xiangqi_material};
use super::generate::store;
use super::sources::refuse_input;
use super::values::PlaTypeArg;
use super::{Resources, make, material, model, print, progress, to_standard_output, usage};
use crate::atomic;
use crate::chess::retrograde::Chess;
use crate::covers::{self, Options, Scope, check_type, natural_type, write_pla};
use crate::error::{Error, Result};
use crate::pipeline::Monitor;
use crate::retrograde::Metric;
use crate::retrograde::table::Table;
use crate::xiangqi::{self, Xiangqi};
use espresso::pla::{Pla, PlaType};
use indicatif::ProgressBar;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::process::ExitCode;

pub(super) fn export(args: &Export, resources: &Resources) -> Result<ExitCode> {
    let line = progress::line(resources.quiet);
    if args.material.contains('-') {
        let material = xiangqi_material(&args.material)?;
        let model: xiangqi::Model = args
            .model
            .as_deref()
            .unwrap_or("board")
            .parse()
            .map_err(|error: Error| usage(error.to_string()))?;
        if args.no_canonical || matches!(args.r#type, Some(PlaTypeArg::Fdr)) {
            let why = "a PLA of Chinese chess has canonical positions and is of type fr: no --no-canonical, no --type fdr";
            return Err(usage(why));
        }
        return export_table::<Xiangqi>(args, &material, model, resources, &line, |table, out| {
            xiangqi::write_pla(table, model, out)
        });
    }
    let material = chess_material(&args.material)?;
    let model = model(args.model.as_deref().unwrap_or("binary"))?;
    let scope = if args.no_canonical { Scope::full_board() } else { Scope::default() };
    let kind = match args.r#type {
        Some(PlaTypeArg::Fdr) => PlaType::Fdr,
        Some(PlaTypeArg::Fr) => PlaType::Fr,
        None => natural_type(model),
    };
    check_type(model, kind).map_err(|error| usage(format!("--type: {error}")))?;
    covers::check_function_memory(&material, model, scope.canonical, resources.memory, "exporting")?;
    export_table::<Chess>(args, &material, model, resources, &line, |table, out| {
        write_pla(table, model, &scope, kind, out)
    })
}

/// Writes the PLA of a table to the named file, or to standard output.
fn export_table<G: Played>(
    args: &Export,
    material: &G::Material,
    model: impl Display,
    resources: &Resources,
    line: &ProgressBar,
    write: impl FnOnce(&Table<G>, &mut dyn Write) -> Result<()>,
) -> Result<ExitCode> {
    if let Some(output) = &args.output {
        args.tables.iter().try_for_each(|tables| refuse_input(tables, Metric::Wdl.name(), output))?;
        atomic::check(output)?;
    }
    let table = store::<G>(args.tables.as_deref(), line, resources).get(material)?;
    line.set_message(format!("{material}: writing the PLA"));
    let Some(path) = &args.output else { return to_standard_output(|out| write(&table, out)) };
    atomic::write(path, |out| write(&table, out).map_err(|error| error.context(path.display())))?;
    line.finish_and_clear();
    print(format!("{}: {material} in model {model}\n", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn pack(args: &Pack, resources: &Resources) -> Result<ExitCode> {
    let line = progress::line(resources.quiet);
    let material = material(&args.material)?;
    let model = model(&args.model)?;
    covers::check_function_memory(&material, model, true, resources.memory, "packing")?;
    refuse_input(&args.pla, "", &args.output)?;
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
    let table = store::<Chess>(args.tables.as_deref(), &line, resources).get(&material)?;
    let show = progress::showing(&line, &material, None);
    let options =
        Options { model, codec: args.codec, memory: resources.memory, progress: Monitor::new(&show) };
    let built = covers::pack(&table, &pla.on, &options)?;
    atomic::write_bytes(&args.output, &built.bytes)?;
    line.finish_and_clear();
    print(make::one_line(&args.output, &material, &built.into()))?;
    Ok(ExitCode::SUCCESS)
}
