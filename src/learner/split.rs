//! The candidate tests of a node, ordered by information gain per coded bit.
//!
//! This follows the gain ratio of Quinlan's C4.5, with the coded bits of the test as the divisor.

use super::CostModel;
use super::histogram::MAX_PARTS;
use crate::nodes::Test;
use std::sync::LazyLock;

/// Added to the bits of a test in the divisor: about the cost of its two children.
pub(super) const OFFSET: f32 = 8.0;

/// A factor above the rounding errors of sums of entropies.
const SAFETY: f32 = 1.0001;

/// The most classes of a tree: [`Grower::look`](super::grower::Grower::look) has a case for each number.
pub(super) const MAX_CLASSES: usize = 5;

#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) column: u16,
    pub(super) low: u8,
    pub(super) high: u8,
    /// Its gain per bit.
    pub(super) score: f32,
    pub(super) bits: f32,
}

impl Candidate {
    /// The test as a node of a tree; `variable` is the variable of its column.
    pub(super) fn test(&self, variable: usize) -> Test {
        Test { variable: variable as u16, low: self.low, high: self.high }
    }
}

/// The greatest number of columns that rollouts see.
const ROLLOUT_COLUMNS: usize = 96;

/// The columns of a node and their best tests.
#[derive(Default)]
pub(super) struct SplitSearch {
    /// Columns in which the rows have different parts.
    pub(super) live: Vec<u16>,
    /// A rank of each live column: the best score, or the gain of knowing its part.
    pub(super) scores: Vec<f32>,
    /// The tests of the best scores, best first.
    pub(super) candidates: Vec<Candidate>,
}

impl SplitSearch {
    /// The live columns with the best scores, which rollouts see, ascending.
    pub(super) fn rollout_columns(&self) -> Vec<u16> {
        if self.live.len() <= ROLLOUT_COLUMNS {
            return self.live.clone();
        }
        let mut order: Vec<usize> = (0..self.live.len()).collect();
        order.sort_by(|&a, &b| self.scores[b].total_cmp(&self.scores[a]).then(a.cmp(&b)));
        order.truncate(ROLLOUT_COLUMNS);
        order.sort_unstable();
        order.into_iter().map(|number| self.live[number]).collect()
    }
}

/// Inserts `candidate` into the `width` best, by falling score. Equal ones stay in order.
pub(super) fn insert(candidates: &mut Vec<Candidate>, candidate: Candidate, width: usize) {
    if candidates.len() == width && candidates[width - 1].score >= candidate.score {
        return;
    }
    let at = candidates.partition_point(|other| other.score >= candidate.score);
    candidates.insert(at, candidate);
    candidates.truncate(width);
}

/// A node whose tests are compared, with rows of `CLASSES` classes.
#[derive(Clone, Copy)]
pub(super) struct Splitting<'a, const CLASSES: usize> {
    costs: &'a CostModel<'a>,
    /// The number of its rows of each class.
    counts: [u32; CLASSES],
    /// The entropy of the counts.
    whole: f64,
    /// The number of rows that its rows stand for.
    weight: f32,
    logs: Logs,
}

impl<'a, const CLASSES: usize> Splitting<'a, CLASSES> {
    pub(super) fn new(costs: &'a CostModel<'a>, counts: [u32; CLASSES], weight: f32) -> Self {
        let logs = Logs::get();
        Splitting { costs, counts, whole: logs.entropy(counts.into_iter()), weight, logs }
    }
}

/// Splits a histogram, the number of rows of each class with each part, by class. Returns also the number of parts.
fn by_class<const CLASSES: usize>(histogram: &[u32]) -> ([&[u32]; CLASSES], usize) {
    let parts = histogram.len() / CLASSES;
    (std::array::from_fn(|class| &histogram[class * parts..][..parts]), parts)
}

/// Returns an upper bound on the gain of the tests of a variable: the gain of knowing its part. `None` if all rows have the
/// same part. `histogram` has the number of rows of each class with each part.
pub(super) fn most_gain<const CLASSES: usize>(
    node: &Splitting<'_, CLASSES>,
    histogram: &[u32],
) -> Option<f32> {
    let (classes, parts) = by_class::<CLASSES>(histogram);
    let (mut left, mut number) = (node.whole, 0);
    for part in 0..parts {
        let counts = classes.map(|counts| counts[part]);
        let rows = counts.iter().sum();
        let sum: f64 = counts.iter().map(|&count| node.logs.x_log_x(count)).sum();
        number += u32::from(rows > 0);
        left -= node.logs.x_log_x(rows) - sum;
    }
    (number > 1).then_some(left as f32 * SAFETY)
}

/// Returns the best test of a prefix of the parts of a variable, and the best of an inner interval. `histogram` has the number
/// of rows of each class with each part.
pub(super) fn best_tests<const CLASSES: usize>(
    node: &Splitting<'_, CLASSES>,
    variable: usize,
    histogram: &[u32],
) -> [Option<Candidate>; 2] {
    let Splitting { costs, counts, whole, weight, logs } = *node;
    let (classes, parts) = by_class::<CLASSES>(histogram);
    // The parts that occur, and the number of rows of each class up to each of them.
    let mut present = [0_u8; MAX_PARTS];
    let mut sums = [[0_u32; CLASSES]; MAX_PARTS];
    let mut number = 0;
    let mut sum = [0_u32; CLASSES];
    for part in 0..parts {
        let mut any = 0;
        for (sum, counts) in sum.iter_mut().zip(classes) {
            *sum += counts[part];
            any |= counts[part];
        }
        if any != 0 {
            present[number] = part as u8;
            sums[number] = sum;
            number += 1;
        }
    }
    if number < 2 {
        return [None, None];
    }
    let gain = |inside: [u32; CLASSES]| {
        let (mut a, mut b) = (0, 0);
        let (mut sum_a, mut sum_b) = (0.0, 0.0);
        for (x, count) in inside.into_iter().zip(counts) {
            let y = count - x;
            a += x;
            b += y;
            sum_a += logs.x_log_x(x);
            sum_b += logs.x_log_x(y);
        }
        (whole - (logs.x_log_x(a) - sum_a) - (logs.x_log_x(b) - sum_b)) as f32
    };
    let time = costs.times[variable] * weight;
    let mut best: [Option<Candidate>; 2] = [None, None];
    let mut offer = |slot: usize, gain: f32, low: u8, high: u8, bits: f32| {
        let bits = bits + time;
        let score = gain / (OFFSET + bits);
        let slot: &mut Option<Candidate> = &mut best[slot];
        if gain > 1e-3 && slot.is_none_or(|old| score > old.score) {
            *slot = Some(Candidate { column: 0, low, high, score, bits });
        }
    };
    for end in 0..number - 1 {
        let inside = sums[end];
        let (first, beyond) = (present[end], present[end + 1]);
        // Any bound between two parts that occur gives the same rows: the cheapest is taken.
        let (mut high, mut bits) = (first, costs.test(variable, 0, first));
        for other in first + 1..beyond {
            let other_bits = costs.test(variable, 0, other);
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
            offer(1, gain(inside), low, high, costs.test(variable, low, high));
        }
    }
    best
}

/// Numbers below this have their x log x in a table.
const TABLE: usize = 1 << 13;

/// x log x, with logarithms of base 2.
#[derive(Clone, Copy)]
pub(super) struct Logs(&'static [f64; TABLE]);

impl Logs {
    pub(super) fn get() -> Self {
        static LOGS: LazyLock<Box<[f64; TABLE]>> =
            LazyLock::new(|| Box::new(std::array::from_fn(|x| computed(x as f64))));
        Logs(&LOGS)
    }

    #[inline]
    pub(super) fn x_log_x(self, x: u32) -> f64 {
        self.0.get(x as usize).copied().unwrap_or_else(|| computed(x.into()))
    }

    /// Returns the entropy in bits, summed over all rows, of classes with these counts.
    pub(super) fn entropy(self, counts: impl Iterator<Item = u32>) -> f64 {
        let (mut total, mut sum) = (0, 0.0);
        for count in counts {
            total += count;
            sum += self.x_log_x(count);
        }
        self.x_log_x(total) - sum
    }
}

#[cold]
fn computed(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x * libm::log2(x) }
}
