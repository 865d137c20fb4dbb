//! The clauses of one section, transposed: for each part of each variable the set of clauses that allow it.
//!
//! A position has one part in each variable, so the clauses that contain it are the intersection of one set for each variable.
//! The sets are bitmaps, cut into blocks of [`BLOCK_CLAUSES`] clauses. The rows of a block stand together, so that a probe reads
//! memory forwards. A probe goes on to the next block as soon as no clause of the current block remains.
//!
//! The sets are not compressed: they are dense, since most clauses allow most parts.

use super::clauses::Clauses;
use super::layout::Layout;
use alloc::vec::Vec;

/// 64-bit words of a row: a row is half a cache line, and one or two vector registers.
const BLOCK: usize = 4;

const BLOCK_CLAUSES: usize = 64 * BLOCK;

/// The clauses of one block that allow a certain part: clause c is bit c mod 64 of word c / 64.
type ClauseSet = [u64; BLOCK];

/// A variable with a literal in some clause.
#[derive(Clone, Copy, Debug)]
struct Used {
    variable: usize,
    /// The row of part 0 within a block; the other parts follow.
    row: usize,
}

/// The bitmaps of the clauses of a section. Immutable once made.
#[derive(Clone, Debug)]
pub(super) struct Bitmaps {
    clauses: usize,
    /// The variables that a probe reads, by falling share of excluded parts.
    used: Vec<Used>,
    /// Rows of a block.
    stride: usize,
    /// Block after block.
    rows: Vec<ClauseSet>,
}

impl Bitmaps {
    /// Returns the bitmaps of `clauses`, whose words follow `layout`.
    pub(super) fn new(layout: &Layout, clauses: &Clauses) -> Self {
        let mut used = used_variables(layout, clauses);
        let mut stride = 0;
        for Used { variable, row } in &mut used {
            *row = stride;
            stride += layout.variables()[*variable].values;
        }
        let mut rows = vec![ClauseSet::default(); stride * clauses.len().div_ceil(BLOCK_CLAUSES)];
        for (number, clause) in clauses.iter().enumerate() {
            let block = &mut rows[number / BLOCK_CLAUSES * stride..][..stride];
            let (word, bit) = (number % BLOCK_CLAUSES / 64, number % 64);
            for &Used { variable, row } in &used {
                let mut literal = layout.literal(clause, variable);
                while literal != 0 {
                    block[row + literal.trailing_zeros() as usize][word] |= 1 << bit;
                    literal &= literal - 1;
                }
            }
        }
        Bitmaps { clauses: clauses.len(), used, stride, rows }
    }

    /// The variables that a probe reads.
    pub(super) fn variables(&self) -> impl Iterator<Item = usize> {
        self.used.iter().map(|used| used.variable)
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&self.rows[..])
    }

    /// Returns the number of the first clause that contains the position with these parts, one for each variable of the layout.
    /// Only the variables of [`Bitmaps::variables`] matter. Reads at most one row for each block and each of these variables.
    ///
    /// # Panics
    /// When there are fewer parts than variables.
    #[inline]
    pub(super) fn first_match(&self, parts: &[u8]) -> Option<usize> {
        if self.used.is_empty() {
            return (self.clauses > 0).then_some(0);
        }
        for (number, block) in self.rows.chunks_exact(self.stride).enumerate() {
            let mut left = [u64::MAX; BLOCK];
            for used in &self.used {
                let row = &block[used.row + usize::from(parts[used.variable])];
                let mut any = 0;
                for (left, row) in left.iter_mut().zip(row) {
                    *left &= row;
                    any |= *left;
                }
                if any == 0 {
                    break;
                }
            }
            if let Some(word) = left.iter().position(|&word| word != 0) {
                return Some(number * BLOCK_CLAUSES + word * 64 + left[word].trailing_zeros() as usize);
            }
        }
        None
    }

    /// Returns clause number `number` in the words of `layout`.
    ///
    /// # Panics
    /// When there is no such clause.
    #[cfg(any(feature = "explain", test))]
    pub(super) fn clause(&self, layout: &Layout, number: usize) -> Vec<u64> {
        assert!(number < self.clauses, "clause {number} of {}", self.clauses);
        let block = &self.rows[number / BLOCK_CLAUSES * self.stride..][..self.stride];
        let (word, bit) = (number % BLOCK_CLAUSES / 64, number % 64);
        let mut clause = layout.universe();
        for &Used { variable, row } in &self.used {
            let rows = block[row..].iter().take(layout.variables()[variable].values);
            let literal = rows.enumerate().fold(0, |all, (part, row)| all | (row[word] >> bit & 1) << part);
            layout.set_literal(&mut clause, variable, literal);
        }
        clause
    }
}

/// The variables with a literal in some clause, by falling share of excluded parts. Their rows are not set yet.
fn used_variables(layout: &Layout, clauses: &Clauses) -> Vec<Used> {
    let excluded = |variable: usize| -> u64 {
        let full = layout.full(variable);
        clauses.iter().map(|clause| u64::from((full & !layout.literal(clause, variable)).count_ones())).sum()
    };
    let mut used: Vec<(u64, usize)> = (0..layout.variables().len())
        .map(|variable| ((excluded(variable) << 16) / layout.variables()[variable].values as u64, variable))
        .filter(|&(share, _)| share > 0)
        .collect();
    used.sort_by_key(|&(share, variable)| (core::cmp::Reverse(share), variable));
    used.into_iter().map(|(_, variable)| Used { variable, row: 0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::layout::contains;
    use super::*;
    use crate::chess::model::Model;
    use proptest::prelude::*;

    /// Clauses of up to `length` literals each. Short ones match early, long ones late or never.
    fn clauses(layout: &Layout, length: usize, picks: &[(u16, u8)]) -> Clauses {
        let mut words = Vec::new();
        for literals in picks.chunks(length) {
            let mut clause = layout.universe();
            for &(variable, value) in literals {
                let variable = usize::from(variable) % layout.variables().len();
                layout.set_literal(&mut clause, variable, u64::from(value % 3 + 1));
            }
            words.extend(clause);
        }
        Clauses::new(layout.words(), &words)
    }

    proptest! {
        #[test]
        fn bitmaps_agree_with_matching_word_by_word(
            material in prop::sample::select(vec!["KvK", "KQvKR", "KPPvKP", "KQPPPvKP"]),
            length in 2..14_usize,
            picks in prop::collection::vec(any::<(u16, u8)>(), 0..7000),
            positions in prop::collection::vec(any::<u64>(), 20),
        ) {
            let layout = Layout::new(Model::Binary, &material.parse().unwrap());
            let clauses = clauses(&layout, length, &picks);
            let bitmaps = Bitmaps::new(&layout, &clauses);
            for noise in positions {
                let parts: Vec<u8> = (0..layout.variables().len()).map(|v| (noise >> v & 1) as u8).collect();
                let mut minterm = vec![0; layout.words()];
                layout.write_minterm(&parts, &mut minterm);
                let expected = clauses.iter().position(|clause| contains(clause, &minterm));
                prop_assert_eq!(bitmaps.first_match(&parts), expected);
            }
            for (number, clause) in clauses.iter().enumerate() {
                prop_assert_eq!(&bitmaps.clause(&layout, number)[..], clause);
            }
        }
    }

    #[test]
    fn a_clause_without_literals_contains_everything() {
        let layout = Layout::new(Model::Binary, &"KvK".parse().unwrap());
        let bitmaps = Bitmaps::new(&layout, &Clauses::new(1, &layout.universe()));
        assert_eq!(bitmaps.first_match(&[0; 12]), Some(0));
        assert_eq!(bitmaps.clause(&layout, 0), layout.universe());
    }
}
