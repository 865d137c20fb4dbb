//! Something that is there from the start or is made when it is first wanted.

use crate::error::Result;
use std::sync::{Mutex, OnceLock, PoisonError};

/// A value that may come later.
#[derive(Debug)]
pub(in crate::probe) struct Later<T> {
    value: OnceLock<T>,
    /// Held while it is made, so that no two threads do it.
    making: Mutex<()>,
}

impl<T> Later<T> {
    /// Empty, or holding `value`.
    pub(in crate::probe) fn new(value: Option<T>) -> Self {
        Later { value: value.map_or_else(OnceLock::new, OnceLock::from), making: Mutex::new(()) }
    }

    /// The value, if it is there.
    #[inline]
    pub(in crate::probe) fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// Returns what is there, after making it if it is not; `make` is called by one thread at a time, and no more once it has
    /// succeeded.
    ///
    /// # Errors
    /// Those of `make`; nothing is kept then.
    #[cold]
    pub(in crate::probe) fn make(&self, make: impl FnOnce() -> Result<T>) -> Result<&T> {
        // A poisoned lock only means that another thread panicked: nothing was kept.
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        match self.value.get() {
            Some(value) => Ok(value),
            None => make().map(|value| self.value.get_or_init(|| value)),
        }
    }
}
