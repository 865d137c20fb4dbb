//! The exhaustive check that the clauses have the table's value on every legal position.

use super::tally::Tally;
use crate::chess::position::{Position, Symmetry, Wdl};
use crate::chess::retrograde::Table;
use crate::error::{Error, ErrorKind, Result};
use crate::probe::Prober;
use espresso::Monitor;
use rayon::prelude::*;

/// The images of a canonical position that are probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetries {
    /// Only the canonical position, for each side to move (with colours exchanged if the material is symmetric).
    One,
    /// Its images under all symmetries of the board: all legal positions of the full board.
    All,
}

/// The slots of the table that one task checks.
const SLICE: u64 = 1 << 14;

/// Probes `clauses` on every legal position of `table` for both sides to move. Returns the number of probes.
///
/// # Errors
/// [`ErrorKind::Mismatch`] with an example if a value differs; [`ErrorKind::Cancelled`] if `progress` breaks.
pub fn verify(clauses: &Prober, table: &Table, symmetries: Symmetries, progress: Monitor<'_>) -> Result<u64> {
    verify_answers("the clauses", |position| clauses.probe_unchecked(position), table, symmetries, progress)
}

/// Compares `answer` with `table` on every legal position, from several threads. Returns the number of calls of `answer`. `who`
/// names the source of the answers in errors.
///
/// # Errors
/// Those of `answer`, and those of [`verify`].
pub fn verify_answers(
    who: &str,
    answer: impl Fn(&Position) -> Result<Wdl> + Sync,
    table: &Table,
    symmetries: Symmetries,
    progress: Monitor<'_>,
) -> Result<u64> {
    let material = table.material();
    let images: &[Symmetry] = match symmetries {
        Symmetries::One => &[Symmetry::IDENTITY],
        Symmetries::All if material.has_pawns() => &Symmetry::WITH_PAWNS,
        Symmetries::All => &Symmetry::ALL,
    };
    let slots = table.index().len();
    let turns = material.stored_turns();
    let tally = Tally::new(progress, "checking", slots * turns.len() as u64, "slots");
    let mut probes = 0;
    for &turn in turns {
        probes += (0..slots.div_ceil(SLICE))
            .into_par_iter()
            .map(|slice| {
                let range = slice * SLICE..slots.min((slice + 1) * SLICE);
                let size = range.end - range.start;
                let mut probes = 0;
                let mut check = |image: &Position, outcome| {
                    let found = answer(image)?;
                    probes += 1;
                    if found == outcome {
                        return Ok(());
                    }
                    let fen = image.to_fen();
                    let message = format!("{material}: {who} say {found}, the table {outcome}: {fen}");
                    Err(Error::new(ErrorKind::Mismatch, message))
                };
                for (position, outcome) in table.positions_in(turn, range) {
                    if images.len() == 1 && !material.is_symmetric() {
                        check(&position, outcome)?;
                    } else {
                        distinct_images(&position, images).try_for_each(|image| check(&image, outcome))?;
                    }
                }
                tally.add(size)?;
                Ok(probes)
            })
            .sum::<Result<u64>>()?;
    }
    Ok(probes)
}

/// Returns the distinct images of `position` under `symmetries`, if the material is symmetric also with the colours exchanged.
fn distinct_images(position: &Position, symmetries: &[Symmetry]) -> impl Iterator<Item = Position> + use<> {
    let mut images = Vec::with_capacity(2 * symmetries.len());
    for &symmetry in symmetries {
        let image = position.transformed(symmetry);
        let exchanged = position.material().is_symmetric().then(|| image.colors_exchanged());
        for mut image in std::iter::once(image).chain(exchanged) {
            image.sort();
            if !images.contains(&image) {
                images.push(image);
            }
        }
    }
    images.into_iter()
}
