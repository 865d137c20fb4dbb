//! A value that exists from the start or is made when it is first needed.

use crate::error::Result;
use std::sync::{Mutex, OnceLock, PoisonError};

/// A slot for a value; once filled it stays filled.
#[derive(Debug)]
pub(in crate::probe) struct LazySlot<T> {
    value: OnceLock<T>,
    /// Held while a thread makes the value, so that no other thread makes it too.
    making: Mutex<()>,
}

impl<T> LazySlot<T> {
    /// Empty, or holding `value`.
    pub(in crate::probe) fn new(value: Option<T>) -> Self {
        LazySlot { value: value.map_or_else(OnceLock::new, OnceLock::from), making: Mutex::new(()) }
    }

    /// The value, if it is there.
    #[inline]
    pub(in crate::probe) fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// Returns the value; calls `make` if the slot is empty. One thread at a time calls `make`, and none after a success.
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
