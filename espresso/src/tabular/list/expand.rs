//! EXPAND on rows: a cube around a row that matches no OFF row, is cheap and covers much of what is wanted.
//!
//! Brayton et al. 1984, section 4.3, raise the parts of a minterm while the blocking matrix allows it. With hundreds of
//! variables nearly all literals of a minterm go, so this goes the other way first: from the full cube down, one literal
//! after the other, each with the best reduction of the OFF rows (in bits) for what it costs in coded bits and in wanted
//! rows. Then the classical expansion: a literal goes when each OFF row misses the cube in another variable too, and the
//! parts of those that stay are raised as far as that holds.

use super::Literal;
use super::planes::{Shape, for_each_bit, ones};
use super::price::Tariff;
use super::sample::{Dice, MOST_WINDOW, Sample};
use crate::scan::Level;
use std::sync::OnceLock;

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
    on_counts: Vec<u32>,
    off_counts: Vec<u32>,
    noise: Vec<f32>,
    passes: Vec<Vec<u64>>,
    once: Vec<u64>,
    twice: Vec<u64>,
}

/// What each literal costs beyond its bits: keeps the ratios finite.
const LITERAL: f32 = 0.02;

/// log2(n + 1/2) for all counts that a census gives.
fn logs() -> &'static [f32] {
    static LOGS: OnceLock<Vec<f32>> = OnceLock::new();
    LOGS.get_or_init(|| (0..=MOST_WINDOW * 64).map(|n| (n as f32 + 0.5).log2()).collect())
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
        scratch.on_counts.resize(shape.all_parts, 0);
        scratch.off_counts.resize(shape.all_parts, 0);
        scratch.noise.clear();
        scratch.noise.extend((0..shape.variables()).map(|_| 1.0 + wish.temper * (dice.unit() - 0.5)));
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
            let counts = &mut scratch.off_counts;
            let (_, all) = sample.off.census(level, shape, (&off, off_count), (dice, thorough), counts, work);
            sample.on.census(level, shape, (&on, on_count), (dice, false), &mut scratch.on_counts, work);
            let Some(literal) = self.choose(seed, &literals, scratch) else {
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

    /// The best next literal by the counts at hand; none when none reduces the OFF rows counted.
    fn choose(&self, seed: &[u8], literals: &[Literal], scratch: &Scratch) -> Option<Literal> {
        let logs = logs();
        let scale = std::f32::consts::LOG2_E / self.tariff.typical;
        let (mut best, mut choice) = (0.0, None);
        for (variable, &part) in seed.iter().enumerate() {
            let parts = usize::from(self.shape.parts[variable]);
            let part = usize::from(part);
            let base = self.shape.bases[variable];
            let off = &scratch.off_counts[base..base + parts];
            let on = &scratch.on_counts[base..base + parts];
            let before = |counts: &[u32], low: usize| if low == 0 { 0 } else { counts[low - 1] };
            let (all_off, all_on) = (off[parts - 1], on[parts - 1]);
            if off[part] - before(off, part) == all_off {
                continue;
            }
            let known = literals.iter().find(|literal| usize::from(literal.variable) == variable);
            let (log_off, log_on) = (logs[all_off as usize], logs[all_on as usize]);
            let noise = scratch.noise[variable];
            let mut consider = |(off_left, on_left): (u32, u32), price: f32, parts: u64| {
                if off_left == all_off {
                    return;
                }
                let price = match known {
                    None => price,
                    Some(known) => {
                        let cut = Literal { parts: known.parts & parts, ..*known };
                        self.tariff.literal(&cut) - self.tariff.literal(known)
                    }
                };
                let gain = noise * (log_off - logs[off_left as usize]);
                let cost = log_on - logs[on_left as usize] + scale * price.max(0.1) + LITERAL;
                if gain > best * cost {
                    best = gain / cost;
                    choice = Some(Literal { variable: variable as u16, parts });
                }
            };
            let run = |low: usize, high: usize| (u64::MAX >> (63 - (high - low))) << low;
            let within = |low, high| (off[high] - before(off, low), on[high] - before(on, low));
            for low in 0..=part {
                for high in part..parts {
                    if low > 0 || high + 1 < parts {
                        consider(
                            within(low, high),
                            self.tariff.interval(variable, low, high),
                            run(low, high),
                        );
                    }
                }
            }
            // Complements of inner intervals on either side of the seed.
            for (from, to) in [(1, part), (part + 1, parts - 1)] {
                for low in from..to {
                    for high in low..to {
                        let (less_off, less_on) = within(low, high);
                        let price = self.tariff.complement(variable, low, high);
                        let full = self.shape.full(variable);
                        consider((all_off - less_off, all_on - less_on), price, full & !run(low, high));
                    }
                }
            }
        }
        choice
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

/// Calls `visit` with each literal between `must` and `may`, both included, that is an interval, the complement of one,
/// or one of the two.
fn for_each_symbol(parts: u8, must: u64, may: u64, mut visit: impl FnMut(u64)) {
    let full = u64::MAX >> (64 - u32::from(parts));
    let mut consider = |literal: u64| {
        if literal != 0 && literal != full && must & !literal == 0 && literal & !may == 0 {
            visit(literal);
        }
    };
    for low in 0..parts {
        for high in low..parts {
            let run = (u64::MAX >> (63 - (high - low))) << low;
            consider(run);
            if low > 0 && high + 1 < parts {
                consider(full & !run);
            }
        }
    }
    consider(must);
    consider(may);
}
