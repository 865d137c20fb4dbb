//! ESSENTIAL: finds the essential primes of a cover of primes.
//!
//! Follows Brayton et al. 1984, section 4.6: a prime is essential if some minterm of it is in no other prime. That is the
//! case if D and the consensus of the prime with the other cubes of F and D do not cover the prime. Only the part of the
//! consensus within the prime p counts. For each cube q at distance one or less, and each variable in which q has a part that p
//! lacks, this part has one cube: it agrees with p in the variable, and with the intersection of p and q in all others.
//!
//! If D is the complement of F and R (`on_cubes`), the step does nothing: it only saves work, and it would need the primes of the
//! whole space. The later steps treat all cubes alike.

use crate::coverage::cube_index::BlockingIndex;
use crate::cube::cube_algebra::{CubeAlgebra, Distance};
use crate::steps::parallel_map::parallel_map;
use crate::steps::step_context::StepContext;
use crate::{Cover, Result};

/// Divides the work limit of a query, if there is one.
const SHARE: u64 = 16;

/// Returns for each cube of `on` whether it is an essential prime. The cubes must be primes of the function with ON-set
/// `on` and the don't-cares of `context`.
///
/// Deterministic for any number of threads. O(|F| · (|F| + |D|)) words, and a tautology for some cubes.
pub(crate) fn essential(context: &StepContext, on: &Cover) -> Result<Vec<bool>> {
    let StepContext { algebra, dc, ref budget, .. } = *context;
    if !context.covers_minterms() {
        return Ok(vec![false; on.len()]);
    }
    let index = BlockingIndex::new(algebra, &[on.as_words(), dc.as_words()].concat());
    // A prime that is not known to be essential only costs later steps some work.
    let query_limit = if context.query_limit == u64::MAX { u64::MAX } else { context.query_limit / SHARE };
    parallel_map(
        on.len(),
        on.len() * (on.len() + dc.len()),
        || (context.tautology_limited(query_limit), Vec::new()),
        |(tautology, near), i| {
            let prime = on.cube(i);
            near.clear();
            let mut free = Vec::new();
            for (j, cube) in index.cubes(algebra, &index.columns.up_to_distance_one(algebra, prime)) {
                if j != i {
                    near.extend_from_slice(cube);
                    if j >= on.len() {
                        free.extend_from_slice(cube);
                    }
                }
            }
            let neighbours = consensus(algebra, prime, near);
            let essential =
                !tautology.covers(&[&neighbours, &free], prime) && !tautology.search.has_given_up();
            budget.pay_for(&mut tautology.search, 0, i).map(|()| essential)
        },
    )
}

/// The consensus of a prime with the cubes of the flat list `others`, within the prime. Cubes within larger cubes are left out:
/// in a variable in which a cube has all parts of the prime, the consensus is only their intersection.
fn consensus(algebra: &CubeAlgebra, prime: &[u64], others: &[u64]) -> Vec<u64> {
    let mut result = Vec::new();
    let variables = algebra.space().variables();
    for cube in others.chunks_exact(algebra.words()) {
        let mut add = |v: Option<usize>| {
            let to = result.len();
            result.extend(prime.iter().zip(cube).map(|(&p, &q)| p & q));
            v.into_iter().for_each(|v| algebra.copy_literal(v, prime, &mut result[to..]));
        };
        match algebra.distance(cube, prime) {
            Distance::One(v) if variables[v].exceeds(cube, prime) => add(Some(v)),
            Distance::One(_) | Distance::More => {}
            Distance::Zero => {
                let (mut is_plain, mut is_larger) = (false, false);
                algebra.for_each_variable(
                    |i| cube[i] & !prime[i],
                    |v| {
                        if variables[v].exceeds(prime, cube) {
                            is_larger = true;
                            add(Some(v));
                        } else {
                            is_plain = true;
                        }
                    },
                );
                if is_plain && !is_larger {
                    add(None);
                }
            }
        }
    }
    result
}
