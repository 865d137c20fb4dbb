//! Lists for functions of few variables, on bitmaps of all minterms: nothing is sampled for good, so a cover is right at
//! any time and there is no check of rows.
//!
//! With 8 variables of 8 parts a bitmap has 2 MiB, and testing a cube is a walk over its blocks of 512 minterms. The
//! steps are those of the learner on rows.

mod cover;
mod grow;
mod improve;
mod kernels;
mod space;
#[cfg(test)]
mod tests;

use super::planes::Shape;
use super::price::Tariff;
use super::sample::Dice;
use super::{Clause, ListOptions, ListPrice, ListProgress};
use crate::error::{Error, ErrorKind, Result};
use crate::tabular::Rows;
use cover::Cover;
use grow::Ground;
use space::{Block, Space};

/// Parts into which the work is divided, with new prices after each.
const ROUNDS: u64 = 40;
/// Bits that a move may cost on average in the beginning; in the end none.
const HEAT: f32 = 0.5;

/// Whether a function whose variables have the given numbers of parts may have bitmaps. Lists of such functions are
/// learned several times faster than those of others.
pub fn has_few_minterms(parts: &[u8]) -> bool {
    space::has_few_minterms(parts)
}

/// A function as bitmaps.
#[derive(Debug)]
pub(super) struct Dense {
    space: Space,
    shape: Shape,
    /// The minterms of each class.
    sets: Vec<Vec<Block>>,
}

/// One layer at work.
struct Work<'a> {
    on: &'a [Block],
    off: Vec<Block>,
    cover: Cover,
}

impl Dense {
    /// Returns the function given by `rows`; none when it has too many minterms for that, or one of two classes.
    pub(super) fn new(rows: &dyn Rows, shape: &Shape) -> Option<Self> {
        let (space, sets) = Space::new(rows)?;
        Some(Dense { space, shape: shape.clone(), sets })
    }

    /// Returns the clauses of each layer of a list for `order`.
    pub(super) fn learn(
        &self,
        order: &[u8],
        price: &dyn ListPrice,
        options: &ListOptions<'_>,
    ) -> Result<Vec<Vec<Clause>>> {
        let mut run = self.run(order, price, options);
        // Twice: the second time with prices that fit.
        run.fill()?;
        run.fill()?;
        run.improve()?;
        Ok(run.clauses())
    }

    /// Returns about how many bits the clauses of a list for `order` would cost: before improvement, which nothing is
    /// spent on.
    pub(super) fn trial(
        &self,
        order: &[u8],
        price: &dyn ListPrice,
        options: &ListOptions<'_>,
    ) -> Result<f64> {
        let mut run = self.run(order, price, options);
        run.fill()?;
        Ok(run.bits(&run.clauses()))
    }

    fn run<'a>(&'a self, order: &[u8], price: &'a dyn ListPrice, options: &'a ListOptions<'a>) -> Run<'a> {
        Run { dense: self, price, options, layers: self.layers(order), spent: 0, dice: 0 }
    }

    fn layers(&self, order: &[u8]) -> Vec<Work<'_>> {
        let layer = |place: usize| {
            let mut off = vec![Block::default(); self.space.blocks()];
            for &class in &order[place + 1..] {
                for (off, others) in off.iter_mut().zip(&self.sets[usize::from(class)]) {
                    off.iter_mut().zip(others).for_each(|(off, others)| *off |= others);
                }
            }
            Work { on: &self.sets[usize::from(order[place])], off, cover: Cover::default() }
        };
        (0..order.len() - 1).map(layer).collect()
    }
}

/// The learning of one list.
struct Run<'a> {
    dense: &'a Dense,
    price: &'a dyn ListPrice,
    options: &'a ListOptions<'a>,
    layers: Vec<Work<'a>>,
    /// Work units spent on improvement.
    spent: u64,
    /// Series of dice thrown.
    dice: u64,
}

impl Run<'_> {
    /// Covers all layers anew.
    fn fill(&mut self) -> Result<()> {
        let tariff = self.tariff();
        for place in 0..self.layers.len() {
            let mut dice = self.dice();
            let (ground, cover) = self.ground(place, &tariff);
            *cover = Cover::default();
            let mut work = 0;
            cover.fill(&ground, &mut dice, &mut work);
            cover.irredundant(&ground, &mut work);
            self.report()?;
        }
        Ok(())
    }

    /// Spends the work.
    fn improve(&mut self) -> Result<()> {
        let all = self.options.work;
        let mut gains = true;
        while self.spent < all && gains {
            let tariff = self.tariff();
            let share = all.div_ceil(ROUNDS).min(all - self.spent);
            let before = self.spent;
            let cubes: u64 = self.layers.iter().map(|work| work.cover.cubes.len() as u64).sum();
            for place in 0..self.layers.len() {
                let heat = HEAT * (1.0 - self.spent as f32 / all as f32);
                let mut dice = self.dice();
                let (ground, cover) = self.ground(place, &tariff);
                cover.renew(&ground);
                let part = share * cover.cubes.len() as u64 / cubes.max(1);
                self.spent += cover.improve(&ground, &mut dice, (part, heat));
            }
            self.report()?;
            // Otherwise moves were no longer tried.
            gains = self.spent - before > share / 4;
        }
        for _ in 0..2 {
            let tariff = self.tariff();
            for place in 0..self.layers.len() {
                let mut work = 0;
                let (ground, cover) = self.ground(place, &tariff);
                cover.renew(&ground);
                cover.cheapen(&ground, &mut work);
                debug_assert!(cover.is_right(&ground));
            }
        }
        self.report()
    }

    fn ground<'b>(&'b mut self, place: usize, tariff: &'b Tariff) -> (Ground<'b>, &'b mut Cover) {
        let Work { on, off, cover } = &mut self.layers[place];
        let Dense { space, shape, .. } = self.dense;
        (Ground { space, shape, tariff, on, off }, cover)
    }

    /// Dice that were not thrown before.
    fn dice(&mut self) -> Dice {
        self.dice += 1;
        Dice::new(self.options.seed, self.dice)
    }

    /// The clauses of each layer.
    fn clauses(&self) -> Vec<Vec<Clause>> {
        self.layers.iter().map(|work| work.cover.clauses(&self.dense.space)).collect()
    }

    /// What clauses cost as a whole.
    fn bits(&self, clauses: &[Vec<Clause>]) -> f64 {
        self.price.total(&self.dense.shape.parts, &clauses.iter().flatten().collect::<Vec<_>>())
    }

    /// Prices that fit the list as it stands.
    fn tariff(&self) -> Tariff {
        let clauses = self.clauses();
        Tariff::new(self.price, &self.dense.shape, &clauses.iter().flatten().collect::<Vec<_>>())
    }

    fn report(&self) -> Result<()> {
        let Some(callback) = self.options.callback else { return Ok(()) };
        let clauses = self.clauses();
        let progress = ListProgress {
            clauses: clauses.iter().map(Vec::len).sum(),
            bits: self.bits(&clauses),
            wrong: Some(0),
            sample: 0,
            work: self.spent,
            budget: self.options.work,
        };
        if callback(&progress).is_break() {
            return Err(Error::new(ErrorKind::Cancelled, "cancelled"));
        }
        Ok(())
    }
}
