//! Indices over a list of cubes. They find the cubes near a cube, or within it, 64 at a time by columns (`part_columns`).
//!
//! Departure from Brayton et al. 1984, where every step tests all cubes of a cover one by one. Tried without
//! success: a tree of supercubes was no faster on covers of twenty thousand cubes.

use crate::Result;
use crate::coverage::part_columns::PartColumns;
use crate::cube::bits::{numbers, remove};
use crate::cube::cube_algebra::CubeAlgebra;

/// An index that finds the cubes that intersect a cube or are at distance one.
#[derive(Clone, Debug)]
pub(crate) struct BlockingIndex {
    /// Bit i of a column stands for cube i.
    pub(crate) columns: PartColumns,
    words: Vec<u64>,
    /// The number of cubes.
    pub(crate) len: usize,
}

impl BlockingIndex {
    /// Returns the index of the flat list `cubes`.
    pub(crate) fn new(algebra: &CubeAlgebra, cubes: &[u64]) -> Self {
        let (columns, len) = (PartColumns::new(algebra, cubes), cubes.len() / algebra.words());
        BlockingIndex { columns, words: cubes.to_vec(), len }
    }

    pub(crate) fn cube(&self, algebra: &CubeAlgebra, i: usize) -> &[u64] {
        let n = algebra.words();
        &self.words[i * n..][..n]
    }

    /// The numbers and the words of the cubes in a mask, such as those of [`PartColumns::intersecting`], ascending.
    pub(crate) fn cubes<'a>(
        &'a self,
        algebra: &'a CubeAlgebra,
        mask: &'a [u64],
    ) -> impl Iterator<Item = (usize, &'a [u64])> {
        numbers(mask).map(|i| (i, self.cube(algebra, i)))
    }
}

/// An index that finds the cubes within a cube. Cubes can be removed.
#[derive(Clone, Debug)]
pub(crate) struct ContainmentIndex {
    columns: PartColumns,
    /// A bit for each cube that is not removed.
    there: Vec<u64>,
}

impl ContainmentIndex {
    /// Returns the index of the flat list `cubes`.
    pub(crate) fn new(algebra: &CubeAlgebra, cubes: &[u64]) -> Self {
        let columns = PartColumns::new(algebra, cubes);
        ContainmentIndex { there: columns.all.clone(), columns }
    }

    /// Calls `found` with the number of each cube within `cube` that is not removed, ascending. Returns the work, in cubes
    /// tested.
    pub(crate) fn for_each_contained(&self, cube: &[u64], found: impl FnMut(usize)) -> u64 {
        let mut within = self.there.clone();
        self.columns.keep_contained(cube, &mut within);
        numbers(&within).for_each(found);
        self.columns.work()
    }

    pub(crate) fn take_out(&mut self, i: usize) {
        remove(&mut self.there, i);
    }
}

/// Returns, for each cube of the flat list, whether another cube contains it. Of equal cubes, the first does not count as
/// contained in the others. Calls `begin` with the number of each cube before it is compared.
pub(crate) fn contained(
    algebra: &CubeAlgebra,
    cubes: &[u64],
    mut begin: impl FnMut(usize) -> Result<()>,
) -> Result<Vec<bool>> {
    let mut index = ContainmentIndex::new(algebra, cubes);
    let (mut is_within, mut within) = (vec![false; cubes.len() / algebra.words()], Vec::new());
    for (i, cube) in cubes.chunks_exact(algebra.words()).enumerate() {
        begin(i)?;
        if is_within[i] {
            continue;
        }
        within.clear();
        index.for_each_contained(cube, |j| within.push(j));
        for &j in within.iter().filter(|&&j| j != i) {
            is_within[j] = true;
            index.take_out(j);
        }
    }
    Ok(is_within)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cover, Space, testing};
    use proptest::prelude::*;

    /// Covers over a small space, or over one with a variable that straddles words.
    fn covers() -> impl Strategy<Value = [Cover; 2]> {
        let wide = Space::new(2, &[3, 61], 2).unwrap();
        prop_oneof![testing::covers([90, 4]), [90, 4].map(|cubes| testing::cover(wide.clone(), cubes))]
    }

    proptest! {
        /// An index finds the same cubes as a scan of the list.
        #[test]
        fn finds_what_there_is(
            [cover, cubes] in covers(),
            gone in proptest::collection::vec(any::<prop::sample::Index>(), 0..70),
        ) {
            let algebra = CubeAlgebra::new(cover.space());
            let blocks = BlockingIndex::new(&algebra, cover.as_words());
            let mut pool = ContainmentIndex::new(&algebra, cover.as_words());
            let mut there = vec![true; cover.len()];
            for gone in gone.iter().filter(|_| !cover.is_empty()) {
                let gone = gone.index(cover.len());
                pool.take_out(gone);
                there[gone] = false;
            }
            for cube in &cubes {
                let masks = [
                    blocks.columns.up_to_distance_one(&algebra, cube),
                    blocks.columns.intersecting(&algebra, cube),
                ];
                let [apart, meeting] = masks.map(|mask| {
                    blocks.cubes(&algebra, &mask).map(|(i, block)| (i, block.to_vec())).collect::<Vec<_>>()
                });
                let mut within = Vec::new();
                pool.for_each_contained(cube, |i| within.push(i));
                let mut expected = (Vec::new(), Vec::new());
                for (i, other) in cover.iter().enumerate() {
                    let distance = cover.space().distance(other, cube);
                    expected.0.extend((distance < 2).then(|| (i, other.to_vec())));
                    expected.1.extend((distance == 0).then(|| (i, other.to_vec())));
                }
                prop_assert_eq!((apart, meeting), expected);
                let is_inside = |&i: &usize| there[i] && algebra.contains(cube, cover.cube(i));
                let inside: Vec<usize> = (0..cover.len()).filter(is_inside).collect();
                prop_assert_eq!(within, inside);
            }
        }
    }
}
