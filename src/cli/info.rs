//! `info`: the contents of files, and their sums.

use super::aligned::{aligned, grouped};
use super::args::Info;
use super::compare::{kinds_json, kinds_text};
use super::games::{GameModel, Played, is_xiangqi_file};
use super::sources::{Contents, Source, embedded, sources};
use super::stats::{counts_json, counts_text, indented};
use super::values::InfoFormat;
use super::{complain, counted, paint, print, print_json, status_of};
use crate::chess::position::Material;
use crate::chess::retrograde::Chess;
use crate::compare::{Measured, Sides};
use crate::covers::Turns;
use crate::error::Result;
use crate::pcn::{ByteBreakdown, DistanceSummary, SectionSummary, SideSummary, Summary, TreeSummary};
use crate::probe::EXTENSION;
use crate::retrograde::Metric;
use crate::retrograde::table::Table;
use crate::xiangqi::{Clauses, Xiangqi};
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
                        InfoFormat::Text => print(content.text)?,
                        InfoFormat::Json => values.push(content.json),
                        InfoFormat::Csv => {}
                    }
                    measured.extend(if let Kind::Pcn(sizes) = content.kind { Some(sizes) } else { None });
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
        InfoFormat::Text => print(totals_text(&measured))?,
        InfoFormat::Json => {
            print_json(&json!({ "files": values, "totals": totals_json(&measured) }))?;
        }
        InfoFormat::Csv => {
            let mut lines: Vec<String> = measured.iter().map(csv_line).collect();
            lines.sort();
            print("material,model,clauses,literals,bytes,castling,shape\n".to_string() + &lines.concat())?;
        }
    }
    Ok(ExitCode::from(status))
}

/// The sizes of a .pcn file of either game, with the name of its material.
type Sizes = Measured<String, GameModel>;

fn csv_line(Sizes { material, model, clauses, literals, bytes, castling, shape, .. }: &Sizes) -> String {
    format!("{material},{},{clauses},{literals},{bytes},{castling},{shape}\n", model.name)
}

fn sum(files: &[Sizes], of: impl Fn(&Sizes) -> u64) -> u64 {
    files.iter().map(of).sum()
}

fn kinds(files: &[Sizes]) -> Vec<(GameModel, &'static str, Sides)> {
    Sizes::kinds(&files.iter().collect::<Vec<_>>(), GameModel::all())
}

/// The sums over all files; empty for a single file.
fn totals_text(files: &[Sizes]) -> String {
    if files.len() < 2 {
        return String::new();
    }
    let count = |of: fn(&Sizes) -> u64, noun| counted(sum(files, of) as usize, noun);
    let mut parts = vec![
        counted(files.len(), "file"),
        count(|file| file.bytes, "byte"),
        count(|file| file.clauses, "clause"),
        count(|file| file.literals, "literal"),
    ];
    if sum(files, |file| file.castling) > 0 {
        parts.push(count(|file| file.castling, "byte") + " of castling rights");
    }
    let total = format!("total: {}", parts.join(", "));
    paint::out(paint::HEAD, total) + "\n" + &indented(&kinds_text(&kinds(files), sum(files, Sizes::headers)))
}

fn totals_json(files: &[Sizes]) -> Value {
    json!({
        "files": files.len(),
        "bytes": sum(files, |file| file.bytes),
        "castling_bytes": sum(files, |file| file.castling),
        "clauses": sum(files, |file| file.clauses),
        "literals": sum(files, |file| file.literals),
        "models_and_shapes": kinds_json(&kinds(files)),
        "headers_bytes": sum(files, Sizes::headers),
    })
}

/// The content of a file.
struct Content {
    /// Empty unless asked for.
    text: String,
    json: Value,
    kind: Kind,
}

enum Kind {
    Pcn(Sizes),
    /// An outcome table: the lost, drawn and won positions of both sides to move.
    Table(Metric, [u64; 3]),
}

impl Content {
    fn new(source: &Source, is_divided: bool) -> Result<Self> {
        let path = &source.path;
        // A .pcn file may have any name, so a file without an outcome table's extension is read as a .pcn file.
        let is_table = |extension| Metric::ALL.iter().any(|metric| extension == metric.name());
        if !source.is_bundled() && path.extension().is_some_and(is_table) {
            let is_xiangqi = is_xiangqi_file(path).is_ok_and(|is_one| is_one);
            return if is_xiangqi { table::<Xiangqi>(path) } else { table::<Chess>(path) };
        }
        let (contents, bytes) = source.open()?;
        let length = bytes.len();
        let summary = match contents {
            Contents::Xiangqi(clauses) => return Ok(Content::of_xiangqi(path, &clauses, length)),
            Contents::Distances(summary) => return Ok(Content::of_distances(path, &summary, length)),
            Contents::Outcomes(summary) => summary,
        };
        let Measured { castling, clauses, literals, shape, sides, bytes: own, .. } =
            Measured::new(&summary, length as u64);
        let (material, model) = (summary.material.to_string(), summary.model.into());
        let sizes = Sizes { material, bytes: own, castling, clauses, literals, model, shape, sides };
        let mut content = Content { text: String::new(), json: Value::Null, kind: Kind::Pcn(sizes) };
        if is_divided {
            let breakdown = ByteBreakdown::decode(&bytes)?;
            content.text = pcn_text(path, &summary, length, breakdown);
            content.json = pcn_json(path, &summary, length, breakdown);
        }
        Ok(content)
    }

    fn of_distances(path: &Path, of: &DistanceSummary, bytes: usize) -> Self {
        let (material, model) = (of.material.to_string(), of.model);
        let leaves: usize = of.sides.iter().flatten().map(|side| side.leaves).sum();
        let what = match of.pairs {
            None => "distances to zeroing of won positions".into(),
            Some(1) => "ranking of won positions that falls within a pair of moves".into(),
            Some(pairs) => format!("ranking of won positions that falls within {pairs} pairs of moves"),
        };
        let (kind, unit, values) = match of.pairs {
            None => ("distances", "plies", "distances"),
            Some(_) => ("ranking", "levels", "levels"),
        };
        let mut text = format!(
            "{}: {what}{}, {material}, model {model}, {}, {}\n",
            paint::out(paint::HEAD, path.display()),
            if of.pairs.is_none() { " but those of 1" } else { "" },
            counted(bytes, "byte"),
            counted(leaves, "leaf").replace("leafs", "leaves"),
        );
        let mut sides = Vec::new();
        for (turn, side) in of.material.stored_turns().iter().zip(&of.sides) {
            let Some(side) = side else { continue };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "  {} to move: up to {} {unit}, {} leaves, {} of several {values}, {} bytes to tell them apart",
                turn.name(),
                side.longest,
                grouped(side.leaves as u64),
                grouped(side.mixed as u64),
                grouped(side.function_bytes as u64),
            );
            sides.push(json!({
                "side_to_move": turn.name(),
                format!("longest_{unit}"): side.longest,
                "leaves": side.leaves,
                format!("leaves_of_several_{values}"): side.mixed,
                "function_bytes": side.function_bytes,
            }));
        }
        let json = json!({
            "file": path.display().to_string(),
            "kind": kind,
            "pairs_of_moves": of.pairs,
            "material": material,
            "model": model.name(),
            "bytes": bytes,
            "table_hash": hex(of.table_hash),
            "sides": sides,
        });
        let sizes = Sizes {
            material,
            bytes: bytes as u64,
            castling: 0,
            clauses: leaves as u64,
            literals: 0,
            model: model.into(),
            shape: kind,
            sides: Sides { count: sides.len() as u64, bytes: of.tree_bytes as u64 },
        };
        Content { text, json, kind: Kind::Pcn(sizes) }
    }

    fn of_xiangqi(path: &Path, of: &Clauses, bytes: usize) -> Self {
        let (material, model) = (of.material().to_string(), of.variables().model());
        let (clauses, literals) = of.clauses_and_literals();
        let text = format!(
            "{}: {material}, Chinese chess, model {model}, {}, {}, {}\n",
            paint::out(paint::HEAD, path.display()),
            counted(bytes, "byte"),
            counted(clauses, "clause"),
            counted(literals, "literal"),
        );
        let json = json!({
            "file": path.display().to_string(),
            "kind": "pcn",
            "game": "xiangqi",
            "material": material,
            "model": model.name(),
            "bytes": bytes,
            "clauses": clauses,
            "literals": literals,
        });
        let sizes = Sizes {
            material,
            bytes: bytes as u64,
            castling: 0,
            clauses: clauses as u64,
            literals: literals as u64,
            model: model.into(),
            shape: "tree",
            sides: Sides { count: 2, bytes: of.tree_bytes() as u64 },
        };
        Content { text, json, kind: Kind::Pcn(sizes) }
    }
}

/// The files of a directory or a bundle, one a line.
#[derive(Default)]
struct Listing {
    pcns: Vec<[String; 6]>,
    tables: Vec<[String; 5]>,
}

impl Listing {
    fn push(&mut self, content: &Content, path: &Path) {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        match &content.kind {
            Kind::Table(metric, totals) => {
                let [loss, draw, win] = totals.map(grouped);
                self.tables.push([name, metric.to_string(), win, draw, loss]);
            }
            Kind::Pcn(sizes) => {
                let [bytes, clauses, literals] = [sizes.bytes, sizes.clauses, sizes.literals].map(grouped);
                let (model, shape) = (sizes.model.name.into(), sizes.shape.into());
                self.pcns.push([name, model, shape, bytes, clauses, literals]);
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
        text
    }
}

fn pcn_text(path: &Path, pcn: &Summary, bytes: usize, breakdown: ByteBreakdown) -> String {
    let [size, clauses, literals] = [(bytes, "byte"), (pcn.clauses, "clause"), (pcn.literals, "literal")]
        .map(|(number, noun)| counted(number, noun));
    let mut text = format!(
        "{}: {}, {size}, {clauses}, {literals}\n  model {} version {}, table {}\n",
        paint::out(paint::HEAD, path.display()),
        pcn.material,
        pcn.model.name(),
        pcn.model.version(),
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
    let head = ["to move", "shape", "bytes", "clauses", "literals", "exception bytes", "pages", "leads"];
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
            man_name(&pcn.material, side.anchor),
        ]);
    }
    text += &indented(&paint::table(&aligned(lines)));
    if let Some(positions) = pcn.castling_exceptions {
        let (bytes, positions) = (counted(pcn.castling_bytes, "byte"), counted(positions, "position"));
        let _ = writeln!(text, "  castling rights: {bytes}, they matter in {positions}");
    }
    let ruled = pcn.sides.iter().filter(|side| side.rule_bytes > 0);
    let ruled =
        ruled.map(|side| format!("{} to move {}", side.turn.name(), counted(side.rule_bytes, "byte")));
    let ruled: Vec<String> = ruled.collect();
    if !pcn.knows_rule {
        text += "  50-move rule: not known\n";
    } else if !ruled.is_empty() {
        let _ = writeln!(text, "  50-move rule: {}", ruled.join(", "));
    }
    for SectionSummary { turns, outcome, clauses } in sections(pcn) {
        let _ =
            writeln!(text, "  {} to move, {outcome}: {}", turns_name(*turns), counted(*clauses, "clause"));
    }
    text
}

fn sections(pcn: &Summary) -> &[SectionSummary] {
    pcn.covers.as_deref().unwrap_or_default()
}

fn shape(side: &SideSummary) -> &'static str {
    if side.tree.is_some() { "tree" } else { "covers" }
}

fn pcn_json(path: &Path, pcn: &Summary, bytes: usize, breakdown: ByteBreakdown) -> Value {
    let side = |side: &SideSummary| {
        json!({
            "turn": side.turn.name(),
            "lead": man_name(&pcn.material, side.anchor),
            "shape": shape(side),
            "bytes": side.bytes,
            "clauses": side.clauses,
            "literals": side.literals,
            "leaves": side.tree.map(|tree| tree.leaves),
            "leaves_with_exceptions": side.tree.map(|tree| tree.excepted),
            "exception_bytes": side.tree.map(|tree| tree.exception_bytes),
            "pages": side.tree.map(|tree| tree.pages),
            "rule_bytes": side.rule_bytes,
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
        "knows_50_move_rule": pcn.knows_rule,
        "sides": pcn.sides.iter().map(side).collect::<Vec<_>>(),
        "sections": sections(pcn).iter().map(section).collect::<Vec<_>>(),
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

fn table<G: Played>(path: &Path) -> Result<Content> {
    let table = Table::<G>::read(path)?;
    let (material, metric, hash) = (table.material(), table.metric(), hex(table.hash()));
    let counts = counts_text::<G>(material, |turn| table.counts(turn));
    let head = format!("{material}, outcome table, metric {metric}, hash {hash}");
    let text = format!("{}: {head}\n{counts}", paint::out(paint::HEAD, path.display()));
    let json = json!({
        "file": path.display().to_string(),
        "kind": "table",
        "material": material.to_string(),
        "metric": metric.to_string(),
        "hash": hash,
        "positions": counts_json::<G>(material, |turn| table.counts(turn)),
    });
    Ok(Content { text, json, kind: Kind::Table(metric, table.totals()) })
}

fn hex(bytes: [u8; 8]) -> String {
    format!("{:016x}", u64::from_be_bytes(bytes))
}
