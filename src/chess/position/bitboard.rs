//! Sets of squares.

use super::square::Square;
use crate::bit_set::bit_set;

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

bit_set!(Bitboard(u64), Square = Square::new, Squares);
