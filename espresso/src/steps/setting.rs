//! What a step works with.

use crate::care::care_set::CareSet;
use crate::care::tautology::Tautology;
use crate::cube::calculus::Calculus;
use crate::cube::cover::Cover;
use crate::steps::budget::StageBudget;

/// The algebra of cubes, what need not be covered, and the budget. All covers of a step are over the one space.
pub(crate) struct Setting<'a> {
    pub(crate) calculus: &'a Calculus,
    /// The don't-cares.
    pub(crate) dc: &'a Cover,
    /// What is none of them, as a truth table where that is worth it.
    pub(crate) care_set: Option<&'a CareSet>,
    pub(crate) budget: StageBudget<'a>,
    /// Cubes looked at for one question at most. Where R is not listed, whether others cover a cube can take more than there
    /// is time for; then the cube is taken for one that they do not.
    pub(crate) question: u64,
}

impl<'a> Setting<'a> {
    /// What answers questions, each within its bound.
    pub(crate) fn tautology(&self) -> Tautology<'a> {
        Tautology::limited(self.calculus, self.question)
    }
}
