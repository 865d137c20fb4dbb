//! The commands that make .pcn files from tables: `minimize` and `build`.

use super::aligned::{grouped, percent};
use super::args::{Build, Minimize};
use super::games::{Targets, chess_material, targets};
use super::generate::store;
use super::minimizing::Minimizing;
use super::progress::{self, ItemProgress};
use super::summary::Row;
use super::values::Format;
use super::{Resources, counted, directory_of, paint, peak, print, print_json, xiangqi};
use crate::atomic;
use crate::chess::position::Material;
use crate::chess::retrograde::castling::{CastlingLayer, CastlingLayers, check_size};
use crate::chess::retrograde::{Chess, Estimate};
use crate::compare::syzygy_bytes;
use crate::error::{Error, Result};
use crate::pipeline::{self, Built, Monitor};
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

pub(super) fn minimize(args: &Minimize, resources: &Resources) -> Result<ExitCode> {
    if args.material.contains('-') {
        return xiangqi::minimize(args, resources);
    }
    let line = progress::line(resources.quiet);
    let material = chess_material(&args.material)?;
    let minimizing = Minimizing::new(&args.minimizer, resources, directory_of(&args.output))?;
    minimizing.check(&[material])?;
    atomic::check(&args.output)?;
    let table = store::<Chess>(args.tables.as_deref(), &line, resources).get(&material)?;
    let show = progress::showing(&line, &material, minimizing.seconds(&material));
    let built = minimizing.build(&table, Monitor::new(&show))?;
    atomic::write_bytes(&args.output, &built.bytes)?;
    line.finish_and_clear();
    print(one_line(&args.output, &material, &built))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn build(args: &Build, resources: &Resources) -> Result<ExitCode> {
    let materials = match targets(&args.targets)? {
        Targets::Chess(materials) => materials,
        Targets::Xiangqi(materials) => return xiangqi::build(&materials, args, resources),
    };
    let line = progress::line(resources.quiet);
    let minimizing = Minimizing::new(&args.minimizer, resources, args.out.clone())?;
    let store = store::<Chess>(Some(&args.out), &line, resources);
    minimizing.check(&materials)?;
    if args.castling {
        materials.iter().try_for_each(check_size)?;
    }
    let plan = store.plan(&materials)?;
    store.check_budget(&plan)?;
    std::fs::create_dir_all(&args.out).map_err(|error| Error::io("make the directory", &args.out, error))?;
    let file = |material: &Material| args.out.join(format!("{material}.pcn"));
    materials.iter().try_for_each(|material| atomic::check(&file(material)))?;
    if args.keep_tables {
        store.generate(&materials)?;
    }
    let mut rows = Vec::with_capacity(materials.len());
    if args.format == Format::Text {
        line.suspend(|| print(paint::table(Row::HEADER)))?;
    }
    let began = Instant::now();
    let mut run = run(&materials, &plan, &minimizing);
    let layers = CastlingLayers::new(&store);
    for material in &materials {
        let show = run.next(&line, &material.to_string());
        let start = Instant::now();
        let table = store.get(material)?;
        let (generating, peak_bytes) = (start.elapsed(), peak::bytes());
        let built = minimizing.build(&table, Monitor::new(&show))?;
        let is_castling = args.castling && CastlingLayer::is_of(material);
        let add = || pipeline::add_castling(&built.bytes, &*layers.get(material)?, &table);
        let with = is_castling.then(add).transpose()?;
        let with = with.as_ref().unwrap_or(&built.bytes);
        atomic::write_bytes(&file(material), with)?;
        let castling = with.len() - built.bytes.len();
        let (times, peaks) = ([generating, start.elapsed()], [peak_bytes, peak::bytes()]);
        let row = Row::new(material, &built, castling, times, peaks);
        if args.format == Format::Text {
            line.suspend(|| print(row.text()))?;
        }
        rows.push(row);
        if args.keep_tables && material.len() > 4 {
            // It can be read from its file again; tables of five men do not all fit in memory.
            store.forget(material);
        }
    }
    line.finish_and_clear();
    match args.format {
        Format::Text => {
            print(paint::table(&Row::total(&rows)) + &Row::end(&rows, &args.out, began.elapsed()))?;
        }
        Format::Json => print_json(&json!({ "tables": rows }))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The progress of a run over `materials`: by estimated seconds, or by their slots if a table has no estimate.
fn run(materials: &[Material], plan: &[Estimate], minimizing: &Minimizing) -> ItemProgress {
    let table = |material: &Material| plan.iter().find(|table| table.material == *material);
    let threads = rayon::current_num_threads() as f64;
    let seconds = |material: &Material| {
        Some(minimizing.seconds(material)? + table(material).map_or(0.0, |table| table.cpu_seconds) / threads)
    };
    match materials.iter().map(seconds).collect::<Option<Vec<f64>>>() {
        Some(seconds) => ItemProgress::of_seconds(seconds.into_iter()),
        None => ItemProgress::over(
            materials.iter().map(|material| table(material).map_or(1.0, |table| table.slots as f64)),
        ),
    }
}

/// The summary of a written file, on one line.
pub(super) fn one_line(path: &Path, material: &Material, built: &Built) -> String {
    let (path, length) = (paint::out(paint::HEAD, path.display()), built.bytes.len() as u64);
    let clauses = counted(built.pcn.clauses(), "clause");
    let [bytes, positions] = [length, built.positions.iter().sum()].map(grouped);
    let beside = syzygy_bytes(material).map_or(String::new(), |theirs| {
        format!(", {} of Syzygy's {}", percent(length as f64 / theirs as f64), grouped(theirs))
    });
    format!("{path}: {material}, {clauses}, {bytes} bytes{beside}, right on all {positions} positions\n")
}
