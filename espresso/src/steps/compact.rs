//! Compaction: distance-one merging, one variable after the other, until nothing merges.
//!
//! Two cubes that agree in all variables but one are their supercube: their union is one cube. Sorted by all other
//! variables' bits, such cubes stand side by side, so one pass over the sorted cover merges all of them for one
//! variable, together with what is contained. After Gomboc and Shelton, section 2.5, who take the variables in turn;
//! here the next variable is one that merges many, which leaves clearly fewer cubes.
//!
//! Compaction is the first that is done to a large function, so it is made for millions of cubes of few words: cubes
//! of up to four words are sorted once (`sorted_cubes`), wider ones for each variable, by reference. What is merged
//! depends on which cubes are equal, never on their order, so the result is the same for any number of threads.

use crate::cube::cover::Cover;
use crate::cube::space::Space;
use crate::steps::sorted_cubes::{Bits, PARALLEL, SortedCubes};
use rayon::prelude::*;
use std::cmp::Ordering;

/// A variable is merged when it is known to save at least a PATIENCE-th of what any other did when last counted.
/// Counting again until the best is certain takes three times as long and gives no fewer cubes.
const PATIENCE: usize = 4;

/// What [`compact`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompactStats {
    /// Cubes before.
    pub cubes_in: usize,
    /// Cubes after.
    pub cubes_out: usize,
    /// Times that the cover was gone through for one variable.
    pub passes: usize,
}

/// Merges all cubes that are equal outside `variable` (its index in [`Space::variables`]), and returns how many
/// cubes that saved.
///
/// The cubes end up sorted by their bits outside the variable. The cover means the same function as before, provided
/// that it has no empty cubes. Deterministic. O(|F| log |F|) comparisons of at most one cube's words.
///
/// # Panics
/// When the space has no such variable.
pub fn merge_distance_one(cover: &mut Cover, variable: usize) -> usize {
    let before = cover.len();
    let outside = outside(cover.space(), variable);
    cover.merge(&outside);
    before - cover.len()
}

/// Compacts the cover: drops empty cubes and repetitions, then merges at distance one until no variable merges.
///
/// The next variable is each time one that merges about the most cubes. The result is sorted, means the same
/// function, and has no two cubes that differ in one variable only. Deterministic, whatever the number of threads.
/// Cubes of up to four words are sorted once and gone through |variables| times at the first size, then a few times
/// that while the cover shrinks; wider ones are sorted each time.
///
/// # Example
/// ```
/// let mut pla = espresso::Pla::parse(".i 2\n.o 2\n00 10\n01 10\n01 01\n00 01\n")?;
/// let stats = espresso::compact::compact(&mut pla.on);
/// assert_eq!((stats.cubes_in, stats.cubes_out), (4, 1));
/// # Ok::<(), espresso::Error>(())
/// ```
///
/// # Source
/// Gomboc and Shelton, section 2.5, "Compaction".
pub fn compact(cover: &mut Cover) -> CompactStats {
    match cover.space().words() {
        1 => compact_sorted::<1>(cover),
        2 => compact_sorted::<2>(cover),
        3 => compact_sorted::<3>(cover),
        4 => compact_sorted::<4>(cover),
        _ => {
            let cubes_in = cover.len();
            cover.normalize();
            let space = cover.space().clone();
            let masks = (0..space.variables().len()).map(|v| outside(&space, v)).collect();
            let stats = merge_all(cover, masks);
            cover.normalize();
            CompactStats { cubes_in, ..stats }
        }
    }
}

/// As [`compact`], for cubes of `N` words.
fn compact_sorted<const N: usize>(cover: &mut Cover) -> CompactStats {
    let space = cover.space().clone();
    let cubes_in = cover.len();
    let mut sorted = SortedCubes::<N>::new(cover);
    let stats = merge_all(&mut sorted, space.variables().iter().map(Bits::new).collect());
    *cover = sorted.into_cover(&space);
    if N > 1 {
        cover.normalize();
    }
    CompactStats { cubes_in, ..stats }
}

/// A cover in which cubes that differ in one variable only can be merged.
pub(crate) trait Merging: Sync {
    /// What is known of a variable.
    type Bits: Sync + Send;

    /// Number of cubes.
    fn len(&self) -> usize;

    /// How many cubes merging in the variable would save.
    fn count(&self, bits: &Self::Bits) -> usize;

    /// Merges all cubes that differ in the variable only.
    fn merge(&mut self, bits: &Self::Bits);
}

/// What merging in one variable would save.
struct Gain<B> {
    /// Cubes saved, now or at some time before.
    cubes: usize,
    /// Whether that is what it would save now.
    known: bool,
    bits: B,
}

/// Merges in one variable after the other until nothing merges.
fn merge_all<M: Merging>(cubes: &mut M, variables: Vec<M::Bits>) -> CompactStats {
    let mut stats = CompactStats { cubes_in: cubes.len(), passes: variables.len(), cubes_out: 0 };
    let count = |bits| Gain { cubes: cubes.count(&bits), known: true, bits };
    let mut gains: Vec<Gain<M::Bits>> = if cubes.len() < PARALLEL {
        variables.into_iter().map(count).collect()
    } else {
        variables.into_par_iter().map(count).collect()
    };
    loop {
        let best = |known: bool| {
            let such = (0..gains.len()).filter(|&v| gains[v].known == known);
            such.max_by_key(|&v| (gains[v].cubes, usize::MAX - v))
        };
        let (fresh, stale) = (best(true), best(false));
        let hoped = stale.map_or(0, |v| gains[v].cubes);
        if let Some(v) = fresh.filter(|&v| gains[v].cubes.saturating_mul(PATIENCE) >= hoped.max(1)) {
            cubes.merge(&gains[v].bits);
            for gain in &mut gains {
                gain.known = false;
            }
            gains[v].cubes = 0;
            gains[v].known = true;
        } else if let Some(v) = stale {
            gains[v].cubes = cubes.count(&gains[v].bits);
            gains[v].known = true;
        } else {
            break;
        }
        stats.passes += 1;
    }
    stats.cubes_out = cubes.len();
    stats
}

/// Cubes of any number of words, sorted by reference; what is known of a variable is the mask of all others.
impl Merging for Cover {
    type Bits = Vec<u64>;

    fn len(&self) -> usize {
        Cover::len(self)
    }

    fn count(&self, outside: &Vec<u64>) -> usize {
        let cubes = by_reference(self, outside);
        cubes.iter().zip(cubes.iter().skip(1)).filter(|(a, b)| equal(a, b, outside)).count()
    }

    fn merge(&mut self, outside: &Vec<u64>) {
        let mut words: Vec<u64> = Vec::with_capacity(self.as_words().len());
        let mut last: Option<&[u64]> = None;
        for cube in by_reference(self, outside) {
            if last.is_some_and(|last| equal(last, cube, outside)) {
                let end = words.len() - cube.len();
                Space::join(&mut words[end..], cube);
            } else {
                words.extend_from_slice(cube);
            }
            last = Some(cube);
        }
        *self = Cover::from_words(self.space(), words);
    }
}

/// The bits of all variables but one.
fn outside(space: &Space, variable: usize) -> Vec<u64> {
    let mut outside = space.full().to_vec();
    for slot in &space.variables()[variable].slots {
        outside[slot.word] &= !slot.mask;
    }
    outside
}

/// The cubes sorted by their bits in `outside`.
fn by_reference<'c>(cover: &'c Cover, outside: &[u64]) -> Vec<&'c [u64]> {
    let mut cubes: Vec<&[u64]> = cover.iter().collect();
    if cubes.len() >= PARALLEL {
        cubes.par_sort_unstable_by(|a, b| compare(a, b, outside));
    } else {
        cubes.sort_unstable_by(|a, b| compare(a, b, outside));
    }
    cubes
}

/// How two cubes compare by their bits in `outside`.
fn compare(a: &[u64], b: &[u64], outside: &[u64]) -> Ordering {
    let masked = a.iter().zip(b).zip(outside).map(|((a, b), outside)| (a & outside, b & outside));
    masked.map(|(a, b)| a.cmp(&b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Whether two cubes have the same bits in `outside`.
fn equal(a: &[u64], b: &[u64], outside: &[u64]) -> bool {
    a.iter().zip(b).zip(outside).all(|((a, b), outside)| (a ^ b) & outside == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::pla::{Pla, PlaType};
    use crate::testing;
    use proptest::prelude::*;

    fn compacted(text: &str) -> String {
        let mut pla = Pla::parse(text).unwrap();
        compact(&mut pla.on);
        let mut text = Vec::new();
        pla.write(&mut text, PlaType::F).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn merging_takes_one_variable() {
        let mut on = Pla::parse(".i 2\n.o 1\n00 1\n01 1\n11 1\n").unwrap().on;
        assert_eq!(merge_distance_one(&mut on, 1), 1);
        assert_eq!(on.len(), 2);
        assert_eq!(merge_distance_one(&mut on, 2), 0);
        assert_eq!(merge_distance_one(&mut on, 0), 0);
    }

    #[test]
    fn goes_on_until_nothing_merges() {
        assert_eq!(
            compacted(".i 3\n.o 1\n000 1\n001 1\n010 1\n011 1\n100 1\n101 1\n11- 1\n11- 1\n"),
            ".i 3\n.o 1\n.p 1\n--- 1\n.e\n"
        );
        assert_eq!(
            compacted(".mv 3 1 4 2\n0 1000 10\n0 0110 10\n0 0001 11\n1 0001 01\n"),
            ".mv 3 1 4 2\n.p 3\n0 1110 10\n1 0001 01\n0 0001 11\n.e\n"
        );
    }

    fn wide_space() -> impl Strategy<Value = crate::Space> {
        (1usize..150, 1usize..40).prop_map(|(i, o)| crate::Space::binary(i, o).unwrap())
    }

    proptest! {
        /// Sorted once or for each variable by reference, the same comes out.
        #[test]
        fn both_ways_agree(
            cover in prop_oneof![testing::small_space(), wide_space()]
                .prop_flat_map(|space| testing::cover(space, 60)),
        ) {
            let space = cover.space().clone();
            let (mut sorted, mut referred) = (cover.clone(), cover);
            compact(&mut sorted);
            referred.normalize();
            merge_all(&mut referred, (0..space.variables().len()).map(|v| outside(&space, v)).collect());
            referred.normalize();
            prop_assert_eq!(sorted, referred);
        }

        /// Compaction keeps the function, point by point.
        #[test]
        fn keeps_the_function(
            cover in testing::small_space().prop_flat_map(|space| testing::cover(space, 24))
        ) {
            let mut compacted = cover.clone();
            let stats = compact(&mut compacted);
            prop_assert!(stats.cubes_out <= stats.cubes_in);
            for point in testing::points(cover.space()) {
                prop_assert_eq!(testing::holds(&cover, &point), testing::holds(&compacted, &point));
            }
        }

        /// Nothing merges in a compacted cover, however wide its cubes are; and the order of cubes is all the same.
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
            let cubes = cover.len();
            for v in 0..cover.space().variables().len() {
                prop_assert_eq!(merge_distance_one(&mut cover, v), 0);
            }
            prop_assert_eq!(cover.len(), cubes);
        }
    }
}
