//! Outcomes as numbers.

use cubebase::Wdl;

/// The number that python-chess has for an outcome.
pub fn number(outcome: Wdl) -> i8 {
    2 * (outcome.index() as i8 - 1)
}
