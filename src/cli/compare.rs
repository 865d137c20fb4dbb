//! `compare`: file sizes beside Syzygy's and the paper's, and several sets of files side by side.

use super::aligned::grouped;
use super::args::Compare;
use super::comparison::{Distances, distances_text, report_text, sets_text};
use super::games::GameModel;
use super::report::{self, Records, Set};
use super::sources::{Contents, left_out, refuse_input, sources};
use super::values::Format;
use super::{baselines, complain, counted, paint, print, print_json, status_of};
use crate::atomic;
use crate::chess::position::Material;
use crate::compare::{Measured, Report, Row, Sides, syzygy_dtz_bytes};
use crate::error::{Error, ErrorKind, Result};
use crate::pcn::ByteBreakdown;
use crate::probe::EXTENSION;
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

/// Compares sizes. A file that cannot be read is reported and left out.
pub(super) fn compare(args: &Compare) -> Result<ExitCode> {
    if let Some(page) = &args.html {
        args.paths.iter().try_for_each(|path| refuse_input(path, EXTENSION, page))?;
        atomic::check(page)?;
    }
    let mut records = Records::default();
    args.record.iter().try_for_each(|path| records.read(path))?;
    let lines = args.baselines.as_deref().map(baselines::read).transpose()?.unwrap_or_default();
    let mut status = 0;
    let (mut sets, mut distances) = (Vec::new(), Vec::new());
    let mut refuse = |error: &Error| {
        status = status.max(status_of(error.kind()));
        complain(error);
    };
    for path in &args.paths {
        let (mut measured, of_distances) = measure(path, args.html.is_some(), &mut refuse)?;
        measured.sort_by_key(|(row, _)| (row.material.len(), row.material.to_string()));
        let (measured, breakdowns): (Vec<_>, _) = measured.into_iter().unzip();
        if of_distances.is_empty() || !measured.is_empty() {
            sets.push(Set { name: set_name(path), report: Report::new(measured, &args.syzygy)?, breakdowns });
        }
        if !of_distances.is_empty() {
            distances.push((set_name(path), of_distances));
        }
    }
    let is_empty = lines.is_empty() && distances.is_empty();
    if is_empty && sets.iter().all(|set| set.report.rows.is_empty()) {
        if status == 0 {
            let why = "there are only rankings, and nobody else has any";
            return Err(Error::new(ErrorKind::MissingTable, why));
        }
        return Ok(ExitCode::from(status));
    }
    if let Some(path) = &args.html {
        write_page(path, &sets, &distances, &records, &lines)?;
        return Ok(ExitCode::from(status));
    }
    let sets: Vec<(String, Report)> = sets.into_iter().map(|set| (set.name, set.report)).collect();
    match args.format {
        Format::Text => {
            let table = Some(baselines::table_text(&lines)).filter(|_| !lines.is_empty());
            let of_sets = match &sets[..] {
                [] => None,
                [(_, report)] => {
                    let kinds = kinds_text(&report.kinds(), report.headers());
                    Some(format!("{}\n{kinds}", report_text(report)))
                }
                sets => Some(sets_text(sets)),
            };
            let of_distances = (!distances.is_empty()).then(|| distances_text(&distances));
            let tables: Vec<String> = of_sets.into_iter().chain(of_distances).chain(table).collect();
            print(tables.iter().map(|text| paint::table(text)).collect::<Vec<_>>().join("\n"))?;
        }
        Format::Json => {
            let named = |(name, report): &(String, Report)| {
                let mut value = report_json(report);
                value["name"] = json!(name);
                value
            };
            let mut value = match &sets[..] {
                [] => json!({}),
                [(_, report)] => report_json(report),
                sets => json!({ "sets": sets.iter().map(named).collect::<Vec<_>>() }),
            };
            if !distances.is_empty() {
                value["distances"] = distances_json(&distances);
            }
            if !lines.is_empty() {
                value["baselines"] = json!(lines);
            }
            print_json(&value)?;
        }
    }
    Ok(ExitCode::from(status))
}

/// The sizes of files of outcomes, each with its bytes by content if they are wanted, and those of distances.
type Sizes = (Vec<(Measured, ByteBreakdown)>, Vec<(Material, u64)>);

/// Returns the sizes of the files at a path, of outcomes and of distances. Calls `refuse` with the error of each other file.
fn measure(path: &Path, is_divided: bool, refuse: &mut dyn FnMut(&Error)) -> Result<Sizes> {
    let (mut measured, mut distances) = (Vec::new(), Vec::new());
    for source in sources(path, &[EXTENSION])? {
        match source.open() {
            Ok((Contents::Outcomes(summary), bytes)) => {
                let divided =
                    if is_divided { ByteBreakdown::decode(&bytes) } else { Ok(ByteBreakdown::default()) };
                match divided {
                    Ok(divided) => measured.push((Measured::new(&summary, bytes.len() as u64), divided)),
                    Err(error) => refuse(&error.in_file(&source.path)),
                }
            }
            // Nobody else has rankings.
            Ok((Contents::Distances(summary), _)) if summary.pairs.is_some() => {}
            Ok((Contents::Distances(summary), bytes)) => {
                distances.push((summary.material, bytes.len() as u64));
            }
            Ok((Contents::Xiangqi(_), _)) => refuse(&left_out(&source.path)),
            Err(error) => refuse(&error),
        }
    }
    Ok((measured, distances))
}

/// Writes the page with the sizes of `sets`, and prints its name and length.
fn write_page(
    path: &Path,
    sets: &[Set],
    distances: &[Distances],
    records: &Records,
    lines: &[baselines::Line],
) -> Result<()> {
    let page = report::page(sets, distances, records, lines);
    atomic::write_bytes(path, page.as_bytes())?;
    let of_sets = sets.iter().map(|set| set.report.rows.len());
    let of_sets = of_sets.chain(distances.iter().map(|(_, files)| files.len())).sum();
    let tables = if of_sets == 0 { baselines::materials(lines).len() } else { of_sets };
    print(format!("{}: {}, {} bytes\n", path.display(), counted(tables, "table"), grouped(page.len() as u64)))
}

fn distances_json(sets: &[Distances]) -> Value {
    let file = |set: &str, (material, bytes): &(Material, u64)| {
        let theirs = syzygy_dtz_bytes(material);
        json!({ "set": set, "material": material.to_string(), "bytes": bytes, "syzygy_dtz_bytes": theirs })
    };
    sets.iter().flat_map(|(set, files)| files.iter().map(move |of| file(set, of))).collect()
}

/// The name of a set of files: the last part of its path, for a bundle without the extension.
fn set_name(path: &Path) -> String {
    let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
    name.map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Sides to move by model and shape.
type Kinds<V> = [(V, &'static str, Sides)];

pub(super) fn kinds_text<V: Copy + Into<GameModel>>(kinds: &Kinds<V>, headers: u64) -> String {
    let line = |&(model, shape, Sides { count, bytes }): &(V, _, _)| {
        let GameModel { game, name } = model.into();
        let game = game.map_or("", |_| " of Chinese chess");
        let sides = counted(count as usize, "side");
        format!("model {name}{game}, shape {shape}: {sides} to move, {} bytes\n", grouped(bytes))
    };
    let kinds: String = kinds.iter().map(line).collect();
    kinds + &format!("headers: {} bytes\n", grouped(headers))
}

pub(super) fn kinds_json<V: Copy + Into<GameModel>>(kinds: &Kinds<V>) -> Value {
    let kind = |&(model, shape, Sides { count, bytes }): &(V, _, _)| {
        let GameModel { game, name } = model.into();
        let mut kind = json!({ "model": name, "shape": shape, "sides": count, "bytes": bytes });
        game.into_iter().for_each(|game| kind["game"] = json!(game));
        kind
    };
    kinds.iter().map(kind).collect()
}

fn report_json(report: &Report) -> Value {
    let row = |row: &Row| {
        json!({
            "material": row.ours.material.to_string(),
            "bytes": row.ours.bytes,
            "clauses": row.ours.clauses,
            "model": row.ours.model.name(),
            "shape": row.ours.shape,
            "syzygy_bytes": row.syzygy_bytes,
            "syzygy_ratio": row.syzygy_ratio(),
            "paper_clauses": row.paper.map(|paper| paper.clauses),
            "paper_zipped_bytes": row.paper.and_then(|paper| paper.zipped_bytes),
            "paper_ratio": row.paper_ratio(),
        })
    };
    let worst = report.worst();
    json!({
        "tables": report.rows.iter().map(row).collect::<Value>(),
        "bytes": report.bytes,
        "clauses": report.clauses,
        "syzygy_ratio": report.syzygy.ratio(),
        "paper_ratio": report.paper.ratio(),
        "worst_syzygy_ratio": worst.and_then(Row::syzygy_ratio),
        "worst_material": worst.map(|row| row.ours.material.to_string()),
        "models_and_shapes": kinds_json(&report.kinds()),
        "headers_bytes": report.headers(),
    })
}
