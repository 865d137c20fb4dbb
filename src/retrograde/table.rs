//! Outcome tables: the outcome of every position of a material, with the distance to mate, conversion or zeroing if wanted.
//!
//! A table has a slot for each number of the material's index and each stored side to move. An outcome takes two bits, a
//! distance one or two bytes.

use super::bits::{Bits, ones};
use super::game::{Game, Numbering};
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::{Color, FIFTY_MOVES, Wdl};
use crate::scratch::Buffer;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::cmp::Reverse;
use std::fmt;
use std::ops::Range;
use std::path::Path;

/// Slots for each byte of outcomes, on average.
pub(super) const SLOTS_PER_BYTE: usize = 4;
/// The slots of one pair of planes, and their bytes.
const PART: usize = 64;
const PART_BYTES: usize = PART / SLOTS_PER_BYTE;

pub(super) const fn word_bytes<B: Bits>() -> usize {
    B::SLOTS / SLOTS_PER_BYTE
}

/// The kind of values that a table stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Metric {
    /// Outcomes only.
    Wdl = 0,
    /// Outcomes, and for wins and losses the distance to mate in plies with best play of both sides.
    Dtm = 1,
    /// Outcomes, and for wins and losses the distance in plies to mate or to the first capture or promotion, that move
    /// included. The winner minimizes the distance, and the loser maximizes it.
    Dtc = 2,
    /// Outcomes, and for wins and losses the distance in plies to mate or to the first capture or pawn move, that move
    /// included, as Syzygy counts it. If it is above 100, the outcome is a draw under the 50-move rule
    /// ([`Wdl50`](crate::outcome::Wdl50)). Only for chess.
    Dtz = 3,
}

impl Metric {
    /// All metrics, by their number in files.
    pub const ALL: [Metric; 4] = [Metric::Wdl, Metric::Dtm, Metric::Dtc, Metric::Dtz];

    /// `wdl`, `dtm`, `dtc` or `dtz`: its name and the extension of its files.
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Wdl => "wdl",
            Metric::Dtm => "dtm",
            Metric::Dtc => "dtc",
            Metric::Dtz => "dtz",
        }
    }

    /// Checks that the game has distances to zeroing, if this metric needs them.
    pub(super) fn check<G: Game>(self) -> Result<()> {
        if self == Metric::Dtz && !G::HAS_FIFTY_MOVE_RULE {
            let why = "distances to zeroing (dtz) are for chess alone";
            return Err(Error::new(ErrorKind::UnsupportedPosition, why));
        }
        Ok(())
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Distances in plies, one for each slot; 0 without a distance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Distances {
    /// The bytes of a distance, little-endian: 1 or 2, or 0 if no distances are stored.
    pub(crate) width: u8,
    pub(crate) bytes: Buffer,
}

impl Distances {
    /// Returns `plies` in the least width that fits, in memory or in a scratch file.
    pub(super) fn narrowed(plies: &[u16], scratch: Option<&Path>) -> Result<Self> {
        let width = if plies.par_iter().all(|&ply| ply < 256) { 1 } else { 2 };
        let mut bytes = Buffer::new(usize::from(width) * plies.len(), scratch)?;
        if width == 1 {
            bytes.par_iter_mut().zip(plies).for_each(|(byte, &ply)| *byte = ply as u8);
        } else {
            let (words, _) = bytes.as_chunks_mut();
            words.par_iter_mut().zip(plies).for_each(|(word, &ply)| *word = ply.to_le_bytes());
        }
        Ok(Distances { width, bytes })
    }

    pub(crate) fn get(&self, slot: usize) -> Option<u32> {
        distance_in(&self.bytes, self.width, slot)
    }
}

/// The distance in slot number `slot` of bytes with the layout of [`Distances`].
pub(super) fn distance_in(bytes: &[u8], width: u8, slot: usize) -> Option<u32> {
    match width {
        1 => bytes.get(slot).map(|&plies| plies.into()),
        _ => bytes.as_chunks().0.get(slot).map(|&plies| u16::from_le_bytes(plies).into()),
    }
}

/// The values of one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    /// Two planes of eight bytes for each word of 64 slots: the low bits of [`Wdl::index`], then the high bits. Both bits of a
    /// slot without a position are set.
    pub(crate) outcomes: Buffer,
    pub(crate) distances: Distances,
}

impl Side {
    /// The losses, draws and wins of word number `word` as bits; none beyond the last word.
    #[inline]
    pub(crate) fn word<B: Bits>(&self, word: u64) -> [B; 3] {
        let bytes = self.outcomes.get(word as usize * word_bytes::<B>()..).unwrap_or_default();
        let plane = |at: usize| {
            bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(u64::MAX, |&plane| u64::from_le_bytes(plane))
        };
        let [low, high] = [0, 8].map(|at| B::from_parts(|part| plane(part * PART_BYTES + at)));
        [!low & !high, low & !high, high & !low]
    }

    pub(crate) fn outcome(&self, slot: u64) -> Option<Wdl> {
        outcome_in(&self.outcomes, slot)
    }

    fn counts(&self) -> [u64; 3] {
        let mut counts = [0; 3];
        for part in 0..self.outcomes.len() / PART_BYTES {
            for (count, bits) in counts.iter_mut().zip(self.word::<u64>(part as u64)) {
                *count += u64::from(bits.count_ones());
            }
        }
        counts
    }
}

/// The outcome in a slot of the word for which [`Side::word`] returned `outcomes`.
#[inline]
pub(crate) fn outcome_of<B: Bits>(outcomes: &[B; 3], slot: usize) -> Option<Wdl> {
    Wdl::ALL.into_iter().find(|outcome| outcomes[outcome.index()].has(slot))
}

/// Writes the bytes of a word with these outcomes: the inverse of [`Side::word`].
pub(crate) fn write_word<B: Bits>(bytes: &mut [u8], [losses, draws, wins]: [B; 3]) {
    let none = !(losses | draws | wins);
    for (part, bytes) in bytes.as_chunks_mut::<PART_BYTES>().0.iter_mut().enumerate() {
        bytes[..8].copy_from_slice(&(draws | none).part(part).to_le_bytes());
        bytes[8..].copy_from_slice(&(wins | none).part(part).to_le_bytes());
    }
}

/// The outcome in slot number `slot` of bytes with the layout of [`Side::outcomes`].
pub(super) fn outcome_in(outcomes: &[u8], slot: u64) -> Option<Wdl> {
    let (part, bit) = (slot as usize / PART, slot as usize % PART);
    let [low, high] = [0, 8]
        .map(|plane| outcomes.get(part * PART_BYTES + plane + bit / 8).map(|byte| byte >> (bit % 8) & 1));
    Wdl::ALL.get(usize::from(low? | high? << 1)).copied()
}

/// The outcomes of all positions of a material. See the [module](self).
///
/// Immutable, `Send` and `Sync`. Two tables are equal if they store the same values.
#[derive(Clone, PartialEq, Eq)]
pub struct Table<G: Game> {
    index: G::Index,
    metric: Metric,
    /// By [`Game::stored_turns`].
    sides: Vec<Side>,
    counts: Vec<[u64; 3]>,
    hash: [u8; 8],
}

impl<G: Game> Table<G> {
    /// Returns the table with these sides, which must fit `index` and `metric`.
    pub(crate) fn from_sides(index: G::Index, metric: Metric, sides: Vec<Side>) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(index.material().to_string());
        for side in &sides {
            hasher.update(&*side.outcomes);
        }
        let digest = hasher.finalize();
        let mut hash = [0; 8];
        hash.copy_from_slice(&digest[..8]);
        let counts = sides.iter().map(Side::counts).collect();
        Table { index, metric, sides, counts, hash }
    }

    pub(crate) fn sides(&self) -> &[Side] {
        &self.sides
    }

    /// The side with `turn` to move, if it is stored.
    pub(crate) fn side(&self, turn: Color) -> Option<&Side> {
        self.sides.get(turn.index())
    }

    /// The slots of each stored side to move.
    pub fn slots(&self) -> u64 {
        self.index.words() * G::Bits::SLOTS as u64
    }

    /// The material.
    pub fn material(&self) -> &G::Material {
        self.index.material()
    }

    /// The distances stored beside the outcomes.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The numbering of the slots.
    pub fn index(&self) -> &G::Index {
        &self.index
    }

    /// The numbers of losses, draws and wins among the stored positions with `turn` to move, in chess the canonical ones; zeros
    /// for a turn that is not [stored](Game::stored_turns).
    pub fn counts(&self, turn: Color) -> [u64; 3] {
        self.counts.get(turn.index()).copied().unwrap_or_default()
    }

    /// The number of positions among those of [`Table::counts`] that are won or lost, and drawn under the 50-move rule; 0 if no
    /// distances to zeroing are stored.
    pub fn drawn_by_rule(&self, turn: Color) -> u64 {
        let Some(Side { distances, .. }) = self.side(turn).filter(|_| self.metric == Metric::Dtz) else {
            return 0;
        };
        let is_drawn = |slot: &u64| distances.get(*slot as usize).is_some_and(|plies| plies > FIFTY_MOVES);
        (0..self.slots()).into_par_iter().filter(is_drawn).count() as u64
    }

    /// The numbers of losses, draws and wins among the stored positions of both sides to move, by [`Wdl::index`].
    pub fn totals(&self) -> [u64; 3] {
        self.counts.iter().fold([0; 3], |sum, counts| std::array::from_fn(|at| sum[at] + counts[at]))
    }

    /// The first eight bytes of SHA-256 over the material's name and the outcomes of all slots (FORMAT.md). Files made from this
    /// table record it as their source. It is the same for every metric, number of threads and machine.
    pub fn hash(&self) -> [u8; 8] {
        self.hash
    }

    /// The outcome of the position in `slot` with `turn` to move; `None` if the slot holds no position or the turn is not stored.
    pub fn outcome(&self, turn: Color, slot: u64) -> Option<Wdl> {
        self.sides.get(turn.index())?.outcome(slot)
    }

    /// The distance of the position in `slot` with `turn` to move, 0 without one.
    pub(crate) fn distance_in(&self, turn: Color, slot: u64) -> u32 {
        self.sides.get(turn.index()).and_then(|side| side.distances.get(slot as usize)).unwrap_or(0)
    }

    /// The outcome of a legal position of this material, canonical or not, for its side to move, and its distance, 0 without
    /// one. For an illegal position the result is unspecified.
    pub(crate) fn value_and_distance(&self, position: &G::Position) -> Option<(Wdl, u32)> {
        let (turn, slot) = self.index.rank_any(position);
        let side = self.sides.get(turn.index())?;
        Some((side.outcome(slot)?, side.distances.get(slot as usize).unwrap_or(0)))
    }

    /// Returns the outcome of `position`, canonical or not, for its side to move.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTable`] if the position is of another material, [`ErrorKind::IllegalPosition`] if it is illegal.
    ///
    /// # Example
    /// ```
    /// use cubebase::position::{Color, Position, Square};
    /// use cubebase::{Wdl, chess::retrograde::Store};
    ///
    /// let material = "KQvK".parse()?;
    /// let table = Store::new(None).get(&material)?;
    /// let squares = ["e1", "e8", "d1"].map(|name| Square::parse(name).unwrap());
    /// let position = Position::new(material, &squares, Color::Black, None);
    /// assert_eq!(table.wdl(&position)?, Wdl::Loss);
    /// # Ok::<(), cubebase::Error>(())
    /// ```
    pub fn wdl(&self, position: &G::Position) -> Result<Wdl> {
        self.index.check(position)?;
        self.wdl_of_legal(position)
    }

    /// [`Table::wdl`] of a position that the caller knows to be legal and of this material.
    pub(crate) fn wdl_of_legal(&self, position: &G::Position) -> Result<Wdl> {
        let (turn, slot) = self.index.rank_any(position);
        self.outcome(turn, slot).ok_or_else(|| self.no_value())
    }

    /// Returns the distance of `position` in plies, by [`Table::metric`]; `None` for a draw.
    ///
    /// # Errors
    /// Those of [`Table::wdl`], and [`ErrorKind::MissingTable`] if this table stores no distances.
    pub fn distance(&self, position: &G::Position) -> Result<Option<u32>> {
        self.index.check(position)?;
        if self.metric == Metric::Wdl {
            let why = format!("this table of {} stores no distances", self.material());
            return Err(Error::new(ErrorKind::MissingTable, why));
        }
        let (wdl, plies) = self.value_and_distance(position).ok_or_else(|| self.no_value())?;
        Ok((wdl != Wdl::Draw).then_some(plies))
    }

    /// Iterates over the stored positions with `turn` to move, in chess the canonical ones, by slot, each with its outcome.
    pub fn positions(&self, turn: Color) -> impl Iterator<Item = (G::Position, Wdl)> + '_ {
        self.positions_in(turn, 0..self.slots())
    }

    /// As [`Table::positions`], for a range of the [`Table::slots`], so that threads can divide them.
    pub fn positions_in(
        &self,
        turn: Color,
        slots: Range<u64>,
    ) -> impl Iterator<Item = (G::Position, Wdl)> + '_ {
        self.slots_in(turn, slots).map(|(_, position, outcome)| (position, outcome))
    }

    /// As [`Table::positions_in`], each with its slot.
    pub(crate) fn slots_in(
        &self,
        turn: Color,
        slots: Range<u64>,
    ) -> impl Iterator<Item = (u64, G::Position, Wdl)> + '_ {
        let side = self.sides.get(turn.index());
        let slots = slots.start..slots.end.min(self.slots());
        let of_word = G::Bits::SLOTS as u64;
        let words = slots.start / of_word..slots.end.div_ceil(of_word).max(slots.start / of_word);
        side.into_iter().flat_map(move |side| {
            let (words, slots) = (words.clone(), slots.clone());
            words.flat_map(move |word| {
                let outcomes = side.word::<G::Bits>(word);
                let all = outcomes[0] | outcomes[1] | outcomes[2];
                let men = (all != G::Bits::NONE).then(|| self.index.men(turn, word));
                let slots = slots.clone();
                ones(all)
                    .map(move |bit| (bit, word * of_word + bit as u64))
                    .filter(move |(_, slot)| slots.contains(slot))
                    .filter_map(move |(bit, slot)| {
                        Some((slot, self.index.placed(turn, &men?, slot), outcome_of(&outcomes, bit)?))
                    })
            })
        })
    }

    /// Returns the longest distance in plies and the first position that has it, White to move before Black. `None` if no
    /// distances are stored or every position is a draw.
    pub fn longest(&self) -> Option<(u32, G::Position)> {
        let of_side = |number: usize| {
            let side = &self.sides[number];
            let of_slot = |slot: u64| {
                let plies = side.distances.get(slot as usize)?;
                let is_decided = plies > 0 || side.outcome(slot) == Some(Wdl::Loss);
                is_decided.then_some((plies, Reverse((number, slot))))
            };
            (0..self.slots()).into_par_iter().filter_map(of_slot).max()
        };
        let (plies, Reverse((number, slot))) = (0..self.sides.len()).filter_map(of_side).max()?;
        let turn = G::stored_turns(self.material())[number];
        Some((plies, position_in::<G>(&self.index, turn, slot)))
    }

    fn no_value(&self) -> Error {
        let why = format!("the table of {} has no value for a legal position", self.material());
        Error::new(ErrorKind::Internal, why)
    }
}

/// The position in slot number `slot`. For an empty slot, the result is illegal or belongs in another slot.
pub(super) fn position_in<G: Game>(index: &G::Index, turn: Color, slot: u64) -> G::Position {
    index.placed(turn, &index.men(turn, slot / G::Bits::SLOTS as u64), slot)
}

impl<G: Game> fmt::Debug for Table<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({}, {}, {:?})", self.material(), self.metric, self.counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::retrograde::{Chess, Store};

    /// Ranges that do not begin or end at a word, or exceed the table.
    #[test]
    fn positions_of_a_range_are_those_of_its_slots() {
        for signature in ["KPvK", "KPvKP"] {
            let table = Store::new(None).get(&signature.parse().unwrap()).unwrap();
            let len = table.index().len();
            for range in [
                0..len.min(40_000),
                1..77,
                130..131,
                5_003..9_999,
                len - 70..len + 9,
                len..len + 1,
                len + 99..len + 200,
            ] {
                let expected = range.clone().take_while(|&slot| slot < len).filter_map(|slot| {
                    let outcome = table.outcome(Color::White, slot)?;
                    Some((position_in::<Chess>(table.index(), Color::White, slot), outcome))
                });
                assert!(
                    table.positions_in(Color::White, range.clone()).eq(expected),
                    "{signature} {range:?}"
                );
            }
        }
    }
}
