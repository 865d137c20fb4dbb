//! A position: men on squares, side to move, castling rights, and the file of a legal en-passant capture.

use super::castling::CastlingRights;
use super::frozen::packed::PackedSquares;
use super::material::{MAX_MEN, Material};
use super::square::Square;
use crate::outcome::Color;

/// A position of a material: a square for each man in the material's numbering, side to move, castling rights, and the
/// file of the pawn that a legal en-passant capture would take. Without such a capture there is no en-passant file.
///
/// A `Position` may be illegal or acanonical; see [`Position::check_legal`] and [`Position::canonical`]. Men of one
/// group (identical men) may stand in any order; [`Position::sort`] sorts them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    material: Material,
    squares: [Square; MAX_MEN],
    turn: Color,
    en_passant: Option<u8>,
    castling: CastlingRights,
}

impl Position {
    /// Returns the position of `material` with its men on `squares` (as many as there are men, in the material's
    /// numbering), `turn` to move, and the given en-passant file (0 to 7), without castling rights.
    ///
    /// # Panics
    /// When there are not as many squares as men.
    #[inline]
    pub fn new(material: Material, squares: &[Square], turn: Color, en_passant: Option<u8>) -> Self {
        assert_eq!(squares.len(), material.len(), "a square for each man");
        let mut all = [Square::default(); MAX_MEN];
        all[..squares.len()].copy_from_slice(squares);
        Position { material, squares: all, turn, en_passant, castling: CastlingRights::NONE }
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The squares of the men, in the material's numbering.
    #[inline]
    pub fn squares(&self) -> &[Square] {
        &self.squares[..self.material.len()]
    }

    /// The squares of the men, mutable.
    #[inline]
    pub fn squares_mut(&mut self) -> &mut [Square] {
        &mut self.squares[..self.material.len()]
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The file, 0 to 7, of the pawn that a legal en-passant capture would take.
    pub fn en_passant(&self) -> Option<u8> {
        self.en_passant
    }

    /// Returns this position with another en-passant file.
    #[must_use]
    pub fn with_en_passant(mut self, file: Option<u8>) -> Self {
        self.en_passant = file;
        self
    }

    /// The castling rights.
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// Returns this position with other castling rights.
    #[must_use]
    pub fn with_castling(mut self, rights: CastlingRights) -> Self {
        self.castling = rights;
        self
    }

    /// Sorts the squares of identical men, ascending.
    #[inline]
    pub fn sort(&mut self) {
        if self.material.repeats() != 0 {
            self.squares = self.packed().sorted(self.material.repeats()).squares();
        }
    }

    /// Whether the squares of identical men ascend, as [`Position::sort`] leaves them.
    #[inline]
    pub fn is_sorted(&self) -> bool {
        self.packed() == self.packed().sorted(self.material.repeats())
    }

    /// Returns the position with the colours exchanged: ranks mirrored, the other side to move.
    ///
    /// # Panics
    /// When the material is not symmetric.
    #[must_use]
    pub fn colors_exchanged(&self) -> Self {
        assert!(self.material.is_symmetric(), "colours of a symmetric material only");
        let squares = self.packed().colors_exchanged(self.material.len());
        Position::of_packed(self.material, squares, self.turn.other(), self.en_passant)
            .with_castling(self.castling.exchanged())
    }

    /// The position with its men on `squares`, without castling rights.
    #[inline]
    pub(crate) fn of_packed(
        material: Material,
        squares: PackedSquares,
        turn: Color,
        en_passant: Option<u8>,
    ) -> Self {
        Position { material, squares: squares.squares(), turn, en_passant, castling: CastlingRights::NONE }
    }

    /// The squares of the men.
    #[inline]
    pub(crate) fn packed(&self) -> PackedSquares {
        PackedSquares::new(self.squares, self.material.len())
    }
}
