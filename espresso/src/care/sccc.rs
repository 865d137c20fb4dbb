//! SCCC: the smallest cube that contains the complement of a list of cubes.
//!
//! Follows the unate recursive paradigm of Brayton et al. 1984, section 4.4, without computing the complement, on the stack
//! of the tautology check. Departure: the recursion carries the parts found so far and skips branches that cannot add any;
//! small spaces end in a truth table. With a work limit, a local search for each part (`local_search`), which often finds
//! all, comes before a long recursion.

use crate::care::local_search::distinct;
use crate::care::tautology::{FEW, SHORT_RECURSION, Tautology, drawn_minterm};
use crate::cube::cofactor::LiteralMask;
use crate::cube::column_counts::Among;
use crate::cube::space::Space;

/// Number of random minterms without a new part after which the recursion begins.
const DRAWS_IN_VAIN: u32 = 4;

impl Tautology<'_> {
    /// The smallest cube that contains all minterms of the nonempty `cube` that the flat lists do not cover; empty if there
    /// are none. A query over the work limit ([`Tautology::limited`]) gives a larger cube.
    pub(crate) fn uncovered(&mut self, lists: &[&[u64]], cube: &[u64]) -> Vec<u64> {
        let mut found = vec![0; self.calculus.words()];
        self.push_cofactor(lists, cube);
        self.add_drawn(cube, &mut found);
        if self.most == u64::MAX {
            self.add_open(0, cube, &mut found);
            return found;
        }
        let (list, end, mut all) = (self.stack.clone(), self.end, found.clone());
        self.end = end.min(self.work.saturating_add(SHORT_RECURSION));
        self.add_open(0, cube, &mut all);
        if !self.has_given_up() {
            return all;
        }
        self.end = end;
        self.add_searched(&list, cube, &mut found);
        self.stack = list;
        self.add_open(0, cube, &mut found);
        found
    }

    /// Adds to `found` the parts of minterms of `cube` outside the flat list, found by a local search for each part.
    fn add_searched(&mut self, list: &[u64], cube: &[u64], found: &mut [u64]) {
        let space = self.calculus.space();
        let cubes = distinct(self.calculus.words(), list);
        for bit in 0..space.bits() {
            let (word, mask) = (bit / 64, 1u64 << (bit % 64));
            if self.work >= self.end {
                break;
            }
            if cube[word] & !found[word] & mask == 0 {
                continue;
            }
            let mut minterm = drawn_minterm(space, cube, bit as u64);
            let v = self.calculus.owner(bit);
            Space::keep_only(&space.variables()[v], &mut minterm, bit);
            if let Some(open) = self.search_open(&cubes, cube, minterm, Some(v)) {
                Space::join(found, &open);
            }
        }
    }

    /// Draws minterms of `cube` at random, and adds to `found` the parts of those that the list on the stack does not cover.
    /// Each is drawn to have a part not found yet. The uncovered part of a cube is usually large, so this often finds all.
    fn add_drawn(&mut self, cube: &[u64], found: &mut [u64]) {
        let n = self.calculus.words();
        if self.stack.len() < FEW * n {
            return;
        }
        let (mut number, mut vain) = (0, 0);
        while vain < DRAWS_IN_VAIN {
            let Some(word) = (0..n).find(|&i| cube[i] & !found[i] != 0) else { return };
            let mut minterm = drawn_minterm(self.calculus.space(), cube, number);
            let bit = word * 64 + (cube[word] & !found[word]).trailing_zeros() as usize;
            Space::keep_only(&self.calculus.space().variables()[self.calculus.owner(bit)], &mut minterm, bit);
            number += 1;
            self.work += (self.stack.len() / n) as u64;
            if self.stack.chunks_exact(n).any(|other| self.calculus.contains(other, &minterm)) {
                vain += 1;
            } else {
                Space::join(found, &minterm);
            }
        }
    }

    /// Adds to `found` the parts of the complement of the list from `start` on, within `within`, and takes the list
    /// off the stack.
    fn add_open(&mut self, start: usize, within: &[u64], found: &mut [u64]) {
        if !self.calculus.contains(found, within) {
            self.visit_open(start, within, found);
        }
        self.stack.truncate(start);
    }

    fn visit_open(&mut self, start: usize, within: &[u64], found: &mut [u64]) {
        let (calculus, space) = (self.calculus, self.calculus.space());
        let cubes = &self.stack[start..];
        self.work += (cubes.len() / calculus.words()) as u64;
        if cubes.is_empty() || self.has_given_up() {
            Space::join(found, within);
            return;
        }
        self.columns.take(calculus, cubes);
        if self.columns.has_full() {
            return;
        }
        if self.small_table.fill(calculus, &self.columns, cubes) {
            self.add_open_of_table(within, found);
            return;
        }
        if let Some(v) = self.columns.most_active(calculus, Among::Unate) {
            self.add_open_of_unate(start, within, v, found);
            return;
        }
        let Some(v) = self.columns.most_active(calculus, Among::All) else { return };
        let [low, _] = LiteralMask::halves(space, v, &self.columns);
        let high = low.others(space, v, within);
        let end = self.stack.len();
        for literal in [low, high] {
            literal.cofactor(calculus, &mut self.stack, start, end);
            let mut within = within.to_vec();
            literal.restrict(&mut within);
            self.add_open(end, &within, found);
        }
    }

    /// Adds the parts of the uncovered points of the truth table. Parts outside `within` are artefacts of cofactors and ignored.
    fn add_open_of_table(&mut self, within: &[u64], found: &mut [u64]) {
        let mut parts = vec![0u64; found.len()];
        if self.small_table.uncovered_parts(&mut parts) {
            for (v, variable) in self.calculus.space().variables().iter().enumerate() {
                let from = if self.columns.active(v) > 0 { &parts } else { within };
                for slot in &variable.slots {
                    found[slot.word] |= from[slot.word] & within[slot.word] & slot.mask;
                }
            }
        }
    }

    /// The case of a list weakly unate in `v`. At a part of `v` that all cubes depending on `v` lack, only the other cubes
    /// count, so that a point uncovered at any other part is uncovered there too. It remains to find which other parts of `v`
    /// occur.
    fn add_open_of_unate(&mut self, start: usize, within: &[u64], v: usize, found: &mut [u64]) {
        let (n, calculus) = (self.calculus.words(), self.calculus);
        let variable = &calculus.space().variables()[v];
        let active = self.columns.active(v);
        let lacked = LiteralMask::new(calculus.space(), v, |slot| self.columns.lacked_by(slot, active));
        let end = self.stack.len();
        for at in (start..end).step_by(n) {
            if Space::literal_is_full(variable, &self.stack[at..at + n]) {
                self.stack.extend_from_within(at..at + n);
            }
        }
        let mut inside = within.to_vec();
        lacked.restrict(&mut inside);
        self.add_open(end, &inside, found);
        for bit in variable.bits() {
            let (word, mask) = (bit / 64, 1u64 << (bit % 64));
            if within[word] & !inside[word] & !found[word] & mask != 0 {
                let part = LiteralMask::single(calculus.space(), v, bit);
                part.cofactor(calculus, &mut self.stack, start, end);
                if !self.node(end) {
                    found[word] |= mask;
                }
            }
        }
    }
}
