//! The cubes of F as the elements to be covered, for functions whose D is the complement of F and R.
//!
//! D is then no list of cubes, so lists cannot find the minterms of a cube that neither another cube nor D covers, and a space of
//! hundreds of variables is too large for a truth table. But only F must be covered. A cube is needed if it contains cubes of F
//! that no other cube contains; it is reduced to the supercube of these cubes of F. This is exact if the cubes of F are minterms.
//! A larger cube of F counts as covered only if a single cube contains it, which is safe.
//!
//! The cubes of F are split into elements, cubes of one output each. Element i is bit i % 64 of word i / 64. An
//! index of the inputs (`cube_index`) finds the elements within a cube.

use crate::coverage::cube_index::ContainmentIndex;
use crate::cube::bits::{add, has, ones};
use crate::cube::cube_algebra::CubeAlgebra;
use crate::{Cover, Space};

/// The cubes of F, split by output.
#[derive(Clone, Debug)]
pub(crate) struct OnCubes {
    /// The cubes of F without their outputs.
    inputs: Cover,
    index: ContainmentIndex,
    /// For each cube of F the number of its first element; last, the number of all elements.
    firsts: Vec<usize>,
    /// For each element its cube of F and the bit of the output.
    singles: Vec<(u32, u32)>,
}

impl OnCubes {
    /// Returns the cubes of `on`, split so that different cubes can cover different outputs. Empty cubes are left out.
    ///
    /// # Panics
    /// When there are 2^32 cubes or more.
    pub(crate) fn new(on: &Cover) -> Self {
        let (space, output) = (on.space(), on.space().output());
        let mut on = on.clone();
        on.normalize();
        assert!(u32::try_from(on.len()).is_ok(), "{} cubes of F", on.len());
        let mut inputs = on.clone();
        for i in 0..on.len() {
            Space::clear(output, inputs.cube_mut(i));
        }
        let index = ContainmentIndex::new(&CubeAlgebra::new(space), inputs.as_words());
        let (mut firsts, mut singles) = (vec![0], Vec::new());
        for (i, cube) in on.iter().enumerate() {
            singles.extend(output.bits_in(cube).map(|bit| (i as u32, bit as u32)));
            firsts.push(singles.len());
        }
        OnCubes { inputs, index, firsts, singles }
    }

    /// The set of all elements.
    pub(crate) fn all(&self) -> Vec<u64> {
        let mut all = vec![u64::MAX; self.singles.len().div_ceil(64)];
        let unused = 64 * all.len() - self.singles.len();
        all.last_mut().into_iter().for_each(|last| *last >>= unused);
        all
    }

    /// Sets `found` to the nonzero words, with their numbers, of the set of elements within `cube`. Returns the work, in cubes
    /// tested.
    pub(crate) fn contained(&self, cube: &[u64], found: &mut Vec<(u32, u64)>) -> u64 {
        found.clear();
        self.index.for_each_contained(cube, |i| {
            for number in self.firsts[i]..self.firsts[i + 1] {
                if !has(cube, self.singles[number].1 as usize) {
                    continue;
                }
                let (at, set) = ((number / 64) as u32, 1 << (number % 64));
                match found.last_mut() {
                    Some((last, others)) if *last == at => *others |= set,
                    _ => found.push((at, set)),
                }
            }
        })
    }

    /// Adds to `parts` the parts of the elements `set` in word number `at`.
    pub(crate) fn add_parts(&self, at: u32, set: u64, parts: &mut [u64]) {
        for bit in ones(set) {
            let (cube, output) = self.singles[64 * at as usize + bit];
            Space::join(parts, self.inputs.cube(cube as usize));
            add(parts, output as usize);
        }
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
        let index = OnCubes::new(&on);
        assert_eq!((index.singles.len(), index.inputs.len()), (8 * 20_000, 8));
        let mut found = Vec::new();
        index.contained(on.cube(3), &mut found);
        assert_eq!(found.iter().map(|(_, set)| set.count_ones()).sum::<u32>(), 20_000);
    }

    proptest! {
        /// `contained` finds the elements that the cube contains, and `add_parts` collects their parts.
        #[test]
        fn within_is_containment([on, cubes] in testing::covers([700, 5])) {
            let index = OnCubes::new(&on);
            let mut found = Vec::new();
            let parts_of = |words: &[(u32, u64)]| {
                let mut parts = vec![0; on.space().words()];
                words.iter().for_each(|&(at, set)| index.add_parts(at, set, &mut parts));
                parts
            };
            let single = |number: usize| parts_of(&[((number / 64) as u32, 1 << (number % 64))]);
            let singles: Vec<Vec<u64>> = (0..index.singles.len()).map(single).collect();
            // Each cube of F in each of its outputs.
            let output = on.space().output();
            let mut expected: Vec<Vec<u64>> = Vec::new();
            for (cube, bit) in on.iter().flat_map(|cube| output.bits().map(move |bit| (cube, bit))) {
                let mut single = cube.to_vec();
                Space::clear(output, &mut single);
                single[bit / 64] |= cube[bit / 64] & 1 << (bit % 64);
                expected.extend((!on.space().is_empty(&single)).then_some(single));
            }
            let mut all = singles.clone();
            [&mut all, &mut expected].into_iter().for_each(|cubes| {
                cubes.sort();
                cubes.dedup();
            });
            prop_assert_eq!(all, expected);
            for cube in &cubes {
                index.contained(cube, &mut found);
                let numbers: Vec<usize> =
                    found.iter().flat_map(|&(at, set)| ones(set).map(move |i| at as usize * 64 + i)).collect();
                let contained = |&number: &usize| on.space().contains(cube, &singles[number]);
                let expected: Vec<usize> = (0..singles.len()).filter(contained).collect();
                let mut union = vec![0; cube.len()];
                expected.iter().for_each(|&number| Space::join(&mut union, &singles[number]));
                prop_assert_eq!(&numbers, &expected);
                prop_assert_eq!(parts_of(&found), union);
            }
            index.contained(on.space().full(), &mut found);
            prop_assert_eq!(found.iter().map(|&(_, set)| set).collect::<Vec<_>>(), index.all());
        }
    }
}
