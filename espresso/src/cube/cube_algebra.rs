//! Operations on pairs of cubes, on all variables of a word at once.
//!
//! In each variable's field of a word, call the top bit `high` and the others `low`. Then `((x & low) + low) | x` has the
//! top bit of a field set if and only if the field is not empty. No carry leaves a field, so one addition tests all
//! variables of a word, whatever their numbers of parts. Brayton et al. 1984 test bit pairs for binary inputs and loop over
//! the other variables. Here only the few variables that straddle words are tested in a loop.

use crate::cube::bits::ones;
use crate::cube::space::Space;

/// The fields of one word: the mask of their top bits, and the mask of their other bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    pub(crate) high: u64,
    pub(crate) low: u64,
}

impl Fields {
    /// The top bits of the fields that have a bit in `x`.
    #[inline]
    fn nonempty(self, x: u64) -> u64 {
        (((x & self.low) + self.low) | x) & self.high
    }

    /// The top bits of the fields that have no bit in `x`.
    #[inline]
    pub(crate) fn empty(self, x: u64) -> u64 {
        !(((x & self.low) + self.low) | x) & self.high
    }
}

/// The distance of two cubes: the number of variables in which they have no part in common. Steps need no more than this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Distance {
    /// The cubes intersect.
    Zero,
    /// The cubes have no common part in this variable alone.
    One(usize),
    More,
}

/// The operations on pairs of cubes over one space.
#[derive(Clone, Debug)]
pub(crate) struct CubeAlgebra {
    space: Space,
    words: usize,
    pub(crate) fields: Vec<Fields>,
    /// The variables that lie in two words or more.
    pub(crate) straddling: Vec<usize>,
    /// The variable of each bit of a cube.
    owner: Vec<u32>,
    /// For the top bit of each field, the bits of the field; 0 for other bits.
    spans: Vec<u64>,
    /// For each word, the top bits of its binary inputs.
    pub(crate) binary: Vec<u64>,
}

impl CubeAlgebra {
    /// Returns the algebra for the cubes of `space`.
    pub(crate) fn new(space: &Space) -> Self {
        let mut fields = vec![Fields { high: 0, low: 0 }; space.words()];
        let mut straddling = Vec::new();
        let mut owner = vec![u32::MAX; space.words() * 64];
        let mut spans = vec![0; space.words() * 64];
        let binary = space.binary_low().iter().map(|low| low << 1).collect();
        for (v, variable) in space.variables().iter().enumerate() {
            owner[variable.bits()].fill(v as u32);
            if let [slot] = variable.slots[..] {
                let high = 1u64 << slot.mask.ilog2();
                spans[slot.word * 64 + slot.mask.ilog2() as usize] = slot.mask;
                fields[slot.word].high |= high;
                fields[slot.word].low |= slot.mask & !high;
            } else {
                straddling.push(v);
            }
        }
        CubeAlgebra { space: space.clone(), words: space.words(), fields, straddling, owner, spans, binary }
    }

    pub(crate) fn space(&self) -> &Space {
        &self.space
    }

    #[inline]
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    #[inline]
    pub(crate) fn owner(&self, bit: usize) -> usize {
        self.owner[bit] as usize
    }

    #[expect(clippy::inline_always, reason = "most of the work of a query")]
    #[inline(always)]
    pub(crate) fn intersects(&self, a: &[u64], b: &[u64]) -> bool {
        let n = self.words();
        let (a, b, fields) = (&a[..n], &b[..n], &self.fields[..n]);
        for i in 0..n {
            if fields[i].empty(a[i] & b[i]) != 0 {
                return false;
            }
        }
        self.straddling.iter().all(|&v| self.share_part(v, a, b))
    }

    /// The distance of `a` and `b`.
    #[inline]
    pub(crate) fn distance(&self, a: &[u64], b: &[u64]) -> Distance {
        let n = self.words();
        let (a, b, fields) = (&a[..n], &b[..n], &self.fields[..n]);
        let mut distance = Distance::Zero;
        for i in 0..n {
            let empty = fields[i].empty(a[i] & b[i]);
            if empty != 0 {
                if empty & (empty - 1) != 0 || distance != Distance::Zero {
                    return Distance::More;
                }
                distance = Distance::One(self.owner(i * 64 + empty.trailing_zeros() as usize));
            }
        }
        for &v in &self.straddling {
            if !self.share_part(v, a, b) {
                if distance != Distance::Zero {
                    return Distance::More;
                }
                distance = Distance::One(v);
            }
        }
        distance
    }

    /// Whether `a` and `b` have a part of variable `v` in common.
    #[inline]
    fn share_part(&self, v: usize, a: &[u64], b: &[u64]) -> bool {
        self.space.variables()[v].slots.iter().any(|slot| a[slot.word] & b[slot.word] & slot.mask != 0)
    }

    /// Whether `a` has every part of `b`.
    #[inline]
    pub(crate) fn contains(&self, a: &[u64], b: &[u64]) -> bool {
        let n = self.words();
        let (a, b) = (&a[..n], &b[..n]);
        (0..n).all(|i| b[i] & !a[i] == 0)
    }

    /// Calls `found` with each variable that has a part in `bits`, whose word `i` is `bits(i)`.
    #[inline]
    pub(crate) fn for_each_variable(&self, bits: impl Fn(usize) -> u64, mut found: impl FnMut(usize)) {
        for i in 0..self.words() {
            ones(self.fields[i].nonempty(bits(i))).for_each(|top| found(self.owner(i * 64 + top)));
        }
        for &v in &self.straddling {
            if self.space.variables()[v].slots.iter().any(|slot| bits(slot.word) & slot.mask != 0) {
                found(v);
            }
        }
    }

    /// Calls `found` with each variable whose literal in `cube` lacks a part.
    #[inline]
    pub(crate) fn for_each_dependence(&self, cube: &[u64], found: impl FnMut(usize)) {
        self.for_each_variable(|i| self.space.full()[i] & !cube[i], found);
    }

    /// Calls `found` with each variable of which `cube` has a part.
    #[inline]
    pub(crate) fn for_each_literal(&self, cube: &[u64], found: impl FnMut(usize)) {
        self.for_each_variable(|i| cube[i], found);
    }

    /// Calls `found` with each variable in which `a` and `b` have no part in common.
    #[inline]
    pub(crate) fn for_each_conflict(&self, a: &[u64], b: &[u64], mut found: impl FnMut(usize)) {
        for i in 0..self.words() {
            ones(self.fields[i].empty(a[i] & b[i])).for_each(|top| found(self.owner(i * 64 + top)));
        }
        for &v in &self.straddling {
            if !self.share_part(v, a, b) {
                found(v);
            }
        }
    }

    /// Whether some literal of `row` is not empty and within the literal of `lower`.
    #[inline]
    pub(crate) fn has_literal_within(&self, row: &[u64], lower: &[u64]) -> bool {
        (0..self.words()).any(|i| {
            let fields = self.fields[i];
            fields.nonempty(row[i]) & fields.empty(row[i] & !lower[i]) != 0
        }) || self.straddling.iter().any(|&v| self.has_within(v, row, lower))
    }

    /// Whether the literal of `row` is not empty and within that of `small`, in every variable of which `small` has a part.
    #[inline]
    pub(crate) fn all_literals_within(&self, small: &[u64], row: &[u64]) -> bool {
        (0..self.words()).all(|i| {
            let fields = self.fields[i];
            fields.nonempty(small[i]) & !(fields.nonempty(row[i]) & fields.empty(row[i] & !small[i])) == 0
        }) && self.straddling.iter().all(|&v| {
            let slots = &self.space.variables()[v].slots;
            slots.iter().all(|slot| small[slot.word] & slot.mask == 0) || self.has_within(v, row, small)
        })
    }

    /// Whether the literal of `row` in variable `v` is not empty and within the literal of `lower`.
    pub(crate) fn has_within(&self, v: usize, row: &[u64], lower: &[u64]) -> bool {
        let slots = &self.space.variables()[v].slots;
        slots.iter().any(|slot| row[slot.word] & slot.mask != 0)
            && slots.iter().all(|slot| row[slot.word] & slot.mask & !lower[slot.word] == 0)
    }

    /// All bits of the fields of word `i` whose top bits are `tops`.
    #[inline]
    pub(crate) fn spread(&self, i: usize, tops: u64) -> u64 {
        // A binary input has one bit below its top bit.
        let binary = tops & self.binary[i];
        let others = ones(tops & !self.binary[i]).fold(0, |all, top| all | self.spans[i * 64 + top]);
        binary | binary >> 1 | others
    }

    /// Adds to `lower` the literals of `cube` that have no part in common with those of `other`.
    #[inline]
    pub(crate) fn copy_conflict(&self, cube: &[u64], other: &[u64], lower: &mut [u64]) {
        for i in 0..self.words() {
            let tops = self.fields[i].empty(cube[i] & other[i]);
            if tops != 0 {
                lower[i] |= cube[i] & self.spread(i, tops);
            }
        }
        for &v in self.straddling.iter().filter(|&&v| !self.share_part(v, cube, other)) {
            self.copy_literal(v, cube, lower);
        }
    }

    /// Adds to `to` the parts of variable `v` in `from`.
    #[inline]
    pub(crate) fn copy_literal(&self, v: usize, from: &[u64], to: &mut [u64]) {
        for slot in &self.space.variables()[v].slots {
            to[slot.word] |= from[slot.word] & slot.mask;
        }
    }
}
