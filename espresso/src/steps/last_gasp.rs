//! LAST GASP: looks for primes that cover several cubes at once after all have been reduced as far as each can be.
//!
//! Follows Brayton et al. 1984, section 4.7: each cube is reduced with all others left as they are, so that the
//! result no longer depends on an order but is no cover; whenever two of the reduced cubes can be covered by one
//! prime, such a prime is added to the cover, and IRREDUNDANT decides whether it pays.

use crate::care::care_set::DontCares;
use crate::care::cube_index::BlockingIndex;
use crate::cube::calculus::{Calculus, with_calculus};
use crate::cube::cover::Cover;
use crate::error::Result;
use crate::steps::budget::StageBudget;
use crate::steps::expand::Expander;
use crate::steps::irredundant::needed;
use crate::steps::reduce::reduce_each;
use rayon::prelude::*;

/// Returns a cover that together with the don't-cares covers what `on` covers, meets `off` no more than `on` does,
/// and has at most as many cubes.
///
/// Deterministic, whatever the number of threads. The cost of one reduction and one expansion of every cube, and
/// of an expansion for each feasible pair of cubes.
pub(crate) fn last_gasp(
    on: &Cover,
    dc: DontCares,
    off: &BlockingIndex,
    budget: &StageBudget,
) -> Result<Cover> {
    assert_eq!(on.space(), dc.cover.space(), "covers over one space");
    with_calculus!(on.space(), calculus => gasp(calculus, on, dc, off, budget))
}

fn gasp<const W: usize>(
    calculus: &Calculus<W>,
    on: &Cover,
    dc: DontCares,
    off: &BlockingIndex,
    budget: &StageBudget,
) -> Result<Cover> {
    let n = calculus.words();
    let reduced = reduce_each(calculus, on.as_words(), dc, budget)?;
    // Only cubes that shrank can get anywhere else.
    let shrunk: Vec<u64> = reduced
        .iter()
        .zip(on)
        .filter(|(reduced, cube)| reduced[..] != **cube && !calculus.space().is_empty(reduced))
        .flat_map(|(reduced, _)| reduced)
        .copied()
        .collect();
    let found: Vec<Vec<u64>> = (0..shrunk.len() / n)
        .into_par_iter()
        .map_init(
            || Expander::new(calculus, off),
            |expander, i| {
                let primes = primes_of_pairs(calculus, expander, &shrunk, i);
                budget.spend(std::mem::take(&mut expander.work), i).map(|()| primes)
            },
        )
        .collect::<Result<_>>()?;
    let mut added = Cover::from_words(on.space(), found.concat());
    if added.is_empty() {
        return Ok(on.clone());
    }
    added.normalize();
    let mut all = on.clone();
    all.extend(&added);
    let keep = needed(calculus, all.as_words(), dc, budget)?;
    all.retain(|i, _| keep[i]);
    Ok(if all.len() <= on.len() { all } else { on.clone() })
}

/// Primes that cover cube number `i` of the flat list and another one after it, for each with which that is
/// feasible.
fn primes_of_pairs<const W: usize>(
    calculus: &Calculus<W>,
    expander: &mut Expander<W>,
    cubes: &[u64],
    i: usize,
) -> Vec<u64> {
    let n = calculus.words();
    let full = calculus.space().full();
    let cube = &cubes[i * n..(i + 1) * n];
    expander.begin(cube, full);
    let feasible: Vec<&[u64]> = cubes[(i + 1) * n..]
        .chunks_exact(n)
        .filter(|other| calculus.contains(expander.reach(), other) && expander.is_feasible(other))
        .collect();
    let mut primes = Vec::new();
    for other in feasible {
        if primes.chunks_exact(n).any(|prime| calculus.contains(prime, other)) {
            continue;
        }
        let pair: Vec<u64> = cube.iter().zip(other).map(|(&a, &b)| a | b).collect();
        expander.begin(&pair, full);
        expander.gather(cubes.chunks_exact(n));
        primes.extend_from_slice(expander.finish());
    }
    primes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::complement::complement;
    use crate::steps::expand::index;
    use crate::{Pla, testing};

    #[test]
    fn an_irredundant_cover_of_four_becomes_three() {
        let on = Pla::parse(".i 3\n.o 1\n-01 1\n01- 1\n0-1 1\n1-0 1\n-10 1\n").unwrap().on;
        let none = Cover::new(on.space());
        let off = index(&complement(&on));
        let gasped = testing::run(&on, &none, |dc, budget| last_gasp(&on, dc, &off, budget));
        assert!(gasped.len() < on.len());
    }
}
