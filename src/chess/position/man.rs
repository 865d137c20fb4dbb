//! Roles and men.

use super::bitboard::Bitboard;
use crate::outcome::Color;

/// The roles of men in signature order, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// King.
    King,
    /// Queen.
    Queen,
    /// Rook.
    Rook,
    /// Bishop.
    Bishop,
    /// Knight.
    Knight,
    /// Pawn.
    Pawn,
}

impl Role {
    /// All roles in signature order.
    pub const ALL: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

    /// The roles that a pawn may promote to.
    pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

    /// The upper-case letter of signatures and FEN.
    pub const fn letter(self) -> char {
        b"KQRBNP"[self as usize] as char
    }

    /// The squares where a man of this role may stand: pawns on ranks 2 to 7 only.
    #[inline]
    pub const fn squares(self) -> Bitboard {
        match self {
            Role::Pawn => Bitboard(0x00ff_ffff_ffff_ff00),
            _ => Bitboard::ALL,
        }
    }

    /// Reads an upper-case letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'K' => Role::King,
            'Q' => Role::Queen,
            'R' => Role::Rook,
            'B' => Role::Bishop,
            'N' => Role::Knight,
            'P' => Role::Pawn,
            _ => return None,
        })
    }
}

/// A man: its colour and role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Man {
    /// Its side.
    pub color: Color,
    /// Its role.
    pub role: Role,
}

impl Man {
    /// Returns the man of `color` and `role`.
    pub const fn new(color: Color, role: Role) -> Self {
        Man { color, role }
    }

    /// The letter of FEN: upper case for White, lower case for Black.
    pub const fn fen(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// Reads a letter of FEN.
    pub fn from_fen(letter: char) -> Option<Self> {
        let role = Role::from_letter(letter.to_ascii_uppercase())?;
        Some(Man::new(if letter.is_ascii_uppercase() { Color::White } else { Color::Black }, role))
    }
}
