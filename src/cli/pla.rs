//! The commands that write or read a PLA: `export` and `pack`.

use super::args::{Export, Pack};
use super::games::chess_material;
use super::generate::store;
use super::values::PlaTypeArg;
use super::{Resources, make, material, model, print, progress, to_standard_output, usage, xiangqi};
use crate::atomic;
use crate::chess::retrograde::Chess;
use crate::covers::{self, Options, Scope, check_type, natural_type, write_pla};
use crate::error::{Error, Result};
use crate::pipeline::Monitor;
use espresso::pla::{Pla, PlaType};
use std::fs::File;
use std::io::{self, BufReader};
use std::process::ExitCode;

pub(super) fn export(args: &Export, resources: &Resources) -> Result<ExitCode> {
    if args.material.contains('-') {
        return xiangqi::export(args, resources);
    }
    let line = progress::line(resources.quiet);
    let material = chess_material(&args.material)?;
    let model = model(&args.model)?;
    let scope = if args.no_canonical { Scope::full_board() } else { Scope::default() };
    let kind = match args.r#type {
        Some(PlaTypeArg::Fdr) => PlaType::Fdr,
        Some(PlaTypeArg::Fr) => PlaType::Fr,
        None => natural_type(model),
    };
    check_type(model, kind).map_err(|error| usage(format!("--type: {error}")))?;
    covers::check_function_memory(&material, model, scope.canonical, resources.memory, "exporting")?;
    args.output.as_deref().map_or(Ok(()), atomic::check)?;
    let table = store::<Chess>(args.tables.as_deref(), &line, resources).get(&material)?;
    line.set_message(format!("{material}: writing the PLA"));
    if let Some(path) = &args.output {
        atomic::write(path, |out| {
            write_pla(&table, model, &scope, kind, out).map_err(|error| error.context(path.display()))
        })?;
        line.finish_and_clear();
        print(format!("{}: {material} in model {model}\n", path.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    to_standard_output(|out| write_pla(&table, model, &scope, kind, out))
}

pub(super) fn pack(args: &Pack, resources: &Resources) -> Result<ExitCode> {
    let line = progress::line(resources.quiet);
    let material = material(&args.material)?;
    let model = model(&args.model)?;
    covers::check_function_memory(&material, model, true, resources.memory, "packing")?;
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
    let options = Options {
        model,
        codec: args.codec,
        memory: resources.memory,
        progress: Monitor::new(&show),
        ..Options::default()
    };
    let built = covers::pack(&table, &pla.on, &options)?;
    atomic::write_bytes(&args.output, &built.bytes)?;
    line.finish_and_clear();
    print(make::one_line(&args.output, &material, &built))?;
    Ok(ExitCode::SUCCESS)
}
