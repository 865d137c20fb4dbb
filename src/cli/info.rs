//! `info`: what files say about themselves, and their sums.

use super::args::{Info, InfoFormat};
use super::compare::{kinds_json, kinds_text};
use super::sources::{Source, sources};
use super::stats::{counts_json, counts_text};
use super::{complain, print, print_json, status_of};
use crate::compare::{Measured, Report};
use crate::error::Result;
use crate::pcn::{SectionSummary, SideSummary, Summary, TreeSummary, Turns};
use crate::position::{Material, Wdl};
use crate::probe::EXTENSION;
use crate::retrograde::{Metric, Table};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// Shows what files hold. A file that cannot be read is an error of its own and keeps no other back.
pub(super) fn info(args: &Info) -> Result<ExitCode> {
    let extensions: Vec<&str> = std::iter::once(EXTENSION).chain(Metric::ALL.map(Metric::name)).collect();
    let mut status = 0;
    let (mut values, mut measured) = (Vec::new(), Vec::new());
    for path in &args.paths {
        let contents = match sources(path, &extensions) {
            Ok(files) => files.into_iter().map(|file| (content(&file), file.path)).collect(),
            Err(error) => vec![(Err(error), path.clone())],
        };
        for (content, path) in contents {
            match content {
                Ok((text, json, sizes)) => {
                    match args.format {
                        InfoFormat::Text => print(text)?,
                        InfoFormat::Json => values.push(json),
                        InfoFormat::Csv => {}
                    }
                    measured.extend(sizes);
                }
                Err(error) => {
                    status = status.max(status_of(error.kind()));
                    match args.format {
                        InfoFormat::Text | InfoFormat::Csv => complain(&error),
                        InfoFormat::Json => values
                            .push(json!({ "file": path.display().to_string(), "error": error.to_string() })),
                    }
                }
            }
        }
    }
    match args.format {
        InfoFormat::Text => print(totals_text(&Report::new(measured, &[])?))?,
        InfoFormat::Json => {
            print_json(&json!({ "files": values, "totals": totals_json(&Report::new(measured, &[])?) }))?;
        }
        InfoFormat::Csv => {
            let mut lines: Vec<String> = measured.iter().map(csv_line).collect();
            lines.sort();
            print("material,model,clauses,literals,bytes\n".to_string() + &lines.concat())?;
        }
    }
    Ok(ExitCode::from(status))
}

/// The line of fixtures/sizes.csv.
fn csv_line(Measured { material, model, clauses, literals, bytes, .. }: &Measured) -> String {
    format!("{material},{model},{clauses},{literals},{bytes}\n")
}

/// The last lines; none for a single file.
fn totals_text(report: &Report) -> String {
    let Report { rows, bytes, clauses, literals, .. } = report;
    if rows.len() < 2 {
        return String::new();
    }
    let files = rows.len();
    let total = format!("total: {files} files, {bytes} bytes, {clauses} clauses, {literals} literals\n");
    kinds_text(report).lines().fold(total, |text, line| text + "  " + line + "\n")
}

fn totals_json(report: &Report) -> Value {
    json!({
        "files": report.rows.len(),
        "bytes": report.bytes,
        "clauses": report.clauses,
        "literals": report.literals,
        "models_and_shapes": kinds_json(report),
        "headers_bytes": report.headers(),
    })
}

/// What a file holds, as text and as JSON, and the sizes of a .pcn file.
type Content = (String, Value, Option<Measured>);

fn content(source: &Source) -> Result<Content> {
    let path = &source.path;
    // Whatever is not named as a table may be a .pcn, which goes by any name.
    let is_table = |extension| Metric::ALL.iter().any(|metric| extension == metric.name());
    if !source.is_bundled() && path.extension().is_some_and(is_table) {
        let table = Table::read(path)?;
        return Ok((table_text(path, &table), table_json(path, &table), None));
    }
    let (summary, bytes) = source.summary()?;
    let measured = Measured::new(&summary, bytes as u64);
    Ok((pcn_text(path, &summary, bytes), pcn_json(path, &summary, bytes), Some(measured)))
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
        hex(pcn.table_hash),
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
        if let Some(TreeSummary { leaves, excepted, exception_bytes, pages }) = side.tree {
            let turn = side.turn.name();
            let pages = if pages > 0 { format!(", in {pages} pages and a top") } else { String::new() };
            let _ = writeln!(
                text,
                "  {turn} to move, tree{pages}: {leaves} leaves, {excepted} with exceptions, which take {exception_bytes} bytes"
            );
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
            "leaves_with_exceptions": side.tree.map(|tree| tree.excepted),
            "exception_bytes": side.tree.map(|tree| tree.exception_bytes),
            "pages": side.tree.map(|tree| tree.pages),
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
        "table_hash": hex(pcn.table_hash),
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

fn table_text(path: &Path, table: &Table) -> String {
    let (path, material, metric, hash) =
        (path.display(), table.material(), table.metric(), hex(table.hash()));
    let counts = counts_text(material, |turn| table.counts(turn));
    format!("{path}: {material}, outcome table, metric {metric}, hash {hash}\n{counts}")
}

fn table_json(path: &Path, table: &Table) -> Value {
    json!({
        "file": path.display().to_string(),
        "kind": "table",
        "material": table.material().to_string(),
        "metric": table.metric().to_string(),
        "hash": hex(table.hash()),
        "positions": counts_json(table.material(), |turn| table.counts(turn)),
    })
}

fn hex(bytes: [u8; 8]) -> String {
    format!("{:016x}", u64::from_be_bytes(bytes))
}
