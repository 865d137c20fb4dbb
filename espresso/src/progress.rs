//! How far a long computation is, and whether it is to go on: one convention for all of the crate.
//!
//! Whoever computes for long takes a [`Monitor`] and tells it, now and then, a [`Progress`]. The caller's callback
//! sees every one of them, from any thread, and cancels by breaking: the computation then ends with
//! [`ErrorKind::Cancelled`]. After a break the callback may be called again, by threads that have not heard of it
//! yet. A callback that shows something should look at the clock itself: it may be called thousands of times a
//! second.

use crate::error::{Error, ErrorKind, Result};
use std::fmt;
use std::ops::ControlFlow;

/// How far one stage of a computation is.
///
/// Displays as one line, such as `expand: 64 of 900 cubes` or `tree: 5000 of 8000 rows, 40 cubes, 210 bytes`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// What is being done: the name of a step, or a word like `complement` or `check`.
    pub stage: &'static str,
    /// Units of the stage that are done. The number may fall where work turns out not to be worth keeping.
    pub done: u64,
    /// Units of the stage in all, where that is known.
    pub total: Option<u64>,
    /// What a unit is, in the plural.
    pub unit: &'static str,
    /// Size of the result so far, where the stage builds one: its cubes, and what they cost in bits.
    pub result: Option<(u64, f64)>,
}

impl Progress {
    /// Returns the progress of a stage that has treated `done` of `total` units.
    pub fn new(stage: &'static str, done: u64, total: impl Into<Option<u64>>, unit: &'static str) -> Self {
        Progress { stage, done, total: total.into(), unit, result: None }
    }

    /// Adds the size of the result so far: its cubes, and what they cost in bits.
    #[must_use]
    pub fn with_result(self, cubes: u64, bits: f64) -> Self {
        Progress { result: Some((cubes, bits)), ..self }
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { stage, done, total, unit, result } = self;
        match total {
            Some(total) => write!(f, "{stage}: {done} of {total} {unit}")?,
            None => write!(f, "{stage}: {done} {unit}")?,
        }
        match result {
            Some((cubes, bits)) => write!(f, ", {cubes} cubes, {:.0} bytes", bits / 8.0),
            None => Ok(()),
        }
    }
}

/// A progress callback: breaking cancels.
pub type Callback<'a> = dyn Fn(&Progress) -> ControlFlow<()> + Sync + 'a;

/// Where a computation tells how far it is: a callback, or nowhere. Cheap to copy; the default is nowhere.
///
/// # Example
/// ```
/// use espresso::minimize::{Options, minimize};
/// use espresso::{ErrorKind, Function, Monitor, Pla, Progress};
/// use std::ops::ControlFlow;
/// let function = Function::from_pla(&Pla::parse(".i 2\n.o 1\n01 1\n11 1\n")?)?;
/// let stop = |now: &Progress| if now.stage == "expand" { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
/// let options = Options { progress: Monitor::new(&stop), ..Options::default() };
/// assert_eq!(minimize(&function, &options).unwrap_err().kind(), ErrorKind::Cancelled);
/// # Ok::<(), espresso::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Monitor<'a>(Option<&'a Callback<'a>>);

impl<'a> Monitor<'a> {
    /// Returns the monitor that passes everything on to `callback`.
    pub fn new(callback: &'a Callback<'a>) -> Self {
        Monitor(Some(callback))
    }

    /// Returns the monitor that nobody listens to.
    pub const fn nobody() -> Self {
        Monitor(None)
    }

    /// Tells the callback how far the computation is.
    ///
    /// # Errors
    /// [`ErrorKind::Cancelled`] when the callback breaks.
    pub fn tell(self, progress: &Progress) -> Result<()> {
        match self.0.map_or(ControlFlow::Continue(()), |callback| callback(progress)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::new(ErrorKind::Cancelled, "cancelled")),
        }
    }
}

impl fmt::Debug for Monitor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Monitor").field(&self.0.is_some()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_one_line() {
        assert_eq!(Progress::new("expand", 64, 900, "cubes").to_string(), "expand: 64 of 900 cubes");
        let tree = Progress::new("tree", 5000, None, "rows").with_result(40, 1680.0);
        assert_eq!(tree.to_string(), "tree: 5000 rows, 40 cubes, 210 bytes");
    }
}
