//! MAKE SPARSE: lowers outputs that other cubes already cover, then raises the inputs that this frees.
//!
//! Follows the end of Brayton et al. 1984, section 4.8. For each output by itself, an irredundant selection of the cubes with
//! this output keeps it, and the others lose it. Then inputs, but not outputs, are raised. Both are repeated while the number
//! of literals falls.

use crate::coverage::cube_index::contained;
use crate::cube::bits::{has, remove};
use crate::steps::expand::{Seeds, expand};
use crate::steps::irredundant::needed;
use crate::steps::reduce::without_empty;
use crate::steps::step_context::StepContext;
use crate::{Cover, Result, Space};
use std::collections::HashSet;

/// Returns a cover that together with the don't-cares covers `on`, with at most as many cubes, fewer outputs in them, and
/// inputs raised as far as R - D allows. If `are_primes`, all cubes of `on` are primes, and inputs are raised only in cubes
/// with lowered outputs.
///
/// Deterministic for any number of threads. Costs a few rounds of IRREDUNDANT for each output, and of EXPAND.
pub(crate) fn make_sparse(context: &StepContext, on: &Cover, are_primes: bool) -> Result<Cover> {
    let space = on.space();
    let mut inputs = space.full().to_vec();
    Space::clear(space.output(), &mut inputs);
    let mut best = on.clone();
    let (mut are_raised, mut outputs) = (are_primes, space.full().to_vec());
    loop {
        let (lowered, same) = lower_outputs(context, &best, &outputs)?;
        if lowered.literals() == best.literals() {
            return Ok(best);
        }
        let primes = are_raised.then_some(&same[..]);
        let seeds = Seeds { primes, raisable: Some(&inputs), ..Seeds::default() };
        let mut raised = expand(context, &lowered, seeds)?;
        if are_raised {
            // Unchanged cubes were not expanded, and may be within a cube whose inputs were raised.
            let is_within = contained(context.algebra, raised.as_words(), |i| context.budget.spend(0, i))?;
            raised.retain(|i, _| !is_within[i]);
        }
        are_raised = true;
        if raised.len() > best.len() || raised.literals() >= best.literals() {
            return Ok(best);
        }
        let unchanged: HashSet<&[u64]> = lowered.iter().collect();
        outputs.fill(0);
        raised
            .iter()
            .filter(|cube| !unchanged.contains(cube))
            .for_each(|cube| Space::join(&mut outputs, cube));
        best = raised;
    }
}

/// Removes from each cube the outputs, among `outputs`, for which other cubes and D cover it; drops cubes without outputs. Also
/// returns for each remaining cube whether it is unchanged. This is IRREDUNDANT of cubes of one output each. Minterms of
/// different outputs are different: a coverage table decides about all outputs at once, lists about one output at a time.
fn lower_outputs(context: &StepContext, on: &Cover, outputs: &[u64]) -> Result<(Cover, Vec<bool>)> {
    let space = on.space();
    let outputs: Vec<usize> = space.output().bits_in(outputs).collect();
    let at_once = if context.coverage.is_some() { outputs.len() } else { 1 };
    let mut lowered = on.clone();
    for bits in outputs.chunks(at_once.max(1)) {
        let (mut pieces, mut origins, mut dc) = (Cover::new(space), Vec::new(), Cover::new(space));
        for (i, cube) in on.iter().enumerate() {
            for &bit in bits.iter().filter(|&&bit| has(cube, bit)) {
                let mut piece = cube.to_vec();
                Space::keep_only(space.output(), &mut piece, bit);
                pieces.push(&piece);
                origins.push((i, bit));
            }
        }
        let is_here = |cube: &&[u64]| bits.iter().any(|&bit| has(cube, bit));
        context.dc.iter().filter(is_here).for_each(|cube| dc.push(cube));
        let keep = needed(&StepContext { dc: &dc, ..*context }, &pieces)?;
        for ((i, bit), _) in origins.into_iter().zip(keep).filter(|&(_, keep)| !keep) {
            remove(lowered.cube_mut(i), bit);
        }
    }
    Ok(without_empty(on, lowered))
}
