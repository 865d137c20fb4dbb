//! Cofactors of a list of cubes with respect to a set of parts of one variable: the two branches of a split.
//!
//! Follows Brayton et al. 1984, section 3.2. A multi-valued variable is halved, as in Rudell and Sangiovanni-Vincentelli,
//! *Multiple-Valued Minimization for PLA Optimization* (1987), so that the recursion stays a binary tree.

use crate::cube::cube_algebra::CubeAlgebra;
use crate::cube::space::{Slot, Space};

/// A set of parts of one variable, as masks of one word.
#[derive(Clone, Copy, Debug)]
struct WordMask {
    word: usize,
    /// The parts in the set.
    keep: u64,
    /// The other parts of the variable.
    fill: u64,
}

/// A set of parts of one variable, neither empty nor full, as masks of the words that the variable occupies.
#[derive(Clone, Debug)]
pub(crate) struct LiteralMask {
    first: WordMask,
    /// Further words, if the variable straddles words.
    rest: Vec<WordMask>,
}

impl LiteralMask {
    /// Returns the literal of variable `v` with the parts that `keep` returns for each slot.
    pub(crate) fn new(space: &Space, v: usize, mut keep: impl FnMut(&Slot) -> u64) -> Self {
        let mut side = |slot: &Slot| {
            let keep = keep(slot) & slot.mask;
            WordMask { word: slot.word, keep, fill: slot.mask & !keep }
        };
        let slots = &space.variables()[v].slots;
        LiteralMask { first: side(&slots[0]), rest: slots[1..].iter().map(side).collect() }
    }

    /// Returns the literal with one part of variable `v`, by its bit number.
    pub(crate) fn single(space: &Space, v: usize, bit: usize) -> Self {
        Self::new(space, v, |slot| if slot.word == bit / 64 { 1 << (bit % 64) } else { 0 })
    }

    /// Returns the literal with some parts of variable `v`, by their bit numbers.
    pub(crate) fn of_bits(space: &Space, v: usize, bits: &[u32]) -> Self {
        let in_word = |word: usize| bits.iter().filter(move |&&bit| bit as usize / 64 == word);
        Self::new(space, v, |slot| in_word(slot.word).fold(0, |keep, bit| keep | 1 << (bit % 64)))
    }

    /// Returns the literal of variable `v` with the parts of `within` that this literal lacks.
    pub(crate) fn others(&self, space: &Space, v: usize, within: &[u64]) -> Self {
        let mut sides = std::iter::once(&self.first).chain(&self.rest);
        Self::new(space, v, |slot| within[slot.word] & !sides.next().map_or(0, |side| side.keep))
    }

    /// Whether the cube has a part of the literal.
    #[inline]
    pub(crate) fn meets(&self, cube: &[u64]) -> bool {
        cube[self.first.word] & self.first.keep != 0
            || self.rest.iter().any(|side| cube[side.word] & side.keep != 0)
    }

    /// Whether the literal has the part with this bit number.
    #[inline]
    pub(crate) fn has(&self, bit: u32) -> bool {
        let mut sides = std::iter::once(&self.first).chain(&self.rest);
        sides.any(|side| side.word == bit as usize / 64 && side.keep >> (bit % 64) & 1 != 0)
    }

    /// Adds to `cube` the parts of the variable that are not in the literal.
    #[inline]
    pub(crate) fn fill(&self, cube: &mut [u64]) {
        cube[self.first.word] |= self.first.fill;
        for side in &self.rest {
            cube[side.word] |= side.fill;
        }
    }

    #[inline]
    pub(crate) fn restrict(&self, cube: &mut [u64]) {
        cube[self.first.word] &= !self.first.fill;
        for side in &self.rest {
            cube[side.word] &= !side.fill;
        }
    }

    /// The cofactor of the flat list `cubes`.
    pub(crate) fn cofactor_of(&self, cubes: &[u64], words: usize) -> Vec<u64> {
        let mut cofactor = Vec::with_capacity(cubes.len());
        for cube in cubes.chunks_exact(words).filter(|cube| self.meets(cube)) {
            let to = cofactor.len();
            cofactor.extend_from_slice(cube);
            self.fill(&mut cofactor[to..]);
        }
        cofactor
    }
}

/// Appends to `stack` the cofactor of `cubes` with respect to the cube `by`: the cubes that intersect `by`, each with all
/// parts outside `by` added.
pub(crate) fn cofactor_by_cube(algebra: &CubeAlgebra, cubes: &[u64], by: &[u64], stack: &mut Vec<u64>) {
    let n = algebra.words();
    let full = &algebra.space().full()[..n];
    for cube in cubes.chunks_exact(n) {
        if algebra.intersects(cube, by) {
            stack.extend((0..n).map(|i| cube[i] | (full[i] & !by[i])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_in_several_words_restricts_cubes_to_its_parts() {
        let space = Space::new(1, &[200], 1).unwrap();
        let mut cube = space.full().to_vec();
        // The two bits of the binary variable come first.
        LiteralMask::of_bits(&space, 1, &(102..202).collect::<Vec<_>>()).restrict(&mut cube);
        assert!(crate::cube::bits::numbers(&cube).eq([0, 1].into_iter().chain(102..203)));
    }
}
