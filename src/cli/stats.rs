//! `stats`: what outcome tables hold, counted by side to move, and the longest distance.
//!
//! Counts are those of the header, which the generator has counted and every whole reading compares; the longest
//! distance is searched for in the blocks, which are checked on the way.

use super::args::{Format, Stats};
use super::{files, print};
use crate::error::Result;
use crate::position::Position;
use crate::retrograde::{Metric, TableFile};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// Counts outcomes and finds the longest distance of each file.
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
        print(format!("{:#}\n", json!({ "files": values })))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(path: &Path, file: &TableFile, longest: Option<(u32, Position)>) -> String {
    let mut text = format!(
        "{}: {}, metric {}, {} bytes, {} slots a side\n",
        path.display(),
        file.material(),
        file.metric(),
        file.bytes(),
        file.slots(),
    );
    for &turn in file.material().stored_turns() {
        let [loss, draw, win] = file.counts(turn);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {} to move: {win} won, {draw} drawn, {loss} lost", turn.name());
    }
    match longest {
        Some((plies, position)) => {
            let outcome =
                if file.wdl(&position).is_ok_and(|wdl| wdl == crate::Wdl::Win) { "won" } else { "lost" };
            let _ =
                writeln!(text, "  longest {} {plies} plies, {outcome}: {}", file.metric(), position.to_fen());
        }
        None if file.metric() == Metric::Wdl => text.push_str("  no distances stored\n"),
        None => text.push_str("  no distances: all drawn\n"),
    }
    text
}

fn json(path: &Path, file: &TableFile, longest: Option<(u32, Position)>) -> Value {
    let sides: Vec<_> = file
        .material()
        .stored_turns()
        .iter()
        .map(|&turn| {
            let [loss, draw, win] = file.counts(turn);
            json!({ "turn": turn.name(), "win": win, "draw": draw, "loss": loss })
        })
        .collect();
    json!({
        "file": path.display().to_string(),
        "material": file.material().to_string(),
        "metric": file.metric().name(),
        "bytes": file.bytes(),
        "slots_per_side": file.slots(),
        "positions": sides,
        "longest_plies": longest.map(|(plies, _)| plies),
        "longest_fen": longest.map(|(_, position)| position.to_fen()),
    })
}
