//! The distance to zeroing of a board in plies, as `src/retrograde/FORMAT.md` defines it: to the next capture or pawn move, or to
//! mate, with best play of both sides. It is Syzygy's DTZ, but exact.
//!
//! Files have the distances of won positions alone. The distance of a lost position is the longest over its moves, which are made
//! here. Outcomes need no moves: distances are the only answers for which the prober makes any.

use super::Moves;
use super::board::board;
use super::notation::{Notation, legal_moves};
use super::outcome::{self, has_move};
use crate::chess::position::{CastlingRights, Position, Wdl};
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::{FIFTY_MOVES, Wdl50};
use crate::probe::Tables;
use cozy_chess::{Board, Move, Piece, get_bishop_moves, get_knight_moves, get_rook_moves};
use std::cmp::Reverse;

/// The tables as the rule sees them: [`Tables`], and in tests the generator's.
pub(super) trait Source {
    /// The outcome of a legal board for the side to move; `None` if no table has it.
    fn outcome(&self, board: &Board) -> Result<Option<Wdl>>;
    /// The outcome of a legal board under the 50-move rule with a counter of zero; `None` if no file of outcomes has it, as for a won or
    /// lost board with castling rights.
    fn ruled(&self, board: &Board) -> Result<Option<Wdl50>>;
    /// The plies of a won board as [`Tables::won_distance`] gives them, arbitrary if the distance is 1; `None` if no file has them, as for
    /// any board with castling rights.
    fn won_distance(&self, board: &Board) -> Result<Option<u32>>;
    /// The level of a won board in a ranking, and the pairs of moves within which a level falls; `None` without a ranking.
    fn won_level(&self, _: &Board) -> Result<Option<(u32, u8)>> {
        Ok(None)
    }
}

impl Source for Tables {
    fn outcome(&self, board: &Board) -> Result<Option<Wdl>> {
        outcome::of(self, board)
    }

    fn ruled(&self, board: &Board) -> Result<Option<Wdl50>> {
        let Some((colors, roles, passed, turn, castling)) = outcome::arguments(board) else {
            return Ok(None);
        };
        outcome::known(self.probe_wdl50_bitboards(colors, roles, passed, turn, castling))
    }

    fn won_distance(&self, board: &Board) -> Result<Option<u32>> {
        let Some((colors, roles, passed, turn, CastlingRights::NONE)) = outcome::arguments(board) else {
            return Ok(None);
        };
        outcome::known(self.won_distance_bitboards(colors, roles, passed, turn)).map(Option::flatten)
    }

    fn won_level(&self, board: &Board) -> Result<Option<(u32, u8)>> {
        let Some((colors, roles, passed, turn, CastlingRights::NONE)) = outcome::arguments(board) else {
            return Ok(None);
        };
        outcome::known(self.won_level_bitboards(colors, roles, passed, turn)).map(Option::flatten)
    }
}

/// The distance of a move that zeroes the counter and leads to a position at distance `after`.
pub(super) const fn of_zeroing(after: u32) -> u32 {
    if after > FIFTY_MOVES { FIFTY_MOVES + 1 } else { 1 }
}

/// The plies by which the 50-move rule judges. A mate on the board, at distance 0, counts whatever the clock says.
pub(super) fn with_clock(plies: u32, clock: u32) -> u32 {
    if plies == 0 { 0 } else { plies.saturating_add(clock) }
}

/// The distance of a board with this outcome for the side to move: 0 if it is drawn or mated; `None` if it is not known.
pub(super) fn of(source: &impl Source, board: &Board, outcome: Wdl) -> Result<Option<u32>> {
    match outcome {
        Wdl::Loss => lost(source, board),
        Wdl::Draw => Ok(Some(0)),
        Wdl::Win => won(source, board),
    }
}

/// Syzygy's number for a distance and its outcome: negative for a loss, -1 for mate.
pub(super) fn signed(outcome: Wdl, plies: u32) -> i32 {
    let plies = plies.max(1).cast_signed();
    match outcome {
        Wdl::Loss => -plies,
        Wdl::Draw => 0,
        Wdl::Win => plies,
    }
}

fn won(source: &impl Source, board: &Board) -> Result<Option<u32>> {
    // A win at once needs no file of distances.
    let plies = source.won_distance(board)?;
    Ok(wins_at_once(source, board)?.and_then(|wins| if wins { Some(1) } else { plies }))
}

/// Whether a move of a won board mates (castling aside), or zeroes and leads to a loss under the 50-move
/// rule; `None` if a table for that is missing.
pub(super) fn wins_at_once(source: &impl Source, board: &Board) -> Result<Option<bool>> {
    let (notation, mut is_known) = (Notation::new(board, false), true);
    for played in legal_moves(board) {
        let is_zeroing = notation.is_zeroing(played);
        if !is_zeroing && !gives_check(board, played) {
            continue;
        }
        let mut after = board.clone();
        after.play_unchecked(played);
        // The rules decide before a table is asked.
        let wins = if !has_move(&after) {
            Some(!after.checkers().is_empty())
        } else if !is_zeroing || outcome::is_insufficient(&after) {
            Some(false)
        } else {
            source.ruled(&after)?.map(|ruled| ruled == Wdl50::Loss)
        };
        if wins == Some(true) {
            return Ok(wins);
        }
        is_known &= wins.is_some();
    }
    Ok(is_known.then_some(false))
}

/// Whether a move of a piece to an empty square gives check.
fn gives_check(board: &Board, played: Move) -> bool {
    let (from, to) = (played.from.bitboard(), played.to.bitboard());
    let (turn, king) = (board.side_to_move(), board.king(!board.side_to_move()));
    let (own, occupied) = (board.colors(turn), (board.occupied() - from) | to);
    // Of each kind, the pieces after the move.
    let [queens, rooks, bishops, knights] =
        [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight].map(|piece| {
            let of_kind = own & board.pieces(piece);
            if (of_kind & from).is_empty() { of_kind } else { (of_kind - from) | to }
        });
    let by_lines = (get_rook_moves(king, occupied) & (rooks | queens))
        | (get_bishop_moves(king, occupied) & (bishops | queens));
    !(by_lines | (get_knight_moves(king) & knights)).is_empty()
}

fn lost(source: &impl Source, board: &Board) -> Result<Option<u32>> {
    let (mut longest, mut quiet) = (0, Vec::new());
    for (is_zeroing, after) in replies(board) {
        let plies = if is_zeroing {
            let Some(ruled) = source.ruled(&after)? else { return Ok(None) };
            if ruled == Wdl50::Win { 1 } else { FIFTY_MOVES + 1 }
        } else {
            match source.won_distance(&after)? {
                Some(plies) => quiet.push((plies, after)),
                None if wins_at_once(source, &after)? == Some(true) => {}
                None => return Ok(None),
            }
            2
        };
        longest = longest.max(plies);
    }
    // The largest number that holds is enough.
    quiet.sort_unstable_by_key(|&(plies, _)| Reverse(plies));
    for (plies, after) in quiet {
        if plies < longest {
            break;
        }
        match wins_at_once(source, &after)? {
            None => return Ok(None),
            Some(true) => {}
            Some(false) => longest = 1 + plies,
        }
    }
    Ok(Some(longest))
}

/// The legal moves of a board: whether each zeroes the counter, and the board after it.
pub(super) fn replies(board: &Board) -> impl Iterator<Item = (bool, Board)> {
    let notation = Notation::new(board, false);
    legal_moves(board).into_iter().map(move |played: Move| {
        let mut after = board.clone();
        after.play_unchecked(played);
        (notation.is_zeroing(played), after)
    })
}

impl Tables {
    /// Returns the distance to zeroing of a legal position as Syzygy's users know it, for the side to move: 0 for a draw; the plies to
    /// the next capture or pawn move, that move included, or to mate, with best play of both sides: positive for a win, negative for
    /// a loss, -1 for mate. Beyond 100 the 50-move rule makes it a draw, even from a counter of zero. These distances are exact;
    /// Syzygy's files round, so their distances can be one less.
    ///
    /// Files have the distances of won positions alone. For a lost position, and for one with castling rights, the moves are made.
    /// The distance with castling rights is known if the moves that matter give the rights up.
    ///
    /// # Errors
    /// Those of [`Tables::probe`]; [`ErrorKind::MissingTable`] also if the distances of this table are missing, or the outcomes under the
    /// 50-move rule of one that a capture or a promotion leads to.
    pub fn dtz(&self, position: &Position) -> Result<i32> {
        self.plies(position).map(|(outcome, plies)| signed(outcome, plies))
    }

    /// Returns the outcome of a legal position under the 50-move rule, for the side to move, with this halfmove clock:
    /// [`Moves::category`] has the rule. With a clock of 0 it needs no distances if the file of outcomes knows the rule, and makes no
    /// moves ([`Tables::probe_wdl50`]).
    ///
    /// # Errors
    /// Those of [`Tables::dtz`].
    pub fn wdl50(&self, position: &Position, clock: u32) -> Result<Wdl50> {
        if clock == 0
            && let Some(ruled) = outcome::known(self.probe_wdl50(position))?
        {
            return Ok(ruled);
        }
        self.plies(position).map(|(outcome, plies)| Wdl50::new(outcome, with_clock(plies, clock)))
    }

    /// The outcome of a position and its distance, 0 if it is mated.
    fn plies(&self, position: &Position) -> Result<(Wdl, u32)> {
        let outcome = self.probe(position)?;
        let plies = if position.castling().is_empty() {
            of(self, &board(position)?, outcome)?
        } else {
            let answer = Moves::of(self, &position.to_fen())?;
            answer.dtz.map(|dtz| if answer.checkmate { 0 } else { dtz.unsigned_abs() })
        };
        let plies = plies.ok_or_else(|| {
            let material = position.material();
            let why = format!("no distance to zeroing for this position of {material}");
            Error::new(ErrorKind::MissingTable, why).of_material(material)
        })?;
        Ok((outcome, plies))
    }
}
