//! Trees by splits of most gain for a coded bit, improved by rollouts.
//!
//! After Quinlan's C4.5 in that a node is split by the test that tells most about the class for what it costs, and after
//! minimum description length in what ends a branch: a leaf with exceptions where they code shorter than the tests that
//! would remove them. The departure is the rollout (Bertsekas, Tsitsiklis and Wu 1997): the best few tests of a node are
//! each followed to the end greedily, and the one with the fewest coded bits is taken.

use super::block::Block;
use super::count::{Counts, MAX_PARTS};
use super::price::Price;
use super::{Exception, Node, Rows, Tree, parcels};
use crate::cpu::Level;
use crate::error::{Error, ErrorKind, Result};
use rayon::prelude::*;
use std::borrow::Cow;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How much is tried, and who is told.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Tests of a large node that are followed to the end, more of small ones; with 1 there are no rollouts.
    pub width: usize,
    /// The most rows of a node on which rollouts are made; of larger nodes they see a sample of this size.
    pub sample: usize,
    /// Bytes of memory that rows may take. Where all of them take more, they are treated parcel by parcel.
    pub memory: u64,
    /// Told from any thread how far it is; breaking cancels.
    pub progress: Option<&'a Callback<'a>>,
}

/// A progress callback: breaking cancels.
pub type Callback<'a> = dyn Fn(&Progress) -> ControlFlow<()> + Sync + 'a;

/// How far a tree has grown.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Rows that no leaf has yet.
    pub undecided: u64,
    /// Leaves so far.
    pub cubes: u64,
    /// What these and the tests cost so far, in bits. It falls where tests turn out not to be worth it.
    pub bits: f64,
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("width", &self.width)
            .field("sample", &self.sample)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

impl Default for Options<'_> {
    /// Four candidates, on up to 2^15 rows; rows take up to 4 GiB.
    fn default() -> Self {
        Options { width: 4, sample: 1 << 15, memory: 4 << 30, progress: None }
    }
}

/// What is added to the bits of a test before its gain is divided by them: about what its two children cost.
const OFFSET: f32 = 8.0;

/// What a candidate may be followed beyond the best one, in bits: more than sums can be off by, so that of equal ones
/// none is given up by rounding, on which thread was first.
const SLACK: f64 = 1e-3;

/// The most columns that rollouts see.
const TELLING: usize = 96;

/// The most classes of rows that trees are grown of.
const MAX_CLASSES: usize = 5;

/// The most candidates of a node.
const MAX_WIDTH: usize = 64;

/// Bytes that a part of a row takes: its own, and its copies when a node is split and one of the halves after it.
pub(super) const BYTES_PER_PART: u64 = 3;

/// Returns a tree that gives every row its class, and its price in bits. Deterministic for any number of threads.
///
/// Takes time in proportion to rows, variables and depth, once for each candidate.
///
/// # Errors
/// [`ErrorKind::Cancelled`] when the callback asks for it; [`ErrorKind::BudgetExhausted`] for 2^32 rows or more;
/// [`ErrorKind::Mismatch`] for more than five classes, or a variable without parts or with more than 64.
pub fn grow(rows: &dyn Rows, price: &dyn Price, options: &Options<'_>) -> Result<(Tree, f64)> {
    check(rows)?;
    let count = parcels::count(rows)?;
    let grower = Grower::new(rows.parts(), price, options, count);
    let nodes = if count <= grower.rows_at_once() {
        grower.build(Cow::Owned(Block::gather(rows)))
    } else {
        parcels::grow(&grower, rows)
    };
    grower.finish(nodes)
}

/// Checks that trees can be grown of rows with these variables and classes.
fn check(rows: &dyn Rows) -> Result<()> {
    let refuse = |why: String| Err(Error::new(ErrorKind::Mismatch, why));
    let is_bad = |parts: &u8| !(1..=MAX_PARTS).contains(&usize::from(*parts));
    if let Some(variable) = rows.parts().iter().position(is_bad) {
        return refuse(format!("variable {variable} has no parts, or more than {MAX_PARTS}"));
    }
    match rows.classes() {
        1..=MAX_CLASSES => Ok(()),
        classes => refuse(format!("{classes} classes; there may be 1 to {MAX_CLASSES}")),
    }
}

/// Rows kept in memory, to grow several trees of them.
#[derive(Debug)]
pub struct Gathered {
    block: Block,
    parts: Vec<u8>,
}

impl Gathered {
    /// Gathers all rows; `None` when growing trees of them would take more than `memory` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::BudgetExhausted`] and [`ErrorKind::Mismatch`] as [`grow`].
    pub fn new(rows: &dyn Rows, memory: u64) -> Result<Option<Self>> {
        check(rows)?;
        let bytes = parcels::count(rows)?.saturating_mul(BYTES_PER_PART * rows.parts().len() as u64);
        let gathered = || Gathered { block: Block::gather(rows), parts: rows.parts().to_vec() };
        Ok((bytes <= memory).then(gathered))
    }

    /// As [`grow`], of the rows kept.
    ///
    /// # Errors
    /// As [`grow`].
    pub fn grow(&self, price: &dyn Price, options: &Options<'_>) -> Result<(Tree, f64)> {
        let grower = Grower::new(&self.parts, price, options, self.block.len() as u64);
        grower.finish(grower.build(Cow::Borrowed(&self.block)))
    }
}

/// Rows from which on a node's work is shared between threads.
const PARALLEL: usize = 1 << 11;

/// What growing a tree goes by.
pub(super) struct Grower<'a> {
    parts: &'a [u8],
    price: &'a dyn Price,
    options: &'a Options<'a>,
    level: Level,
    undecided: AtomicU64,
    cubes: AtomicU64,
    /// In units of [`FRACTION`].
    bits: AtomicU64,
    cancelled: AtomicBool,
}

/// Parts of a bit in which a growing tree's price is summed up, in whatever order it grows.
const FRACTION: f64 = 1024.0;

/// Bits in units of [`FRACTION`].
#[allow(clippy::cast_sign_loss)] // Prices are not negative.
fn fractions(bits: f64) -> u64 {
    (bits * FRACTION) as u64
}

/// A test of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    column: u16,
    low: u8,
    high: u8,
    score: f32,
    /// Its price.
    pub(super) bits: f32,
}

impl Candidate {
    /// The test as a node of a tree; `block` is the one that it was found in.
    pub(super) fn node(&self, block: &Block) -> Node {
        Node::Test { variable: block.variable(self.column.into()) as u16, low: self.low, high: self.high }
    }
}

/// What a look at all columns of a node gives.
#[derive(Default)]
struct Look {
    /// Columns in which the rows are not all alike.
    live: Vec<u16>,
    /// The best score of each of them.
    scores: Vec<f32>,
    /// The tests of best score, best first.
    candidates: Vec<Candidate>,
}

impl Look {
    /// The live columns that rollouts see: those of the best scores, in order.
    fn telling(&self) -> Vec<u16> {
        if self.live.len() <= TELLING {
            return self.live.clone();
        }
        let mut order: Vec<usize> = (0..self.live.len()).collect();
        order.sort_by(|&a, &b| self.scores[b].total_cmp(&self.scores[a]).then(a.cmp(&b)));
        order.truncate(TELLING);
        order.sort_unstable();
        order.into_iter().map(|number| self.live[number]).collect()
    }
}

impl<'a> Grower<'a> {
    fn new(parts: &'a [u8], price: &'a dyn Price, options: &'a Options<'a>, rows: u64) -> Self {
        Grower {
            parts,
            price,
            options,
            level: Level::detect(),
            undecided: AtomicU64::new(rows),
            cubes: AtomicU64::new(0),
            bits: AtomicU64::new(0),
            cancelled: AtomicBool::new(false),
        }
    }

    fn finish(&self, (nodes, bits): (Vec<Node>, f64)) -> Result<(Tree, f64)> {
        if self.is_cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, "cancelled while a tree was grown"));
        }
        Ok((Tree { nodes }, bits))
    }

    /// The rows whose columns may be held at once.
    fn rows_at_once(&self) -> u64 {
        self.options.memory / (BYTES_PER_PART * self.parts.len().max(1) as u64)
    }

    /// Bytes of memory that rows may take.
    pub(super) fn memory(&self) -> u64 {
        self.options.memory
    }

    /// Number of variables.
    pub(super) fn variables(&self) -> usize {
        self.parts.len()
    }

    /// Returns the leaf of rows with the given counts and exceptions, and its price, and tells of it.
    fn leaf(&self, counts: &[u32], node: Node) -> (Vec<Node>, f64) {
        self.tell(counts);
        (vec![node], self.leaf_bits(counts))
    }

    /// The price of a leaf of rows with the given counts.
    pub(super) fn leaf_bits(&self, counts: &[u32]) -> f64 {
        self.price.leaf(counts).into()
    }

    /// Tells of a leaf of rows with the given counts.
    pub(super) fn tell(&self, counts: &[u32]) {
        let rows: u32 = counts.iter().sum();
        self.undecided.fetch_sub(rows.into(), Ordering::Relaxed);
        self.cubes.fetch_add(1, Ordering::Relaxed);
        self.add_bits(self.leaf_bits(counts));
        self.ask();
    }

    /// Tells that tests are not worth it, and that there are so many leaves and bits less.
    fn untell(&self, leaves: u64, bits: f64) {
        self.cubes.fetch_sub(leaves, Ordering::Relaxed);
        self.bits.fetch_sub(fractions(bits), Ordering::Relaxed);
        self.ask();
    }

    fn add_bits(&self, bits: f64) {
        self.bits.fetch_add(fractions(bits), Ordering::Relaxed);
    }

    /// Says how far the tree is, and learns whether to go on.
    fn ask(&self) {
        let Some(callback) = self.options.progress else { return };
        let progress = Progress {
            undecided: self.undecided.load(Ordering::Relaxed),
            cubes: self.cubes.load(Ordering::Relaxed),
            bits: self.bits.load(Ordering::Relaxed) as f64 / FRACTION,
        };
        if callback(&progress).is_break() {
            self.cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a node with these rows is a leaf without another look.
    pub(super) fn is_leaf(&self, counts: &[u32]) -> bool {
        is_pure(counts) || self.price.leaf(counts) <= self.price.least_test() || self.is_cancelled()
    }

    /// Whether the callback has broken: what grows is thrown away, so that it need not be right.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Says how far the tree is; returns whether the callback has broken, now or before.
    pub(super) fn asked_to_stop(&self) -> bool {
        self.ask();
        self.is_cancelled()
    }

    /// Returns the test of a node that rollouts find best, with the columns in which its rows are not all alike; none when
    /// nothing tells them apart.
    pub(super) fn test(&self, block: &Block) -> Option<(Candidate, Vec<u16>)> {
        let look = self.look(block, &block.counts(), self.width(block.len()));
        let chosen = *self.choose(block, &look)?;
        self.add_bits(chosen.bits.into());
        Some((chosen, look.live))
    }

    /// Returns the two children of a node by `test`.
    pub(super) fn split(
        &self,
        block: &Block,
        test: Candidate,
        live: &[u16],
        with_ids: bool,
    ) -> (Block, Block) {
        block.split(self.level, test.column.into(), (test.low, test.high), live, with_ids)
    }

    /// Returns the subtree of a node's rows, in preorder, and its price.
    pub(super) fn build(&self, block: Cow<'_, Block>) -> (Vec<Node>, f64) {
        let counts = block.counts();
        let test = if self.is_leaf(&counts) { None } else { self.test(&block) };
        let Some((chosen, live)) = test else {
            if self.is_cancelled() {
                return (Vec::new(), 0.0);
            }
            return self.leaf(&counts, leaf(&counts, &ids(block)));
        };
        let leaf_bits = f64::from(self.price.leaf(&counts));
        let (a, b) = self.split(&block, chosen, &live, true);
        let node = chosen.node(&block);
        let rows = block.len();
        let ids = ids(block);
        let ((first, first_bits), (second, second_bits)) = if rows >= PARALLEL {
            rayon::join(|| self.build(Cow::Owned(a)), || self.build(Cow::Owned(b)))
        } else {
            (self.build(Cow::Owned(a)), self.build(Cow::Owned(b)))
        };
        let bits = f64::from(chosen.bits) + first_bits + second_bits;
        if leaf_bits <= bits {
            let leaves = first.iter().chain(&second).filter(|node| matches!(node, Node::Leaf { .. })).count();
            self.untell(leaves as u64 - 1, bits - leaf_bits);
            return (vec![leaf(&counts, &ids)], leaf_bits);
        }
        let mut nodes = Vec::with_capacity(1 + first.len() + second.len());
        nodes.push(node);
        nodes.extend(first);
        nodes.extend(second);
        (nodes, bits)
    }

    /// The number of candidates of a node with `rows` rows: the smaller the node, the cheaper they are to follow, so that
    /// there are more by the fourth root of what it lacks to a full sample.
    fn width(&self, rows: usize) -> usize {
        if self.options.width < 2 {
            return 1;
        }
        let root = (self.options.sample / rows.max(1)).max(1).isqrt();
        // Halves of a unit, so that the width grows smoothly.
        let halves = (4 * root).isqrt();
        (self.options.width * halves / 2).min(MAX_WIDTH)
    }

    /// Returns the candidate that rollouts find cheapest.
    fn choose<'c>(&self, block: &Block, look: &'c Look) -> Option<&'c Candidate> {
        if look.candidates.len() < 2 {
            return look.candidates.first();
        }
        let sample;
        let block = if block.len() > self.options.sample {
            sample = block.sample(self.options.sample);
            &sample
        } else {
            block
        };
        let telling = look.telling();
        let best = AtomicU64::new(f64::INFINITY.to_bits());
        let follow = |candidate: &Candidate| {
            let (a, b) = self.split(block, *candidate, &telling, false);
            let bound = f64::from_bits(best.load(Ordering::Relaxed)) + SLACK - f64::from(candidate.bits);
            let first = self.greedy(a, bound);
            let second = if first > bound { f64::INFINITY } else { self.greedy(b, bound - first) };
            let bits = f64::from(candidate.bits) + first + second;
            best.fetch_min(bits.max(0.0).to_bits(), Ordering::Relaxed);
            bits
        };
        let bits: Vec<f64> = if block.len() >= PARALLEL {
            look.candidates.par_iter().map(follow).collect()
        } else {
            look.candidates.iter().map(follow).collect()
        };
        let least = (0..bits.len()).min_by(|&a, &b| bits[a].total_cmp(&bits[b]))?;
        look.candidates.get(least)
    }

    /// Returns the price of the subtree that always takes the best score; infinity when it exceeds `bound`.
    fn greedy(&self, block: Block, bound: f64) -> f64 {
        let counts = block.counts();
        let leaf = f64::from(self.price.leaf(&counts));
        let least = f64::from(self.price.least_test());
        if self.is_leaf(&counts) {
            return leaf;
        }
        if bound < least {
            return f64::INFINITY;
        }
        if block.len() >= PARALLEL {
            // Rollouts of large nodes take a while.
            self.ask();
        }
        let look = self.look(&block, &counts, 1);
        let Some(best) = look.candidates.first() else { return leaf };
        let (a, b) = block.split(self.level, best.column.into(), (best.low, best.high), &look.live, false);
        drop(block);
        let rest = bound.min(leaf) - f64::from(best.bits);
        let first = self.greedy(a, rest);
        if first > rest {
            return if leaf <= bound { leaf } else { f64::INFINITY };
        }
        let second = self.greedy(b, rest - first);
        let bits = f64::from(best.bits) + first + second;
        let bits = bits.min(leaf);
        if bits <= bound { bits } else { f64::INFINITY }
    }

    /// Looks at every column of a node for its live columns and its `width` best tests.
    fn look(&self, block: &Block, counts: &[u32], width: usize) -> Look {
        let whole = entropy(counts.iter().copied());
        let columns = block.columns();
        if block.len() * columns >= 1 << 20 {
            let looks: Vec<Look> = (0..columns.div_ceil(16))
                .into_par_iter()
                .map(|chunk| {
                    self.look_at(block, counts, whole, chunk * 16..columns.min(chunk * 16 + 16), width)
                })
                .collect();
            let mut look = Look::default();
            for part in looks {
                look.live.extend(part.live);
                look.scores.extend(part.scores);
                for candidate in part.candidates {
                    insert(&mut look.candidates, candidate, width);
                }
            }
            return look;
        }
        self.look_at(block, counts, whole, 0..columns, width)
    }

    fn look_at(
        &self,
        block: &Block,
        counts: &[u32],
        whole: f64,
        columns: std::ops::Range<usize>,
        width: usize,
    ) -> Look {
        let classes = counts.len();
        let mut histograms = vec![[0; MAX_PARTS]; classes];
        let mut look = Look::default();
        for column in columns {
            let variable = block.variable(column);
            let parts = usize::from(self.parts[variable]);
            block.histograms(self.level, column, parts, &mut histograms);
            let tests = Tests { variable, counts, whole, histograms: &histograms, parts };
            let (best, alive) = tests.best(self.price);
            if alive {
                look.live.push(column as u16);
                look.scores.push(best.iter().flatten().map(|test| test.score).fold(0.0, f32::max));
            }
            for mut candidate in best.into_iter().flatten() {
                candidate.column = column as u16;
                insert(&mut look.candidates, candidate, width);
            }
        }
        look
    }
}

/// Puts `candidate` among the `width` best, by falling score; of equals the first stays first.
fn insert(candidates: &mut Vec<Candidate>, candidate: Candidate, width: usize) {
    if candidates.len() == width && candidates[width - 1].score >= candidate.score {
        return;
    }
    let at = candidates.partition_point(|other| other.score >= candidate.score);
    candidates.insert(at, candidate);
    candidates.truncate(width);
}

/// The tests of one variable in one node.
struct Tests<'a> {
    variable: usize,
    counts: &'a [u32],
    whole: f64,
    histograms: &'a [Counts],
    parts: usize,
}

impl Tests<'_> {
    /// Returns the best prefix and the best inner interval, and whether the rows are not all alike.
    fn best(&self, price: &dyn Price) -> ([Option<Candidate>; 2], bool) {
        // The parts that occur, and for each how many rows of each class have it or an earlier one.
        let mut present = [0_u8; MAX_PARTS];
        let mut sums = [[0_u32; MAX_CLASSES]; MAX_PARTS];
        let mut number = 0;
        let mut sum = [0_u32; MAX_CLASSES];
        for part in 0..self.parts {
            let mut any = 0;
            for (sum, histogram) in sum.iter_mut().zip(self.histograms) {
                *sum += histogram[part];
                any |= histogram[part];
            }
            if any != 0 {
                present[number] = part as u8;
                sums[number] = sum;
                number += 1;
            }
        }
        if number < 2 {
            return ([None, None], false);
        }
        let gain = |inside: [u32; MAX_CLASSES]| {
            let (mut a, mut b) = (0, 0);
            let (mut sum_a, mut sum_b) = (0.0, 0.0);
            for (&x, &count) in inside.iter().zip(self.counts) {
                let y = count - x;
                a += x;
                b += y;
                sum_a += x_log_x(x);
                sum_b += x_log_x(y);
            }
            (self.whole - (x_log_x(a) - sum_a) - (x_log_x(b) - sum_b)) as f32
        };
        let mut best: [Option<Candidate>; 2] = [None, None];
        let mut offer = |slot: usize, gain: f32, low: u8, high: u8, bits: f32| {
            let score = gain / (OFFSET + bits);
            let slot: &mut Option<Candidate> = &mut best[slot];
            if gain > 1e-3 && slot.is_none_or(|old| score > old.score) {
                *slot = Some(Candidate { column: 0, low, high, score, bits });
            }
        };
        for end in 0..number - 1 {
            let inside = sums[end];
            let (first, beyond) = (present[end], present[end + 1]);
            // Between two parts that occur any bound does: the cheapest is taken.
            let (mut high, mut bits) = (first, price.test(self.variable, 0, first));
            for other in first + 1..beyond {
                let other_bits = price.test(self.variable, 0, other);
                if other_bits < bits {
                    (high, bits) = (other, other_bits);
                }
            }
            offer(0, gain(inside), 0, high, bits);
        }
        for start in 1..number.saturating_sub(1) {
            for end in start..number - 1 {
                let inside = std::array::from_fn(|class| sums[end][class] - sums[start - 1][class]);
                let (low, high) = (present[start], present[end]);
                offer(1, gain(inside), low, high, price.test(self.variable, low, high));
            }
        }
        (best, true)
    }
}

/// The numbers of a node's rows, by class; the rows are given up.
fn ids(block: Cow<'_, Block>) -> Vec<Vec<u32>> {
    match block {
        Cow::Borrowed(block) => block.ids(),
        Cow::Owned(block) => block.into_ids(),
    }
}

/// Whether all rows are of one class.
pub(super) fn is_pure(counts: &[u32]) -> bool {
    counts.iter().filter(|&&count| count > 0).count() < 2
}

/// The class of most rows, the first of several.
pub(super) fn majority(counts: &[u32]) -> usize {
    (0..counts.len()).max_by_key(|&class| (counts[class], std::cmp::Reverse(class))).unwrap_or(0)
}

/// Returns the leaf of the given rows, by class: that of most rows, the others being exceptions.
fn leaf(counts: &[u32], ids: &[Vec<u32>]) -> Node {
    let class = majority(counts);
    let mut exceptions: Vec<(u32, u8)> = Vec::new();
    for (other, ids) in ids.iter().enumerate() {
        if other != class {
            exceptions.extend(ids.iter().map(|&id| (id, other as u8)));
        }
    }
    exceptions.sort_unstable();
    let mut own = 0;
    let exceptions = exceptions.into_iter().enumerate().map(|(before, (id, other))| {
        own += ids[class][own..].partition_point(|&own| own < id);
        Exception { rank: (own + before) as u64, class: other }
    });
    leaf_with(counts, class, exceptions.collect())
}

/// Returns the leaf of `class` with `exceptions`, of rows with the given counts.
pub(super) fn leaf_with(counts: &[u32], class: usize, exceptions: Vec<Exception>) -> Node {
    Node::Leaf { class: class as u8, rows: counts.iter().map(|&count| u64::from(count)).sum(), exceptions }
}

/// Returns the entropy of rows divided into `counts`, in bits, all rows together.
fn entropy(counts: impl Iterator<Item = u32>) -> f64 {
    let (mut total, mut sum) = (0, 0.0);
    for count in counts {
        total += count;
        sum += x_log_x(count);
    }
    x_log_x(total) - sum
}

/// Numbers whose `x_log_x` is looked up.
const TABLE: usize = 1 << 13;

/// Returns x log2 x.
#[inline]
fn x_log_x(x: u32) -> f64 {
    static LOGS: OnceLock<Vec<f64>> = OnceLock::new();
    let compute = |x: f64| if x == 0.0 { 0.0 } else { x * x.log2() };
    if (x as usize) < TABLE {
        LOGS.get_or_init(|| (0..TABLE).map(|x| compute(x as f64)).collect())[x as usize]
    } else {
        compute(x.into())
    }
}
