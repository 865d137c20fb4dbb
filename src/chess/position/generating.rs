//! Operations that only the generator needs: images of bitboards, steps of pawns, castling rights after a move.

use super::bitboard::Bitboard;
use super::castling::{CastlingRights, KINGS};
use super::square::{Square, Symmetry};
use crate::outcome::Color;

/// The diagonal a1-h8, whose squares the transposition leaves in place.
pub(crate) const DIAGONAL: Bitboard = Bitboard(0x8040_2010_0804_0201);
/// The squares that the transposition takes to a higher number.
pub(crate) const BELOW_DIAGONAL: Bitboard = Bitboard(0x0080_c0e0_f0f8_fcfe);

impl Bitboard {
    /// The images of the squares.
    #[inline]
    pub(crate) const fn image(self, symmetry: Symmetry) -> Self {
        let mut image = self.0;
        if symmetry.0 & 4 != 0 {
            image = transposed(image);
        }
        if symmetry.0 & 1 != 0 {
            image = image.swap_bytes().reverse_bits();
        }
        if symmetry.0 & 2 != 0 {
            image = image.swap_bytes();
        }
        Bitboard(image)
    }
}

/// The bits mirrored at the diagonal a1-h8: squares of bits, smaller at each step, change places across it.
const fn transposed(board: u64) -> u64 {
    let mut image = board;
    let mut swap = (image ^ image >> 28) & 0x0000_0000_f0f0_f0f0;
    image ^= swap ^ swap << 28;
    swap = (image ^ image >> 14) & 0x0000_cccc_0000_cccc;
    image ^= swap ^ swap << 14;
    swap = (image ^ image >> 7) & 0x00aa_00aa_00aa_00aa;
    image ^ swap ^ swap << 7
}

impl Color {
    /// The square one rank ahead of `square` for pawns of this colour; wraps around from the last rank to the first.
    pub(crate) const fn ahead(self, square: Square) -> Square {
        match self {
            Color::White => Square::at(square.file(), square.rank() + 1),
            Color::Black => Square::at(square.file(), square.rank().wrapping_sub(1)),
        }
    }

    /// The rank, 0 to 7, on which pawns of this colour promote.
    pub(crate) const fn promotion_rank(self) -> u8 {
        match self {
            Color::White => 7,
            Color::Black => 0,
        }
    }
}

impl Symmetry {
    /// The symmetry that undoes this one.
    pub(crate) const fn inverse(self) -> Self {
        // A mirror before the transposition is the other mirror after it.
        let exchanged = self.0 & 4 | (self.0 & 1) << 1 | self.0 >> 1 & 1;
        if self.0 & 4 == 0 { self } else { Symmetry(exchanged) }
    }
}

impl CastlingRights {
    /// The squares of the kings and rooks that the rights fix.
    pub(crate) fn homes(self) -> Bitboard {
        self.rooks().flat_map(|(color, rook)| [KINGS[color.index()], rook]).collect()
    }
}
