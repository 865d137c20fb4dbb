//! Moves in UCI notation, and their kinds.

use crate::error::{Error, ErrorKind, Result, quoted};
use cozy_chess::{Board, File, Move, Piece, Rank, Square};

pub(super) fn legal_moves(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
}

/// The names of the legal moves of a board. The rules library writes castling as the king taking its own rook.
pub(super) struct Notation<'a> {
    board: &'a Board,
    is_chess960: bool,
}

impl<'a> Notation<'a> {
    pub(super) fn new(board: &'a Board, is_chess960: bool) -> Self {
        Notation { board, is_chess960 }
    }

    pub(super) fn is_castling(&self, played: Move) -> bool {
        self.board.colors(self.board.side_to_move()).has(played.to)
    }

    pub(super) fn is_pawn(&self, played: Move) -> bool {
        self.board.pieces(Piece::Pawn).has(played.from)
    }

    pub(super) fn is_capture(&self, played: Move) -> bool {
        self.board.colors(!self.board.side_to_move()).has(played.to)
            || self.is_pawn(played) && played.from.file() != played.to.file()
    }

    /// Whether a move is a capture or a pawn move, which resets the counter of the 50-move rule.
    pub(super) fn is_zeroing(&self, played: Move) -> bool {
        self.is_capture(played) || self.is_pawn(played)
    }

    /// The king's square after castling.
    fn castled(played: Move) -> Square {
        let file = if played.from.file() < played.to.file() { File::G } else { File::C };
        Square::new(file, played.from.rank())
    }

    pub(super) fn uci(&self, played: Move) -> Move {
        let is_renamed = self.is_castling(played) && !self.is_chess960;
        Move { to: if is_renamed { Self::castled(played) } else { played.to }, ..played }
    }

    /// Whether `name` is this move; castling has two names.
    pub(super) fn is_named(&self, played: Move, name: &Uci) -> bool {
        name.0 == self.uci(played) || self.is_castling(played) && name.0 == played
    }
}

/// A move read from UCI notation.
pub(super) struct Uci(Move);

impl Uci {
    pub(super) fn read(text: &str) -> Result<Self> {
        let bad = || {
            let why = format!("{} is no move in UCI notation, such as e2e4 or e7e8q", quoted(text));
            Error::new(ErrorKind::BadInput, why)
        };
        // The parser of the rules library would ignore the end of longer text.
        if !text.is_ascii() || !(4..=5).contains(&text.len()) {
            return Err(bad());
        }
        text.parse().map(Uci).map_err(|_| bad())
    }

    pub(super) fn not_legal(&self) -> Error {
        Error::new(ErrorKind::BadInput, format!("{} is not a legal move", self.0))
    }
}

pub(super) fn pawn_attacks(board: &Board, square: Square) -> bool {
    let turn = board.side_to_move();
    let beside = cozy_chess::get_pawn_attacks(square, !turn);
    !(beside & board.colored_pieces(turn, Piece::Pawn)).is_empty()
}

/// Whether a legal move captures en passant.
pub(super) fn has_en_passant(board: &Board) -> bool {
    let Some(file) = board.en_passant() else { return false };
    let square = Square::new(file, Rank::Sixth.relative_to(board.side_to_move()));
    let pawns = board.pieces(Piece::Pawn);
    pawn_attacks(board, square) && board.generate_moves_for(pawns, |moves| moves.to.has(square))
}
