//! The line of best play by distances to zeroing.

use super::board::Root;
use super::distance::Source;
use super::outcome::has_move;
use super::plan::{self, Plan};
use super::{Move, Moves};
use crate::chess::position::{Color, Wdl};
use crate::error::Result;
use crate::outcome::{FIFTY_MOVES, Wdl50};
use crate::probe::Tables;
use std::cmp::Reverse;

/// The end of a [`Line`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineEnd {
    /// The last move is checkmate.
    Mate,
    /// The position is drawn without the 50-move rule.
    Draw,
    /// The halfmove clock has come to 100, and either side may claim a draw.
    FiftyMoves,
    /// No table has the distance of the next position.
    Unknown,
}

/// Best play of both sides from a position: the winner takes the shortest way to zeroing, and the loser the longest, until mate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// The side to move of the position.
    pub turn: Color,
    /// The outcome of the position under the 50-move rule, as in [`Moves::category`].
    pub category: Option<Wdl50>,
    /// The distance to zeroing of the position, as in [`Moves::dtz`].
    pub dtz: Option<i32>,
    /// The moves of both sides in turn.
    pub moves: Vec<Move>,
    /// The reason why the line ends.
    pub end: LineEnd,
}

impl Line {
    /// Returns best play from the position in Forsyth-Edwards Notation. Of equal moves the first in [`Moves::moves`] is played. A
    /// drawn position has no moves. Ends as lichess's server does: by mate, or with a halfmove clock of 100.
    ///
    /// # Errors
    /// Those of [`Moves::of`].
    pub fn of(tables: &Tables, fen: &str) -> Result<Self> {
        Self::of_root(tables, Root::read(fen)?, false)
    }

    /// [`Line::of`] with the winner's moves by a ranking alone ([`Plan`]). The loser takes the longest way by distances; without
    /// distances, to the position of the highest level.
    ///
    /// # Errors
    /// Those of [`Moves::of`].
    pub fn of_plan(tables: &Tables, fen: &str) -> Result<Self> {
        Self::of_root(tables, Root::read(fen)?, true)
    }

    pub(super) fn of_root(source: &impl Source, mut root: Root, is_plan: bool) -> Result<Self> {
        let mut answer = Moves::of_root(source, &root)?;
        let (turn, category, dtz) = (answer.turn, answer.category, answer.dtz);
        let mut moves = Vec::new();
        let end = loop {
            let best = match answer.outcome {
                _ if answer.checkmate => break LineEnd::Mate,
                Some(Wdl::Draw) => break LineEnd::Draw,
                _ if root.clock() >= FIFTY_MOVES => break LineEnd::FiftyMoves,
                Some(Wdl::Win) if is_plan => {
                    let uci = Plan::of_root(source, &root)?.map(|plan| plan.uci);
                    answer.moves.into_iter().find(|played| Some(&played.uci) == uci.as_ref())
                }
                Some(Wdl::Loss) if is_plan && answer.dtz.is_none() => {
                    let (mut best, mut most) = (None, None);
                    for played in answer.moves {
                        let mut after = root.clone();
                        after.play(&played.uci)?;
                        let level = plan::level_of(source, &after.board)?;
                        let level = if played.zeroing || !has_move(&after.board) { Some(0) } else { level };
                        if level > most {
                            (best, most) = (Some(played), level);
                        }
                    }
                    best
                }
                Some(Wdl::Win) if answer.dtz.is_some() => {
                    let keeps = |played: &Move| played.outcome == Some(Wdl::Win);
                    let known =
                        answer.moves.into_iter().filter(|played| keeps(played) && played.dtz.is_some());
                    known.min_by_key(Move::plies)
                }
                Some(Wdl::Loss) if answer.dtz.is_some() => {
                    answer.moves.into_iter().min_by_key(|played| Reverse(played.plies()))
                }
                _ => None,
            };
            let Some(best) = best else { break LineEnd::Unknown };
            root.play(&best.uci)?;
            moves.push(best);
            answer = Moves::of_root(source, &root)?;
        };
        Ok(Line { turn, category, dtz, moves, end })
    }
}
