//! Classes of outputs that occur in the same cubes. A cover needs only one output of each class.
//!
//! Functions with very many outputs often have many equal ones, and steps that split the output variable part by part have
//! a cost quadratic in the number of outputs.

use crate::cube::outputs::with_outputs;
use crate::{Cover, Result, Space};

/// The smallest number of outputs for which a search for classes is worthwhile.
const MANY: usize = 256;

/// The classes of the outputs of a cover.
pub(crate) struct OutputClasses {
    /// The space with one output for each class.
    space: Space,
    members: Vec<Vec<usize>>,
}

impl OutputClasses {
    /// Returns the classes if there are many outputs, and at most half as many classes. O(cubes · outputs).
    pub(crate) fn of(cover: &Cover) -> Result<Option<Self>> {
        let space = cover.space();
        let outputs = space.outputs();
        if outputs < MANY {
            return Ok(None);
        }
        let (mut class_of, mut sizes) = (vec![0usize; outputs], vec![outputs]);
        for cube in cover {
            // If the cube has some but not all members of a class, the class is split.
            let mut touched = vec![0usize; sizes.len()];
            space.output().parts_in(cube).for_each(|output| touched[class_of[output]] += 1);
            let mut renamed = vec![None; sizes.len()];
            for output in space.output().parts_in(cube) {
                let class = class_of[output];
                if touched[class] < sizes[class] {
                    let new = *renamed[class].get_or_insert(sizes.len());
                    if new == sizes.len() {
                        sizes.push(touched[class]);
                    }
                    class_of[output] = new;
                }
            }
            for (class, new) in renamed.iter().enumerate() {
                sizes[class] -= new.map_or(0, |_| touched[class]);
            }
            if sizes.len() > outputs / 2 {
                return Ok(None);
            }
        }
        let mut members = vec![Vec::new(); sizes.len()];
        class_of.iter().enumerate().for_each(|(output, &class)| members[class].push(output));
        Ok(Some(OutputClasses { space: space.resized(space.binary_inputs(), members.len())?, members }))
    }

    /// Converts a cover over all outputs to one over the classes.
    pub(crate) fn compressed(&self, cover: &Cover) -> Cover {
        let has =
            |cube: &[u64], members: &[usize]| cover.space().get(cube, cover.space().inputs(), members[0]);
        converted(cover, &self.space, |cube| {
            let classes = self.members.iter().enumerate().filter(|(_, members)| has(cube, members));
            classes.map(|(class, _)| class).collect()
        })
    }

    /// Converts a cover over the classes back to one over all outputs, those of `space`.
    pub(crate) fn expanded(&self, cover: &Cover, space: &Space) -> Cover {
        converted(cover, space, |cube| {
            self.space.output().parts_in(cube).flat_map(|class| self.members[class].iter().copied()).collect()
        })
    }
}

/// The cover with other outputs, over `space`.
fn converted(cover: &Cover, space: &Space, outputs: impl Fn(&[u64]) -> Vec<usize>) -> Cover {
    let mut converted = Cover::new(space);
    cover.iter().for_each(|cube| converted.push(&with_outputs(cover.space(), space, cube, &outputs(cube))));
    converted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;

    proptest! {
        /// For a cover with repeated outputs, compressing and expanding gives the same cover. There are no more classes than
        /// different outputs.
        #[test]
        fn classes_are_lossless(
            cover in testing::cover(Space::new(3, &[3], 5).unwrap(), 9),
            which in proptest::collection::vec(0usize..5, MANY..400),
        ) {
            let old = cover.space();
            let wide = Space::new(3, &[3], which.len()).unwrap();
            let mut repeated = Cover::new(&wide);
            for cube in &cover {
                let has = |&output: &usize| old.get(cube, old.inputs(), which[output]);
                let outputs: Vec<usize> = (0..which.len()).filter(has).collect();
                repeated.push(&with_outputs(old, &wide, cube, &outputs));
            }
            let classes = OutputClasses::of(&repeated).unwrap().unwrap();
            let compressed = classes.compressed(&repeated);
            prop_assert!(compressed.space().outputs() <= 5);
            prop_assert_eq!(classes.expanded(&compressed, &wide), repeated);
        }
    }
}
