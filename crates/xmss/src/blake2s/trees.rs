//! Trees of a key: only what is above its epochs is hashed, the rest are filler nodes (specification section 7).
#![forbid(unsafe_code)]

use super::hashing;
use super::parameters::{HEIGHT, Node, Profile};
use crate::error::Error;
use crate::hashes::blake2s::{MAX_LANES, with_lanes};
use crate::prf_key::PrfKey;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};
use core::sync::atomic::{AtomicBool, Ordering};
use phalanx_core::lanes::Scalar;
use phalanx_core::simd::Isa;
use phalanx_core::subtree::{Layer, Subtree};
use phalanx_core::threads::{Job, Pool};

/// Leaves computed by one job of a pool: a few milliseconds of work at most, so that pools balance and a stop request is
/// heard soon.
const JOB_LEAVES: usize = 8 * MAX_LANES;

/// Height of the lowest bottom trees: smaller ones would leave lanes empty.
const MIN_HEIGHT: u8 = 7;

/// Which epochs a key has, and how its tree is cut into bottom trees and a top tree. How it is cut changes no byte of a
/// key or signature.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// First epoch and the first after the last one; never empty.
    pub(crate) epochs: Range<u64>,
    /// Levels of a bottom tree.
    pub(crate) height: u8,
}

impl Place {
    /// # Errors
    /// [`Error::Interval`] if the epochs do not fit the lifetime, or there are none.
    pub(crate) fn new(epochs: Range<u64>) -> Result<Self, Error> {
        let Range { start, end } = epochs;
        let lifetime = 1 << HEIGHT;
        if start >= end || end > lifetime {
            return Err(Error::Interval { start, count: end.saturating_sub(start), lifetime });
        }
        // Half of the levels that the epochs span: as many nodes in the top tree as leaves in a bottom tree.
        let levels = (end - start).next_power_of_two().ilog2();
        let height = u8::try_from(levels.div_ceil(2)).expect("at most 16").max(MIN_HEIGHT);
        Ok(Self { epochs, height })
    }

    /// Indices of the bottom trees.
    pub(crate) fn trees(&self) -> Range<u64> {
        self.epochs.start >> self.height..((self.epochs.end - 1) >> self.height) + 1
    }

    /// The epochs of bottom trees `trees`.
    pub(crate) fn epochs_of(&self, trees: Range<u64>) -> Range<u64> {
        let Range { start, end } = self.epochs;
        start.max(trees.start << self.height)..end.min(trees.end << self.height)
    }
}

/// What the nodes of a key are computed from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) seed: &'a PrfKey,
    pub(crate) parameter: &'a Node,
    pub(crate) place: &'a Place,
}

impl Source<'_> {
    /// Bottom tree `index`: what of it has epochs of the key below, and fillers beside that.
    ///
    /// # Errors
    /// [`Error::Unfinished`] if `on_leaves`, which is told how many leaves were finished just now, asked to stop.
    pub(crate) fn bottom(
        self,
        index: u64,
        pool: &dyn Pool,
        on_leaves: &(dyn Fn(u64) -> ControlFlow<()> + Sync),
    ) -> Result<Subtree<Node>, Error> {
        let isa = Isa::current();
        let Source { seed, parameter, place } = self;
        let epochs = place.epochs_of(index..index + 1);
        let count =
            usize::try_from(epochs.end - epochs.start).expect("a bottom tree has at most 2^16 leaves");
        let mut leaves = alloc::vec![Node::default(); count];
        let stopped = AtomicBool::new(false);
        let stopped_ref = &stopped;
        let job = |(job, out): (usize, _)| -> Job<'_> {
            let out: &mut [Node] = out;
            let first = epochs.start + (job * JOB_LEAVES) as u64;
            Box::new(move || {
                if stopped_ref.load(Ordering::Relaxed) {
                    return;
                }
                let first = u32::try_from(first).expect("epochs are below 2^32");
                with_lanes!(isa, lanes => hashing::leaves(lanes, parameter, seed, first, out));
                if on_leaves(out.len() as u64).is_break() {
                    stopped_ref.store(true, Ordering::Relaxed);
                }
            })
        };
        pool.run(leaves.chunks_mut(JOB_LEAVES).enumerate().map(job).collect());
        if stopped.into_inner() {
            return Err(Error::Unfinished);
        }
        Ok(self.bottom_over(isa, index, leaves))
    }

    /// Bottom tree `index` over the leaves of its epochs.
    pub(crate) fn bottom_over(self, isa: Isa, index: u64, leaves: Vec<Node>) -> Subtree<Node> {
        let start = self.place.epochs_of(index..index + 1).start;
        self.build(isa, 0, self.place.height, Layer { start, nodes: leaves })
    }

    /// The top tree over the roots of all bottom trees.
    pub(crate) fn top(self, roots: Vec<Node>) -> Subtree<Node> {
        let base = Layer { start: self.place.trees().start, nodes: roots };
        self.build(Isa::current(), self.place.height, HEIGHT - self.place.height, base)
    }

    /// `levels` levels above `base`, whose nodes have epochs of the key below.
    fn build(self, isa: Isa, lowest: u8, levels: u8, base: Layer<Node>) -> Subtree<Node> {
        let Source { seed, parameter, .. } = self;
        let mut level = lowest;
        let complete = |layer: &mut Layer<Node>| {
            // The last layer is one node, which has no sibling here.
            if level < lowest + levels {
                let end = layer.start + layer.nodes.len() as u64;
                if end % 2 == 1 {
                    layer.nodes.push(hashing::filler(seed, parameter, level, end));
                }
                if layer.start % 2 == 1 {
                    layer.start -= 1;
                    layer.nodes.insert(0, hashing::filler(seed, parameter, level, layer.start));
                }
            }
            level += 1;
        };
        Subtree::build(HEIGHT, lowest, levels, base, complete, |level, first, children, out| match out {
            // One alone is faster without lanes to fill.
            [_] => hashing::parents(Scalar, Profile::B, parameter, level, first, children, out),
            _ => with_lanes!(isa, lanes =>
                hashing::parents(lanes, Profile::B, parameter, level, first, children, out)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_a_tree_is_cut() {
        let place = |epochs| Place::new(epochs).map(|place: Place| (place.height, place.trees()));
        assert_eq!(place(0..1), Ok((7, 0..1)));
        assert_eq!(place(127..129), Ok((7, 0..2)));
        assert_eq!(place(0..1 << 14), Ok((7, 0..128)));
        assert_eq!(place(5..(1 << 14) + 6), Ok((8, 0..65)));
        assert_eq!(place(0..1 << 32), Ok((16, 0..1 << 16)));
        let last = (1 << 32) - 1;
        assert_eq!(place(last..1 << 32), Ok((7, (1 << 25) - 1..1 << 25)));
        for (start, end) in [(4, 4), (4, 3), (0, (1 << 32) + 1), (u64::MAX, u64::MAX)] {
            let count = end.saturating_sub(start);
            assert_eq!(place(start..end), Err(Error::Interval { start, count, lifetime: 1 << 32 }));
        }
    }
}
