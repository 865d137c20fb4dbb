//! The commands that report on files: `verify`, `info`, `compare`.

use super::args::{Compare, Format, Info, InfoFormat, Verify};
use super::sources::{Source, sources};
use super::{Resources, complain, one_line, print, progress, status_of};
use crate::build::{self, Monitor, Symmetries};
use crate::compare::{self, Kind, Measured, Sides, Steps, syzygy::Syzygy};
use crate::error::{Error, ErrorKind, Result};
use crate::pcn::{SectionSummary, SideSummary, Summary, TreeSummary, Turns};
use crate::position::{Color, Material, Wdl};
use crate::probe::{self, EXTENSION};
use crate::retrograde::{self, Metric, Store};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// Checks files on every legal position.
pub(super) fn verify(args: &Verify, resources: &Resources) -> Result<ExitCode> {
    let line = progress::line(resources.quiet);
    let files = sources(&args.path, &[EXTENSION])?;
    let syzygy = if args.syzygy.is_empty() {
        None
    } else {
        // A file that cannot be read is complained of when its turn comes.
        let materials =
            files.iter().filter_map(|file| file.summary().ok()).map(|(summary, _)| summary.material);
        Some(Syzygy::open(&args.syzygy, &materials.collect::<Vec<_>>())?)
    };
    let store =
        Store::new(None).with_memory(resources.memory).with_progress(progress::generating(&line, &[]));
    let mut status = 0;
    let mut results = Vec::new();
    for source in &files {
        let path = &source.path;
        line.set_message(format!("{}: checking", path.display()));
        let result = verify_file(source, &store, syzygy.as_ref());
        if let Err(error) = &result {
            status = status.max(status_of(error.kind()));
        }
        match args.format {
            Format::Text => line.suspend(|| print(verify_text(path, &result)))?,
            Format::Json => results.push(verify_json(path, &result)),
        }
    }
    line.finish_and_clear();
    if args.format == Format::Json {
        print(format!("{:#}\n", json!({ "files": results })))?;
    }
    Ok(ExitCode::from(status))
}

/// How many answers of a file were checked.
struct Verified {
    probes: u64,
    /// Positions compared with a Syzygy file; `None` when there is none for the material.
    syzygy: Option<u64>,
    /// Whether a directory of Syzygy files was given.
    with_syzygy: bool,
}

fn verify_file(source: &Source, store: &Store, syzygy: Option<&Syzygy>) -> Result<Verified> {
    let bytes = source.read()?;
    let clauses = probe::Prober::decode(&bytes)?;
    let material = *clauses.material();
    source.check_name(&material)?;
    let table = store.get(&material)?;
    let probes = build::verify(&clauses, &table, Symmetries::All, Monitor::default())?;
    if clauses.table_hash() != table.hash() {
        let message =
            format!("{material}: every value is right, but the file names another table as its source");
        return Err(Error::new(ErrorKind::Mismatch, message));
    }
    let with_syzygy = syzygy.is_some();
    let syzygy = match syzygy.filter(|syzygy| syzygy.has(&material)) {
        Some(syzygy) => Some(syzygy.verify(&clauses, &table)?),
        None => None,
    };
    Ok(Verified { probes, syzygy, with_syzygy })
}

fn verify_text(path: &Path, result: &Result<Verified>) -> String {
    let path = path.display();
    match result {
        Ok(Verified { probes, syzygy, with_syzygy }) => {
            let compared = match syzygy {
                Some(compared) => format!(", {compared} compared with Syzygy"),
                None if *with_syzygy => ", no Syzygy file to compare with".into(),
                None => String::new(),
            };
            format!("{path}: right on all {probes} positions{compared}\n")
        }
        Err(error) if error.kind() == ErrorKind::Mismatch => format!("{path}: WRONG: {}\n", one_line(error)),
        Err(error) => format!("{path}: error: {}\n", one_line(error)),
    }
}

fn verify_json(path: &Path, result: &Result<Verified>) -> Value {
    let mut value = json!({ "file": path.display().to_string(), "right": result.is_ok() });
    match result {
        Ok(verified) => {
            value["positions"] = json!(verified.probes);
            value["positions_compared_with_syzygy"] = json!(verified.syzygy);
        }
        Err(error) => value["error"] = json!(error.to_string()),
    }
    value
}

/// Shows what files hold. A file that cannot be read is an error of its own and keeps no other back.
pub(super) fn info(args: &Info) -> Result<ExitCode> {
    let extensions: Vec<&str> = std::iter::once(EXTENSION).chain(Metric::ALL.map(Metric::name)).collect();
    let mut status = 0;
    let (mut values, mut lines) = (Vec::new(), Vec::new());
    let mut totals = Totals::default();
    for path in &args.paths {
        let contents = match sources(path, &extensions) {
            Ok(files) => {
                let content = |file: Source| (info_file(&file, args.format, &mut totals), file.path);
                files.into_iter().map(content).collect()
            }
            Err(error) => vec![(Err(error), path.clone())],
        };
        for (content, path) in contents {
            match (content, args.format) {
                (Ok(Content::Text(text)), _) => print(text)?,
                (Ok(Content::Json(value)), _) => values.push(value),
                (Ok(Content::Csv(line)), _) => lines.extend(line),
                (Err(error), format) => {
                    status = status.max(status_of(error.kind()));
                    match format {
                        InfoFormat::Text | InfoFormat::Csv => complain(&error),
                        InfoFormat::Json => values
                            .push(json!({ "file": path.display().to_string(), "error": error.to_string() })),
                    }
                }
            }
        }
    }
    match args.format {
        InfoFormat::Text => print(totals.text()?)?,
        InfoFormat::Json => {
            print(format!("{:#}\n", json!({ "files": values, "totals": totals.json()? })))?;
        }
        InfoFormat::Csv => {
            lines.sort();
            let lines = lines.into_iter().map(|(_, line)| line);
            print(std::iter::once(CSV_HEADER.to_string()).chain(lines).collect::<String>())?;
        }
    }
    Ok(ExitCode::from(status))
}

const CSV_HEADER: &str = "material,model,clauses,literals,bytes\n";

/// What a file holds, as it is printed.
enum Content {
    Text(String),
    Json(Value),
    /// The name of the material, which the lines go by, and the line; of an outcome table none.
    Csv(Option<(String, String)>),
}

/// Sums over .pcn files.
#[derive(Default)]
struct Totals {
    files: Vec<Measured>,
    literals: u64,
}

impl Totals {
    fn add(&mut self, pcn: &Summary, bytes: usize) {
        self.files.push(Measured::new(pcn, bytes as u64));
        self.literals += pcn.literals as u64;
    }

    fn report(&self) -> Result<compare::Report> {
        compare::Report::new(self.files.iter().cloned(), &[])
    }

    /// The last lines; none for a single file.
    fn text(&self) -> Result<String> {
        let (files, literals) = (self.files.len(), self.literals);
        if files < 2 {
            return Ok(String::new());
        }
        let report = self.report()?;
        let (bytes, clauses) = (report.bytes, report.clauses);
        let kinds = kinds_text(&report);
        let total = format!("total: {files} files, {bytes} bytes, {clauses} clauses, {literals} literals\n");
        Ok(total + &kinds.lines().fold(String::new(), |text, line| text + "  " + line + "\n"))
    }

    fn json(&self) -> Result<Value> {
        let report = self.report()?;
        Ok(json!({
            "files": self.files.len(),
            "bytes": report.bytes,
            "clauses": report.clauses,
            "literals": self.literals,
            "models_and_shapes": kinds_json(&report),
            "headers_bytes": report.headers(),
        }))
    }
}

fn info_file(source: &Source, format: InfoFormat, totals: &mut Totals) -> Result<Content> {
    let path = &source.path;
    // Whatever is not named as a table may be a .pcn, which goes by any name.
    let is_table = |extension| Metric::ALL.iter().any(|metric| extension == metric.name());
    if !source.is_bundled() && path.extension().is_some_and(is_table) {
        let table = retrograde::Table::read(path)?;
        return Ok(match format {
            InfoFormat::Text => Content::Text(table_text(path, &table)),
            InfoFormat::Json => Content::Json(table_json(path, &table)),
            InfoFormat::Csv => Content::Csv(None),
        });
    }
    let (pcn, bytes) = source.summary()?;
    totals.add(&pcn, bytes);
    Ok(match format {
        InfoFormat::Text => Content::Text(pcn_text(path, &pcn, bytes)),
        InfoFormat::Json => Content::Json(pcn_json(path, &pcn, bytes)),
        InfoFormat::Csv => Content::Csv(Some((pcn.material.to_string(), csv_line(&pcn, bytes)))),
    })
}

/// The line of fixtures/sizes.csv.
fn csv_line(pcn: &Summary, bytes: usize) -> String {
    format!("{},{},{},{},{bytes}\n", pcn.material, pcn.model, pcn.clauses, pcn.literals)
}

fn pcn_text(path: &Path, pcn: &Summary, bytes: usize) -> String {
    let mut text = format!(
        "{}: {}, {bytes} bytes, {} clauses, {} literals\n  model {} version {}, layers {}, table {}\n",
        path.display(),
        pcn.material,
        pcn.clauses,
        pcn.literals,
        pcn.model.name(),
        pcn.model.version(),
        pcn.layers.name(),
        hex(&pcn.table_hash),
    );
    for side in &pcn.sides {
        let default = side.side.default.map_or("none", |outcome| outcome.name());
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  {} to move: {}, {} bytes, {} clauses, {} literals, default {default}, man {} leads",
            side.turn.name(),
            shape(side),
            side.bytes,
            side.clauses,
            side.literals,
            man_name(&pcn.material, side.side.lead),
        );
    }
    for side in &pcn.sides {
        if let Some(TreeSummary { leaves, exceptions }) = side.tree {
            let turn = side.turn.name();
            let _ = writeln!(text, "  {turn} to move, tree: {leaves} leaves, {exceptions} exceptions");
        }
    }
    for SectionSummary { turns, outcome, clauses } in &pcn.sections {
        let _ = writeln!(text, "  {} to move, {outcome}: {clauses} clauses", turns_name(*turns));
    }
    text
}

fn shape(side: &SideSummary) -> &'static str {
    if side.tree.is_some() { "tree" } else { "list" }
}

fn pcn_json(path: &Path, pcn: &Summary, bytes: usize) -> Value {
    let side = |side: &SideSummary| {
        json!({
            "turn": side.turn.name(),
            "lead": man_name(&pcn.material, side.side.lead),
            "default": side.side.default.map(Wdl::name),
            "shape": shape(side),
            "bytes": side.bytes,
            "clauses": side.clauses,
            "literals": side.literals,
            "leaves": side.tree.map(|tree| tree.leaves),
            "exceptions": side.tree.map(|tree| tree.exceptions),
        })
    };
    let section = |section: &SectionSummary| {
        json!({
            "turn": turns_name(section.turns),
            "outcome": section.outcome.name(),
            "clauses": section.clauses,
        })
    };
    json!({
        "file": path.display().to_string(),
        "kind": "pcn",
        "material": pcn.material.to_string(),
        "bytes": bytes,
        "model": pcn.model.name(),
        "model_version": pcn.model.version(),
        "layers": pcn.layers.name(),
        "clauses": pcn.clauses,
        "literals": pcn.literals,
        "table_hash": hex(&pcn.table_hash),
        "sides": pcn.sides.iter().map(side).collect::<Vec<_>>(),
        "sections": pcn.sections.iter().map(section).collect::<Vec<_>>(),
    })
}

fn man_name(material: &Material, man: usize) -> String {
    let man = material.men()[man];
    format!("{} {}", man.color.name(), man.role.letter())
}

fn turns_name(turns: Turns) -> &'static str {
    match turns {
        Turns::White => "white",
        Turns::Black => "black",
        Turns::Both => "either",
    }
}

fn table_text(path: &Path, table: &retrograde::Table) -> String {
    let mut text = format!(
        "{}: {}, outcome table, metric {}, hash {}\n",
        path.display(),
        table.material(),
        table.metric(),
        hex(&table.hash())
    );
    for &turn in table.material().stored_turns() {
        let [loss, draw, win] = table.counts(turn);
        let _ = writeln!(text, "  {} to move: {win} won, {draw} drawn, {loss} lost", turn.name());
    }
    text
}

fn table_json(path: &Path, table: &retrograde::Table) -> Value {
    let side = |turn: &Color| {
        let [loss, draw, win] = table.counts(*turn);
        json!({ "turn": turn.name(), "win": win, "draw": draw, "loss": loss })
    };
    json!({
        "file": path.display().to_string(),
        "kind": "table",
        "material": table.material().to_string(),
        "metric": table.metric().to_string(),
        "hash": hex(&table.hash()),
        "positions": table.material().stored_turns().iter().map(side).collect::<Vec<_>>(),
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Compares sizes; a file that cannot be read is left out and said to be.
pub(super) fn compare(args: &Compare) -> Result<ExitCode> {
    let mut status = 0;
    let mut sets = Vec::new();
    for path in &args.paths {
        let mut measured = Vec::new();
        for source in sources(path, &[EXTENSION])? {
            match source.summary() {
                Ok((pcn, bytes)) => measured.push(Measured::new(&pcn, bytes as u64)),
                Err(error) => {
                    status = status.max(status_of(error.kind()));
                    complain(&error);
                }
            }
        }
        measured.sort_by_key(|row| (row.material.len(), row.material.to_string()));
        sets.push((path, compare::Report::new(measured, &args.syzygy)?));
    }
    let text = match (&sets[..], args.format) {
        ([(_, report)], Format::Text) => format!("{report}\n{}", kinds_text(report)),
        ([(_, report)], Format::Json) => format!("{:#}\n", compare_json(report)),
        (_, format) => {
            let steps = Steps::new(sets.into_iter().map(|(path, report)| (set_name(path), report)).collect());
            match format {
                Format::Text => format!("{steps}\n"),
                Format::Json => format!("{:#}\n", steps_json(&steps)),
            }
        }
    };
    print(text)?;
    Ok(ExitCode::from(status))
}

/// How a set of files is called: by the last part of its path, a bundle without its extension.
fn set_name(path: &Path) -> String {
    let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
    name.map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn kinds_text(report: &compare::Report) -> String {
    let mut text = String::new();
    for (Kind { model, shape }, Sides { count, bytes }) in report.kinds() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "model {model}, shape {}: {count} sides to move, {bytes} bytes", shape.name());
    }
    let _ = writeln!(text, "headers: {} bytes", report.headers());
    text
}

fn kinds_json(report: &compare::Report) -> Value {
    let kind = |(Kind { model, shape }, Sides { count, bytes }): (Kind, Sides)| {
        let (model, shape) = (model.name(), shape.name());
        json!({ "model": model, "shape": shape, "sides": count, "bytes": bytes })
    };
    report.kinds().into_iter().map(kind).collect()
}

fn compare_json(report: &compare::Report) -> Value {
    let rows: Vec<_> = report
        .rows
        .iter()
        .map(|row| {
            json!({
                "material": row.ours.material.to_string(),
                "bytes": row.ours.bytes,
                "clauses": row.ours.clauses,
                "model": row.ours.model.name(),
                "shape": row.ours.shape().name(),
                "syzygy_bytes": row.syzygy_bytes,
                "syzygy_ratio": row.syzygy_ratio(),
                "paper_clauses": row.paper.map(|paper| paper.clauses),
                "paper_zipped_bytes": row.paper.and_then(|paper| paper.zipped_bytes),
                "paper_ratio": row.paper_ratio(),
            })
        })
        .collect();
    let worst = report.worst();
    json!({
        "tables": rows,
        "bytes": report.bytes,
        "clauses": report.clauses,
        "syzygy_ratio": report.syzygy.ratio(),
        "paper_ratio": report.paper.ratio(),
        "worst_syzygy_ratio": worst.and_then(compare::Row::syzygy_ratio),
        "worst_material": worst.map(|row| row.ours.material.to_string()),
        "models_and_shapes": kinds_json(report),
        "headers_bytes": report.headers(),
    })
}

/// Each set as `compare` prints it alone, with its name.
fn steps_json(steps: &Steps) -> Value {
    let set = |(name, report): &(String, compare::Report)| {
        let mut value = compare_json(report);
        value["name"] = json!(name);
        value
    };
    json!({ "sets": steps.sets().iter().map(set).collect::<Vec<_>>() })
}
