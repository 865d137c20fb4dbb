//! The smallest sets of variables that meet every row of a unate list: the primes of its complement.
//!
//! A cube of the complement of a unate list must lack, for each cube of the list, the part of one of its literals. So the primes
//! are the minimal transversals of the sets of variables of the cubes. They are found one by one, without comparisons between
//! them, by the algorithm MMCS of Murakami and Uno, *Efficient algorithms for dualizing large-scale hypergraphs* (2014): a set
//! grows only if each of its elements still meets a row that no other element of the set meets.
//!
//! Departure: at most 64 rows, as bits of a word. One mask holds the rows met just once, which gives all critical rows.

use crate::Result;
use crate::cube::bits::ones;

/// The rows, as a column for each element; reusable for the next list.
#[derive(Debug, Default)]
pub(crate) struct Transversals {
    /// For each element the rows that it meets.
    meets: Vec<u64>,
    /// For each element the part that a cube with this element lacks.
    cuts: Vec<u32>,
    /// For each row the mask of its elements, of `words` words each.
    rows: Vec<u64>,
    words: usize,
    /// For each level the mask of the elements that may still be added.
    candidates: Vec<u64>,
    /// The rows of the elements added so far.
    added: Vec<u64>,
    cube: Vec<u64>,
    /// The length of the list at which the search ends.
    most: usize,
    work: u64,
}

/// Units of work between two calls of the check.
pub(crate) const STRIDE: u64 = 1 << 10;

impl Transversals {
    pub(crate) fn clear(&mut self) {
        self.meets.clear();
        self.cuts.clear();
    }

    /// Adds an element that meets the rows `meets`. A cube with the element lacks the part `cut`.
    pub(crate) fn add(&mut self, meets: u64, cut: u32) {
        self.meets.push(meets);
        self.cuts.push(cut);
    }

    /// Appends to `made` a cube for each minimal transversal of `rows`: `full` without the parts of its elements. Some element
    /// must meet each row. Ends when the list has `most` words. `check` is called now and then with the list and the work since
    /// the last call.
    pub(crate) fn append(
        &mut self,
        rows: u64,
        full: &[u64],
        most: usize,
        made: &mut Vec<u64>,
        check: &mut impl FnMut(&[u64], u64) -> Result<()>,
    ) -> Result<()> {
        self.most = most;
        self.cube.clear();
        self.cube.extend_from_slice(full);
        self.words = self.meets.len().div_ceil(64);
        self.rows.resize(64 * self.words, 0);
        for row in ones(rows) {
            self.rows[row * self.words..][..self.words].fill(0);
        }
        for (element, &meets) in self.meets.iter().enumerate() {
            for row in ones(meets) {
                self.rows[row * self.words + element / 64] |= 1 << (element % 64);
            }
        }
        self.candidates.clear();
        self.candidates.resize(self.words, u64::MAX);
        self.added.clear();
        self.grow(rows, 0, made, check)?;
        check(made, std::mem::take(&mut self.work))
    }

    /// Extends a set of elements that does not meet the rows `open` and meets the rows `once` just once.
    fn grow(
        &mut self,
        open: u64,
        once: u64,
        made: &mut Vec<u64>,
        check: &mut impl FnMut(&[u64], u64) -> Result<()>,
    ) -> Result<()> {
        let row = open.trailing_zeros() as usize * self.words;
        let base = self.candidates.len();
        self.candidates.extend_from_within(base - self.words..);
        for word in 0..self.words {
            self.candidates[base + word] &= !self.rows[row + word];
        }
        for word in 0..self.words {
            let mut elements = self.rows[row + word] & self.candidates[base - self.words + word];
            while elements != 0 && made.len() < self.most {
                let (bit, lowest) = (elements.trailing_zeros() as usize, elements & elements.wrapping_neg());
                elements ^= lowest;
                let meets = self.meets[word * 64 + bit];
                let single = once & !meets | open & meets;
                self.work += 1;
                if self.added.iter().all(|added| added & single != 0) {
                    let cut = self.cuts[word * 64 + bit] as usize;
                    self.cube[cut / 64] ^= 1 << (cut % 64);
                    if open & !meets == 0 {
                        made.extend_from_slice(&self.cube);
                    } else {
                        self.added.push(meets);
                        self.grow(open & !meets, single, made, check)?;
                        self.added.pop();
                    }
                    self.cube[cut / 64] ^= 1 << (cut % 64);
                    if self.work >= STRIDE {
                        check(made, std::mem::take(&mut self.work))?;
                    }
                }
                self.candidates[base + word] |= lowest;
            }
        }
        self.candidates.truncate(base);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Compares with the minimal transversals among all sets of elements.
        #[test]
        fn transversals_are_the_minimal_ones(rows in proptest::collection::vec(1u64..1 << 8, 1..12)) {
            let mut transversals = Transversals::default();
            for element in 0..8 {
                let meets = rows.iter().enumerate().map(|(i, row)| (row >> element & 1) << i).sum();
                transversals.add(meets, element);
            }
            let mut made = Vec::new();
            transversals.append((1 << rows.len()) - 1, &[0xFF], usize::MAX, &mut made, &mut |_, _| Ok(())).unwrap();
            let is_met = |set: u64| rows.iter().all(|row| row & set != 0);
            let is_minimal = |set: &u64| is_met(*set) && ones(*set).all(|bit| !is_met(set & !(1 << bit)));
            let expected: Vec<u64> = (0..1 << 8).filter(is_minimal).collect();
            let mut found: Vec<u64> = made.iter().map(|cube| 0xFF & !cube).collect();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
