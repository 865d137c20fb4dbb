//! A place that one thread fills and many read without a lock. With feature `cap` it can be emptied again.

pub(super) use place::{CAN_EVICT, SharedSlot};

#[cfg(feature = "cap")]
mod place {
    use arc_swap::ArcSwapOption;
    use std::sync::Arc;

    /// Whether the place can be emptied.
    pub(in super::super) const CAN_EVICT: bool = true;

    /// Empty, or holding a value.
    pub(in super::super) struct SharedSlot<T>(ArcSwapOption<T>);

    impl<T> SharedSlot<T> {
        pub(in super::super) fn new() -> Self {
            SharedSlot(ArcSwapOption::empty())
        }

        /// Calls `read` with the value, if there is one.
        #[inline]
        pub(in super::super) fn read<R>(&self, read: impl FnOnce(Option<&Arc<T>>) -> R) -> R {
            read(self.0.load().as_ref())
        }

        /// Fills the empty place.
        pub(in super::super) fn set(&self, value: Arc<T>) {
            self.0.store(Some(value));
        }

        /// Empties the place. Readers that hold the value keep it.
        pub(in super::super) fn clear(&self) {
            self.0.store(None);
        }
    }
}

#[cfg(not(feature = "cap"))]
mod place {
    use std::sync::{Arc, OnceLock};

    pub(in super::super) const CAN_EVICT: bool = false;

    pub(in super::super) struct SharedSlot<T>(OnceLock<Arc<T>>);

    impl<T> SharedSlot<T> {
        pub(in super::super) fn new() -> Self {
            SharedSlot(OnceLock::new())
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

impl<T> std::fmt::Debug for SharedSlot<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.read(|value| if value.is_some() { "filled" } else { "empty" }))
    }
}
