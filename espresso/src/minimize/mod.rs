//! Runs the steps in sequence, as the `espresso` program does.
//!
//! The loop is that of Brayton et al. 1984, figure 4.2.1: expand, irredundant and essential once; then reduce, expand and
//! irredundant until neither cubes nor literals fall; then a last gasp, and the loop again while that gains; at the end
//! make sparse. Departures: a compaction comes first, as in Gomboc and Shelton's paper. The steps can run in any sequence.
//! Effort is limited in work units. For functions with few enough minterms, the loop begins with F as it was before the
//! compaction, and ends when it gains slowly. Large neighbourhood searches follow, which gain more in the same time.
//! New bytes: other limits or another sequence make another cover. Free: `stopwatch`.

mod effort;
mod function;
#[cfg(test)]
mod laws;
pub mod memory;
mod phase;
mod split_outputs;
mod stopwatch;
#[cfg(test)]
mod tests;

use crate::care::care_set::{CareSet, Uncovered};
use crate::care::cube_index::BlockingIndex;
use crate::cube::calculus::Calculus;
use crate::steps::budget::{Budget, StageBudget};
use crate::steps::compact::{compact_with, may_merge};
use crate::steps::complement::sharp_within;
use crate::steps::essential::essential;
use crate::steps::exact::{self, minimum};
use crate::steps::expand::{FEW_GUIDES, Seeds, expand};
use crate::steps::expand_without_off::{MOST_OUTPUTS, expand_without_off};
use crate::steps::irredundant::irredundant;
use crate::steps::large_neighbourhood_search::large_neighbourhood_search;
use crate::steps::last_gasp::last_gasp;
use crate::steps::make_sparse::make_sparse;
use crate::steps::reduce::{Order, reduce};
use crate::steps::step_context::StepContext;
use crate::steps::super_gasp::super_gasp;
use crate::{Cover, Error, ErrorKind, Function, Monitor, Result};
use effort::{Effort, Source};
use split_outputs::{MOST_OUTPUTS_SPLIT, outputs, split_outputs};
use std::cell::OnceCell;
use stopwatch::Stopwatch;

pub use crate::steps::step::Step;
pub use effort::{DEFAULT_EFFORT, EFFORTS};
pub use phase::{Phased, minimize_all_phases, minimize_each_output, minimize_phases};

/// Searches between two rounds in random order.
const SEARCHES_A_ROUND: usize = 2;
/// With a truth table, a round or last gasp that saves less than one in this many cubes is the last.
const WORTH_A_ROUND: usize = 100;
/// At low effort, no searches follow if less than one in this many cubes could be saved.
const WORTH_SEARCHES: usize = 16;
/// For a cover of up to this many cubes, R is not sorted before it is indexed: that would take longer than it saves.
const FEW_SEEDS: usize = 64;
/// Limit on the cubes of a cover for the exact step in the loop: for more, its effort is too small to help.
const MOST_CUBES_EXACT: usize = 5000;

/// Work limits if R is not listed and no budget is given, since both could take too long: words of cubes tested in all; and
/// cubes tested in one query.
const MOST_WORDS_WITHOUT_OFF: u64 = 1 << 33;
const MAX_QUERY_WORK: u64 = 1 << 24;

/// The steps, effort and budget of a minimization.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The effort of the loop, one of [`EFFORTS`]; the step [`Step::Exact`] has no such limit.
    pub effort: u8,
    /// Whether the loop uses the super gasp in place of the last gasp.
    pub is_strong: bool,
    /// Limit on work units; a unit is one cube tested. The default is no limit, except for functions without a listed R
    /// ([`Function::rest_is_off`]): 2^33 words of cubes.
    pub budget: Option<u64>,
    /// Called now and then, from any thread; it can cancel.
    pub progress: Monitor<'a>,
    /// Whether a cancelled minimization ends like one whose budget is used up, with the best cover so far.
    pub best_if_cancelled: bool,
}

impl Default for Options<'_> {
    /// Compaction and the loop, without a limit.
    fn default() -> Self {
        Options {
            steps: vec![Step::Compact, Step::Loop],
            effort: DEFAULT_EFFORT,
            is_strong: false,
            budget: None,
            progress: Monitor::default(),
            best_if_cancelled: false,
        }
    }
}

/// The report on one executed step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize))]
#[non_exhaustive]
pub struct StepReport {
    /// The step.
    pub step: Step,
    /// Cubes of the cover before it, including essential primes set aside.
    pub cubes_in: usize,
    /// Cubes of the cover after it.
    pub cubes_out: usize,
    /// Literals of the cover after it, counted as in [`Cover::literals`].
    pub literals: usize,
    /// Its duration in seconds; zero in a browser, where the standard library has no clock.
    pub seconds: f64,
}

/// The report on a minimization.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The executed steps in order, those of the loop one by one.
    pub steps: Vec<StepReport>,
    /// Whether a step ended early because of the budget, or of the work limits for functions without a listed R.
    pub exhausted: bool,
    /// A lower bound on the cubes of every cover, if known. A result with as many cubes is a minimum.
    pub lower_bound: Option<usize>,
}

/// Minimizes `function` by the steps of `options`. Returns a cover C, with F - D inside C and C inside F + D, and a report.
///
/// The function must be consistent (see [`Function`]). Its covers must cover the whole space, unless the rest is in D
/// ([`Function::rest_is_dc`]). In that case C does not meet R - D, each cube of F - D is inside one cube of C, D is never
/// computed, and [`Step::Essential`] does nothing. This suits functions given by minterms.
///
/// With [`Function::rest_is_off`], the loop consists of the steps that do not need R: expand and irredundant and, for up to
/// 256 outputs, essential and reduce, at any effort. A query over the work limit leaves the cube
/// unchanged, and there is a limit on all work even without a budget.
///
/// When the budget is used up, the current step is given up. The result is then the best cover at the end of a step, by
/// cubes, then literals; or F itself if no step has ended. An exhausted budget is never an error. Deterministic for any
/// number of threads, with and without a budget.
///
/// # Errors
/// [`ErrorKind::Cancelled`] if the progress callback breaks, unless the best cover is wanted then
/// ([`Options::best_if_cancelled`]); [`ErrorKind::Mismatch`] if the three covers are over different
/// spaces; [`ErrorKind::Unsupported`] if R - D does not fit into memory, or a step needs R and it is not listed.
pub fn minimize(function: &Function, options: &Options<'_>) -> Result<(Cover, Report)> {
    if function.on.space() != function.dc.space() || function.on.space() != function.off.space() {
        return Err(Error::new(ErrorKind::Mismatch, "the ON-, DC- and OFF-set are over different spaces"));
    }
    let limit = options.budget.or(most_work(function));
    let budget = Budget::in_memory(limit, options.progress);
    let mut session = Session::new(function, &budget, options);
    let outcome = session.follow(&options.steps);
    session.report.lower_bound = session.lower_bound.filter(|_| session.bounds_minterms());
    session.report.exhausted = budget.is_cut_short();
    let keeps_best = |kind| match kind {
        ErrorKind::BudgetExhausted => true,
        ErrorKind::Cancelled => options.best_if_cancelled,
        _ => false,
    };
    match outcome {
        Err(error) if keeps_best(error.kind()) => {
            session.report.exhausted = true;
            Ok((session.best, session.report))
        }
        outcome => outcome.map(|()| (session.whole(), session.report)),
    }
}

/// The work limit for this function if no budget is given.
fn most_work(function: &Function) -> Option<u64> {
    function.rest_is_off.then(|| MOST_WORDS_WITHOUT_OFF / function.on.space().words() as u64)
}

struct Session<'a> {
    budget: &'a Budget<'a>,
    /// The cover, without the essential primes set aside.
    on: Cover,
    /// For each cube, whether it is known to be a prime.
    primes: Vec<bool>,
    /// Whether all of them are primes: after EXPAND, and after steps that only add primes.
    is_expanded: bool,
    essential: Cover,
    /// Whether those were primes when they were set aside, so that every cover contains them.
    are_essential: bool,
    /// F, D and R as given, or compacted. Essential primes set aside are appended to D.
    sets: Function,
    /// The cover before the last step, if that was a compaction, nothing was set aside and few outputs are listed.
    uncompacted: Option<Cover>,
    /// The cubes that must be covered, F - D, if the complement of F and R is D.
    required: Option<Cover>,
    /// The care set, as a truth table if one is worthwhile; made when first needed.
    care_set: OnceCell<Option<CareSet>>,
    /// The index of R - D, computed when first needed.
    blocking: OnceCell<BlockingIndex>,
    order: Order,
    /// Random orders drawn so far.
    draws: u64,
    best: Cover,
    effort: Effort,
    /// The gasp at the end of the loop.
    gasp: Step,
    /// The effort of the next exact step.
    exact: exact::Effort,
    lower_bound: Option<usize>,
    report: Report,
}

/// A round of the loop.
const ROUND: [Step; 3] = [Step::Reduce, Step::Expand, Step::Irredundant];

/// Whether `a` costs less than `b`; literals are counted only if the cubes are equal in number.
fn is_better(a: &Cover, b: &Cover) -> bool {
    a.len().cmp(&b.len()).then_with(|| a.literals().cmp(&b.literals())).is_lt()
}

impl<'a> Session<'a> {
    fn new(function: &Function, budget: &'a Budget<'a>, options: &Options<'_>) -> Self {
        Session {
            budget,
            on: function.on.clone(),
            primes: vec![false; function.on.len()],
            essential: Cover::new(function.on.space()),
            is_expanded: false,
            are_essential: true,
            sets: function.clone(),
            uncompacted: None,
            required: None,
            care_set: OnceCell::new(),
            blocking: OnceCell::new(),
            order: Order::NearLargest,
            draws: 0,
            best: function.on.clone(),
            effort: Effort::of(options.effort),
            gasp: if options.is_strong { Step::SuperGasp } else { Step::LastGasp },
            exact: Effort::whole(),
            lower_bound: None,
            report: Report::default(),
        }
    }

    fn follow(&mut self, steps: &[Step]) -> Result<()> {
        if self.sets.rest_is_dc {
            self.required = Some(sharp_within(&self.on, &self.sets.dc, self.budget)?);
        }
        steps.iter().try_for_each(|&step| match step {
            Step::Loop => self.classical_loop(),
            _ => self.run(step),
        })
    }

    fn whole(&self) -> Cover {
        self.on.with(&self.essential)
    }

    fn run(&mut self, step: Step) -> Result<()> {
        let stopwatch = Stopwatch::start();
        let cubes_in = self.on.len() + self.essential.len();
        self.execute(step, &Calculus::new(self.on.space()))?;
        let whole = self.whole();
        self.report.steps.push(StepReport {
            step,
            cubes_in,
            cubes_out: whole.len(),
            literals: whole.literals(),
            seconds: stopwatch.seconds(),
        });
        if is_better(&whole, &self.best) {
            self.best = whole;
        }
        Ok(())
    }

    fn execute(&mut self, step: Step, calculus: &Calculus) -> Result<()> {
        let budget = self.budget.of_cubes(step.name(), self.on.len());
        budget.spend(0, 0)?;
        self.uncompacted = None;
        match step {
            Step::Compact => {
                self.restore_dc();
                let is_kept = self.essential.is_empty() && outputs(&self.on) <= MOST_OUTPUTS_SPLIT;
                self.uncompacted = is_kept.then(|| self.on.clone());
                let off = Some(&mut self.sets.off).filter(|off| may_merge(calculus, off));
                for cover in [&mut self.on, &mut self.sets.dc].into_iter().chain(off) {
                    compact_with(cover, self.budget.monitor())?;
                }
                self.sets.on = self.on.clone();
                self.sets.dc.extend(&self.essential);
                self.primes = vec![false; self.on.len()];
                self.blocking = OnceCell::new();
            }
            Step::Expand if self.sets.rest_is_off => {
                self.on = expand_without_off(&self.context(calculus, budget), &self.on)?;
                self.primes = vec![false; self.on.len()];
            }
            Step::Expand => {
                // In a reduced cover, every cube has minterms of its own.
                let context = self.context(calculus, budget);
                let open = context.care_set.filter(|_| !self.primes.contains(&true)).map(Uncovered::new);
                let guides = self.required.is_some().then_some(FEW_GUIDES);
                let seeds = Seeds { primes: Some(&self.primes), open, guides, ..Seeds::default() };
                self.on = expand(&context, &self.on, seeds, self.blocking(calculus)?)?;
                self.primes = vec![true; self.on.len()];
            }
            Step::Essential => self.set_aside_essential(calculus, budget)?,
            Step::Irredundant => {
                let kept = irredundant(&self.context(calculus, budget), self.on.clone())?;
                self.replace(kept);
            }
            Step::Reduce => {
                let (reduced, same) = reduce(&self.context(calculus, budget), &self.on, self.order)?;
                self.order = self.order.other();
                self.on = reduced;
                self.primes = same;
            }
            Step::LastGasp | Step::SuperGasp => {
                let gasp = if step == Step::LastGasp { last_gasp } else { super_gasp };
                let gained = gasp(&self.context(calculus, budget), &self.on, self.blocking(calculus)?)?;
                self.replace(gained);
            }
            Step::LargeNeighbourhoodSearch => {
                self.draws += 1;
                let (context, off) = (self.context(calculus, budget), self.blocking(calculus)?);
                let found = large_neighbourhood_search(&context, &self.on, &self.sets.on, off, self.draws)?;
                found.into_iter().for_each(|found| self.replace(found));
            }
            Step::Exact => self.look_for_minimum(calculus, budget)?,
            Step::MakeSparse => {
                let are_primes = self.is_expanded && self.are_essential;
                self.restore_essential();
                let (context, off) = (self.context(calculus, budget), self.blocking(calculus)?);
                let sparse = make_sparse(&context, &self.on, off, are_primes)?;
                self.replace(sparse);
            }
            Step::Loop => self.classical_loop()?,
        }
        match step {
            Step::Expand => self.is_expanded = true,
            Step::Compact | Step::Reduce | Step::MakeSparse | Step::Loop => self.is_expanded = false,
            _ => {}
        }
        Ok(())
    }

    fn set_aside_essential(&mut self, calculus: &Calculus, budget: StageBudget<'_>) -> Result<()> {
        let found = essential(&self.context(calculus, budget), &self.on)?;
        self.are_essential &= self.is_expanded;
        let mut essential = self.on.clone();
        essential.retain(|i, _| found[i]);
        if let Some(Some(care_set)) = self.care_set.get_mut() {
            care_set.add_dont_cares(&essential);
        }
        self.sets.dc.extend(&essential);
        self.essential.extend(&essential);
        self.on.retain(|i, _| !found[i]);
        let left = self.primes.iter().zip(&found).filter(|&(_, &found)| !found);
        self.primes = left.map(|(&prime, _)| prime).collect();
        Ok(())
    }

    fn look_for_minimum(&mut self, calculus: &Calculus, budget: StageBudget<'_>) -> Result<()> {
        let (context, off) = (self.context(calculus, budget), self.blocking(calculus)?);
        let found = minimum(&context, &self.on, off, &self.exact)?;
        let lower = found.lower + self.essential.len();
        if self.are_essential {
            self.lower_bound = self.lower_bound.max(Some(lower));
        }
        if found.cover != self.on {
            self.replace(found.cover);
        }
        Ok(())
    }

    /// Replaces the cover by one without known properties.
    fn replace(&mut self, on: Cover) {
        self.primes = vec![false; on.len()];
        self.on = on;
    }

    fn care_set(&self) -> Option<&CareSet> {
        let care_set = self.care_set.get_or_init(|| match &self.required {
            Some(required) => Some(CareSet::of_on_cubes(required)),
            None => CareSet::new(&self.on, &self.sets.dc),
        });
        care_set.as_ref()
    }

    fn source(&self) -> Source {
        match self.care_set() {
            _ if self.required.is_some() => Source::OnCubes,
            Some(_) => Source::Table,
            None => Source::Lists,
        }
    }

    /// The context of a step: the don't-cares are D and the essential primes set aside.
    fn context<'s>(&'s self, calculus: &'s Calculus, budget: StageBudget<'s>) -> StepContext<'s> {
        // With wide cubes the work limit is low, and one query must not use all of it.
        let query_limit = most_work(&self.sets).map_or(u64::MAX, |most| MAX_QUERY_WORK.min(most / 4));
        StepContext { calculus, dc: &self.sets.dc, care_set: self.care_set(), budget, query_limit }
    }

    /// Restores D to its state before essential primes were set aside.
    fn restore_dc(&mut self) {
        let without = self.sets.dc.len() - self.essential.len();
        self.sets.dc.retain(|i, _| i < without);
        self.are_essential = true;
        self.care_set = OnceCell::new();
    }

    /// Returns the essential primes that were set aside to the cover.
    fn restore_essential(&mut self) {
        let whole = self.whole();
        self.restore_dc();
        self.essential = Cover::new(whole.space());
        self.replace(whole);
    }

    fn blocking(&self, calculus: &Calculus) -> Result<&BlockingIndex> {
        if let Some(index) = self.blocking.get() {
            return Ok(index);
        }
        if self.sets.rest_is_off {
            let why = "this step needs the OFF-set as a list, which has too many cubes";
            return Err(Error::new(ErrorKind::Unsupported, why));
        }
        let off = sharp_within(&self.sets.off, &self.sets.dc, self.budget)?;
        let (off, are_few) = (off.as_words(), self.on.len() <= FEW_SEEDS);
        Ok(self.blocking.get_or_init(|| BlockingIndex::for_queries(calculus, off, are_few)))
    }

    /// The loop, whose result is never worse than its start. With a truth table it begins before the compaction if that cover
    /// is kept: compaction has decided already which minterms go together, and EXPAND decides better. If its rounds end with
    /// more cubes, splitting the outputs has lost too much, and the loop starts again without splitting.
    fn classical_loop(&mut self) -> Result<()> {
        let uncompacted = self.uncompacted.take();
        self.restore_essential();
        let begin = self.on.clone();
        if let (Source::Table, Some(mut on)) = (self.source(), uncompacted) {
            on.normalize();
            self.replace(on);
        }
        if let Some(split) = split_outputs(&self.on) {
            self.replace(split);
        }
        self.iterate()?;
        if begin.len() < self.on.len() + self.essential.len() {
            self.restore_essential();
            self.replace(begin.clone());
            self.iterate()?;
        }
        self.finish()?;
        if is_better(&begin, &self.on) {
            self.replace(begin);
        }
        Ok(())
    }

    /// Whether there is only the list of F, with too many outputs for essential primes and reduction, which then take time
    /// quadratic in their number.
    fn is_short(&self) -> bool {
        self.sets.rest_is_off && self.on.space().outputs() > MOST_OUTPUTS
    }

    /// Berkeley's loop: expand, irredundant, essential primes; then reduce, expand, irredundant while the cost falls; and again
    /// after each gasp that lowers the cost.
    fn iterate(&mut self) -> Result<()> {
        self.run(Step::Expand)?;
        self.run(Step::Irredundant)?;
        if self.is_short() {
            return Ok(());
        }
        self.run(Step::Essential)?;
        loop {
            while self.lowers_cost(&ROUND)? {}
            if self.sets.rest_is_off || !self.lowers_cost(&[self.gasp])? {
                return Ok(());
            }
        }
    }

    /// The exact step, searches and make sparse.
    fn finish(&mut self) -> Result<()> {
        if self.sets.rest_is_off {
            self.restore_essential();
            return Ok(());
        }
        self.find_minimum()?;
        if !self.is_near_minimum() {
            self.search_neighbourhoods()?;
        }
        self.run(Step::MakeSparse)
    }

    /// The exact step, with the effort of the loop.
    fn find_minimum(&mut self) -> Result<()> {
        if let Some(mut exact) = self.effort.exact.filter(|_| self.on.len() <= MOST_CUBES_EXACT) {
            if let Some(share) = self.effort.share {
                let most = share.exact(self.budget.spent(), self.source());
                exact.work = most.min(exact.work);
                exact.search = 2 * exact.work;
            }
            let whole = std::mem::replace(&mut self.exact, exact);
            self.run(Step::Exact)?;
            self.exact = whole;
        }
        Ok(())
    }

    /// Whether the cover is a minimum; at low effort, whether the searches could only save a small share of its cubes.
    fn is_near_minimum(&self) -> bool {
        let cubes = self.on.len() + self.essential.len();
        let worth = if self.effort.share.is_some() { WORTH_SEARCHES } else { usize::MAX };
        self.lower_bound
            .is_some_and(|lower| cubes.saturating_sub(lower).saturating_mul(worth) <= self.on.len())
    }

    /// Whether the cubes to be covered are minterms. Otherwise each cube of F is covered as a whole, which may take more cubes,
    /// so that a lower bound for it is none for all covers.
    fn bounds_minterms(&self) -> bool {
        self.required.as_ref().is_none_or(function::is_minterms)
    }

    /// Cubes of the cover after the last step, then literals, those of the essential primes among them.
    fn last_cost(&self) -> (usize, usize) {
        (self.on.len(), self.report.steps.last().map_or(0, |last| last.literals))
    }

    /// Runs `steps`. Returns whether the cost has fallen enough to run them again.
    fn lowers_cost(&mut self, steps: &[Step]) -> Result<bool> {
        let before = self.last_cost();
        steps.iter().try_for_each(|&step| self.run(step))?;
        let after = self.last_cost();
        let little = self.care_set().is_some() && before.0 < after.0 + before.0 / WORTH_A_ROUND;
        Ok(after < before && !little)
    }

    /// Large neighbourhood searches, with a round in random order and a last gasp after every few, until several in a row have
    /// not led to fewer cubes.
    fn search_neighbourhoods(&mut self) -> Result<()> {
        if self.care_set().is_none() {
            return Ok(());
        }
        let mut best = self.on.clone();
        let mut vain = 0;
        let spent = self.budget.spent();
        let most = self
            .effort
            .share
            .map_or(u64::MAX, |share| spent.saturating_add(share.searches(spent, self.source())));
        for number in 1..=self.effort.searches {
            self.run(Step::LargeNeighbourhoodSearch)?;
            if number % SEARCHES_A_ROUND == 0 {
                self.order = Order::Shuffled(self.draws);
                self.lowers_cost(&ROUND)?;
                self.run(Step::LastGasp)?;
            }
            vain = if self.on.len() < best.len() { 0 } else { vain + 1 };
            if is_better(&self.on, &best) {
                best.clone_from(&self.on);
            }
            // Most is gained by the round after searches.
            let is_over = number % SEARCHES_A_ROUND == 0 && self.budget.spent() >= most;
            if vain == self.effort.searches_in_vain || is_over {
                break;
            }
        }
        self.replace(best);
        Ok(())
    }
}
