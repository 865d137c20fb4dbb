//! The proof of a lower bound, from the covering matrix of the exact step.

use crate::Result;
use crate::care::set_cover::packing::packing;
use crate::check::{LowerBound, Weighed};
use crate::steps::budget::StageBudget;
use crate::steps::exact::{NUMBERS_A_CUBE, PrimeTable};
use std::collections::HashSet;

/// Returns the proof that every cover has at least `cubes` cubes: weights of the minterms of `table`, and all its minterms
/// if the weights do not suffice.
pub(super) fn lower_bound(table: &PrimeTable, cubes: usize, budget: &StageBudget<'_>) -> Result<LowerBound> {
    let weighed = |(row, weight): (usize, u64)| Weighed { minterm: table.minterms[row].clone(), weight };
    let groups = packing(table.rows.clone(), &mut |work| budget.spend(work / NUMBERS_A_CUBE, 0))?;
    let groups = groups.into_iter().map(|group| group.into_iter().map(weighed).collect()).collect();
    let mut bound = LowerBound { cubes, groups, ..LowerBound::default() };
    if bound.by_weight() < cubes {
        // Several minterms may have moved to the same place: keep one.
        let mut seen = HashSet::new();
        bound.searched = table.minterms.iter().filter(|minterm| seen.insert(*minterm)).cloned().collect();
    }
    Ok(bound)
}
