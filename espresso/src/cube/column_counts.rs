//! Counts over a list of cubes: the number of cubes that lack each part.
//!
//! Departure from Brayton et al. 1984, chapter 3: the counts are vertical. One word, a plane, holds bit k of the counts of all
//! parts of a word. So a cube costs a few word operations, not one addition for each part.

use crate::cube::bits::numbers;
use crate::cube::calculus::Calculus;

/// Cubes that four planes can count.
const BLOCK: usize = 15;

/// The counts of one list of cubes; reusable for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct ColumnCounts {
    /// Planes for each word.
    height: usize,
    /// For each bit, the number of cubes without it.
    missing: Vec<u64>,
}

/// Four planes of one word: a counter from 0 to 15 for each bit.
#[derive(Clone, Copy, Default)]
struct Planes([u64; 4]);

impl Planes {
    #[inline]
    fn add(&mut self, bits: u64) {
        let mut carry = bits;
        for plane in &mut self.0 {
            let both = *plane & carry;
            *plane ^= carry;
            carry = both;
        }
    }

    /// Adds the counts to those of `sum`, which has room for them.
    #[inline]
    fn add_to(self, sum: &mut [u64]) {
        let mut carry = 0;
        for (k, plane) in sum.iter_mut().enumerate() {
            let more = self.0.get(k).copied().unwrap_or(0);
            let one = *plane ^ more;
            let both = *plane & more | carry & one;
            *plane = one ^ carry;
            carry = both;
        }
    }
}

impl ColumnCounts {
    /// Counts the cubes of the flat list `cubes`. O(cubes · words).
    pub(crate) fn take(&mut self, calculus: &Calculus, cubes: &[u64]) {
        let n = calculus.words();
        let count = cubes.len() / n;
        self.height = ((count + 1).next_power_of_two().ilog2() as usize).max(4);
        self.missing.clear();
        self.missing.resize(n * self.height, 0);
        for (word, (&full, missing)) in
            calculus.space().full().iter().zip(self.missing.chunks_exact_mut(self.height)).enumerate()
        {
            for block in cubes.chunks(n * BLOCK) {
                let mut parts = Planes::default();
                block.chunks_exact(n).for_each(|cube| parts.add(full & !cube[word]));
                parts.add_to(missing);
            }
        }
    }

    /// The number of cubes that lack a part.
    pub(crate) fn missing(&self, bit: usize) -> u32 {
        let planes = self.missing[bit / 64 * self.height..].iter().take(self.height).enumerate();
        planes.map(|(k, plane)| ((plane >> (bit % 64) & 1) as u32) << k).sum()
    }
}

/// The cubes sorted by weight, lightest first. The weight is the sum, over the cube's parts, of the number of cubes of the
/// flat list with the part. Light cubes are unlikely to be covered by others.
pub(crate) fn by_weight(calculus: &Calculus, cubes: &[u64]) -> Vec<usize> {
    let n = calculus.words();
    let mut columns = ColumnCounts::default();
    columns.take(calculus, cubes);
    let count = cubes.len() / n;
    let mut having = vec![0; calculus.space().bits()];
    for (bit, having) in having.iter_mut().enumerate() {
        *having = count as u64 - u64::from(columns.missing(bit));
    }
    let weight = |cube| numbers(cube).map(|bit| having[bit]).sum::<u64>();
    let weights: Vec<u64> = cubes.chunks_exact(n).map(weight).collect();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&i| weights[i]);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;

    proptest! {
        /// The counts agree with a pass over the cubes one by one.
        #[test]
        fn counts_are_those_of_the_cubes([cover] in testing::covers([70])) {
            let calculus = Calculus::new(cover.space());
            let mut columns = ColumnCounts::default();
            columns.take(&calculus, cover.as_words());
            for bit in 0..cover.space().bits() {
                let lacking = cover.iter().filter(|cube| cube[bit / 64] >> (bit % 64) & 1 == 0);
                prop_assert_eq!(columns.missing(bit) as usize, lacking.count());
            }
        }
    }
}
