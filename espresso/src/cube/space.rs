//! The variables of a function and the algebra of single cubes over them, in positional cube notation.
//!
//! A cube is a slice of [`Space::words`] 64-bit words, with one bit for each part. Binary inputs come first, with two bits
//! each: bit 2v allows value 0, bit 2v + 1 value 1. Such a pair never straddles words. Multi-valued inputs follow, and may
//! straddle words. The output variable comes last, with one bit for each output. Unused high bits of the last word are zero.
//!
//! Source: Brayton et al. 1984, chapter 3. The layout is this crate's own.

use crate::cube::bits::{add, has, ones};
use crate::error::{Error, ErrorKind, Result};
use std::ops::Range;
use std::sync::Arc;

/// The bits of a word that a variable occupies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Index of the word within the cube.
    pub word: usize,
    /// The variable's bits within that word.
    pub mask: u64,
}

/// One variable: its parts and their bits in a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// First bit of the variable within the cube; part p is bit `first + p`.
    pub first: usize,
    /// Number of parts: 2 for a binary input, the number of outputs for the output variable.
    pub parts: usize,
    /// The words that the variable occupies, with its bits in each.
    pub slots: Vec<Slot>,
}

impl Variable {
    /// The bits of the variable within the cube.
    pub fn bits(&self) -> Range<usize> {
        self.first..self.first + self.parts
    }

    /// The bits of the parts that `cube` has.
    #[inline]
    pub(crate) fn bits_in(&self, cube: &[u64]) -> impl Iterator<Item = usize> {
        self.slots.iter().flat_map(|slot| ones(cube[slot.word] & slot.mask).map(|bit| slot.word * 64 + bit))
    }

    /// Whether `a` has a part of the variable that `b` lacks.
    #[inline]
    pub(crate) fn exceeds(&self, a: &[u64], b: &[u64]) -> bool {
        self.slots.iter().any(|slot| a[slot.word] & !b[slot.word] & slot.mask != 0)
    }

    /// Whether `a` and `b` have different parts of the variable.
    #[inline]
    pub(crate) fn differs(&self, a: &[u64], b: &[u64]) -> bool {
        self.exceeds(a, b) || self.exceeds(b, a)
    }

    /// The numbers of the parts that `cube` has.
    pub(crate) fn parts_in(&self, cube: &[u64]) -> impl Iterator<Item = usize> {
        self.bits_in(cube).map(|bit| bit - self.first)
    }
}

/// The variables of a function: binary inputs, multi-valued inputs, and one output variable, in this order.
///
/// Cheap to clone: clones share the layout.
#[derive(Clone, Debug)]
pub struct Space(Arc<Layout>);

#[derive(Debug, PartialEq, Eq)]
struct Layout {
    binary: usize,
    variables: Vec<Variable>,
    words: usize,
    bits: usize,
    full: Vec<u64>,
    /// The low bit of each binary pair.
    low: Vec<u64>,
}

impl PartialEq for Space {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Eq for Space {}

impl Space {
    /// Returns the space of `inputs` binary inputs and `outputs` outputs.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] when there is no output or the cube would have more than 2^22 bits.
    pub fn binary(inputs: usize, outputs: usize) -> Result<Self> {
        Self::new(inputs, &[], outputs)
    }

    /// Returns the space of `binary` binary inputs, one multi-valued input for each entry of `multi` (its number
    /// of parts), and `outputs` outputs.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if there is no output, if a multi-valued input has no part, or if a cube would have more than
    /// 2^22 bits: its variables would take hundreds of megabytes.
    pub fn new(binary: usize, multi: &[usize], outputs: usize) -> Result<Self> {
        if outputs == 0 {
            return Err(Error::new(ErrorKind::Unsupported, "a function needs at least one output"));
        }
        if multi.contains(&0) {
            return Err(Error::new(ErrorKind::Unsupported, "a multi-valued input needs at least one part"));
        }
        let total = multi
            .iter()
            .chain([&outputs])
            .try_fold(binary.checked_mul(2), |sum, &parts| Some(sum?.checked_add(parts)))
            .flatten()
            .filter(|&bits| bits <= 1 << 22)
            .ok_or_else(|| Error::new(ErrorKind::Unsupported, "more than 2^22 parts in all"))?;
        let words = total.div_ceil(64);
        let mut first = 0;
        let mut variables = Vec::with_capacity(binary + multi.len() + 1);
        for parts in std::iter::repeat_n(2, binary).chain(multi.iter().copied()).chain([outputs]) {
            let mut slots = Vec::with_capacity(1);
            for word in first / 64..=(first + parts - 1) / 64 {
                let from = first.max(word * 64) - word * 64;
                let to = (first + parts).min(word * 64 + 64) - word * 64;
                slots.push(Slot { word, mask: (u64::MAX >> (64 - (to - from))) << from });
            }
            variables.push(Variable { first, parts, slots });
            first += parts;
        }
        let mut full = vec![u64::MAX; words];
        if total % 64 != 0 {
            full[words - 1] = u64::MAX >> (64 - total % 64);
        }
        let mut low = vec![0u64; words];
        for v in 0..binary {
            low[v / 32] |= 1 << (v % 32 * 2);
        }
        Ok(Space(Arc::new(Layout { binary, variables, words, bits: total, full, low })))
    }

    /// Number of 64-bit words in a cube.
    pub fn words(&self) -> usize {
        self.0.words
    }

    /// Number of parts of all variables together: the bits of a cube.
    pub fn bits(&self) -> usize {
        self.0.bits
    }

    /// Number of binary inputs; they are the variables `0..binary_inputs()`.
    pub fn binary_inputs(&self) -> usize {
        self.0.binary
    }

    /// Number of inputs, binary and multi-valued.
    pub fn inputs(&self) -> usize {
        self.0.variables.len() - 1
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.output().parts
    }

    /// All variables: inputs first, the output variable last.
    pub fn variables(&self) -> &[Variable] {
        &self.0.variables
    }

    /// The output variable.
    pub fn output(&self) -> &Variable {
        &self.0.variables[self.0.variables.len() - 1]
    }

    /// The full cube, which contains all minterms.
    pub fn full(&self) -> &[u64] {
        &self.0.full
    }

    /// For each word, the low bit of every binary pair in it.
    pub fn binary_low(&self) -> &[u64] {
        &self.0.low
    }

    /// The variables that are not binary inputs: multi-valued inputs, then the output.
    pub fn non_binary(&self) -> &[Variable] {
        &self.0.variables[self.0.binary..]
    }

    /// Whether the literal of `variable` allows no part.
    pub fn literal_is_empty(variable: &Variable, cube: &[u64]) -> bool {
        variable.slots.iter().all(|slot| cube[slot.word] & slot.mask == 0)
    }

    /// Whether the literal of `variable` allows every part.
    pub fn literal_is_full(variable: &Variable, cube: &[u64]) -> bool {
        variable.slots.iter().all(|slot| cube[slot.word] & slot.mask == slot.mask)
    }

    /// Removes all parts of `variable`.
    pub(crate) fn clear(variable: &Variable, cube: &mut [u64]) {
        variable.slots.iter().for_each(|slot| cube[slot.word] &= !slot.mask);
    }

    /// Makes `bit` of the cube the only part of `variable`.
    pub(crate) fn keep_only(variable: &Variable, cube: &mut [u64], bit: usize) {
        Self::clear(variable, cube);
        add(cube, bit);
    }

    /// Returns the space with the same multi-valued inputs, and other numbers of binary inputs and outputs.
    pub(crate) fn resized(&self, binary: usize, outputs: usize) -> Result<Self> {
        let multi: Vec<usize> = self.non_binary().iter().map(|variable| variable.parts).collect();
        Self::new(binary, &multi[..multi.len() - 1], outputs)
    }

    /// The cube of another space with literals of `cube`: each pair has a variable and its number in the other space.
    pub(crate) fn moved(
        &self,
        cube: &[u64],
        to: &Space,
        variables: impl Iterator<Item = (usize, usize)>,
    ) -> Vec<u64> {
        let mut moved = vec![0; to.words()];
        for (old, new) in variables {
            self.0.variables[old].parts_in(cube).for_each(|part| to.set(&mut moved, new, part));
        }
        moved
    }

    /// Number of parts that the literal of `variable` allows.
    pub fn literal_len(variable: &Variable, cube: &[u64]) -> usize {
        variable.slots.iter().map(|slot| (cube[slot.word] & slot.mask).count_ones() as usize).sum()
    }

    /// Whether some literal of the cube is empty, so that the cube has no minterm. O(words).
    pub fn is_empty(&self, cube: &[u64]) -> bool {
        for (&word, &low) in cube.iter().zip(&self.0.low) {
            if (word | word >> 1) & low != low {
                return true;
            }
        }
        self.non_binary().iter().any(|variable| Self::literal_is_empty(variable, cube))
    }

    /// Number of variables in which `a` and `b` have no part in common: 0 when they intersect. O(words).
    pub fn distance(&self, a: &[u64], b: &[u64]) -> usize {
        let mut distance = 0;
        for ((&a, &b), &low) in a.iter().zip(b).zip(&self.0.low) {
            let both = a & b;
            distance += (!(both | both >> 1) & low).count_ones() as usize;
        }
        for variable in self.non_binary() {
            distance += usize::from(variable.slots.iter().all(|s| a[s.word] & b[s.word] & s.mask == 0));
        }
        distance
    }

    /// Whether `a` and `b` have a minterm in common. O(words), and stops early.
    pub fn intersects(&self, a: &[u64], b: &[u64]) -> bool {
        for ((&a, &b), &low) in a.iter().zip(b).zip(&self.0.low) {
            let both = a & b;
            if (both | both >> 1) & low != low {
                return false;
            }
        }
        self.non_binary().iter().all(|v| v.slots.iter().any(|s| a[s.word] & b[s.word] & s.mask != 0))
    }

    /// Whether every minterm of `b` is in `a`; `b` must not be empty.
    pub fn contains(&self, a: &[u64], b: &[u64]) -> bool {
        a.iter().zip(b).all(|(&a, &b)| b & !a == 0)
    }

    /// Sets `a` to the supercube, the smallest cube that contains both.
    pub fn join(a: &mut [u64], b: &[u64]) {
        a.iter_mut().zip(b).for_each(|(a, &b)| *a |= b);
    }

    /// Sets `a` to the intersection of both, which may be empty.
    pub fn meet(a: &mut [u64], b: &[u64]) {
        a.iter_mut().zip(b).for_each(|(a, &b)| *a &= b);
    }

    /// Number of literals as Berkeley's program counts them: one for each part that an input's literal lacks, and one for each
    /// output of the cube.
    pub fn literals(&self, cube: &[u64]) -> usize {
        let missing: u32 =
            self.full().iter().zip(cube).map(|(&full, &cube)| (full & !cube).count_ones()).sum();
        let outputs = Self::literal_len(self.output(), cube);
        missing as usize + 2 * outputs - self.outputs()
    }

    /// Allows `part` of variable `v`.
    ///
    /// # Panics
    /// When there is no such part.
    pub fn set(&self, cube: &mut [u64], v: usize, part: usize) {
        assert!(part < self.0.variables[v].parts);
        add(cube, self.0.variables[v].first + part);
    }

    /// Whether `part` of variable `v` is allowed.
    pub fn get(&self, cube: &[u64], v: usize, part: usize) -> bool {
        has(cube, self.0.variables[v].first + part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_that_cannot_be_held_are_refused() {
        for (binary, multi, outputs) in [
            (1 << 30, vec![], 1),
            (1 << 21, vec![], 1),
            (0, vec![1 << 22], 1),
            (usize::MAX, vec![], 1),
            (0, vec![], 0),
        ] {
            assert_eq!(Space::new(binary, &multi, outputs).unwrap_err().kind(), ErrorKind::Unsupported);
        }
        assert_eq!(Space::new(1000, &[1 << 20], 7).unwrap().bits(), 2007 + (1 << 20));
    }
}
