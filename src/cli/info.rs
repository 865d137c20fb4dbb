//! `info`: the contents of files, and their sums.

use super::aligned::{aligned, grouped};
use super::args::Info;
use super::compare::{kinds_json, kinds_text};
use super::games::is_xiangqi_file;
use super::sources::{Source, embedded, sources};
use super::stats::{counts_json, counts_text, indented};
use super::values::InfoFormat;
use super::xiangqi;
use super::{complain, counted, paint, print, print_json, status_of};
use crate::chess::position::{Material, Wdl};
use crate::chess::retrograde::{Chess, Table};
use crate::compare::{Measured, Report};
use crate::error::Result;
use crate::pcn::{ByteBreakdown, SectionSummary, SideSummary, Summary, TreeSummary, Turns};
use crate::probe::EXTENSION;
use crate::retrograde::Metric;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Shows the contents of files. A file that cannot be read is reported; the others are still shown.
pub(super) fn info(args: &Info) -> Result<ExitCode> {
    let extensions: Vec<&str> = std::iter::once(EXTENSION).chain(Metric::ALL.map(Metric::name)).collect();
    let mut status = 0;
    let (mut values, mut measured) = (Vec::new(), Vec::new());
    let mut named: Vec<(PathBuf, Result<Vec<Source>>)> =
        args.paths.iter().map(|path| (path.clone(), sources(path, &extensions))).collect();
    if named.is_empty() {
        named.push(("the built-in tables".into(), embedded()));
    }
    for (path, files) in named {
        let (mut listing, mut is_listed) = (Listing::default(), false);
        let contents: Vec<(Result<Content>, PathBuf)> = match files {
            Ok(files) => {
                is_listed = path.is_dir() || files.iter().any(Source::is_bundled);
                let is_divided = args.format == InfoFormat::Json || !is_listed;
                files.into_iter().map(|file| (Content::new(&file, is_divided), file.path)).collect()
            }
            Err(error) => vec![(Err(error), path.clone())],
        };
        for (content, path) in contents {
            match content {
                Ok(content) => {
                    match args.format {
                        InfoFormat::Text if is_listed => listing.push(&content, &path),
                        InfoFormat::Text => print(content.text(&path))?,
                        InfoFormat::Json => values.push(content.json(&path)),
                        InfoFormat::Csv => {}
                    }
                    measured.extend(content.measured());
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
        print(listing.text(&path))?;
    }
    match args.format {
        InfoFormat::Text => print(totals_text(&Report::new(measured, &[])?))?,
        InfoFormat::Json => {
            print_json(&json!({ "files": values, "totals": totals_json(&Report::new(measured, &[])?) }))?;
        }
        InfoFormat::Csv => {
            let mut lines: Vec<String> = measured.iter().map(csv_line).collect();
            lines.sort();
            print("material,model,clauses,literals,bytes,castling\n".to_string() + &lines.concat())?;
        }
    }
    Ok(ExitCode::from(status))
}

/// A line of fixtures/sizes.csv.
fn csv_line(Measured { material, model, clauses, literals, bytes, castling, .. }: &Measured) -> String {
    format!("{material},{model},{clauses},{literals},{bytes},{castling}\n")
}

/// The sums over all files; empty for a single file.
fn totals_text(report: &Report) -> String {
    let Report { rows, bytes, clauses, literals, .. } = report;
    if rows.len() < 2 {
        return String::new();
    }
    let [files, bytes, clauses, literals] =
        [(rows.len() as u64, "file"), (*bytes, "byte"), (*clauses, "clause"), (*literals, "literal")]
            .map(|(number, noun)| counted(number as usize, noun));
    let castling = match castling(report) {
        0 => String::new(),
        bytes => format!(", {} of castling rights", counted(bytes as usize, "byte")),
    };
    let total = format!("total: {files}, {bytes}, {clauses}, {literals}{castling}");
    paint::out(paint::HEAD, total) + "\n" + &indented(&kinds_text(report))
}

/// Bytes of castling rights in all files.
fn castling(report: &Report) -> u64 {
    report.rows.iter().map(|row| row.ours.castling).sum()
}

fn totals_json(report: &Report) -> Value {
    json!({
        "files": report.rows.len(),
        "bytes": report.bytes,
        "castling_bytes": castling(report),
        "clauses": report.clauses,
        "literals": report.literals,
        "models_and_shapes": kinds_json(report),
        "headers_bytes": report.headers(),
    })
}

/// The content of a file.
enum Content {
    Pcn {
        summary: Box<Summary>,
        bytes: usize,
        /// Its bytes by content, if asked for.
        breakdown: Option<ByteBreakdown>,
    },
    Table(Table),
    /// A file of Chinese chess, described.
    Xiangqi {
        text: String,
        json: Value,
    },
}

impl Content {
    fn new(source: &Source, is_divided: bool) -> Result<Self> {
        let path = &source.path;
        // A .pcn file may have any name, so a file without an outcome table's extension is read as one.
        let is_table = |extension| Metric::ALL.iter().any(|metric| extension == metric.name());
        if !source.is_bundled() && path.extension().is_some_and(is_table) {
            if is_xiangqi_file(path).is_ok_and(|is_one| is_one) {
                let (text, json) = xiangqi::describe_table(path)?;
                return Ok(Content::Xiangqi { text, json });
            }
            return Table::read(path).map(Content::Table);
        }
        if let Some(bytes) = xiangqi::bytes_of(source) {
            let (text, json) = xiangqi::describe(source, &bytes)?;
            return Ok(Content::Xiangqi { text, json });
        }
        let (summary, bytes) = source.summary()?;
        let breakdown = is_divided.then(|| ByteBreakdown::decode(&source.read()?)).transpose()?;
        Ok(Content::Pcn { summary: Box::new(summary), bytes, breakdown })
    }

    fn text(&self, path: &Path) -> String {
        match self {
            Content::Pcn { summary, bytes, breakdown } => {
                pcn_text(path, summary, *bytes, breakdown.unwrap_or_default())
            }
            Content::Table(table) => table_text(path, table),
            Content::Xiangqi { text, .. } => text.clone(),
        }
    }

    fn json(&self, path: &Path) -> Value {
        match self {
            Content::Pcn { summary, bytes, breakdown } => {
                pcn_json(path, summary, *bytes, breakdown.unwrap_or_default())
            }
            Content::Table(table) => table_json(path, table),
            Content::Xiangqi { json, .. } => json.clone(),
        }
    }

    /// The sizes of a .pcn file.
    fn measured(&self) -> Option<Measured> {
        match self {
            Content::Pcn { summary, bytes, .. } => Some(Measured::new(summary, *bytes as u64)),
            Content::Table(_) | Content::Xiangqi { .. } => None,
        }
    }
}

/// The files of a directory or a bundle, one a line.
#[derive(Default)]
struct Listing {
    pcns: Vec<[String; 6]>,
    tables: Vec<[String; 5]>,
    /// The texts of the files of Chinese chess.
    xiangqi: String,
}

impl Listing {
    fn push(&mut self, content: &Content, path: &Path) {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        match content {
            Content::Xiangqi { text, .. } => self.xiangqi += text,
            Content::Table(table) => {
                let [loss, draw, win] = table.totals().map(grouped);
                self.tables.push([name, table.metric().to_string(), win, draw, loss]);
            }
            Content::Pcn { summary, bytes, .. } => {
                let sizes = Measured::new(summary, *bytes as u64);
                let [bytes, clauses, literals] = [sizes.bytes, sizes.clauses, sizes.literals].map(grouped);
                self.pcns.push([
                    name,
                    sizes.model.to_string(),
                    sizes.shape().into(),
                    bytes,
                    clauses,
                    literals,
                ]);
            }
        }
    }

    fn text(&self, path: &Path) -> String {
        let mut text = String::new();
        let mut list = |what: &str, files: usize, lines: String| {
            if files > 0 {
                let head = format!("{}: {}", path.display(), counted(files, what));
                text += &(paint::out(paint::HEAD, head) + "\n" + &indented(&paint::table(&lines)));
            }
        };
        let head = ["file", "model", "shape", "bytes", "clauses", "literals"].map(String::from);
        list("table", self.pcns.len(), aligned(std::iter::once(&head).chain(&self.pcns).cloned()));
        let head = ["file", "metric", "won", "drawn", "lost"].map(String::from);
        list(
            "outcome table",
            self.tables.len(),
            aligned(std::iter::once(&head).chain(&self.tables).cloned()),
        );
        text + &self.xiangqi
    }
}

fn pcn_text(path: &Path, pcn: &Summary, bytes: usize, breakdown: ByteBreakdown) -> String {
    let [size, clauses, literals] = [(bytes, "byte"), (pcn.clauses, "clause"), (pcn.literals, "literal")]
        .map(|(number, noun)| counted(number, noun));
    let mut text = format!(
        "{}: {}, {size}, {clauses}, {literals}\n  model {} version {}, layers {}, table {}\n",
        paint::out(paint::HEAD, path.display()),
        pcn.material,
        pcn.model.name(),
        pcn.model.version(),
        pcn.layers.name(),
        hex(pcn.table_hash),
    );
    let parts = breakdown
        .parts()
        .into_iter()
        .chain([("castling", breakdown.castling)])
        .filter(|(_, bytes)| *bytes > 0);
    let parts = parts.map(|(name, bytes)| format!("{name} {}", grouped(bytes as u64)));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  bytes: {}", parts.collect::<Vec<_>>().join(", "));
    let head =
        ["to move", "shape", "bytes", "clauses", "literals", "exception bytes", "pages", "default", "leads"];
    let mut lines = vec![head.map(String::from)];
    let count = |number: usize| grouped(number as u64);
    for side in &pcn.sides {
        let tree =
            |of: fn(TreeSummary) -> usize| side.tree.map_or_else(|| "-".into(), |tree| count(of(tree)));
        lines.push([
            side.turn.name().into(),
            shape(side).into(),
            count(side.bytes),
            count(side.clauses),
            count(side.literals),
            tree(|tree| tree.exception_bytes),
            tree(|tree| tree.pages),
            side.side.default.map_or("-", |outcome| outcome.name()).into(),
            man_name(&pcn.material, side.side.lead),
        ]);
    }
    text += &indented(&paint::table(&aligned(lines)));
    if let Some(positions) = pcn.castling_exceptions {
        let (bytes, positions) = (counted(pcn.castling_bytes, "byte"), counted(positions, "position"));
        let _ = writeln!(text, "  castling rights: {bytes}, they matter in {positions}");
    }
    for SectionSummary { turns, outcome, clauses } in &pcn.sections {
        let _ =
            writeln!(text, "  {} to move, {outcome}: {}", turns_name(*turns), counted(*clauses, "clause"));
    }
    text
}

fn shape(side: &SideSummary) -> &'static str {
    if side.tree.is_some() { "tree" } else { "list" }
}

fn pcn_json(path: &Path, pcn: &Summary, bytes: usize, breakdown: ByteBreakdown) -> Value {
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
        "bytes_by_what_they_code": {
            "headers": breakdown.headers,
            "tests": breakdown.tests,
            "leaves": breakdown.leaves,
            "exceptions": breakdown.exceptions,
            "lists": breakdown.lists,
            "castling": breakdown.castling,
        },
        "castling_exceptions": pcn.castling_exceptions,
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
        (paint::out(paint::HEAD, path.display()), table.material(), table.metric(), hex(table.hash()));
    let counts = counts_text::<Chess>(material, |turn| table.counts(turn));
    format!("{path}: {material}, outcome table, metric {metric}, hash {hash}\n{counts}")
}

fn table_json(path: &Path, table: &Table) -> Value {
    json!({
        "file": path.display().to_string(),
        "kind": "table",
        "material": table.material().to_string(),
        "metric": table.metric().to_string(),
        "hash": hex(table.hash()),
        "positions": counts_json::<Chess>(table.material(), |turn| table.counts(turn)),
    })
}

fn hex(bytes: [u8; 8]) -> String {
    format!("{:016x}", u64::from_be_bytes(bytes))
}
