//! Progress on standard error, if that is a terminal; and interrupts.

use espresso::{Monitor, Progress, atomic};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

/// The shortest time between two updates of the line.
const PAUSE: Duration = Duration::from_millis(100);
/// In work that takes longer, an interrupt removes temporary files.
const SHORT: Duration = Duration::from_millis(20);
/// One in so many reports reads the clock.
const SELDOM: u32 = 16;

/// The exit code of an interrupted process: 128 plus the number of the signal.
const INTERRUPTED: i32 = 130;

/// Starts a thread, once, that waits for an interrupt or a termination signal: it then removes the temporary files of
/// unfinished writes and ends the process.
pub fn end_when_interrupted() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        // Without a handler the process simply ends; the unfinished file then keeps its temporary name.
        let _ = ctrlc::set_handler(|| atomic::exit(INTERRUPTED));
    });
}

/// Runs `work` and shows its progress on a line that is updated in place and cleared at the end.
pub fn watch<T>(work: impl FnOnce(Monitor<'_>) -> T) -> T {
    let (start, reports) = (Instant::now(), AtomicU32::new(0));
    let last = io::stderr().is_terminal().then(|| Mutex::new(start));
    let show = |progress: &Progress| {
        if reports.fetch_add(1, Ordering::Relaxed).is_multiple_of(SELDOM) && start.elapsed() >= SHORT {
            end_when_interrupted();
        }
        // If another thread is writing, skip this update.
        if let Some(mut last) = last.as_ref().and_then(|last| last.try_lock().ok())
            && last.elapsed() >= PAUSE
        {
            *last = Instant::now();
            let _ = write!(io::stderr().lock(), "\r{progress}\x1b[K");
        }
        ControlFlow::Continue(())
    };
    let result = work(Monitor::new(&show));
    if last.is_some() {
        let _ = write!(io::stderr().lock(), "\r\x1b[K");
    }
    result
}
