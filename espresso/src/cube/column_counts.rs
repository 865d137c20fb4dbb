//! What a list of cubes depends on: how many cubes lack each part, and how many depend on each variable.
//!
//! The choices of the unate recursive paradigm (Brayton et al. 1984, chapter 3) all follow from these counts: a
//! part that all cubes lack, a variable in which the list is weakly unate (all cubes that depend on it lack one
//! and the same part), the variable that most cubes depend on.
//!
//! Departure: the counts of all parts of a word are kept as vertical counters, four planes that count to fifteen,
//! so that a cube costs a few word operations and not one addition for each part.

use crate::cube::calculus::{Calculus, ones};
use crate::cube::space::Space;

/// Cubes counted before the planes are emptied into the counts.
const BLOCK: usize = 15;

/// The counts of one list of cubes; reusable for the next.
#[derive(Clone, Debug)]
pub(crate) struct ColumnCounts {
    /// For each bit of a cube, the number of cubes without it.
    missing: Vec<u32>,
    /// For each variable, the number of cubes whose literal is not full.
    active: Vec<u32>,
    cubes: usize,
    /// Whether one of the cubes is full.
    full: bool,
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

    #[inline]
    fn empty_into(&mut self, mut add: impl FnMut(usize, u32)) {
        for (weight, plane) in self.0.iter_mut().enumerate() {
            ones(std::mem::take(plane)).for_each(|bit| add(bit, 1 << weight));
        }
    }
}

impl ColumnCounts {
    /// Returns the counts of no cubes.
    pub(crate) fn new(space: &Space) -> Self {
        ColumnCounts {
            missing: vec![0; space.words() * 64],
            active: vec![0; space.variables().len()],
            cubes: 0,
            full: false,
        }
    }

    /// Counts the cubes of the flat list `cubes`. O(cubes · words).
    pub(crate) fn take<const W: usize>(&mut self, calculus: &Calculus<W>, cubes: &[u64]) {
        let n = calculus.words();
        self.missing.fill(0);
        self.active.fill(0);
        self.cubes = cubes.len() / n;
        self.full = cubes.chunks_exact(n).any(|cube| calculus.is_full(cube));
        for word in 0..n {
            let full = calculus.space().full()[word];
            for block in cubes.chunks(n * BLOCK) {
                let (mut parts, mut variables) = (Planes::default(), Planes::default());
                for cube in block.chunks_exact(n) {
                    let lacks = full & !cube[word];
                    parts.add(lacks);
                    variables.add(calculus.nonempty(word, lacks));
                }
                parts.empty_into(|bit, count| self.missing[word * 64 + bit] += count);
                variables.empty_into(|bit, count| self.active[calculus.owner(word * 64 + bit)] += count);
            }
        }
        for &v in calculus.straddling() {
            let variable = &calculus.space().variables()[v];
            let active = cubes.chunks_exact(n).filter(|cube| !Space::literal_is_full(variable, cube)).count();
            self.active[v] = active as u32;
        }
    }

    pub(crate) fn has_full(&self) -> bool {
        self.full
    }

    pub(crate) fn missing(&self, bit: usize) -> u32 {
        self.missing[bit]
    }

    pub(crate) fn active(&self, v: usize) -> u32 {
        self.active[v]
    }

    /// The variables that some cube depends on.
    pub(crate) fn active_variables(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.active.len()).filter(|&v| self.active[v] > 0)
    }

    /// Whether all cubes lack some part of a variable in common.
    pub(crate) fn has_empty_column(&self, space: &Space) -> bool {
        self.active_variables().any(|v| {
            self.active[v] as usize == self.cubes
                && space.variables()[v].bits().any(|bit| self.missing[bit] as usize == self.cubes)
        })
    }

    /// Whether the list is weakly unate in variable `v`: all cubes that depend on it lack some part in common.
    pub(crate) fn is_weakly_unate(&self, space: &Space, v: usize) -> bool {
        let active = self.active[v];
        active > 0 && space.variables()[v].bits().any(|bit| self.missing[bit] == active)
    }

    /// All parts of the variables in which the list is weakly unate, when there is one.
    pub(crate) fn weakly_unate_parts(&self, space: &Space) -> Option<Vec<u64>> {
        let mut parts = None;
        for v in self.active_variables().filter(|&v| self.is_weakly_unate(space, v)) {
            let parts = parts.get_or_insert_with(|| vec![0u64; space.words()]);
            for slot in &space.variables()[v].slots {
                parts[slot.word] |= slot.mask;
            }
        }
        parts
    }

    /// The variable that most cubes depend on among those that `among` admits; the one with the most missing
    /// parts, then the first, when several are equal.
    pub(crate) fn most_active(&self, space: &Space, mut among: impl FnMut(usize) -> bool) -> Option<usize> {
        let mut best: Option<(u32, u32, usize)> = None;
        for v in self.active_variables() {
            if best.is_some_and(|(active, _, _)| self.active[v] < active) || !among(v) {
                continue;
            }
            let lacking = space.variables()[v].bits().map(|bit| self.missing[bit]).sum();
            if best.is_none_or(|(active, most, _)| (self.active[v], lacking) > (active, most)) {
                best = Some((self.active[v], lacking, v));
            }
        }
        best.map(|(_, _, v)| v)
    }
}

/// The order of cubes by weight, lightest first: a cube weighs the sum, over its parts, of the number of cubes of
/// the flat list that have the part. Light cubes are those that few others are likely to cover.
pub(crate) fn by_weight<const W: usize>(calculus: &Calculus<W>, cubes: &[u64]) -> Vec<usize> {
    let n = calculus.words();
    let mut columns = ColumnCounts::new(calculus.space());
    columns.take(calculus, cubes);
    let count = cubes.len() / n;
    let weights: Vec<u64> = cubes
        .chunks_exact(n)
        .map(|cube| {
            let mut weight = 0;
            calculus.for_each_part(cube, |bit| weight += count as u64 - u64::from(columns.missing(bit)));
            weight
        })
        .collect();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&i| weights[i]);
    order
}
