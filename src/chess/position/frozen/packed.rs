//! The squares of all men in one word, on which symmetries act at once.
//!
//! Every probe computes a canonical form. In a word, an image takes a dozen instructions whatever the number of men, and
//! two images compare as numbers.

use super::super::material::MAX_MEN;
use super::super::square::{Square, Symmetry};

/// The squares of up to eight men: byte n is the square of man n. Bytes without a man are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct PackedSquares(u64);

const _: () = assert!(MAX_MEN == 8);

/// The bits of the files, and of the ranks.
const FILES: u64 = 0x0707_0707_0707_0707;
const RANKS: u64 = FILES << 3;

impl PackedSquares {
    /// The squares of `men` men; the others are 0.
    #[inline]
    pub(in crate::chess::position) fn new(squares: [Square; MAX_MEN], men: usize) -> Self {
        PackedSquares(u64::from_le_bytes(squares.map(|square| square.index() as u8)) & used(men))
    }

    /// The squares in the bytes of a word.
    #[inline]
    pub(crate) fn of_bytes(word: u64) -> Self {
        PackedSquares(word & (FILES | RANKS))
    }

    /// A word with the squares in its bytes.
    #[inline]
    pub(crate) fn bytes(self) -> u64 {
        self.0
    }

    #[inline]
    pub(crate) fn squares(self) -> [Square; MAX_MEN] {
        self.0.to_le_bytes().map(Square::new)
    }

    #[inline]
    pub(crate) fn square(self, man: usize) -> Square {
        Square::new((self.0 >> (8 * (man % MAX_MEN))) as u8)
    }

    /// The squares of `men` men, the ranks mirrored if `mirrors`.
    #[inline]
    pub(crate) fn mirrored_if(self, mirrors: bool, men: usize) -> Self {
        PackedSquares(self.0 ^ (RANKS * u64::from(mirrors)) & used(men))
    }

    /// The images of the squares of `men` men.
    #[inline]
    pub(in crate::chess::position) fn image(self, symmetry: Symmetry, men: usize) -> Self {
        // Without branches: the processor cannot predict the symmetry.
        let PackedSquares(squares) = self;
        let number = u64::from(symmetry.0);
        let transposed = (squares & FILES) << 3 | squares >> 3 & FILES;
        let transposes = (number >> 2).wrapping_neg();
        let mirrors = (FILES * (number & 1)) | (RANKS * (number >> 1 & 1));
        PackedSquares((squares ^ (squares ^ transposed) & transposes ^ mirrors) & used(men))
    }

    /// The squares of `men` men of a symmetric material with the colours exchanged: the men in each other's place, the
    /// ranks mirrored.
    #[inline]
    pub(crate) fn colors_exchanged(self, men: usize) -> Self {
        let side = 8 * (men - 2) / 2;
        let PackedSquares(squares) = self;
        let kings = squares >> 8 & 0xff | (squares & 0xff) << 8;
        let others = squares >> 16;
        let one_side = !(u64::MAX << side);
        let others = others >> side & one_side | (others & one_side) << side;
        PackedSquares((kings | others << 16) ^ RANKS & used(men))
    }

    /// The squares of identical men in ascending order. Bit n of `repeats` is set if man n is identical to man n - 1.
    #[inline]
    pub(in crate::chess::position) fn sorted(self, repeats: u8) -> Self {
        if repeats == 0 {
            return self;
        }
        let mut bytes = self.0.to_le_bytes();
        for end in 1..MAX_MEN {
            let mut man = end;
            while repeats >> man & 1 != 0 && bytes[man - 1] > bytes[man] {
                bytes.swap(man - 1, man);
                man -= 1;
            }
        }
        PackedSquares(u64::from_le_bytes(bytes))
    }

    /// A sort key: the squares of the men in `anchor`, then the squares of all men.
    #[inline]
    pub(in crate::chess::position) fn key(self, anchor: &core::ops::Range<usize>) -> (u64, u64) {
        let all = self.0.swap_bytes();
        (all << (8 * anchor.start) >> (64 - 8 * anchor.len()), all)
    }
}

/// The mask of the bytes of `men` men, 1 to 8.
#[inline]
const fn used(men: usize) -> u64 {
    u64::MAX >> (64 - 8 * men)
}
