//! The exhaustive check: the clauses give the table's value on every legal position.

use crate::error::{Error, ErrorKind, Result};
use crate::position::{Position, Symmetry};
use crate::probe;
use crate::retrograde::Table;
use rayon::prelude::*;

/// Which of a canonical position's images are probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetries {
    /// The canonical position alone, for each side to move (with colours exchanged where the material is symmetric).
    One,
    /// Its image under every symmetry of the board: every legal position of the full board.
    All,
}

/// Slots of the table that one task checks.
const SLICE: u64 = 1 << 14;

/// Probes `clauses` on every legal position of `table`, both sides to move, and returns the number of probes.
///
/// # Errors
/// [`ErrorKind::Mismatch`] with an example position when a value differs.
pub fn verify(clauses: &probe::Table, table: &Table, symmetries: Symmetries) -> Result<u64> {
    let material = table.material();
    let images: &[Symmetry] = match symmetries {
        Symmetries::One => &[Symmetry::IDENTITY],
        Symmetries::All if material.has_pawns() => &Symmetry::WITH_PAWNS,
        Symmetries::All => &Symmetry::ALL,
    };
    let slots = table.index().len();
    let mut probes = 0;
    for &turn in material.stored_turns() {
        probes += (0..slots.div_ceil(SLICE))
            .into_par_iter()
            .map(|slice| {
                let range = slice * SLICE..slots.min((slice + 1) * SLICE);
                let mut probes = 0;
                for (position, outcome) in table.positions_in(turn, range) {
                    let mut check = |position: &Position| {
                        let found = clauses.probe_unchecked(position)?;
                        probes += 1;
                        if found == outcome {
                            return Ok(());
                        }
                        let fen = position.to_fen();
                        let message = format!("{material}: the clauses say {found}, the table {outcome}: {fen}");
                        Err(Error::new(ErrorKind::Mismatch, message))
                    };
                    for &symmetry in images {
                        let image = position.transformed(symmetry);
                        check(&image)?;
                        if material.is_symmetric() {
                            check(&image.colors_exchanged())?;
                        }
                    }
                }
                Ok(probes)
            })
            .sum::<Result<u64>>()?;
    }
    Ok(probes)
}
