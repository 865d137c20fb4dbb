//! From a PLA to its minimized cover, within limits.

use espresso::limits::MAX_THREADS;
use espresso::minimize::{DEFAULT_EFFORT, EFFORTS, Options, Step};
use espresso::{Error, ErrorKind, Minimized, Monitor, Pla, Progress, Result, check};
use std::fmt::Display;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The shortest time between two calls of the callback.
const PAUSE: Duration = Duration::from_millis(50);

/// A callback for progress; it returns whether to go on. Only one thread calls it at a time.
pub type Callback<'a> = Box<dyn FnMut(&Progress) -> bool + Send + 'a>;

/// The limits of a minimization.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub effort: u32,
    pub is_exact: bool,
    pub threads: u32,
    pub budget: Option<u64>,
    pub time: Option<Duration>,
    /// The work limit of the check; `None` for no check.
    pub check: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        let effort = DEFAULT_EFFORT.into();
        Limits { effort, is_exact: false, threads: 0, budget: None, time: None, check: Some(check::SHORT) }
    }
}

/// Minimizes the function of `pla`.
///
/// When the time is over, the result is the best cover so far. It is an error if the function's sets are not complete by then.
pub fn minimized(pla: &Pla, limits: Limits, callback: Option<Callback<'_>>) -> Result<Minimized> {
    let effort = u8::try_from(limits.effort).ok().filter(|effort| EFFORTS.contains(effort));
    let effort = effort.ok_or_else(|| {
        let message = format!("an effort of {}: it is one of 1 to 4", limits.effort);
        Error::new(ErrorKind::Unsupported, message)
    })?;
    let end = limits.time.and_then(|time| Instant::now().checked_add(time));
    let is_stopped = AtomicBool::new(false);
    let callback = Mutex::new((callback, None));
    let watch = |progress: &Progress| {
        // While another thread is in the callback, this report is skipped.
        if !is_stopped.load(Ordering::Relaxed)
            && let Ok(mut locked) = callback.try_lock()
            && let (Some(call), last) = &mut *locked
            && last.is_none_or(|last: Instant| last.elapsed() >= PAUSE)
        {
            *last = Some(Instant::now());
            is_stopped.fetch_or(!call(progress), Ordering::Relaxed);
        }
        let is_over = is_stopped.load(Ordering::Relaxed) || end.is_some_and(|end| Instant::now() >= end);
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let made = in_own_threads(limits.threads, || run(pla, effort, limits, Monitor::new(&watch)));
    match made {
        // The callback may also have stopped a minimization that then returned its best cover.
        _ if is_stopped.into_inner() => Err(Error::new(ErrorKind::Cancelled, "cancelled by the callback")),
        Err(error) if error.kind() == ErrorKind::Cancelled => {
            Err(Error::new(ErrorKind::BudgetExhausted, "the time limit ended before there was a cover"))
        }
        made => made,
    }
}

/// Runs `work` in a pool of this many threads; 0 is one for each processor. The threads have ended when this returns, so that
/// a program can unload the library.
pub fn in_own_threads<T: Send>(threads: u32, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let most = usize::from(MAX_THREADS);
    let threads = match threads as usize {
        0 => thread::available_parallelism().map_or(1, |threads| threads.get().min(most)),
        threads if threads <= most => threads,
        _ => return Err(Error::new(ErrorKind::Unsupported, format!("too many threads: at most {most}"))),
    };
    let failed = |error: &dyn Display| Error::new(ErrorKind::Unsupported, error.to_string());
    thread::scope(|scope| {
        let mut started = Vec::new();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).spawn_handler(|worker| {
            started.push(thread::Builder::new().spawn_scoped(scope, || worker.run())?);
            Ok(())
        });
        let pool = pool.build().map_err(|error| failed(&error))?;
        let done = pool.install(work);
        drop(pool);
        // The scope waits for the closures of its threads, but not for the threads to exit.
        started
            .into_iter()
            .try_for_each(thread::ScopedJoinHandle::join)
            .map_err(|_| failed(&"a thread ended in a panic"))?;
        done
    })
}

fn run(pla: &Pla, effort: u8, limits: Limits, progress: Monitor<'_>) -> Result<Minimized> {
    let Limits { budget, check, .. } = limits;
    let mut options =
        Options { effort, budget, check, progress, best_if_cancelled: true, ..Options::default() };
    if limits.is_exact {
        options.steps.extend([Step::Exact, Step::MakeSparse]);
    }
    espresso::run(pla, &options)
}
