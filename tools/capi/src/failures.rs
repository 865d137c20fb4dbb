//! What went wrong with a handle, for the thread that it happened to.
//!
//! Threads that share a handle must not see each other's errors, and global state, as thread-local variables are, outlives
//! the handle. So a handle keeps a text for each thread. It keeps those of the threads that failed last, since threads may
//! come and go. A call that succeeds does not come here.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

/// The threads whose texts are kept.
const KEPT: usize = 64;

/// The last error of each thread, the thread that failed last at the back.
#[derive(Debug, Default)]
pub(crate) struct Failures(Mutex<VecDeque<(ThreadId, String)>>);

impl Failures {
    /// Keeps `text` as the last error of the calling thread.
    pub(crate) fn keep(&self, text: String) {
        let thread = thread::current().id();
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        texts.retain(|&(of, _)| of != thread);
        if texts.len() >= KEPT {
            texts.pop_front();
        }
        texts.push_back((thread, text));
    }

    /// Hands the last error of the calling thread to `show`, an empty text when there is none.
    pub(crate) fn show<T>(&self, show: impl FnOnce(&str) -> T) -> T {
        let thread = thread::current().id();
        let texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        show(texts.iter().find(|&&(of, _)| of == thread).map_or("", |(_, text)| text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_sees_its_own_last_error() {
        let failures = Failures::default();
        failures.keep("first".into());
        failures.keep("second".into());
        thread::scope(|scope| {
            scope.spawn(|| {
                assert_eq!(failures.show(str::to_owned), "");
                failures.keep("of another thread".into());
                assert_eq!(failures.show(str::to_owned), "of another thread");
            });
        });
        assert_eq!(failures.show(str::to_owned), "second");
    }

    #[test]
    fn texts_of_threads_that_are_gone_do_not_pile_up() {
        let failures = Failures::default();
        for number in 0..3 * KEPT {
            thread::scope(|scope| scope.spawn(|| failures.keep(number.to_string())).join().unwrap());
        }
        failures.keep("here".into());
        assert_eq!(failures.0.lock().unwrap().len(), KEPT);
        assert_eq!(failures.show(str::to_owned), "here");
    }
}
