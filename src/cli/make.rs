//! The commands that make .pcn files from tables: `minimize` and `build`.

use super::aligned::{grouped, percent};
use super::args::{Build, Minimize, Minimizer};
use super::games::{Played, Targets, chess_material, targets, xiangqi_material};
use super::generate::{can_be_cursed, metric, store};
use super::minimizing::{Made, Minimizing};
use super::progress::{self, ItemProgress};
use super::sources::refuse_input;
use super::summary::Row;
use super::values::Format;
use super::{Resources, counted, directory_of, paint, print, print_json, usage};
use crate::atomic;
use crate::chess::retrograde::Chess;
use crate::chess::retrograde::castling::{CastlingLayer, CastlingLayers, check_size};
use crate::error::{Error, Result};
use crate::pipeline::{self, Monitor};
use crate::probe::{DISTANCES, EXTENSION, RANKING};
use crate::retrograde::Metric;
use crate::retrograde::estimate::Estimate;
use crate::retrograde::store::Store;
use crate::retrograde::table::Table;
use crate::xiangqi::Xiangqi;
use indicatif::ProgressBar;
use serde_json::json;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

pub(super) fn minimize(args: &Minimize, resources: &Resources) -> Result<ExitCode> {
    if args.material.contains('-') {
        return minimize_one::<Xiangqi>(&xiangqi_material(&args.material)?, args, resources);
    }
    minimize_one::<Chess>(&chess_material(&args.material)?, args, resources)
}

fn minimize_one<G: Played>(
    material: &G::Material,
    args: &Minimize,
    resources: &Resources,
) -> Result<ExitCode> {
    let line = progress::line(resources.quiet);
    let store = tables::<G>(&[*material], args.tables.as_deref(), &args.minimizer, &line, resources);
    let metric = store.metric();
    let minimizing = G::Minimizing::new(&args.minimizer, metric, resources, directory_of(&args.output))?;
    minimizing.check(std::slice::from_ref(material))?;
    args.tables.iter().try_for_each(|tables| refuse_input(tables, metric.name(), &args.output))?;
    atomic::check(&args.output)?;
    let table = store.get(material)?;
    let show = progress::showing(&line, material, minimizing.seconds(material));
    let made = minimizing.build(&table, Monitor::new(&show))?;
    atomic::write_bytes(&args.output, &made.bytes)?;
    line.finish_and_clear();
    note_rule::<G>(&[*material], metric);
    print(one_line(&args.output, material, &made))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the store of the tables of `materials` to minimize: outcomes, or distances to zeroing.
fn tables<G: Played>(
    materials: &[G::Material],
    directory: Option<&Path>,
    minimizer: &Minimizer,
    line: &ProgressBar,
    resources: &Resources,
) -> Store<G> {
    let metric = minimizer.metric::<G>(materials, directory);
    store::<G>(directory, line, resources).with_metric(metric)
}

/// Says on standard error if files of `materials` that were made from tables of `metric` do not know the 50-move rule.
fn note_rule<G: Played>(materials: &[G::Material], metric: Metric) {
    if metric == Metric::Wdl && materials.iter().any(can_be_cursed::<G>) {
        let why =
            "made from tables without distances to zeroing (dtz), the files do not know the 50-move rule";
        // If standard error cannot be written to, the files still say it.
        let _ = writeln!(io::stderr(), "cubebase: {why}");
    }
}

pub(super) fn build(args: &Build, resources: &Resources) -> Result<ExitCode> {
    let line = progress::line(resources.quiet);
    match targets(&args.targets)? {
        Targets::Chess(materials) => {
            let store = tables::<Chess>(&materials, Some(&args.out), &args.minimizer, &line, resources);
            if args.castling && args.minimizer.are_beside() {
                return Err(usage("--castling: files of distances and rankings have no castling rights"));
            }
            if args.castling {
                materials.iter().try_for_each(check_size)?;
            }
            let layers = CastlingLayers::new(&store);
            build_all(&materials, args, resources, &store, &line, &|bytes, table| {
                let material = table.material();
                let is_castling = args.castling && CastlingLayer::is_of(material);
                let add = || pipeline::add_castling(bytes, &*layers.get(material)?, table);
                is_castling.then(add).transpose()
            })
        }
        Targets::Xiangqi(_) if args.castling => Err(usage("--castling: Chinese chess has no castling")),
        Targets::Xiangqi(materials) => {
            let store = store::<Xiangqi>(Some(&args.out), &line, resources);
            build_all(&materials, args, resources, &store, &line, &|_, _| Ok(None))
        }
    }
}

impl Minimizer {
    /// Whether the files are put beside those of the outcomes.
    pub(super) const fn are_beside(&self) -> bool {
        self.distances || self.ranking.is_some()
    }

    /// The metric of the tables from which files of `materials` are made.
    pub(super) fn metric<G: Played>(&self, materials: &[G::Material], directory: Option<&Path>) -> Metric {
        if self.are_beside() { Metric::Dtz } else { metric::<G>(materials, directory) }
    }
}

/// Returns the bytes of a file with castling rights, if there are any to add.
type AddCastling<'a, G> = dyn Fn(&[u8], &Table<G>) -> Result<Option<Vec<u8>>> + 'a;

/// Builds the files of `materials`.
fn build_all<G: Played>(
    materials: &[G::Material],
    args: &Build,
    resources: &Resources,
    store: &Store<G>,
    line: &ProgressBar,
    castling: &AddCastling<'_, G>,
) -> Result<ExitCode> {
    let minimizing = G::Minimizing::new(&args.minimizer, store.metric(), resources, args.out.clone())?;
    minimizing.check(materials)?;
    let plan = store.plan(materials)?;
    store.check_budget(&plan)?;
    std::fs::create_dir_all(&args.out).map_err(|error| Error::io("make the directory", &args.out, error))?;
    let extension = match args.minimizer.ranking {
        Some(_) => RANKING,
        None if args.minimizer.distances => DISTANCES,
        None => EXTENSION,
    };
    let file = |material: &G::Material| args.out.join(format!("{material}.{extension}"));
    materials.iter().try_for_each(|material| atomic::check(&file(material)))?;
    if args.keep_tables {
        store.generate(materials)?;
    }
    let mut rows = Vec::with_capacity(materials.len());
    if args.format == Format::Text {
        line.suspend(|| print(paint::table(Row::HEADER)))?;
    }
    let began = Instant::now();
    let mut run = run::<G>(materials, &plan, &minimizing);
    for material in materials {
        let show = run.next(line, &material.to_string());
        let start = Instant::now();
        let table = store.get(material)?;
        let (generating, peak_before) = (start.elapsed(), peak_bytes());
        let made = minimizing.build(&table, Monitor::new(&show))?;
        let with = castling(&made.bytes, &table)?;
        let with = with.as_ref().unwrap_or(&made.bytes);
        atomic::write_bytes(&file(material), with)?;
        let castling_bytes = with.len() - made.bytes.len();
        let (times, peaks) = ([generating, start.elapsed()], [peak_before, peak_bytes()]);
        let row = Row::new(material, &made, castling_bytes, times, peaks);
        if args.format == Format::Text {
            line.suspend(|| print(row.text()))?;
        }
        rows.push(row);
        if args.keep_tables && G::men(material)[0] > 4 {
            // The table can be read from its file again; those of five men do not all fit in memory.
            store.forget(material);
        }
    }
    line.finish_and_clear();
    note_rule::<G>(materials, store.metric());
    match args.format {
        Format::Text => {
            print(paint::table(&Row::total(&rows)) + &Row::end(&rows, &args.out, began.elapsed()))?;
        }
        Format::Json => print_json(&json!({ "tables": rows }))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The peak resident memory in bytes since the process began; `None` on systems other than Linux.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The progress of a run over `materials`: by estimated seconds, or by their slots if a table has no estimate.
fn run<G: Played>(
    materials: &[G::Material],
    plan: &[Estimate<G>],
    minimizing: &G::Minimizing,
) -> ItemProgress {
    let table = |material: &G::Material| plan.iter().find(|table| table.material == *material);
    let threads = rayon::current_num_threads() as f64;
    let seconds = |material: &G::Material| {
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
pub(super) fn one_line(path: &Path, material: &dyn Display, made: &Made) -> String {
    let (path, length) = (paint::out(paint::HEAD, path.display()), made.bytes.len() as u64);
    let clauses = counted(made.clauses, "clause");
    let [bytes, positions] = [length, made.positions.iter().sum()].map(grouped);
    let beside = made.syzygy_bytes.map_or(String::new(), |theirs| {
        format!(", {} of Syzygy's {}", percent(length as f64 / theirs as f64), grouped(theirs))
    });
    format!("{path}: {material}, {clauses}, {bytes} bytes{beside}, right on all {positions} positions\n")
}
