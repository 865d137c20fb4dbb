//! The colours and pieces of the rules library and ours.

use crate::chess::position::{Color as Side, Role};
use cozy_chess::{Color, Piece};

/// Our colour as the rules library's.
pub(super) fn theirs(color: Side) -> Color {
    match color {
        Side::White => Color::White,
        Side::Black => Color::Black,
    }
}

/// The rules library's colour as ours.
pub(super) fn color(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

/// The rules library's pieces, in the order of [`Role::ALL`].
pub(super) const PIECES: [Piece; Role::ALL.len()] =
    [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// The rules library's piece as ours.
pub(super) fn role(piece: Piece) -> Option<Role> {
    Role::ALL.into_iter().find(|&role| PIECES[role as usize] == piece)
}
