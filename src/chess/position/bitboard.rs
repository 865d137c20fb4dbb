//! Sets of squares.

use super::square::Square;
use alloc::string::ToString;
use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A set of squares: bit [`Square::index`] stands for the square.
///
/// # Example
/// ```
/// use cubebase::position::{Bitboard, Square, attacks};
///
/// let [a1, c2, b3] = ["a1", "c2", "b3"].map(|name| Square::parse(name).unwrap());
/// let attacked = attacks::knight(a1);
/// assert!(attacked.contains(b3) && attacked.len() == 2);
/// assert_eq!(attacked.into_iter().next(), Some(c2));
/// assert_eq!(attacked & !Bitboard::from(b3), Bitboard::from(c2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All squares.
    pub const ALL: Bitboard = Bitboard(u64::MAX);

    /// Whether it holds no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of squares.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether `square` is in it.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// The squares of higher number than `square`.
    #[inline]
    pub(crate) const fn above(square: Square) -> Self {
        Bitboard((u64::MAX << 1) << square.index())
    }
}

impl From<u64> for Bitboard {
    #[inline]
    fn from(bits: u64) -> Self {
        Bitboard(bits)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Bitboard(1 << square.index())
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Bitboard::EMPTY, |all, square| all | square)
    }
}

impl<T: Into<Bitboard>> BitOr<T> for Bitboard {
    type Output = Self;

    #[inline]
    fn bitor(self, other: T) -> Self {
        Bitboard(self.0 | other.into().0)
    }
}

impl<T: Into<Bitboard>> BitOrAssign<T> for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: T) {
        *self = *self | other;
    }
}

impl BitAnd for Bitboard {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Bitboard(self.0 & other.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Bitboard(!self.0)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    /// The squares, ascending.
    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a [`Bitboard`], ascending.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let left = self.0.0;
        self.0 = Bitboard(left & left.wrapping_sub(1));
        (left != 0).then(|| Square::new(left.trailing_zeros() as u8))
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.into_iter().map(|square| square.to_string())).finish()
    }
}
