//! The answer in the JSON of lichess's tablebase server.

use super::{Line, LineEnd, Move, Moves};
use crate::chess::position::Color;
use crate::outcome::Wdl50;
use std::fmt::Write;

/// The fields of distances, for the side to move.
fn distances(dtz: Option<i32>, dtm: Option<u32>) -> String {
    let number = |known: Option<String>| known.unwrap_or_else(|| "null".into());
    let (dtz, dtm) = (number(dtz.map(|plies| plies.to_string())), number(dtm.map(|plies| plies.to_string())));
    format!(r#""dtz":{dtz},"precise_dtz":{dtz},"dtc":null,"dtm":{dtm},"dtw":null"#)
}

/// The name of an outcome that may be unknown.
fn name(category: Option<Wdl50>) -> &'static str {
    category.map_or("unknown", Wdl50::name)
}

impl Moves {
    /// Returns the answer as one line of JSON, with the fields of lichess's tablebase server: `dtz` and `precise_dtz`, both the exact
    /// [`Moves::dtz`]; `dtm`, known for mate (0) and mate in one (1); `dtc` and `dtw`, always null; `checkmate`, `stalemate`,
    /// `variant_win`, `variant_loss` (both false), `insufficient_material`; `category`: `win`, `cursed-win`, `draw`, `blessed-loss`,
    /// `loss` or `unknown`; and `moves`, best first, each with `uci`, `san`, `zeroing`, `conversion` and the same fields. The server
    /// lacks `check`: whether the side to move is in check, or the move gives check. What is not known is null. Category and
    /// distances of a move are those of the opponent, who is to move after it: a winning move has `loss`, and a negative `dtz`.
    pub fn to_json(&self) -> String {
        let mut json = String::with_capacity(256 + 384 * self.moves.len());
        let flags = flags([self.check, self.checkmate, self.stalemate, self.insufficient_material]);
        let mates = || self.moves.iter().any(|played| played.checkmate);
        let distances = distances(self.dtz, self.checkmate.then_some(0).or_else(|| mates().then_some(1)));
        // Writing to a string cannot fail.
        let _ = write!(json, r#"{{{distances},{flags},"category":"{}","moves":["#, name(self.category));
        for (number, played) in self.moves.iter().enumerate() {
            if number > 0 {
                json.push(',');
            }
            played.write_json(&mut json);
        }
        json.push_str("]}");
        json
    }
}

impl Move {
    fn write_json(&self, json: &mut String) {
        let Move { uci, san, zeroing, conversion, .. } = self;
        let flags = flags([self.check, self.checkmate, self.stalemate, self.insufficient_material]);
        let distances = distances(self.dtz.map(|plies| -plies), self.checkmate.then_some(0));
        let category = name(self.category.map(Wdl50::other));
        // Writing to a string cannot fail. Neither name has a letter that JSON escapes.
        let _ = write!(
            json,
            r#"{{"uci":"{uci}","san":"{san}","zeroing":{zeroing},"conversion":{conversion},{distances},{flags},"category":"{category}"}}"#,
        );
    }
}

impl Line {
    /// Returns the line as one line of JSON, with the fields of lichess's tablebase server: `dtz`, `precise_dtz` (null if unknown);
    /// `mainline`, each move with `uci`, `san`, `dtz` and `precise_dtz`, which are the opponent's as in [`Moves::to_json`]; and
    /// `winner`, `w` or `b` if the line ends with mate, else null.
    pub fn to_json(&self) -> String {
        let step = |played: &Move| {
            let Move { uci, san, dtz, .. } = played;
            let dtz = -dtz.unwrap_or(0);
            format!(r#"{{"uci":"{uci}","san":"{san}","dtz":{dtz},"precise_dtz":{dtz}}}"#)
        };
        let moves = self.moves.iter().map(step).collect::<Vec<_>>().join(",");
        let dtz = self.dtz.map_or("null".into(), |plies| plies.to_string());
        let winner = match (self.end, (self.turn == Color::White) == (self.moves.len() % 2 == 1)) {
            (LineEnd::Mate, true) => r#""w""#,
            (LineEnd::Mate, false) => r#""b""#,
            _ => "null",
        };
        format!(r#"{{"dtz":{dtz},"precise_dtz":{dtz},"mainline":[{moves}],"winner":{winner}}}"#)
    }
}

fn flags([check, checkmate, stalemate, insufficient_material]: [bool; 4]) -> String {
    format!(
        r#""check":{check},"checkmate":{checkmate},"stalemate":{stalemate},"variant_win":false,"variant_loss":false,"insufficient_material":{insufficient_material}"#
    )
}
