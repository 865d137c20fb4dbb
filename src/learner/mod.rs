//! Decision trees learned from rows. A row is a care minterm with its class. Nothing here is about chess.
//!
//! A minimizer of covers, such as the crate `espresso`, compares cubes with cubes, and so needs ON- and OFF-sets of few cubes.
//! Here a function has hundreds of multi-valued variables, all computed from a few underlying ones, and has no small
//! ON- and OFF-sets to begin with. The values of each variable are ordered.
//!
//! The result is a [`DecisionTree`]: disjoint cubes that share tests, with minterm exceptions where these cost less than tests.
//! The caller sets the cost of a test and a leaf ([`CostModel`]), because it knows how they will be coded.
//!
//! A node is split by the test with the most gain per coded bit, and rollouts improve the choice (`grower`, `split`). Rows in
//! memory are stored by class and column (`node_rows`), counted value by value (`histogram`) and split by vector shuffles
//! (`partition`). If the rows do not fit in memory, only their numbers are stored (`row_lists`, `out_of_core`).
//! New bytes (see ARCHITECTURE.md): another split or leaf makes another tree and file with the same answers. Free: `cpu`.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod cost_model;
mod cpu;
mod dataset;
mod decision_tree;
mod grower;
mod histogram;
mod many_classes;
#[cfg(test)]
mod many_classes_tests;
#[cfg(test)]
mod memory_rows;
mod node_rows;
mod out_of_core;
mod partition;
mod row_lists;
mod source;
mod split;
mod staged;
#[cfg(test)]
mod tests;

pub use cost_model::CostModel;
pub use cpu::check_vector_level;
pub use dataset::Dataset;
pub use decision_tree::{DecisionTree, LeafRows, Node};
pub use many_classes::{ClassCounts, ClassTree, grow_classes};
pub use out_of_core::grow_out_of_core;
pub use row_lists::RowsOfLeaves;
pub use source::{Parts, RowIds, Rows, tally};
pub use staged::{StagedRows, StagedTree};

use espresso::Monitor;
use std::path::Path;

/// The default of [`TreeOptions::few`].
pub const FEW: u64 = 1 << 15;

/// Effort and memory limits, and the callback for progress.
#[derive(Clone, Copy, Debug)]
pub struct TreeOptions<'a> {
    /// Candidate tests of a large node; small nodes have more. With 1 there are no rollouts.
    pub width: usize,
    /// The most rows that rollouts see. For a larger node they see a sample of about this size with all rows of rare classes; out
    /// of core, half of the rows in memory if that is more.
    pub sample: usize,
    /// Out of core, the most rows of a subtree that is grown in memory. Several subtrees are grown at the same time.
    pub few: u64,
    /// Out of core, a directory for scratch files of eight bytes a row; memory by default. The tree does not depend on it.
    pub scratch: Option<&'a Path>,
    /// Receives the number of rows that have a leaf, the number of leaves, and the bits of leaves and tests so far. The last two
    /// fall when a leaf replaces a subtree.
    pub progress: Monitor<'a>,
}

impl Default for TreeOptions<'_> {
    /// Four candidates, and samples of 2^15 rows.
    fn default() -> Self {
        TreeOptions { width: 4, sample: 1 << 15, few: FEW, scratch: None, progress: Monitor::default() }
    }
}

impl TreeOptions<'_> {
    /// The number of candidates of a node with `rows` rows, at most `most`. Small nodes have cheaper rollouts, and so more of them:
    /// the width grows with the fourth root of sample / rows.
    fn width_of(&self, rows: usize, most: usize) -> usize {
        if self.width < 2 {
            return 1;
        }
        let root = (self.sample / rows.max(1)).max(1).isqrt();
        // The fourth root in halves, so that the width grows smoothly.
        let halves = (4 * root).isqrt();
        (self.width * halves / 2).min(most)
    }
}
