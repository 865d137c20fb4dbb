//! A map over all cubes, in parallel if that pays.
//!
//! Starting work on other threads and waiting for them takes as long as testing some ten thousand cubes. Most steps on
//! covers of some hundred cubes take less time.

use crate::Result;
use rayon::prelude::*;

/// The number of cubes tested from which threads pay.
const WORTH_THREADS: usize = if cfg!(test) { 1 << 6 } else { 1 << 16 };

/// Returns the results of `each` for the numbers below `count`, in order, or one of its errors. `work` is the approximate
/// number of cubes tested in all. `each` gets a state made by `begin`, for reuse of memory; results must not depend on what
/// earlier calls left in it.
pub(crate) fn parallel_map<S, T: Send>(
    count: usize,
    work: usize,
    begin: impl Fn() -> S + Sync + Send,
    each: impl Fn(&mut S, usize) -> Result<T> + Sync + Send,
) -> Result<Vec<T>> {
    if count < 2 || work < WORTH_THREADS || rayon::current_num_threads() == 1 {
        let mut state = begin();
        return (0..count).map(|i| each(&mut state, i)).collect();
    }
    (0..count).into_par_iter().map_init(begin, each).collect()
}
