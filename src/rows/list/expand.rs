//! EXPAND on bitmaps: a cheap cube that contains a given minterm and covers many of the target minterms.
//!
//! Brayton et al. 1984, section 4.3, raise the parts of a minterm while the blocking matrix allows it. Here the cube first
//! shrinks from the full cube, literal by literal. Each literal has the best ratio of removed OFF minterms (as bits) to its
//! cost in coded bits and lost target minterms. Then literals are dropped and parts raised as long as the cube contains no
//! OFF minterm. A part is raised only if that pays, so that the cube need not be a prime: only none of its literals can be
//! dropped. While the cube contains many blocks, minterms are counted in a sample of them.

use super::Literal;
use super::bitmap::{BitmapLayout, ones};
use super::block::{Bitmap, Block, Chunk, Minterm, both, common, is_empty, without};
use super::choose::{Counts, choose, for_each_symbol};
use super::price::Tariff;
use crate::rows::random::Random;
use std::sync::Arc;

const SAMPLE: usize = 1024;
/// When fewer blocks of a sample are left, all blocks are used.
const LEAST: usize = 24;

/// The amount of randomness in growing cubes.
pub(super) const VARIATION: f32 = 0.6;

/// The function within which a cube is grown.
pub(super) struct LayerFunction<'a> {
    pub(super) layout: &'a BitmapLayout,
    pub(super) tariff: Arc<Tariff>,
    /// The ON-set and the OFF-set.
    pub(super) on: &'a [Block],
    pub(super) off: Bitmap,
}

/// A cube of the cover.
#[derive(Clone, Debug)]
pub(super) struct PricedCube {
    pub(super) parts: Vec<u64>,
    pub(super) bits: f32,
    /// A minterm that no other cube matched at the last check.
    pub(super) witness: Option<Minterm>,
}

/// A set of minterms, to be covered if possible or to be avoided.
#[derive(Clone, Copy)]
pub(super) enum Target<'a> {
    /// All blocks.
    Dense(&'a [Block]),
    /// The blocks that have target minterms.
    Sparse(&'a [Chunk]),
}

/// The state of growing cubes: random numbers, the work done, and reused memory.
#[derive(Debug, Default)]
pub(super) struct Growth {
    pub(super) random: Random,
    pub(super) work: u64,
    counts: Counts,
    on: Vec<Chunk>,
    off: Vec<Chunk>,
}

impl Growth {
    /// Restarts with random sequence number `i` of `series`, and no work done.
    pub(super) fn begin(&mut self, series: u64, i: usize) {
        (self.random, self.work) = (Random::new(series, i as u64), 0);
    }
}

impl LayerFunction<'_> {
    pub(super) fn price(&self, parts: &[u64]) -> f32 {
        self.tariff.clause(&self.layout.clause(parts).literals)
    }

    pub(super) fn cube(&self, parts: Vec<u64>) -> PricedCube {
        PricedCube { bits: self.price(&parts), parts, witness: None }
    }

    /// The price of the literal of `variable` that allows these parts.
    fn price_of(&self, variable: usize, parts: u64) -> f32 {
        self.tariff.literal(&Literal { variable: variable as u16, parts })
    }

    /// Returns a cube that contains `seed`, which is not in the OFF-set, and no OFF minterm. No literal of it can be dropped.
    /// `variation` is the amount of randomness in choices, 0 for none.
    pub(super) fn grow(
        &self,
        seed: Minterm,
        target: Target<'_>,
        variation: f32,
        by: &mut Growth,
    ) -> PricedCube {
        let (layout, avoid) = (self.layout, Target::Dense(&self.off));
        let Growth { random, work, counts, on, off } = by;
        let minterm = layout.parts_of(seed);
        let mut parts: Vec<u64> =
            (0..minterm.len()).map(|variable| layout.variables.full(variable)).collect();
        counts.begin(&layout.variables, variation, random);
        // Whether `off` and `on` have all minterms in the cube, or those of a sample of the blocks.
        let mut all_off = Self::sample(avoid, random, off, work);
        let mut all_on = Self::sample(target, random, on, work);
        loop {
            if !all_off && off.len() < LEAST {
                self.collect(avoid, &parts, off, work);
                all_off = true;
            }
            if off.is_empty() {
                break;
            }
            if !all_on && on.len() < LEAST {
                self.collect(target, &parts, on, work);
                all_on = true;
            }
            layout.count_parts(off, &mut counts.off);
            layout.count_parts(on, &mut counts.on);
            *work += (off.len() + on.len()) as u64;
            layout.variables.cumulate(&mut counts.on);
            layout.variables.cumulate(&mut counts.off);
            let now = |variable: usize| {
                let full = layout.variables.full(variable);
                (parts[variable] != full)
                    .then_some(Literal { variable: variable as u16, parts: parts[variable] })
            };
            let Some(literal) = choose(&layout.variables, &self.tariff, &minterm, now, counts) else {
                // All minterms of the sample have the seed's parts.
                if all_off {
                    break;
                }
                self.collect(avoid, &parts, off, work);
                all_off = true;
                continue;
            };
            parts[usize::from(literal.variable)] &= literal.parts;
            self.restrict(&parts, off);
            self.restrict(&parts, on);
        }
        self.raise(&mut parts, target, by);
        self.cube(parts)
    }

    /// Keeps of `chunks` only the minterms in a cube.
    fn restrict(&self, cube: &[u64], chunks: &mut Vec<Chunk>) {
        let mask = self.layout.mask(cube);
        chunks.retain_mut(|chunk| {
            chunk.bits = both(&chunk.bits, &mask);
            !is_empty(&chunk.bits) && self.layout.is_in(cube, chunk.block)
        });
    }

    /// Writes a sample of the blocks of `target` to `chunks`; returns whether it is all of them.
    fn sample(target: Target<'_>, random: &mut Random, chunks: &mut Vec<Chunk>, work: &mut u64) -> bool {
        chunks.clear();
        let count = match target {
            Target::Dense(blocks) => blocks.len(),
            Target::Sparse(chunks) => chunks.len(),
        };
        let step = count.div_ceil(SAMPLE).max(1);
        let first = random.below(step);
        match target {
            Target::Dense(blocks) => {
                let some = blocks.iter().enumerate().skip(first).step_by(step);
                chunks.extend(some.map(|(block, &bits)| Chunk { block: block as u32, bits }));
                chunks.retain(|chunk| !is_empty(&chunk.bits));
            }
            Target::Sparse(some) => chunks.extend(some.iter().skip(first).step_by(step)),
        }
        *work += (count / step) as u64;
        step == 1
    }

    /// Writes the minterms of `target` in a cube to `chunks`.
    pub(super) fn collect(&self, target: Target<'_>, cube: &[u64], chunks: &mut Vec<Chunk>, work: &mut u64) {
        chunks.clear();
        match target {
            Target::Dense(blocks) => {
                let mask = self.layout.mask(cube);
                *work += self.layout.walk(cube, |block| {
                    let bits = both(&blocks[block as usize], &mask);
                    if !is_empty(&bits) {
                        chunks.push(Chunk { block, bits });
                    }
                    true
                });
            }
            Target::Sparse(some) => {
                *work += some.len() as u64 / 4;
                chunks.extend_from_slice(some);
                self.restrict(cube, chunks);
            }
        }
    }

    /// Whether a cube contains an OFF minterm.
    fn is_off(&self, cube: &[u64], work: &mut u64) -> bool {
        let mask = self.layout.mask(cube);
        let mut found = false;
        *work += self.layout.walk(cube, |block| {
            found = !is_empty(&both(&self.off[block as usize], &mask));
            !found
        });
        found
    }

    /// Returns the parts that the literal of `variable` can allow while the other literals stay as they are.
    fn allowed(&self, cube: &mut [u64], variable: usize, work: &mut u64) -> u64 {
        let parts = cube[variable];
        let mut may = parts;
        for part in ones(self.layout.variables.full(variable) & !parts) {
            cube[variable] = 1 << part;
            if !self.is_off(cube, work) {
                may |= 1 << part;
            }
        }
        cube[variable] = parts;
        may
    }

    /// Drops literals that no OFF minterm needs, most expensive first.
    fn drop_literals(&self, cube: &mut [u64], work: &mut u64) {
        let priced = |(variable, &parts): (usize, &u64)| (self.price_of(variable, parts), variable);
        let mut order: Vec<(f32, usize)> = cube.iter().enumerate().map(priced).collect();
        order.retain(|&(_, variable)| cube[variable] != self.layout.variables.full(variable));
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, variable) in order {
            let (parts, full) = (cube[variable], self.layout.variables.full(variable));
            cube[variable] = full & !parts;
            let stays = self.is_off(cube, work);
            cube[variable] = if stays { parts } else { full };
        }
    }

    /// Drops literals and raises parts without OFF minterms. The choice weighs covered target minterms against the price.
    fn raise(&self, cube: &mut [u64], target: Target<'_>, by: &mut Growth) {
        let Growth { random, work, on: chunks, .. } = by;
        self.drop_literals(cube, work);
        let mut order: Vec<usize> = (0..cube.len())
            .filter(|&variable| cube[variable] != self.layout.variables.full(variable))
            .collect();
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        let scale = std::f32::consts::LOG2_E / self.tariff.typical;
        for variable in order {
            let may = self.allowed(cube, variable, work);
            let now = cube[variable];
            if may == now {
                continue;
            }
            cube[variable] = may;
            self.collect(target, cube, chunks, work);
            let mut counts = [0; 64];
            self.layout.count_parts_of(chunks, variable, &mut counts);
            let (mut best, mut choice) = (f32::MIN, now);
            for_each_symbol(self.layout.variables.parts[variable], now, may, |parts| {
                let covered: u32 = ones(parts).map(|part| counts[part]).sum();
                let price = self.price_of(variable, parts);
                let value =
                    libm::log2f(covered as f32 + 0.5) - scale * price + parts.count_ones() as f32 * 1e-3;
                if value > best {
                    (best, choice) = (value, parts);
                }
            });
            cube[variable] = choice;
        }
    }

    /// Replaces the literals by the cheapest with which the cube still contains `needed` and no OFF minterm.
    pub(super) fn cheapen(&self, cube: &mut [u64], needed: &[Chunk]) {
        self.drop_literals(cube, &mut 0);
        for variable in 0..cube.len() {
            let now = cube[variable];
            if now == self.layout.variables.full(variable) {
                continue;
            }
            let may = self.allowed(cube, variable, &mut 0);
            let mut counts = [0; 64];
            self.layout.count_parts_of(needed, variable, &mut counts);
            let must = (0..64).filter(|&part| counts[part] > 0).fold(0_u64, |must, part| must | 1 << part);
            let (mut best, mut choice) = (self.price_of(variable, now), now);
            for_each_symbol(self.layout.variables.parts[variable], must, may, |parts| {
                let price = self.price_of(variable, parts);
                if price < best - 1e-3 || price < best + 1e-3 && parts.count_ones() > choice.count_ones() {
                    (best, choice) = (price, parts);
                }
            });
            cube[variable] = choice;
        }
    }

    /// The number of minterms of `blocks` in a cube.
    pub(super) fn common(&self, cube: &[u64], blocks: &[Block]) -> u32 {
        let mask = self.layout.mask(cube);
        let mut count = 0;
        self.layout.walk(cube, |block| {
            count += common(&blocks[block as usize], &mask);
            true
        });
        count
    }

    /// The number of minterms of `chunks` in a cube.
    pub(super) fn common_of(&self, cube: &[u64], chunks: &[Chunk]) -> u32 {
        let mask = self.layout.mask(cube);
        let in_cube = chunks.iter().filter(|chunk| self.layout.is_in(cube, chunk.block));
        in_cube.map(|chunk| common(&chunk.bits, &mask)).sum()
    }

    /// Removes a cube's minterms from `chunks`.
    pub(super) fn subtract(&self, cube: &[u64], chunks: &mut Vec<Chunk>) {
        let mask = self.layout.mask(cube);
        chunks.retain_mut(|chunk| {
            if self.layout.is_in(cube, chunk.block) {
                chunk.bits = without(&chunk.bits, &mask);
            }
            !is_empty(&chunk.bits)
        });
    }
}
