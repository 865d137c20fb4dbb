//! Outcomes as numbers.

use cubebase::Wdl;

/// The number of an outcome in python-chess.
pub fn number(outcome: Wdl) -> i8 {
    2 * (outcome.index() as i8 - 1)
}
