//! The plan of a won position: the move to play by a ranking, without distances.
//!
//! A level of a ranking falls within a few pairs of moves, whatever is replied. So the search is bounded: over all moves and replies
//! of these pairs, for the lowest level that the winner can force, and for the fewest pairs that it takes. At each move of a game
//! played so, the pair (level, pairs) falls in lexicographic order: no memory of earlier moves is needed.

use super::board::{Root, board};
use super::distance::{Source, wins_at_once};
use super::notation::{Notation, legal_moves};
use super::outcome::has_move;
use crate::chess::position::{CastlingRights, Color, Position, Square};
use crate::error::Result;
use crate::outcome::Wdl50;
use crate::probe::Tables;
use cozy_chess::{Board, Move, Piece};
use std::collections::HashMap;

/// The move to play in a won position, by a ranking.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The move in UCI notation.
    pub uci: String,
    /// The level of the position; 0 if the move mates or zeroes.
    pub level: u32,
    /// The highest level that can follow after [`Plan::pairs`] pairs of moves; 0 if a mate or a zeroing move follows.
    pub next_level: u32,
    /// The pairs of moves after which the level has fallen to [`Plan::next_level`], this move and its reply included; 0 if the move mates or
    /// zeroes.
    pub pairs: u8,
}

impl Plan {
    /// Returns the plan of the position in Forsyth-Edwards Notation; `None` if no table says that it is won under the 50-move rule
    /// with a counter of zero, or if it has castling rights, or if there is no ranking of its material and no move mates or zeroes.
    ///
    /// Who plays it from a counter of zero mates or zeroes within 50 moves: by a capture or a pawn move that keeps the
    /// win, if possible into a table with a ranking, and by promotion to a queen.
    ///
    /// # Errors
    /// Those of [`Moves::of`](super::Moves::of).
    pub fn of(tables: &Tables, fen: &str) -> Result<Option<Self>> {
        Self::of_root(tables, &Root::read(fen)?)
    }

    /// [`Plan::of`] of the position on bitboards as in [`Position::from_bitboards`], without castling rights.
    ///
    /// # Errors
    /// Those of [`Position::from_bitboards`] and [`Plan::of`].
    pub fn of_bitboards(
        tables: &Tables,
        colors: [u64; 2],
        roles: [u64; 6],
        en_passant: Option<Square>,
        turn: Color,
    ) -> Result<Option<Self>> {
        let position = Position::from_bitboards(colors, roles, en_passant, turn, CastlingRights::NONE)?;
        Self::of(tables, &position.fen_of_colors(position.turn() != turn))
    }

    /// Whether a position is won under the 50-move rule with a counter of zero, and no move mates or zeroes: then a plan needs a
    /// ranking.
    ///
    /// # Errors
    /// Those of [`Plan::of`].
    pub fn needs_ranking(tables: &Tables, position: &Position) -> Result<bool> {
        let board = board(position)?;
        Ok(tables.ruled(&board)? == Some(Wdl50::Win) && wins_at_once(tables, &board)? == Some(false))
    }

    pub(super) fn of_root(source: &impl Source, root: &Root) -> Result<Option<Self>> {
        let board = &root.board;
        if source.ruled(board)? != Some(Wdl50::Win) {
            return Ok(None);
        }
        let notation = Notation::new(board, root.is_chess960);
        let plan = |played: Move, level, next_level, pairs| {
            Some(Plan { uci: notation.uci(played).to_string(), level, next_level, pairs })
        };
        let mut zeroes = None;
        for played in legal_moves(board) {
            let mut after = board.clone();
            after.play_unchecked(played);
            if !has_move(&after) {
                if !after.checkers().is_empty() {
                    return Ok(plan(played, 0, 0, 0));
                }
            } else if notation.is_zeroing(played) && source.ruled(&after)? == Some(Wdl50::Loss) {
                // The game goes on by a ranking of the men that are left.
                let is_ranked = source.won_level(&after)?.is_some();
                let value = (is_ranked, matches!(played.promotion, None | Some(Piece::Queen)));
                if zeroes.is_none_or(|(best, _)| value > best) {
                    zeroes = Some((value, played));
                }
            }
        }
        if let Some((_, played)) = zeroes {
            return Ok(plan(played, 0, 0, 0));
        }
        let Some((level, pairs)) = source.won_level(board)? else { return Ok(None) };
        let mut search =
            Search { source, seen: HashMap::new(), sufficing: None, refuting: None, is_known: true };
        let found = search.lowest(board, pairs, (0, 0), (level, 0))?;
        Ok(found.1.filter(|_| search.is_known).and_then(|played| plan(played, level, found.0.0, found.0.1)))
    }
}

/// The level of a won board, 0 if a move mates or zeroes; `None` if it is not known.
pub(super) fn level_of(source: &impl Source, board: &Board) -> Result<Option<u32>> {
    Ok(match wins_at_once(source, board)? {
        Some(true) => Some(0),
        Some(false) => source.won_level(board)?.map(|(level, _)| level),
        None => None,
    })
}

/// A level, and the pairs of moves that it takes.
type Value = (u32, u8);

/// The least value of a move that neither mates nor zeroes.
const LEAST: Value = (0, 1);

/// Exchanges the first of `moves` for this one, if it is among them.
fn put_first(moves: &mut [Move], first: Option<Move>) {
    if let Some(at) = moves.iter().position(|&played| first == Some(played)) {
        moves.swap(0, at);
    }
}

struct Search<'a, S> {
    source: &'a S,
    /// The boards seen so far, by their hash: the level of the ranking, and whether a move mates or zeroes, once it was asked.
    seen: HashMap<u64, (u32, Option<bool>)>,
    /// The last move of the winner that reached a level low enough, and the last reply to which the level was too high. Mostly they are
    /// so again on the next board.
    sufficing: Option<Move>,
    refuting: Option<Move>,
    /// Whether no level and no outcome was missing.
    is_known: bool,
}

impl<S: Source> Search<'_, S> {
    /// The level of the ranking, whether or not a move mates or zeroes: its level is 0 then, which is no larger.
    fn ranked(&mut self, board: &Board) -> Result<u32> {
        if let Some(&(level, _)) = self.seen.get(&board.hash()) {
            return Ok(level);
        }
        let level = self.source.won_level(board)?.map(|(level, _)| level);
        self.is_known &= level.is_some();
        let level = level.unwrap_or(u32::MAX);
        self.seen.insert(board.hash(), (level, None));
        Ok(level)
    }

    /// Whether a move mates or zeroes, of a board seen before.
    fn wins_at_once(&mut self, board: &Board) -> Result<bool> {
        let Some((_, wins)) = self.seen.get_mut(&board.hash()) else { return Ok(false) };
        if let Some(wins) = *wins {
            return Ok(wins);
        }
        let found = wins_at_once(self.source, board)?;
        self.is_known &= found.is_some();
        *wins = Some(found == Some(true));
        Ok(found == Some(true))
    }

    /// The least value that the winner can force from `board` within `pairs` pairs of moves, and the move for it, by quiet moves. It
    /// is exact between `alpha` and `beta`; `beta` and no move if it is not below.
    fn lowest(
        &mut self,
        board: &Board,
        pairs: u8,
        alpha: Value,
        beta: Value,
    ) -> Result<(Value, Option<Move>)> {
        let (mut best, mut chosen) = (beta, None);
        if best <= alpha.max(LEAST) {
            return Ok((best, chosen));
        }
        let notation = Notation::new(board, false);
        let mut moves = Vec::new();
        let mut all = legal_moves(board);
        all.retain(|&played| !notation.is_zeroing(played));
        put_first(&mut all, self.sufficing);
        for played in all {
            let mut after = board.clone();
            after.play_unchecked(played);
            let of_reply = Notation::new(&after, false);
            // A zeroing reply ends the pairs.
            let mut quiet = legal_moves(&after);
            quiet.retain(|&reply| !of_reply.is_zeroing(reply));
            let made = |reply: Move| {
                let mut board = after.clone();
                board.play_unchecked(reply);
                board
            };
            if pairs > 1 {
                let mut positions = Vec::new();
                for reply in quiet.into_iter().map(made) {
                    positions.push((self.ranked(&reply)?, reply));
                }
                // The worst replies first, and the moves whose replies are best.
                positions.sort_by_key(|&(level, _)| std::cmp::Reverse(level));
                moves.push((positions.first().map_or(0, |&(level, _)| level), played, after, positions));
                continue;
            }
            put_first(&mut quiet, self.refuting);
            let mut worst = LEAST;
            for reply in quiet {
                let board = made(reply);
                let value = (self.ranked(&board)?, 1);
                if value > worst && !self.wins_at_once(&board)? {
                    worst = value;
                    if worst >= best {
                        self.refuting = Some(reply);
                        break;
                    }
                }
            }
            if worst < best && self.source.ruled(&after)? == Some(Wdl50::Loss) {
                (best, chosen) = (worst, Some(played));
                if best <= alpha.max(LEAST) {
                    self.sufficing = chosen;
                    break;
                }
            }
        }
        moves.sort_by_key(|&(worst, ..)| worst);
        for (_, played, after, positions) in moves {
            if best <= alpha.max(LEAST) {
                break;
            }
            if self.source.ruled(&after)? != Some(Wdl50::Loss) {
                continue;
            }
            let mut worst = LEAST;
            for (level, reply) in positions {
                if (level, 1) <= worst {
                    break;
                }
                if self.wins_at_once(&reply)? {
                    continue;
                }
                let less = |(level, pairs): Value| (level, pairs.saturating_sub(1));
                let ((least, after), _) =
                    self.lowest(&reply, pairs - 1, less(worst), less(best.min((level, 1))))?;
                worst = worst.max((level, 1).min((least, after + 1)));
                if worst >= best {
                    break;
                }
            }
            if worst < best {
                (best, chosen) = (worst, Some(played));
            }
        }
        Ok((best, chosen))
    }
}
