//! `generate`: makes outcome tables and prints a line for each, or estimates their cost.

use super::aligned::grouped;
use super::args::Generate;
use super::games::{Played, Targets, targets};
use super::values::Format;
use super::{Resources, counted, paint, print, print_json, progress, usage};
use crate::chess::retrograde::Chess;
use crate::error::{Error, Result};
use crate::retrograde::Metric;
use crate::retrograde::estimate::Bytes;
use crate::retrograde::estimate::Estimate;
use crate::retrograde::store::{Finished, Store};
use crate::xiangqi::Xiangqi;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

pub(super) fn generate(args: &Generate, resources: &Resources) -> Result<ExitCode> {
    match targets(&args.targets)? {
        Targets::Chess(materials) => tables::<Chess>(&materials, args, resources),
        Targets::Xiangqi(_) if args.metric == Metric::Dtz => {
            Err(usage("Chinese chess has no distances to zeroing"))
        }
        Targets::Xiangqi(materials) => tables::<Xiangqi>(&materials, args, resources),
    }
}

fn tables<G: Played>(materials: &[G::Material], args: &Generate, resources: &Resources) -> Result<ExitCode> {
    let store =
        Store::<G>::new(Some(args.out.clone())).with_metric(args.metric).with_memory(resources.memory);
    let plan = store.plan(materials)?;
    if args.estimate {
        return estimate(&plan, args.format, resources);
    }
    let line = progress::line(resources.quiet);
    let rows = Arc::new(Mutex::new(Rows::default()));
    let (shown, shared, format) = (line.clone(), Arc::clone(&rows), args.format);
    let directory = args.out.clone();
    let store = store.with_progress(progress::generating(&line, &plan)).with_finished(move |finished| {
        let mut rows = shared.lock().unwrap_or_else(PoisonError::into_inner);
        rows.tables += 1;
        let file = directory.join(format!("{}.{}", finished.table.material(), finished.table.metric()));
        // A file that was removed since counts nothing.
        rows.bytes += std::fs::metadata(file).map_or(0, |file| file.len());
        rows.new += usize::from(finished.is_new);
        match format {
            Format::Json => rows.json.push(row_json(finished)),
            Format::Text => {
                if let Err(error) = shown.suspend(|| print(row_text(finished))) {
                    rows.error.get_or_insert(error);
                }
            }
        }
    });
    let start = Instant::now();
    store.generate(materials)?;
    line.finish_and_clear();
    let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = rows.error.take() {
        return Err(error);
    }
    match args.format {
        Format::Text => {
            let (new, there) = (rows.new, rows.tables - rows.new);
            let there = if there == 0 { String::new() } else { format!(", {there} already there") };
            let (time, size, place) = (elapsed(start.elapsed()), Bytes(rows.bytes), args.out.display());
            let made = format!("{} in {time}{there}", counted(new, "table"));
            print(format!("{}; {size} in {place}\n", paint::out(paint::HEAD, made)))?;
        }
        Format::Json => print_json(&json!({ "tables": rows.json }))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns a store that reads tables from `directory`, generates missing ones, and shows its progress on `line`.
pub(super) fn store<G: Played>(
    directory: Option<&Path>,
    line: &ProgressBar,
    resources: &Resources,
) -> Store<G> {
    Store::new(directory.map(Path::to_path_buf))
        .with_memory(resources.memory)
        .with_progress(progress::generating(line, &[]))
}

/// The metric of the tables from which files of outcomes of `materials` are made and checked. With five men it is distances to
/// zeroing, for the 50-move rule, unless `directory` has only tables without distances. With more men, tables with distances take
/// up to nine times the memory, so they are taken only if `directory` has them.
pub(super) fn metric<G: Played>(materials: &[G::Material], directory: Option<&Path>) -> Metric {
    let most_men = materials.iter().map(|material| G::men(material)[0]).max();
    let has = |material: &G::Material, metric: Metric| {
        directory.is_some_and(|directory| directory.join(format!("{material}.{metric}")).exists())
    };
    let is_wanted = |material: &G::Material| {
        let is_generated = most_men == Some(5) && !has(material, Metric::Wdl);
        can_be_cursed::<G>(material) && (has(material, Metric::Dtz) || is_generated)
    };
    if materials.iter().any(is_wanted) { Metric::Dtz } else { Metric::Wdl }
}

/// Whether the 50-move rule can draw won positions. It cannot with up to four men.
pub(super) fn can_be_cursed<G: Played>(material: &G::Material) -> bool {
    G::HAS_FIFTY_MOVE_RULE && G::men(material)[0] > 4
}

/// Prints the costs of a plan.
fn estimate<G: Played>(plan: &[Estimate<G>], format: Format, resources: &Resources) -> Result<ExitCode> {
    print(match format {
        Format::Text => paint::table(&estimate_text(plan, resources)),
        Format::Json => format!("{:#}\n", estimate_json(plan, resources)),
    })?;
    Ok(ExitCode::SUCCESS)
}

#[derive(Default)]
struct Rows {
    tables: usize,
    new: usize,
    /// The bytes of all files.
    bytes: u64,
    json: Vec<Value>,
    error: Option<Error>,
}

fn row_text<G: Played>(finished: &Finished<'_, G>) -> String {
    let [loss, draw, win] = finished.table.totals();
    let (material, seconds) = (finished.table.material().to_string(), finished.time.as_secs_f64());
    let [loss, draw, win] = [loss, draw, win].map(grouped);
    let mut text = format!("{material:<8} {win:>13} won {draw:>13} drawn {loss:>13} lost {seconds:>9.2} s");
    if !finished.is_new {
        text.push_str(", was there");
    }
    if let Some((plies, position)) = finished.table.longest() {
        let _ = write!(text, ", longest {plies} plies: {}", G::fen(&position));
    }
    text.push('\n');
    text
}

fn row_json<G: Played>(finished: &Finished<'_, G>) -> Value {
    let [loss, draw, win] = finished.table.totals();
    let mut row = json!({
        "material": finished.table.material().to_string(),
        "metric": finished.table.metric().name(),
        "is_new": finished.is_new,
        "seconds": finished.time.as_secs_f64(),
        "positions_loss": loss,
        "positions_draw": draw,
        "positions_win": win,
    });
    if let Some((plies, position)) = finished.table.longest() {
        row["longest_plies"] = json!(plies);
        row["longest_fen"] = json!(G::fen(&position));
    }
    row
}

/// The largest peak memory of a table to be made, and the bytes of all files and processor seconds of all tables.
fn totals<G: Played>(plan: &[Estimate<G>]) -> (u64, u64, f64) {
    let peak = plan.iter().filter(|table| !table.is_there).map(|table| table.peak_bytes).max().unwrap_or(0);
    let files = plan.iter().map(|table| table.file_bytes).fold(0, u64::saturating_add);
    (peak, files, plan.iter().map(|table| table.cpu_seconds).sum())
}

fn estimate_text<G: Played>(plan: &[Estimate<G>], resources: &Resources) -> String {
    let mut text =
        format!("{:<8} {:>18} {:>10} {:>10} {:>12}\n", "material", "slots", "memory", "file", "cpu time");
    for table in plan {
        let time = if table.is_there { "is there".into() } else { duration(table.cpu_seconds) };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<8} {:>18} {:>10} {:>10} {time:>12}",
            table.material.to_string(),
            grouped(table.slots),
            Bytes(table.peak_bytes),
            Bytes(table.file_bytes),
        );
    }
    let scratch = plan.iter().map(|table| table.scratch_bytes).max().unwrap_or(0);
    if scratch > 0 {
        let _ = writeln!(
            text,
            "{} of scratch files at most, where memory does not allow for a table and its sub-tables",
            Bytes(scratch)
        );
    }
    let (peak, files, seconds) = totals(plan);
    let threads = rayon::current_num_threads();
    let wall = duration(seconds / threads as f64);
    let allowed = resources.memory.map_or("unknown".into(), |bytes| Bytes(bytes).to_string());
    let _ = write!(
        text,
        "total: {} of memory at most, {allowed} allowed; {} of files; {} of cpu time, {wall} with {threads} threads\n\
         Memory is an upper bound, from the solver's data structures. Time and files are guesses from the means of \
         tables of four men: a table may take three times as long, or half; a file may have three times the length, or \
         a tenth.\n",
        Bytes(peak),
        Bytes(files),
        duration(seconds),
    );
    text
}

fn estimate_json<G: Played>(plan: &[Estimate<G>], resources: &Resources) -> Value {
    let table = |table: &Estimate<G>| {
        json!({
            "material": table.material.to_string(),
            "slots": table.slots,
            "peak_bytes": table.peak_bytes,
            "file_bytes": table.file_bytes,
            "scratch_bytes": table.scratch_bytes,
            "cpu_seconds": table.cpu_seconds,
            "is_there": table.is_there,
        })
    };
    let (peak, files, seconds) = totals(plan);
    json!({
        "tables": plan.iter().map(table).collect::<Value>(),
        "peak_bytes": peak,
        "allowed_bytes": resources.memory,
        "file_bytes": files,
        "cpu_seconds": seconds,
    })
}

/// Formats a measured time.
pub(super) fn elapsed(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 120.0 { format!("{seconds:.2} s") } else { duration(seconds) }
}

pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        ..1.0 => format!("{:.0} ms", 1000.0 * seconds),
        ..120.0 => format!("{seconds:.0} s"),
        ..7200.0 => format!("{:.0} min", seconds / 60.0),
        ..172_800.0 => format!("{:.0} h", seconds / 3600.0),
        _ => format!("{:.0} days", seconds / 86400.0),
    }
}
