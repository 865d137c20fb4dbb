//! The work limit of a search, and its reports to the monitor.

use crate::{Error, ErrorKind, Monitor, Progress, Result};

/// Most words between two calls of the monitor.
const UNREPORTED: u64 = 1 << 22;

/// The work that a search has done, and the work that it may still do.
pub(super) struct Work<'a> {
    /// Words left.
    left: u64,
    /// Words since the last call of the monitor.
    unreported: u64,
    /// Regions searched.
    searched: u64,
    monitor: Monitor<'a>,
}

impl<'a> Work<'a> {
    pub(super) fn new(left: u64, monitor: Monitor<'a>) -> Self {
        Work { left, unreported: 0, searched: 0, monitor }
    }

    /// Counts a searched region. Fails if the callback cancels.
    pub(super) fn region_searched(&mut self) -> Result<()> {
        self.searched += 1;
        self.report()
    }

    /// Counts work in words. Fails with [`ErrorKind::BudgetExhausted`] over the limit, and if the callback cancels.
    pub(super) fn spend(&mut self, words: usize) -> Result<()> {
        let words = words as u64;
        let Some(left) = self.left.checked_sub(words) else {
            return Err(Error::new(ErrorKind::BudgetExhausted, "the check is given up"));
        };
        self.left = left;
        self.unreported += words;
        if self.unreported < UNREPORTED { Ok(()) } else { self.report() }
    }

    fn report(&mut self) -> Result<()> {
        self.unreported = 0;
        self.monitor.report(&Progress::new("check", self.searched, None, "regions"))
    }
}
