//! The layout of bitmaps for functions with few minterms, and walks over the blocks of a cube.
//!
//! The inner variables choose the bit in a block of 512 bits, the outer variables choose the block. Blocks without rows are
//! left out: if variables depend on each other, most minterms are don't-cares.

use super::block::{BITS, Bitmap, Block, Chunk, Minterm, WORDS, common, has, set};
use super::part_counts::{self, PartMasks};
use super::variables::Variables;
use super::{Clause, Literal};
use crate::error::{Error, ErrorKind, Result};
use crate::rows::Rows;
use espresso::cpu::Level;
use rayon::prelude::*;

const MOST_MINTERMS: u64 = 1 << 28;
const MOST_OUTER: u64 = 1 << 22;
const MOST_BLOCKS: usize = 1 << 18;

/// A variable that chooses the bit in a block.
#[derive(Debug)]
struct Inner {
    variable: usize,
    /// The lowest bit of the part in the number of a bit.
    shift: u32,
    /// For each part, its minterms in a block.
    masks: Vec<Block>,
}

/// The map from the minterms of a function to bits.
#[derive(Debug)]
pub(super) struct BitmapLayout {
    level: Level,
    pub(super) variables: Variables,
    inner: Vec<Inner>,
    /// The outer variables, in two halves, each with the stride of its parts in `numbers`.
    halves: [Vec<(usize, u32)>; 2],
    /// The block of each combination of outer parts, or `ABSENT`.
    numbers: Vec<u32>,
    /// The parts of the outer variables of each block, in the order of `halves`.
    outer: Vec<u8>,
    blocks: usize,
}

const ABSENT: u32 = u32::MAX;

impl BitmapLayout {
    /// Returns the layout for `rows`, and the minterms of each class; `None` if there are too many minterms or blocks.
    ///
    /// # Errors
    /// Those of [`Variables::new`]; [`ErrorKind::Mismatch`], with both row numbers, if two rows with the same parts have
    /// different classes.
    pub(super) fn new(rows: &dyn Rows) -> Result<Option<(Self, Vec<Bitmap>)>> {
        let variables = Variables::new(rows.parts())?;
        if !has_few_minterms(rows.parts()) {
            return Ok(None);
        }
        let mut spread: Vec<(f64, usize)> = spread(rows).into_iter().zip(0..).collect();
        spread.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        let inner = inner_variables(&variables.parts, spread.into_iter().map(|(_, variable)| variable));
        // The outer variables with their strides, and the number of combinations of their parts.
        let (mut outer, mut numbers) = (Vec::new(), 1_u64);
        for (variable, &parts) in variables.parts.iter().enumerate() {
            if inner.iter().all(|inner| inner.variable != variable) {
                outer.push((variable, numbers as u32));
                numbers *= u64::from(parts);
                if numbers > MOST_OUTER {
                    return Ok(None);
                }
            }
        }
        let (low, high) = outer.split_at(outer.len() / 2);
        let mut layout = BitmapLayout {
            level: Level::detect(),
            variables,
            inner,
            halves: [low.to_vec(), high.to_vec()],
            numbers: vec![ABSENT; numbers as usize],
            outer: Vec::new(),
            blocks: 0,
        };
        layout.find_blocks(rows);
        if layout.blocks > MOST_BLOCKS {
            return Ok(None);
        }
        let classes = layout.classes(rows)?;
        Ok(Some((layout, classes)))
    }

    fn find_blocks(&mut self, rows: &dyn Rows) {
        let none = || vec![false; self.numbers.len()];
        let mark = |mut used: Vec<bool>, slice| {
            rows.visit(slice, &mut |row| used[self.number(|variable| row.part(variable)) as usize] = true);
            used
        };
        let either = |mut a: Vec<bool>, b: Vec<bool>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
            a
        };
        let used = (0..rows.slices()).into_par_iter().fold(none, mark).reduce(none, either);
        for (at, _) in used.iter().enumerate().filter(|&(_, &used)| used) {
            self.numbers[at] = self.blocks as u32;
            self.blocks += 1;
            let part = |&(variable, stride): &(usize, u32)| {
                (at / stride as usize % usize::from(self.variables.parts[variable])) as u8
            };
            self.outer.extend(self.halves.iter().flatten().map(part));
        }
    }

    /// The index in `numbers` of a minterm's outer parts.
    fn number(&self, part: impl Fn(usize) -> u8) -> u32 {
        self.halves.iter().flatten().map(|&(variable, stride)| u32::from(part(variable)) * stride).sum()
    }

    fn classes(&self, rows: &dyn Rows) -> Result<Vec<Bitmap>> {
        let mut classes = vec![vec![Block::default(); self.blocks]; rows.classes()];
        let mut contradiction = None;
        let mut number = 0_u64;
        for slice in 0..rows.slices() {
            rows.visit(slice, &mut |row| {
                let minterm = self.minterm(|variable| row.part(variable));
                let own = usize::from(row.class());
                for (class, bitmap) in classes.iter_mut().enumerate() {
                    let block = &mut bitmap[minterm.block as usize];
                    if class == own {
                        set(block, minterm.bit);
                    } else if has(block, minterm.bit) {
                        contradiction.get_or_insert((minterm, number));
                    }
                }
                number += 1;
            });
        }
        contradiction.map_or(Ok(classes), |(minterm, second)| Err(self.contradiction(rows, minterm, second)))
    }

    /// Returns the error for row number `second` and the first row with the same parts, those of `minterm`.
    fn contradiction(&self, rows: &dyn Rows, minterm: Minterm, second: u64) -> Error {
        let (mut first, mut number) = (second, 0);
        for slice in 0..rows.slices() {
            rows.visit(slice, &mut |row| {
                if number < first && self.minterm(|variable| row.part(variable)) == minterm {
                    first = number;
                }
                number += 1;
            });
        }
        let message = format!("rows {first} and {second} have the same parts and different classes");
        Error::new(ErrorKind::Mismatch, message)
    }

    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    fn outers(&self) -> usize {
        self.halves[0].len() + self.halves[1].len()
    }

    fn minterm(&self, part: impl Fn(usize) -> u8) -> Minterm {
        let bit = |inner: &Inner| u32::from(part(inner.variable)) << inner.shift;
        Minterm { block: self.numbers[self.number(&part) as usize], bit: self.inner.iter().map(bit).sum() }
    }

    pub(super) fn parts_of(&self, minterm: Minterm) -> Vec<u8> {
        let mut parts = vec![0; self.variables.len()];
        for (&(variable, _), &part) in self.halves.iter().flatten().zip(self.outer_of(minterm.block)) {
            parts[variable] = part;
        }
        for Inner { variable, masks, .. } in &self.inner {
            let here = masks.iter().position(|mask| has(mask, minterm.bit));
            parts[*variable] = here.unwrap_or_default() as u8;
        }
        parts
    }

    #[inline]
    fn outer_of(&self, block: u32) -> &[u8] {
        let outers = self.outers();
        &self.outer[block as usize * outers..][..outers]
    }

    pub(super) fn clause(&self, cube: &[u64]) -> Clause {
        let literal = |(variable, &parts): (usize, &u64)| {
            (parts != self.variables.full(variable)).then_some(Literal { variable: variable as u16, parts })
        };
        Clause { literals: cube.iter().enumerate().filter_map(literal).collect() }
    }

    /// Returns the bits of a cube in a block: the same in all blocks that it intersects.
    pub(super) fn mask(&self, cube: &[u64]) -> Block {
        let mut mask = [u64::MAX; WORDS];
        for Inner { variable, masks, .. } in &self.inner {
            let mut some = [0; WORDS];
            for part in ones(cube[*variable]) {
                some.iter_mut().zip(&masks[part]).for_each(|(some, part)| *some |= part);
            }
            mask.iter_mut().zip(some).for_each(|(mask, some)| *mask &= some);
        }
        mask
    }

    /// Whether a cube intersects a block.
    #[inline]
    pub(super) fn is_in(&self, cube: &[u64], block: u32) -> bool {
        let variables = self.halves[0].iter().chain(&self.halves[1]);
        variables.zip(self.outer_of(block)).all(|(&(variable, _), &part)| cube[variable] >> part & 1 != 0)
    }

    pub(super) fn contains(&self, cube: &[u64], minterm: Minterm) -> bool {
        self.is_in(cube, minterm.block) && has(&self.mask(cube), minterm.bit)
    }

    /// Calls `visit` with each block that a cube intersects, in order, until it returns false. Returns the number of calls.
    #[inline]
    pub(super) fn walk(&self, cube: &[u64], mut visit: impl FnMut(u32) -> bool) -> u64 {
        let [low, high] = self.halves.each_ref().map(|half| offsets(cube, half));
        let mut calls = 0;
        for &high in &high {
            for &low in &low {
                let block = self.numbers[(high + low) as usize];
                if block != ABSENT {
                    calls += 1;
                    if !visit(block) {
                        return calls;
                    }
                }
            }
        }
        calls
    }

    /// Counts the minterms of `chunks` with each part of each variable. `counts` is a table of all parts.
    pub(super) fn count_parts(&self, chunks: &[Chunk], counts: &mut [u32]) {
        counts.fill(0);
        let bases = &self.variables.bases;
        let outer_bases: Vec<usize> =
            self.halves.iter().flatten().map(|&(variable, _)| bases[variable]).collect();
        let inner: Vec<(usize, &[Block])> =
            self.inner.iter().map(|inner| (bases[inner.variable], inner.masks.as_slice())).collect();
        let masks = PartMasks { outer: &self.outer, outer_bases: &outer_bases, inner: &inner };
        part_counts::add(self.level, masks, chunks, counts);
    }

    /// Counts the minterms of `chunks` with each part of one variable.
    pub(super) fn count_parts_of(&self, chunks: &[Chunk], variable: usize, counts: &mut [u32; 64]) {
        counts.fill(0);
        if let Some(inner) = self.inner.iter().find(|inner| inner.variable == variable) {
            for chunk in chunks {
                for (count, mask) in counts.iter_mut().zip(&inner.masks) {
                    *count += common(&chunk.bits, mask);
                }
            }
            return;
        }
        let at = self.halves.iter().flatten().position(|&(outer, _)| outer == variable).unwrap_or_default();
        for chunk in chunks {
            let part = self.outer_of(chunk.block)[at];
            counts[usize::from(part)] += chunk.bits.iter().map(|word| word.count_ones()).sum::<u32>();
        }
    }
}

/// Whether a function whose variables have these numbers of parts has few enough minterms for bitmaps, and so for lists.
pub fn has_few_minterms(parts: &[u8]) -> bool {
    let all = parts.iter().try_fold(1_u64, |all, &parts| all.checked_mul(parts.into()));
    all.is_some_and(|all| all <= MOST_MINTERMS)
}

/// Returns the inner variables: in the given order, each that still has room in a block.
fn inner_variables(parts: &[u8], order: impl Iterator<Item = usize>) -> Vec<Inner> {
    let mut inner = Vec::new();
    let mut shift = 0;
    for variable in order {
        let width = u8::BITS - (parts[variable] - 1).leading_zeros();
        if 1 << (shift + width) <= BITS {
            let mask = |part: u32| {
                let mut block = [0; WORDS];
                let here = (0..BITS).filter(|bit| bit >> shift & ((1 << width) - 1) == part);
                here.for_each(|bit| set(&mut block, bit));
                block
            };
            let masks = (0..u32::from(parts[variable])).map(mask).collect();
            inner.push(Inner { variable, shift, masks });
            shift += width;
        }
    }
    inner
}

/// Returns the sums of strides of all combinations of a cube's parts in some outer variables.
fn offsets(cube: &[u64], variables: &[(usize, u32)]) -> Vec<u32> {
    let mut offsets = vec![0];
    for &(variable, stride) in variables {
        let mut next = Vec::with_capacity(offsets.len() * cube[variable].count_ones() as usize);
        for part in ones(cube[variable]) {
            next.extend(offsets.iter().map(|from| from + part as u32 * stride));
        }
        offsets = next;
    }
    offsets
}

/// Returns the entropy of the parts of each variable over all rows.
fn spread(rows: &dyn Rows) -> Vec<f64> {
    let parts = rows.parts();
    let zero = || vec![[0_u64; 256]; parts.len()];
    let counts = (0..rows.slices())
        .into_par_iter()
        .fold(zero, |mut counts, slice| {
            rows.visit(slice, &mut |row| {
                for (variable, counts) in counts.iter_mut().enumerate() {
                    counts[usize::from(row.part(variable))] += 1;
                }
            });
            counts
        })
        .reduce(zero, |mut a, b| {
            a.iter_mut().flatten().zip(b.iter().flatten()).for_each(|(a, b)| *a += b);
            a
        });
    let entropy = |counts: &[u64; 256]| {
        let all = counts.iter().sum::<u64>() as f64;
        counts
            .iter()
            .filter(|&&count| count > 0)
            .map(|&count| count as f64 / all * libm::log2(all / count as f64))
            .sum()
    };
    counts.iter().map(entropy).collect()
}

/// The numbers of the set bits of `word`, ascending.
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        bit
    })
}
