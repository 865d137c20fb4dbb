//! Recursions whose depth the input decides. At each [`LEVELS`] levels, a recursion goes on in a thread with a stack of its
//! own, so that it does not overflow the caller's stack, which may be small.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// Levels of a recursion on one stack.
const LEVELS: usize = 128;

/// Returns the result of `work` at this depth of a recursion: on a new stack now and then, if the system has threads left.
#[inline]
pub(crate) fn at_depth<T: Send>(depth: usize, work: impl FnOnce() -> T + Send) -> T {
    if depth % LEVELS == LEVELS - 1 { on_new_stack(work) } else { work() }
}

#[cold]
fn on_new_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let mut work = Some(work);
    let mut run = || work.take().map(|work| work());
    let made = scope(|threads| match Builder::new().spawn_scoped(threads, &mut run) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
        Err(_) => None,
    });
    made.or_else(run).expect("one of the two has run")
}
