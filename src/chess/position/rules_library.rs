//! The colours, pieces, boards and moves of the rules library and ours.

use super::{CastlingRights, Color as Side, DoublePush, Position, Role, Square};
#[cfg(feature = "build")]
use crate::error::{Error, ErrorKind, Result};
#[cfg(feature = "build")]
use alloc::vec::Vec;
use cozy_chess::{Board, BoardBuilder, BoardBuilderError, Color, File, Piece};

/// Our colour as the rules library's.
pub(crate) fn theirs(color: Side) -> Color {
    match color {
        Side::White => Color::White,
        Side::Black => Color::Black,
    }
}

/// The rules library's colour as ours.
pub(crate) fn color(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

/// The rules library's pieces, in the order of [`Role::ALL`].
pub(crate) const PIECES: [Piece; Role::ALL.len()] =
    [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// The rules library's piece as ours.
#[cfg(feature = "moves")]
pub(crate) fn role(piece: Piece) -> Option<Role> {
    Role::ALL.into_iter().find(|&role| PIECES[role as usize] == piece)
}

/// The board of a legal position.
pub(crate) fn board(position: &Position) -> core::result::Result<Board, BoardBuilderError> {
    let turn = position.turn();
    let mut builder = BoardBuilder::empty();
    builder.side_to_move = theirs(turn);
    for (man, square) in position.placed() {
        builder.board[square.index()] = Some((PIECES[man.role as usize], theirs(man.color)));
    }
    for (color, rook) in position.castling().rooks() {
        let rights = builder.castle_rights_mut(theirs(color));
        let right = if rook.file() == 0 { &mut rights.long } else { &mut rights.short };
        *right = Some(File::index(rook.file().into()));
    }
    builder.en_passant = position.en_passant().map(|file| {
        let passed = DoublePush::new(turn.other(), file).passed;
        cozy_chess::Square::index(passed.index())
    });
    builder.build()
}

/// The castling rights, if all are those of ordinary chess.
pub(crate) fn castling(board: &Board) -> Option<CastlingRights> {
    let mut bits = 0;
    for (color, king) in [(Color::White, cozy_chess::Square::E1), (Color::Black, cozy_chess::Square::E8)] {
        let rights = board.castle_rights(color);
        for (side, right, file) in [(0, rights.short, File::H), (1, rights.long, File::A)] {
            match right {
                None => {}
                Some(rook) if rook == file && board.king(color) == king => {
                    bits |= 1 << (2 * color as u8 + side);
                }
                Some(_) => return None,
            }
        }
    }
    CastlingRights::from_bits(bits)
}

/// The men of a board by colour and by role, the square passed by a double push, and the side to move.
pub(crate) fn bitboards(board: &Board) -> ([u64; 2], [u64; 6], Option<Square>, Side) {
    let turn = color(board.side_to_move());
    let passed = board.en_passant().map(|file| DoublePush::new(turn.other(), file as u8).passed);
    let colors = [Color::White, Color::Black].map(|color| board.colors(color).0);
    (colors, PIECES.map(|piece| board.pieces(piece).0), passed, turn)
}

/// The board after each legal move of a legal position of ordinary chess.
#[cfg(feature = "build")]
pub(crate) fn after_moves(position: &Position) -> Result<Vec<Board>> {
    let board = board(position)
        .map_err(|error| Error::new(ErrorKind::Internal, format!("{}: {error}", position.to_fen())))?;
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves.into_iter().map(|played| {
            let mut after = board.clone();
            after.play_unchecked(played);
            after
        }));
        false
    });
    Ok(all)
}

/// The position on a board of ordinary chess.
#[cfg(feature = "build")]
pub(crate) fn position(board: &Board) -> Result<Position> {
    let (colors, roles, passed, turn) = bitboards(board);
    Position::from_bitboards(colors, roles, passed, turn, castling(board).unwrap_or(CastlingRights::NONE))
}
