//! Bottom trees and the top tree of a key (spec section 9).
#![forbid(unsafe_code)]

use super::digest::{Digest, Parameter};
use super::error::Error;
use super::padding::Padding;
use super::parameters::Parameters;
use super::prf_key::PrfKey;
use super::window::Trees;
use alloc::boxed::Box;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicBool, Ordering};
use phalanx_core::simd::Isa;
use phalanx_core::subtree::{Layer, Subtree};
use phalanx_core::threads::{Job, Pool};

/// Leaves computed by one job of a pool: about ten milliseconds of work at most, so that pools balance and a stop
/// request is heard soon; a multiple of every engine's lanes.
const JOB_LEAVES: usize = 128;

/// Is told how many leaves were finished just now, from any thread; answers whether to go on.
pub(crate) type OnLeaves<'a> = &'a (dyn Fn(u64) -> ControlFlow<()> + Sync);

/// Computes bottom tree `index` whole: all leaves, then every level.
///
/// # Errors
/// [`Error::Unfinished`] if `on_leaves` asked to stop.
pub(crate) fn bottom(
    set: &Parameters,
    parameter: &Parameter,
    key: &PrfKey,
    index: u64,
    pool: &dyn Pool,
    on_leaves: OnLeaves<'_>,
) -> Result<Subtree<Digest>, Error> {
    complete(set, parameter, key, index * set.tree_leaves(), set.log2_lifetime / 2, pool, on_leaves)
}

/// Computes the tree of `height` levels over the leaves of epochs `start..start + 2^height` whole; `start` is a
/// multiple of `2^height`.
///
/// # Errors
/// [`Error::Unfinished`] if `on_leaves` asked to stop.
pub(crate) fn complete(
    set: &Parameters,
    parameter: &Parameter,
    key: &PrfKey,
    start: u64,
    height: u8,
    pool: &dyn Pool,
    on_leaves: OnLeaves<'_>,
) -> Result<Subtree<Digest>, Error> {
    let isa = Isa::current();
    let count = 1usize << height;
    let mut leaves = alloc::vec![Digest::default(); count];
    let stopped = AtomicBool::new(false);
    let stopped_ref = &stopped;
    let job = |(job, out): (usize, _)| -> Job<'_> {
        let out: &mut [Digest] = out;
        Box::new(move || {
            if stopped_ref.load(Ordering::Relaxed) {
                return;
            }
            let first = start + (job * JOB_LEAVES) as u64;
            let first = u32::try_from(first).expect("epochs are below 2^32");
            set.family.leaves(isa, parameter, key, first, out);
            if on_leaves(out.len() as u64).is_break() {
                stopped_ref.store(true, Ordering::Relaxed);
            }
        })
    };
    pool.run(leaves.chunks_mut(JOB_LEAVES).enumerate().map(job).collect());
    if stopped.into_inner() {
        return Err(Error::Unfinished);
    }
    let base = Layer { start, nodes: leaves };
    Ok(Subtree::build(set.log2_lifetime, 0, height, base, |_| {}, parents(set, parameter, isa)))
}

/// Computes the top tree over the roots of the bottom trees `trees`.
pub(crate) fn top(
    set: &Parameters,
    parameter: &Parameter,
    trees: Trees,
    roots: alloc::vec::Vec<Digest>,
    mut padding: Padding,
) -> Subtree<Digest> {
    let half = set.log2_lifetime / 2;
    let base = Layer { start: trees.first, nodes: roots };
    let complete = |layer: &mut Layer<Digest>| padding.complete(layer);
    let parents = parents(set, parameter, Isa::current());
    Subtree::build(set.log2_lifetime, half, half, base, complete, parents)
}

/// Whether every node above the lowest layer is the hash of its children.
pub(crate) fn is_consistent(set: &Parameters, parameter: &Parameter, tree: &Subtree<Digest>) -> bool {
    let parents = parents(set, parameter, Isa::current());
    tree.layers.windows(2).zip(tree.lowest + 1..).all(|(pair, height)| {
        let [below, above] = pair else { return false };
        let mut nodes = alloc::vec![Digest::default(); below.nodes.len() / 2];
        let first = below.start / 2;
        parents(height, first, &below.nodes, &mut nodes);
        let Ok(at) = usize::try_from(first.wrapping_sub(above.start)) else { return false };
        above.nodes.get(at..at.saturating_add(nodes.len())) == Some(&nodes[..])
    })
}

/// The function that computes parents for [`Subtree::build`].
pub(crate) fn parents<'a>(
    set: &'a Parameters,
    parameter: &'a Parameter,
    isa: Isa,
) -> impl Fn(u8, u64, &[Digest], &mut [Digest]) + 'a {
    move |height, first, children, out| set.family.parents(isa, parameter, height, first, children, out)
}
