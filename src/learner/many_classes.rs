//! Growing a tree of a function with many classes, such as distances. A leaf may have rows of several classes.
//!
//! [`Dataset`](super::Dataset) stores the rows of each class together, which pays for few classes. Here rows are stored one after
//! the other, with all their parts, and are counted by class when a node is split. The search is the same: tests are ordered by
//! information gain per coded bit, a rollout completes the subtree of each of the best tests greedily, and a leaf replaces a
//! subtree that does not code shorter. If the rows of a node do not fit in memory, its test is chosen on a sample, and the parts
//! of a subtree's rows are computed when the subtree is grown.

use super::grower::ROUNDING;
use super::split::{Candidate, Logs, OFFSET, SplitSearch, insert};
use super::{CostModel, Parts, RowIds, Rows, TreeOptions};
use crate::error::{Error, ErrorKind, Result};
use crate::nodes::Node;
use espresso::Progress;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The classes of the rows of a leaf, ascending, each with its number of rows.
pub type ClassCounts = Vec<(u8, u32)>;

/// A row of slice s with number n has the number s * 2^32 + n.
pub type RowNumber = u64;

/// The most rows by which the test of a node is chosen.
const SPLIT_SAMPLE: usize = 1 << 13;

const MAX_WIDTH: usize = 16;

/// The least rows of a node whose work is shared between threads.
const PARALLEL: usize = 1 << 9;

/// Rows whose parts are computed at a time.
const BLOCK: usize = 64;

/// Rows in memory, each with all its parts.
pub(super) struct Held {
    width: usize,
    cells: Vec<u8>,
    pub(super) classes: Vec<u8>,
}

impl Held {
    pub(super) fn new(grower: &Grower<'_>, numbers: &[RowNumber]) -> Self {
        let rows = grower.rows;
        let width = rows.parts().len();
        let mut cells = vec![0; numbers.len() * width];
        let mut classes = vec![0; numbers.len()];
        let blocks = cells.par_chunks_mut(BLOCK * width).zip(classes.par_chunks_mut(BLOCK));
        blocks.zip(numbers.par_chunks(BLOCK)).for_each(|((cells, classes), numbers)| {
            if grower.is_cancelled_now() {
                return;
            }
            let mut columns = vec![0; BLOCK * width];
            let mut at = 0;
            for of_slice in numbers.chunk_by(|a, b| a >> 32 == b >> 32) {
                let slice = (of_slice[0] >> 32) as usize;
                let numbers: Vec<u32> = of_slice.iter().map(|&number| number as u32).collect();
                rows.columns(RowIds { first_slice: slice, numbers: &numbers }, &mut columns, BLOCK);
                for (row, &number) in numbers.iter().enumerate() {
                    classes[at + row] = rows.class(slice, number);
                    let cells = &mut cells[(at + row) * width..][..width];
                    cells.iter_mut().zip(columns[row..].iter().step_by(BLOCK)).for_each(|(a, &b)| *a = b);
                }
                at += numbers.len();
            }
        });
        Held { width, cells, classes }
    }

    fn row(&self, row: u32) -> &[u8] {
        &self.cells[row as usize * self.width..][..self.width]
    }
}

/// A grown tree.
#[derive(Debug)]
pub struct ClassTree {
    /// In preorder: a test, its first subtree, then its second.
    pub nodes: Vec<Node<ClassCounts>>,
    /// The rows, leaf by leaf.
    pub numbers: Vec<RowNumber>,
}

/// Returns a tree of `rows`. Subtrees of at most `held` rows are grown in memory, one at a time. Deterministic for any number of
/// threads.
///
/// # Errors
/// [`ErrorKind::Cancelled`] if the callback asks for it.
pub fn grow_classes(
    rows: &dyn Rows,
    costs: &CostModel<'_>,
    options: &TreeOptions<'_>,
    held: usize,
) -> Result<ClassTree> {
    let of_slice = |slice: usize| {
        let mut numbers = Vec::new();
        rows.visit(slice, &mut |number| numbers.push((slice as u64) << 32 | u64::from(number)));
        numbers
    };
    let mut numbers = Vec::new();
    for slices in (0..rows.slices()).collect::<Vec<_>>().chunks(64) {
        options.progress.report(&Progress::new("tree", 0, None, "rows"))?;
        let some: Vec<Vec<RowNumber>> = slices.par_iter().map(|&slice| of_slice(slice)).collect();
        numbers.extend(some.into_iter().flatten());
    }
    let grower = Grower { held, ..Grower::new(rows, costs, options, numbers.len()) };
    let mut nodes = Vec::new();
    grower.grow(&mut numbers, &mut nodes);
    if grower.cancelled.into_inner() {
        return Err(Error::new(ErrorKind::Cancelled, "cancelled while a tree was grown"));
    }
    Ok(ClassTree { nodes, numbers })
}

pub(super) struct Grower<'a> {
    rows: &'a dyn Rows,
    costs: &'a CostModel<'a>,
    options: &'a TreeOptions<'a>,
    held: usize,
    /// The number of classes.
    classes: usize,
    /// The group of each class that tests separate, if these are not the classes.
    groups: Option<[u8; 32]>,
    logs: Logs,
    all: u64,
    done: AtomicU64,
    cancelled: AtomicBool,
}

/// Moves the items that `is_first` accepts to the front, and returns their number. The others follow; both keep their order.
fn partition<T: Copy>(items: &mut [T], mut is_first: impl FnMut(T) -> bool) -> usize {
    let mut second = Vec::with_capacity(items.len() / 2);
    let mut at = 0;
    for number in 0..items.len() {
        let item = items[number];
        if is_first(item) {
            items[at] = item;
            at += 1;
        } else {
            second.push(item);
        }
    }
    items[at..].copy_from_slice(&second);
    at
}

impl<'a> Grower<'a> {
    /// A grower of `all` rows, all of them in memory.
    pub(super) fn new(
        rows: &'a dyn Rows,
        costs: &'a CostModel<'a>,
        options: &'a TreeOptions<'a>,
        all: usize,
    ) -> Self {
        Grower {
            rows,
            costs,
            options,
            held: all,
            classes: rows.classes(),
            groups: None,
            logs: Logs::get(),
            all: all as u64,
            done: AtomicU64::new(0),
            cancelled: AtomicBool::new(false),
        }
    }

    /// Other classes than those of the rows. Tests separate groups of them.
    pub(super) fn of_groups(self, groups: [u8; 32]) -> Self {
        Grower { classes: groups.len(), groups: Some(groups), ..self }
    }

    /// Appends the subtree of these rows to `nodes`, and sorts the rows by its leaves. Returns the cost.
    fn grow(&self, numbers: &mut [RowNumber], nodes: &mut Vec<Node<ClassCounts>>) -> f64 {
        if self.is_cancelled_now() {
            return 0.0;
        }
        if numbers.len() <= self.held {
            let held = Held::new(self, numbers);
            let mut order: Vec<u32> = (0..numbers.len() as u32).collect();
            let live: Vec<u16> = (0..held.width as u16).collect();
            let bits = InMemory { grower: self, held: &held }.grow(&mut order, &live, nodes);
            let sorted: Vec<RowNumber> = order.iter().map(|&row| numbers[row as usize]).collect();
            numbers.copy_from_slice(&sorted);
            return bits;
        }
        let step = numbers.len() / (4 * self.options.sample.max(SPLIT_SAMPLE)) + 1;
        let sample: Vec<RowNumber> = numbers.iter().copied().step_by(step).collect();
        let held = Held::new(self, &sample);
        let all: Vec<u32> = (0..sample.len() as u32).collect();
        let live: Vec<u16> = (0..held.width as u16).collect();
        let weight = numbers.len() as f32 / sample.len() as f32;
        let look = InMemory { grower: self, held: &held }.choose(&all, &live, weight);
        drop(held);
        // Without a test that separates the sample, the node is a leaf.
        let Some((chosen, _)) = look else { return self.end_many(numbers, nodes) };
        let test = chosen.test(chosen.column.into());
        let is_first = |numbers: &[RowNumber]| -> Vec<bool> {
            let mut first = Vec::with_capacity(numbers.len());
            if self.is_cancelled_now() {
                return first;
            }
            for of_slice in numbers.chunk_by(|a, b| a >> 32 == b >> 32) {
                let ids: Vec<u32> = of_slice.iter().map(|&number| number as u32).collect();
                let ids = RowIds { first_slice: (of_slice[0] >> 32) as usize, numbers: &ids };
                self.rows.for_rows(ids, &mut |_, part: Parts<'_>| {
                    first.push(test.contains(part(test.variable.into())));
                });
            }
            first
        };
        let sides: Vec<bool> = numbers.par_chunks(1 << 14).flat_map_iter(is_first).collect();
        let mut sides = sides.into_iter();
        let firsts = partition(numbers, |_| sides.next() == Some(true));
        nodes.push(Node::Test(test));
        let (first, second) = numbers.split_at_mut(firsts);
        let bits = self.grow(first, nodes);
        f64::from(chosen.bits) + bits + self.grow(second, nodes)
    }

    /// Appends a leaf of rows that are not in memory.
    fn end_many(&self, numbers: &[RowNumber], nodes: &mut Vec<Node<ClassCounts>>) -> f64 {
        let mut counts = vec![0_u64; self.rows.classes()];
        for &number in numbers {
            counts[usize::from(self.rows.class((number >> 32) as usize, number as u32))] += 1;
        }
        nodes.push(Node::Leaf(sparse(&counts)));
        self.costs.leaf(&counts).into()
    }

    /// Reports that `rows` more rows have a leaf.
    fn report(&self, rows: usize) {
        let done = self.done.fetch_add(rows as u64, Ordering::Relaxed) + rows as u64;
        if self.cancelled.load(Ordering::Relaxed) {
            return;
        }
        if self.options.progress.report(&Progress::new("tree", done, self.all, "rows")).is_err() {
            self.cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Reports the progress; returns whether the callback cancelled, now or before. The tree is then discarded and need not be
    /// right.
    fn is_cancelled_now(&self) -> bool {
        self.report(0);
        self.cancelled.load(Ordering::Relaxed)
    }
}

fn sparse(counts: &[u64]) -> ClassCounts {
    counts
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
        .map(|(class, &count)| (class as u8, count as u32))
        .collect()
}

pub(super) struct InMemory<'a> {
    pub(super) grower: &'a Grower<'a>,
    pub(super) held: &'a Held,
}

impl InMemory<'_> {
    fn tally(&self, rows: &[u32]) -> Vec<u64> {
        let mut counts = vec![0; self.grower.classes];
        rows.iter().for_each(|&row| counts[usize::from(self.held.classes[row as usize])] += 1);
        counts
    }

    fn is_leaf(&self, counts: &[u64]) -> bool {
        let costs = self.grower.costs;
        let is_pure = counts.iter().filter(|&&count| count > 0).count() < 2;
        is_pure || costs.leaf(counts) <= costs.least_test || self.grower.cancelled.load(Ordering::Relaxed)
    }

    pub(super) fn grow(&self, rows: &mut [u32], live: &[u16], nodes: &mut Vec<Node<ClassCounts>>) -> f64 {
        let counts = self.tally(rows);
        let leaf = f64::from(self.grower.costs.leaf(&counts));
        let test = if self.is_leaf(&counts) { None } else { self.choose(rows, live, 1.0) };
        let Some((chosen, live)) = test else {
            self.grower.report(rows.len());
            nodes.push(Node::Leaf(sparse(&counts)));
            return leaf;
        };
        let start = nodes.len();
        let column = usize::from(chosen.column);
        let test = chosen.test(column);
        nodes.push(Node::Test(test));
        let firsts = partition(rows, |row| test.contains(self.held.row(row)[column]));
        let (first, second) = rows.split_at_mut(firsts);
        let (a, b) = if first.len() + second.len() >= PARALLEL {
            let mut others = Vec::new();
            let bits =
                rayon::join(|| self.grow(first, &live, nodes), || self.grow(second, &live, &mut others));
            nodes.append(&mut others);
            bits
        } else {
            (self.grow(first, &live, nodes), self.grow(second, &live, nodes))
        };
        let bits = f64::from(chosen.bits) + a + b;
        if leaf <= bits {
            nodes.truncate(start);
            nodes.push(Node::Leaf(sparse(&counts)));
            return leaf;
        }
        bits
    }

    /// Returns the test that rollouts find best, and the columns in which rows differ.
    fn choose(&self, rows: &[u32], live: &[u16], weight: f32) -> Option<(Candidate, Vec<u16>)> {
        let width = self.grower.options.width_of(rows.len(), MAX_WIDTH);
        let sampled = strided(rows, SPLIT_SAMPLE);
        let look = self.look(&sampled, live, width, weight * rows.len() as f32 / sampled.len() as f32);
        let SplitSearch { candidates, .. } = &look;
        if candidates.len() < 2 {
            let chosen = *candidates.first()?;
            return Some((chosen, if sampled.len() < rows.len() { live.to_vec() } else { look.live }));
        }
        let columns = look.rollout_columns();
        let seen = strided(rows, self.grower.options.sample);
        let weight = weight * rows.len() as f32 / seen.len() as f32;
        let best = AtomicU64::new(f64::INFINITY.to_bits());
        let follow = |candidate: &Candidate| {
            let bound = f64::from_bits(best.load(Ordering::Relaxed)) + f64::from(weight) * ROUNDING;
            let mut rows = seen.clone();
            let bits = self.halves(candidate, &mut rows, &columns, bound, weight);
            best.fetch_min(bits.max(0.0).to_bits(), Ordering::Relaxed);
            bits
        };
        let bits: Vec<f64> = if seen.len() >= PARALLEL {
            candidates.par_iter().map(follow).collect()
        } else {
            candidates.iter().map(follow).collect()
        };
        let least = (0..bits.len()).min_by(|&a, &b| bits[a].total_cmp(&bits[b]))?;
        Some((candidates[least], if sampled.len() < rows.len() { live.to_vec() } else { look.live }))
    }

    /// The cost of a test and the greedy subtrees of its halves; infinity if it exceeds `bound`.
    fn halves(&self, chosen: &Candidate, rows: &mut [u32], live: &[u16], bound: f64, weight: f32) -> f64 {
        let column = usize::from(chosen.column);
        let test = chosen.test(column);
        let firsts = partition(rows, |row| test.contains(self.held.row(row)[column]));
        let (first, second) = rows.split_at_mut(firsts);
        let rest = bound - f64::from(chosen.bits);
        let a = self.greedy(first, live, rest, weight);
        if a > rest {
            return f64::INFINITY;
        }
        f64::from(chosen.bits) + a + self.greedy(second, live, rest - a, weight)
    }

    fn greedy(&self, rows: &mut [u32], live: &[u16], bound: f64, weight: f32) -> f64 {
        let counts = self.tally(rows).iter().map(|&count| scaled(count, weight)).collect::<Vec<_>>();
        let leaf = f64::from(self.grower.costs.leaf(&counts));
        if self.is_leaf(&counts) {
            return leaf;
        }
        if bound < f64::from(self.grower.costs.least_test) {
            return f64::INFINITY;
        }
        let look = self.look(&strided(rows, SPLIT_SAMPLE), live, 1, weight);
        let Some(best) = look.candidates.first() else { return leaf };
        let bits = self.halves(best, rows, &look.live, bound.min(leaf), weight).min(leaf);
        if bits <= bound { bits } else { f64::INFINITY }
    }

    /// Returns the columns in which the rows differ and the `width` best tests. Each row stands for `weight` rows.
    fn look(&self, rows: &[u32], live: &[u16], width: usize, weight: f32) -> SplitSearch {
        let Grower { rows: all, costs, logs, .. } = *self.grower;
        if rows.len() >= PARALLEL {
            self.grower.report(0);
        }
        // The classes that occur have numbers of their own.
        let (mut number_of, mut counts) = ([u8::MAX; 256], Vec::new());
        let class_of = |row: u32| {
            let class = usize::from(self.held.classes[row as usize]);
            self.grower.groups.map_or(class, |groups| groups[class].into())
        };
        for &row in rows {
            let number = &mut number_of[class_of(row)];
            if *number == u8::MAX {
                *number = counts.len() as u8;
                counts.push(0_u32);
            }
            counts[usize::from(*number)] += 1;
        }
        let parts = all.parts();
        let mut cells = 0;
        let columns: Vec<(usize, usize)> = live
            .iter()
            .map(|&column| {
                let start = cells;
                cells += usize::from(parts[usize::from(column)]);
                (column.into(), start)
            })
            .collect();
        let mut histogram = vec![0_u32; cells * counts.len()];
        for &row in rows {
            let class = usize::from(number_of[class_of(row)]);
            let (of_class, row) = (&mut histogram[class * cells..][..cells], self.held.row(row));
            for &(column, start) in &columns {
                of_class[start + usize::from(row[column])] += 1;
            }
        }
        let node =
            Splitting { costs, logs, weight, counts: &counts, whole: logs.entropy(counts.iter().copied()) };
        let mut look = SplitSearch::default();
        let mut scratch = Scratch::default();
        for (column, start) in columns {
            let of_column = start..start + usize::from(parts[column]);
            let Some(most) = scratch.load(&node, &histogram, cells, of_column) else { continue };
            look.live.push(column as u16);
            look.scores.push(most);
            let worst = look.candidates.get(width - 1).map_or(0.0, |candidate: &Candidate| candidate.score);
            if most * weight > worst * (OFFSET + costs.least_test / 2.0) {
                scratch.best_tests(&node, column, &mut |candidate| {
                    insert(&mut look.candidates, candidate, width);
                });
            }
        }
        look
    }
}

#[allow(clippy::cast_sign_loss)] // A product of positive numbers.
fn scaled(count: u64, weight: f32) -> u64 {
    if weight > 1.0 { (count as f64 * f64::from(weight)).round() as u64 } else { count }
}

/// At most `most` of the rows, evenly spread.
fn strided(rows: &[u32], most: usize) -> Vec<u32> {
    let step = rows.len().div_ceil(most.max(1)).max(1);
    rows.iter().copied().step_by(step).collect()
}

/// A node whose tests are compared.
struct Splitting<'a> {
    costs: &'a CostModel<'a>,
    logs: Logs,
    weight: f32,
    counts: &'a [u32],
    whole: f64,
}

/// The rows of a column by part and class: the parts that occur, and the sums up to each of them.
#[derive(Default)]
struct Scratch {
    present: Vec<u8>,
    sums: Vec<u32>,
}

impl Scratch {
    /// Loads a column, and returns an upper bound on the gain of its tests; `None` if all rows have the same part.
    fn load(
        &mut self,
        node: &Splitting<'_>,
        histogram: &[u32],
        cells: usize,
        column: Range<usize>,
    ) -> Option<f32> {
        let classes = node.counts.len();
        self.present.clear();
        self.sums.clear();
        let mut left = node.whole;
        for (part, at) in column.enumerate() {
            let of_class = |class: usize| histogram[class * cells + at];
            let rows: u32 = (0..classes).map(of_class).sum();
            if rows == 0 {
                continue;
            }
            let sum: f64 = (0..classes).map(|class| node.logs.x_log_x(of_class(class))).sum();
            left -= node.logs.x_log_x(rows) - sum;
            let before = self.sums.len().checked_sub(classes);
            for class in 0..classes {
                let sum = before.map_or(0, |before| self.sums[before + class]) + of_class(class);
                self.sums.push(sum);
            }
            self.present.push(part as u8);
        }
        (self.present.len() > 1).then_some(left as f32 * 1.0001)
    }

    /// Offers the best test of a prefix of the parts, and the best of an inner interval.
    fn best_tests(&self, node: &Splitting<'_>, variable: usize, offer: &mut impl FnMut(Candidate)) {
        let Splitting { costs, logs, weight, counts, whole } = *node;
        let classes = counts.len();
        let sums = |at: usize| &self.sums[at * classes..][..classes];
        let gain = |before: Option<&[u32]>, up_to: &[u32]| {
            let (mut a, mut b, mut sum) = (0, 0, 0.0);
            for class in 0..classes {
                let x = up_to[class] - before.map_or(0, |before| before[class]);
                let y = counts[class] - x;
                a += x;
                b += y;
                sum += logs.x_log_x(x) + logs.x_log_x(y);
            }
            (whole - logs.x_log_x(a) - logs.x_log_x(b) + sum) as f32 * weight
        };
        let time = costs.times[variable] * weight;
        let mut best: [Option<Candidate>; 2] = [None, None];
        let mut consider = |slot: usize, gain: f32, low: u8, high: u8| {
            let bits = costs.test(variable, low, high) + time;
            let score = gain / (OFFSET + bits);
            if gain > 1e-3 && best[slot].is_none_or(|old| score > old.score) {
                best[slot] = Some(Candidate { column: variable as u16, low, high, score, bits });
            }
        };
        let last = self.present.len() - 1;
        for end in 0..last {
            // Any bound between two parts that occur gives the same rows: the cheapest is taken.
            let bounds = self.present[end]..self.present[end + 1];
            let cheapest =
                bounds.min_by(|&a, &b| costs.test(variable, 0, a).total_cmp(&costs.test(variable, 0, b)));
            consider(0, gain(None, sums(end)), 0, cheapest.unwrap_or(self.present[end]));
        }
        for start in 1..last {
            for end in start..last {
                let gain = gain(Some(sums(start - 1)), sums(end));
                consider(1, gain, self.present[start], self.present[end]);
            }
        }
        best.into_iter().flatten().for_each(offer);
    }
}
