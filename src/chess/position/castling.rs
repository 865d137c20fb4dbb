//! Castling rights of ordinary chess: the king on the e-file, the rooks in the corners.
//!
//! A right fixes the squares of its king and its rook, so that the squares of the few other men give the number of a position
//! with rights. Mirrors and the transposition keep no rights; the exchange of the colours does.

use super::man::{Man, Role};
use super::square::Square;
use crate::outcome::Color;
use alloc::string::String;
use core::fmt;

/// A set of castling rights. Bit 0 is White's right on the king's side, bit 1 White's on the queen's side, bits 2 and 3 are
/// Black's: the order of the letters `KQkq`, and the bits of Fathom.
///
/// # Example
/// ```
/// use cubebase::position::CastlingRights;
///
/// let rights = CastlingRights::from_bits(9).unwrap();
/// assert_eq!(rights.to_string(), "Kq");
/// assert_eq!(CastlingRights::NONE.to_string(), "-");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CastlingRights(u8);

/// The square of the rook of each right, by its bit.
pub(super) const ROOKS: [Square; 4] =
    [Square::at(7, 0), Square::at(0, 0), Square::at(7, 7), Square::at(0, 7)];

/// The square of the king of each colour.
pub(super) const KINGS: [Square; 2] = [Square::at(4, 0), Square::at(4, 7)];

impl CastlingRights {
    /// No right.
    pub const NONE: Self = CastlingRights(0);

    /// The rights with these bits; `None` if another bit than 0 to 3 is set.
    pub const fn from_bits(bits: u8) -> Option<Self> {
        if bits < 16 { Some(CastlingRights(bits)) } else { None }
    }

    /// The bits, 0 to 15.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether there is no right.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The union of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        CastlingRights(self.0 | other.0)
    }

    /// The right of `color` on the side of the rook on `file` (0 or 7).
    pub(crate) const fn of(color: Color, file: u8) -> Self {
        CastlingRights(1 << (2 * color.index() + (file == 0) as usize))
    }

    /// The rights with the colours exchanged.
    #[must_use]
    pub(crate) const fn exchanged(self) -> Self {
        CastlingRights(self.0 >> 2 | self.0 << 2 & 0b1100)
    }

    /// The single rights, each with its colour and its rook's square.
    pub(crate) fn rooks(self) -> impl Iterator<Item = (Color, Square)> {
        let colors = [Color::White, Color::White, Color::Black, Color::Black];
        let all = colors.into_iter().zip(ROOKS).enumerate();
        all.filter(move |(bit, _)| self.0 >> bit & 1 != 0).map(|(_, right)| right)
    }

    /// Whether a right fixes `man` on `square`.
    pub(crate) fn holds(self, man: Man, square: Square) -> bool {
        self.rooks().any(|(color, rook)| {
            man == Man::new(color, Role::Rook) && square == rook
                || man == Man::new(color, Role::King) && square == KINGS[color.index()]
        })
    }
}

impl fmt::Display for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = ["K", "Q", "k", "q"].into_iter().enumerate();
        let text: String =
            letters.filter(|(bit, _)| self.0 >> bit & 1 != 0).map(|(_, letter)| letter).collect();
        f.pad(if self.is_empty() { "-" } else { &text })
    }
}
