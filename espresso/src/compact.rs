//! Compaction: distance-one merging, one variable after the other, until nothing merges.
//!
//! Two cubes that agree in all variables but one are their supercube: their union is one cube. Sorted by all other
//! variables' bits, such cubes stand side by side, so one pass over the sorted cover merges all of them for one
//! variable, together with what is contained. After Gomboc and Shelton, section 2.5, who go round all variables until
//! a round merges nothing, over any kind of variable; here a round ends as soon as every variable has been tried since
//! the last merge.
//!
//! Covers are a large function's first reduction, so this is made for millions of cubes of few words: cubes of
//! up to four words are sorted by value, wider ones by reference, and large covers in parallel. Sorting makes the
//! result independent of the number of threads.

use crate::cover::Cover;
use crate::space::Space;
use rayon::slice::ParallelSliceMut;

/// Cubes from which sorting in parallel pays.
const PARALLEL: usize = 1 << 15;

/// What [`compact`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompactStats {
    /// Cubes before.
    pub cubes_in: usize,
    /// Cubes after.
    pub cubes_out: usize,
    /// Passes over the cover, one variable each.
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
    let space = cover.space().clone();
    let mut outside = space.full().to_vec();
    for slot in &space.variables()[variable].slots {
        outside[slot.word] &= !slot.mask;
    }
    let before = cover.len();
    let words = std::mem::replace(cover, Cover::new(&space)).into_words();
    let merged = match space.words() {
        1 => merge_words(words, outside[0]),
        2 => merge_arrays::<2>(words, &outside),
        3 => merge_arrays::<3>(words, &outside),
        4 => merge_arrays::<4>(words, &outside),
        n => merge_slices(&words, n, &outside),
    };
    *cover = Cover::from_words(&space, merged);
    before - cover.len()
}

/// Compacts the cover: drops empty cubes and repetitions, then merges at distance one until no variable merges.
///
/// Inputs come first, from the last to the first, then the output variable. The result is sorted, means the
/// same function, and has no two cubes that differ in one variable only. Deterministic, whatever the
/// number of threads. A pass costs what [`merge_distance_one`] costs; a round is one pass for each variable.
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
    let mut stats = CompactStats { cubes_in: cover.len(), ..CompactStats::default() };
    cover.normalize();
    let order = order(cover.space());
    let mut settled = 0;
    for &variable in order.iter().cycle() {
        if settled == order.len() || cover.len() < 2 {
            break;
        }
        stats.passes += 1;
        if merge_distance_one(cover, variable) > 0 {
            settled = 0;
        }
        settled += 1;
    }
    cover.normalize();
    stats.cubes_out = cover.len();
    stats
}

/// The order in which a round visits the variables.
fn order(space: &Space) -> Vec<usize> {
    (0..space.inputs()).rev().chain([space.inputs()]).collect()
}

/// Merges cubes of one word that are equal under `outside`.
fn merge_words(mut words: Vec<u64>, outside: u64) -> Vec<u64> {
    if words.len() >= PARALLEL {
        words.par_sort_unstable_by_key(|word| word & outside);
    } else {
        words.sort_unstable_by_key(|word| word & outside);
    }
    words.dedup_by(|next, kept| {
        let same = (*next ^ *kept) & outside == 0;
        *kept |= if same { *next } else { 0 };
        same
    });
    words
}

/// Merges cubes of `N` words that are equal under `outside`.
fn merge_arrays<const N: usize>(words: Vec<u64>, outside: &[u64]) -> Vec<u64> {
    let mut cubes = words.as_chunks::<N>().0.to_vec();
    drop(words);
    let key = |cube: &[u64; N]| -> [u64; N] { std::array::from_fn(|i| cube[i] & outside[i]) };
    if cubes.len() >= PARALLEL {
        cubes.par_sort_unstable_by_key(key);
    } else {
        cubes.sort_unstable_by_key(key);
    }
    cubes.dedup_by(|next, kept| {
        let same = key(next) == key(kept);
        if same {
            Space::join(kept, next);
        }
        same
    });
    cubes.into_flattened()
}

/// Merges cubes of `n` words that are equal under `outside`.
fn merge_slices(words: &[u64], n: usize, outside: &[u64]) -> Vec<u64> {
    let mut cubes: Vec<&[u64]> = words.chunks_exact(n).collect();
    let masked = |cube: &'_ [u64], i: usize| cube[i] & outside[i];
    let compare = |a: &&[u64], b: &&[u64]| {
        (0..n)
            .map(|i| masked(a, i).cmp(&masked(b, i)))
            .find(|order| order.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    };
    if cubes.len() >= PARALLEL {
        cubes.par_sort_unstable_by(compare);
    } else {
        cubes.sort_unstable_by(compare);
    }
    let mut merged: Vec<u64> = Vec::with_capacity(words.len());
    for cube in cubes {
        let last = merged.len().saturating_sub(n);
        let kept = &mut merged[last..];
        if !kept.is_empty() && (0..n).all(|i| masked(kept, i) == masked(cube, i)) {
            Space::join(kept, cube);
        } else {
            merged.extend_from_slice(cube);
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pla::{Pla, PlaType};
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
