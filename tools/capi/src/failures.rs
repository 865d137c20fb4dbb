//! The last error of a handle for each thread.
//!
//! Threads that share a handle must not see each other's errors. Thread-local variables would outlive the handle, so a
//! handle keeps a text for each thread. Since threads may come and go, it keeps only those of the threads that failed last.
//! A successful call changes nothing here.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

/// The number of threads whose texts are kept.
const KEPT: usize = 64;

/// The last error of each thread; the thread that failed last is at the back.
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

    /// Calls `show` with the last error of the calling thread, or with an empty text.
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
