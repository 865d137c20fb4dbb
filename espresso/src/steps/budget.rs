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
pub(crate) struct Budget<'a> {
    spent: AtomicU64,
    limit: Option<u64>,
    callback: Option<&'a Callback<'a>>,
}

/// The budget's view of one step.
pub(crate) struct StepBudget<'a> {
    budget: &'a Budget<'a>,
    step: Step,
    cubes: usize,
}

impl<'a> Budget<'a> {
    /// A budget with the given limit and callback.
    pub(crate) fn new(limit: Option<u64>, callback: Option<&'a Callback<'a>>) -> Self {
        Budget { spent: AtomicU64::new(0), limit, callback }
    }

    /// A budget that never stops anything.
    pub(crate) fn unlimited() -> Self {
        Self::new(None, None)
    }

    /// The view of one step, which begins with a cover of `cubes` cubes.
    pub(crate) fn step(&'a self, step: Step, cubes: usize) -> StepBudget<'a> {
        StepBudget { budget: self, step, cubes }
    }
}

impl StepBudget<'_> {
    /// Adds `work` units for cube number `done` of the step. Fails with [`ErrorKind::BudgetExhausted`] when the
    /// budget is used up and with [`ErrorKind::Cancelled`] when the callback wants to stop.
    ///
    /// A step whose work exceeds the budget fails for any order of its parts, so that the outcome does not depend
    /// on the number of threads; only the moment does.
    pub(crate) fn spend(&self, work: u64, done: usize) -> Result<()> {
        let work = work + self.budget.spent.fetch_add(work, Ordering::Relaxed);
        if self.budget.limit.is_some_and(|limit| work > limit) {
            return Err(Error::new(ErrorKind::BudgetExhausted, "the work budget is used up"));
        }
        if done.is_multiple_of(STRIDE)
            && let Some(callback) = self.budget.callback
            && callback(&Progress { step: self.step, cubes: self.cubes, done, work }).is_break()
        {
            return Err(Error::new(ErrorKind::Cancelled, "cancelled"));
        }
        Ok(())
    }
}
