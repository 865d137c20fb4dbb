//! A place for something that many threads read, without a lock, and one puts there. With feature `cap` it can be taken away
//! again.

use std::fmt;
use std::sync::Arc;

/// What may be there.
#[cfg(feature = "cap")]
pub(super) struct Cell<T>(arc_swap::ArcSwapOption<T>);

/// What may be there.
#[cfg(not(feature = "cap"))]
pub(super) struct Cell<T>(std::sync::OnceLock<Arc<T>>);

#[cfg(feature = "cap")]
impl<T> Cell<T> {
    /// Where nothing is.
    pub(super) fn new() -> Self {
        Cell(arc_swap::ArcSwapOption::empty())
    }

    /// Calls `read` with what is there.
    #[inline]
    pub(super) fn read<R>(&self, read: impl FnOnce(Option<&Arc<T>>) -> R) -> R {
        read(self.0.load().as_ref())
    }

    /// Puts it there, where nothing is.
    pub(super) fn set(&self, value: Arc<T>) {
        self.0.store(Some(value));
    }

    /// Takes away what is there. Those who have it keep it.
    pub(super) fn clear(&self) {
        self.0.store(None);
    }
}

#[cfg(not(feature = "cap"))]
impl<T> Cell<T> {
    /// Where nothing is.
    pub(super) fn new() -> Self {
        Cell(std::sync::OnceLock::new())
    }

    /// Calls `read` with what is there.
    #[inline]
    pub(super) fn read<R>(&self, read: impl FnOnce(Option<&Arc<T>>) -> R) -> R {
        read(self.0.get())
    }

    /// Puts it there, where nothing is.
    pub(super) fn set(&self, value: Arc<T>) {
        self.0.get_or_init(|| value);
    }
}

impl<T> fmt::Debug for Cell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.read(|there| if there.is_some() { "something" } else { "nothing" }))
    }
}
