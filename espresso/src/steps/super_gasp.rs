//! SUPER GASP: the last gasp with all primes of each maximally reduced cube.
//!
//! This is the strong form of Brayton et al. 1984, section 4.7, as in Berkeley's program (Rudell 1989). Instead of primes
//! that cover two reduced cubes, all primes of every reduced cube are added to the cover, and IRREDUNDANT chooses. These primes
//! are computed without the other primes of the function (`exact`).

use crate::steps::exact::primes::Primes;
use crate::steps::expand::Expander;
use crate::steps::irredundant::irredundant;
use crate::steps::parallel_map::parallel_map;
use crate::steps::reduce::reduce_each;
use crate::steps::step_context::StepContext;
use crate::{Cover, Result};

/// Limit on the primes of one cube. If it has more, one is used.
const MOST_PRIMES: usize = 1000;

/// Returns a cover with at most as many cubes as `on` that together with the don't-cares covers `on`, and meets no cube of
/// R - D that `on` does not meet.
///
/// Deterministic for any number of threads. Costs a reduction of every cube, and the computation of its primes.
pub(crate) fn super_gasp(context: &StepContext, on: &Cover) -> Result<Cover> {
    let (algebra, budget) = (context.algebra, &context.budget);
    let mut reduced = reduce_each(context, on)?;
    reduced.retain(|cube| !algebra.space().is_empty(cube));
    let found = parallel_map(
        reduced.len(),
        usize::MAX,
        || (Expander::new(context, on.space().full()), Primes::default()),
        |(expander, primes), i| {
            expander.begin(&reduced[i])?;
            let all = primes.of(algebra, expander, MOST_PRIMES, &mut |work| budget.spend(work, 0))?;
            let all = all.map_or_else(|| expander.finish().map(<[u64]>::to_vec), Ok)?;
            budget.spend(std::mem::take(&mut expander.work), i).map(|()| all)
        },
    )?;
    let mut all = Cover::from_words(on.space(), found.concat()).with(on);
    all.normalize();
    let kept = irredundant(context, all)?;
    // Equally many cubes do not count as a gain: the loop could go on for ever between covers of one size.
    Ok(if kept.len() < on.len() { kept } else { on.clone() })
}
