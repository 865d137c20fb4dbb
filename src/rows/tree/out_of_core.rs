//! Trees from more rows than fit in memory.
//!
//! Only the numbers of the rows are stored (`row_lists`). A subtree of many rows is drafted from a sample, in which rare
//! classes are whole. All its rows are then sent to the ends of the draft, and each end is treated in the same way: it becomes
//! a leaf if its rows are of one class or cost less as a leaf, and its subtree is grown in memory if it has few rows. Only the
//! rows in samples and in memory have all their parts computed. This follows BOAT (Gehrke, Ganti, Ramakrishnan and Loh 1999),
//! without its check whether the sample was misleading: every draft gives a right tree, though not always the best.

use super::decision_tree::leaf;
use super::grower::Grower;
use super::node_rows::{Half, NodeRows};
use super::router::Router;
use super::row_lists::{Drawn, LeafRows, Place, RowLists, RowRange, Stop};
use super::{DecisionTree, Node};
use crate::error::Result;
use crate::rows::{Numbered, Rows};
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

/// A node of a draft: a test with its price, or `None` for an end.
type DraftNode = Option<(Node, f64)>;

/// Returns the tree of `rows`, its price, and the rows of its leaves.
///
/// # Errors
/// [`ErrorKind::Cancelled`](crate::error::ErrorKind::Cancelled).
pub(super) fn grow(grower: Grower<'_>, rows: &dyn Rows) -> Result<(DecisionTree, f64, LeafRows)> {
    let grower = &grower.with_share(SHARE);
    let mut lists = RowLists::new(rows, &|| grower.asked_to_stop(), grower.options.storage)?;
    let growing = Growing { grower, rows };
    let Subtree { nodes, bits, leaves, .. } = growing.grow(lists.root());
    let (tree, bits) = grower.finish((nodes, bits))?;
    Ok((tree, bits, lists.into_leaf_rows(leaves)))
}

struct Growing<'a> {
    grower: &'a Grower<'a>,
    rows: &'a dyn Rows,
}

/// A subtree in preorder, its price, the number of its rows of each class, and the runs of its leaves.
#[derive(Default)]
struct Subtree {
    nodes: Vec<Node>,
    bits: f64,
    tally: Vec<u64>,
    leaves: Vec<Vec<RowRange>>,
}

impl Growing<'_> {
    fn grow(&self, place: Place<'_>) -> Subtree {
        let (grower, tally) = (self.grower, place.tally());
        if grower.is_cancelled() {
            return Subtree { tally, ..Subtree::default() };
        }
        if grower.is_leaf(&tally) {
            return self.leaf(tally, place.runs());
        }
        let stop: Stop<'_> = &|| grower.asked_to_stop();
        if place.rows() as u64 <= grower.options.few {
            let rows = NodeRows::new(self.rows, &place.lists(), vec![1.0; tally.len()]);
            let (nodes, bits) = grower.build(Cow::Borrowed(&rows));
            if grower.is_cancelled() {
                return Subtree { tally, ..Subtree::default() };
            }
            let router = Router::new(nodes.iter().map(Node::interval));
            let count = nodes.iter().filter(|node| node.interval().is_none()).count();
            let leaves = place.sort(&rows.leaves(&router), count);
            return Subtree { nodes, bits, tally, leaves };
        }
        let draft = self.draft(&place);
        let ends = draft.iter().filter(|node| node.is_none()).count();
        if ends < 2 {
            return self.leaf(tally, place.runs());
        }
        let router =
            Router::new(draft.iter().map(|node| node.as_ref().and_then(|(test, _)| test.interval())));
        let places = place.send((self.rows, stop), ends, &|row| router.walk(|variable| row.part(variable)));
        if grower.is_cancelled() {
            return Subtree { tally, ..Subtree::default() };
        }
        let subtrees: Vec<Subtree> = places.into_par_iter().map(|place| self.grow(place)).collect();
        self.join(&mut draft.iter(), &mut subtrees.into_iter())
    }

    fn leaf(&self, tally: Vec<u64>, runs: Vec<RowRange>) -> Subtree {
        self.grower.add_leaf(&tally);
        Subtree { nodes: vec![leaf(&tally)], bits: self.grower.leaf_bits(&tally), tally, leaves: vec![runs] }
    }

    /// Returns a draft of the place's subtree from a sample of its rows, in preorder.
    fn draft(&self, place: &Place<'_>) -> Vec<DraftNode> {
        let tally = place.tally();
        let wanted = (place.rows() / STEP).clamp(2 * LEAST, MOST);
        let room = wanted / tally.len();
        let steps: Vec<usize> = tally.iter().map(|&count| (count as usize).div_ceil(room).max(1)).collect();
        let sample = place.sample(&steps);
        let lists: Vec<Vec<Numbered<'_>>> =
            sample.iter().map(|pieces| pieces.iter().map(Drawn::numbered).collect()).collect();
        let rows = NodeRows::new(self.rows, &lists, steps.iter().map(|&step| step as f32).collect());
        self.draft_of(rows, &steps, true)
    }

    fn draft_of(&self, rows: NodeRows, steps: &[usize], is_root: bool) -> Vec<DraftNode> {
        let expected: Vec<u64> =
            rows.tally().iter().zip(steps).map(|(&count, &step)| count * step as u64).collect();
        let count: u64 = expected.iter().sum();
        let ends = !is_root
            && (count <= self.grower.options.few || rows.len() < LEAST || self.grower.is_leaf(&expected));
        let Some((test, live)) = (if ends { None } else { self.grower.test(&rows) }) else {
            return vec![None];
        };
        let node = Some((test.node(rows.variable(test.column.into())), test.bits.into()));
        let (a, b) = rows.into_halves(&test, &live, &|_| false);
        let grown = |half| match half {
            Half::Rows(rows) => self.draft_of(rows, steps, false),
            Half::Leaf(_) => vec![None],
        };
        let (first, second) = rayon::join(|| grown(a), || grown(b));
        [vec![node], first, second].concat()
    }

    /// Puts the subtrees at the ends of a draft, and replaces tests by a leaf where that costs less.
    fn join(
        &self,
        draft: &mut std::slice::Iter<'_, DraftNode>,
        subtrees: &mut impl Iterator<Item = Subtree>,
    ) -> Subtree {
        let Some(Some((test, test_bits))) = draft.next() else {
            return subtrees.next().unwrap_or_default();
        };
        let mut first = self.join(draft, subtrees);
        let second = self.join(draft, subtrees);
        first.leaves.extend(second.leaves);
        let tally: Vec<u64> = first.tally.iter().zip(&second.tally).map(|(a, b)| a + b).collect();
        let (bits, leaf_bits) = (test_bits + first.bits + second.bits, self.grower.leaf_bits(&tally));
        if leaf_bits <= bits {
            // Subtrees that were cancelled have no leaves.
            self.grower.remove_leaves((first.leaves.len() as u64).saturating_sub(1), bits - leaf_bits);
            let leaves = vec![first.leaves.concat()];
            return Subtree { nodes: vec![leaf(&tally)], bits: leaf_bits, tally, leaves };
        }
        let nodes = [vec![test.clone()], first.nodes, second.nodes].concat();
        Subtree { nodes, bits, tally, leaves: first.leaves }
    }
}
