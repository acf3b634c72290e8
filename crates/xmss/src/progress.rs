//! How callers watch and stop a long computation.
#![forbid(unsafe_code)]

use core::ops::ControlFlow;
use core::sync::atomic::{AtomicUsize, Ordering};

/// How far a computation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Leaves computed so far, those of restored trees not counted.
    pub leaves_done: u64,
    /// Leaves to compute in all.
    pub leaves_total: u64,
}

impl Progress {
    /// A function that counts leaves as they are done, on from here, and hands every new state to `progress`.
    pub(crate) fn counting_on(
        self,
        progress: &(dyn Fn(Self) -> ControlFlow<()> + Sync),
    ) -> impl Fn(u64) -> ControlFlow<()> + Sync {
        // Counts the leaves of one tree: not every target has wider atomics.
        let done = AtomicUsize::new(0);
        move |leaves| {
            let leaves = usize::try_from(leaves).expect("a tree has at most 2^16 leaves");
            let leaves = (done.fetch_add(leaves, Ordering::Relaxed) + leaves) as u64;
            progress(Self { leaves_done: self.leaves_done + leaves, ..self })
        }
    }
}
