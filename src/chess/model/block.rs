//! The values of a variable for a block of positions, if the variable depends only on the squares of up to three men.
//!
//! The formula is the same as for a single position. The squares of a man in [`Block::ROWS`] positions are an array of bytes, so
//! that the compiler generates vector instructions.

#![cfg_attr(not(feature = "build"), allow(dead_code, reason = "only making tables needs blocks"))]

use super::frozen::offset::OffsetFamily;
use super::frozen::view::View;
use crate::chess::position::{MAX_MEN, PackedSquares, Square};

/// The formula of a family of variables that depend only on the squares of up to three men.
pub(super) trait OfSquares {
    fn value(a: Square, b: Square, c: Square) -> u8;
}

/// The value for one position.
pub(super) fn value<F: OfSquares>(view: &View<'_>, men: [usize; 3]) -> u8 {
    let [a, b, c] = men.map(|man| view.square(man));
    F::value(a, b, c)
}

/// A function that writes the values of one variable for the positions of a block.
pub(super) type BlockFormula = fn(&Block, [usize; 3], &mut [u8; Block::ROWS]);

/// Writes the values of one variable for the positions of a block.
pub(super) fn values<F: OfSquares>(block: &Block, men: [usize; 3], values: &mut [u8; Block::ROWS]) {
    let [a, b, c] = men.map(|man| &block.squares[man % MAX_MEN]);
    for (row, value) in values.iter_mut().enumerate() {
        *value = F::value(a[row], b[row], c[row]);
    }
}

/// Positions of one material: the squares of each man.
#[derive(Clone, Debug)]
pub(super) struct Block {
    squares: [[Square; Block::ROWS]; MAX_MEN],
}

impl Default for Block {
    fn default() -> Self {
        Block { squares: [[Square::at(0, 0); Block::ROWS]; MAX_MEN] }
    }
}

impl Block {
    /// The number of positions in a block.
    pub(super) const ROWS: usize = 64;

    /// Replaces the positions by the first [`Block::ROWS`] of `positions`. If there are fewer, the last rows are unspecified.
    pub(super) fn fill(&mut self, positions: impl Iterator<Item = PackedSquares>) {
        for (row, squares) in positions.take(Self::ROWS).enumerate() {
            for (man, square) in self.squares.iter_mut().zip(squares.squares()) {
                man[row] = square;
            }
        }
    }

    /// Writes the values of the variable with these [`OffsetFamily::digits`].
    pub(super) fn by_offset(&self, [family, first, second]: [usize; 3], values: &mut [u8; Self::ROWS]) {
        let to = &self.squares[second % MAX_MEN];
        let from =
            if first == second { &[Square::at(0, 0); Self::ROWS] } else { &self.squares[first % MAX_MEN] };
        // One loop for each family, in which the family is a constant.
        macro_rules! for_each_family {
            ($($family:ident),*) => {
                $(if family == OffsetFamily::$family as usize {
                    for (row, value) in values.iter_mut().enumerate() {
                        let (from, to) = (from[row], to[row]);
                        *value = OffsetFamily::$family
                            .value(7 + to.file() - from.file(), 7 + to.rank() - from.rank());
                    }
                })*
            };
        }
        for_each_family!(File, Rank, Larger, Smaller, Excess, Files, Ranks, Taxi);
    }
}
