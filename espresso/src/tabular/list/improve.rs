//! Improvement of a working cover: what is not covered is filled (`fill`), and moves are tried (`search`).

use super::cover::{Cover, rows_where};
use super::expand::{Contradiction, Cube, Ground, Scratch, Wish};
use super::fill::{Open, take_worthy};
use super::planes::{common, for_each_bit, ones};
use super::sample::Dice;
use super::search::{self, BATCH, MOST_TAKEN, Search, TEMPER};
use crate::cpu::Level;
use rayon::prelude::*;
use std::cmp::Ordering;

/// What a move does.
struct Move {
    taken: Vec<u64>,
    added: Vec<Cube>,
    /// The bits that it saves.
    gain: f32,
}

/// The number of a random row of `rows`, of which there are `count`.
pub(super) fn pick(rows: &[u64], count: u32, dice: &mut Dice) -> Option<usize> {
    let mut skip = dice.below(count.max(1) as usize) as u32;
    for (at, &word) in rows.iter().enumerate() {
        if skip < word.count_ones() {
            let mut word = word;
            (0..skip).for_each(|_| word &= word - 1);
            return (word != 0).then(|| at * 64 + word.trailing_zeros() as usize);
        }
        skip -= word.count_ones();
    }
    None
}

fn subtract(rows: &mut [u64], others: &[u64]) {
    rows.iter_mut().zip(others).for_each(|(rows, others)| *rows &= !others);
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

    fn apply(&mut self, found: Move, _: &mut u64) -> Option<f32> {
        let gain = found.gain;
        self.cover.apply(found).then_some(gain)
    }
}

/// The rows that a cover leaves out.
struct Uncovered<'a> {
    cover: &'a mut Cover,
    level: Level,
    open: &'a mut [u64],
}

impl Open for Uncovered<'_> {
    type Cube = Cube;

    fn value(&mut self, cube: &Cube) -> f32 {
        common(self.level, &cube.cover, self.open) as f32 / cube.bits
    }

    fn order(a: &Cube, b: &Cube) -> Ordering {
        a.literals.cmp(&b.literals)
    }

    fn take(&mut self, cube: Cube) {
        subtract(self.open, &cube.cover);
        self.cover.add(cube);
    }
}

impl Cover {
    /// Covers all that is not covered, with new cubes and those of `pool`.
    pub(super) fn fill(
        &mut self,
        ground: &Ground<'_>,
        mut pool: Vec<Cube>,
        dice: &mut Dice,
        work: &mut u64,
    ) -> Result<(), Contradiction> {
        let mut open = self.uncovered();
        loop {
            let left = ones(ground.level, &open);
            if left == 0 {
                return Ok(());
            }
            let mut seeds: Vec<usize> = (0..BATCH).filter_map(|_| pick(&open, left, dice)).collect();
            seeds.sort_unstable();
            seeds.dedup();
            let series = dice.next();
            let grown: Vec<(Result<Cube, Contradiction>, u64)> = seeds
                .par_iter()
                .enumerate()
                .map_init(Scratch::default, |scratch, (i, &seed)| {
                    let (mut dice, mut work) = (Dice::new(series, i as u64), 0);
                    let wish = Wish { seed, target: &open, start: &[], temper: TEMPER };
                    (ground.grow(wish, &mut dice, scratch, &mut work), work)
                })
                .collect();
            for (cube, spent) in grown {
                *work += spent;
                pool.push(cube?);
            }
            take_worthy(
                &mut pool,
                &mut Uncovered { cover: self, level: ground.level, open: &mut open },
                4 * BATCH,
            );
        }
    }

    /// Tries moves until a limit of work is spent, as [`search::improve`].
    pub(super) fn improve(&mut self, ground: &Ground<'_>, dice: &mut Dice, limit: (u64, f32)) -> u64 {
        search::improve(&mut Moves { cover: self, ground }, dice, limit)
    }

    /// The cubes that a move takes out: one, and some that have rows or literals in common with it.
    fn neighbours(&self, ground: &Ground<'_>, dice: &mut Dice, work: &mut u64) -> Vec<usize> {
        let first = dice.below(self.cubes.len());
        let wanted = dice.below(MOST_TAKEN.min(self.cubes.len()));
        let center = &self.cubes[first];
        let by_literals = dice.below(3) == 0;
        let words = center.cover.len();
        let width = words.min(super::sample::MOST_WINDOW);
        let from = dice.below(words - width + 1);
        let mut near: Vec<(f32, usize)> = Vec::with_capacity(self.cubes.len());
        for (number, cube) in self.cubes.iter().enumerate().filter(|&(number, _)| number != first) {
            let nearness = if by_literals {
                let same = center.literals.iter().filter(|&literal| cube.literals.contains(literal)).count();
                same as f32 + 0.5
            } else {
                let window = from..from + width;
                common(ground.level, &center.cover[window.clone()], &cube.cover[window]) as f32 + 0.1
            };
            near.push((nearness * (dice.unit() + 0.2), number));
        }
        *work += (self.cubes.len() * width) as u64 / 8;
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut taken = vec![first];
        taken.extend(near.iter().take(wanted).map(|&(_, number)| number));
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
        let taken = self.neighbours(ground, dice, work);
        let mut counts = self.counts.clone();
        let mut open = vec![0_u64; counts.len().div_ceil(64)];
        let mut price = 0.0;
        for &number in &taken {
            price += self.cubes[number].bits;
            for_each_bit(&self.cubes[number].cover, |row| {
                counts[row] -= 1;
                open[row / 64] |= u64::from(counts[row] == 0) << (row % 64);
            });
        }
        *work += (open.len() * taken.len()) as u64;
        let mut pool: Vec<Cube> = Vec::new();
        // Some of what goes may come back.
        for &number in &taken {
            if dice.below(2) == 0 {
                pool.push(self.cubes[number].clone());
            }
        }
        let mut added: Vec<Cube> = Vec::new();
        let mut cost = 0.0;
        loop {
            let left = ones(ground.level, &open);
            if left == 0 {
                break;
            }
            // One at a time: to grow two and take the better one gains less than twice as many moves.
            let seed = pick(&open, left, dice)?;
            let wish = Wish { seed, target: &open, start: &[], temper: TEMPER };
            pool.push(ground.grow(wish, dice, scratch, work).ok()?);
            let values = pool.iter().map(|cube| common(ground.level, &cube.cover, &open) as f32 / cube.bits);
            let (best, _) = values.enumerate().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
            let cube = pool.swap_remove(best);
            cost += cube.bits;
            // What other cubes may save is little as a rule.
            if cost > price + 30.0 {
                return None;
            }
            subtract(&mut open, &cube.cover);
            added.push(cube);
        }
        for cube in &added {
            for_each_bit(&cube.cover, |row| counts[row] += 1);
        }
        // First the new cubes, then the others, as far as they have become redundant.
        let mut slack = rows_where(&counts, |count| count > 1);
        let is_within =
            |cube: &Cube, slack: &[u64]| cube.cover.iter().zip(slack).all(|(rows, slack)| rows & !slack == 0);
        let mut drop_one = |cube: &Cube, slack: &mut Vec<u64>| {
            for_each_bit(&cube.cover, |row| {
                counts[row] -= 1;
                if counts[row] < 2 {
                    slack[row / 64] &= !(1 << (row % 64));
                }
            });
        };
        added.retain(|cube| {
            let redundant = is_within(cube, &slack);
            if redundant {
                drop_one(cube, &mut slack);
                cost -= cube.bits;
            }
            !redundant
        });
        let mut names: Vec<u64> = taken.iter().map(|&number| self.names[number]).collect();
        let known = names.clone();
        for (cube, name) in self.cubes.iter().zip(&self.names) {
            if !known.contains(name) && is_within(cube, &slack) {
                drop_one(cube, &mut slack);
                price += cube.bits;
                names.push(*name);
            }
        }
        *work += (self.cubes.len() + 2 * open.len()) as u64;
        let same = names.len() == added.len()
            && added.iter().all(|cube| {
                names
                    .iter()
                    .any(|&name| self.find(name).is_some_and(|at| self.cubes[at].literals == cube.literals))
            });
        let excess = heat * -dice.unit().max(1e-6).ln();
        (cost <= price + 1e-3 + excess && !same).then_some(Move { taken: names, added, gain: price - cost })
    }

    /// Makes a move, when the cubes it takes out are there and nothing is uncovered by it.
    fn apply(&mut self, found: Move) -> bool {
        let Some(mut numbers) = found.taken.iter().map(|&name| self.find(name)).collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        let mut bare = vec![0_u64; self.counts.len().div_ceil(64)];
        for &number in &numbers {
            let counts = &mut self.counts;
            for_each_bit(&self.cubes[number].cover, |row| {
                counts[row] -= 1;
                bare[row / 64] |= u64::from(counts[row] == 0) << (row % 64);
            });
        }
        for cube in &found.added {
            subtract(&mut bare, &cube.cover);
        }
        for &number in &numbers {
            let counts = &mut self.counts;
            for_each_bit(&self.cubes[number].cover, |row| counts[row] += 1);
        }
        if bare.iter().any(|&rows| rows != 0) {
            return false;
        }
        numbers.sort_unstable();
        for &number in numbers.iter().rev() {
            self.remove(number);
        }
        found.added.into_iter().for_each(|cube| self.add(cube));
        true
    }

    /// Gives the literals of all cubes their cheapest symbols.
    pub(super) fn cheapen(&mut self, ground: &Ground<'_>, work: &mut u64) {
        let mut scratch = Scratch::default();
        let names = self.names.clone();
        for name in names {
            let Some(number) = self.find(name) else { continue };
            let cube = &self.cubes[number];
            let mut needed = cube.cover.clone();
            for_each_bit(&cube.cover, |row| {
                if self.counts[row] > 1 {
                    needed[row / 64] &= !(1 << (row % 64));
                }
            });
            if needed.iter().all(|&rows| rows == 0) {
                self.remove(number);
                continue;
            }
            let mut literals = cube.literals.clone();
            ground.cheapen(&mut literals, &needed, &mut scratch, work);
            let new = ground.cube(literals);
            if new.literals != cube.literals && new.bits < cube.bits + 1e-3 {
                self.remove(number);
                self.add(new);
            }
        }
    }
}
