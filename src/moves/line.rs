//! The line of best play by distances to zeroing.

use super::board::Root;
use super::distance::Source;
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
        Self::of_root(tables, Root::read(fen)?)
    }

    pub(super) fn of_root(source: &impl Source, mut root: Root) -> Result<Self> {
        let mut answer = Moves::of_root(source, &root)?;
        let (turn, category, dtz) = (answer.turn, answer.category, answer.dtz);
        let mut moves = Vec::new();
        let end = loop {
            let best = match answer.outcome {
                _ if answer.checkmate => break LineEnd::Mate,
                Some(Wdl::Draw) => break LineEnd::Draw,
                _ if root.clock() >= FIFTY_MOVES => break LineEnd::FiftyMoves,
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
