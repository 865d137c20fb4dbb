//! LAST GASP: looks for primes that cover several cubes at once after all have been reduced as far as each can be.
//!
//! Follows Brayton et al. 1984, section 4.7: each cube is reduced with all others left as they are, so that the
//! result no longer depends on an order but is no cover; whenever two of the reduced cubes can be covered by one
//! prime, such a prime is added to the cover, and IRREDUNDANT decides whether it pays.

use crate::cover::Cover;
use crate::error::Result;
use crate::expand::{Expander, index};
use crate::ground::{Free, Ground};
use crate::index::Blocks;
use crate::irredundant::needed;
use crate::kernel::{Kernel, with_kernel};
use crate::meter::{Meter, StepMeter};
use crate::minimize::Step;
use crate::reduce::reduce_each;
use rayon::prelude::*;

/// Returns a cover that together with `dc` covers what `on` covers, meets `off` no more than `on` does, and has at
/// most as many cubes.
///
/// Deterministic, whatever the number of threads. The cost of one reduction and one expansion of every cube, and
/// of an expansion for each feasible pair of cubes.
///
/// # Panics
/// When the covers are over different spaces.
///
/// # Source
/// Brayton et al. 1984, section 4.7.
pub fn last_gasp(on: &Cover, dc: &Cover, off: &Cover) -> Cover {
    let meter = Meter::unlimited();
    assert_eq!(on.space(), off.space(), "covers over one space");
    let ground = Ground::new(on, dc);
    let free = Free { list: dc, ground: ground.as_ref() };
    last_gasp_metered(on, free, &index(off), &meter.step(Step::LastGasp, on.len()))
        .unwrap_or_else(|_| on.clone())
}

/// As [`last_gasp`], spending from `meter`.
pub(crate) fn last_gasp_metered(on: &Cover, free: Free, off: &Blocks, meter: &StepMeter) -> Result<Cover> {
    assert_eq!(on.space(), free.list.space(), "covers over one space");
    with_kernel!(on.space(), kernel => gasp(kernel, on, free, off, meter))
}

fn gasp<const W: usize>(
    kernel: &Kernel<W>,
    on: &Cover,
    free: Free,
    off: &Blocks,
    meter: &StepMeter,
) -> Result<Cover> {
    let n = kernel.words();
    let reduced = reduce_each(kernel, on.as_words(), free, meter)?;
    // Only cubes that shrank can get anywhere else.
    let shrunk: Vec<u64> = reduced
        .iter()
        .zip(on)
        .filter(|(reduced, cube)| reduced[..] != **cube && !kernel.space().is_empty(reduced))
        .flat_map(|(reduced, _)| reduced)
        .copied()
        .collect();
    let found: Vec<Vec<u64>> = (0..shrunk.len() / n)
        .into_par_iter()
        .map_init(
            || Expander::new(kernel, off),
            |expander, i| {
                let primes = primes_of_pairs(kernel, expander, &shrunk, i);
                meter.spend(std::mem::take(&mut expander.work), i).map(|()| primes)
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
    let keep = needed(kernel, all.as_words(), free, meter)?;
    all.retain(|i, _| keep[i]);
    Ok(if all.len() <= on.len() { all } else { on.clone() })
}

/// Primes that cover cube number `i` of the flat list and another one after it, for each with which that is
/// feasible.
fn primes_of_pairs<const W: usize>(
    kernel: &Kernel<W>,
    expander: &mut Expander<W>,
    cubes: &[u64],
    i: usize,
) -> Vec<u64> {
    let n = kernel.words();
    let full = kernel.space().full();
    let cube = &cubes[i * n..(i + 1) * n];
    expander.begin(cube, full);
    let feasible: Vec<&[u64]> = cubes[(i + 1) * n..]
        .chunks_exact(n)
        .filter(|other| kernel.contains(expander.reach(), other) && expander.is_feasible(other))
        .collect();
    let mut primes = Vec::new();
    for other in feasible {
        if primes.chunks_exact(n).any(|prime| kernel.contains(prime, other)) {
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
    use crate::Pla;

    #[test]
    fn an_irredundant_cover_of_four_becomes_three() {
        let on = Pla::parse(".i 3\n.o 1\n-01 1\n01- 1\n0-1 1\n1-0 1\n-10 1\n").unwrap().on;
        let none = Cover::new(on.space());
        let gasped = last_gasp(&on, &none, &crate::complement::complement(&on));
        assert!(gasped.len() < on.len());
    }
}
