//! The memory that solving one table takes, its sub-tables apart: counted from what the solver holds.

use super::index::Index;
use super::table::{Metric, WORD_BYTES};
use crate::position::Material;

/// Numbers of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SolverMemory {
    /// At the peak of the run.
    pub(super) peak: u64,
    /// What of it stays in memory when there are scratch files for the others.
    pub(super) least: u64,
    /// Of the finished table.
    pub(super) table: u64,
}

impl SolverMemory {
    /// What [`solve`](super::solve::solve) needs for the table of `material`.
    pub(super) fn new(material: &Material, metric: Metric) -> Self {
        let index = Index::new(material);
        let words = index.words();
        let stored = material.stored_turns().len() as u64;
        // While solving five sets for each side to move; then, when the table is written out, two, and its planes.
        let sets = 2 * 5 * 8;
        let (word, distances) = (64, metric != Metric::Wdl);
        let solving = sets + if distances { 2 * (2 * word + 2) } else { 0 };
        let stored_word = stored * (WORD_BYTES as u64 + if distances { word } else { 0 });
        let writing =
            2 * 2 * 8 + stored * WORD_BYTES as u64 + if distances { 2 * 2 * word + word } else { 0 };
        // Where positions with an en-passant file are legal.
        let legal = 2 * 8 * (words - index.main_words());
        SolverMemory {
            peak: words * solving.max(writing) + legal,
            least: words * 2 * 8 + legal,
            table: words * stored_word,
        }
    }
}
