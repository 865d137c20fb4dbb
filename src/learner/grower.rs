//! Growing a tree from rows in memory: rollouts choose the test of a node, then its two subtrees are grown.
//!
//! A rollout completes the subtree of a candidate test greedily; the candidate whose subtree has the fewest coded bits is
//! taken (Bertsekas, Tsitsiklis and Wu 1997). A leaf with exceptions replaces a subtree that does not code shorter (minimum
//! description length).

use super::decision_tree::{is_pure, leaf};
use super::node_rows::{NodeRows, SplitSide};
use super::split::{Candidate, OFFSET, SplitSearch, Splitting, best_tests, insert, most_gain};
use super::{CostModel, DecisionTree, Node, TreeOptions};
use crate::error::{Error, ErrorKind, Result};
use espresso::Progress;
use rayon::prelude::*;
use std::borrow::Cow;
use std::cmp::Ordering::Greater;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A rollout stops when it is this many bits worse than the best. This is more than the rounding error of the sums, so that
/// candidates of equal cost do not depend on rounding or the order of threads.
pub(super) const ROUNDING: f64 = 1e-3;

const MAX_WIDTH: usize = 64;

/// The least rows of a node whose work is shared between threads.
const PARALLEL: usize = 1 << 11;

/// The settings and costs of a growth.
pub(super) struct Grower<'a> {
    costs: &'a CostModel<'a>,
    pub(super) options: &'a TreeOptions<'a>,
    /// The bits of the cheapest test of each variable.
    least_bits: Vec<f32>,
    /// Rollouts see at least one in this many of a node's rows.
    share: usize,
    rows: u64,
    undecided: AtomicU64,
    cubes: AtomicU64,
    /// In units of 1 / [`FRACTION`] bit.
    bits: AtomicU64,
    cancelled: AtomicBool,
}

/// The cost of a growing tree is summed in integers of 1 / `FRACTION` bit, so that the order does not matter.
const FRACTION: f64 = 1024.0;

#[allow(clippy::cast_sign_loss)] // Costs are not negative.
fn fractions(bits: f64) -> u64 {
    (bits * FRACTION) as u64
}

impl<'a> Grower<'a> {
    /// Returns a grower for a tree of `rows` rows.
    pub(super) fn new(costs: &'a CostModel<'a>, options: &'a TreeOptions<'a>, rows: u64) -> Self {
        Grower {
            least_bits: costs.least_tests(),
            costs,
            options,
            share: usize::MAX,
            rows,
            undecided: AtomicU64::new(rows),
            cubes: AtomicU64::new(0),
            bits: AtomicU64::new(0),
            cancelled: AtomicBool::new(false),
        }
    }

    /// Makes rollouts see at least one in `share` of a node's rows.
    pub(super) fn with_share(self, share: usize) -> Self {
        Grower { share, ..self }
    }

    /// Returns the finished tree.
    ///
    /// # Errors
    /// [`ErrorKind::Cancelled`] if the callback cancelled.
    pub(super) fn finish(&self, nodes: Vec<Node>, bits: f64) -> Result<DecisionTree> {
        if self.is_cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, "cancelled while a tree was grown"));
        }
        Ok(DecisionTree { nodes, bits })
    }

    pub(super) fn leaf_bits(&self, counts: &[u64]) -> f64 {
        self.costs.leaf(counts).into()
    }

    /// Adds a leaf of rows with the given counts to the progress.
    pub(super) fn add_leaf(&self, counts: &[u64]) {
        let rows: u64 = counts.iter().sum();
        self.undecided.fetch_sub(rows, Ordering::Relaxed);
        self.cubes.fetch_add(1, Ordering::Relaxed);
        self.add_bits(self.leaf_bits(counts));
        self.report();
    }

    /// Subtracts the leaves and bits of a subtree that a leaf replaces from the progress.
    pub(super) fn remove_leaves(&self, leaves: u64, bits: f64) {
        self.cubes.fetch_sub(leaves, Ordering::Relaxed);
        self.bits.fetch_sub(fractions(bits), Ordering::Relaxed);
        self.report();
    }

    fn add_bits(&self, bits: f64) {
        self.bits.fetch_add(fractions(bits), Ordering::Relaxed);
    }

    /// Reports the progress, and notes whether the callback cancels.
    fn report(&self) {
        let decided = self.rows - self.undecided.load(Ordering::Relaxed);
        let bits = self.bits.load(Ordering::Relaxed) as f64 / FRACTION;
        let progress = Progress::new("tree", decided, self.rows, "rows")
            .with_result(self.cubes.load(Ordering::Relaxed), bits);
        if self.options.progress.report(&progress).is_err() {
            self.cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the counts alone make a node a leaf.
    pub(super) fn is_leaf(&self, counts: &[u64]) -> bool {
        is_pure(counts) || self.costs.leaf(counts) <= self.costs.least_test || self.is_cancelled()
    }

    /// Whether the callback cancelled. The tree is then discarded and need not be right.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Reports the progress; returns whether the callback cancelled, now or before.
    pub(super) fn asked_to_stop(&self) -> bool {
        self.report();
        self.is_cancelled()
    }

    /// Returns the test of a node that rollouts find best, and the node's live columns; `None` if no test separates its rows.
    pub(super) fn test(&self, rows: &NodeRows) -> Option<(Candidate, Vec<u16>)> {
        let look = self.look(rows, self.options.width_of(rows.len(), MAX_WIDTH));
        let chosen = *self.choose(rows, &look)?;
        self.add_bits(chosen.bits.into());
        Some((chosen, look.live))
    }

    /// Appends the subtree of a node in preorder to `nodes`, and returns its cost.
    pub(super) fn build(&self, rows: Cow<'_, NodeRows>, nodes: &mut Vec<Node>) -> f64 {
        let counts = rows.tally();
        let test = if self.is_leaf(&counts) { None } else { self.test(&rows) };
        let Some((chosen, live)) = test else { return self.end(&counts, nodes) };
        let (start, count) = (nodes.len(), rows.len());
        nodes.push(Node::Test(chosen.test(rows.variable(chosen.column.into()))));
        let is_leaf = |counts: &[u64]| self.is_leaf(counts);
        let (a, b) = match rows {
            Cow::Borrowed(rows) => rows.split(&chosen, &live, &is_leaf),
            Cow::Owned(rows) => rows.into_halves(&chosen, &live, &is_leaf),
        };
        let (first_bits, second_bits) = if count >= PARALLEL {
            let mut second = Vec::new();
            let bits = rayon::join(|| self.build_half(a, nodes), || self.build_half(b, &mut second));
            nodes.append(&mut second);
            bits
        } else {
            (self.build_half(a, nodes), self.build_half(b, nodes))
        };
        let bits = f64::from(chosen.bits) + first_bits + second_bits;
        let leaf_bits = self.leaf_bits(&counts);
        if leaf_bits <= bits && !self.is_cancelled() {
            let leaves = nodes[start..].iter().filter_map(Node::leaf).count();
            self.remove_leaves(leaves as u64 - 1, bits - leaf_bits);
            nodes.truncate(start);
            nodes.push(leaf(&counts));
            return leaf_bits;
        }
        bits
    }

    fn build_half(&self, half: SplitSide, nodes: &mut Vec<Node>) -> f64 {
        match half {
            SplitSide::Leaf(counts) => self.end(&counts, nodes),
            SplitSide::Rows(rows) => self.build(Cow::Owned(rows), nodes),
        }
    }

    /// Appends the leaf of rows with the given counts to `nodes`, and returns its cost.
    fn end(&self, counts: &[u64], nodes: &mut Vec<Node>) -> f64 {
        if self.is_cancelled() {
            return 0.0;
        }
        self.add_leaf(counts);
        nodes.push(leaf(counts));
        self.leaf_bits(counts)
    }

    /// Returns the candidate that rollouts find cheapest.
    fn choose<'c>(&self, rows: &NodeRows, look: &'c SplitSearch) -> Option<&'c Candidate> {
        if look.candidates.len() < 2 {
            return look.candidates.first();
        }
        let sample;
        let wanted = self.options.sample.max(rows.len() / self.share);
        let rows = if rows.len() > wanted {
            sample = rows.sample(wanted);
            &sample
        } else {
            rows
        };
        let columns = look.rollout_columns();
        let best = AtomicU64::new(f64::INFINITY.to_bits());
        let follow = |candidate: &Candidate| {
            let (a, b) = rows.split(candidate, &columns, &|counts| self.is_leaf(counts));
            let bound = f64::from_bits(best.load(Ordering::Relaxed)) + ROUNDING - f64::from(candidate.bits);
            let first = self.greedy_half(a, bound);
            let second = if first > bound { f64::INFINITY } else { self.greedy_half(b, bound - first) };
            let bits = f64::from(candidate.bits) + first + second;
            best.fetch_min(bits.max(0.0).to_bits(), Ordering::Relaxed);
            bits
        };
        let bits: Vec<f64> = if rows.len() >= PARALLEL {
            look.candidates.par_iter().map(follow).collect()
        } else {
            look.candidates.iter().map(follow).collect()
        };
        let least = (0..bits.len()).min_by(|&a, &b| bits[a].total_cmp(&bits[b]))?;
        look.candidates.get(least)
    }

    /// Returns the cost of the greedy subtree, whose tests have the best scores. Infinity if it exceeds `bound`, unless `half`
    /// is a leaf.
    fn greedy_half(&self, half: SplitSide, bound: f64) -> f64 {
        match half {
            SplitSide::Leaf(counts) => self.leaf_bits(&counts),
            SplitSide::Rows(rows) => self.greedy(rows, bound),
        }
    }

    fn greedy(&self, rows: NodeRows, bound: f64) -> f64 {
        if bound < f64::from(self.costs.least_test) {
            return f64::INFINITY;
        }
        if rows.len() >= PARALLEL {
            // Rollouts of large nodes take a while.
            self.report();
        }
        let leaf = self.leaf_bits(&rows.tally());
        let look = self.look(&rows, 1);
        let Some(best) = look.candidates.first() else { return leaf };
        let (a, b) = rows.into_halves(best, &look.live, &|counts| self.is_leaf(counts));
        let rest = bound.min(leaf) - f64::from(best.bits);
        let first = self.greedy_half(a, rest);
        if first > rest {
            return if leaf <= bound { leaf } else { f64::INFINITY };
        }
        let second = self.greedy_half(b, rest - first);
        let bits = f64::from(best.bits) + first + second;
        let bits = bits.min(leaf);
        if bits <= bound { bits } else { f64::INFINITY }
    }

    /// Returns the live columns and the `width` best tests of a node, and the scores if `width` is over 1.
    pub(super) fn look(&self, rows: &NodeRows, width: usize) -> SplitSearch {
        match *rows.counts() {
            [a, b] => self.look_at(rows, [a, b], width),
            [a, b, c] => self.look_at(rows, [a, b, c], width),
            [a, b, c, d] => self.look_at(rows, [a, b, c, d], width),
            [a, b, c, d, e] => self.look_at(rows, [a, b, c, d, e], width),
            _ => SplitSearch::default(),
        }
    }

    /// [`Grower::look`], compiled for a number of classes.
    fn look_at<const CLASSES: usize>(
        &self,
        rows: &NodeRows,
        counts: [u32; CLASSES],
        width: usize,
    ) -> SplitSearch {
        let (histograms, weight) = (rows.histograms(), rows.weight());
        let node = Splitting::new(self.costs, counts, weight);
        let mut look = SplitSearch::default();
        // An upper bound on the score of each live column.
        let mut most = Vec::new();
        for column in 0..histograms.columns() {
            if let Some(gain) = most_gain(&node, histograms.column(column)) {
                let variable = rows.variable(column);
                let bits = self.least_bits[variable] + self.costs.times[variable] * weight;
                look.live.push(column as u16);
                most.push(gain / (OFFSET + bits));
            }
        }
        let test = |number: usize| {
            let column = look.live[number];
            let best = best_tests(&node, rows.variable(column.into()), histograms.column(column.into()));
            best.map(|test| test.map(|test| Candidate { column, ..test }))
        };
        if width > 1 {
            for number in 0..look.live.len() {
                let best = test(number);
                look.scores.push(best.iter().flatten().map(|test| test.score).fold(0.0, f32::max));
                best.into_iter().flatten().for_each(|test| insert(&mut look.candidates, test, width));
            }
            return look;
        }
        // The column with the highest bound first: few others can then have a better test.
        let first = (0..most.len()).max_by(|&a, &b| most[a].total_cmp(&most[b]).then(b.cmp(&a)));
        let mut best: Option<Candidate> = None;
        for number in first.into_iter().chain((0..most.len()).filter(|&number| Some(number) != first)) {
            if best.is_some_and(|best| most[number] < best.score) {
                continue;
            }
            for test in test(number).into_iter().flatten() {
                let is_better = |best: Candidate| {
                    let order = test.score.total_cmp(&best.score).then(best.column.cmp(&test.column));
                    order == Greater
                };
                if best.is_none_or(is_better) {
                    best = Some(test);
                }
            }
        }
        look.candidates.extend(best);
        look
    }
}
