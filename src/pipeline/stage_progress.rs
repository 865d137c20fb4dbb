//! The progress of a stage that several threads work on.

use crate::error::Result;
use espresso::{Monitor, Progress};
use std::sync::{Mutex, PoisonError};

/// The units of a stage that are done, summed over all threads. The progress reported only increases.
pub(super) struct StageProgress<'a> {
    monitor: Monitor<'a>,
    stage: &'static str,
    total: u64,
    unit: &'static str,
    done: Mutex<u64>,
}

impl<'a> StageProgress<'a> {
    pub(super) fn new(monitor: Monitor<'a>, stage: &'static str, total: u64, unit: &'static str) -> Self {
        StageProgress { monitor, stage, total, unit, done: Mutex::new(0) }
    }

    /// Adds units that are done.
    ///
    /// # Errors
    /// [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled) if the callback breaks.
    pub(super) fn add(&self, units: u64) -> Result<()> {
        // The lock is held during the callback: otherwise the reports of two threads could change places.
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        *done += units;
        Ok(self.monitor.report(&Progress::new(self.stage, *done, self.total, self.unit))?)
    }
}
