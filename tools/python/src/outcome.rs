//! Outcomes as numbers.

use cubebase::{ErrorKind, Position, Tables, Wdl};

/// The number of an outcome in python-chess.
pub fn number(outcome: Wdl) -> i8 {
    2 * (outcome.index() as i8 - 1)
}

/// The number of an outcome under the 50-move rule with a counter of zero: 1 for a cursed win, -1 for a blessed loss. It is [`number`]
/// if neither the file of outcomes nor that of distances knows the rule.
///
/// # Errors
/// Those of [`Tables::wdl50`], but for a missing table.
#[cold]
pub fn ruled_number(outcome: Wdl, position: &Position, tables: &Tables) -> cubebase::Result<i8> {
    match tables.wdl50(position, 0) {
        Ok(ruled) => Ok(ruled.index() as i8 - 2),
        Err(error) if matches!(error.kind(), ErrorKind::MissingTable | ErrorKind::MissingRights) => {
            Ok(number(outcome))
        }
        Err(error) => Err(error),
    }
}
