//! The cubes of F as the things to be covered, for functions whose don't-cares are whatever F and R leave.
//!
//! Where D is not a list of cubes, "the minterms of a cube that neither the others nor D cover" cannot be asked of
//! lists, and a space of hundreds of variables has no truth table. But what must be covered is F alone: a cube is
//! needed when it contains a given cube of F that no other contains, and is reduced to the smallest cube that
//! contains those. For cubes of one minterm that is exact; a larger cube of F counts as covered only when a single
//! cube contains it, which errs on the safe side.
//!
//! The cubes of F are taken apart into cubes of one output each, numbered output by output, and are bits: for each
//! part of each input, the set of those that have it. Those within a cube are, of its outputs, all but those that
//! have a part that it lacks, found for 512 at a time.

use crate::cube::calculus::ones;
use crate::cube::cover::Cover;
use std::ops::Range;

/// Words of a block.
const LANES: usize = 8;

/// The sets; cube number i of F is bit i % 64 of word i / 64.
#[derive(Clone, Debug)]
pub(crate) struct OnIndex {
    /// F as it was.
    on: Cover,
    /// For each cube of one output the cube of F that it is part of.
    parents: Vec<u32>,
    /// For each output the numbers of its cubes.
    outputs: Vec<Range<usize>>,
    /// For each block and each bit of the inputs, the cubes that have it.
    planes: Vec<u64>,
}

impl OnIndex {
    /// Returns the sets of the cubes of `on`, taken apart into cubes of one output, so that each output can be
    /// covered by a cube of its own. Empty cubes are left out.
    ///
    /// # Panics
    /// When there are 2^32 cubes or more.
    pub(crate) fn new(on: &Cover) -> Self {
        let mut on = on.clone();
        // Sorted, cubes that have much in common are in one block.
        on.normalize();
        assert!(u32::try_from(on.len()).is_ok(), "{} cubes of F", on.len());
        let output = on.space().output();
        let mut sizes = vec![0; output.parts];
        for cube in &on {
            for_each_part(cube, output.bits(), |part| sizes[part] += 1);
        }
        let mut next = 0;
        let range = |size: &usize| {
            next += size;
            next - size..next
        };
        let outputs: Vec<Range<usize>> = sizes.iter().map(range).collect();
        let mut at: Vec<usize> = outputs.iter().map(|range| range.start).collect();
        let mut parents = vec![0; next];
        let mut planes = vec![0; next.div_ceil(64 * LANES) * output.first * LANES];
        for (number, cube) in on.iter().enumerate() {
            for_each_part(cube, output.bits(), |part| {
                let single = at[part];
                at[part] += 1;
                parents[single] = number as u32;
                let (block, lane) = (single / 64 / LANES, single / 64 % LANES);
                for_each_part(cube, 0..output.first, |bit| {
                    planes[(block * output.first + bit) * LANES + lane] |= 1 << (single % 64);
                });
            });
        }
        OnIndex { on, parents, outputs, planes }
    }

    /// Number of words of a set.
    pub(crate) fn words(&self) -> usize {
        self.parents.len().div_ceil(64)
    }

    /// The set of all of them.
    pub(crate) fn all(&self) -> Vec<u64> {
        (0..self.words()).map(|at| self.used(at)).collect()
    }

    /// Sets `found` to the words of the set of those within `cube`, with their numbers; words of none are left out.
    /// Returns how many words were looked at.
    pub(crate) fn within(&self, cube: &[u64], lacked: &mut Vec<usize>, found: &mut Vec<(u32, u64)>) -> u64 {
        found.clear();
        lacked.clear();
        let output = self.on.space().output();
        let missing: Vec<u64> =
            self.on.space().full().iter().zip(cube).map(|(full, cube)| full & !cube).collect();
        for_each_part(&missing, 0..output.first, |bit| lacked.push(bit * LANES));
        // The block looked at last, and those in it that lack nothing.
        let mut last = (usize::MAX, [0; LANES]);
        let mut work = 0;
        for_each_part(cube, output.bits(), |part| {
            let Range { start, end } = self.outputs[part];
            for block in start / (64 * LANES)..end.div_ceil(64 * LANES) {
                if block != last.0 {
                    let (left, looked) = self.left(block, lacked);
                    last = (block, left);
                    work += looked;
                }
                for (lane, &left) in last.1.iter().enumerate() {
                    let at = block * LANES + lane;
                    let set = left & between(start, end, at);
                    match found.last_mut() {
                        _ if set == 0 => {}
                        Some((before, others)) if *before == at as u32 => *others |= set,
                        _ => found.push((at as u32, set)),
                    }
                }
            }
        });
        work
    }

    /// The cubes of a block that have no bit of `lacked`, and how many words were looked at for that.
    fn left(&self, block: usize, lacked: &[usize]) -> ([u64; LANES], u64) {
        let bits = self.on.space().output().first * LANES;
        let planes = &self.planes[block * bits..][..bits];
        let mut left = [u64::MAX; LANES];
        for (number, &at) in lacked.iter().enumerate() {
            let mut any = 0;
            for (left, plane) in left.iter_mut().zip(&planes[at..at + LANES]) {
                *left &= !plane;
                any |= *left;
            }
            if any == 0 {
                return (left, ((number + 1) * LANES) as u64);
            }
        }
        (left, ((lacked.len() + 1) * LANES) as u64)
    }

    /// The cubes that word number `at` has.
    fn used(&self, at: usize) -> u64 {
        between(0, self.parents.len(), at)
    }

    /// Adds to `parts` those of cube number `single`.
    fn see_one(&self, single: usize, parts: &mut [u64]) {
        let output = self.on.space().output();
        let cube = self.on.cube(self.parents[single] as usize);
        let inputs = output.first;
        for (at, (parts, cube)) in parts.iter_mut().zip(cube).enumerate().take(inputs.div_ceil(64)) {
            *parts |= cube & between(0, inputs, at);
        }
        let bit = output.first + self.outputs.partition_point(|range| range.end <= single);
        parts[bit / 64] |= 1 << (bit % 64);
    }

    /// Adds to `parts` those of the cubes `set` of word number `at`.
    pub(crate) fn see(&self, at: u32, set: u64, parts: &mut [u64]) {
        ones(set).for_each(|bit| self.see_one(64 * at as usize + bit, parts));
    }
}

/// The numbers from `start` to `end` - 1 that are in word number `at`.
fn between(start: usize, end: usize, at: usize) -> u64 {
    let below = |number: usize| match number.saturating_sub(64 * at) {
        count @ 0..64 => (1 << count) - 1,
        _ => u64::MAX,
    };
    below(end) & !below(start)
}

/// Calls `visit` with the number in `bits` of each of these that is set.
fn for_each_part(words: &[u64], bits: Range<usize>, mut visit: impl FnMut(usize)) {
    let touched = bits.start / 64..bits.end.div_ceil(64);
    for (at, word) in touched.clone().zip(&words[touched]) {
        ones(word & between(bits.start, bits.end, at)).for_each(|bit| visit(64 * at + bit - bits.start));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;

    #[test]
    fn outputs_are_not_held_for_each_cube() {
        let space = crate::Space::new(0, &[8; 10], 20_000).unwrap();
        let mut on = Cover::new(&space);
        for part in 0..8 {
            let mut cube = space.full().to_vec();
            cube[0] &= !0xff | 1 << part;
            on.push(&cube);
        }
        let given = OnIndex::new(&on);
        assert_eq!(given.parents.len(), 8 * 20_000);
        // A bit for each of the 80 parts of the inputs.
        assert!(given.planes.len() <= 80 * (given.words() + LANES));
        let (mut lacked, mut found) = (Vec::new(), Vec::new());
        given.within(on.cube(3), &mut lacked, &mut found);
        assert_eq!(found.iter().map(|(_, set)| set.count_ones()).sum::<u32>(), 20_000);
    }

    proptest! {
        /// Those within a cube are those that it contains; together they have the parts that they are seen to have.
        #[test]
        fn within_is_containment(
            (on, cubes) in testing::small_space().prop_flat_map(|space| (
                testing::cover(space.clone(), 700), testing::cover(space, 5),
            )),
        ) {
            let given = OnIndex::new(&on);
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
                let singles: Vec<Vec<u64>> = (0..given.parents.len())
                    .map(|i| {
                        let mut single = vec![0; cube.len()];
                        given.see_one(i, &mut single);
                        single
                    })
                    .collect();
                let contained = |i: &usize| on.space().contains(cube, &singles[*i]);
                let expected: Vec<usize> = (0..singles.len()).filter(contained).collect();
                let mut union = vec![0; cube.len()];
                for &i in &expected {
                    union.iter_mut().zip(&singles[i]).for_each(|(all, part)| *all |= part);
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
