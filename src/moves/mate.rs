//! Forced mates in a few moves, by search: no table is needed.

use super::board::Root;
use super::notation::{Notation, legal_moves};
use super::outcome::has_move;
use crate::error::Result;
use cozy_chess::{BitBoard, Board, Move, Piece, Rank};
use cozy_chess::{get_bishop_moves, get_knight_moves, get_pawn_attacks, get_rook_moves};

/// A mate that the side to move can force.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mate {
    /// The first move in UCI notation; of several, if possible one after which the opponent can capture nothing.
    pub uci: String,
    /// The number of moves of the winner, which is the least possible.
    pub moves: u8,
}

impl Mate {
    /// Returns the shortest mate that the side to move can force in at most `most` moves, from the position in Forsyth-Edwards Notation.
    /// The mate comes before the 50-move rule applies, even if no move resets the halfmove clock.
    ///
    /// The cost grows some thirtyfold with each move of `most`. With four men and three moves it is a few milliseconds.
    ///
    /// # Errors
    /// Those of [`Moves::of`](super::Moves::of) about the FEN.
    ///
    /// # Example
    /// ```
    /// let mate = cubebase::moves::Mate::of("8/8/2Q5/8/1k6/R7/8/4K3 w - - 0 1", 3)?.unwrap();
    /// assert_eq!(mate.moves, 3);
    /// # Ok::<(), cubebase::Error>(())
    /// ```
    pub fn of(fen: &str, most: u8) -> Result<Option<Self>> {
        let root = Root::read(fen)?;
        let in_time = 101u32.saturating_sub(root.clock()) / 2;
        let notation = Notation::new(&root.board, root.is_chess960);
        let mut all = legal_moves(&root.board);
        all.sort_by_key(|&played| can_capture(&after(&root.board, played)));
        let found = (1..=most)
            .take_while(|&moves| u32::from(moves) <= in_time)
            .find_map(|moves| Some((first_move(&root.board, &all, moves)?, moves)));
        Ok(found.map(|(played, moves)| Mate { uci: notation.uci(played).to_string(), moves }))
    }
}

fn after(board: &Board, played: Move) -> Board {
    let mut after = board.clone();
    after.play_unchecked(played);
    after
}

fn can_capture(board: &Board) -> bool {
    let theirs = board.colors(!board.side_to_move());
    board.generate_moves(|some| !(some.to & theirs).is_empty())
}

/// The first of the moves `all` that mates in `moves` moves.
fn first_move(board: &Board, all: &[Move], moves: u8) -> Option<Move> {
    all.iter().copied().find(|&played| {
        let after = after(board, played);
        if moves == 1 && after.checkers().is_empty() {
            false
        } else if has_move(&after) {
            moves > 1 && is_mated(&after, moves - 1)
        } else {
            !after.checkers().is_empty()
        }
    })
}

/// Whether the side to move, which has a move, is mated by `moves` moves of the opponent, whatever it plays.
fn is_mated(board: &Board, moves: u8) -> bool {
    !board.generate_moves(|some| {
        some.into_iter().any(|played| {
            let after = after(board, played);
            let mates = |moves| {
                let all = if moves == 1 { possible_checks(&after) } else { legal_moves(&after) };
                first_move(&after, &all, moves).is_some()
            };
            !(1..=moves).any(mates)
        })
    })
}

/// The legal moves without most of those that give no check.
fn possible_checks(board: &Board) -> Vec<Move> {
    let (turn, occupied) = (board.side_to_move(), board.occupied());
    let king = board.king(!turn);
    let (straight, diagonal) = (get_rook_moves(king, occupied), get_bishop_moves(king, occupied));
    // A man on one of these squares may uncover a check by moving away, as may a capture en passant; a king also checks by castling.
    let is_passed = board.en_passant().is_some();
    let uncovers = straight | diagonal | board.colored_pieces(turn, Piece::King);
    let mut all = Vec::new();
    board.generate_moves(|some| {
        let to = match some.piece {
            _ if is_passed || uncovers.has(some.from) => BitBoard::FULL,
            Piece::Pawn => get_pawn_attacks(king, !turn) | Rank::Eighth.relative_to(turn).bitboard(),
            Piece::Knight => get_knight_moves(king),
            Piece::Bishop => diagonal,
            Piece::Rook => straight,
            Piece::Queen => straight | diagonal,
            Piece::King => BitBoard::EMPTY,
        };
        let mut some = some;
        some.to &= to;
        all.extend(some);
        false
    });
    all
}
