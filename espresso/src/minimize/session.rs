//! The state between steps, and the execution of single steps.

use super::effort::Effort;
use super::function::is_minterms;
use super::split_outputs::MOST_OUTPUTS_SPLIT;
use super::strategy::{Blocking, Coverage, Strategy};
use super::{Options, Report, Step, StepReport, is_better, most_work};
use crate::coverage::coverage_table::CoverageTable;
use crate::coverage::cube_index::BlockingIndex;
use crate::cube::cube_algebra::CubeAlgebra;
use crate::steps::budget::Budget;
use crate::steps::compact::{compact_with, may_merge};
use crate::steps::complement::sharp_limited;
use crate::steps::essential::essential;
use crate::steps::exact::{self, minimum};
use crate::steps::expand::{FEW_GUIDES, Seeds, expand};
use crate::steps::expand_without_off::expand_without_off;
use crate::steps::irredundant::irredundant;
use crate::steps::large_neighbourhood_search::large_neighbourhood_search;
use crate::steps::last_gasp::last_gasp;
use crate::steps::make_sparse::make_sparse;
use crate::steps::reduce::{Order, reduce};
use crate::steps::step_context::StepContext;
use crate::steps::super_gasp::super_gasp;
use crate::{Cover, Error, ErrorKind, Function, Rest, Result};
use std::cell::OnceCell;
use std::time::Instant;

/// In WebAssembly without a system there is no clock, and reading it aborts the program. Steps then take no time.
const HAS_CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Limit on the cubes tested in one query if R is not listed.
const MAX_QUERY_WORK: u64 = 1 << 24;

pub(super) struct Session<'a> {
    pub(super) budget: &'a Budget<'a>,
    /// The cover, without the essential primes set aside.
    pub(super) on: Cover,
    /// For each cube, whether it is known to be a prime.
    primes: Vec<bool>,
    /// Whether all cubes are primes: after EXPAND, and after steps that only add primes.
    is_expanded: bool,
    pub(super) essential: Cover,
    /// Whether the cubes set aside were primes at that time, so that every cover of primes contains them.
    are_essential: bool,
    /// F, D and R as given, or compacted. Essential primes set aside are appended to D.
    pub(super) sets: Function,
    /// The cover before the last step, if the step was a compaction, nothing was set aside and few outputs are listed.
    pub(super) uncompacted: Option<Cover>,
    /// The cubes that must be covered, F - D, if D is the complement of F and R.
    required: Option<Cover>,
    /// Chosen when a step first needs it.
    strategy: OnceCell<Strategy>,
    /// The coverage table of the strategy, made when first needed; `None` with lists.
    coverage: OnceCell<Option<CoverageTable>>,
    /// The index of R - D, computed when first needed.
    blocking: OnceCell<BlockingIndex>,
    pub(super) order: Order,
    /// Random orders drawn so far.
    pub(super) draws: u64,
    best: Cover,
    pub(super) effort: Effort,
    /// The gasp at the end of the loop.
    pub(super) gasp: Step,
    /// The effort of the next exact step.
    pub(super) exact: exact::Effort,
    pub(super) lower_bound: Option<usize>,
    pub(super) report: Report,
}

impl<'a> Session<'a> {
    pub(super) fn new(function: &Function, budget: &'a Budget<'a>, options: &Options<'_>) -> Self {
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
            strategy: OnceCell::new(),
            coverage: OnceCell::new(),
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

    pub(super) fn follow(&mut self, steps: &[Step]) -> Result<()> {
        if self.sets.rest == Rest::Dc {
            self.required = Some(sharp_limited(&self.on, &self.sets.dc, self.budget)?);
        }
        steps.iter().try_for_each(|&step| match step {
            Step::Loop => self.classical_loop(),
            _ => self.run(step),
        })
    }

    /// The cover, the best cover so far, and the report.
    pub(super) fn finish(self) -> (Cover, Cover, Report) {
        // A cube of F that is no minterm is covered as a whole, which may take more cubes: other covers may be below the bound.
        let bounds_all = self.required.as_ref().is_none_or(is_minterms);
        let lower_bound = self.lower_bound.filter(|_| bounds_all);
        let strategy = self.strategy.get().copied();
        (self.whole(), self.best, Report { lower_bound, strategy, ..self.report })
    }

    fn whole(&self) -> Cover {
        self.on.with(&self.essential)
    }

    pub(super) fn run(&mut self, step: Step) -> Result<()> {
        let start = HAS_CLOCK.then(Instant::now);
        let cubes_in = self.on.len() + self.essential.len();
        self.execute(step, &CubeAlgebra::new(self.on.space()))?;
        let whole = self.whole();
        self.report.steps.push(StepReport {
            step,
            cubes_in,
            cubes_out: whole.len(),
            literals: whole.literals(),
            seconds: start.map_or(0.0, |start| start.elapsed().as_secs_f64()),
        });
        if is_better(&whole, &self.best) {
            self.best = whole;
        }
        Ok(())
    }

    fn execute(&mut self, step: Step, algebra: &CubeAlgebra) -> Result<()> {
        self.budget.of_cubes(step.name(), self.on.len()).spend(0, 0)?;
        self.uncompacted = None;
        match step {
            Step::Compact => self.compact(algebra)?,
            Step::Expand if self.strategy().blocking == Blocking::Tautology => {
                self.on = expand_without_off(&self.context(algebra, step)?, &self.on)?;
                self.primes = vec![false; self.on.len()];
            }
            Step::Expand => {
                // In a reduced cover, every cube has minterms of its own.
                let context = self.context(algebra, step)?;
                let coverage = context.coverage.filter(|_| !self.primes.contains(&true));
                let guides = self.required.is_some().then_some(FEW_GUIDES);
                let seeds = Seeds { primes: Some(&self.primes), coverage, guides, ..Seeds::default() };
                self.on = expand(&context, &self.on, seeds)?;
                self.primes = vec![true; self.on.len()];
            }
            Step::Essential => self.set_aside_essential(algebra)?,
            Step::Irredundant => {
                let kept = irredundant(&self.context(algebra, step)?, self.on.clone())?;
                self.replace(kept);
            }
            Step::Reduce => {
                let (reduced, same) = reduce(&self.context(algebra, step)?, &self.on, self.order)?;
                self.order = self.order.other();
                self.on = reduced;
                self.primes = same;
            }
            Step::LastGasp | Step::SuperGasp => {
                let gasp = if step == Step::LastGasp { last_gasp } else { super_gasp };
                let gained = gasp(&self.context(algebra, step)?, &self.on)?;
                self.replace(gained);
            }
            Step::LargeNeighbourhoodSearch => {
                self.draws += 1;
                let context = self.context(algebra, step)?;
                let found = large_neighbourhood_search(&context, &self.on, &self.sets.on, self.draws)?;
                found.into_iter().for_each(|found| self.replace(found));
            }
            Step::Exact => self.look_for_minimum(algebra)?,
            Step::MakeSparse => {
                let are_primes = self.is_expanded && self.are_essential;
                self.restore_essential();
                let sparse = make_sparse(&self.context(algebra, step)?, &self.on, are_primes)?;
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

    fn compact(&mut self, algebra: &CubeAlgebra) -> Result<()> {
        self.restore_dc();
        self.strategy = OnceCell::new();
        let is_kept = self.essential.is_empty() && self.on.output_literals() <= MOST_OUTPUTS_SPLIT;
        self.uncompacted = is_kept.then(|| self.on.clone());
        let off = Some(&mut self.sets.off).filter(|off| may_merge(algebra, off));
        for cover in [&mut self.on, &mut self.sets.dc].into_iter().chain(off) {
            compact_with(cover, self.budget.monitor())?;
        }
        self.sets.on = self.on.clone();
        self.sets.dc.extend(&self.essential);
        self.primes = vec![false; self.on.len()];
        self.blocking = OnceCell::new();
        Ok(())
    }

    fn set_aside_essential(&mut self, algebra: &CubeAlgebra) -> Result<()> {
        let found = essential(&self.context(algebra, Step::Essential)?, &self.on)?;
        self.are_essential &= self.is_expanded;
        let essential = self.on.chosen(|i| found[i]);
        if let Some(Some(coverage)) = self.coverage.get_mut() {
            coverage.add_dont_cares(&essential);
        }
        self.sets.dc.extend(&essential);
        self.essential.extend(&essential);
        self.on.retain(|i, _| !found[i]);
        let left = self.primes.iter().zip(&found).filter(|&(_, &found)| !found);
        self.primes = left.map(|(&prime, _)| prime).collect();
        Ok(())
    }

    fn look_for_minimum(&mut self, algebra: &CubeAlgebra) -> Result<()> {
        let found = minimum(&self.context(algebra, Step::Exact)?, &self.on, &self.exact)?;
        let lower = found.lower + self.essential.len();
        if self.are_essential {
            self.lower_bound = self.lower_bound.max(Some(lower));
        }
        if found.cover != self.on {
            self.replace(found.cover);
        }
        Ok(())
    }

    /// Replaces the cover by a cover whose primes are not known.
    pub(super) fn replace(&mut self, on: Cover) {
        self.primes = vec![false; on.len()];
        self.on = on;
    }

    pub(super) fn strategy(&self) -> Strategy {
        *self.strategy.get_or_init(|| Strategy::new(&self.sets, &self.on))
    }

    fn coverage(&self) -> Option<&CoverageTable> {
        let coverage = self.coverage.get_or_init(|| match (self.strategy().coverage, &self.required) {
            (Coverage::OnCubes, Some(required)) => Some(CoverageTable::of_on_cubes(required)),
            (Coverage::TruthTable, _) => CoverageTable::new(&self.on, &self.sets.dc),
            _ => None,
        });
        coverage.as_ref()
    }

    /// The context of a step: the don't-cares are D and the essential primes set aside.
    fn context<'s>(&'s self, algebra: &'s CubeAlgebra, step: Step) -> Result<StepContext<'s>> {
        use Step::{Exact, Expand, LargeNeighbourhoodSearch, LastGasp, MakeSparse, SuperGasp};
        let (is_listed, name) = (self.strategy().blocking == Blocking::OffCubes, step.name());
        let off = match step {
            Expand if !is_listed => None,
            Exact | Expand | LargeNeighbourhoodSearch | LastGasp | MakeSparse | SuperGasp => {
                Some(self.blocking(algebra)?)
            }
            _ => None,
        };
        // With wide cubes the work limit is low, and one query must not use all of it.
        let query_limit = most_work(&self.sets).map_or(u64::MAX, |most| MAX_QUERY_WORK.min(most / 4));
        let budget = self.budget.of_cubes(name, self.on.len());
        Ok(StepContext { algebra, dc: &self.sets.dc, coverage: self.coverage(), off, budget, query_limit })
    }

    /// Restores D to its state before essential primes were set aside.
    fn restore_dc(&mut self) {
        let without = self.sets.dc.len() - self.essential.len();
        self.sets.dc.retain(|i, _| i < without);
        self.are_essential = true;
        self.coverage = OnceCell::new();
    }

    /// Returns the essential primes that were set aside to the cover.
    pub(super) fn restore_essential(&mut self) {
        let whole = self.whole();
        self.restore_dc();
        self.essential = Cover::new(whole.space());
        self.replace(whole);
    }

    fn blocking(&self, algebra: &CubeAlgebra) -> Result<&BlockingIndex> {
        if let Some(index) = self.blocking.get() {
            return Ok(index);
        }
        if self.strategy().blocking == Blocking::Tautology {
            let why = "this step needs the OFF-set as a list, which has too many cubes";
            return Err(Error::new(ErrorKind::Unsupported, why));
        }
        let off = sharp_limited(&self.sets.off, &self.sets.dc, self.budget)?;
        Ok(self.blocking.get_or_init(|| BlockingIndex::new(algebra, off.as_words())))
    }
}
