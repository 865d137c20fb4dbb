//! The outcome of a board: by the rules of chess, or from tables.

use crate::chess::position::rules_library::{bitboards, castling};
use crate::chess::position::{CastlingRights, Color as Side, MAX_MEN, Square, Wdl};
use crate::error::{ErrorKind, Result};
use crate::probe::Tables;
use cozy_chess::{BitBoard, Board, Color, Piece};

pub(super) fn has_move(board: &Board) -> bool {
    board.generate_moves(|_| true)
}

/// Whether any castling right is left.
pub(super) fn has_castling(board: &Board) -> bool {
    castling(board) != Some(CastlingRights::NONE)
}

/// The arguments of [`Tables::probe_bitboards`].
type Arguments = ([u64; 2], [u64; 6], Option<Square>, Side, CastlingRights);

/// The arguments for a board; `None` with too many men for tables or with castling rights of Chess960.
pub(super) fn arguments(board: &Board) -> Option<Arguments> {
    let castling = castling(board)?;
    let (colors, roles, passed, turn) = bitboards(board);
    (board.occupied().len() as usize <= MAX_MEN).then_some((colors, roles, passed, turn, castling))
}

/// The outcome of a legal board for the side to move, from its table; `None` if no table answers.
pub(super) fn of(tables: &Tables, board: &Board) -> Result<Option<Wdl>> {
    let Some((colors, roles, passed, turn, castling)) = arguments(board) else { return Ok(None) };
    known(tables.probe_bitboards(colors, roles, passed, turn, castling))
}

/// The answer; `None` if the table is missing or has no castling rights.
pub(super) fn known<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Err(error) if matches!(error.kind(), ErrorKind::MissingTable | ErrorKind::MissingRights) => Ok(None),
        answer => answer.map(Some),
    }
}

/// Whether neither side can mate, whatever both play.
pub(super) fn is_insufficient(board: &Board) -> bool {
    Color::ALL.iter().all(|&color| cannot_mate(board, color))
}

/// Whether `color` cannot mate, whatever both play. This holds if it has, beside its king,
/// - nothing;
/// - one knight, and the opponent has only queens: any other man of the opponent could block its own king;
/// - bishops, all bishops on the board stand on squares of one colour, and there are neither knights nor pawns.
fn cannot_mate(board: &Board, color: Color) -> bool {
    let (ours, theirs) = (board.colors(color), board.colors(!color));
    let of = |pieces: &[Piece]| pieces.iter().fold(BitBoard::EMPTY, |all, &piece| all | board.pieces(piece));
    let has = |men: BitBoard, pieces: &[Piece]| !(men & of(pieces)).is_empty();
    if has(ours, &[Piece::Pawn, Piece::Rook, Piece::Queen]) {
        false
    } else if has(ours, &[Piece::Knight]) {
        let blockers = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook];
        ours.len() == 2 && !has(theirs, &blockers)
    } else if has(ours, &[Piece::Bishop]) {
        let bishops = board.pieces(Piece::Bishop);
        let on_one_color =
            (bishops & BitBoard::DARK_SQUARES).is_empty() || (bishops & BitBoard::LIGHT_SQUARES).is_empty();
        on_one_color && of(&[Piece::Knight, Piece::Pawn]).is_empty()
    } else {
        true
    }
}
