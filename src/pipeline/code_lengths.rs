//! The code lengths of tests, leaves and exceptions in a file, estimated from an earlier tree.
//!
//! The minimizer compares candidates by these lengths. They are those of an adaptive code without contexts, with the counts in
//! the earlier tree. This is good enough to rank candidates, and cheap to look up. All lengths are integers, so that they are
//! the same on every machine. Each pass uses the lengths of the tree of the pass before.

use crate::pcn::byte_breakdown::fine_log2;
use crate::pcn::{MAX_LEVEL, Node, Test, Tree};

/// Code lengths are in 256ths of a bit.
pub const BIT: u32 = 256;

/// Returns 256 log2 of `x`, which is at least 1, rounded down.
pub const fn log2(x: u64) -> u32 {
    fine_log2(x, 8) as u32
}

/// The code length of one of `kinds` events that occurred `count` times among `total`. Half an occurrence is added to each kind, so
/// that none is infinite.
fn length(count: u64, total: u64, kinds: u64) -> u32 {
    log2(2 * total + kinds) - log2(2 * count + 1)
}

/// The exceptions of a leaf, and the number of equations that store them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceptions {
    count: u64,
    /// The positions of the leaf that are not exceptions.
    others: u64,
    /// The equations of each exception in the decision: 2 if exceptions are of two classes.
    each: u64,
    level: u8,
}

impl Exceptions {
    /// Returns the exceptions of a leaf of class `class` that `counts` positions of each class reach, with the level that takes
    /// the fewest equations. `None` if there are no exceptions.
    pub fn new(counts: &[u64], class: usize) -> Option<Self> {
        let (mut count, mut classes, mut all) = (0, 0, 0_u64);
        for (other, &number) in counts.iter().enumerate() {
            all += number;
            if other != class && number > 0 {
                (count, classes) = (count + number, classes + 1);
            }
        }
        if count == 0 {
            return None;
        }
        let others = all - count;
        let near = (others / count).max(1).ilog2().min(MAX_LEVEL.into()) as u8;
        let of = |level| Exceptions { count, others, each: classes, level };
        let fewer = of(near.saturating_sub(1));
        Some(if fewer.equations() <= of(near).equations() { fewer } else { of(near) })
    }

    /// The level of the leaf.
    pub fn level(self) -> u8 {
        self.level
    }

    /// The equations in the filter.
    pub fn filter(self) -> u64 {
        self.count * u64::from(self.level)
    }

    /// The equations in the decision: those of the exceptions and of the expected number of others that pass the filter.
    pub fn decision(self) -> u64 {
        self.count * self.each + (self.others >> self.level)
    }

    fn equations(self) -> u64 {
        self.filter() + self.decision()
    }
}

/// The code lengths of the parts of a tree, in 256ths of a bit.
#[derive(Clone, Debug)]
pub struct CodeLengths {
    is_test: u32,
    is_leaf: u32,
    classes: Vec<u32>,
    pure: u32,
    impure: u32,
    levels: [u32; MAX_LEVEL as usize + 1],
    /// The length of exceptions of one class, and of two. Fitted lengths charge it in trees of two outcomes too, although the
    /// coder has no such decision there: exact lengths of this and of the levels made `KBvKP` 7 per cent larger.
    excepted: [u32; 2],
    variables: Vec<u32>,
    /// The length of each interval by variable: that of `low..=high` is at `low * parts + high`.
    intervals: Vec<Vec<u32>>,
    parts: Vec<u8>,
}

impl CodeLengths {
    /// Returns the lengths without an earlier tree. Variable v has `parts[v]` parts, and leaves have one of `classes` outcomes.
    pub fn fresh(parts: &[u8], classes: usize) -> Self {
        Self::of(parts, &[0; 3][..classes.clamp(1, 3)], std::iter::empty())
    }

    /// Returns the lengths by the counts in `tree`. Classes are outcomes in the order of [`Wdl::ALL`](crate::Wdl::ALL): 0 is a
    /// loss, 1 a draw, 2 a win. An outcome that the tree lacks has a great length.
    pub fn fitted(tree: &Tree, parts: &[u8]) -> Self {
        let mut classes = [0; 3];
        tree.leaves().for_each(|leaf| classes[leaf.outcome.index()] += 1);
        Self::of(parts, &classes, tree.nodes().iter().copied())
    }

    /// Returns the lengths by the counts in these nodes of a tree, `classes` leaves of each class.
    pub fn of(parts: &[u8], classes: &[u64], nodes: impl Iterator<Item = Node>) -> Self {
        let leaves: u64 = classes.iter().sum();
        let mut variables = vec![0_u64; parts.len()];
        let mut intervals: Vec<Vec<u64>> =
            parts.iter().map(|&parts| vec![0; usize::from(parts).pow(2)]).collect();
        let (mut impure, mut levels, mut of_two) = (0, [0_u64; MAX_LEVEL as usize + 1], 0);
        for node in nodes {
            match node {
                Node::Test(test) => {
                    let variable = usize::from(test.variable);
                    variables[variable] += 1;
                    intervals[variable][place(parts[variable], test)] += 1;
                }
                Node::Leaf(leaf) => {
                    if let Some(excepted) = leaf.exceptions {
                        impure += 1;
                        levels[usize::from(excepted.level)] += 1;
                        of_two += u64::from(excepted.outcome.is_none());
                    }
                }
            }
        }
        let tests: u64 = variables.iter().sum();
        let used = variables.iter().filter(|&&count| count > 0).count() as u64;
        let unused = (parts.len() as u64 - used).max(1);
        let variable = |&count: &u64| match count {
            0 => log2(2 * tests + used + 1) + log2(unused) - log2(used + 1).min(log2(2 * tests + used + 1)),
            _ => length(count, tests, used + 1),
        };
        CodeLengths {
            is_test: length(tests, tests + leaves, 2),
            is_leaf: length(leaves, tests + leaves, 2),
            classes: classes.iter().map(|&count| length(count, leaves, classes.len() as u64)).collect(),
            pure: length(leaves - impure.min(leaves), leaves, 2),
            impure: length(impure, leaves, 2),
            // Without counts: one of sixteen levels, all equally likely, as greater ones are rare.
            levels: levels.map(|count| if impure == 0 { 4 * BIT } else { length(count, impure, 16) }),
            excepted: match classes.len() {
                3 => [length(impure - of_two, impure, 2) + BIT / 4, length(of_two, impure, 2)],
                _ => [0; 2],
            },
            variables: variables.iter().map(variable).collect(),
            intervals: parts
                .iter()
                .zip(&intervals)
                .map(|(&parts, counts)| interval_lengths(parts, counts))
                .collect(),
            parts: parts.to_vec(),
        }
    }

    /// The length of an inner node with the test whether `variable` is in `low..=high`. The complement has the same length.
    ///
    /// # Panics
    /// If there is no such variable or part.
    pub fn test(&self, variable: usize, low: u8, high: u8) -> u32 {
        let test = Test { variable: variable as u16, low, high };
        self.is_test + self.variables[variable] + self.intervals[variable][place(self.parts[variable], test)]
    }

    /// The length of a leaf of class `class` without exceptions.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn leaf(&self, class: usize) -> u32 {
        self.is_leaf + self.classes[class] + self.pure
    }

    /// The length that `exceptions` add to their leaf. Grows with their number, and cannot overflow.
    pub fn exceptions(&self, exceptions: Exceptions) -> u64 {
        // A bit for each equation, and the overhead of shards and rounding.
        let equations = exceptions.equations() * u64::from(BIT) * 129 / 128;
        let leaf = self.impure
            + self.levels[usize::from(exceptions.level)]
            + self.excepted[usize::from(exceptions.each > 1)];
        (equations + u64::from(leaf)).saturating_sub(self.pure.into())
    }
}

/// The index of the length of `test` for a variable with `parts` parts. An interval up to the last part has that of its
/// complement.
fn place(parts: u8, test: Test) -> usize {
    let (low, high) = match test {
        Test { low: 1.., high, .. } if high + 1 == parts => (0, test.low - 1),
        _ => (test.low, test.high),
    };
    usize::from(low) * usize::from(parts) + usize::from(high)
}

/// Returns the length of each interval of a variable by its count. Two occurrences are added and divided among all intervals, so
/// that none is infinite; prefixes get three quarters of them.
fn interval_lengths(parts: u8, counts: &[u64]) -> Vec<u32> {
    let total: u64 = counts.iter().sum();
    let parts = u64::from(parts);
    let interior = ((parts - 1) * (parts - 2) / 2).max(1);
    // The shares of the two occurrences: 3/2 for all prefixes, 1/2 for all interior intervals.
    let length = |(number, &count): (usize, &u64)| {
        let is_prefix = (number as u64) < parts;
        let (share, among) = if is_prefix { (3, 2 * (parts - 1)) } else { (1, 2 * interior) };
        // (count + share / among) / (total + 2)
        log2((total + 2) * among * 16) - log2((count * among + share) * 16)
    };
    counts.iter().enumerate().map(length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::Wdl;

    #[test]
    fn logarithms_are_right() {
        for x in [1, 2, 3, 10, 255, 256, 1000, 1 << 40, u64::MAX] {
            let right = 256.0 * (x as f64).log2();
            assert!((f64::from(log2(x)) - right).abs() < 1.1, "{x}: {} for {right}", log2(x));
        }
    }

    #[test]
    fn the_level_makes_the_fewest_equations() {
        assert_eq!(Exceptions::new(&[0, 9, 0], 1), None);
        for counts in [[0, 1, 1], [2, 3, 500], [1, 0, 999], [100, 1_000_000, 3], [40, 0, 40], [7, 0, 1 << 40]]
        {
            for class in 0..3 {
                let of = |other: usize| if other == class { 0_u64 } else { counts[other] };
                let exceptions: u64 = (0..3).map(of).sum();
                let each = (0..3).filter(|&other| of(other) > 0).count() as u64;
                let equations = |level: u8| exceptions * (u64::from(level) + each) + (counts[class] >> level);
                let found = Exceptions::new(&counts, class).unwrap();
                assert_eq!(
                    Some(found.equations()),
                    (0..=MAX_LEVEL).map(equations).min(),
                    "{counts:?} {class}"
                );
            }
        }
    }

    #[test]
    fn more_exceptions_cost_more() {
        let fresh = CodeLengths::fresh(&[2], 3);
        for (others, each) in [(1, 1), (1 << 20, 1), (1 << 20, 2), (1 << 40, 1), (1 << 40, 2)] {
            let mut before = (0, 0);
            for count in (0..32).flat_map(|log| [1 << log, (1 << log) + 1, 3 << log >> 1]).chain([1 << 40]) {
                let exceptions = Exceptions::new(&[count, others, count * (each - 1)], 1).unwrap();
                let length = fresh.exceptions(exceptions);
                assert!(count <= before.0 || length > before.1, "{count} among {others}: {length}");
                assert!(
                    length >= exceptions.equations() * u64::from(BIT),
                    "{count} among {others}: {length}"
                );
                before = (count.max(before.0), length.max(before.1));
            }
        }
    }

    #[test]
    fn fitting_makes_frequent_nodes_cheap() {
        let parts = [2, 8, 16];
        let fresh = CodeLengths::fresh(&parts, 3);
        let exceptions = |counts: [u64; 3]| fresh.exceptions(Exceptions::new(&counts, 2).unwrap());
        assert!(fresh.leaf(0) == fresh.leaf(2) && exceptions([3, 0, 997]) > exceptions([1, 0, 999]));
        assert!(exceptions([2, 1, 997]) > exceptions([3, 0, 997]));
        assert!(fresh.test(2, 3, 4) > fresh.test(2, 0, 4));
        assert_eq!(fresh.test(2, 5, 15), fresh.test(2, 0, 4));
        let mut nodes = Vec::new();
        let leaf = |outcome: Wdl| Node::Leaf(outcome.into());
        for high in 0..6 {
            nodes.extend([
                Node::Test(Test { variable: 1, low: 0, high }),
                leaf(Wdl::ALL[usize::from(high) % 2]),
            ]);
        }
        nodes.push(leaf(Wdl::Loss));
        let tree = Tree::new(nodes, &parts).unwrap();
        let fitted = CodeLengths::fitted(&tree, &parts);
        assert!(fitted.test(1, 0, 3) < fresh.test(1, 0, 3));
        assert!(fitted.test(0, 0, 0) > fitted.test(1, 0, 3));
        assert!(fitted.leaf(2) > fitted.leaf(0));
    }
}
