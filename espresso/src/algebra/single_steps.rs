//! Steps of a minimization that are useful on their own.

use super::one_space;
use crate::cube::cube_algebra::CubeAlgebra;
use crate::steps::budget::Budget;
use crate::steps::essential::essential;
use crate::steps::sorted_cubes::{SortedCubes, VariableBits, Words};
use crate::steps::step_context::StepContext;
use crate::{Cover, Monitor, Result};
use std::ops::Range;

/// Returns for each cube of `on` whether it is an essential prime of the function with ON-set `on` and DC-set `dc`. The
/// cubes must be primes of that function.
///
/// Deterministic. At most one tautology test for each cube.
///
/// # Errors
/// [`Mismatch`](crate::ErrorKind::Mismatch) for covers over different spaces; [`Cancelled`](crate::ErrorKind::Cancelled)
/// when the callback breaks.
///
/// # Source
/// Brayton et al. 1984, section 4.6.
pub fn essential_primes(on: &Cover, dc: &Cover, monitor: Monitor<'_>) -> Result<Vec<bool>> {
    one_space(on, dc)?;
    let budget = Budget::in_memory(None, monitor);
    let algebra = &CubeAlgebra::new(on.space());
    let budget = budget.of_cubes("essential", on.len());
    essential(&StepContext { algebra, dc, coverage: None, off: None, budget, query_limit: u64::MAX }, on)
}

/// Merges cubes that differ in only one variable, once for each of these variables, in order. The result is sorted. The
/// output variable is the last one.
///
/// [`compact`](crate::compact::compact) repeats until nothing merges, in the order that saves the most.
///
/// # Panics
/// When there is no such variable.
///
/// # Source
/// Berkeley's subcommand `d1merge`.
pub fn merge_variables(cover: &mut Cover, variables: Range<usize>) {
    match cover.space().words() {
        1 => merge_as::<[u64; 1]>(cover, variables),
        2 => merge_as::<[u64; 2]>(cover, variables),
        _ => merge_as::<Box<[u64]>>(cover, variables),
    }
}

fn merge_as<C: Words>(cover: &mut Cover, variables: Range<usize>) {
    let space = cover.space().clone();
    let mut sorted = SortedCubes::<C>::new(cover);
    for variable in &space.variables()[variables] {
        sorted.merge_distance_one(&VariableBits::new(&space, variable));
    }
    *cover = sorted.into_cover(&space);
    cover.normalize();
}
