//! Every legal move of a position, with the outcome and the distance to zeroing after it.
//!
//! [`Moves::of`] reads a FEN, generates the moves with a rules library, castling and en passant included, and probes the
//! position after each. Unlike [`crate::probe`] it takes any board, of up to 32 men: where no table answers, the outcome is
//! unknown. [`Moves::to_json`] writes the answer in the JSON of lichess's tablebase server; [`play`] makes a move, and
//! [`Line`] is best play on to mate, and [`Mate`] a mate in a few moves. `distance` derives the distances that no file has.
//! Free: no file depends on it. The order of moves and the fields of the JSON are what programs read.

mod board;
mod distance;
#[cfg(all(test, feature = "build"))]
mod distance_tests;
mod json;
mod line;
mod mate;
mod notation;
mod outcome;
mod plan;
#[cfg(test)]
mod tests;

use crate::chess::position::rules_library;
use crate::chess::position::{Color, Role, Wdl};
use crate::error::Result;
use crate::outcome::{FIFTY_MOVES, Wdl50};
use crate::probe::Tables;
use board::Root;
use cozy_chess::util::display_san_move;
use distance::Source;
use notation::Notation;
use std::cmp::Reverse;

pub use line::{Line, LineEnd};
pub use mate::Mate;
pub use plan::Plan;

/// A position and its legal moves.
///
/// Outcomes are those of best play without the 50-move rule. Categories are outcomes under the rule, with the halfmove clock of the FEN.
/// Outcomes, categories and the signs of distances are the mover's: in [`Moves`] those of the side to move, in [`Move`] those of the
/// side that makes the move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools, reason = "each is a field of the answer")]
pub struct Moves {
    /// The side to move.
    pub turn: Color,
    /// The outcome for the side to move; `None` where it is unknown.
    ///
    /// It is known by the rules of chess (checkmate, stalemate, insufficient material), from the table of the position, or
    /// from the moves: a winning move makes the position won, and if the outcomes after all moves are known, the best of them
    /// is the position's.
    pub outcome: Option<Wdl>,
    /// The outcome under the 50-move rule. A win or a loss holds if its distance and the halfmove clock are at most 100 in sum: the
    /// move that zeroes is then made with a clock of at most 99, and a mate counts even if it makes the clock 100. If the distance is
    /// unknown, it is the outcome with a clock of 0, or drawn if the clock leaves no time for the next move; if that outcome is
    /// unknown too, the rule is ignored. Repetitions are always ignored.
    pub category: Option<Wdl50>,
    /// The distance to zeroing as [`Tables::dtz`] gives it; `None` where it is unknown.
    pub dtz: Option<i32>,
    /// Whether the category is that with a clock of 0 although the clock is another: the distance is unknown, and may matter.
    pub ignores_clock: bool,
    /// Whether the side to move is in check.
    pub check: bool,
    /// Whether the side to move is checkmated.
    pub checkmate: bool,
    /// Whether the side to move has no legal move, and is not in check.
    pub stalemate: bool,
    /// Whether neither side has the men to mate, whatever both play.
    pub insufficient_material: bool,
    /// The legal moves, best first: wins, cursed wins, draws, unknown, blessed losses, losses. Within a category the order is that of
    /// lichess's server: checkmates, stalemates and insufficient material first; then captures and promotions, then other pawn
    /// moves, except that among losing moves both come last; then by distance, the shortest win and the longest loss first.
    /// Promotions to a queen precede others; then the order is that of UCI names.
    pub moves: Vec<Move>,
}

/// A legal move, and the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools, reason = "each is a field of the answer")]
pub struct Move {
    /// The move in UCI notation: `e2e4`, `e7e8q`. Castling is `e1g1`; if a castling right is not that of ordinary chess (king
    /// on the e-file, rooks in the corners), it is the king's square and the rook's, as in UCI for Chess960.
    pub uci: String,
    /// The move in standard algebraic notation: `Nbd7`, `exd8=Q+`, `O-O`.
    pub san: String,
    /// The outcome of the position after it for the side that makes the move; `None` if it is unknown, as there is no
    /// table or the table has no castling rights.
    pub outcome: Option<Wdl>,
    /// That outcome under the 50-move rule, as in [`Moves::category`].
    pub category: Option<Wdl50>,
    /// The distance to zeroing of the position after it, positive if the side that makes the move wins: 1 also for checkmate. `None`
    /// where it is unknown.
    pub dtz: Option<i32>,
    /// Whether it captures a man, en passant included.
    pub capture: bool,
    /// The role that a pawn becomes.
    pub promotion: Option<Role>,
    /// Whether it is castling.
    pub castling: bool,
    /// Whether it gives check, checkmate included.
    pub check: bool,
    /// Whether it is checkmate.
    pub checkmate: bool,
    /// Whether it is stalemate: the opponent has no legal move, and is not in check.
    pub stalemate: bool,
    /// Whether neither side has the men to mate after it.
    pub insufficient_material: bool,
    /// Whether it is a capture or a pawn move, which resets the count of the 50-move rule.
    pub zeroing: bool,
    /// Whether it is a capture or a promotion, which leads to another table.
    pub conversion: bool,
}

impl Moves {
    /// Returns the legal moves of the position in Forsyth-Edwards Notation, with the outcomes from `tables`.
    ///
    /// Castling rights may be given as in FEN (`KQkq`, the outermost rook) and by the rook's file (`HAha`). An en-passant
    /// square without a legal en-passant capture is dropped. The halfmove clock decides about categories; the move number makes no
    /// difference.
    ///
    /// Deterministic. With few men it takes some ten probes and some twenty microseconds; with distances some hundred of both.
    ///
    /// # Errors
    /// - [`ErrorKind::BadInput`](crate::ErrorKind::BadInput): no FEN, or a side has not exactly one king;
    /// - [`ErrorKind::IllegalPosition`](crate::ErrorKind::IllegalPosition): kings adjacent, the side not to move in check,
    ///   a pawn on the first or last rank, more than 16 men or 8 pawns of a side,
    ///   castling rights without the king and the rook for it, an en-passant square that no double push can have passed;
    /// - those of [`Tables::probe`] but for a missing table: a table that is damaged or cannot be read.
    ///
    /// # Example
    /// ```
    /// # #[cfg(feature = "embedded")] {
    /// use cubebase::{Moves, Tables, Wdl};
    ///
    /// let tables = Tables::embedded()?;
    /// let answer = Moves::of(&tables, "8/8/8/8/8/1k6/1p6/1K6 w - - 0 1")?;
    /// assert!(answer.stalemate && answer.moves.is_empty());
    /// let answer = Moves::of(&tables, "8/1P6/8/8/8/k7/8/2K5 w - - 0 1")?;
    /// assert_eq!(answer.outcome, Some(Wdl::Win));
    /// assert_eq!(answer.moves[0].san, "b8=Q");
    /// # }
    /// # Ok::<(), cubebase::Error>(())
    /// ```
    pub fn of(tables: &Tables, fen: &str) -> Result<Self> {
        Self::of_root(tables, &Root::read(fen)?)
    }

    fn of_root(source: &impl Source, root: &Root) -> Result<Self> {
        let (board, clock) = (&root.board, root.clock());
        let legal = notation::legal_moves(board);
        let notation = Notation::new(board, root.is_chess960);
        let mut moves = Vec::with_capacity(legal.len());
        for &played in &legal {
            let mut after = board.clone();
            after.play_unchecked(played);
            let check = !after.checkers().is_empty();
            let is_over = !outcome::has_move(&after);
            let insufficient_material = outcome::is_insufficient(&after);
            let outcome = if is_over {
                Some(if check { Wdl::Win } else { Wdl::Draw })
            } else if insufficient_material {
                Some(Wdl::Draw)
            } else {
                source.outcome(&after)?.map(Wdl::other)
            };
            let plies = outcome.map(|outcome| distance::of(source, &after, outcome.other()));
            let plies = plies.transpose()?.flatten();
            let promotion = played.promotion.and_then(rules_library::role);
            let capture = notation.is_capture(played);
            let mut played = Move {
                uci: notation.uci(played).to_string(),
                san: display_san_move(board, played).to_string(),
                outcome,
                category: None,
                dtz: outcome.zip(plies).map(|(outcome, plies)| distance::signed(outcome, plies)),
                capture,
                promotion,
                castling: notation.is_castling(played),
                check,
                checkmate: check && is_over,
                stalemate: !check && is_over,
                insufficient_material,
                zeroing: notation.is_zeroing(played),
                conversion: capture || promotion.is_some(),
            };
            let ruled = || Ok(source.ruled(&after)?.map(Wdl50::other));
            let plies = played.plies().ok_or(if played.zeroing { 1 } else { 2 });
            played.category = outcome.map(|outcome| category(outcome, plies, clock, ruled)).transpose()?;
            moves.push(played);
        }
        moves.sort_by(|a, b| a.order().cmp(&b.order()));
        let check = !board.checkers().is_empty();
        let insufficient_material = outcome::is_insufficient(board);
        let outcome = if moves.is_empty() {
            Some(if check { Wdl::Loss } else { Wdl::Draw })
        } else if insufficient_material {
            Some(Wdl::Draw)
        } else {
            source.outcome(board)?.or_else(|| best(&moves))
        };
        let plies = outcome.map(|outcome| distance::of(source, board, outcome)).transpose()?.flatten();
        let plies = plies.or_else(|| best_plies(outcome?, &moves));
        Ok(Moves {
            turn: rules_library::color(board.side_to_move()),
            outcome,
            category: outcome
                .map(|outcome| category(outcome, plies.ok_or(1), clock, || source.ruled(board)))
                .transpose()?,
            dtz: outcome.zip(plies).map(|(outcome, plies)| distance::signed(outcome, plies)),
            ignores_clock: outcome.is_some() && plies.is_none() && (1..FIFTY_MOVES).contains(&clock),
            check,
            checkmate: check && moves.is_empty(),
            stalemate: !check && moves.is_empty(),
            insufficient_material,
            moves,
        })
    }
}

/// The outcome of a position under the 50-move rule from its distance to zeroing. If there is only a least distance, by the error, it
/// is the outcome by that if it draws, else `ruled`, the outcome with a clock of 0, or without the rule.
fn category(
    outcome: Wdl,
    plies: std::result::Result<u32, u32>,
    clock: u32,
    ruled: impl FnOnce() -> Result<Option<Wdl50>>,
) -> Result<Wdl50> {
    match plies {
        Err(least) if least.saturating_add(clock) <= FIFTY_MOVES => {
            Ok(ruled()?.unwrap_or(Wdl50::new(outcome, 0)))
        }
        Ok(plies) | Err(plies) => Ok(Wdl50::new(outcome, distance::with_clock(plies, clock))),
    }
}

/// The outcome of a position from the outcomes of its moves, best first, if they make it certain.
fn best(moves: &[Move]) -> Option<Wdl> {
    let first = moves.first()?.outcome?;
    let is_certain = first == Wdl::Win || moves.iter().all(|played| played.outcome.is_some());
    is_certain.then_some(first)
}

/// The distance of a position from those of its moves, if they make it certain.
fn best_plies(outcome: Wdl, moves: &[Move]) -> Option<u32> {
    let plies = moves.iter().filter(|played| played.outcome.is_none_or(|after| after == outcome));
    let plies: Vec<Option<u32>> = plies.map(Move::plies).collect();
    if outcome == Wdl::Win && plies.contains(&Some(1)) {
        return Some(1);
    }
    let plies = plies.into_iter().collect::<Option<Vec<u32>>>()?.into_iter();
    if outcome == Wdl::Win { plies.min() } else { plies.max() }
}

impl Move {
    /// The distance to zeroing of the position before it, if it is the move played.
    fn plies(&self) -> Option<u32> {
        let after = self.dtz?.unsigned_abs();
        Some(match (self.checkmate, self.zeroing) {
            (true, _) => 1,
            (_, true) => distance::of_zeroing(after),
            (_, false) => 1 + after,
        })
    }

    /// The sort key of moves, best first.
    fn order(&self) -> impl Ord {
        let of_category = match self.category {
            Some(category @ (Wdl50::Win | Wdl50::CursedWin | Wdl50::Draw)) => {
                Wdl50::Win.index() - category.index()
            }
            None => 3,
            Some(category) => 5 - category.index(),
        };
        let loses = self.outcome == Some(Wdl::Loss);
        let ends = [self.checkmate, self.stalemate, self.insufficient_material].map(Reverse);
        let keeps_on = [self.conversion, self.zeroing].map(|zeroes| zeroes == loses);
        let promotion = self.promotion.map_or(0, |role| role as u8);
        (of_category, ends, keeps_on, self.dtz.is_none(), self.dtz, promotion, self.uci.clone())
    }
}

/// Returns the FEN of the position after a legal move, which is in the notation of [`Move::uci`] (castling in either form).
/// The FEN has an en-passant square only if a legal move captures there, and continues the halfmove clock and the move number
/// of `fen`.
///
/// # Errors
/// Those of [`Moves::of`] about the FEN, and [`ErrorKind::BadInput`](crate::ErrorKind::BadInput) when `uci` is no move or not
/// legal.
///
/// # Example
/// ```
/// let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// let after = cubebase::moves::play(start, "e2e4")?;
/// assert_eq!(after, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
/// # Ok::<(), cubebase::Error>(())
/// ```
pub fn play(fen: &str, uci: &str) -> Result<String> {
    let mut root = Root::read(fen)?;
    root.play(uci)?;
    Ok(root.to_fen())
}
