//! EXPAND on rows: a cube around a row that matches no OFF row, is cheap and covers much of what is wanted.
//!
//! Brayton et al. 1984, section 4.3, raise the parts of a minterm while the blocking matrix allows it. With hundreds of
//! variables nearly all literals of a minterm go, so this goes the other way first: from the full cube down, one literal
//! after the other, each with the best reduction of the OFF rows (in bits) for what it costs in coded bits and in wanted
//! rows. Then the classical expansion: a literal goes when each OFF row misses the cube in another variable too, and the
//! parts of those that stay are raised as far as that holds.

use super::Literal;
use super::choose::{Counts, choose, for_each_symbol};
use super::planes::{Shape, for_each_bit, ones};
use super::price::Tariff;
use super::sample::{Dice, Sample};
use crate::cpu::Level;

/// What a cube is grown among.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) level: Level,
    pub(super) shape: &'a Shape,
    pub(super) sample: &'a Sample,
    pub(super) tariff: &'a Tariff,
}

/// A cube of the working cover.
#[derive(Clone, Debug)]
pub(super) struct Cube {
    /// Variables ascending.
    pub(super) literals: Vec<Literal>,
    /// The ON rows of the sample that it matches.
    pub(super) cover: Vec<u64>,
    /// What it costs.
    pub(super) bits: f32,
}

/// No cube has the ON row without this OFF row (numbers in the sample): they are the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contradiction {
    pub(super) on: usize,
    pub(super) off: usize,
}

/// Memory of a growth, to be used again.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    counts: Counts,
    passes: Vec<Vec<u64>>,
    once: Vec<u64>,
    twice: Vec<u64>,
}

/// What to grow.
#[derive(Clone, Copy)]
pub(super) struct Wish<'a> {
    /// The ON row to be matched.
    pub(super) seed: usize,
    /// The ON rows to be matched if possible; the seed is one of them.
    pub(super) target: &'a [u64],
    /// Literals to begin with, which match the seed.
    pub(super) start: &'a [Literal],
    /// How far choices are varied at random, 0 for not at all.
    pub(super) temper: f32,
}

impl Ground<'_> {
    /// Returns a prime that matches the seed, or says that there is none.
    pub(super) fn grow(
        &self,
        wish: Wish<'_>,
        dice: &mut Dice,
        scratch: &mut Scratch,
        work: &mut u64,
    ) -> Result<Cube, Contradiction> {
        let Ground { level, shape, sample, .. } = *self;
        let seed = sample.on.row(shape, wish.seed);
        scratch.counts.begin(shape, wish.temper, dice);
        let mut literals = wish.start.to_vec();
        let (mut off, mut on) = (Vec::new(), wish.target.to_vec());
        let mut off_count = sample.off.planes.select(level, shape, &literals, &mut off);
        let mut on_count = ones(level, &on);
        for literal in &literals {
            on_count = sample.on.planes.narrow(level, shape, literal, &mut on);
        }
        *work += ((on.len() + off.len()) * (literals.len() + 1)) as u64;
        let mut thorough = false;
        while off_count > 0 {
            let counts = &mut scratch.counts;
            let (_, all) =
                sample.off.census(level, shape, (&off, off_count), (dice, thorough), &mut counts.off, work);
            sample.on.census(level, shape, (&on, on_count), (dice, false), &mut counts.on, work);
            let known =
                |variable| literals.iter().find(|literal| usize::from(literal.variable) == variable).copied();
            let Some(literal) = choose(shape, self.tariff, seed, known, counts) else {
                if !thorough && !all {
                    thorough = true;
                    continue;
                }
                let mut first = None;
                for_each_bit(&off, |row| {
                    first = first.or((sample.off.row(shape, row) == seed).then_some(row));
                });
                if let Some(off) = first {
                    return Err(Contradiction { on: wish.seed, off });
                }
                thorough = true;
                continue;
            };
            thorough = false;
            off_count = sample.off.planes.narrow(level, shape, &literal, &mut off);
            on_count = sample.on.planes.narrow(level, shape, &literal, &mut on);
            *work += (on.len() + off.len()) as u64;
            match literals.iter_mut().find(|known| known.variable == literal.variable) {
                Some(known) => known.parts &= literal.parts,
                None => literals.push(literal),
            }
        }
        self.raise(&mut literals, wish.target, dice, scratch, work);
        Ok(self.cube(literals))
    }

    /// The cube of the given literals.
    pub(super) fn cube(&self, mut literals: Vec<Literal>) -> Cube {
        literals.sort_unstable();
        let cover = self.sample.on.cover(self.level, self.shape, &literals);
        let bits = self.tariff.clause(&literals);
        Cube { literals, cover, bits }
    }

    /// Drops literals and raises parts while no OFF row comes into the cube: as the bits of the target's rows and of
    /// the price have it.
    fn raise(
        &self,
        literals: &mut Vec<Literal>,
        target: &[u64],
        dice: &mut Dice,
        scratch: &mut Scratch,
        work: &mut u64,
    ) {
        let Ground { level, shape, sample, tariff } = *self;
        self.drop_literals(literals, scratch, work);
        let mut order: Vec<usize> = (0..literals.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, dice.below(i + 1));
        }
        let scale = std::f32::consts::LOG2_E / tariff.typical;
        for i in order {
            let variable = usize::from(literals[i].variable);
            let may = self.allowed(i, literals[i], scratch, work);
            if may == literals[i].parts {
                continue;
            }
            let mut others = target.to_vec();
            for literal in literals.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, literal)| literal) {
                sample.on.planes.narrow(level, shape, literal, &mut others);
            }
            *work += (others.len() * (literals.len() + usize::from(shape.parts[variable]))) as u64;
            let mut counts = [0; 64];
            sample.on.planes.counts_of(level, shape, variable, &others, &mut counts);
            let (mut best, mut choice) = (f32::MIN, literals[i].parts);
            for_each_symbol(shape.parts[variable], literals[i].parts, may, |parts| {
                let covered: u32 =
                    (0..64).filter(|part| parts >> part & 1 != 0).map(|part| counts[part]).sum();
                let price = tariff.literal(&Literal { parts, ..literals[i] });
                let value = (covered as f32 + 0.5).log2() - scale * price + parts.count_ones() as f32 * 1e-3;
                if value > best {
                    (best, choice) = (value, parts);
                }
            });
            self.replace(i, &mut literals[i], choice, scratch);
        }
        literals.sort_unstable();
    }

    /// Chooses the cheapest symbols that match the rows of `needed`, which the cube matches, and no OFF row.
    pub(super) fn cheapen(
        &self,
        literals: &mut Vec<Literal>,
        needed: &[u64],
        scratch: &mut Scratch,
        work: &mut u64,
    ) {
        let Ground { shape, sample, tariff, .. } = *self;
        self.drop_literals(literals, scratch, work);
        for (i, place) in literals.iter_mut().enumerate() {
            let literal = *place;
            let variable = usize::from(literal.variable);
            let may = self.allowed(i, literal, scratch, work);
            let must = sample.on.planes.parts_of(shape, variable, needed);
            *work += (needed.len() * usize::from(shape.parts[variable])) as u64;
            let (mut best, mut choice) = (tariff.literal(&literal), literal.parts);
            for_each_symbol(shape.parts[variable], must, may, |parts| {
                let price = tariff.literal(&Literal { parts, ..literal });
                if price < best - 1e-3 || price < best + 1e-3 && parts.count_ones() > choice.count_ones() {
                    (best, choice) = (price, parts);
                }
            });
            self.replace(i, place, choice, scratch);
        }
    }

    /// Finds the OFF rows that the literals pass, and drops those literals, dearest first, without which no OFF row
    /// comes into the cube.
    fn drop_literals(&self, literals: &mut Vec<Literal>, scratch: &mut Scratch, work: &mut u64) {
        let Ground { level, shape, sample, tariff } = *self;
        let prices: Vec<f32> = literals.iter().map(|literal| tariff.literal(literal)).collect();
        let mut order: Vec<usize> = (0..literals.len()).collect();
        order.sort_by(|&a, &b| prices[b].total_cmp(&prices[a]));
        *literals = order.iter().map(|&i| literals[i]).collect();
        scratch.passes.resize_with(scratch.passes.len().max(literals.len()), Vec::new);
        for (literal, pass) in literals.iter().zip(&mut scratch.passes) {
            sample.off.planes.select(level, shape, std::slice::from_ref(literal), pass);
        }
        *work += (sample.off.planes.words() * literals.len() * 2) as u64;
        scratch.tally(sample.off.planes.all(), literals.len());
        let mut i = 0;
        while i < literals.len() {
            if scratch.only(i).any(|rows| rows != 0) {
                i += 1;
                continue;
            }
            literals.remove(i);
            scratch.passes[i..].rotate_left(1);
            scratch.tally(sample.off.planes.all(), literals.len());
            *work += (sample.off.planes.words() * literals.len()) as u64;
        }
    }

    /// The parts that literal number `i` may allow, the others staying as they are.
    fn allowed(&self, i: usize, literal: Literal, scratch: &mut Scratch, work: &mut u64) -> u64 {
        let variable = usize::from(literal.variable);
        let only: Vec<u64> = scratch.only(i).collect();
        *work += (only.len() * usize::from(self.shape.parts[variable])) as u64;
        self.shape.full(variable) & !self.sample.off.planes.parts_of(self.shape, variable, &only)
    }

    /// Gives literal number `i` other parts.
    fn replace(&self, i: usize, literal: &mut Literal, parts: u64, scratch: &mut Scratch) {
        if literal.parts == parts {
            return;
        }
        literal.parts = parts;
        let count = scratch.passes.len();
        self.sample.off.planes.select(
            self.level,
            self.shape,
            std::slice::from_ref(literal),
            &mut scratch.passes[i],
        );
        scratch.tally(self.sample.off.planes.all(), count);
    }
}

impl Scratch {
    /// Finds the rows that some, and that several of the first `count` literals do not pass.
    fn tally(&mut self, all: &[u64], count: usize) {
        self.passes.truncate(count);
        self.once.clear();
        self.once.resize(all.len(), 0);
        // What is no row counts as missed twice.
        self.twice.clear();
        self.twice.extend(all.iter().map(|rows| !rows));
        for pass in &self.passes {
            for ((pass, once), twice) in pass.iter().zip(&mut self.once).zip(&mut self.twice) {
                *twice |= *once & !pass;
                *once |= !pass;
            }
        }
    }

    /// The OFF rows that literal number `i` alone keeps out.
    fn only(&self, i: usize) -> impl Iterator<Item = u64> {
        let pass = &self.passes[i];
        pass.iter().zip(&self.twice).map(|(pass, twice)| !pass & !twice)
    }
}
