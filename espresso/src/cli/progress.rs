//! Progress on standard error, when that is a terminal.

use espresso::{Monitor, Progress};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_millis(100);

/// A line that is written over and over, and cleared at the end.
struct Line(Option<Mutex<Instant>>);

/// Runs `work` and shows how far it is.
pub fn watch<T>(work: impl FnOnce(Monitor<'_>) -> T) -> T {
    let line = Line(io::stderr().is_terminal().then(|| Mutex::new(Instant::now())));
    work(Monitor::new(&|progress| line.show(progress)))
}

impl Line {
    /// Shows how far the work is, unless that was done a moment ago; never cancels.
    fn show(&self, progress: &Progress) -> ControlFlow<()> {
        // A thread that finds another one writing has nothing to add.
        if let Some(mut last) = self.0.as_ref().and_then(|last| last.try_lock().ok())
            && last.elapsed() >= PAUSE
        {
            *last = Instant::now();
            let _ = write!(io::stderr().lock(), "\r{progress}\x1b[K");
        }
        ControlFlow::Continue(())
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.0.is_some() {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}
