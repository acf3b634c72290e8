//! Padding nodes of the top tree (spec section 9): drawn in advance, spent in order.
#![forbid(unsafe_code)]

use super::digest::Digest;
use super::family::Family;
use alloc::vec::Vec;
use phalanx_core::subtree::Layer;
use rand_core::Rng;

/// The nodes that complete the layers of a sparse tree, in drawing order.
///
/// How many are needed depends only on where the tree stands, so they can be drawn before anything is hashed.
pub(crate) struct Padding {
    nodes: alloc::vec::IntoIter<Digest>,
}

impl Padding {
    /// Draws what a tree of `height` levels above `count` nodes from position `start` on will need.
    pub(crate) fn draw(family: &dyn Family, rng: &mut dyn Rng, start: u64, count: u64, height: u8) -> Self {
        let mut nodes = Vec::new();
        let (mut start, mut end) = (start, start + count);
        for _ in 0..=height {
            let missing = u8::from(needs_front(start)) + u8::from(needs_back(end));
            nodes.extend((0..missing).map(|_| family.random_node(rng)));
            start /= 2;
            end = end.div_ceil(2);
        }
        Self { nodes: nodes.into_iter() }
    }

    /// The nodes not yet spent.
    #[cfg(feature = "hazmat")]
    pub(crate) fn into_nodes(self) -> impl Iterator<Item = Digest> {
        self.nodes
    }

    /// Gives every node of `layer` a sibling.
    ///
    /// # Panics
    /// If more is asked for than was drawn.
    pub(crate) fn complete(&mut self, layer: &mut Layer<Digest>) {
        let mut next = || self.nodes.next().expect("drawn for exactly this tree");
        let end = layer.start + layer.nodes.len() as u64;
        if needs_front(layer.start) {
            layer.nodes.insert(0, next());
            layer.start -= 1;
        }
        if needs_back(end) {
            layer.nodes.push(next());
        }
    }
}

/// Whether a layer that begins at position `start` lacks the sibling in front.
fn needs_front(start: u64) -> bool {
    start % 2 == 1
}

/// Whether a layer that ends before position `end` lacks the last sibling.
fn needs_back(end: u64) -> bool {
    end % 2 == 1
}
