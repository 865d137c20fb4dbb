//! The candidate tests of a node, ordered by information gain per coded bit.
//!
//! This follows the gain ratio of Quinlan's C4.5, with the coded bits of the test as the divisor.

use super::histogram::MAX_PARTS;
use super::{Node, Price};
use std::sync::OnceLock;

/// Bits added to those of a test in the divisor: about the cost of its two children.
pub(super) const OFFSET: f32 = 8.0;

/// A factor above the rounding errors of sums of entropies.
const SAFETY: f32 = 1.0001;

/// The most classes of a tree.
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
    /// The test as a node of a tree; `variable` is that of its column.
    pub(super) fn node(&self, variable: usize) -> Node {
        Node::Test { variable: variable as u16, low: self.low, high: self.high }
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

/// A node whose tests are compared.
#[derive(Clone, Copy)]
pub(super) struct Splitting<'a> {
    pub(super) price: &'a dyn Price,
    /// Its rows of each class.
    pub(super) counts: &'a [u32],
    /// Their entropy.
    pub(super) whole: f64,
    /// The number of rows that they stand for.
    pub(super) weight: f32,
}

/// Returns an upper bound on the gain of the tests of a variable: the gain of knowing its part. `None` if all rows have the
/// same part. `histogram` has the number of rows of each class with each part.
pub(super) fn most_gain(node: &Splitting<'_>, histogram: &[u32]) -> Option<f32> {
    let classes = node.counts.len();
    let parts = histogram.len() / classes;
    let (mut left, mut number) = (node.whole, 0);
    for part in 0..parts {
        let (mut rows, mut sum) = (0, 0.0);
        for class in 0..classes {
            let count = histogram[class * parts + part];
            rows += count;
            sum += x_log_x(count);
        }
        number += u32::from(rows > 0);
        left -= x_log_x(rows) - sum;
    }
    (number > 1).then_some(left as f32 * SAFETY)
}

/// Returns the best test of a prefix of the parts of a variable, and the best of an inner interval. `histogram` has the number
/// of rows of each class with each part.
pub(super) fn best_tests(node: &Splitting<'_>, variable: usize, histogram: &[u32]) -> [Option<Candidate>; 2] {
    let Splitting { price, counts, whole, weight } = *node;
    let parts = histogram.len() / counts.len();
    // The parts that occur, and for each the number of rows of each class with it or an earlier one.
    let mut present = [0_u8; MAX_PARTS];
    let mut sums = [[0_u32; MAX_CLASSES]; MAX_PARTS];
    let mut number = 0;
    let mut sum = [0_u32; MAX_CLASSES];
    for part in 0..parts {
        let mut any = 0;
        for (sum, counts) in sum.iter_mut().zip(histogram.chunks_exact(parts)) {
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
    let gain = |inside: [u32; MAX_CLASSES]| {
        let (mut a, mut b) = (0, 0);
        let (mut sum_a, mut sum_b) = (0.0, 0.0);
        for (&x, &count) in inside.iter().zip(counts) {
            let y = count - x;
            a += x;
            b += y;
            sum_a += x_log_x(x);
            sum_b += x_log_x(y);
        }
        (whole - (x_log_x(a) - sum_a) - (x_log_x(b) - sum_b)) as f32
    };
    let time = price.row(variable) * weight;
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
        let (mut high, mut bits) = (first, price.test(variable, 0, first));
        for other in first + 1..beyond {
            let other_bits = price.test(variable, 0, other);
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
            offer(1, gain(inside), low, high, price.test(variable, low, high));
        }
    }
    best
}

/// Returns the entropy of the classes of all rows together, in bits, from the counts of the classes.
pub(super) fn entropy(counts: impl Iterator<Item = u32>) -> f64 {
    let (mut total, mut sum) = (0, 0.0);
    for count in counts {
        total += count;
        sum += x_log_x(count);
    }
    x_log_x(total) - sum
}

/// Numbers below this have their `x_log_x` in a table.
const TABLE: usize = 1 << 13;

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
