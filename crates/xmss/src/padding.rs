//! Padding nodes of the top tree (spec section 9): drawn in advance, spent in order.
#![forbid(unsafe_code)]

use super::digest::Digest;
use super::family::Family;
use alloc::vec::Vec;
#[cfg(feature = "hazmat")]
use phalanx_core::Malformed;
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
        let nodes: Vec<_> = (0..Self::len(start, count, height)).map(|_| family.random_node(rng)).collect();
        Self { nodes: nodes.into_iter() }
    }

    /// How many nodes a tree of `height` levels above `count` nodes from position `start` on needs.
    fn len(start: u64, count: u64, height: u8) -> usize {
        let (mut start, mut end, mut len) = (start, start + count, 0);
        for _ in 0..=height {
            len += usize::from(needs_front(start)) + usize::from(needs_back(end));
            start /= 2;
            end = end.div_ceil(2);
        }
        len
    }

    /// The nodes that were drawn earlier for such a tree.
    ///
    /// # Errors
    /// [`Malformed`] if there are more or fewer than it needs.
    #[cfg(feature = "hazmat")]
    pub(crate) fn of(nodes: Vec<Digest>, start: u64, count: u64, height: u8) -> Result<Self, Malformed> {
        let wanted = Self::len(start, count, height) as u64;
        Malformed::unless_equal("number of padding nodes", nodes.len() as u64, wanted)?;
        Ok(Self { nodes: nodes.into_iter() })
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
