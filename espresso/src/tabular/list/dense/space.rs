//! The space of all minterms of a function with few of them: where each has its bit, and how cubes are walked.
//!
//! Some variables are inside of blocks of 512 bits, the others choose the block. Blocks in which no row is are not there:
//! most of a function whose variables depend on each other is don't-care.

use super::super::{Clause, Literal};
use super::kernels::{self, Layout};
use crate::cpu::Level;
use crate::tabular::Rows;
use rayon::prelude::*;

/// A bit for each minterm with the same parts of the outer variables.
pub(super) type Block = [u64; WORDS];

const WORDS: usize = 8;
const BITS: u32 = 64 * WORDS as u32;
/// The most minterms.
const MOST_MINTERMS: u64 = 1 << 28;
/// The most numbers that the parts of the outer variables may make.
const MOST_OUTER: u64 = 1 << 22;
/// The most blocks that may have rows.
const MOST_BLOCKS: usize = 1 << 18;

/// One minterm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Point {
    pub(super) slot: u32,
    pub(super) bit: u32,
}

/// Minterms of one block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) slot: u32,
    pub(super) bits: Block,
}

/// Where the part of a variable is found.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// The part times this is added to the number of the block.
    Outer(u32),
    /// The part is at this bit and above it, in the number of the bit.
    Inner(u32),
}

/// The layout of the minterms.
#[derive(Debug)]
pub(super) struct Space {
    level: Level,
    pub(super) parts: Vec<u8>,
    places: Vec<Place>,
    /// The outer variables, in two halves.
    halves: [Vec<usize>; 2],
    /// The inner variables, and for each of their parts where it is in a block.
    inner: Vec<(usize, Vec<Block>)>,
    /// For each number that the outer parts make its block, `ABSENT` where there is none.
    slots: Vec<u32>,
    /// For each block the parts of the outer variables, in the order of `halves`.
    outer: Vec<u8>,
    blocks: usize,
}

const ABSENT: u32 = u32::MAX;

impl Space {
    /// Returns the space of `rows` and a set of minterms for each class; none when it is too large for that or a
    /// minterm is of two classes.
    pub(super) fn new(rows: &dyn Rows) -> Option<(Space, Vec<Vec<Block>>)> {
        let parts = rows.parts().to_vec();
        let mut spread: Vec<(f64, usize)> = spread(rows).into_iter().zip(0..).collect();
        spread.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        let mut places = vec![Place::Outer(0); parts.len()];
        let mut inner = Vec::new();
        let mut shift = 0;
        for &(_, variable) in &spread {
            let width = u8::BITS - (parts[variable] - 1).leading_zeros();
            if 1 << (shift + width) <= BITS {
                places[variable] = Place::Inner(shift);
                let mask = |part: u32| {
                    let mut block = [0; WORDS];
                    let here = (0..BITS).filter(|bit| bit >> shift & ((1 << width) - 1) == part);
                    here.for_each(|bit| set(&mut block, bit));
                    block
                };
                inner.push((variable, (0..u32::from(parts[variable])).map(mask).collect()));
                shift += width;
            }
        }
        let outer: Vec<usize> =
            (0..parts.len()).filter(|&variable| matches!(places[variable], Place::Outer(_))).collect();
        let mut all = 1_u64;
        for &variable in &outer {
            places[variable] = Place::Outer(all as u32);
            all = all.checked_mul(parts[variable].into()).filter(|&all| all <= MOST_OUTER)?;
        }
        let halves = [outer[..outer.len() / 2].to_vec(), outer[outer.len() / 2..].to_vec()];
        let mut space = Space {
            level: Level::detect(),
            parts,
            places,
            halves,
            inner,
            slots: Vec::new(),
            outer: Vec::new(),
            blocks: 0,
        };
        space.find_blocks(rows, all as usize)?;
        let sets = space.sets(rows)?;
        Some((space, sets))
    }

    /// Finds the blocks that have rows.
    fn find_blocks(&mut self, rows: &dyn Rows, all: usize) -> Option<()> {
        let outer: Vec<usize> = self.halves.concat();
        let places = &self.places;
        let used = (0..rows.slices())
            .into_par_iter()
            .fold(
                || vec![false; all],
                |mut used, slice| {
                    rows.visit(slice, &mut |row| {
                        used[number(places, &outer, |variable| row.part(variable)) as usize] = true;
                    });
                    used
                },
            )
            .reduce(
                || vec![false; all],
                |mut a, b| {
                    a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
                    a
                },
            );
        self.slots = vec![ABSENT; all];
        let mut count = 0;
        for (at, _) in used.iter().enumerate().filter(|&(_, &used)| used) {
            self.slots[at] = count;
            count += 1;
            for &variable in &outer {
                let Place::Outer(stride) = self.places[variable] else { continue };
                let part = at / stride as usize % usize::from(self.parts[variable]);
                self.outer.push(part as u8);
            }
        }
        self.blocks = count as usize;
        (self.blocks <= MOST_BLOCKS).then_some(())
    }

    /// The minterms of each class.
    fn sets(&self, rows: &dyn Rows) -> Option<Vec<Vec<Block>>> {
        let mut sets = vec![vec![[0; WORDS]; self.blocks()]; rows.classes()];
        let mut points = Vec::new();
        for slice in 0..rows.slices() {
            points.clear();
            rows.visit(slice, &mut |row| {
                points.push((self.point(|variable| row.part(variable)), row.class()));
            });
            for &(point, class) in &points {
                set(&mut sets[usize::from(class)][point.slot as usize], point.bit);
            }
        }
        let is_single = (0..self.blocks()).all(|slot| {
            (0..WORDS).all(|word| {
                let (mut once, mut twice) = (0, 0);
                for class in &sets {
                    twice |= once & class[slot][word];
                    once |= class[slot][word];
                }
                twice == 0
            })
        });
        is_single.then_some(sets)
    }

    /// Number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    fn outers(&self) -> usize {
        self.halves[0].len() + self.halves[1].len()
    }

    /// All parts of `variable`.
    pub(super) fn full(&self, variable: usize) -> u64 {
        u64::MAX >> (64 - u32::from(self.parts[variable]))
    }

    /// The minterm with the given parts, whose block is there.
    fn point(&self, part: impl Fn(usize) -> u8) -> Point {
        let at = self.halves.iter().map(|half| number(&self.places, half, &part)).sum::<u32>();
        let bit = |&(variable, _): &(usize, Vec<Block>)| match self.places[variable] {
            Place::Inner(shift) => u32::from(part(variable)) << shift,
            Place::Outer(_) => 0,
        };
        Point { slot: self.slots[at as usize], bit: self.inner.iter().map(bit).sum() }
    }

    /// The parts of a minterm.
    pub(super) fn parts_of(&self, point: Point) -> Vec<u8> {
        let mut parts = vec![0; self.parts.len()];
        for (&variable, &part) in self.halves.iter().flatten().zip(self.outer_of(point.slot)) {
            parts[variable] = part;
        }
        for (variable, masks) in &self.inner {
            let here = masks.iter().position(|mask| has(mask, point.bit));
            parts[*variable] = here.unwrap_or_default() as u8;
        }
        parts
    }

    #[inline]
    fn outer_of(&self, slot: u32) -> &[u8] {
        let outers = self.outers();
        &self.outer[slot as usize * outers..][..outers]
    }

    /// Returns the literals of a cube.
    pub(super) fn clause(&self, cube: &[u64]) -> Clause {
        let literal = |(variable, &parts): (usize, &u64)| {
            (parts != self.full(variable)).then_some(Literal { variable: variable as u16, parts })
        };
        Clause { literals: cube.iter().enumerate().filter_map(literal).collect() }
    }

    /// Where a cube is in each block in which it is.
    pub(super) fn mask(&self, cube: &[u64]) -> Block {
        let mut mask = [u64::MAX; WORDS];
        for (variable, masks) in &self.inner {
            let mut parts = cube[*variable];
            let mut some = [0; WORDS];
            while parts != 0 {
                let part = &masks[parts.trailing_zeros() as usize];
                some.iter_mut().zip(part).for_each(|(some, part)| *some |= part);
                parts &= parts - 1;
            }
            mask.iter_mut().zip(some).for_each(|(mask, some)| *mask &= some);
        }
        mask
    }

    /// Whether a cube is in a block at all.
    #[inline]
    pub(super) fn is_in(&self, cube: &[u64], slot: u32) -> bool {
        let variables = self.halves[0].iter().chain(&self.halves[1]);
        variables.zip(self.outer_of(slot)).all(|(&variable, &part)| cube[variable] >> part & 1 != 0)
    }

    /// Whether a cube has a minterm.
    pub(super) fn contains(&self, cube: &[u64], point: Point) -> bool {
        self.is_in(cube, point.slot) && has(&self.mask(cube), point.bit)
    }

    /// Calls `visit` with each block in which a cube is, in order, until it returns false. Returns the number of calls.
    #[inline]
    pub(super) fn walk(&self, cube: &[u64], mut visit: impl FnMut(u32) -> bool) -> u64 {
        let [low, high] = [0, 1].map(|half| self.offsets(cube, &self.halves[half]));
        let mut calls = 0;
        for &high in &high {
            for &low in &low {
                let slot = self.slots[(high + low) as usize];
                if slot != ABSENT {
                    calls += 1;
                    if !visit(slot) {
                        return calls;
                    }
                }
            }
        }
        calls
    }

    fn offsets(&self, cube: &[u64], variables: &[usize]) -> Vec<u32> {
        let mut offsets = vec![0];
        for &variable in variables {
            let Place::Outer(stride) = self.places[variable] else { continue };
            let parts = cube[variable];
            let mut next = Vec::with_capacity(offsets.len() * parts.count_ones() as usize);
            let mut rest = parts;
            while rest != 0 {
                let offset = rest.trailing_zeros() * stride;
                next.extend(offsets.iter().map(|from| from + offset));
                rest &= rest - 1;
            }
            offsets = next;
        }
        offsets
    }

    /// Adds up, for each part of each variable, the minterms of `spots`; the parts of variable v are at `bases[v]`.
    pub(super) fn census(&self, spots: &[Spot], bases: &[usize], counts: &mut [u32]) {
        counts.fill(0);
        let outer_bases: Vec<usize> = self.halves.iter().flatten().map(|&variable| bases[variable]).collect();
        let inner: Vec<(usize, &[Block])> =
            self.inner.iter().map(|(variable, masks)| (bases[*variable], masks.as_slice())).collect();
        let layout = Layout { outer: &self.outer, outer_bases: &outer_bases, inner: &inner };
        kernels::census(self.level, layout, spots, counts);
    }

    /// Adds up the minterms of `spots` for each part of one variable.
    pub(super) fn counts_of(&self, spots: &[Spot], variable: usize, counts: &mut [u32; 64]) {
        counts.fill(0);
        if let Some((_, masks)) = self.inner.iter().find(|(inner, _)| *inner == variable) {
            for spot in spots {
                for (count, mask) in counts.iter_mut().zip(masks) {
                    *count += common(&spot.bits, mask);
                }
            }
            return;
        }
        let at = self.halves.iter().flatten().position(|&outer| outer == variable).unwrap_or_default();
        for spot in spots {
            let part = self.outer_of(spot.slot)[at];
            counts[usize::from(part)] += spot.bits.iter().map(|word| word.count_ones()).sum::<u32>();
        }
    }
}

/// Whether a function whose variables have the given numbers of parts has few minterms.
pub(super) fn has_few_minterms(parts: &[u8]) -> bool {
    let all = parts.iter().try_fold(1_u64, |all, &parts| all.checked_mul(parts.into()));
    all.is_some_and(|all| all <= MOST_MINTERMS)
}

/// How evenly the rows are spread over the parts of each variable: the entropy.
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
            .map(|&count| count as f64 / all * (all / count as f64).log2())
            .sum()
    };
    counts.iter().map(entropy).collect()
}

fn number(places: &[Place], variables: &[usize], part: impl Fn(usize) -> u8) -> u32 {
    let at = |&variable: &usize| match places[variable] {
        Place::Outer(stride) => u32::from(part(variable)) * stride,
        Place::Inner(_) => 0,
    };
    variables.iter().map(at).sum()
}

#[inline]
pub(super) fn has(block: &Block, bit: u32) -> bool {
    block[bit as usize / 64] >> (bit % 64) & 1 != 0
}

#[inline]
pub(super) fn set(block: &mut Block, bit: u32) {
    block[bit as usize / 64] |= 1 << (bit % 64);
}

/// Number of minterms in both.
#[inline]
pub(super) fn common(a: &Block, b: &Block) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

#[inline]
pub(super) fn both(a: &Block, b: &Block) -> Block {
    std::array::from_fn(|word| a[word] & b[word])
}

#[inline]
pub(super) fn is_empty(block: &Block) -> bool {
    block.iter().fold(0, |all, word| all | word) == 0
}

/// The minterm number `skip` of `spots`, none when there are not so many.
pub(super) fn nth(spots: &[Spot], mut skip: u32) -> Option<Point> {
    for spot in spots {
        for (at, &word) in spot.bits.iter().enumerate() {
            let mut word = word;
            if skip < word.count_ones() {
                (0..skip).for_each(|_| word &= word - 1);
                return Some(Point { slot: spot.slot, bit: at as u32 * 64 + word.trailing_zeros() });
            }
            skip -= word.count_ones();
        }
    }
    None
}
