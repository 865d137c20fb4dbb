//! The time of a build by stage.

use std::time::{Duration, Instant};

/// The wall-clock time of each stage of one table's build, without reading, writing and the generator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// The quick trials, which choose the models and the anchors.
    pub trials: Duration,
    /// Growing trees and minimizing covers, kept or not; coding them for comparison; the check of a cover.
    pub minimizing: Duration,
    /// Coding the files of all models, to choose the smallest, and the final file.
    pub coding: Duration,
    /// Decoding the file and probing it on every position.
    pub checking: Duration,
}

pub(crate) fn timed<T>(stage: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    *stage += start.elapsed();
    done
}
