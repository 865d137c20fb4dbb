//! The cubes of F as the things to be covered, for functions whose don't-cares are whatever F and R leave.
//!
//! Where D is not a list of cubes, "the minterms of a cube that neither the others nor D cover" cannot be asked of lists,
//! and a space of hundreds of variables has no truth table. But what must be covered is F alone: a cube is needed when it
//! contains a given cube of F that no other contains, and is reduced to the smallest cube that contains those. For cubes
//! of one minterm that is exact; a larger cube of F counts as covered only when a single cube contains it, which errs
//! on the safe side.
//!
//! The cubes of F are bits: for each part of the space, the set of the cubes of F that have it. Those within a cube are
//! all but those that have a part that it lacks, found for 512 at a time.

use crate::cover::Cover;

/// Words of a block.
const LANES: usize = 8;

/// The sets; cube number i of F is bit i % 64 of word i / 64.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    cubes: Cover,
    /// For each block and each bit of a cube, the cubes of F that have it.
    planes: Vec<u64>,
}

impl Given {
    /// Returns the sets of the cubes of `on`, taken apart into cubes of one output, so that each output can be covered
    /// by a cube of its own. Empty cubes are left out.
    pub(crate) fn new(on: &Cover) -> Self {
        let output = on.space().output();
        let mut cubes = Cover::new(on.space());
        for cube in on {
            for bit in output.bits().filter(|bit| cube[bit / 64] >> (bit % 64) & 1 != 0) {
                let mut single = cube.to_vec();
                output.slots.iter().for_each(|slot| single[slot.word] &= !slot.mask);
                single[bit / 64] |= 1 << (bit % 64);
                cubes.push(&single);
            }
        }
        // Sorted, cubes that have much in common are in one block.
        cubes.normalize();
        let bits = 64 * cubes.space().words();
        let mut planes = vec![0; cubes.len().div_ceil(64 * LANES) * bits * LANES];
        for (i, cube) in cubes.iter().enumerate() {
            let (block, lane) = (i / 64 / LANES, i / 64 % LANES);
            for_each_bit(cube, |bit| planes[(block * bits + bit) * LANES + lane] |= 1 << (i % 64));
        }
        Given { cubes, planes }
    }

    /// Number of words of a set.
    pub(crate) fn words(&self) -> usize {
        self.cubes.len().div_ceil(64)
    }

    /// The set of all of them.
    pub(crate) fn all(&self) -> Vec<u64> {
        (0..self.words()).map(|at| self.used(at)).collect()
    }

    /// Sets `found` to the words of the set of those within `cube`, with their numbers; words of none are left out.
    pub(crate) fn within(&self, cube: &[u64], lacked: &mut Vec<usize>, found: &mut Vec<(u32, u64)>) {
        found.clear();
        lacked.clear();
        let full = self.cubes.space().full();
        let bits = 64 * cube.len();
        let missing: Vec<u64> = full.iter().zip(cube).map(|(full, cube)| full & !cube).collect();
        for_each_bit(&missing, |bit| lacked.push(bit * LANES));
        for (block, planes) in self.planes.chunks_exact(bits * LANES).enumerate() {
            let mut left = [u64::MAX; LANES];
            for &at in lacked.iter() {
                let mut any = 0;
                for (left, plane) in left.iter_mut().zip(&planes[at..at + LANES]) {
                    *left &= !plane;
                    any |= *left;
                }
                if any == 0 {
                    break;
                }
            }
            for (lane, &left) in left.iter().enumerate() {
                let at = block * LANES + lane;
                let left = left & self.used(at);
                if left != 0 {
                    found.push((at as u32, left));
                }
            }
        }
    }

    /// The cubes that word number `at` has.
    fn used(&self, at: usize) -> u64 {
        match self.cubes.len().saturating_sub(64 * at) {
            0 => 0,
            count @ 1..64 => (1 << count) - 1,
            _ => u64::MAX,
        }
    }

    /// Adds to `parts` those of the cubes `set` of word number `at`.
    pub(crate) fn see(&self, at: u32, mut set: u64, parts: &mut [u64]) {
        while set != 0 {
            let cube = self.cubes.cube(64 * at as usize + set.trailing_zeros() as usize);
            parts.iter_mut().zip(cube).for_each(|(parts, cube)| *parts |= cube);
            set &= set - 1;
        }
    }
}

fn for_each_bit(words: &[u64], mut visit: impl FnMut(usize)) {
    for (i, &word) in words.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            visit(64 * i + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;

    proptest! {
        /// Those within a cube are those that it contains; together they have the parts that they are seen to have.
        #[test]
        fn within_is_containment(
            (on, cubes) in testing::small_space().prop_flat_map(|space| (
                testing::cover(space.clone(), 700), testing::cover(space, 5),
            )),
        ) {
            let given = Given::new(&on);
            let (mut lacked, mut found) = (Vec::new(), Vec::new());
            let everything = Cover::universe(on.space());
            for cube in cubes.iter().chain(&everything) {
                given.within(cube, &mut lacked, &mut found);
                let mut parts = vec![0; cube.len()];
                found.iter().for_each(|&(at, set)| given.see(at, set, &mut parts));
                let numbers: Vec<usize> = found
                    .iter()
                    .flat_map(|&(at, set)| (0..64).filter(move |i| set >> i & 1 != 0).map(move |i| at as usize * 64 + i))
                    .collect();
                let contained = |i: &usize| on.space().contains(cube, given.cubes.cube(*i));
                let expected: Vec<usize> = (0..given.cubes.len()).filter(contained).collect();
                let mut union = vec![0; cube.len()];
                for &i in &expected {
                    union.iter_mut().zip(given.cubes.cube(i)).for_each(|(all, part)| *all |= part);
                }
                prop_assert_eq!(numbers, expected);
                prop_assert_eq!(parts, union);
            }
            given.within(on.space().full(), &mut lacked, &mut found);
            let all: Vec<u64> = found.iter().map(|&(_, set)| set).collect();
            prop_assert_eq!(all, given.all());
        }
    }
}
