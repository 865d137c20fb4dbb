//! The cost of a tree: the coded size of its tests and leaves in bits, and the time of its tests, converted to bits. The caller
//! sets it, because it knows how its trees are coded and walked.

use std::fmt;

type LeafCost<'a> = dyn Fn(&[u64]) -> f32 + Sync + 'a;

/// The cost of tests and leaves in bits.
pub struct CostModel<'a> {
    /// The bits of each test by variable: those of `low..=high` are at `high * (high + 1) / 2 + low`.
    tests: Vec<Vec<f32>>,
    leaf: Box<LeafCost<'a>>,
    /// The time of a test by variable: additional bits for each row that reaches it, not below 0.
    pub times: Vec<f32>,
    /// A lower bound of a test plus two leaves.
    pub least_test: f32,
}

impl<'a> CostModel<'a> {
    /// Returns the model of variables with these numbers of parts, in which time costs nothing.
    ///
    /// `test(v, low, high)` returns the bits of a test of `low..=high` in variable v, without its children. `leaf` returns the bits
    /// of a leaf with these numbers of rows of each class: the mark of a leaf, the class of most rows, and the other rows as
    /// exceptions. At least one number is not 0. No leaf has fewer bits than `least_leaf`.
    pub fn new(
        parts: &[u8],
        test: impl Fn(usize, u8, u8) -> f32,
        leaf: impl Fn(&[u64]) -> f32 + Sync + 'a,
        least_leaf: f32,
    ) -> Self {
        let of_variable = |(variable, &parts): (usize, &u8)| {
            let highs = 0..parts.saturating_sub(1);
            let intervals = highs.flat_map(|high| (0..=high).map(move |low| (low, high)));
            intervals.map(|(low, high)| test(variable, low, high)).collect()
        };
        let tests: Vec<Vec<f32>> = parts.iter().enumerate().map(of_variable).collect();
        let least_test = tests.iter().flatten().copied().reduce(f32::min).unwrap_or(0.0) + 2.0 * least_leaf;
        CostModel { tests, leaf: Box::new(leaf), times: vec![0.0; parts.len()], least_test }
    }

    /// Returns the model with these times.
    #[must_use]
    pub fn with_times(self, times: Vec<f32>) -> Self {
        CostModel { times, ..self }
    }

    /// The bits of a test of `low..=high` in `variable`, without its children. `high` is not the last part.
    #[inline]
    pub fn test(&self, variable: usize, low: u8, high: u8) -> f32 {
        let high = usize::from(high);
        self.tests[variable][high * (high + 1) / 2 + usize::from(low)]
    }

    /// The bits of a leaf with these numbers of rows of each class.
    pub fn leaf(&self, counts: &[u64]) -> f32 {
        (self.leaf)(counts)
    }

    /// The bits of the cheapest test of each variable.
    pub(super) fn least_tests(&self) -> Vec<f32> {
        self.tests.iter().map(|tests| tests.iter().copied().fold(f32::INFINITY, f32::min)).collect()
    }
}

impl fmt::Debug for CostModel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the cost of tests of {} variables", self.tests.len())
    }
}
