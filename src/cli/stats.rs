//! `stats`: the outcomes in outcome tables, counted by side to move, and the longest distance.
//!
//! Counts are those of the header, which the generator wrote and every complete read verifies. The longest distance is
//! found by a scan of the blocks, which are checked on the way.

use super::aligned::{aligned, grouped};
use super::args::Stats;
use super::values::Format;
use super::{files, paint, print, print_json};
use crate::error::Result;
use crate::position::{Color, Material, Position, Wdl};
use crate::retrograde::{Metric, TableFile};
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

pub(super) fn stats(args: &Stats) -> Result<ExitCode> {
    let mut values = Vec::new();
    for path in &args.paths {
        for path in files(path, &Metric::ALL.map(Metric::name))? {
            let file = TableFile::open(&path)?;
            let longest = file.longest()?;
            match args.format {
                Format::Text => print(text(&path, &file, longest))?,
                Format::Json => values.push(json(&path, &file, longest)),
            }
        }
    }
    if args.format == Format::Json {
        print_json(&json!({ "files": values }))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(path: &Path, file: &TableFile, longest: Option<(u32, Position)>) -> String {
    let mut text = format!(
        "{}: {}, metric {}, {} bytes, {} slots a side\n",
        paint::out(paint::HEAD, path.display()),
        file.material(),
        file.metric(),
        grouped(file.bytes()),
        grouped(file.slots()),
    );
    text += &counts_text(file.material(), |turn| file.counts(turn));
    let longest = match longest {
        Some((plies, position)) => {
            let is_won = file.wdl(&position).is_ok_and(|wdl| wdl == Wdl::Win);
            let outcome = if is_won { "won" } else { "lost" };
            format!("  longest {} {plies} plies, {outcome}: {}\n", file.metric(), position.to_fen())
        }
        None if file.metric() == Metric::Wdl => "  no distances stored\n".into(),
        None => "  no distances: all drawn\n".into(),
    };
    text + &longest
}

fn json(path: &Path, file: &TableFile, longest: Option<(u32, Position)>) -> Value {
    json!({
        "file": path.display().to_string(),
        "material": file.material().to_string(),
        "metric": file.metric().name(),
        "bytes": file.bytes(),
        "slots_per_side": file.slots(),
        "positions": counts_json(file.material(), |turn| file.counts(turn)),
        "longest_plies": longest.map(|(plies, _)| plies),
        "longest_fen": longest.map(|(_, position)| position.to_fen()),
    })
}

/// The number of positions of each outcome, a line for each stored side to move.
pub(super) fn counts_text(material: &Material, counts: impl Fn(Color) -> [u64; 3]) -> String {
    let line = |&turn: &Color| {
        let [loss, draw, win] = counts(turn);
        [turn.name().into(), grouped(win), grouped(draw), grouped(loss)]
    };
    let mut lines = vec![["to move", "won", "drawn", "lost"].map(String::from)];
    lines.extend(material.stored_turns().iter().map(line));
    indented(&paint::table(&aligned(lines)))
}

/// Indents the lines by two spaces.
pub(super) fn indented(text: &str) -> String {
    text.lines().fold(String::new(), |text, line| text + "  " + line + "\n")
}

pub(super) fn counts_json(material: &Material, counts: impl Fn(Color) -> [u64; 3]) -> Value {
    let side = |&turn: &Color| {
        let [loss, draw, win] = counts(turn);
        json!({ "turn": turn.name(), "win": win, "draw": draw, "loss": loss })
    };
    material.stored_turns().iter().map(side).collect()
}
