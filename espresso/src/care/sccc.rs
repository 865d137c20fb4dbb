//! SCCC: the smallest cube that contains the complement of a list of cubes.
//!
//! The unate recursive paradigm of Brayton et al. 1984, section 4.4, without computing the complement. Departure:
//! the parts found so far go along with the recursion, and a branch that could add none is not entered; small
//! spaces end in a truth table.

use crate::care::leaf_table::LeafTable;
use crate::care::tautology::Tautology;
use crate::cube::calculus::Calculus;
use crate::cube::cofactor::{Literal, cofactor_by_cube};
use crate::cube::column_counts::ColumnCounts;
use crate::cube::space::Space;

/// The recursion, with its stack of cube lists.
#[derive(Debug)]
pub(crate) struct Sccc<'k, const W: usize> {
    calculus: &'k Calculus<W>,
    stack: Vec<u64>,
    columns: ColumnCounts,
    leaf_table: LeafTable,
    tautology: Tautology<'k, W>,
    /// The parts found so far.
    found: Vec<u64>,
    work: u64,
}

impl<'k, const W: usize> Sccc<'k, W> {
    pub(crate) fn new(calculus: &'k Calculus<W>) -> Self {
        Sccc {
            calculus,
            stack: Vec::new(),
            columns: ColumnCounts::new(calculus.space()),
            leaf_table: LeafTable::default(),
            tautology: Tautology::new(calculus),
            found: Vec::new(),
            work: 0,
        }
    }

    /// Takes the work done since the last call.
    pub(crate) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work) + std::mem::take(&mut self.tautology.work)
    }

    /// The smallest cube that contains all minterms of `cube`, which is not empty, that the flat lists do not
    /// cover; empty when there are none.
    pub(crate) fn uncovered(&mut self, lists: &[&[u64]], cube: &[u64]) -> Vec<u64> {
        let n = self.calculus.words();
        self.stack.clear();
        for list in lists {
            self.work += (list.len() / n) as u64;
            cofactor_by_cube(self.calculus, list, cube, &mut self.stack);
        }
        self.found.clear();
        self.found.resize(n, 0);
        self.node(0, cube);
        self.found.clone()
    }

    /// Adds to the parts found those of the complement of the list from `start` on, within `within`, and takes
    /// the list off the stack.
    fn node(&mut self, start: usize, within: &[u64]) {
        if !self.calculus.contains(&self.found, within) {
            self.visit(start, within);
        }
        self.stack.truncate(start);
    }

    fn visit(&mut self, start: usize, within: &[u64]) {
        let (n, calculus) = (self.calculus.words(), self.calculus);
        let cubes = &self.stack[start..];
        self.work += (cubes.len() / n) as u64;
        if cubes.is_empty() {
            Space::join(&mut self.found, within);
            return;
        }
        self.columns.take(calculus, cubes);
        if self.columns.has_full() {
            return;
        }
        if self.leaf_table.fill(calculus, &self.columns, cubes) {
            self.add_uncovered(within);
            return;
        }
        let unate =
            self.columns.most_active(calculus.space(), |v| self.columns.is_weakly_unate(calculus.space(), v));
        if let Some(v) = unate {
            self.unate(start, within, v);
            return;
        }
        let Some(v) = self.columns.most_active(calculus.space(), |_| true) else { return };
        let [low, _] = Literal::halves(calculus.space(), v, &self.columns);
        let high = low.others(calculus.space(), v, within);
        let end = self.stack.len();
        for literal in [low, high] {
            literal.cofactor(calculus, &mut self.stack, start, end);
            let mut within = within.to_vec();
            literal.restrict(&mut within);
            self.node(end, &within);
        }
    }

    /// Adds what the truth table leaves open. Parts outside `within` stand in for others and are not meant.
    fn add_uncovered(&mut self, within: &[u64]) {
        let mut parts = vec![0u64; self.calculus.words()];
        if self.leaf_table.uncovered_parts(&mut parts) {
            let variables = self.calculus.space().variables();
            for (v, variable) in variables.iter().enumerate() {
                let from = if self.columns.active(v) > 0 { &parts } else { within };
                for slot in &variable.slots {
                    self.found[slot.word] |= from[slot.word] & within[slot.word] & slot.mask;
                }
            }
        }
    }

    /// The case of a list weakly unate in `v`: where `v` has a part that all cubes depending on it lack, those
    /// cubes do not count, and what is left open elsewhere is left open there too. So only the other parts of `v`
    /// themselves remain to be asked for.
    fn unate(&mut self, start: usize, within: &[u64], v: usize) {
        let (n, calculus) = (self.calculus.words(), self.calculus);
        let space = calculus.space();
        let variable = &space.variables()[v];
        let active = self.columns.active(v);
        let lacked = Literal::new(space, v, |bit| self.columns.missing(bit) == active);
        let end = self.stack.len();
        for at in (start..end).step_by(n) {
            if Space::literal_is_full(variable, &self.stack[at..at + n]) {
                self.stack.extend_from_within(at..at + n);
            }
        }
        let mut inside = within.to_vec();
        lacked.restrict(&mut inside);
        self.node(end, &inside);
        for bit in variable.bits() {
            let (word, mask) = (bit / 64, 1u64 << (bit % 64));
            if within[word] & mask != 0 && inside[word] & mask == 0 && self.found[word] & mask == 0 {
                let part = Literal::new(space, v, |other| other == bit);
                part.cofactor(calculus, &mut self.stack, start, end);
                if !self.tautology.of(&self.stack[end..]) {
                    self.found[word] |= mask;
                }
                self.stack.truncate(end);
            }
        }
    }
}
