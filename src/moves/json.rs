//! The answer in the JSON of lichess's tablebase server.

use super::{Move, Moves};
use crate::chess::position::Wdl;
use std::fmt::Write;

/// The distances, none of which is known.
const DISTANCES: &str = r#""dtz":null,"precise_dtz":null,"dtc":null,"dtm":null,"dtw":null"#;

/// The name of an outcome that may be unknown.
fn category(outcome: Option<Wdl>) -> &'static str {
    outcome.map_or("unknown", Wdl::name)
}

impl Moves {
    /// Returns the answer as one line of JSON, with the fields of lichess's tablebase server: `dtz`, `precise_dtz`, `dtc`,
    /// `dtm` and `dtw`, all null, since the tables have no distances; `checkmate`, `stalemate`, `variant_win`,
    /// `variant_loss` (both false), `insufficient_material`; `category`: `win`, `draw`, `loss` or `unknown`; and `moves`,
    /// best first, each with `uci`, `san`, `zeroing`, `conversion` and the same fields. The category of a move is that of the
    /// opponent, who is to move after it: a winning move has `loss`.
    pub fn to_json(&self) -> String {
        let mut json = String::with_capacity(256 + 384 * self.moves.len());
        let flags = flags(self.checkmate, self.stalemate, self.insufficient_material);
        // Writing to a string cannot fail.
        let _ = write!(json, r#"{{{DISTANCES},{flags},"category":"{}","moves":["#, category(self.outcome));
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
        let flags = flags(self.checkmate, self.stalemate, self.insufficient_material);
        let category = category(self.outcome.map(Wdl::other));
        // Writing to a string cannot fail. Neither name has a letter that JSON escapes.
        let _ = write!(
            json,
            r#"{{"uci":"{uci}","san":"{san}","zeroing":{zeroing},"conversion":{conversion},{DISTANCES},{flags},"category":"{category}"}}"#,
        );
    }
}

fn flags(checkmate: bool, stalemate: bool, insufficient_material: bool) -> String {
    format!(
        r#""checkmate":{checkmate},"stalemate":{stalemate},"variant_win":false,"variant_loss":false,"insufficient_material":{insufficient_material}"#
    )
}
