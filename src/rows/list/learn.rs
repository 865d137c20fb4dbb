//! Learning a list: the prices follow the list, and the work is divided between its layers.

use super::bitmap::BitmapLayout;
use super::block::{Bitmap, Block};
use super::cover::LayerCover;
use super::expand::LayerFunction;
use super::price::{Tariff, total_bits};
use super::{Clause, Layer, List, ListOptions};
use crate::error::{Error, ErrorKind, Result};
use crate::rows::Rows;
use crate::rows::random::Random;
use espresso::Progress;
use std::sync::Arc;

/// The work is divided into this many shares. Prices are updated before each.
const SHARES: u64 = 40;
/// Bits that a move may cost on average at the start. The value falls to 0.
const TEMPERATURE: f32 = 0.5;

/// A function of few minterms as bitmaps, from which lists are learned in any order of the classes.
#[derive(Debug)]
pub struct Learner {
    layout: BitmapLayout,
    classes: Vec<Bitmap>,
}

impl Learner {
    /// Makes the bitmaps, with a bit for each minterm and class: some MiB. Visits all rows three times. Returns `None` if there
    /// are too many minterms ([`has_few_minterms`](super::has_few_minterms)) or the rows occupy too many blocks.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] if a variable has no parts or more than 64, or there are no variables or more than 65,535, or,
    /// with both row numbers, if two rows with the same parts have different classes.
    pub fn new(rows: &dyn Rows) -> Result<Option<Self>> {
        let held = BitmapLayout::new(rows)?;
        Ok(held.map(|(layout, classes)| Learner { layout, classes }))
    }

    /// Returns the bits of the clauses of an unimproved list for `order`, an estimate to choose an order by. Deterministic for
    /// any number of threads.
    ///
    /// # Errors
    /// Those of [`Learner::learn`].
    pub fn trial(&self, order: &[u8], options: &ListOptions<'_>) -> Result<f64> {
        let mut learning = Learning::new(self, order, options)?;
        learning.fill()?;
        Ok(learning.bits(&learning.clauses()))
    }

    /// Returns an ordered clause list that gives every row its class. `order` has the classes in the order in which their
    /// layers decide; the last is the default. The clauses have a low cost, not the least, at prices that follow from their own
    /// frequencies.
    ///
    /// Deterministic for any number of threads. Takes a bitmap for each layer, and one for each binary digit of its counts of
    /// matching cubes. Most of the time is that of [`ListOptions::work`].
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] if `order` is empty, has a class twice or an unknown one, or lacks one that has rows;
    /// [`ErrorKind::Cancelled`] if the callback asks for it.
    ///
    /// # Example
    /// ```
    /// use cubebase::rows::list::{Learner, ListOptions};
    /// use cubebase::rows::{Numbered, Row, Rows};
    ///
    /// /// The positions of two men on a line of eight squares; the class is whether they touch.
    /// struct Line;
    /// struct Men(u8, u8);
    /// impl Row for Men {
    ///     fn part(&self, variable: usize) -> u8 {
    ///         [self.0, self.1, self.0.abs_diff(self.1)][variable]
    ///     }
    ///     fn parts(&self, parts: &mut [u8]) {
    ///         (0..3).for_each(|variable| parts[variable] = self.part(variable));
    ///     }
    ///     fn class(&self) -> u8 {
    ///         u8::from(self.0.abs_diff(self.1) < 2)
    ///     }
    ///     fn number(&self) -> u32 {
    ///         self.1.into()
    ///     }
    /// }
    /// impl Rows for Line {
    ///     fn parts(&self) -> &[u8] {
    ///         &[8, 8, 8]
    ///     }
    ///     fn classes(&self) -> usize {
    ///         2
    ///     }
    ///     fn slices(&self) -> usize {
    ///         8
    ///     }
    ///     fn number_bits(&self) -> u32 {
    ///         3
    ///     }
    ///     fn visit(&self, slice: usize, visit: &mut dyn FnMut(&dyn Row)) {
    ///         (0..8).for_each(|other| visit(&Men(slice as u8, other)));
    ///     }
    ///     fn pick(&self, rows: Numbered<'_>, visit: &mut dyn FnMut(usize, &dyn Row)) {
    ///         for (place, number) in rows.numbers.iter().enumerate() {
    ///             visit(place, &Men((rows.first_slice as u32 + number / 8) as u8, (number % 8) as u8));
    ///         }
    ///     }
    /// }
    ///
    /// let learner = Learner::new(&Line)?.expect("512 minterms");
    /// let list = learner.learn(&[1, 0], &ListOptions::default())?;
    /// assert_eq!(list.to_string(), "layer 1\nclause 2:3\ndefault 0\n");
    /// # Ok::<(), cubebase::Error>(())
    /// ```
    ///
    /// # Source
    /// Rivest 1987, *Learning decision lists*, for the shape; Brayton et al. 1984 for the steps.
    pub fn learn(&self, order: &[u8], options: &ListOptions<'_>) -> Result<List> {
        let mut learning = Learning::new(self, order, options)?;
        // Twice: the first prices are not those of a list.
        learning.fill()?;
        learning.fill()?;
        learning.improve()?;
        // Again, at the prices of the list that `improve` has left.
        learning.cheapen();
        learning.report()?;
        let clauses = learning.clauses();
        let layers = order.iter().zip(clauses).map(|(&class, clauses)| Layer { class, clauses }).collect();
        Ok(List { layers, default: order[order.len() - 1] })
    }

    /// Checks that `order` has every class with rows, and none twice.
    fn check_order(&self, order: &[u8]) -> Result<()> {
        let mismatch = |message: String| Err(Error::new(ErrorKind::Mismatch, message));
        if order.is_empty() {
            return mismatch("the order of the classes is empty".into());
        }
        if let Some(at) = (1..order.len()).find(|&at| order[..at].contains(&order[at])) {
            return mismatch(format!("the order names class {} twice", order[at]));
        }
        if let Some(&class) = order.iter().find(|&&class| usize::from(class) >= self.classes.len()) {
            return mismatch(format!("the order names class {class}, and there are {}", self.classes.len()));
        }
        let has_rows = |class: &Bitmap| class.iter().flatten().any(|&word| word != 0);
        let lacking =
            (0..).zip(&self.classes).find(|&(class, bitmap)| !order.contains(&class) && has_rows(bitmap));
        lacking.map_or(Ok(()), |(class, _)| mismatch(format!("the order lacks class {class}")))
    }
}

/// A list while it is learned.
struct Learning<'a> {
    learner: &'a Learner,
    options: &'a ListOptions<'a>,
    layers: Vec<LayerCover<'a>>,
    /// The work units spent on improvement.
    spent: u64,
    /// The number of random sequences used.
    series: u64,
}

impl<'a> Learning<'a> {
    fn new(learner: &'a Learner, order: &[u8], options: &'a ListOptions<'a>) -> Result<Self> {
        learner.check_order(order)?;
        let tariff = Arc::new(Tariff::new(&learner.layout.variables, &[]));
        let layer = |place: usize| {
            let mut off = vec![Block::default(); learner.layout.blocks()];
            for &class in &order[place + 1..] {
                for (off, others) in off.iter_mut().zip(&learner.classes[usize::from(class)]) {
                    off.iter_mut().zip(others).for_each(|(off, others)| *off |= others);
                }
            }
            let on = &learner.classes[usize::from(order[place])];
            LayerCover::new(LayerFunction { layout: &learner.layout, tariff: Arc::clone(&tariff), on, off })
        };
        let layers = (0..order.len() - 1).map(layer).collect();
        Ok(Learning { learner, options, layers, spent: 0, series: 0 })
    }

    /// Makes new covers of all layers.
    fn fill(&mut self) -> Result<()> {
        let tariff = self.tariff();
        for place in 0..self.layers.len() {
            let mut random = self.random();
            let cover = &mut self.layers[place];
            cover.clear(&tariff);
            cover.fill(&mut random);
            cover.irredundant();
            self.report()?;
        }
        Ok(())
    }

    /// Improves the layers until all work is spent or too few moves are left to try; then makes literals cheaper.
    fn improve(&mut self) -> Result<()> {
        let all = self.options.work;
        let mut gains = true;
        while self.spent < all && gains {
            let tariff = self.tariff();
            let weights: u64 = self.layers.iter().map(|cover| cover.cubes.len() as u64).sum();
            let share = (all - self.spent).min(all.div_ceil(SHARES));
            let before = self.spent;
            for place in 0..self.layers.len() {
                let temperature = TEMPERATURE * (1.0 - self.spent as f32 / all as f32);
                let mut random = self.random();
                let cover = &mut self.layers[place];
                let part = share * cover.cubes.len() as u64 / weights.max(1);
                cover.reprice(&tariff);
                self.spent += cover.improve(&mut random, part, temperature);
            }
            self.report()?;
            // Less is spent when all layers stop after many moves without gain.
            gains = self.spent - before > share / 4;
        }
        self.spent = self.spent.max(all);
        self.cheapen();
        Ok(())
    }

    fn cheapen(&mut self) {
        let tariff = self.tariff();
        for cover in &mut self.layers {
            cover.reprice(&tariff);
            cover.cheapen();
            debug_assert!(cover.is_right());
        }
    }

    /// Returns an unused sequence of random numbers.
    fn random(&mut self) -> Random {
        self.series += 1;
        Random::new(self.options.seed, self.series)
    }

    fn clauses(&self) -> Vec<Vec<Clause>> {
        self.layers.iter().map(LayerCover::clauses).collect()
    }

    fn bits(&self, clauses: &[Vec<Clause>]) -> f64 {
        total_bits(&self.learner.layout.variables.parts, &clauses.iter().flatten().collect::<Vec<_>>())
    }

    /// Returns the prices of the current list.
    fn tariff(&self) -> Arc<Tariff> {
        let clauses = self.clauses();
        Arc::new(Tariff::new(&self.learner.layout.variables, &clauses.iter().flatten().collect::<Vec<_>>()))
    }

    fn report(&self) -> Result<()> {
        let clauses = self.clauses();
        let count = clauses.iter().map(|layer| layer.len() as u64).sum();
        let progress = Progress::new("list", self.spent, self.options.work, "blocks looked at");
        Ok(self.options.progress.report(&progress.with_result(count, self.bits(&clauses)))?)
    }
}
