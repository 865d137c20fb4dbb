//! Counts the memory that a test's thread holds: a hostile file must be refused before much is allocated for it.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// The bytes that this thread has allocated and not freed, and their maximum.
    static HELD: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

#[global_allocator]
static COUNTING: Counting = Counting;

struct Counting;

fn count(bytes: isize) {
    // A thread that ends still frees memory after its counter is gone.
    _ = HELD.try_with(|held| {
        let (now, most) = held.get();
        held.set((now + bytes, most.max(now + bytes)));
    });
}

// SAFETY: each method passes its arguments on to the system's allocator, and counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller keeps the contract, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.cast_signed() - layout.size().cast_signed());
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Returns the result of `run`, and the maximum of bytes that this thread held meanwhile, less those held before.
pub(crate) fn held<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.get().0;
    HELD.set((before, before));
    let result = run();
    (result, (HELD.get().1 - before).cast_unsigned())
}

#[test]
fn the_most_at_once_is_counted() {
    let ((), bytes) = held(|| (0..3).for_each(|_| drop(std::hint::black_box(vec![1_u8; 1000]))));
    assert_eq!(bytes, 1000);
    let (kept, bytes) = held(|| [vec![1_u8; 1000], vec![0; 1000]]);
    assert_eq!((kept.len(), bytes), (2, 2000));
}
