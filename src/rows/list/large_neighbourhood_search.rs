//! Large-neighbourhood search over the cubes of a cover (Shaw 1998), in place of the last gasp of Brayton et al. 1984,
//! section 4.7, which reduces all cubes at once.
//!
//! A move removes a few cubes, covers the minterms that only they covered, and removes other cubes that become redundant. It
//! is accepted if the clauses do not cost more, or little more while the temperature is above 0. A batch of moves is tried
//! in parallel against the same cover and then applied in order, each if it is still valid. So the result is the same for
//! any number of threads.

use super::block::{Chunk, nth};
use super::cover::{LayerCover, MOST_TOGETHER};
use super::expand::{Growth, PricedCube, Target, VARIATION};
use crate::rows::random::Random;
use rayon::prelude::*;

/// Moves tried against the same cover.
const BATCH: usize = 16;
const MOST_TAKEN: usize = 6;

/// A move of the search.
struct Move {
    /// The ids of the cubes to remove.
    taken: Vec<u64>,
    added: Vec<PricedCube>,
    gain: f32,
}

fn total(chunks: &[Chunk]) -> u32 {
    chunks.iter().flat_map(|chunk| &chunk.bits).map(|word| word.count_ones()).sum()
}

impl LayerCover<'_> {
    /// Tries moves until `limit` work units are spent or many in a row gain nothing; returns the units spent. A move may cost
    /// `temperature` bits on average.
    pub(super) fn improve(&mut self, random: &mut Random, limit: u64, temperature: f32) -> u64 {
        let mut spent = 0;
        let mut in_vain = 0;
        while spent < limit && in_vain < 300 + 60 * self.cubes.len() && self.cubes.len() > 1 {
            let series = random.next();
            let this = &*self;
            let tried = (0..BATCH).into_par_iter().map_init(Growth::default, |grower, i| {
                grower.begin(series, i);
                (this.attempt(temperature, grower), grower.work)
            });
            let tried: Vec<(Option<Move>, u64)> = tried.collect();
            in_vain += BATCH;
            for (found, work) in tried {
                spent += work + 1;
                let Some(found) = found else { continue };
                let gain = found.gain;
                if self.apply(found, &mut spent) && gain > 1e-2 {
                    in_vain = 0;
                }
            }
        }
        spent
    }

    /// Chooses the cubes that a move removes: a random one, and others that share many minterms or literals with it.
    fn neighbours(&self, random: &mut Random) -> Vec<usize> {
        let first = random.below(self.cubes.len());
        let wanted = random.below(MOST_TAKEN.min(self.cubes.len()));
        if wanted == 0 {
            return vec![first];
        }
        let center = &self.cubes[first].parts;
        let by_literals = random.below(3) == 0;
        let mut near: Vec<(f32, usize)> = Vec::with_capacity(self.cubes.len());
        for (number, cube) in self.cubes.iter().enumerate().filter(|&(number, _)| number != first) {
            let pairs = center.iter().zip(&cube.parts);
            let nearness = if by_literals {
                let same = |(variable, (a, b)): (usize, (&u64, &u64))| {
                    a == b && *a != self.function.layout.variables.full(variable)
                };
                pairs.enumerate().filter(|&pair| same(pair)).count() as f32 + 0.5
            } else {
                pairs.map(|(a, b)| (a & b).count_ones() as f32).product::<f32>() + 0.1
            };
            near.push((nearness * (random.unit() + 0.2), number));
        }
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

    /// Tries a move; returns it if it does not cost more, or little more.
    fn attempt(&self, temperature: f32, by: &mut Growth) -> Option<Move> {
        let function = &self.function;
        let mut taken = self.neighbours(&mut by.random);
        if taken.len() > 1 {
            by.work += self.cubes.len() as u64 / 4;
        }
        let exposed = self.exposed(&taken, &mut by.work);
        let mut price: f32 = taken.iter().map(|&number| self.cubes[number].bits).sum();
        // Some of the removed cubes may be used again.
        let back = taken.iter().filter(|_| by.random.below(2) == 0);
        let mut pool: Vec<PricedCube> = back.map(|&number| self.cubes[number].clone()).collect();
        let mut open = exposed.clone();
        let mut added: Vec<PricedCube> = Vec::new();
        let mut cost = 0.0;
        while !open.is_empty() {
            let seed = nth(&open, by.random.below(total(&open) as usize) as u32)?;
            pool.push(function.grow(seed, Target::Sparse(&open), VARIATION, by));
            by.work += (open.len() * pool.len()) as u64 / 2;
            let values = pool.iter().map(|cube| function.common_of(&cube.parts, &open) as f32 / cube.bits);
            let (best, _) = values.enumerate().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
            let cube = pool.swap_remove(best);
            cost += cube.bits;
            // Cubes that become redundant rarely save more.
            if cost > price + 30.0 {
                return None;
            }
            function.subtract(&cube.parts, &mut open);
            added.push(cube);
        }
        // Removes redundant cubes: first of the new ones, then of the others.
        for number in (0..added.len()).rev() {
            let mut rest = exposed.clone();
            for (_, other) in added.iter().enumerate().filter(|&(other, _)| other != number) {
                function.subtract(&other.parts, &mut rest);
            }
            if rest.is_empty() {
                cost -= added.remove(number).bits;
            }
        }
        for (number, cube) in self.cubes.iter().enumerate() {
            if taken.len() == MOST_TOGETHER {
                break;
            }
            let is_met = |minterm| added.iter().any(|cube| function.layout.contains(&cube.parts, minterm));
            if cube.witness.is_some_and(is_met) && !taken.contains(&number) {
                taken.push(number);
                if self.can_replace(&taken, &added, &mut by.work) {
                    price += cube.bits;
                } else {
                    taken.pop();
                }
            }
        }
        by.work += self.cubes.len() as u64 / 4;
        let is_old = |cube: &PricedCube| taken.iter().any(|&number| self.cubes[number].parts == cube.parts);
        let same = taken.len() == added.len() && added.iter().all(is_old);
        let excess = temperature * -libm::logf(by.random.unit().max(1e-6));
        let ids = taken.iter().map(|&number| self.ids[number]).collect();
        (cost <= price + 1e-3 + excess && !same).then_some(Move { taken: ids, added, gain: price - cost })
    }

    /// Applies a move if its cubes are still in the cover and no minterm becomes uncovered.
    fn apply(&mut self, found: Move, work: &mut u64) -> bool {
        let Some(mut numbers) = found.taken.iter().map(|&id| self.find(id)).collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        if !self.can_replace(&numbers, &found.added, work) {
            return false;
        }
        numbers.sort_unstable();
        for &number in numbers.iter().rev() {
            self.remove(number, work);
        }
        let added: Vec<Vec<u64>> = found.added.iter().map(|cube| cube.parts.clone()).collect();
        for cube in found.added {
            self.add(cube, work);
        }
        // Cubes whose witness a new cube matches need another one.
        let is_met = |cube: &PricedCube| {
            cube.witness
                .is_none_or(|minterm| added.iter().any(|parts| self.function.layout.contains(parts, minterm)))
        };
        let cubes = self.cubes.iter().zip(&self.ids);
        let met: Vec<u64> = cubes.filter(|(cube, _)| is_met(cube)).map(|(_, &id)| id).collect();
        for id in met {
            self.refresh_witness(id, work);
        }
        true
    }
}
