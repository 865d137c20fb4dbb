//! Trees from more rows than fit in memory.
//!
//! Only the numbers of the rows are stored (`row_lists`). A subtree of many rows is drafted from a sample, in which rare
//! classes are whole. All its rows are then sorted by the ends of the draft, and each end is treated in the same way: it becomes
//! a leaf if its rows are of one class or cost less as a leaf, and its subtree is grown in memory if it has few rows. All parts
//! are computed only for the rows in samples and in memory. This follows BOAT (Gehrke, Ganti, Ramakrishnan and Loh 1999), without
//! its check whether the sample was misleading: every draft gives a right tree, though not always the best.

use super::dataset::check;
use super::decision_tree::leaf;
use super::grower::Grower;
use super::node_rows::{NodeRows, SplitSide};
use super::row_lists::{RowLists, RowPartition, RowRange, RowsOfLeaves, Sample, Stop};
use super::{CostModel, DecisionTree, Node, TreeOptions};
use crate::error::Result;
use crate::learner::{RowIds, Rows};
use crate::nodes::{self, Router};
use rayon::prelude::*;
use std::borrow::Cow;

/// Rollouts see at least one in this many of the rows in memory.
const SHARE: usize = 2;
/// A sample has one in this many of the rows, within limits.
const STEP: usize = 16;
/// The most rows of a sample.
const MOST: usize = 1 << 18;
/// The least rows of a sample from which a test is chosen below the root of a draft.
const LEAST: usize = 1 << 12;

/// A node of a draft, and the cost of a test. A leaf is an end of the draft.
type DraftNode = (nodes::Node<()>, f64);

const END: DraftNode = (nodes::Node::Leaf(()), 0.0);

/// Returns a tree of `rows`, and the rows of its leaves. Deterministic for any number of threads.
///
/// # Errors
/// [`ErrorKind::Cancelled`] if the callback asks for it; [`ErrorKind::Io`] if [`TreeOptions::scratch`] has no room; those of
/// [`Dataset::new`](super::Dataset::new).
///
/// [`ErrorKind::Cancelled`]: crate::error::ErrorKind::Cancelled
/// [`ErrorKind::Io`]: crate::error::ErrorKind::Io
pub fn grow_out_of_core(
    rows: &dyn Rows,
    costs: &CostModel<'_>,
    options: &TreeOptions<'_>,
) -> Result<(DecisionTree, RowsOfLeaves)> {
    check(rows)?;
    let grower = &Grower::new(costs, options, rows.count()).with_share(SHARE);
    let mut lists = RowLists::new(rows, &|| grower.asked_to_stop(), options.scratch)?;
    let Subtree { nodes, bits, leaves, .. } = Growing { grower, rows }.grow(lists.root());
    Ok((grower.finish(nodes, bits)?, lists.into_leaf_rows(leaves)))
}

struct Growing<'a> {
    grower: &'a Grower<'a>,
    rows: &'a dyn Rows,
}

/// A subtree in preorder, its cost, the number of its rows of each class, and the runs of its leaves.
#[derive(Default)]
struct Subtree {
    nodes: Vec<Node>,
    bits: f64,
    tally: Vec<u64>,
    leaves: Vec<Vec<RowRange>>,
}

impl Growing<'_> {
    fn grow(&self, partition: RowPartition<'_>) -> Subtree {
        let (grower, tally) = (self.grower, partition.tally());
        if grower.is_cancelled() {
            return Subtree { tally, ..Subtree::default() };
        }
        if grower.is_leaf(&tally) {
            return self.leaf(tally, partition.runs());
        }
        let stop: Stop<'_> = &|| grower.asked_to_stop();
        if partition.rows() as u64 <= grower.options.few {
            let rows = NodeRows::new(self.rows, &partition.lists(), vec![1.0; tally.len()]);
            let mut nodes = Vec::new();
            let bits = grower.build(Cow::Borrowed(&rows), &mut nodes);
            if grower.is_cancelled() {
                return Subtree { tally, ..Subtree::default() };
            }
            let count = nodes.iter().filter_map(Node::leaf).count();
            let leaves = partition.sort(&rows.leaves(&Router::new(&nodes)), count);
            return Subtree { nodes, bits, tally, leaves };
        }
        let mut draft = Vec::new();
        self.draft(&partition, &mut draft);
        let tests: Vec<nodes::Node<()>> = draft.iter().map(|(node, _)| *node).collect();
        let ends = tests.iter().filter_map(nodes::Node::leaf).count();
        if ends < 2 {
            return self.leaf(tally, partition.runs());
        }
        let router = Router::new(&tests);
        let partitions = partition.partition_by((self.rows, stop), ends, &router);
        if grower.is_cancelled() {
            return Subtree { tally, ..Subtree::default() };
        }
        let subtrees: Vec<Subtree> =
            partitions.into_par_iter().map(|partition| self.grow(partition)).collect();
        let mut joined = Subtree::default();
        self.join(&mut draft.iter(), &mut subtrees.into_iter(), &mut joined);
        joined
    }

    fn leaf(&self, tally: Vec<u64>, runs: Vec<RowRange>) -> Subtree {
        self.grower.add_leaf(&tally);
        Subtree { nodes: vec![leaf(&tally)], bits: self.grower.leaf_bits(&tally), tally, leaves: vec![runs] }
    }

    /// Appends a draft of the partition's subtree, from a sample of its rows, in preorder to `draft`.
    fn draft(&self, partition: &RowPartition<'_>, draft: &mut Vec<DraftNode>) {
        let tally = partition.tally();
        let wanted = (partition.rows() / STEP).clamp(2 * LEAST, MOST);
        let room = wanted / tally.len();
        let steps: Vec<usize> = tally.iter().map(|&count| (count as usize).div_ceil(room).max(1)).collect();
        let sample = partition.sample(&steps);
        let lists: Vec<Vec<RowIds<'_>>> =
            sample.iter().map(|pieces| pieces.iter().map(Sample::numbered).collect()).collect();
        let rows = NodeRows::new(self.rows, &lists, steps.iter().map(|&step| step as f32).collect());
        self.draft_of(rows, &steps, true, draft);
    }

    fn draft_of(&self, rows: NodeRows, steps: &[usize], is_root: bool, draft: &mut Vec<DraftNode>) {
        let expected: Vec<u64> =
            rows.tally().iter().zip(steps).map(|(&count, &step)| count * step as u64).collect();
        let count: u64 = expected.iter().sum();
        let ends = !is_root
            && (count <= self.grower.options.few || rows.len() < LEAST || self.grower.is_leaf(&expected));
        let Some((test, live)) = (if ends { None } else { self.grower.test(&rows) }) else {
            return draft.push(END);
        };
        let node = nodes::Node::Test(test.test(rows.variable(test.column.into())));
        draft.push((node, test.bits.into()));
        let (a, b) = rows.into_halves(&test, &live, &|_| false);
        let grow = |half, draft: &mut Vec<DraftNode>| match half {
            SplitSide::Rows(rows) => self.draft_of(rows, steps, false, draft),
            SplitSide::Leaf(_) => draft.push(END),
        };
        let mut second = Vec::new();
        rayon::join(|| grow(a, draft), || grow(b, &mut second));
        draft.append(&mut second);
    }

    /// Puts the subtrees at the ends of a draft, and replaces tests by a leaf where that costs less. Appends the nodes and leaves
    /// to `joined`, and sets its cost and tally.
    fn join(
        &self,
        draft: &mut std::slice::Iter<'_, DraftNode>,
        subtrees: &mut impl Iterator<Item = Subtree>,
        joined: &mut Subtree,
    ) {
        let Some(&(nodes::Node::Test(test), test_bits)) = draft.next() else {
            let mut subtree = subtrees.next().unwrap_or_default();
            joined.nodes.append(&mut subtree.nodes);
            joined.leaves.append(&mut subtree.leaves);
            (joined.bits, joined.tally) = (subtree.bits, subtree.tally);
            return;
        };
        let (start, first_leaf) = (joined.nodes.len(), joined.leaves.len());
        joined.nodes.push(Node::Test(test));
        self.join(draft, subtrees, joined);
        let (first_bits, first_tally) = (joined.bits, std::mem::take(&mut joined.tally));
        self.join(draft, subtrees, joined);
        joined.tally.iter_mut().zip(first_tally).for_each(|(all, first)| *all += first);
        joined.bits += test_bits + first_bits;
        let leaf_bits = self.grower.leaf_bits(&joined.tally);
        // Subtrees that were cancelled have no leaves.
        if leaf_bits <= joined.bits && joined.leaves.len() > first_leaf {
            let runs: Vec<RowRange> = joined.leaves.drain(first_leaf..).flatten().collect();
            let leaves = joined.nodes[start..].iter().filter_map(Node::leaf).count() as u64;
            self.grower.remove_leaves(leaves - 1, joined.bits - leaf_bits);
            joined.nodes.truncate(start);
            joined.nodes.push(leaf(&joined.tally));
            joined.leaves.push(runs);
            joined.bits = leaf_bits;
        }
    }
}
