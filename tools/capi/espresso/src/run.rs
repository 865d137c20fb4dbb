//! From a PLA to its minimized cover, within limits.

use espresso::limits::MAX_THREADS;
use espresso::minimize::{DEFAULT_EFFORT, EFFORTS, Options, Step, minimize};
use espresso::{Error, ErrorKind, Function, Monitor, Pla, PlaType, Progress, Result, check, memory};
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

/// A minimized cover, and what is known about it.
#[derive(Debug)]
pub struct Minimized {
    pub pla: Pla,
    pub lower_bound: Option<usize>,
    pub is_cut_short: bool,
    pub is_checked: bool,
    pub has_off: bool,
}

/// Minimizes the function of `pla`.
///
/// When the time is over, the result is the best cover so far. It is an error if the function's sets are not complete by then.
pub fn minimized(pla: &Pla, limits: Limits, callback: Option<Callback<'_>>) -> Result<Minimized> {
    let effort = u8::try_from(limits.effort).ok().filter(|effort| EFFORTS.contains(effort));
    let effort = effort.ok_or_else(|| {
        let message = format!("an effort of {}: it is one of 1 to 9", limits.effort);
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
    let function = if limits.is_exact {
        Function::from_pla_with(pla, progress)?
    } else {
        Function::from_pla_without_off(pla, progress)?
    };
    let mut options = Options { effort, budget: limits.budget, progress, ..Options::default() };
    options.best_if_cancelled = true;
    if limits.is_exact {
        options.steps.extend([Step::Exact, Step::MakeSparse]);
    }
    memory::expect(&function, &options.steps)?;
    let (cover, report) = minimize(&function, &options)?;
    let verdict = match limits.check {
        Some(work) => check::made_of_pla(pla, &function, &cover, work, progress),
        None => Ok(None),
    };
    let is_checked = match verdict {
        Ok(Some(verdict)) => verdict.map(|()| true).map_err(|mismatch| {
            Error::new(ErrorKind::Mismatch, format!("the result is wrong, which is a bug: {mismatch}"))
        })?,
        Ok(None) => false,
        // The time for the check is over.
        Err(error) if error.kind() == ErrorKind::Cancelled => false,
        Err(error) => return Err(error),
    };
    let named = if pla.has_other_outputs() { pla.completed(&function) } else { pla.clone() };
    let none = espresso::Cover::new(cover.space());
    Ok(Minimized {
        pla: Pla { on: cover, dc: none.clone(), off: none, kind: PlaType::F, ..named },
        lower_bound: report.lower_bound,
        is_cut_short: report.exhausted,
        is_checked,
        has_off: !function.rest_is_off,
    })
}
