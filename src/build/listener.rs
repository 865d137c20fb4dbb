//! Where a build says what it does and learns whether to go on.

use crate::error::{Error, ErrorKind, Result};
use std::ops::ControlFlow;

/// Called with a line that says what is being done, from any thread; breaking cancels the work with
/// [`ErrorKind::Cancelled`].
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
