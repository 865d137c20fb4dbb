//! Progress and cancellation of long computations, the same way in the whole crate.
//!
//! A long computation takes a [`Monitor`] and reports a [`Progress`] to it now and then. The caller's callback gets every
//! report, from any thread, and can cancel with a break: the computation then ends with [`ErrorKind::Cancelled`]. After a
//! break, other threads may still call the callback. There may be thousands of reports a second, so a callback that displays
//! something should limit its own rate.

use crate::error::{Error, ErrorKind, Result};
use std::fmt;
use std::ops::ControlFlow;

/// The progress of one stage of a computation.
///
/// Displays as one line, such as `expand: 64 of 900 cubes` or `tree: 5000 of 8000 rows, 40 cubes, 210 bytes`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The stage: the name of a step, or a word like `complement` or `check`.
    pub stage: &'static str,
    /// Finished units of the stage. The number may fall if work is discarded.
    pub done: u64,
    /// All units of the stage, if known.
    pub total: Option<u64>,
    /// The name of the unit, in the plural.
    pub unit: &'static str,
    /// Size of the result so far, if the stage builds one: its cubes, and their cost in bits.
    pub result: Option<(u64, f64)>,
}

impl Progress {
    /// Returns the progress of a stage with `done` of `total` units finished.
    pub fn new(stage: &'static str, done: u64, total: impl Into<Option<u64>>, unit: &'static str) -> Self {
        Progress { stage, done, total: total.into(), unit, result: None }
    }

    /// Adds the size of the result so far: its cubes, and their cost in bits.
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

/// The receiver of progress reports: a callback, or none, which is the default. Cheap to copy.
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
    /// Returns the monitor that passes all reports to `callback`.
    pub fn new(callback: &'a Callback<'a>) -> Self {
        Monitor(Some(callback))
    }

    /// Returns the monitor without a callback: nobody gets the reports.
    pub const fn silent() -> Self {
        Monitor(None)
    }

    /// Reports progress to the callback.
    ///
    /// # Errors
    /// [`ErrorKind::Cancelled`] when the callback breaks.
    pub fn report(self, progress: &Progress) -> Result<()> {
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
