//! The stages of a table with distances to zeroing: words whose pawns are equally advanced, the most advanced first.
//!
//! Moves of pawns are then like conversions: they lead to positions of earlier stages, whose outcomes under the 50-move rule
//! are final. The alternative is to find all outcomes first, and then distances by quiet moves alone. It needs no stages as
//! long as no outcome is cursed. But a win in 40 plies must be preferred to a pawn move that leads to a cursed win, and which
//! wins are cursed follows from the distances: all passes would have to be repeated until nothing changes.
//!
//! A conversion that keeps the outcome under the rule counts 1, any other conversion 101, as in Syzygy's tables. So an outcome is
//! cursed or blessed if its distance is above 100.

use super::game::Numbering;
use super::rules::{Moves, Rules};
use super::sets::CHUNK;
use super::table::Metric;
use crate::error::Result;
use crate::outcome::Color;
use crate::scratch::Buffer;
use rayon::prelude::*;
use std::path::Path;

/// The words that are solved at a time: all words, or for distances to zeroing the words of one [stage](Moves::stage).
pub(super) struct Stage {
    /// The stage of each word; empty if there is one stage.
    of_words: Buffer,
    number: u8,
    /// The number of words in the stage.
    pub(super) words: usize,
    all: usize,
}

impl Stage {
    pub(super) fn new<G: Rules>(moves: &G::Moves, metric: Metric, scratch: Option<&Path>) -> Result<Self> {
        let all = moves.index().words() as usize;
        let mut of_words = Buffer::new(if metric == Metric::Dtz { all } else { 0 }, scratch)?;
        of_words.par_iter_mut().with_min_len(CHUNK).enumerate().for_each(|(word, stage)| {
            *stage = moves.stage(&moves.index().men(Color::White, word as u64));
        });
        Ok(Stage { of_words, number: 0, words: all, all })
    }

    /// The number of the stage that comes first, the greatest one.
    pub(super) fn first(&self) -> u8 {
        self.of_words.par_iter().copied().max().unwrap_or(0)
    }

    /// Goes to stage number `number`; returns whether it has words.
    pub(super) fn begin(&mut self, number: u8) -> bool {
        self.number = number;
        self.words = (0..self.all.div_ceil(CHUNK)).into_par_iter().map(|at| self.chunk(at).count()).sum();
        self.words > 0
    }

    /// The words of the stage in chunk number `chunk`, ascending.
    pub(super) fn chunk(&self, chunk: usize) -> impl Iterator<Item = usize> + use<'_> {
        let words = chunk * CHUNK..self.all.min((chunk + 1) * CHUNK);
        words.filter(|&word| self.of_words.get(word).is_none_or(|&stage| stage == self.number))
    }
}
