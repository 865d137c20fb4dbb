//! The learning of one list, whichever way the function is held: prices that follow the list, dice, and work spent on
//! the layers in turn.

use super::planes::Shape;
use super::price::Tariff;
use super::sample::Dice;
use super::{Clause, ListOptions, ListPrice, ListProgress};
use crate::error::{Error, ErrorKind, Result};

/// Shares into which the work is divided: prices are fitted anew before each. There are several to a round of checks.
const SHARES: u64 = 40;
/// Bits that a move may cost on average in the beginning; in the end none.
const HEAT: f32 = 0.5;

/// A cover at work, with what it is to match and what not.
pub(super) trait LayerWork {
    /// The clauses, in ascending order.
    fn clauses(&self) -> Vec<Clause>;

    /// What share of the work it gets, against that of the others.
    fn weight(&self) -> u64;

    /// Rows of its sample, if it has one.
    fn sampled(&self) -> usize;

    /// Tries moves until `limit` work units are spent or many in a row gain nothing; returns the units spent. `heat` is
    /// how many bits a move may cost on average.
    fn improve(&mut self, tariff: &Tariff, dice: &mut Dice, limit: (u64, f32)) -> u64;

    /// Gives all literals their cheapest symbols, and takes out what is redundant then.
    fn cheapen(&mut self, tariff: &Tariff);
}

/// A list at work.
pub(super) struct Run<'a, L> {
    pub(super) shape: &'a Shape,
    price: &'a dyn ListPrice,
    pub(super) options: &'a ListOptions<'a>,
    pub(super) layers: Vec<L>,
    /// Work units spent on improvement.
    pub(super) spent: u64,
    /// Rows that the last check, of one share of the rows, found wrong.
    pub(super) wrong: Option<u64>,
    /// Series of dice thrown.
    series: u64,
}

impl<'a, L: LayerWork> Run<'a, L> {
    pub(super) fn new(
        shape: &'a Shape,
        price: &'a dyn ListPrice,
        options: &'a ListOptions<'a>,
        layers: Vec<L>,
    ) -> Self {
        Run { shape, price, options, layers, spent: 0, wrong: None, series: 0 }
    }

    /// Spends work up to `goal` on improvement, and gives all literals their cheapest symbols.
    pub(super) fn improve(&mut self, goal: u64) -> Result<()> {
        let all = self.options.work;
        let goal = goal.min(all);
        let mut gains = true;
        while self.spent < goal && gains {
            let tariff = self.tariff();
            let weights: u64 = self.layers.iter().map(LayerWork::weight).sum();
            let share = (goal - self.spent).min(all.div_ceil(SHARES));
            let before = self.spent;
            for place in 0..self.layers.len() {
                let heat = HEAT * (1.0 - self.spent as f32 / all as f32);
                let mut dice = self.dice();
                let layer = &mut self.layers[place];
                let part = share * layer.weight() / weights.max(1);
                self.spent += layer.improve(&tariff, &mut dice, (part, heat));
            }
            self.report()?;
            // Otherwise moves were no longer tried.
            gains = self.spent - before > share / 4;
        }
        self.spent = self.spent.max(goal);
        self.cheapen();
        Ok(())
    }

    /// Gives all literals their cheapest symbols.
    pub(super) fn cheapen(&mut self) {
        let tariff = self.tariff();
        for layer in &mut self.layers {
            layer.cheapen(&tariff);
        }
    }

    /// Dice that were not thrown before.
    pub(super) fn dice(&mut self) -> Dice {
        self.series += 1;
        Dice::new(self.options.seed, self.series)
    }

    /// The clauses of each layer.
    pub(super) fn clauses(&self) -> Vec<Vec<Clause>> {
        self.layers.iter().map(LayerWork::clauses).collect()
    }

    /// What clauses cost as a whole.
    pub(super) fn bits(&self, clauses: &[Vec<Clause>]) -> f64 {
        self.price.total(&self.shape.parts, &clauses.iter().flatten().collect::<Vec<_>>())
    }

    /// Prices that fit the list as it stands.
    pub(super) fn tariff(&self) -> Tariff {
        let clauses = self.clauses();
        Tariff::new(self.price, self.shape, &clauses.iter().flatten().collect::<Vec<_>>())
    }

    /// Says how far it has come.
    pub(super) fn report(&self) -> Result<()> {
        let Some(callback) = self.options.progress else { return Ok(()) };
        let clauses = self.clauses();
        let progress = ListProgress {
            clauses: clauses.iter().map(Vec::len).sum(),
            bits: self.bits(&clauses),
            wrong: self.wrong,
            sample: self.layers.iter().map(LayerWork::sampled).sum(),
            work: self.spent,
            budget: self.options.work,
        };
        if callback(&progress).is_break() {
            return Err(Error::new(ErrorKind::Cancelled, "cancelled"));
        }
        Ok(())
    }
}
