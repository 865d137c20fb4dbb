//! Where a build says what it does and learns whether to go on.

use crate::error::{Error, ErrorKind, Result};
use std::ops::ControlFlow;

/// Called with a line that says what is being done, from several threads at once; breaking cancels the work with
/// [`ErrorKind::Cancelled`]. After a break it may be called again, by threads that have not heard of it yet.
///
/// It is asked when a stage begins, and again and again while trees grow, lists are improved, covers are minimized and
/// files are checked. Reading positions into memory, a list's first clauses, coding, and the check of a cover are not
/// interrupted: seconds with four men, up to a minute with five.
pub type Listener<'a> = &'a (dyn Fn(&str) -> ControlFlow<()> + Sync);

/// Says `what` is being done.
///
/// # Errors
/// [`ErrorKind::Cancelled`].
pub(crate) fn tell(listener: Listener<'_>, what: &str) -> Result<()> {
    match listener(what) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::new(ErrorKind::Cancelled, format!("cancelled: {what}"))),
    }
}
