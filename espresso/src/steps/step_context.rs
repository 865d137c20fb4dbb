//! The context of a step.

use crate::coverage::coverage_table::{Buffers, CoverageTable};
use crate::coverage::cube_index::BlockingIndex;
use crate::coverage::tautology::Tautology;
use crate::cube::cover::Cover;
use crate::cube::cube_algebra::CubeAlgebra;
use crate::steps::budget::StageBudget;

/// The algebra of cubes, the don't-cares and the budget. All covers of a step are over the same space.
pub(crate) struct StepContext<'a> {
    pub(crate) algebra: &'a CubeAlgebra,
    /// The don't-cares.
    pub(crate) dc: &'a Cover,
    /// The table of the minterms or cubes to be covered, if one is worthwhile.
    pub(crate) coverage: Option<&'a CoverageTable>,
    /// The index of R - D, for the steps that expand cubes.
    pub(crate) off: Option<&'a BlockingIndex>,
    pub(crate) budget: StageBudget<'a>,
    /// Work limit of one query, in cubes tested. Without a listed R, the test whether other cubes cover a cube can take too long;
    /// over the limit, the cube counts as not covered.
    pub(crate) query_limit: u64,
}

impl<'a> StepContext<'a> {
    /// The index of R - D.
    pub(crate) fn off(&self) -> &'a BlockingIndex {
        self.off.expect("the step has R - D")
    }

    /// Whether the minterms of F - D are to be covered; otherwise the cubes of F - D are, and D is not listed.
    pub(crate) fn covers_minterms(&self) -> bool {
        self.coverage.is_none_or(CoverageTable::has_minterms)
    }

    /// Whether a minterm is a don't-care. Adds the cubes tested to `work`.
    pub(crate) fn is_dont_care(&self, minterm: &[u64], buffers: &mut Buffers, work: &mut u64) -> bool {
        if let Some(coverage) = self.coverage {
            return !coverage.has(minterm, buffers);
        }
        *work += self.dc.len() as u64;
        self.dc.iter().any(|cube| self.algebra.contains(cube, minterm))
    }

    /// Returns a tautology checker with the work limit of the context.
    pub(crate) fn tautology(&self) -> Tautology<'a> {
        self.tautology_limited(self.query_limit)
    }

    /// The same with another work limit. The budget limits a query too.
    pub(crate) fn tautology_limited(&self, query_limit: u64) -> Tautology<'a> {
        let most = query_limit.min(self.budget.left());
        Tautology::limited(self.algebra, most, self.budget.monitor())
    }
}
