//! Progress on standard error, when that is a terminal.

use espresso::minimize::Progress;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What [`espresso::minimize::Options`] takes.
type Callback = dyn Fn(&Progress) -> ControlFlow<()> + Send + Sync;

/// Time between two lines.
const PAUSE: Duration = Duration::from_millis(100);

/// A line that is written over and over, and cleared at the end.
struct Line(Mutex<Instant>);

impl Line {
    fn show(&self, progress: &Progress) {
        // A thread that finds another one writing has nothing to add.
        if let Ok(mut last) = self.0.try_lock()
            && last.elapsed() >= PAUSE
        {
            *last = Instant::now();
            let Progress { step, cubes, done, .. } = progress;
            let _ = write!(io::stderr().lock(), "\r{step}: {done} of {cubes} cubes\x1b[K");
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let _ = write!(io::stderr().lock(), "\r\x1b[K");
    }
}

/// The callback that shows progress, when there is a terminal to show it on.
pub fn on_terminal() -> Option<Box<Callback>> {
    if !io::stderr().is_terminal() {
        return None;
    }
    let line = Line(Mutex::new(Instant::now()));
    Some(Box::new(move |progress| {
        line.show(progress);
        ControlFlow::Continue(())
    }))
}
