//! Merkle trees of digests.
#![forbid(unsafe_code)]

use crate::digest::Digest;
use crate::error::Error;
use crate::function::Function;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;
use phalanx_core::subtree::{Layer, Subtree};
use phalanx_core::threads::Pool;

/// A full binary tree whose nodes are [`merge`](Function::merge) of their children, built level by level, many nodes at a
/// time. Holds all nodes: 32 bytes each, so 64 bytes for each leaf.
///
/// ```
/// use phalanx_rescue::{Function, MerkleTree};
///
/// # fn main() -> Result<(), phalanx_rescue::Error> {
/// let rescue = Function::Rp64_256;
/// let leaves = rescue.hash_elements_many(&[&[1], &[2, 2], &[3, 3, 3], &[4]]);
/// let tree = MerkleTree::new(rescue, leaves)?;
///
/// let (leaf, path) = tree.open(2)?;
/// MerkleTree::verify(rescue, &tree.root(), tree.log2_leaves(), 2, &leaf, &path)?;
/// assert!(MerkleTree::verify(rescue, &tree.root(), tree.log2_leaves(), 3, &leaf, &path).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct MerkleTree {
    function: Function,
    nodes: Subtree<Digest>,
}

impl MerkleTree {
    /// The tree over `leaves`. One leaf is its own root.
    ///
    /// # Errors
    /// [`Error::LeafCount`] if their number is no power of two.
    pub fn new(function: Function, leaves: Vec<Digest>) -> Result<Self, Error> {
        let isa = Isa::current();
        Self::build(function, leaves, |pairs, parents| function.merge_into(isa, pairs, parents))
    }

    /// [`new`](Self::new) on the threads of `pool`.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn new_on(pool: &dyn Pool, function: Function, leaves: Vec<Digest>) -> Result<Self, Error> {
        Self::build(function, leaves, |pairs, parents| function.merge_into_on(pool, pairs, parents))
    }

    fn build(
        function: Function,
        leaves: Vec<Digest>,
        merge: impl Fn(&[[Digest; 2]], &mut [Digest]),
    ) -> Result<Self, Error> {
        if !leaves.len().is_power_of_two() {
            return Err(Error::LeafCount { got: leaves.len() });
        }
        let height = u8::try_from(leaves.len().trailing_zeros()).expect("below 64, the bits of a length");
        let base = Layer { start: 0, nodes: leaves };
        let parents = |_, _, children: &[Digest], nodes: &mut [Digest]| merge(children.as_chunks().0, nodes);
        Ok(Self { function, nodes: Subtree::build(height, 0, height, base, |_| {}, parents) })
    }

    /// The function that the tree is made with.
    #[must_use]
    pub fn function(&self) -> Function {
        self.function
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> Digest {
        self.nodes.root()
    }

    /// The leaves.
    #[must_use]
    pub fn leaves(&self) -> &[Digest] {
        &self.nodes.layers[0].nodes
    }

    /// The base-2 logarithm of the number of leaves, which is the number of digests in a path.
    #[must_use]
    pub fn log2_leaves(&self) -> u32 {
        u32::from(self.nodes.depth)
    }

    /// Leaf `index`, counted from 0, and its path: the siblings on the way to the root, lowest first.
    ///
    /// # Errors
    /// [`Error::LeafIndex`] if there is no such leaf.
    pub fn open(&self, index: usize) -> Result<(Digest, Vec<Digest>), Error> {
        let leaves = self.leaves();
        let leaf = *leaves.get(index).ok_or(Error::LeafIndex { got: index, leaves: leaves.len() })?;
        let path = self.nodes.path(index as u64).expect("a full tree holds every sibling");
        Ok((leaf, path))
    }

    /// Checks that `leaf` is the one with this index in the tree of `2^log2_leaves` leaves that has this root. The size of
    /// the tree is the verifier's knowledge: with it, no inner node passes for a leaf.
    ///
    /// # Errors
    /// [`Error::PathLength`] if the path is not one of such a tree, [`Error::LeafIndex`] if such a tree has no such leaf,
    /// [`Error::WrongRoot`] if leaf and path lead elsewhere.
    pub fn verify(
        function: Function,
        root: &Digest,
        log2_leaves: u32,
        index: usize,
        leaf: &Digest,
        path: &[Digest],
    ) -> Result<(), Error> {
        if path.len() as u64 != u64::from(log2_leaves) {
            return Err(Error::PathLength { got: path.len(), wanted: log2_leaves as usize });
        }
        // Trees with more leaves than a usize can count have them all.
        if let Some(leaves) = 1usize.checked_shl(log2_leaves)
            && index >= leaves
        {
            return Err(Error::LeafIndex { got: index, leaves });
        }
        let mut node = *leaf;
        for (level, sibling) in path.iter().enumerate() {
            // Above the bits of the index all turns are to the left.
            let right = level < usize::BITS as usize && index >> level & 1 == 1;
            node = if right { function.merge(sibling, &node) } else { function.merge(&node, sibling) };
        }
        if node == *root { Ok(()) } else { Err(Error::WrongRoot) }
    }
}

impl core::fmt::Debug for MerkleTree {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("MerkleTree")
            .field("function", &self.function)
            .field("log2_leaves", &self.log2_leaves())
            .field("root", &self.root())
            .finish()
    }
}
