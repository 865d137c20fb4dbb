//! A place for something that many threads read, without a lock, and one puts there. With feature `cap` it can be taken away
//! again.

pub(super) use place::{CAN_EVICT, Cell};

#[cfg(feature = "cap")]
mod place {
    use arc_swap::ArcSwapOption;
    use std::sync::Arc;

    /// Whether what is there can be taken away.
    pub(in super::super) const CAN_EVICT: bool = true;

    /// Empty, or holding a value.
    pub(in super::super) struct Cell<T>(ArcSwapOption<T>);

    impl<T> Cell<T> {
        pub(in super::super) fn new() -> Self {
            Cell(ArcSwapOption::empty())
        }

        /// Calls `read` with what is there.
        #[inline]
        pub(in super::super) fn read<R>(&self, read: impl FnOnce(Option<&Arc<T>>) -> R) -> R {
            read(self.0.load().as_ref())
        }

        /// Puts it there, where nothing is.
        pub(in super::super) fn set(&self, value: Arc<T>) {
            self.0.store(Some(value));
        }

        /// Takes away what is there. Those who have it keep it.
        pub(in super::super) fn clear(&self) {
            self.0.store(None);
        }
    }
}

#[cfg(not(feature = "cap"))]
mod place {
    use std::sync::{Arc, OnceLock};

    pub(in super::super) const CAN_EVICT: bool = false;

    pub(in super::super) struct Cell<T>(OnceLock<Arc<T>>);

    impl<T> Cell<T> {
        pub(in super::super) fn new() -> Self {
            Cell(OnceLock::new())
        }

        #[inline]
        pub(in super::super) fn read<R>(&self, read: impl FnOnce(Option<&Arc<T>>) -> R) -> R {
            read(self.0.get())
        }

        pub(in super::super) fn set(&self, value: Arc<T>) {
            self.0.get_or_init(|| value);
        }

        #[allow(clippy::unused_self, reason = "nothing is evicted")]
        pub(in super::super) fn clear(&self) {}
    }
}

impl<T> std::fmt::Debug for Cell<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.read(|there| if there.is_some() { "something" } else { "nothing" }))
    }
}
