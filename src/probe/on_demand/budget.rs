//! The memory of decoded trees, the eviction of their parts beyond a cap, and the limit on the bytes decoded at once.
//!
//! Corbató's clock (1969): evictable parts stand in a queue. The part at the front goes to the end if it was used since it
//! was last examined; otherwise it is evicted.

#![cfg_attr(not(feature = "cap"), allow(dead_code))]

use super::shared_slot::SharedSlot;
use crate::error::{Error, ErrorKind, Result};
use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// The place of an evictable part.
#[derive(Debug)]
pub(super) struct Slot<T> {
    value: SharedSlot<T>,
    /// Whether it was used since `evict` was last called.
    is_used: AtomicBool,
    /// Held while the place is filled, so that no two threads do it.
    filling: Mutex<()>,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Slot { value: SharedSlot::new(), is_used: AtomicBool::new(false), filling: Mutex::new(()) }
    }
}

impl<T> Slot<T> {
    /// Calls `read` with the part, if it is there, and marks it as used.
    #[inline]
    pub(super) fn read<R>(&self, read: impl FnOnce(Option<&Arc<T>>) -> R) -> R {
        // Written only when it changes, so that the cache line stays shared between threads.
        if !self.is_used.load(Ordering::Relaxed) {
            self.is_used.store(true, Ordering::Relaxed);
        }
        self.value.read(read)
    }

    /// Returns the part, if it is there, and marks it as used.
    pub(super) fn get(&self) -> Option<Arc<T>> {
        self.read(|value| value.map(Arc::clone))
    }

    /// Returns the part without marking it as used.
    #[cfg(test)]
    pub(super) fn peek(&self) -> Option<Arc<T>> {
        self.value.read(|value| value.map(Arc::clone))
    }

    /// Waits until no other thread fills the place, and keeps others from it while the guard lives.
    pub(super) fn filling(&self) -> MutexGuard<'_, ()> {
        // A poisoned lock only means that another thread panicked: nothing was stored.
        self.filling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fills the empty place.
    pub(super) fn fill(&self, value: Arc<T>) {
        self.value.set(value);
    }

    /// Empties the place.
    pub(super) fn clear(&self) {
        self.value.clear();
    }

    /// Empties the place if it was not used since the last call, or `in_any_case`; returns whether it did.
    pub(super) fn evict(&self, in_any_case: bool) -> bool {
        let is_evicted = !self.is_used.swap(false, Ordering::Relaxed) || in_any_case;
        if is_evicted {
            self.clear();
        }
        is_evicted
    }
}

/// The owner of evictable parts.
pub(super) trait Evictable: fmt::Debug + Send + Sync {
    /// Empties the place of `part` if it was not used since the last call, or `in_any_case`; returns whether it did.
    fn evict(&self, part: Part, in_any_case: bool) -> bool;
}

/// An evictable part of a tree in pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Top,
    Page(usize),
}

/// The memory of all tables together, and its limits.
#[derive(Debug)]
pub(super) struct Budget {
    cap: AtomicUsize,
    /// The greatest number of bytes of code that may be decoded at once.
    decoding: AtomicUsize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    /// Bytes that cannot be evicted.
    fixed: usize,
    /// Bytes of the parts in `queue`.
    parts: usize,
    queue: VecDeque<HeldPart>,
}

#[derive(Debug)]
struct HeldPart {
    /// Dangling when the tables have been dropped.
    tree: Weak<dyn Evictable>,
    part: Part,
    bytes: usize,
}

/// The default limit on the bytes of code decoded at once. Trees that this crate makes need a fiftieth.
pub(super) const DECODING_LIMIT: usize = 1 << 20;

impl Default for Budget {
    fn default() -> Self {
        let decoding = AtomicUsize::new(DECODING_LIMIT);
        Budget { cap: AtomicUsize::new(usize::MAX), decoding, held: Mutex::default() }
    }
}

impl Budget {
    /// Sets the cap, and evicts parts until no more than `cap` bytes are held, as far as that is possible.
    pub(super) fn set_cap(&self, cap: usize) {
        self.cap.store(cap, Ordering::Relaxed);
        self.change(|_| ());
    }

    pub(super) fn decoding_limit(&self) -> usize {
        self.decoding.load(Ordering::Relaxed)
    }

    pub(super) fn set_decoding_limit(&self, bytes: usize) {
        self.decoding.store(bytes, Ordering::Relaxed);
    }

    /// Checks that `bytes` of code may be decoded at once.
    pub(super) fn check_decoding(&self, bytes: usize) -> Result<()> {
        let limit = self.decoding_limit();
        if bytes <= limit {
            return Ok(());
        }
        let why = format!("{bytes} bytes are to be decoded at once, {limit} are allowed");
        Err(Error::new(ErrorKind::BudgetExhausted, why))
    }

    /// Whether the cap leaves no room for `more` bytes.
    pub(super) fn is_full(&self, more: usize) -> bool {
        let held = self.held();
        held.fixed + held.parts + more > self.cap.load(Ordering::Relaxed)
    }

    /// Bytes of evictable parts.
    pub(super) fn parts(&self) -> usize {
        self.held().parts
    }

    /// Counts bytes that cannot be evicted.
    pub(super) fn keep(&self, bytes: usize) {
        self.change(|held| held.fixed += bytes);
    }

    /// Stops counting `fixed` bytes that could not be evicted, and the parts of trees that are gone.
    pub(super) fn forget(&self, fixed: usize) {
        let mut held = self.held();
        held.fixed -= fixed;
        held.queue.retain(|part| part.tree.strong_count() > 0);
        held.parts = held.queue.iter().map(|part| part.bytes).sum();
    }

    /// Counts a part that was decoded.
    pub(super) fn hold(&self, tree: Weak<dyn Evictable>, part: Part, bytes: usize) {
        self.change(|held| {
            held.parts += bytes;
            held.queue.push_back(HeldPart { tree, part, bytes });
        });
    }

    /// Stops counting a part, and calls `empty` if it was counted.
    pub(super) fn release(&self, tree: &Weak<dyn Evictable>, part: Part, empty: impl FnOnce()) {
        let mut held = self.held();
        if let Some(at) = held.queue.iter().position(|held| held.part == part && held.tree.ptr_eq(tree))
            && let Some(released) = held.queue.remove(at)
        {
            held.parts -= released.bytes;
            empty();
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Applies `change`, then evicts parts beyond the cap, but not the last part.
    fn change(&self, change: impl FnOnce(&mut Held)) {
        let mut held = self.held();
        change(&mut held);
        held.evict(self.cap.load(Ordering::Relaxed));
    }
}

impl Held {
    fn evict(&mut self, cap: usize) {
        // Each part has a second chance and no third one, even when other threads use it meanwhile.
        let parts = self.queue.len();
        let mut looks = 2 * parts;
        while self.fixed + self.parts > cap
            && self.queue.len() > 1
            && looks > 0
            && let Some(next) = self.queue.pop_front()
        {
            looks -= 1;
            let is_second = looks < parts;
            if next.tree.upgrade().is_none_or(|tree| tree.evict(next.part, is_second)) {
                self.parts -= next.bytes;
            } else {
                self.queue.push_back(next);
            }
        }
    }
}

#[cfg(all(test, feature = "cap"))]
mod tests {
    use super::*;

    /// Pages, and whether another thread uses all of them all the time.
    #[derive(Debug, Default)]
    struct Pages([Slot<()>; 4], AtomicBool);

    impl Evictable for Pages {
        fn evict(&self, part: Part, in_any_case: bool) -> bool {
            let Part::Page(page) = part else { unreachable!() };
            let is_evicted = self.0[page].evict(in_any_case);
            if !is_evicted && self.1.load(Ordering::Relaxed) {
                self.0[page].get();
            }
            is_evicted
        }
    }

    #[test]
    fn the_first_page_that_was_not_used_is_evicted() {
        let (pages, budget) = (Arc::new(Pages::default()), Budget::default());
        let fill = |page: usize| {
            pages.0[page].fill(Arc::default());
            let tree: Arc<dyn Evictable> = Arc::clone(&pages) as _;
            budget.hold(Arc::downgrade(&tree), Part::Page(page), 10);
            let held: Vec<usize> = (0..4).filter(|&page| pages.0[page].peek().is_some()).collect();
            assert_eq!(budget.parts(), 10 * held.len());
            held
        };
        let used = |used: &[usize]| used.iter().for_each(|&page| _ = pages.0[page].get());
        budget.set_cap(30);
        (0..3).for_each(|page| _ = fill(page));
        used(&[0]);
        assert_eq!(fill(3), [0, 2, 3]);
        // Queued: 2, 3, 0, which has had its second chance.
        assert_eq!(fill(1), [0, 1, 3]);
        used(&[3]);
        assert_eq!(fill(2), [1, 2, 3]);
        // Queued: 1, 2, 3. When all were used the first is evicted.
        used(&[0, 1, 2, 3]);
        assert_eq!(fill(0), [0, 2, 3]);
        // That eviction cleared the marks of all.
        assert_eq!(fill(1), [0, 1, 3]);
        // Not even pages that are always in use stay beyond the cap.
        pages.1.store(true, Ordering::Relaxed);
        used(&[0, 1, 3]);
        budget.set_cap(10);
        assert_eq!(budget.parts(), 10);
    }
}
