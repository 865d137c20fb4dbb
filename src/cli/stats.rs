//! `stats`: the outcomes in outcome tables, counted by side to move, and the longest distance.
//!
//! Counts are those of the header, which the generator wrote and every complete read verifies. The longest distance and the
//! counts under the 50-move rule come from a scan of the blocks, which checks them.

use super::aligned::{aligned, grouped};
use super::args::Stats;
use super::games::{Played, is_xiangqi_file, side_name};
use super::sources::other_command;
use super::values::Format;
use super::{Resources, files, paint, print, print_json};
use crate::chess::position::{Color, Wdl};
use crate::chess::retrograde::Chess;
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::Wdl50;
use crate::probe::EXTENSION;
use crate::retrograde::Metric;
use crate::retrograde::estimate::{self, Bytes};
use crate::retrograde::mapped::TableFile;
use crate::xiangqi::{self, Census, Xiangqi};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

pub(super) fn stats(args: &Stats, resources: &Resources) -> Result<ExitCode> {
    let mut values = Vec::new();
    for path in &args.paths {
        for path in files(path, &Metric::ALL.map(Metric::name))? {
            let is_of_clauses = path.extension().is_some_and(|extension| extension == EXTENSION);
            let hint = |error| {
                if is_of_clauses { other_command(error, "info", "a file of clauses", &path) } else { error }
            };
            let (text, value) = if is_xiangqi_file(&path).map_err(hint)? {
                let (mut text, mut value) = of_file::<Xiangqi>(&path)?;
                check_memory(&path, resources)?;
                let table = xiangqi::Table::read(&path)?;
                let size = xiangqi::database_size(table.material());
                value["database_size"] = json!(size);
                let _ = writeln!(text, "  {} positions a side in the paper's numbering", grouped(size));
                for (name, census) in censuses(&table) {
                    value[name] = census_json(&census);
                    text += &census_text(name, &census);
                }
                (text, value)
            } else {
                of_file::<Chess>(&path).map_err(hint)?
            };
            match args.format {
                Format::Text => print(text)?,
                Format::Json => values.push(value),
            }
        }
    }
    if args.format == Format::Json {
        print_json(&json!({ "files": values }))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Checks that the table in a file may be read into memory, which [`Census`] needs.
fn check_memory(path: &Path, resources: &Resources) -> Result<()> {
    let file = TableFile::<Xiangqi>::open(path)?;
    let needed =
        estimate::table_bytes::<Xiangqi>(file.material(), file.metric()).saturating_add(file.bytes());
    let Some(allowed) = resources.memory.filter(|&allowed| allowed < needed) else { return Ok(()) };
    let (needed, allowed) = (Bytes(needed), Bytes(allowed));
    let why = format!("{}: needs about {needed} of memory, {allowed} are allowed", path.display());
    Err(Error::new(ErrorKind::BudgetExhausted, why))
}

/// The text and the JSON of a file.
fn of_file<G: Played>(path: &Path) -> Result<(String, Value)> {
    let file = TableFile::<G>::open(path)?;
    let (longest, counts_50) = file.longest_and_counts_50()?;
    let (mut text, mut json) = (text(path, &file, longest.as_ref()), json(path, &file, longest.as_ref()));
    let Some(counts_50) = counts_50 else { return Ok((text, json)) };
    let mut lines = vec![["50-move rule", "won", "cursed", "drawn", "blessed", "lost"].map(String::from)];
    let mut sides = Vec::new();
    for &turn in G::stored_turns(file.material()) {
        let (name, counts) = (side_name::<G>(turn), counts_50[turn.index()]);
        let [loss, blessed, draw, cursed, win] = counts.map(grouped);
        lines.push([name.into(), win, cursed, draw, blessed, loss]);
        let mut side: Value = Wdl50::ALL.iter().map(|wdl| (wdl.name(), counts[wdl.index()])).collect();
        side["turn"] = json!(name);
        sides.push(side);
    }
    json["positions_50_moves"] = json!(sides);
    text += &indented(&paint::table(&aligned(lines)));
    Ok((text, json))
}

fn text<G: Played>(path: &Path, file: &TableFile<G>, longest: Option<&(u32, G::Position)>) -> String {
    let mut text = format!(
        "{}: {}, metric {}, {} bytes, {} slots a side\n",
        paint::out(paint::HEAD, path.display()),
        file.material(),
        file.metric(),
        grouped(file.bytes()),
        grouped(file.slots()),
    );
    text += &counts_text::<G>(file.material(), |turn| file.counts(turn));
    let longest = match longest {
        Some((plies, position)) => {
            let is_won = file.wdl(position).is_ok_and(|wdl| wdl == Wdl::Win);
            let outcome = if is_won { "won" } else { "lost" };
            format!("  longest {} {plies} plies, {outcome}: {}\n", file.metric(), G::fen(position))
        }
        None if file.metric() == Metric::Wdl => "  no distances stored\n".into(),
        None => "  no distances: all drawn\n".into(),
    };
    text + &longest
}

fn json<G: Played>(path: &Path, file: &TableFile<G>, longest: Option<&(u32, G::Position)>) -> Value {
    json!({
        "file": path.display().to_string(),
        "material": file.material().to_string(),
        "metric": file.metric().name(),
        "bytes": file.bytes(),
        "slots_per_side": file.slots(),
        "positions": counts_json::<G>(file.material(), |turn| file.counts(turn)),
        "longest_plies": longest.map(|(plies, _)| plies),
        "longest_fen": longest.map(|(_, position)| G::fen(position)),
    })
}

/// The number of positions of each outcome, a line for each stored side to move.
pub(super) fn counts_text<G: Played>(material: &G::Material, counts: impl Fn(Color) -> [u64; 3]) -> String {
    let line = |&turn: &Color| {
        let [loss, draw, win] = counts(turn);
        [side_name::<G>(turn).into(), grouped(win), grouped(draw), grouped(loss)]
    };
    let mut lines = vec![["to move", "won", "drawn", "lost"].map(String::from)];
    lines.extend(G::stored_turns(material).iter().map(line));
    indented(&paint::table(&aligned(lines)))
}

/// Indents the lines by two spaces.
pub(super) fn indented(text: &str) -> String {
    text.lines().fold(String::new(), |text, line| text + "  " + line + "\n")
}

pub(super) fn counts_json<G: Played>(material: &G::Material, counts: impl Fn(Color) -> [u64; 3]) -> Value {
    let side = |&turn: &Color| {
        let [loss, draw, win] = counts(turn);
        json!({ "turn": side_name::<G>(turn), "win": win, "draw": draw, "loss": loss })
    };
    G::stored_turns(material).iter().map(side).collect()
}

/// The positions counted as in the paper: all, and those with high soldiers if there are soldiers.
fn censuses(table: &xiangqi::Table) -> Vec<(&'static str, Census)> {
    let mut censuses = vec![("real_size", Census::of(table))];
    if table.material().men().iter().any(|man| man.role == xiangqi::Role::Soldier) {
        censuses.push(("high_soldiers", Census::of_high_soldiers(table)));
    }
    censuses
}

fn census_text(name: &str, census: &Census) -> String {
    let mut lines = vec![[&*name.replace('_', " "), "won", "drawn", "lost"].map(String::from)];
    for (name, counts) in Xiangqi::SIDES.iter().zip(census.outcomes) {
        let share = |count: u64| 100.0 * count as f64 / counts.iter().sum::<u64>().max(1) as f64;
        let [loss, draw, win] = counts.map(|count| format!("{} ({:.2}%)", grouped(count), share(count)));
        lines.push([format!("{name} to move"), win, draw, loss]);
    }
    indented(&paint::table(&aligned(lines)))
}

fn census_json(census: &Census) -> Value {
    let side = |(name, [loss, draw, win]): (&&str, [u64; 3])| json!({ "turn": name, "win": win, "draw": draw, "loss": loss });
    let sides: Value = Xiangqi::SIDES.iter().zip(census.outcomes).map(side).collect();
    json!({ "positions": sides, "longest_red_plies": census.longest })
}
