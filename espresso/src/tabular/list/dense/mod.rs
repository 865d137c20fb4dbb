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
use super::run::{LayerWork, Run};
use super::sample::Dice;
use super::{Clause, ListOptions, ListPrice};
use crate::error::Result;
use crate::tabular::Rows;
use cover::Cover;
use grow::Ground;
use space::{Block, Space};

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
    dense: &'a Dense,
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
        fill(&mut run)?;
        fill(&mut run)?;
        run.improve(options.work)?;
        // Once more, with the prices that the first time has left.
        run.cheapen();
        run.report()?;
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
        fill(&mut run)?;
        Ok(run.bits(&run.clauses()))
    }

    fn run<'a>(
        &'a self,
        order: &[u8],
        price: &'a dyn ListPrice,
        options: &'a ListOptions<'a>,
    ) -> Run<'a, Work<'a>> {
        let mut run = Run::new(&self.shape, price, options, self.layers(order));
        run.wrong = Some(0);
        run
    }

    fn layers(&self, order: &[u8]) -> Vec<Work<'_>> {
        let layer = |place: usize| {
            let mut off = vec![Block::default(); self.space.blocks()];
            for &class in &order[place + 1..] {
                for (off, others) in off.iter_mut().zip(&self.sets[usize::from(class)]) {
                    off.iter_mut().zip(others).for_each(|(off, others)| *off |= others);
                }
            }
            Work { dense: self, on: &self.sets[usize::from(order[place])], off, cover: Cover::default() }
        };
        (0..order.len() - 1).map(layer).collect()
    }
}

impl Work<'_> {
    fn ground<'b>(&'b mut self, tariff: &'b Tariff) -> (Ground<'b>, &'b mut Cover) {
        let Dense { space, shape, .. } = self.dense;
        (Ground { space, shape, tariff, on: self.on, off: &self.off }, &mut self.cover)
    }
}

impl LayerWork for Work<'_> {
    fn clauses(&self) -> Vec<Clause> {
        self.cover.clauses(&self.dense.space)
    }

    fn weight(&self) -> u64 {
        self.cover.cubes.len() as u64
    }

    fn sampled(&self) -> usize {
        0
    }

    fn improve(&mut self, tariff: &Tariff, dice: &mut Dice, limit: (u64, f32)) -> u64 {
        let (ground, cover) = self.ground(tariff);
        cover.renew(&ground);
        cover.improve(&ground, dice, limit)
    }

    fn cheapen(&mut self, tariff: &Tariff) {
        let mut work = 0;
        let (ground, cover) = self.ground(tariff);
        cover.renew(&ground);
        cover.cheapen(&ground, &mut work);
        debug_assert!(cover.is_right(&ground));
    }
}

/// Covers all layers anew.
fn fill(run: &mut Run<'_, Work<'_>>) -> Result<()> {
    let tariff = run.tariff();
    for place in 0..run.layers.len() {
        let mut dice = run.dice();
        let (ground, cover) = run.layers[place].ground(&tariff);
        *cover = Cover::default();
        let mut work = 0;
        cover.fill(&ground, &mut dice, &mut work);
        cover.irredundant(&ground, &mut work);
        run.report()?;
    }
    Ok(())
}
