//! What a step works with.

use crate::care::care_set::CareSet;
use crate::cube::calculus::Calculus;
use crate::cube::cover::Cover;
use crate::steps::budget::StageBudget;

/// The algebra of cubes, what need not be covered, and the budget. All covers of a step are over the one space.
pub(crate) struct Setting<'a, const W: usize> {
    pub(crate) calculus: &'a Calculus<W>,
    /// The don't-cares.
    pub(crate) dc: &'a Cover,
    /// What is none of them, as a truth table where that is worth it.
    pub(crate) care_set: Option<&'a CareSet>,
    pub(crate) budget: StageBudget<'a>,
}
