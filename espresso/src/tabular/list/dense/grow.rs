//! EXPAND on bitmaps: a prime around a minterm that is cheap and covers much of what is wanted.
//!
//! The same way as on rows (`super::super::expand`): from the full cube down, one literal after the other, then the
//! classical expansion. While many blocks are in the cube a sample of them is looked at.

use super::super::Literal;
use super::super::choose::{Counts, choose, for_each_symbol};
use super::super::planes::Shape;
use super::super::price::Tariff;
use super::super::sample::Dice;
use super::space::{Block, Point, Space, Spot, both, common, is_empty};

/// Blocks of a sample.
const SAMPLE: usize = 1024;
/// With fewer blocks left of a sample, all blocks are looked at.
const LEAST: usize = 24;

/// What a cube is grown among.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) space: &'a Space,
    pub(super) shape: &'a Shape,
    pub(super) tariff: &'a Tariff,
    /// What is to be matched, and what not.
    pub(super) on: &'a [Block],
    pub(super) off: &'a [Block],
}

/// A cube of the cover.
#[derive(Clone, Debug)]
pub(super) struct Cube {
    /// The allowed parts of each variable.
    pub(super) parts: Vec<u64>,
    /// What it costs.
    pub(super) bits: f32,
    /// A minterm that, when it was last looked at, no other cube matched.
    pub(super) witness: Option<Point>,
}

/// The minterms to be matched if possible.
#[derive(Clone, Copy)]
pub(super) enum Target<'a> {
    /// Block by block, all of them.
    Dense(&'a [Block]),
    /// Those blocks that have some.
    Sparse(&'a [Spot]),
}

/// Memory of a growth, to be used again.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    counts: Counts,
    on: Vec<Spot>,
    off: Vec<Spot>,
}

impl Ground<'_> {
    /// The cube with the given parts.
    pub(super) fn cube(&self, parts: Vec<u64>) -> Cube {
        let bits = self.tariff.clause(&self.space.clause(&parts).literals);
        Cube { parts, bits, witness: None }
    }

    /// Returns a prime that matches `seed`, which is not of the OFF-set. `temper` says how far choices are varied at
    /// random, 0 for not at all.
    pub(super) fn grow(
        &self,
        (seed, target): (Point, Target<'_>),
        temper: f32,
        dice: &mut Dice,
        scratch: &mut Scratch,
        work: &mut u64,
    ) -> Cube {
        let space = self.space;
        let point = space.parts_of(seed);
        let mut parts: Vec<u64> = (0..point.len()).map(|variable| space.full(variable)).collect();
        let Scratch { counts, on, off } = scratch;
        counts.begin(self.shape, temper, dice);
        // Each holds the blocks that are in the cube and have minterms, of a sample or of all.
        let mut all_off = Self::sample(Target::Dense(self.off), dice, off, work);
        let mut all_on = Self::sample(target, dice, on, work);
        loop {
            if !all_off && off.len() < LEAST {
                self.collect(Target::Dense(self.off), &parts, off, work);
                all_off = true;
            }
            if off.is_empty() {
                break;
            }
            if !all_on && on.len() < LEAST {
                self.collect(target, &parts, on, work);
                all_on = true;
            }
            space.census(off, &self.shape.bases, &mut counts.off);
            space.census(on, &self.shape.bases, &mut counts.on);
            *work += (off.len() + on.len()) as u64;
            counts.cumulate(self.shape);
            let now = |variable: usize| {
                let full = space.full(variable);
                (parts[variable] != full)
                    .then_some(Literal { variable: variable as u16, parts: parts[variable] })
            };
            let Some(literal) = choose(self.shape, self.tariff, &point, now, counts) else {
                // The sample has the seed's parts everywhere.
                if all_off {
                    break;
                }
                self.collect(Target::Dense(self.off), &parts, off, work);
                all_off = true;
                continue;
            };
            parts[usize::from(literal.variable)] &= literal.parts;
            self.restrict(&parts, off);
            self.restrict(&parts, on);
        }
        self.raise(&mut parts, target, dice, on, work);
        self.cube(parts)
    }

    /// Leaves of `spots` what is in a cube.
    fn restrict(&self, cube: &[u64], spots: &mut Vec<Spot>) {
        let mask = self.space.mask(cube);
        spots.retain_mut(|spot| {
            spot.bits = both(&spot.bits, &mask);
            !is_empty(&spot.bits) && self.space.is_in(cube, spot.slot)
        });
    }

    /// Puts some blocks of `target` into `spots`; returns whether these are all.
    fn sample(target: Target<'_>, dice: &mut Dice, spots: &mut Vec<Spot>, work: &mut u64) -> bool {
        spots.clear();
        let count = match target {
            Target::Dense(blocks) => blocks.len(),
            Target::Sparse(spots) => spots.len(),
        };
        let step = count.div_ceil(SAMPLE).max(1);
        let first = dice.below(step);
        match target {
            Target::Dense(blocks) => {
                let some = blocks.iter().enumerate().skip(first).step_by(step);
                spots.extend(some.map(|(slot, &bits)| Spot { slot: slot as u32, bits }));
                spots.retain(|spot| !is_empty(&spot.bits));
            }
            Target::Sparse(some) => spots.extend(some.iter().skip(first).step_by(step)),
        }
        *work += (count / step) as u64;
        step == 1
    }

    /// Puts the blocks of `target` that are in a cube into `spots`.
    pub(super) fn collect(&self, target: Target<'_>, cube: &[u64], spots: &mut Vec<Spot>, work: &mut u64) {
        spots.clear();
        match target {
            Target::Dense(blocks) => {
                let mask = self.space.mask(cube);
                *work += self.space.walk(cube, |slot| {
                    let bits = both(&blocks[slot as usize], &mask);
                    if !is_empty(&bits) {
                        spots.push(Spot { slot, bits });
                    }
                    true
                });
            }
            Target::Sparse(some) => {
                *work += some.len() as u64 / 4;
                spots.extend_from_slice(some);
                self.restrict(cube, spots);
            }
        }
    }

    /// Whether an OFF minterm is in a cube.
    fn is_off(&self, cube: &[u64], work: &mut u64) -> bool {
        let mask = self.space.mask(cube);
        let mut found = false;
        *work += self.space.walk(cube, |slot| {
            found = !is_empty(&both(&self.off[slot as usize], &mask));
            !found
        });
        found
    }

    /// The parts that the cube may allow of `variable`, its other literals staying as they are.
    fn allowed(&self, cube: &mut [u64], variable: usize, work: &mut u64) -> u64 {
        let parts = cube[variable];
        let mut may = parts;
        let mut others = self.space.full(variable) & !parts;
        while others != 0 {
            let part = others & others.wrapping_neg();
            cube[variable] = part;
            if !self.is_off(cube, work) {
                may |= part;
            }
            others &= others - 1;
        }
        cube[variable] = parts;
        may
    }

    /// Drops those literals, dearest first, without which no OFF minterm comes into the cube.
    fn drop_literals(&self, cube: &mut [u64], work: &mut u64) {
        let price =
            |variable: usize, parts| self.tariff.literal(&Literal { variable: variable as u16, parts });
        let mut order: Vec<(f32, usize)> =
            cube.iter().enumerate().map(|(variable, &parts)| (price(variable, parts), variable)).collect();
        order.retain(|&(_, variable)| cube[variable] != self.space.full(variable));
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, variable) in order {
            let (parts, full) = (cube[variable], self.space.full(variable));
            cube[variable] = full & !parts;
            let stays = self.is_off(cube, work);
            cube[variable] = if stays { parts } else { full };
        }
    }

    /// Drops literals and raises parts while no OFF minterm comes into the cube: as the bits of the target's minterms
    /// and of the price have it.
    fn raise(
        &self,
        cube: &mut [u64],
        target: Target<'_>,
        dice: &mut Dice,
        spots: &mut Vec<Spot>,
        work: &mut u64,
    ) {
        self.drop_literals(cube, work);
        let mut order: Vec<usize> =
            (0..cube.len()).filter(|&variable| cube[variable] != self.space.full(variable)).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, dice.below(i + 1));
        }
        let scale = std::f32::consts::LOG2_E / self.tariff.typical;
        for variable in order {
            let may = self.allowed(cube, variable, work);
            let now = cube[variable];
            if may == now {
                continue;
            }
            cube[variable] = may;
            self.collect(target, cube, spots, work);
            let mut counts = [0; 64];
            self.space.counts_of(spots, variable, &mut counts);
            let (mut best, mut choice) = (f32::MIN, now);
            for_each_symbol(self.shape.parts[variable], now, may, |parts| {
                let covered: u32 =
                    (0..64).filter(|part| parts >> part & 1 != 0).map(|part| counts[part]).sum();
                let price = self.tariff.literal(&Literal { variable: variable as u16, parts });
                let value = (covered as f32 + 0.5).log2() - scale * price + parts.count_ones() as f32 * 1e-3;
                if value > best {
                    (best, choice) = (value, parts);
                }
            });
            cube[variable] = choice;
        }
    }

    /// Chooses the cheapest symbols that match `needed`, which the cube matches, and no OFF minterm.
    pub(super) fn cheapen(&self, cube: &mut [u64], needed: &[Spot], work: &mut u64) {
        self.drop_literals(cube, work);
        for variable in 0..cube.len() {
            let now = cube[variable];
            if now == self.space.full(variable) {
                continue;
            }
            let may = self.allowed(cube, variable, work);
            let mut counts = [0; 64];
            self.space.counts_of(needed, variable, &mut counts);
            let must = (0..64).filter(|&part| counts[part] > 0).fold(0_u64, |must, part| must | 1 << part);
            let literal = |parts| Literal { variable: variable as u16, parts };
            let (mut best, mut choice) = (self.tariff.literal(&literal(now)), now);
            for_each_symbol(self.shape.parts[variable], must, may, |parts| {
                let price = self.tariff.literal(&literal(parts));
                if price < best - 1e-3 || price < best + 1e-3 && parts.count_ones() > choice.count_ones() {
                    (best, choice) = (price, parts);
                }
            });
            cube[variable] = choice;
        }
    }

    /// How many minterms of `blocks` are in a cube.
    pub(super) fn common(&self, cube: &[u64], blocks: &[Block], work: &mut u64) -> u32 {
        let mask = self.space.mask(cube);
        let mut count = 0;
        *work += self.space.walk(cube, |slot| {
            count += common(&blocks[slot as usize], &mask);
            true
        });
        count
    }

    /// How many minterms of `spots` are in a cube.
    pub(super) fn common_of(&self, cube: &[u64], spots: &[Spot]) -> u32 {
        let mask = self.space.mask(cube);
        let in_cube = spots.iter().filter(|spot| self.space.is_in(cube, spot.slot));
        in_cube.map(|spot| common(&spot.bits, &mask)).sum()
    }

    /// Takes a cube's minterms out of `spots`.
    pub(super) fn subtract(&self, cube: &[u64], spots: &mut Vec<Spot>) {
        let mask = self.space.mask(cube);
        spots.retain_mut(|spot| {
            if self.space.is_in(cube, spot.slot) {
                spot.bits.iter_mut().zip(&mask).for_each(|(bits, mask)| *bits &= !mask);
            }
            !is_empty(&spot.bits)
        });
    }
}
