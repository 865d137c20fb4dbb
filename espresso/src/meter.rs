//! Work spent, the budget it is held against, and the caller's progress callback.
//!
//! Effort is counted in cubes looked at, which is the same on every machine and for any number of threads, and not
//! in seconds.

use crate::error::{Error, ErrorKind, Result};
use crate::minimize::Step;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a progress callback is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The step at work.
    pub step: Step,
    /// Cubes of the cover when the step began.
    pub cubes: usize,
    /// Cubes that the step has treated.
    pub done: usize,
    /// Work units spent so far, by all steps: cubes looked at.
    pub work: u64,
}

/// A progress callback: breaking cancels the minimization.
pub type Callback<'a> = dyn Fn(&Progress) -> ControlFlow<()> + Send + Sync + 'a;

/// The callback is told each time this many cubes have been treated.
const STRIDE: usize = 64;

/// Counts work.
pub(crate) struct Meter<'a> {
    spent: AtomicU64,
    budget: Option<u64>,
    callback: Option<&'a Callback<'a>>,
}

/// The meter's view of one step.
pub(crate) struct StepMeter<'a> {
    meter: &'a Meter<'a>,
    step: Step,
    cubes: usize,
}

impl<'a> Meter<'a> {
    /// A meter with the given limit and callback.
    pub(crate) fn new(budget: Option<u64>, callback: Option<&'a Callback<'a>>) -> Self {
        Meter { spent: AtomicU64::new(0), budget, callback }
    }

    /// A meter that never stops anything.
    pub(crate) fn unlimited() -> Self {
        Self::new(None, None)
    }

    /// The view of one step, which begins with a cover of `cubes` cubes.
    pub(crate) fn step(&'a self, step: Step, cubes: usize) -> StepMeter<'a> {
        StepMeter { meter: self, step, cubes }
    }
}

impl StepMeter<'_> {
    /// Adds `work` units for cube number `done` of the step. Fails with [`ErrorKind::BudgetExhausted`] when the
    /// budget is used up and with [`ErrorKind::Cancelled`] when the callback wants to stop.
    ///
    /// A step whose work exceeds the budget fails for any order of its parts, so that the outcome does not depend
    /// on the number of threads; only the moment does.
    pub(crate) fn spend(&self, work: u64, done: usize) -> Result<()> {
        let work = work + self.meter.spent.fetch_add(work, Ordering::Relaxed);
        if self.meter.budget.is_some_and(|budget| work > budget) {
            return Err(Error::new(ErrorKind::BudgetExhausted, "the work budget is used up"));
        }
        if done.is_multiple_of(STRIDE)
            && let Some(callback) = self.meter.callback
            && callback(&Progress { step: self.step, cubes: self.cubes, done, work }).is_break()
        {
            return Err(Error::new(ErrorKind::Cancelled, "cancelled"));
        }
        Ok(())
    }
}
