//! The bounded work of a search, and who is told of it.

use crate::{Error, ErrorKind, Monitor, Progress, Result};

/// The monitor is called after at most this many words.
const UNTOLD: u64 = 1 << 22;

/// The work of a search, done and left.
pub(super) struct Work<'a> {
    /// Words that may still be looked at.
    left: u64,
    /// Words looked at since the monitor was told.
    untold: u64,
    /// Regions searched.
    searched: u64,
    monitor: Monitor<'a>,
}

impl<'a> Work<'a> {
    /// Nothing done, and so many words left.
    pub(super) fn new(left: u64, monitor: Monitor<'a>) -> Self {
        Work { left, untold: 0, searched: 0, monitor }
    }

    /// Counts a region that is searched.
    ///
    /// # Errors
    /// [`ErrorKind::Cancelled`].
    pub(super) fn region_searched(&mut self) -> Result<()> {
        self.searched += 1;
        self.tell()
    }

    /// Counts words that are looked at.
    ///
    /// # Errors
    /// [`ErrorKind::BudgetExhausted`] when they are more than may be; [`ErrorKind::Cancelled`].
    pub(super) fn spend(&mut self, words: usize) -> Result<()> {
        let words = words as u64;
        let Some(left) = self.left.checked_sub(words) else {
            return Err(Error::new(ErrorKind::BudgetExhausted, "the check is given up"));
        };
        self.left = left;
        self.untold += words;
        if self.untold < UNTOLD { Ok(()) } else { self.tell() }
    }

    fn tell(&mut self) -> Result<()> {
        self.untold = 0;
        self.monitor.tell(&Progress::new("check", self.searched, None, "regions"))
    }
}
