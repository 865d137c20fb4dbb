//! LAST GASP: searches for primes that cover several maximally reduced cubes.
//!
//! Follows Brayton et al. 1984, section 4.7. Each cube is reduced while all others stay unchanged, so that the result does
//! not depend on an order; but the reduced cubes are not a cover. If one prime can cover two reduced cubes, it is added to
//! the cover. IRREDUNDANT then decides whether the new primes pay.

use crate::cube::cube_algebra::CubeAlgebra;
use crate::steps::expand::Expander;
use crate::steps::irredundant::irredundant;
use crate::steps::parallel_map::parallel_map;
use crate::steps::reduce::reduce_each;
use crate::steps::step_context::StepContext;
use crate::{Cover, Result};

/// Returns a cover with at most as many cubes as `on` that together with the don't-cares covers `on`, and meets no cube of
/// R - D that `on` does not meet.
///
/// Deterministic for any number of threads. Costs one reduction and one expansion of every cube, and an expansion for each
/// feasible pair of cubes.
pub(crate) fn last_gasp(context: &StepContext, on: &Cover) -> Result<Cover> {
    let (algebra, budget) = (context.algebra, &context.budget);
    let n = algebra.words();
    let reduced = reduce_each(context, on)?;
    // Only cubes that shrank can expand to other primes.
    let shrunk: Vec<u64> = reduced
        .iter()
        .zip(on)
        .filter(|(reduced, cube)| reduced[..] != **cube && !algebra.space().is_empty(reduced))
        .flat_map(|(reduced, _)| reduced)
        .copied()
        .collect();
    let found = parallel_map(
        shrunk.len() / n,
        (shrunk.len() / n).pow(2),
        || Expander::new(context, on.space().full()),
        |expander, i| {
            let primes = primes_of_pairs(algebra, expander, &shrunk, i)?;
            budget.spend(std::mem::take(&mut expander.work), i).map(|()| primes)
        },
    )?;
    let mut added = Cover::from_words(on.space(), found.concat());
    if added.is_empty() {
        return Ok(on.clone());
    }
    added.normalize();
    let kept = irredundant(context, on.with(&added))?;
    Ok(if kept.len() <= on.len() { kept } else { on.clone() })
}

/// Primes that cover cube number `i` of the flat list and a later cube, one for each feasible later cube.
fn primes_of_pairs(
    algebra: &CubeAlgebra,
    expander: &mut Expander,
    cubes: &[u64],
    i: usize,
) -> Result<Vec<u64>> {
    let n = algebra.words();
    let cube = &cubes[i * n..(i + 1) * n];
    expander.begin(cube)?;
    expander.gather(cubes[(i + 1) * n..].chunks_exact(n));
    let (mut feasible, mut primes) = (Vec::new(), Vec::new());
    expander.list_feasible(&mut feasible);
    for other in feasible.chunks_exact(n) {
        if primes.chunks_exact(n).any(|prime| algebra.contains(prime, other)) {
            continue;
        }
        let pair: Vec<u64> = cube.iter().zip(other).map(|(&a, &b)| a | b).collect();
        expander.begin(&pair)?;
        expander.gather(cubes.chunks_exact(n));
        primes.extend_from_slice(expander.finish()?);
    }
    Ok(primes)
}
