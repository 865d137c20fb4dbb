//! Filling and improvement of a cover on bitmaps, as on rows (`list/improve.rs`); how moves are tried is in
//! `list/search.rs`.

use super::super::fill::{Open, take_worthy};
use super::super::sample::Dice;
use super::super::search::{self, BATCH, MOST_TAKEN, Search, TEMPER};
use super::cover::{Cover, MOST_TOGETHER};
use super::grow::{Cube, Ground, Scratch, Target};
use super::space::{Block, Spot, nth};
use rayon::prelude::*;
use std::cmp::Ordering;

/// What a move does.
struct Move {
    taken: Vec<u64>,
    added: Vec<Cube>,
    /// The bits that it saves.
    gain: f32,
}

fn total(spots: &[Spot]) -> u32 {
    spots.iter().flat_map(|spot| &spot.bits).map(|word| word.count_ones()).sum()
}

/// A cover whose moves are tried.
struct Moves<'a> {
    cover: &'a mut Cover,
    ground: &'a Ground<'a>,
}

impl Search for Moves<'_> {
    type Move = Move;
    type Scratch = Scratch;

    fn cubes(&self) -> usize {
        self.cover.cubes.len()
    }

    fn attempt(&self, dice: &mut Dice, heat: f32, scratch: &mut Scratch, work: &mut u64) -> Option<Move> {
        self.cover.attempt(self.ground, (dice, heat), scratch, work)
    }

    fn apply(&mut self, found: Move, work: &mut u64) -> Option<f32> {
        let gain = found.gain;
        self.cover.apply(self.ground, found, work).then_some(gain)
    }
}

/// The minterms that a cover leaves out.
struct Uncovered<'a> {
    cover: &'a mut Cover,
    ground: &'a Ground<'a>,
    open: &'a mut [Block],
    work: &'a mut u64,
}

impl Open for Uncovered<'_> {
    type Cube = Cube;

    fn value(&mut self, cube: &Cube) -> f32 {
        self.ground.common(&cube.parts, self.open, self.work) as f32 / cube.bits
    }

    fn order(a: &Cube, b: &Cube) -> Ordering {
        a.parts.cmp(&b.parts)
    }

    fn take(&mut self, cube: Cube) {
        let mask = self.ground.space.mask(&cube.parts);
        self.ground.space.walk(&cube.parts, |slot| {
            let block = &mut self.open[slot as usize];
            block.iter_mut().zip(&mask).for_each(|(block, mask)| *block &= !mask);
            true
        });
        self.cover.add(self.ground, cube, self.work);
    }
}

impl Cover {
    /// Covers all that is not covered.
    pub(super) fn fill(&mut self, ground: &Ground<'_>, dice: &mut Dice, work: &mut u64) {
        let mut open = self.uncovered(ground);
        let mut pool: Vec<Cube> = Vec::new();
        loop {
            // Where blocks have something left, and how much.
            let mut sums = Vec::with_capacity(open.len());
            let mut left = 0_u64;
            for block in &open {
                left += block.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
                sums.push(left);
            }
            if left == 0 {
                return;
            }
            let pick = |dice: &mut Dice| {
                let skip = ((u128::from(dice.next()) * u128::from(left)) >> 64) as u64;
                let slot = sums.partition_point(|&sum| sum <= skip);
                let before = if slot == 0 { 0 } else { sums[slot - 1] };
                nth(&[Spot { slot: slot as u32, bits: open[slot] }], (skip - before) as u32)
            };
            let mut seeds: Vec<_> = (0..BATCH).filter_map(|_| pick(dice)).collect();
            seeds.sort_unstable();
            seeds.dedup();
            let series = dice.next();
            let grown: Vec<(Cube, u64)> = seeds
                .par_iter()
                .enumerate()
                .map_init(Scratch::default, |scratch, (i, &seed)| {
                    let (mut dice, mut work) = (Dice::new(series, i as u64), 0);
                    let target = Target::Dense(&open);
                    (ground.grow((seed, target), TEMPER, &mut dice, scratch, &mut work), work)
                })
                .collect();
            for (cube, spent) in grown {
                *work += spent;
                pool.push(cube);
            }
            take_worthy(&mut pool, &mut Uncovered { cover: self, ground, open: &mut open, work }, 2 * BATCH);
        }
    }

    /// Tries moves until a limit of work is spent, as [`search::improve`].
    pub(super) fn improve(&mut self, ground: &Ground<'_>, dice: &mut Dice, limit: (u64, f32)) -> u64 {
        search::improve(&mut Moves { cover: self, ground }, dice, limit)
    }

    /// The cubes that a move takes out: one, and some that have minterms or literals in common with it.
    fn neighbours(&self, ground: &Ground<'_>, dice: &mut Dice, work: &mut u64) -> Vec<usize> {
        let first = dice.below(self.cubes.len());
        let wanted = dice.below(MOST_TAKEN.min(self.cubes.len()));
        if wanted == 0 {
            return vec![first];
        }
        let center = &self.cubes[first].parts;
        let by_literals = dice.below(3) == 0;
        let mut near: Vec<(f32, usize)> = Vec::with_capacity(self.cubes.len());
        for (number, cube) in self.cubes.iter().enumerate().filter(|&(number, _)| number != first) {
            let pairs = center.iter().zip(&cube.parts);
            let nearness = if by_literals {
                let same =
                    |(variable, (a, b)): (usize, (&u64, &u64))| a == b && *a != ground.space.full(variable);
                pairs.enumerate().filter(|&pair| same(pair)).count() as f32 + 0.5
            } else {
                pairs.map(|(a, b)| (a & b).count_ones() as f32).product::<f32>() + 0.1
            };
            near.push((nearness * (dice.unit() + 0.2), number));
        }
        *work += self.cubes.len() as u64 / 4;
        let nearer = |a: &(f32, usize), b: &(f32, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        if wanted < near.len() {
            near.select_nth_unstable_by(wanted, nearer);
            near.truncate(wanted);
        }
        near.sort_by(nearer);
        let mut taken = vec![first];
        taken.extend(near.iter().map(|&(_, number)| number));
        taken
    }

    /// Looks for a move that does not cost more, or little more.
    fn attempt(
        &self,
        ground: &Ground<'_>,
        (dice, heat): (&mut Dice, f32),
        scratch: &mut Scratch,
        work: &mut u64,
    ) -> Option<Move> {
        let mut taken = self.neighbours(ground, dice, work);
        let exposed = self.exposed(ground, &taken, work);
        let mut price: f32 = taken.iter().map(|&number| self.cubes[number].bits).sum();
        // Some of what goes may come back.
        let mut pool: Vec<Cube> = Vec::new();
        for &number in &taken {
            if dice.below(2) == 0 {
                pool.push(self.cubes[number].clone());
            }
        }
        let mut open = exposed.clone();
        let mut added: Vec<Cube> = Vec::new();
        let mut cost = 0.0;
        while !open.is_empty() {
            let seed = nth(&open, dice.below(total(&open) as usize) as u32)?;
            pool.push(ground.grow((seed, Target::Sparse(&open)), TEMPER, dice, scratch, work));
            *work += (open.len() * pool.len()) as u64 / 2;
            let values = pool.iter().map(|cube| ground.common_of(&cube.parts, &open) as f32 / cube.bits);
            let (best, _) = values.enumerate().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
            let cube = pool.swap_remove(best);
            cost += cube.bits;
            // What other cubes may save is little as a rule.
            if cost > price + 30.0 {
                return None;
            }
            ground.subtract(&cube.parts, &mut open);
            added.push(cube);
        }
        // First the new cubes, then the others, as far as they have become redundant.
        for number in (0..added.len()).rev() {
            let mut rest = exposed.clone();
            for (_, other) in added.iter().enumerate().filter(|&(other, _)| other != number) {
                ground.subtract(&other.parts, &mut rest);
            }
            if rest.is_empty() {
                cost -= added.remove(number).bits;
            }
        }
        for (number, cube) in self.cubes.iter().enumerate() {
            if taken.len() == MOST_TOGETHER {
                break;
            }
            let is_met = |point| added.iter().any(|cube| ground.space.contains(&cube.parts, point));
            if cube.witness.is_some_and(is_met) && !taken.contains(&number) {
                taken.push(number);
                if self.is_exchange(ground, &taken, &added, work) {
                    price += cube.bits;
                } else {
                    taken.pop();
                }
            }
        }
        *work += self.cubes.len() as u64 / 4;
        let is_old = |cube: &Cube| taken.iter().any(|&number| self.cubes[number].parts == cube.parts);
        let same = taken.len() == added.len() && added.iter().all(is_old);
        let excess = heat * -dice.unit().max(1e-6).ln();
        let names = taken.iter().map(|&number| self.names[number]).collect();
        (cost <= price + 1e-3 + excess && !same).then_some(Move { taken: names, added, gain: price - cost })
    }

    /// Makes a move, when the cubes it takes out are there and nothing is uncovered by it.
    fn apply(&mut self, ground: &Ground<'_>, found: Move, work: &mut u64) -> bool {
        let Some(mut numbers) = found.taken.iter().map(|&name| self.find(name)).collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        if !self.is_exchange(ground, &numbers, &found.added, work) {
            return false;
        }
        numbers.sort_unstable();
        for &number in numbers.iter().rev() {
            self.remove(ground, number, work);
        }
        let added: Vec<Vec<u64>> = found.added.iter().map(|cube| cube.parts.clone()).collect();
        for cube in found.added {
            self.add(ground, cube, work);
        }
        // Those whose witness is matched by a new cube too need another one.
        let is_met = |cube: &Cube| {
            cube.witness.is_none_or(|point| added.iter().any(|parts| ground.space.contains(parts, point)))
        };
        let met: Vec<u64> = self
            .cubes
            .iter()
            .zip(&self.names)
            .filter(|(cube, _)| is_met(cube))
            .map(|(_, &name)| name)
            .collect();
        for name in met {
            self.settle(ground, name, work);
        }
        true
    }
}
