//! What a path of the wrong length costs.

use super::{phalanx_rescue_tree_new, phalanx_rescue_tree_root, phalanx_rescue_tree_verify};
use crate::rescue::tree::{RescueTree, phalanx_rescue_tree_free};
use crate::status::{PHALANX_ERROR_RESCUE_PATH_LENGTH, PHALANX_OK};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

std::thread_local! {
    /// Bytes that this thread has asked for.
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, which counts.
struct Counting;

// SAFETY: all calls go to the system's allocator as they are.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + layout.size());
        // SAFETY: as the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The number of digests is the prover's to say: it is compared before any memory is asked for.
#[test]
fn a_path_of_another_length_is_refused_without_allocating() {
    const LEAF: [u64; 4] = [1, 2, 3, 4];
    let mut tree: *mut RescueTree = core::ptr::null_mut();
    assert_eq!(phalanx_rescue_tree_new(&raw mut tree, 0, LEAF.as_ptr(), 1, 1), PHALANX_OK);
    let mut root = [0; 4];
    assert_eq!(phalanx_rescue_tree_root(tree, root.as_mut_ptr()), PHALANX_OK);
    phalanx_rescue_tree_free(tree);

    let path = vec![0u64; 4 << 16];
    let verify = |log2_leaves, digests| {
        let before = ASKED.get();
        let status = phalanx_rescue_tree_verify(
            0,
            root.as_ptr(),
            log2_leaves,
            0,
            LEAF.as_ptr(),
            path.as_ptr(),
            digests,
        );
        (status, ASKED.get() - before)
    };
    assert_eq!(verify(0, 0), (PHALANX_OK, 0));
    assert_eq!(verify(0, 1 << 16), (PHALANX_ERROR_RESCUE_PATH_LENGTH, 0));
    assert_eq!(verify(16, 1 << 16), (PHALANX_ERROR_RESCUE_PATH_LENGTH, 0));
}
