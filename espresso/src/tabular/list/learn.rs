//! The main loop: cover the samples, check all rows, complete the samples, improve.

use super::blocks::{Blocks, Findings};
use super::cover::Cover;
use super::dense::Dense;
use super::expand::{Contradiction, Ground, Scratch, Wish};
use super::planes::{Shape, ones};
use super::price::Tariff;
use super::run::{LayerWork, Run};
use super::sample::{Dice, Sample};
use super::{Clause, Layer, List, ListOptions, ListPrice};
use crate::cpu::Level;
use crate::error::{Error, ErrorKind, Result};
use crate::tabular::Rows;

/// Rows of a class in the first sample.
const FIRST_ROWS: u64 = 24_000;
/// Rows that a check may add to a sample at least, ON and OFF each.
const MORE_ROWS: usize = 3000;
/// Checks in a trial, each of all rows or of one share of them.
const TRIAL_CHECKS: usize = 3;
/// Parts into which the work is divided, with a check of all rows after each.
const ROUNDS: u64 = 10;

/// The rows of a function, made ready for the learning of lists in one order of the classes or in several.
pub struct Learner<'a> {
    blocks: Blocks<'a>,
    /// The function as bitmaps, where that is possible.
    dense: Option<Dense>,
    /// Rows of a class in the first sample.
    first_rows: u64,
}

impl std::fmt::Debug for Learner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Learner").field("held", &self.blocks.bytes()).finish_non_exhaustive()
    }
}

impl<'a> Learner<'a> {
    /// Visits all rows. A function of few minterms ([`has_few_minterms`](super::has_few_minterms)) is held as bitmaps, of
    /// a bit for each minterm and class: a few MiB. Other rows are held if they take no more than `memory` bytes, at one
    /// bit for each part of each variable but one; otherwise every check of a list visits them.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] when a variable has no parts or more than 64, or there is no variable.
    pub fn new(rows: &'a dyn Rows, memory: usize) -> Result<Self> {
        Self::with(rows, memory, super::has_few_minterms(rows.parts()))
    }

    /// As [`Learner::new`], with the choice of bitmaps left to the caller.
    pub(super) fn with(rows: &'a dyn Rows, memory: usize, as_bitmaps: bool) -> Result<Self> {
        let shape = shape_of(rows)?;
        let dense = if as_bitmaps { Dense::new(rows, &shape) } else { None };
        let memory = if dense.is_some() { 0 } else { memory };
        Ok(Learner { blocks: Blocks::new(rows, shape, memory), dense, first_rows: FIRST_ROWS })
    }

    /// Divides the rows into shares of about `share`, and begins with a sample of about `first` rows of each class.
    #[cfg(test)]
    pub(super) fn piecemeal(mut self, share: u64, first: u64) -> Self {
        (self.blocks.share, self.first_rows) = (share, first);
        self
    }

    #[cfg(test)]
    pub(super) fn holds_nothing(&self) -> bool {
        self.blocks.bytes() == 0
    }

    /// Number of rows of `class`.
    pub fn rows(&self, class: u8) -> u64 {
        self.blocks.counts[usize::from(class)]
    }

    /// Returns about how many bits the clauses of a list for `order` would cost: of one that is not right for all rows yet,
    /// or, on bitmaps, of one on whose improvement no work is spent. Good enough to choose an order by. As deterministic
    /// as [`Learner::learn`].
    ///
    /// # Errors
    /// As [`Learner::learn`]; a contradiction is found only if the sample has it.
    pub fn trial(&self, order: &[u8], price: &dyn ListPrice, options: &ListOptions<'_>) -> Result<f64> {
        if let Some(dense) = &self.dense {
            places_of(order, &self.blocks.counts)?;
            return dense.trial(order, price, options);
        }
        let mut sampling = Sampling::new(self, order, price, options)?;
        sampling.start(order)?;
        for check in 0..TRIAL_CHECKS {
            let clauses = sampling.run.clauses();
            let findings = sampling.check(&clauses, check % self.blocks.shares())?;
            sampling.correct(findings)?;
        }
        sampling.run.improve(options.work)?;
        Ok(sampling.run.bits(&sampling.run.clauses()))
    }

    /// Returns an ordered clause list that gives every row its class. `order` has the classes in the order in which
    /// their layers decide, the last is the default. The cost of the clauses, by `price`, is low, not least.
    ///
    /// Deterministic for any number of threads. Memory is that of the rows held and of a sample: tens of thousands of
    /// rows and what turns out to be hard. Time is mostly that of [`ListOptions::work`]; before that about a millisecond
    /// a clause for a function of hundreds of variables, and a few passes over all rows.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] when `order` is empty, names a class twice or lacks one that has rows;
    /// [`ErrorKind::Inconsistent`], naming both rows, when two rows with the same parts have different classes;
    /// [`ErrorKind::Cancelled`].
    ///
    /// # Example
    /// ```
    /// use espresso::tabular::list::{Adaptive, Learner, ListOptions};
    /// use espresso::tabular::{Row, Rows};
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
    ///     fn visit(&self, slice: usize, visit: &mut dyn FnMut(&dyn Row)) {
    ///         (0..8).for_each(|other| visit(&Men(slice as u8, other)));
    ///     }
    /// }
    ///
    /// let list = Learner::new(&Line, 1 << 20)?.learn(&[1, 0], &Adaptive, &ListOptions::default())?;
    /// assert_eq!(list.to_string(), "layer 1\nclause 2:3\ndefault 0\n");
    /// # Ok::<(), espresso::Error>(())
    /// ```
    ///
    /// # Source
    /// Rivest 1987, *Learning decision lists*, for the shape; Brayton et al. 1984 for the steps.
    pub fn learn(&self, order: &[u8], price: &dyn ListPrice, options: &ListOptions<'_>) -> Result<List> {
        let clauses = if let Some(dense) = &self.dense {
            places_of(order, &self.blocks.counts)?;
            dense.learn(order, price, options)?
        } else {
            let mut sampling = Sampling::new(self, order, price, options)?;
            sampling.start(order)?;
            sampling.finish()?
        };
        let layers = order.iter().zip(clauses).map(|(&class, clauses)| Layer { class, clauses }).collect();
        Ok(List { layers, default: order[order.len() - 1] })
    }
}

fn shape_of(rows: &dyn Rows) -> Result<Shape> {
    let parts = rows.parts();
    match parts.iter().position(|parts| !(1..=64).contains(parts)) {
        Some(at) => {
            let message = format!("variable {at} has {} parts; there may be 1 to 64", parts[at]);
            Err(Error::new(ErrorKind::Mismatch, message))
        }
        None if parts.is_empty() || parts.len() > usize::from(u16::MAX) => Err(Error::new(
            ErrorKind::Mismatch,
            format!("{} variables; there may be 1 to 65535", parts.len()),
        )),
        None => Ok(Shape::new(parts)),
    }
}

/// The place in the order of each class.
fn places_of(order: &[u8], counts: &[u64]) -> Result<Vec<usize>> {
    let mut places = vec![usize::MAX; 256];
    for (place, &class) in order.iter().enumerate() {
        if std::mem::replace(&mut places[usize::from(class)], place) != usize::MAX {
            return Err(Error::new(ErrorKind::Mismatch, format!("the order names class {class} twice")));
        }
    }
    match (0..256).find(|&class| counts[class] > 0 && places[class] == usize::MAX) {
        Some(class) => Err(Error::new(ErrorKind::Mismatch, format!("the order lacks class {class}"))),
        None if order.is_empty() => Err(Error::new(ErrorKind::Mismatch, "the order of the classes is empty")),
        None => Ok(places),
    }
}

/// One layer at work.
struct Work<'a> {
    level: Level,
    shape: &'a Shape,
    sample: Sample,
    cover: Cover,
}

impl Work<'_> {
    fn ground<'b>(&'b mut self, tariff: &'b Tariff) -> (Ground<'b>, &'b mut Cover) {
        let Work { level, shape, sample, cover } = self;
        (Ground { level: *level, shape, sample, tariff }, cover)
    }
}

impl LayerWork for Work<'_> {
    fn clauses(&self) -> Vec<Clause> {
        self.cover.clauses()
    }

    fn weight(&self) -> u64 {
        self.cover.literals()
    }

    fn sampled(&self) -> usize {
        self.sample.on.rows() + self.sample.off.rows()
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
        cover.irredundant();
    }
}

/// The learning of one list on samples of the rows.
struct Sampling<'a> {
    run: Run<'a, Work<'a>>,
    blocks: &'a Blocks<'a>,
    first_rows: u64,
    places: Vec<usize>,
}

impl<'a> Sampling<'a> {
    fn new(
        learner: &'a Learner<'a>,
        order: &[u8],
        price: &'a dyn ListPrice,
        options: &'a ListOptions<'a>,
    ) -> Result<Self> {
        let blocks = &learner.blocks;
        let places = places_of(order, &blocks.counts)?;
        let run = Run::new(&blocks.shape, price, options, Vec::new());
        Ok(Sampling { run, blocks, first_rows: learner.first_rows, places })
    }

    /// Draws the samples and covers them.
    fn start(&mut self, order: &[u8]) -> Result<()> {
        let drawn = self.blocks.draw(self.run.options.seed, self.first_rows);
        for place in 0..order.len() - 1 {
            let mut work = Work {
                level: Level::detect(),
                shape: self.run.shape,
                sample: Sample::default(),
                cover: Cover::default(),
            };
            let on = &drawn[usize::from(order[place])];
            work.sample.on.extend(self.run.shape, &on.numbers, &on.bytes);
            for &class in &order[place + 1..] {
                let off = &drawn[usize::from(class)];
                work.sample.off.extend(self.run.shape, &off.numbers, &off.bytes);
            }
            self.run.layers.push(work);
        }
        // Twice: the second time with prices that fit.
        for _ in 0..2 {
            let tariff = self.run.tariff();
            for place in 0..self.run.layers.len() {
                self.run.layers[place].cover = Cover::default();
                self.complete(place, &tariff)?;
            }
            self.run.report()?;
        }
        Ok(())
    }

    /// Checks, completes and improves until the work is done; returns the clauses of the best list that was right.
    fn finish(mut self) -> Result<Vec<Vec<Clause>>> {
        let mut best: Option<(f64, Vec<Vec<Clause>>)> = None;
        let mut goal = 0;
        // The share to be checked next, and how many in a row the clauses were right for.
        let (mut share, mut right) = (0, 0);
        loop {
            let clauses = self.run.clauses();
            let findings = self.check(&clauses, share)?;
            share = (share + 1) % self.blocks.shares();
            right = if self.run.wrong == Some(0) { right + 1 } else { 0 };
            if (1..self.blocks.shares()).contains(&right) {
                continue;
            }
            if right > 0 {
                right = 0;
                let bits = self.run.bits(&clauses);
                if best.as_ref().is_none_or(|&(least, _)| bits < least) {
                    best = Some((bits, clauses));
                }
                if self.run.spent >= self.run.options.work
                    || self.run.layers.iter().all(|work| work.cover.cubes.is_empty())
                {
                    return Ok(best.map(|(_, clauses)| clauses).unwrap_or_default());
                }
                goal += self.run.options.work.div_ceil(ROUNDS);
            }
            self.correct(findings)?;
            self.run.improve(goal)?;
        }
    }

    /// Holds the clauses against the rows of a share.
    fn check(&mut self, clauses: &[Vec<Clause>], share: usize) -> Result<Vec<Findings>> {
        let findings = self.blocks.check(Level::detect(), clauses, &self.places, share);
        self.run.wrong = Some(findings.iter().map(|found| found.wrong).sum());
        self.run.report()?;
        Ok(findings)
    }

    /// Adds to the samples what a check has found, and makes the covers right for them.
    fn correct(&mut self, findings: Vec<Findings>) -> Result<()> {
        let tariff = self.run.tariff();
        for (place, mut found) in findings.into_iter().enumerate() {
            let sample = &mut self.run.layers[place].sample;
            let most = MORE_ROWS.max((sample.on.rows() + sample.off.rows()) / 5);
            for (extract, side) in [(&mut found.on, &mut sample.on), (&mut found.off, &mut sample.off)] {
                extract.thin(self.run.shape, most);
                side.extend(self.run.shape, &extract.numbers, &extract.bytes);
            }
            self.complete(place, &tariff)?;
        }
        Ok(())
    }

    /// Makes the cover of a layer right for its sample: cubes that match OFF rows give way to smaller ones, and what is
    /// not covered is covered.
    fn complete(&mut self, place: usize, tariff: &Tariff) -> Result<()> {
        let mut dice = self.run.dice();
        let (ground, cover) = self.run.layers[place].ground(tariff);
        cover.renew(&ground);
        let mut active = Vec::new();
        let mut broken = Vec::new();
        for number in (0..cover.cubes.len()).rev() {
            let literals = &cover.cubes[number].literals;
            if ground.sample.off.planes.select(ground.level, ground.shape, literals, &mut active) > 0 {
                broken.push(cover.remove(number));
            }
        }
        let open = cover.uncovered();
        let mut scratch = Scratch::default();
        let mut work = 0;
        let mut pool = Vec::new();
        for cube in broken {
            // One smaller cube in its place, around some row that is uncovered without it.
            let target: Vec<u64> = open.iter().zip(&cube.cover).map(|(open, rows)| open & rows).collect();
            if ones(ground.level, &target) == 0 {
                continue;
            }
            let Some(seed) = super::improve::pick(&target, ones(ground.level, &target), &mut dice) else {
                continue;
            };
            let wish = Wish { seed, target: &target, start: &cube.literals, temper: 0.5 };
            match ground.grow(wish, &mut dice, &mut scratch, &mut work) {
                Ok(cube) => pool.push(cube),
                Err(found) => return Err(contradiction(ground.sample, found)),
            }
        }
        let done = cover.fill(&ground, pool, &mut dice, &mut work);
        done.map_err(|found| contradiction(ground.sample, found))?;
        cover.irredundant();
        Ok(())
    }
}

fn contradiction(sample: &Sample, found: Contradiction) -> Error {
    let (on, off) = (sample.on.numbers[found.on], sample.off.numbers[found.off]);
    let message =
        format!("rows {} and {} have the same parts and different classes", on.min(off), on.max(off));
    Error::new(ErrorKind::Inconsistent, message)
}
