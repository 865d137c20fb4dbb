//! The time of a build by stage.

use std::time::{Duration, Instant};

/// Time by the clock that each stage of one table's build took. What is not named is in none: reading, writing, and the
/// generator, which has done its work before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Quick trials, which choose the models and the leading men.
    pub trials: Duration,
    /// Growing trees, learning lists or minimizing covers, those that are not kept too, and coding them where they are
    /// compared side by side. A cover's own check is part of it.
    pub minimizing: Duration,
    /// Coding: the files of whole models between which the smallest is chosen, and the one that is kept.
    pub coding: Duration,
    /// Decoding the file and probing it on every position.
    pub checking: Duration,
}

/// Does `work` and adds the time that it takes to `stage`.
pub(super) fn timed<T>(stage: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    *stage += start.elapsed();
    done
}
