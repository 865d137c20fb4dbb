//! A tree of tests, grown from rows: disjoint cubes that share prefixes, with minterm exceptions where they cost less than
//! tests.
//!
//! Trees are grown by splits of most gain for a coded bit, improved by rollouts (`grower`). Rows in memory are held by
//! class and column (`node_rows`), counted part by part (`histogram`) and cut by byte compression
//! (`partition`). Of more rows than are held the numbers are kept (`row_lists`, `out_of_core`).

mod decision_tree;
mod grow;
mod grower;
mod histogram;
mod leaf;
mod node_rows;
mod out_of_core;
mod partition;
mod router;
mod row_lists;
mod split;
#[cfg(test)]
mod tests;

pub use decision_tree::{DecisionTree, Node};
pub use grow::{Gathered, Grown, grow, leaf_rows};
pub use out_of_core::MOST_IN_PARALLEL;
pub use router::Interval;
pub use row_lists::LeafRows;

use crate::error::Result;
use espresso::Monitor;
use std::ops::DerefMut;

/// Words that are kept for as long as a tree grows.
pub type Words = Box<dyn DerefMut<Target = [u32]> + Send + Sync>;

/// Where long arrays are put that memory has no room for.
pub trait Storage: Sync + std::fmt::Debug {
    /// Returns `words` words, all 0.
    ///
    /// # Errors
    /// When there is no room for them.
    fn room(&self, words: usize) -> Result<Words>;
}

/// How much is tried, and the callback for progress.
#[derive(Clone, Copy, Debug)]
pub struct TreeOptions<'a> {
    /// Tests of a large node that are followed to the end, more of small ones; with 1 there are no rollouts.
    pub width: usize,
    /// The most rows of a node on which rollouts are made; of larger nodes they see a sample of this size. Out of core they see
    /// half of the rows at hand where that is more.
    pub sample: usize,
    /// Rows up to which a tree is grown of all of them at once; of more it is grown out of core.
    pub held: u64,
    /// Out of core, rows of a place of the tree up to which its subtree is grown of all of them. Of more than
    /// [`MOST_IN_PARALLEL`] one place is grown at a time.
    pub few: u64,
    /// Storage for eight bytes a row, out of core; memory by default. It makes no difference to the tree.
    pub storage: Option<&'a dyn Storage>,
    /// Told how many rows have a leaf, and of the tree so far: its leaves and what these and the tests cost, which falls
    /// where tests turn out not to be worth it.
    pub progress: Monitor<'a>,
}

impl Default for TreeOptions<'_> {
    /// Four candidates, on up to 2^15 rows; 2^23 rows are held.
    fn default() -> Self {
        TreeOptions {
            width: 4,
            sample: 1 << 15,
            held: 1 << 23,
            few: 1 << 15,
            storage: None,
            progress: Monitor::default(),
        }
    }
}

/// The coded size, in bits, of what a tree is made of, and the time of its tests as bits. The caller knows how its trees
/// are coded and walked; growing them asks nothing else.
pub trait Price: Sync {
    /// Bits of a test of `low..=high` in `variable`, without its children.
    fn test(&self, variable: usize, low: u8, high: u8) -> f32;

    /// Bits of a leaf whose rows are divided as `counts` says, a number for each class: that it is a leaf, the class of
    /// most rows, and the others as exceptions. At least one count is not zero.
    fn leaf(&self, counts: &[u64]) -> f32;

    /// Bits that a test of `variable` costs beyond that for each row that meets it: what the answer of that row is worth
    /// sooner. Not below 0.
    fn row(&self, _variable: usize) -> f32 {
        0.0
    }

    /// A lower bound of [`Price::test`] with two leaves below it.
    fn least_test(&self) -> f32;
}
