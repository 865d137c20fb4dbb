//! The stages of a build: their times, and the progress of one that several threads work on.

use crate::error::Result;
use espresso::{Monitor, Progress};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The wall-clock time of each stage of one table's build, without reading, writing and the generator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// The quick trials, which choose the models and the anchors.
    pub trials: Duration,
    /// Growing trees, kept or not; coding them for comparison.
    pub minimizing: Duration,
    /// Coding the files of all models, to choose the smallest, and the final file.
    pub coding: Duration,
    /// Decoding the file and probing it on every position.
    pub checking: Duration,
}

pub(super) fn timed<T>(stage: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    *stage += start.elapsed();
    done
}

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
