//! A sorted set of clauses.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// A set of clauses of one width, sorted as [`Clauses::compare`] orders them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clauses {
    /// Words of one clause.
    width: usize,
    words: Vec<u64>,
}

impl Clauses {
    /// Returns the set of the clauses in `words`, `width` words each, one after the other; sorts them and drops repeats.
    ///
    /// # Panics
    /// When `width` is 0 or does not divide the number of words.
    pub fn new(width: usize, words: &[u64]) -> Self {
        assert!(width > 0 && words.len().is_multiple_of(width), "whole clauses of at least a word");
        let mut clauses: Vec<&[u64]> = words.chunks_exact(width).collect();
        clauses.sort_unstable_by(|a, b| Self::compare(a, b));
        clauses.dedup();
        Clauses { width, words: clauses.concat() }
    }

    /// Returns the set of the clauses in `words`, which are strictly ascending.
    pub(super) fn from_sorted(width: usize, words: Vec<u64>) -> Self {
        debug_assert!(words.chunks_exact(width).is_sorted_by(|a, b| Self::compare(a, b).is_lt()));
        Clauses { width, words }
    }

    /// Compares two clauses as strings of bits, bit 0 first: at the first bit in which they differ, the clause with
    /// a 0 comes first.
    pub fn compare(a: &[u64], b: &[u64]) -> Ordering {
        a.iter().map(|word| word.reverse_bits()).cmp(b.iter().map(|word| word.reverse_bits()))
    }

    /// Words of one clause.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of clauses.
    pub fn len(&self) -> usize {
        self.words.len() / self.width
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The clauses in order.
    pub fn iter(&self) -> core::slice::ChunksExact<'_, u64> {
        self.words.chunks_exact(self.width)
    }
}

impl<'a> IntoIterator for &'a Clauses {
    type Item = &'a [u64];
    type IntoIter = core::slice::ChunksExact<'a, u64>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_by_the_first_bit_that_differs_and_without_repeats() {
        let clauses = Clauses::new(1, &[0b01, 0b10, 0b11, 0b01]);
        assert_eq!(clauses.iter().flatten().copied().collect::<Vec<_>>(), [0b10, 0b01, 0b11]);
        let clauses = Clauses::new(2, &[1, 0, 0, 5, 0, 4]);
        assert!(clauses.iter().eq([[0, 4], [0, 5], [1, 0]]));
    }
}
