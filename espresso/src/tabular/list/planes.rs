//! Rows as bit planes: for each variable and each of its parts but the last, one bit a row, set when the row's part is
//! not above it.
//!
//! A literal that allows an interval is then two planes, whatever its length, and the rows of a cube are found 64 a word
//! (512 a register). The portable source is compiled for several instruction sets, as in `count`.

#![cfg_attr(target_arch = "x86_64", allow(unsafe_code, reason = "feature-gated calls"))]

use super::Literal;
use crate::cpu::Level;

/// The planes that every [`Planes`] begins with: no row, and all rows.
const NONE: usize = 0;
const ALL: usize = 1;

/// How the variables of a function are laid out: in planes, and in tables with an element for each part.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// The number of parts of each variable.
    pub(super) parts: Vec<u8>,
    /// The first plane of each variable.
    planes: Vec<usize>,
    /// The first element of each variable in tables of all parts.
    pub(super) bases: Vec<usize>,
    /// The elements of such a table.
    pub(super) all_parts: usize,
    all_planes: usize,
}

impl Shape {
    pub(super) fn new(parts: &[u8]) -> Self {
        let (mut planes, mut bases) = (Vec::new(), Vec::new());
        let (mut plane, mut base) = (2, 0);
        for &count in parts {
            planes.push(plane);
            bases.push(base);
            plane += usize::from(count) - 1;
            base += usize::from(count);
        }
        Shape { parts: parts.to_vec(), planes, bases, all_parts: base, all_planes: plane }
    }

    /// Number of variables.
    pub(super) fn variables(&self) -> usize {
        self.parts.len()
    }

    /// All parts of `variable`.
    pub(super) fn full(&self, variable: usize) -> u64 {
        u64::MAX >> (64 - u32::from(self.parts[variable]))
    }
}

/// The planes of a growing sequence of rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Planes {
    rows: usize,
    /// Words from one plane to the next.
    stride: usize,
    bits: Vec<u64>,
}

impl Planes {
    /// Number of words of a plane that hold rows.
    pub(super) fn words(&self) -> usize {
        self.rows.div_ceil(64)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.bits.len() * 8
    }

    fn plane(&self, number: usize) -> &[u64] {
        &self.bits[number * self.stride..][..self.words()]
    }

    /// All rows, one bit each.
    pub(super) fn all(&self) -> &[u64] {
        if self.bits.is_empty() { &[] } else { self.plane(ALL) }
    }

    /// Brings the planes up to date with `bytes`, all rows one after the other, of which the first ones are known.
    pub(super) fn extend(&mut self, shape: &Shape, bytes: &[u8]) {
        let variables = shape.variables();
        let rows = bytes.len() / variables;
        let words = rows.div_ceil(64);
        if words > self.stride || self.bits.is_empty() {
            let stride = if self.rows == 0 { words } else { words + words / 4 };
            let mut bits = vec![0; stride * shape.all_planes];
            for plane in 0..shape.all_planes.min(self.bits.len().checked_div(self.stride).unwrap_or(0)) {
                bits[plane * stride..][..self.words()].copy_from_slice(self.plane(plane));
            }
            (self.stride, self.bits) = (stride, bits);
        }
        for word in self.rows / 64..words {
            let rows = &bytes[word * 64 * variables..bytes.len().min((word + 1) * 64 * variables)];
            self.bits[ALL * self.stride + word] = u64::MAX >> (64 - rows.len() / variables);
            for variable in 0..variables {
                let mut parts = [0_u64; 64];
                for (bit, row) in rows.chunks_exact(variables).enumerate() {
                    parts[usize::from(row[variable])] |= 1 << bit;
                }
                let mut below = 0;
                for (part, rows) in parts[..usize::from(shape.parts[variable]) - 1].iter().enumerate() {
                    below |= rows;
                    self.bits[(shape.planes[variable] + part) * self.stride + word] = below;
                }
            }
        }
        self.rows = rows;
    }

    /// The planes of the rows whose part is not above `high`, and of those whose part is below `low`.
    fn interval(&self, shape: &Shape, variable: usize, low: u32, high: u32) -> (&[u64], &[u64]) {
        let first = shape.planes[variable];
        let above = if high + 1 == u32::from(shape.parts[variable]) { ALL } else { first + high as usize };
        let below = if low == 0 { NONE } else { first + low as usize - 1 };
        (self.plane(above), self.plane(below))
    }

    /// Cuts `active` down to the rows that `literal` allows, and returns how many are left.
    pub(super) fn narrow(&self, level: Level, shape: &Shape, literal: &Literal, active: &mut [u64]) -> u32 {
        let variable = usize::from(literal.variable);
        if let Some((low, high)) = literal.interval() {
            let (high, low) = self.interval(shape, variable, low, high);
            return narrow(level, active, high, low, 0);
        }
        let others = !literal.parts & shape.full(variable);
        if let Some((low, high)) = (Literal { parts: others, ..*literal }).interval() {
            let (high, low) = self.interval(shape, variable, low, high);
            return narrow(level, active, high, low, u64::MAX);
        }
        let mut left = 0;
        for (word, active) in active.iter_mut().enumerate() {
            let mut allowed = 0;
            for part in (0..64).filter(|&part| literal.parts >> part & 1 != 0) {
                let (high, low) = self.interval(shape, variable, part, part);
                allowed |= high[word] & !low[word];
            }
            *active &= allowed;
            left += active.count_ones();
        }
        left
    }

    /// Sets `active` to the rows of the cube of `literals`, and returns how many there are.
    pub(super) fn select(
        &self,
        level: Level,
        shape: &Shape,
        literals: &[Literal],
        active: &mut Vec<u64>,
    ) -> u32 {
        active.clear();
        active.extend_from_slice(self.all());
        let mut left = self.rows as u32;
        for literal in literals {
            left = self.narrow(level, shape, literal, active);
            if left == 0 {
                break;
            }
        }
        left
    }

    /// The parts of `variable` that some row of `active` has.
    pub(super) fn parts_of(&self, shape: &Shape, variable: usize, active: &[u64]) -> u64 {
        let mut found = 0;
        for part in 0..u32::from(shape.parts[variable]) {
            let (high, low) = self.interval(shape, variable, part, part);
            let has = active.iter().zip(high).zip(low).any(|((active, high), low)| active & high & !low != 0);
            found |= u64::from(has) << part;
        }
        found
    }

    /// For each variable and part, how many rows of the words `from..to` of `active` have a part not above it; `counts`
    /// is a table of all parts.
    pub(super) fn cumulate(
        &self,
        level: Level,
        shape: &Shape,
        (from, to): (usize, usize),
        active: &[u64],
        counts: &mut [u32],
    ) {
        let active = &active[from..to];
        let all = active.iter().map(|word| word.count_ones()).sum();
        for variable in 0..shape.variables() {
            let base = shape.bases[variable];
            let last = usize::from(shape.parts[variable]) - 1;
            for part in 0..last {
                let plane = &self.plane(shape.planes[variable] + part)[from..to];
                counts[base + part] = common(level, active, plane);
            }
            counts[base + last] = all;
        }
    }

    /// How many rows of `active` have each part of `variable`.
    pub(super) fn counts_of(
        &self,
        level: Level,
        shape: &Shape,
        variable: usize,
        active: &[u64],
        counts: &mut [u32; 64],
    ) {
        let mut before = 0;
        for part in 0..u32::from(shape.parts[variable]) {
            let (high, _) = self.interval(shape, variable, 0, part);
            let up_to = common(level, active, high);
            counts[part as usize] = up_to - before;
            before = up_to;
        }
    }

    /// The parts of row number `row`.
    pub(super) fn row(&self, shape: &Shape, row: usize, parts: &mut Vec<u8>) {
        for variable in 0..shape.variables() {
            let planes = usize::from(shape.parts[variable]) - 1;
            let above = (0..planes).filter(|part| {
                self.bits[(shape.planes[variable] + part) * self.stride + row / 64] >> (row % 64) & 1 == 0
            });
            parts.push(above.count() as u8);
        }
    }
}

/// Calls `visit` with the number of each bit that is set.
pub(super) fn for_each_bit(words: &[u64], mut visit: impl FnMut(usize)) {
    for (at, &word) in words.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            visit(at * 64 + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

/// Number of bits set.
pub(super) fn ones(level: Level, words: &[u64]) -> u32 {
    common(level, words, words)
}

/// Number of bits set in both.
#[inline]
pub(super) fn common(level: Level, a: &[u64], b: &[u64]) -> u32 {
    match level {
        // SAFETY: `Level::detect` gives these levels only where the features are.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { common_avx2(a, b) },
        // SAFETY: as above; the further features are asked for.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 if is_x86_feature_detected!("avx512vpopcntdq") => unsafe { common_avx512(a, b) },
        _ => common_generic(a, b),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn common_avx2(a: &[u64], b: &[u64]) -> u32 {
    common_generic(a, b)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
fn common_avx512(a: &[u64], b: &[u64]) -> u32 {
    common_generic(a, b)
}

#[allow(clippy::inline_always, reason = "compiled once for each instruction set")]
#[inline(always)]
fn common_generic(a: &[u64], b: &[u64]) -> u32 {
    let mut sums = [0_u64; 8];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (a, b) in a.iter().zip(b) {
        for lane in 0..8 {
            sums[lane] += u64::from((a[lane] & b[lane]).count_ones());
        }
    }
    let rest: u32 = a_rest.iter().zip(b_rest).map(|(a, b)| (a & b).count_ones()).sum();
    sums.iter().sum::<u64>() as u32 + rest
}

/// `active` and what is in `high` and not in `low`, the latter exchanged for its complement when `flip` is all ones.
#[inline]
fn narrow(level: Level, active: &mut [u64], high: &[u64], low: &[u64], flip: u64) -> u32 {
    match level {
        // SAFETY: `Level::detect` gives these levels only where the features are.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { narrow_avx2(active, high, low, flip) },
        // SAFETY: as above; the further features are asked for.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 if is_x86_feature_detected!("avx512vpopcntdq") => unsafe {
            narrow_avx512(active, high, low, flip)
        },
        _ => narrow_generic(active, high, low, flip),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn narrow_avx2(active: &mut [u64], high: &[u64], low: &[u64], flip: u64) -> u32 {
    narrow_generic(active, high, low, flip)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
fn narrow_avx512(active: &mut [u64], high: &[u64], low: &[u64], flip: u64) -> u32 {
    narrow_generic(active, high, low, flip)
}

#[allow(clippy::inline_always, reason = "compiled once for each instruction set")]
#[inline(always)]
fn narrow_generic(active: &mut [u64], high: &[u64], low: &[u64], flip: u64) -> u32 {
    let mut sums = [0_u64; 8];
    let (active, active_rest) = active.as_chunks_mut::<8>();
    let ((high, high_rest), (low, low_rest)) = (high.as_chunks::<8>(), low.as_chunks::<8>());
    for ((active, high), low) in active.iter_mut().zip(high).zip(low) {
        for lane in 0..8 {
            active[lane] &= (high[lane] & !low[lane]) ^ flip;
            sums[lane] += u64::from(active[lane].count_ones());
        }
    }
    let mut rest = 0;
    for ((active, high), low) in active_rest.iter_mut().zip(high_rest).zip(low_rest) {
        *active &= (high & !low) ^ flip;
        rest += active.count_ones();
    }
    sums.iter().sum::<u64>() as u32 + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers of parts, and rows with such parts, one after the other.
    fn rows() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
        proptest::collection::vec(prop_oneof![1..6_u8, 62..65_u8], 1..4).prop_flat_map(|sizes| {
            let row: Vec<_> = sizes.iter().map(|&size| 0..size).collect();
            (Just(sizes), proptest::collection::vec(row, 1..700).prop_map(|rows| rows.concat()))
        })
    }

    proptest! {
        #[test]
        fn planes_select_like_a_loop((sizes, bytes) in rows(), cut: prop::sample::Index, masks: [u64; 3]) {
            let shape = Shape::new(&sizes);
            let mut planes = Planes::default();
            // In two pieces, so that known rows are kept.
            planes.extend(&shape, &bytes[..cut.index(bytes.len() / sizes.len() + 1) * sizes.len()]);
            planes.extend(&shape, &bytes);
            let literals: Vec<Literal> = (0..sizes.len())
                .map(|variable| Literal { variable: variable as u16, parts: masks[variable] & shape.full(variable) })
                .filter(|literal| literal.parts != 0)
                .collect();
            let mut expected = vec![0; planes.words()];
            for (number, row) in bytes.chunks_exact(sizes.len()).enumerate() {
                let inside = literals.iter().all(|literal| literal.allows(row[usize::from(literal.variable)]));
                expected[number / 64] |= u64::from(inside) << (number % 64);
                let mut parts = Vec::new();
                planes.row(&shape, number, &mut parts);
                prop_assert_eq!(&parts[..], row);
            }
            for level in Level::available() {
                let mut active = Vec::new();
                let count = planes.select(level, &shape, &literals, &mut active);
                prop_assert_eq!(&active, &expected);
                prop_assert_eq!(count, expected.iter().map(|word| word.count_ones()).sum::<u32>());
                let (mut cumulated, mut counts) = (vec![0; shape.all_parts], [0; 64]);
                planes.cumulate(level, &shape, (0, planes.words()), &active, &mut cumulated);
                for variable in 0..sizes.len() {
                    planes.counts_of(level, &shape, variable, &active, &mut counts);
                    let mut sum = 0;
                    for part in 0..usize::from(sizes[variable]) {
                        sum += counts[part];
                        prop_assert_eq!(cumulated[shape.bases[variable] + part], sum);
                        let has = planes.parts_of(&shape, variable, &active) >> part & 1 != 0;
                        prop_assert_eq!(has, counts[part] > 0);
                    }
                    prop_assert_eq!(sum, count);
                }
            }
        }
    }
}
