//! The context of a step.

use crate::care::care_set::CareSet;
use crate::care::tautology::Tautology;
use crate::cube::calculus::Calculus;
use crate::cube::cover::Cover;
use crate::steps::budget::StageBudget;

/// The algebra of cubes, the don't-cares and the budget. All covers of a step are over the same space.
pub(crate) struct StepContext<'a> {
    pub(crate) calculus: &'a Calculus,
    /// The don't-cares.
    pub(crate) dc: &'a Cover,
    /// The care set, as a truth table if one is worthwhile.
    pub(crate) care_set: Option<&'a CareSet>,
    pub(crate) budget: StageBudget<'a>,
    /// Work limit of one query, in cubes tested. Without a listed R, the test whether others cover a cube can take too long;
    /// over the limit, the cube counts as not covered.
    pub(crate) query_limit: u64,
}

impl<'a> StepContext<'a> {
    /// Returns a checker for queries with this work limit.
    pub(crate) fn tautology(&self) -> Tautology<'a> {
        Tautology::limited(self.calculus, self.query_limit)
    }
}
