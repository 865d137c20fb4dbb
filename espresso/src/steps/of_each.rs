//! What is made of every cube by itself, in parallel where that pays.
//!
//! To hand work to other threads and to wait for them takes as long as looking at some ten thousand cubes. Most steps on
//! covers of some hundred cubes are done before.

use crate::Result;
use rayon::prelude::*;

/// Cubes looked at from which on threads pay.
const WORTH_THREADS: usize = 1 << 16;

/// Returns what `each` makes of every number below `count`, in order, or one of its errors. About `work` cubes are
/// looked at in all. `each` works with what `begin` makes; what it returns must not depend on what it left there.
pub(crate) fn of_each<S, T: Send>(
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
