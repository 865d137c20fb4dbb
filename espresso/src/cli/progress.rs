//! Progress on standard error, when that is a terminal.

use espresso::Progress;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time between two lines.
const PAUSE: Duration = Duration::from_millis(100);

/// A line that is written over and over, and cleared at the end.
pub struct Line(Option<Mutex<Instant>>);

impl Line {
    /// A line on the terminal, or one that shows nothing when there is none.
    pub fn new() -> Self {
        Line(io::stderr().is_terminal().then(|| Mutex::new(Instant::now())))
    }

    /// Shows how far the work is, unless that was done a moment ago; never cancels.
    pub fn show(&self, progress: &Progress) -> ControlFlow<()> {
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
