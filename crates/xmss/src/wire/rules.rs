//! What the encodings have in common: counts, bounds and checks.
#![forbid(unsafe_code)]

use crate::digest::Digest;
use crate::key::SigningKey;
use crate::parameters::Parameters;
use crate::window::Trees;
use phalanx_core::Malformed;
use phalanx_core::subtree::Subtree;

impl SigningKey {
    /// The parts that an encoding writes, in order: first epoch, number of epochs, and the three trees.
    pub(super) fn epochs_and_trees(&self) -> (u64, u64, [&Subtree<Digest>; 3]) {
        let active = self.activation_interval();
        (active.start, active.end - active.start, [&self.top, &self.left, &self.right])
    }
}

/// Layers of every tree of a key.
pub(super) fn layers_of_tree(set: &Parameters) -> usize {
    usize::from(set.log2_lifetime / 2) + 1
}

/// A bound on the length of a key with these trees in a binary encoding, so that its buffer never moves: a buffer that
/// grows leaves copies of the secret behind. Framing is 18 bytes a layer and below 256 elsewhere.
pub(super) fn max_signing_key_len(
    set: &Parameters,
    trees: [&Subtree<Digest>; 3],
    word_bytes: usize,
) -> usize {
    let layers = || trees.into_iter().flat_map(|tree| &tree.layers);
    let nodes: usize = layers().map(|layer| layer.nodes.len()).sum();
    256 + 18 * layers().count() + (nodes * set.hash_len + set.parameter_len) * word_bytes
}

/// The bottom trees that make up the activation interval of `count` epochs from `start` on.
pub(super) fn whole_trees(set: &Parameters, start: u64, count: u64) -> Result<Trees, Malformed> {
    let leaves = set.tree_leaves();
    Malformed::unless_equal("activation epoch modulo the leaves of a bottom tree", start % leaves, 0)?;
    Malformed::unless_equal("active epochs modulo the leaves of a bottom tree", count % leaves, 0)?;
    // Divided before added, so that nothing overflows.
    Ok(Trees { first: start / leaves, end: start / leaves + count / leaves })
}

/// A small number of a tree's description, such as its depth; anything above 255 is wrong everywhere.
pub(super) fn small(what: &'static str, got: u64) -> Result<u8, Malformed> {
    u8::try_from(got).map_err(|_| Malformed { what, got, wanted: u64::from(u8::MAX) })
}

/// The outcome of a look at the element `wire`: `Err` holds the bound it must stay below.
pub(super) fn canonical(what: &'static str, wire: u32, outcome: Result<u32, u32>) -> Result<u32, Malformed> {
    outcome.map_err(|bound| Malformed { what, got: u64::from(wire), wanted: u64::from(bound) - 1 })
}
