//! Limits on work and memory, and progress reports to the monitor.
//!
//! Work is counted in cubes tested, not in seconds: that is the same on every machine and for any number of threads.

use crate::coverage::tautology::Search;
use crate::{Error, ErrorKind, Monitor, Progress, Result, limits};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The monitor is called each time this many units of a stage are done, and each time this much work is done.
const STRIDE: u64 = 64;
const WORK_STRIDE: u64 = 1 << 16;

/// Divisor of the available memory that gives the limit on lists: computing a list takes several times its size.
const MEMORY_SHARE: u64 = 4;

/// Bytes that are always taken to be available.
pub(crate) const LITTLE: u64 = 32 << 20;

/// The memory in bytes that lists may take; `None` if it is unknown.
pub(crate) fn spare_memory() -> Option<u64> {
    limits::available_memory(0).map(|bytes| bytes / MEMORY_SHARE)
}

/// The limit on the bytes of lists.
#[derive(Default)]
enum Memory {
    #[default]
    Any,
    Most(u64),
    /// A share of the available memory, asked of the system when lists take more than [`LITTLE`].
    Spare(OnceLock<Option<u64>>),
}

/// The work of all stages together, and the memory of their lists.
#[derive(Default)]
pub(crate) struct Budget<'a> {
    spent: AtomicU64,
    limit: Option<u64>,
    /// Bytes held by lists whose sizes are not known in advance.
    held: AtomicU64,
    memory: Memory,
    /// Whether a limit made some step end early.
    is_cut_short: AtomicBool,
    monitor: Monitor<'a>,
}

/// The budget's view of one stage.
#[derive(Clone, Copy)]
pub(crate) struct StageBudget<'a> {
    budget: &'a Budget<'a>,
    stage: &'static str,
    total: Option<u64>,
    unit: &'static str,
}

impl<'a> Budget<'a> {
    /// Returns a budget with this limit and monitor; the default has neither.
    pub(crate) fn new(limit: Option<u64>, monitor: Monitor<'a>) -> Self {
        Budget { limit, monitor, ..Budget::default() }
    }

    /// Returns a budget with this limit and monitor, and with a share of the available memory.
    pub(crate) fn in_memory(limit: Option<u64>, monitor: Monitor<'a>) -> Self {
        Budget { memory: Memory::Spare(OnceLock::new()), ..Self::new(limit, monitor) }
    }

    /// Sets a limit to the bytes of lists that are held.
    pub(crate) fn with_memory(self, bytes: u64) -> Self {
        Budget { memory: Memory::Most(bytes), ..self }
    }

    /// The work spent so far. Between two steps it is the same for any number of threads.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// Whether a limit made some step end early. A stage that fails does not count.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.is_cut_short.load(Ordering::Relaxed)
    }

    pub(crate) fn monitor(&self) -> Monitor<'a> {
        self.monitor
    }

    /// The view of a stage of `cubes` cubes.
    pub(crate) fn of_cubes(&'a self, stage: &'static str, cubes: usize) -> StageBudget<'a> {
        StageBudget { budget: self, stage, total: Some(cubes as u64), unit: "cubes" }
    }

    /// The view of a stage with an unknown number of units.
    pub(crate) fn of_units(&'a self, stage: &'static str, unit: &'static str) -> StageBudget<'a> {
        StageBudget { budget: self, stage, total: None, unit }
    }
}

impl<'a> StageBudget<'a> {
    /// Adds `work` for unit number `done` of the stage. Fails with [`ErrorKind::BudgetExhausted`] if the budget is used up, and
    /// with [`ErrorKind::Cancelled`] if the callback cancels.
    ///
    /// A stage whose work exceeds the budget fails for any order of its units. So the result does not depend on the number of
    /// threads; only the moment of the failure does.
    pub(crate) fn spend(&self, work: u64, done: usize) -> Result<()> {
        let before = self.budget.spent.fetch_add(work, Ordering::Relaxed);
        let spent = work.saturating_add(before);
        if self.budget.limit.is_some_and(|limit| spent > limit) {
            return Err(Error::new(ErrorKind::BudgetExhausted, "the work budget is used up"));
        }
        let is_due = (done as u64).is_multiple_of(STRIDE) || before / WORK_STRIDE < spent / WORK_STRIDE;
        if is_due { self.report(done) } else { Ok(()) }
    }

    /// Reports that `done` units of the stage are done; fails with [`ErrorKind::Cancelled`] if the callback cancels.
    pub(crate) fn report(&self, done: usize) -> Result<()> {
        let done = done as u64;
        // A step may process more cubes than the cover has; the total is then unknown.
        let total = self.total.filter(|&total| done <= total);
        self.budget.monitor.report(&Progress::new(self.stage, done, total, self.unit))
    }

    /// Like [`StageBudget::spend`], for the work of `search` since the last call plus `work`. Records whether the last query was
    /// given up.
    pub(crate) fn pay_for(&self, search: &mut Search<'_>, work: u64, done: usize) -> Result<()> {
        if search.is_cancelled {
            return Err(Error::new(ErrorKind::Cancelled, "cancelled"));
        }
        if search.has_given_up() {
            self.cut_short();
        }
        self.spend(work + search.take_work(), done)
    }

    /// The work that the budget still allows.
    pub(crate) fn left(&self) -> u64 {
        self.budget.limit.map_or(u64::MAX, |limit| limit.saturating_sub(self.budget.spent()))
    }

    pub(crate) fn monitor(&self) -> Monitor<'a> {
        self.budget.monitor
    }

    /// Whether at least half of the budget is spent, so that the stage should skip its remaining units. Deterministic in a
    /// stage with one thread.
    pub(crate) fn ends_at_half(&self) -> bool {
        let ends = self.budget.limit.is_some_and(|limit| self.budget.spent() >= limit / 2);
        if ends {
            self.cut_short();
        }
        ends
    }

    /// Records that a limit made the stage end early.
    pub(crate) fn cut_short(&self) {
        self.budget.is_cut_short.store(true, Ordering::Relaxed);
    }

    /// Fails with [`ErrorKind::Unsupported`] unless there is room for another `words` words.
    pub(crate) fn expect_room(&self, words: usize) -> Result<()> {
        let bytes = (words as u64).saturating_mul(8).saturating_add(self.budget.held.load(Ordering::Relaxed));
        let most = match &self.budget.memory {
            Memory::Most(most) => Some(*most),
            Memory::Spare(spare) if bytes > LITTLE => *spare.get_or_init(spare_memory),
            _ => None,
        };
        match most {
            Some(most) if bytes > most => {
                let message = format!("{}: the result does not fit into the memory that is left", self.stage);
                Err(Error::new(ErrorKind::Unsupported, message))
            }
            _ => Ok(()),
        }
    }

    /// Counts `words` words as held, without a check of the limit.
    pub(crate) fn hold(&self, words: usize) {
        self.budget.held.fetch_add(8 * words as u64, Ordering::Relaxed);
    }

    pub(crate) fn release(&self, words: usize) {
        self.budget.held.fetch_sub(8 * words as u64, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;
    use std::sync::Mutex;

    #[test]
    fn the_total_is_unknown_when_more_units_are_done() {
        let reports = Mutex::new(Vec::new());
        let report = |progress: &Progress| {
            reports.lock().unwrap().push(progress.to_string());
            ControlFlow::Continue(())
        };
        let budget = Budget::new(None, Monitor::new(&report));
        let stage = budget.of_cubes("lns", 258);
        [0, 64, 65, 512].into_iter().for_each(|done| stage.spend(1, done).unwrap());
        let reports = reports.into_inner().unwrap();
        assert_eq!(reports, ["lns: 0 of 258 cubes", "lns: 64 of 258 cubes", "lns: 512 cubes"]);
    }

    /// The monitor is also called if one unit takes long, so that it can cancel.
    #[test]
    fn work_is_reported_between_units() {
        let stop = |_: &Progress| ControlFlow::Break(());
        let budget = Budget::new(None, Monitor::new(&stop));
        let stage = budget.of_cubes("expand", 1000);
        assert!(stage.spend(WORK_STRIDE - 1, 1).is_ok());
        assert_eq!(stage.spend(1, 1).unwrap_err().kind(), ErrorKind::Cancelled);
    }
}
