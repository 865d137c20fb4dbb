//! Something that is there from the start or, with feature `std`, is made when it is first wanted.

#[cfg(feature = "std")]
use crate::error::Result;
#[cfg(feature = "std")]
use std::sync::{Mutex, OnceLock, PoisonError};

/// What may come later.
#[derive(Debug)]
pub(super) struct Later<T> {
    #[cfg(feature = "std")]
    value: OnceLock<T>,
    /// Held while it is made, so that no two threads do it.
    #[cfg(feature = "std")]
    making: Mutex<()>,
    #[cfg(not(feature = "std"))]
    value: Option<T>,
}

#[cfg(feature = "std")]
impl<T> Later<T> {
    /// What is not there yet, unless it is given.
    pub(super) fn new(value: Option<T>) -> Self {
        Later { value: value.map_or_else(OnceLock::new, OnceLock::from), making: Mutex::new(()) }
    }

    /// What is there.
    #[inline]
    pub(super) fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// Returns what is there, after making it if it is not; `make` is called by one thread at a time, and no more once it has
    /// succeeded.
    ///
    /// # Errors
    /// Those of `make`; nothing is kept then.
    #[cold]
    pub(super) fn make(&self, make: impl FnOnce() -> Result<T>) -> Result<&T> {
        // A poisoned lock only means that another thread panicked: nothing was kept.
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        match self.value.get() {
            Some(value) => Ok(value),
            None => make().map(|value| self.value.get_or_init(|| value)),
        }
    }
}

#[cfg(not(feature = "std"))]
impl<T> Later<T> {
    /// What is not there, unless it is given.
    pub(super) fn new(value: Option<T>) -> Self {
        Later { value }
    }

    /// What is there.
    #[inline]
    pub(super) fn get(&self) -> Option<&T> {
        self.value.as_ref()
    }
}
