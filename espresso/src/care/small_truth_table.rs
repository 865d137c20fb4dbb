//! The truth table of a list of cubes over few variables: the base case of the unate recursions.
//!
//! The recursions of Brayton et al. 1984 end at lists that are unate or have one cube. Departure: they also end, in a bitmap
//! of the points (`truth_table`), when the space of a list's variables is small compared with the list.

use crate::care::truth_table::{OccurringParts, PointLayout};
use crate::cube::calculus::{Calculus, ones};
use crate::cube::column_counts::ColumnCounts;

const MOST_WORDS: usize = 1 << 13;
/// A bitmap of up to this many words is always made. In tests the limit is lower, so that the recursions are tested too.
const FEW_WORDS: usize = if cfg!(test) { 2 } else { 16 };
const WORDS_PER_CUBE: usize = if cfg!(test) { 0 } else { 4 };

/// A truth table; reusable for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct SmallTruthTable {
    points: PointLayout,
    table: Vec<u64>,
    offsets: Vec<u32>,
    occurring: OccurringParts,
}

impl SmallTruthTable {
    /// Makes the table of the union of `cubes`, given their column counts. Returns `false`, with no table, if the space of
    /// their variables is large for their number.
    pub(crate) fn fill(&mut self, calculus: &Calculus, columns: &ColumnCounts, cubes: &[u64]) -> bool {
        let n = calculus.words();
        let limit = FEW_WORDS.max(WORDS_PER_CUBE * (cubes.len() / n)).min(MOST_WORDS);
        let variables = columns.active_variables(calculus).map(|v| &calculus.space().variables()[v]);
        if !self.points.lay(variables, limit) {
            return false;
        }
        self.table.clear();
        self.table.resize(self.points.words(), 0);
        for cube in cubes.chunks_exact(n) {
            let pattern = self.points.pattern(cube);
            if let Some(words) = self.points.few_offsets(cube) {
                ones(words).for_each(|at| self.table[at] |= pattern);
                continue;
            }
            self.points.offsets(cube, &mut self.offsets);
            self.offsets.iter().for_each(|&at| self.table[at as usize] |= pattern);
        }
        true
    }

    pub(crate) fn is_covered(&self) -> bool {
        self.table.iter().all(|&word| word == self.points.used())
    }

    /// Adds to `parts` the parts of the uncovered points, for the variables of the table only. Returns whether there are such
    /// points.
    pub(crate) fn uncovered_parts(&mut self, parts: &mut [u64]) -> bool {
        self.occurring.clear(parts.len());
        for (at, &word) in self.table.iter().enumerate() {
            let open = self.points.used() & !word;
            if open != 0 {
                self.points.collect_parts(at as u32, open, &mut self.occurring);
            }
        }
        self.points.add_parts(&self.occurring, parts)
    }
}
