//! Progress of a stage that several threads work on.

use crate::error::Result;
use espresso::{Monitor, Progress};
use std::sync::{Mutex, PoisonError};

/// The units of a stage that are done, counted over all threads: each progress is further than the one before it.
pub(super) struct Tally<'a> {
    monitor: Monitor<'a>,
    stage: &'static str,
    total: u64,
    unit: &'static str,
    done: Mutex<u64>,
}

impl<'a> Tally<'a> {
    pub(super) fn new(monitor: Monitor<'a>, stage: &'static str, total: u64, unit: &'static str) -> Self {
        Tally { monitor, stage, total, unit, done: Mutex::new(0) }
    }

    /// Adds units that are done.
    ///
    /// # Errors
    /// [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled) when the callback breaks.
    pub(super) fn add(&self, units: u64) -> Result<()> {
        // Held while the callback is called: what two threads say could change places else.
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        *done += units;
        Ok(self.monitor.tell(&Progress::new(self.stage, *done, self.total, self.unit))?)
    }
}
