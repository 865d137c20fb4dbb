//! Compaction: distance-one merging, one variable after the other, until nothing merges.
//!
//! If two cubes agree in all variables but one, their union is their supercube. When the cover is sorted by the bits of all
//! other variables, such cubes are neighbours. So one pass merges all of them for one variable, and drops contained cubes.
//! After Gomboc and Shelton, section 2.5. Departure: they take the variables in turn; here the next variable is one that
//! merges many cubes, which leaves clearly fewer.
//!
//! Compaction must handle millions of cubes of few words: they are sorted once (`sorted_cubes`), and cubes of up to four
//! words are sorted without extra memory. The result does not depend on the order of the cubes.

use crate::cube::cube_algebra::CubeAlgebra;
use crate::cube::space::Variable;
use crate::steps::sorted_cubes::{PARALLEL, SortedCubes, VariableBits, Words};
use crate::{Cover, Monitor, Progress, Result, Space};
use rayon::prelude::*;

/// Most cubes that [`may_merge`] samples.
const SAMPLED: usize = 1000;

/// A variable is merged if it saves at least a PATIENCE-th of the last count of any other variable. Counting again until
/// the best variable is certain takes three times as long and gives no fewer cubes.
const PATIENCE: usize = 4;

/// Compacts the cover: drops empty and repeated cubes, then merges at distance one until no variable merges.
///
/// The result is sorted, covers the same minterms, and has no two cubes that differ in only one variable. Deterministic for
/// any number of threads. The cubes are sorted once. There are |variables| passes over the full cover, then a few times as
/// many while it shrinks.
///
/// # Example
/// ```
/// let mut pla = espresso::Pla::parse(".i 2\n.o 2\n00 10\n01 10\n01 01\n00 01\n")?;
/// espresso::compact::compact(&mut pla.on);
/// assert_eq!(pla.on.len(), 1);
/// # Ok::<(), espresso::Error>(())
/// ```
///
/// # Source
/// Gomboc and Shelton, section 2.5, "Compaction".
pub fn compact(cover: &mut Cover) {
    // Without a monitor nothing can cancel it.
    let _ = compact_with(cover, Monitor::default());
}

/// Like [`compact`], reporting every pass to `monitor`.
///
/// # Errors
/// [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled); the cover is then unchanged.
pub fn compact_with(cover: &mut Cover, monitor: Monitor<'_>) -> Result<()> {
    match cover.space().words() {
        1 => compact_as::<[u64; 1]>(cover, monitor),
        2 => compact_as::<[u64; 2]>(cover, monitor),
        3 => compact_as::<[u64; 3]>(cover, monitor),
        4 => compact_as::<[u64; 4]>(cover, monitor),
        _ => compact_as::<Box<[u64]>>(cover, monitor),
    }
}

/// Whether cubes of R may merge: on average they depend on more than half of the inputs. The cubes of a complement are larger,
/// and merged already.
pub(crate) fn may_merge(algebra: &CubeAlgebra, off: &Cover) -> bool {
    let (inputs, every) = (off.space().inputs(), off.len() / SAMPLED + 1);
    let (mut cubes, mut literals) = (0, 0);
    for cube in off.iter().step_by(every) {
        cubes += 1;
        algebra.for_each_dependence(cube, |v| literals += usize::from(v < inputs));
    }
    2 * literals > inputs * cubes
}

/// Like [`compact_with`], for cubes stored as `C`.
fn compact_as<C: Words>(cover: &mut Cover, monitor: Monitor<'_>) -> Result<()> {
    let space = cover.space().clone();
    let mut sorted = SortedCubes::<C>::new(cover);
    // If all cubes agree in a variable, none ever merge in it. This excludes most of very many variables.
    let first = cover.iter().next().unwrap_or_default();
    let is_mixed = |variable: &&Variable| cover.iter().any(|cube| variable.differs(cube, first));
    let variables = space.variables().iter().filter(is_mixed).collect();
    merge_all(&mut sorted, &space, variables, monitor)?;
    *cover = sorted.into_cover(&space);
    if space.words() > 1 {
        cover.normalize();
    }
    Ok(())
}

/// The number of cubes that merging in one variable would save.
struct Gain<'a> {
    /// Cubes saved, counted now or earlier.
    cubes: usize,
    /// Whether the count is up to date.
    known: bool,
    /// Its masks take as many words as three cubes, so they are computed each time and not stored for all variables.
    variable: &'a Variable,
}

fn merge_all<C: Words>(
    cubes: &mut SortedCubes<C>,
    space: &Space,
    variables: Vec<&Variable>,
    monitor: Monitor<'_>,
) -> Result<()> {
    let bits = |variable| VariableBits::new(space, variable);
    let count = |variable| Gain { cubes: cubes.count(&bits(variable)), known: true, variable };
    let mut gains: Vec<Gain> = if cubes.len() < PARALLEL {
        variables.into_iter().map(count).collect()
    } else {
        variables.into_par_iter().map(count).collect()
    };
    for pass in 0.. {
        monitor.report(&Progress::new("compact", pass, None, "passes"))?;
        let best = |known: bool| {
            let such = (0..gains.len()).filter(|&v| gains[v].known == known);
            such.max_by_key(|&v| (gains[v].cubes, usize::MAX - v))
        };
        let (fresh, stale) = (best(true), best(false));
        let hoped = stale.map_or(0, |v| gains[v].cubes);
        if let Some(v) = fresh.filter(|&v| gains[v].cubes.saturating_mul(PATIENCE) >= hoped.max(1)) {
            cubes.merge_distance_one(&bits(gains[v].variable));
            for gain in &mut gains {
                gain.known = false;
            }
            gains[v].cubes = 0;
            gains[v].known = true;
        } else if let Some(v) = stale {
            gains[v].cubes = cubes.count(&bits(gains[v].variable));
            gains[v].known = true;
        } else {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;

    fn wide_space() -> impl Strategy<Value = crate::Space> {
        (1usize..150, 1usize..40).prop_map(|(i, o)| crate::Space::binary(i, o).unwrap())
    }

    proptest! {
        /// All storage types give the same result, which covers the same points.
        #[test]
        fn both_ways_keep_the_function(
            [small] in testing::covers([40]),
            wide in wide_space().prop_flat_map(|space| testing::cover(space, 60)),
        ) {
            for cover in [&small, &wide] {
                let (mut few, mut boxed) = (cover.clone(), cover.clone());
                compact(&mut few);
                compact_as::<Box<[u64]>>(&mut boxed, Monitor::default()).unwrap();
                prop_assert!(few.len() <= cover.len());
                prop_assert_eq!(few, boxed);
            }
            let mut compacted = small.clone();
            compact(&mut compacted);
            for point in testing::points(small.space()) {
                prop_assert_eq!(testing::holds(&small, &point), testing::holds(&compacted, &point));
            }
        }

        /// Nothing merges in a compacted cover of any width, and the order of cubes does not matter.
        #[test]
        fn ends_at_a_fixed_point(
            cover in wide_space().prop_flat_map(|space| testing::cover(space, 12)),
            bits in proptest::collection::vec(0usize..1000, 0..40),
        ) {
            let mut cover = cover;
            for bit in bits {
                // A neighbour of some cube, so that there is something to merge.
                if cover.is_empty() { break; }
                let mut cube = cover.cube(bit % cover.len()).to_vec();
                let v = bit % cover.space().inputs();
                cube[v / 32] ^= 3 << (v % 32 * 2);
                if !cover.space().is_empty(&cube) {
                    cover.push(&cube);
                }
            }
            let mut reversed = Cover::new(cover.space());
            for i in (0..cover.len()).rev() {
                reversed.push(cover.cube(i));
            }
            compact(&mut cover);
            compact(&mut reversed);
            prop_assert_eq!(&cover, &reversed);
            let variables = cover.space().variables();
            for (i, a) in cover.iter().enumerate() {
                for b in cover.iter().skip(i + 1) {
                    prop_assert!(variables.iter().filter(|variable| variable.differs(a, b)).count() > 1);
                }
            }
        }
    }
}
