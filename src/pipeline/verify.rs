//! The exhaustive check that the clauses have the table's value on every legal position.

use super::stages::StageProgress;
use crate::chess::position::{Color, Material, Position, Symmetry, Wdl};
use crate::chess::retrograde::Chess;
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::Wdl50;
use crate::probe::Prober;
use crate::retrograde::Metric;
use crate::retrograde::rules::Rules;
use crate::retrograde::table::Table;
use espresso::Monitor;
use rayon::prelude::*;
use std::fmt::Display;

/// The images of a canonical position that are probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetries {
    /// Only the canonical position, for each side to move (with colours exchanged if the material is symmetric).
    One,
    /// Its images under all symmetries of the board: all legal positions of the full board.
    All,
}

impl Symmetries {
    /// The symmetries of the board for positions of `material`.
    pub(super) fn of(self, material: &Material) -> &'static [Symmetry] {
        match self {
            Symmetries::One => &[Symmetry::IDENTITY],
            Symmetries::All if material.has_pawns() => &Symmetry::WITH_PAWNS,
            Symmetries::All => &Symmetry::ALL,
        }
    }
}

/// The slots of the table that one task checks.
const SLICE: u64 = 1 << 14;

/// Probes `clauses` on every canonical position of `table`, or on all its images, for both sides to move. Returns the number of
/// probes. The outcomes are those under the 50-move rule if the clauses know them and the table has distances to zeroing.
///
/// # Errors
/// [`ErrorKind::Mismatch`] with an example if a value differs; [`ErrorKind::Cancelled`] if `progress` breaks.
pub fn verify(
    clauses: &Prober,
    table: &Table<Chess>,
    symmetries: Symmetries,
    progress: Monitor<'_>,
) -> Result<u64> {
    if table.metric() != Metric::Dtz || !clauses.knows_rule() {
        let answer = |position: &Position| clauses.probe_unchecked(position);
        return verify_answers("the clauses", answer, table, symmetries, progress);
    }
    let ruled = |turn, slot, outcome| Wdl50::new(outcome, table.distance_in(turn, slot));
    compare(
        "the clauses",
        |position| clauses.probe_wdl50_unchecked(position),
        ruled,
        table,
        symmetries,
        progress,
    )
}

/// Compares `answer` with `table` on the positions of [`verify`], from several threads. Returns the number of calls of `answer`.
/// `who` names the source of the answers in errors.
///
/// # Errors
/// Those of `answer`, and those of [`verify`].
pub fn verify_answers(
    who: &str,
    answer: impl Fn(&Position) -> Result<Wdl> + Sync,
    table: &Table<Chess>,
    symmetries: Symmetries,
    progress: Monitor<'_>,
) -> Result<u64> {
    compare(who, answer, |_, _, outcome| outcome, table, symmetries, progress)
}

/// [`verify_answers`] with the value that `expected` returns for the side to move, the slot and the outcome of a canonical position.
fn compare<V: PartialEq + Copy + Display>(
    who: &str,
    answer: impl Fn(&Position) -> Result<V> + Sync,
    expected: impl Fn(Color, u64, Wdl) -> V + Sync,
    table: &Table<Chess>,
    symmetries: Symmetries,
    progress: Monitor<'_>,
) -> Result<u64> {
    let material = table.material();
    let images = symmetries.of(material);
    sum_over(table, progress, |slot, position, outcome| {
        let outcome = expected(position.turn(), slot, outcome);
        let check = |image: &Position| check(who, answer(image)?, outcome, material, || image.to_fen());
        if images.len() == 1 && !material.is_symmetric() {
            return check(position).map(|()| 1);
        }
        distinct_images(position, images).try_fold(0, |probes, image| check(&image).map(|()| probes + 1))
    })
}

/// Calls `check` with the slot of every position of `table`, the position and its outcome, from several threads. Returns the sum of its results.
pub(crate) fn sum_over<G: Rules>(
    table: &Table<G>,
    progress: Monitor<'_>,
    check: impl Fn(u64, &G::Position, Wdl) -> Result<u64> + Sync,
) -> Result<u64> {
    let (slots, turns) = (table.slots(), G::stored_turns(table.material()));
    let checked = StageProgress::new(progress, "checking", slots * turns.len() as u64, "slots");
    let mut probes = 0;
    for &turn in turns {
        let of_slice = |slice: u64| {
            let range = slice * SLICE..slots.min((slice + 1) * SLICE);
            let size = range.end - range.start;
            let positions = table.slots_in(turn, range);
            let probes: Result<u64> =
                positions.map(|(slot, position, outcome)| check(slot, &position, outcome)).sum();
            checked.add(size)?;
            probes
        };
        probes += (0..slots.div_ceil(SLICE)).into_par_iter().map(of_slice).sum::<Result<u64>>()?;
    }
    Ok(probes)
}

/// Checks the answer `found` of `who` against the outcome of a position.
pub(crate) fn check<V: PartialEq + Copy + Display>(
    who: &str,
    found: V,
    outcome: V,
    material: &dyn Display,
    fen: impl FnOnce() -> String,
) -> Result<()> {
    if found == outcome {
        return Ok(());
    }
    let why = format!("{material}: {who} say {found}, the table {outcome}: {}", fen());
    Err(Error::new(ErrorKind::Mismatch, why))
}

/// Returns the distinct images of `position` under `symmetries`; if the material is symmetric, also those with exchanged colours.
pub(super) fn distinct_images(
    position: &Position,
    symmetries: &[Symmetry],
) -> impl Iterator<Item = Position> + use<> {
    let mut images = Vec::with_capacity(2 * symmetries.len());
    for &symmetry in symmetries {
        let image = position.transformed(symmetry);
        let exchanged = position.material().is_symmetric().then(|| image.colors_exchanged());
        for mut image in std::iter::once(image).chain(exchanged) {
            image.sort();
            // The material is the same and takes long to compare; none has castling rights.
            let is_same = |other: &Position| {
                let same_men = other.packed() == image.packed() && other.turn() == image.turn();
                same_men && other.en_passant() == image.en_passant()
            };
            if !images.iter().any(is_same) {
                images.push(image);
            }
        }
    }
    images.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::Square;
    use crate::chess::retrograde::Store;
    use std::collections::HashSet;
    use std::sync::Mutex;

    /// Of all placements of the men, both sides to move. The materials have no en-passant files.
    #[test]
    fn each_legal_position_is_asked_once() {
        for name in ["KvK", "KPvK"] {
            let table = Store::new(None).get(&name.parse().unwrap()).unwrap();
            let material = table.material();
            let asked = Mutex::new(HashSet::new());
            let answer = |position: &Position| {
                assert!(
                    asked.lock().unwrap().insert(position.to_fen()),
                    "{name}: {} again",
                    position.to_fen()
                );
                table.wdl(position)
            };
            let probes = verify_answers("they", answer, &table, Symmetries::All, Monitor::default()).unwrap();
            let mut legal = 0;
            for placement in 0..2_usize << (6 * material.len()) {
                let turn = if placement % 2 == 0 { Color::White } else { Color::Black };
                let square = |man: usize| Square::new((placement >> (6 * man + 1) & 63) as u8);
                let squares: Vec<Square> = (0..material.len()).map(square).collect();
                let position = Position::new(*material, &squares, turn, None);
                if position.is_legal() {
                    legal += 1;
                    assert!(
                        asked.lock().unwrap().contains(&position.to_fen()),
                        "{name}: {}",
                        position.to_fen()
                    );
                }
            }
            assert_eq!(probes, legal, "{name}");
        }
    }
}
