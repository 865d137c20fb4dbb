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
/// of rows of each class with each part, `least` the bits of the cheapest test of either kind. Tests with a score below `floor`
/// may be left out.
pub(super) fn best_tests<const CLASSES: usize>(
    node: &Splitting<'_, CLASSES>,
    variable: usize,
    histogram: &[u32],
    least: [f32; 2],
    floor: f32,
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
    let entropy = |counts: [u32; CLASSES]| logs.entropy(counts.into_iter());
    let less = |a: [u32; CLASSES], b: [u32; CLASSES]| std::array::from_fn(|class| a[class] - b[class]);
    // A lower bound on the entropy of the rows from each part on: that of each part by itself.
    let mut tails = [0.0; MAX_PARTS];
    if number > 2 {
        for part in (1..number).rev() {
            tails[part] = entropy(less(sums[part], sums[part - 1])) + tails.get(part + 1).unwrap_or(&0.0);
        }
    }
    let time = costs.times[variable] * weight;
    let mut best: [Option<Candidate>; 2] = [None, None];
    // Whether no test of a kind with at most this gain is wanted. In the loops below the gain at most falls.
    let is_too_little = |kind: usize, gain: f64, best: &Option<Candidate>| {
        let score = gain as f32 * SAFETY / (OFFSET + (least[kind] + time));
        score < best.map_or(floor, |best| best.score.max(floor))
    };
    let offer = |gain: f64, low: u8, high: u8, bits: f32, best: &mut Option<Candidate>| {
        let (gain, bits) = (gain as f32, bits + time);
        let score = gain / (OFFSET + bits);
        if gain > 1e-3 && best.is_none_or(|old| score > old.score) {
            *best = Some(Candidate { column: 0, low, high, score, bits });
        }
    };
    for end in 0..number - 1 {
        let inside = sums[end];
        let left = whole - entropy(inside);
        if is_too_little(0, left - tails[end + 1], &best[0]) {
            break;
        }
        let (first, beyond) = (present[end], present[end + 1]);
        // Any bound between two parts that occur gives the same rows: the cheapest is taken.
        let (mut high, mut bits) = (first, costs.test(variable, 0, first));
        for other in first + 1..beyond {
            let other_bits = costs.test(variable, 0, other);
            if other_bits < bits {
                (high, bits) = (other, other_bits);
            }
        }
        offer(left - entropy(less(counts, inside)), 0, high, bits, &mut best[0]);
    }
    for start in 1..number.saturating_sub(1) {
        // The entropy of the rows before the start, which are outside.
        let before = entropy(sums[start - 1]);
        if is_too_little(1, whole - before - tails[start], &best[1]) {
            break;
        }
        for end in start..number - 1 {
            let inside = less(sums[end], sums[start - 1]);
            let left = whole - entropy(inside);
            if is_too_little(1, left - before - tails[end + 1], &best[1]) {
                break;
            }
            let (low, high) = (present[start], present[end]);
            let gain = left - entropy(less(counts, inside));
            offer(gain, low, high, costs.test(variable, low, high), &mut best[1]);
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// No interval has a better score, and only tests below the floor are missing.
        #[test]
        fn no_better_test_is_left_out(
            parts in 2..16_u8,
            rows in prop::collection::vec(prop_oneof![1..4_u32, 1..3000_u32], 45),
            share in 0.0..1.2_f32,
        ) {
            let bits = |_: usize, low: u8, high: u8| 3.0 + f32::from(high - low) * 0.5 + f32::from(low > 0) * 2.0;
            let costs = CostModel::new(&[parts], bits, |_| 1.0, 1.0);
            let (histogram, least) = (&rows[..3 * usize::from(parts)], costs.least_tests()[0]);
            let (classes, _) = by_class::<3>(histogram);
            let node = Splitting::new(&costs, classes.map(|counts| counts.iter().sum()), 1.0);
            let entropy = |counts: [u32; 3]| node.logs.entropy(counts.into_iter());
            let mut expected = [0.0_f32; 2];
            for (low, high) in (0..parts - 1).flat_map(|high| (0..=high).map(move |low| (low, high))) {
                let inside = classes.map(|counts| counts[low.into()..=high.into()].iter().sum::<u32>());
                let outside = std::array::from_fn(|class| node.counts[class] - inside[class]);
                let gain = (node.whole - entropy(inside) - entropy(outside)) as f32;
                let score = if gain > 1e-3 { gain / (OFFSET + bits(0, low, high)) } else { 0.0 };
                let best = &mut expected[usize::from(low > 0)];
                *best = best.max(score);
            }
            let scores = |floor| {
                best_tests(&node, 0, histogram, least, floor).map(|test| test.map_or(0.0, |test| test.score))
            };
            prop_assert_eq!(scores(0.0).map(f32::to_bits), expected.map(f32::to_bits));
            let floor = expected[0].max(expected[1]) * share;
            for (score, expected) in scores(floor).into_iter().zip(expected) {
                prop_assert!(score.total_cmp(&expected).is_eq() || expected < floor, "{score} of {expected}, {floor}");
            }
        }
    }
}
