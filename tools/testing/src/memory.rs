//! An allocator that counts, for tests of how much is held at once. A program of tests has it by
//! `#[global_allocator] static ALLOCATOR: Counting = Counting;`, and then one test: the count is the whole process's.
#![expect(unsafe_code, reason = "an allocator that counts the bytes that are held")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, counted.
#[derive(Debug)]
pub struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn taken(bytes: usize) {
    let held = HELD.fetch_add(bytes, Ordering::SeqCst) + bytes;
    PEAK.fetch_max(held, Ordering::SeqCst);
}

// SAFETY: allocation is the system allocator's; sizes are added up beside it.
unsafe impl GlobalAlloc for Counting {
    // SAFETY: as `GlobalAlloc::alloc` demands of its caller.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's layout, as the trait demands it.
        unsafe { System.alloc(layout) }
    }

    // SAFETY: as `GlobalAlloc::alloc_zeroed` demands of its caller.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's layout, as the trait demands it.
        unsafe { System.alloc_zeroed(layout) }
    }

    // SAFETY: as `GlobalAlloc::dealloc` demands of its caller.
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::SeqCst);
        // SAFETY: the caller's block and layout, as the trait demands them.
        unsafe { System.dealloc(block, layout) }
    }
}

/// The bytes that are held.
#[must_use]
pub fn held() -> usize {
    HELD.load(Ordering::SeqCst)
}

/// The most bytes held at once while `work` runs, those that were held before among them.
pub fn peak(work: impl FnOnce()) -> usize {
    PEAK.store(held(), Ordering::SeqCst);
    work();
    PEAK.load(Ordering::SeqCst)
}
