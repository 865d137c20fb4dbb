//! Recursions whose depth depends on the input. After every [`LEVELS`] levels, a recursion continues in a new thread with its own
//! stack, so that it does not overflow the caller's stack, which may be small.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// Levels of a recursion on one stack.
const LEVELS: usize = 128;

/// Returns the result of `work` at this depth of a recursion. Every [`LEVELS`] levels it runs on a new stack, if the system can
/// start a thread.
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
