//! The values of a variable for a block of positions, if it depends only on the squares of up to three men.
//!
//! The formula is the same as for a single position. The files and ranks of [`Block::ROWS`] positions are in arrays of bytes, so
//! that the compiler generates vector instructions.

#![cfg_attr(not(feature = "build"), allow(dead_code, reason = "only making tables needs blocks"))]

use super::frozen::offset::OffsetFamily;
use super::frozen::view::View;
use crate::chess::position::{MAX_MEN, PackedSquares};

/// The square of a man.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileRank {
    pub(super) file: u8,
    pub(super) rank: u8,
}

/// The formula of a family of variables that depend only on the squares of up to three men.
pub(super) trait OfSquares {
    fn value(a: FileRank, b: FileRank, c: FileRank) -> u8;
}

/// The value for one position.
pub(super) fn value<F: OfSquares>(view: &View<'_>, men: [usize; 3]) -> u8 {
    let [a, b, c] = men.map(|man| {
        let square = view.square(man);
        FileRank { file: square.file(), rank: square.rank() }
    });
    F::value(a, b, c)
}

/// A function that writes the values of one variable for the positions of a block.
pub(super) type BlockFormula = fn(&Block, [usize; 3], &mut [u8; Block::ROWS]);

/// Writes the values of one variable for the positions of a block.
pub(super) fn values<F: OfSquares>(block: &Block, men: [usize; 3], values: &mut [u8; Block::ROWS]) {
    let [a, b, c] = men.map(|man| &block.men[man % MAX_MEN]);
    for (row, value) in values.iter_mut().enumerate() {
        *value = F::value(a.at(row), b.at(row), c.at(row));
    }
}

/// The squares of one man in the positions of a block.
#[derive(Clone, Copy, Debug)]
struct Squares {
    files: [u8; Block::ROWS],
    ranks: [u8; Block::ROWS],
}

impl Squares {
    const ALL_A1: Self = Squares { files: [0; Block::ROWS], ranks: [0; Block::ROWS] };

    #[inline]
    fn at(&self, row: usize) -> FileRank {
        FileRank { file: self.files[row], rank: self.ranks[row] }
    }
}

/// Positions of one material, man by man.
#[derive(Clone, Debug)]
pub(super) struct Block {
    men: [Squares; MAX_MEN],
}

impl Default for Block {
    fn default() -> Self {
        Block { men: [Squares::ALL_A1; MAX_MEN] }
    }
}

impl Block {
    /// The number of positions in a block.
    pub(super) const ROWS: usize = 64;

    /// Replaces the positions by the first [`Block::ROWS`] of `positions`. If there are fewer, the last rows are unspecified.
    pub(super) fn fill(&mut self, positions: impl Iterator<Item = PackedSquares>) {
        for (row, squares) in positions.take(Self::ROWS).enumerate() {
            for (man, square) in self.men.iter_mut().zip(squares.bytes().to_le_bytes()) {
                (man.files[row], man.ranks[row]) = (square & 7, square >> 3);
            }
        }
    }

    /// Writes the values of the variable with these [`OffsetFamily::digits`].
    pub(super) fn by_offset(&self, [family, first, second]: [usize; 3], values: &mut [u8; Self::ROWS]) {
        let to = &self.men[second % MAX_MEN];
        let from = if first == second { &Squares::ALL_A1 } else { &self.men[first % MAX_MEN] };
        // One loop for each family, in which the family is a constant.
        macro_rules! for_each_family {
            ($($family:ident),*) => {
                $(if family == OffsetFamily::$family as usize {
                    for (row, value) in values.iter_mut().enumerate() {
                        let (from, to) = (from.at(row), to.at(row));
                        *value = OffsetFamily::$family.value(7 + to.file - from.file, 7 + to.rank - from.rank);
                    }
                })*
            };
        }
        for_each_family!(File, Rank, Larger, Smaller, Excess, Files, Ranks, Taxi);
    }
}
