//! Winterfell's Merkle tree, built level by level in lanes.

use crate::hashers::{PackedHasher, digest_from, digest_to};
use crate::pool::POOL;
use alloc::vec::Vec;
use core::fmt;
use phalanx_rescue::Digest;
use winter_crypto::{MerkleTree, MerkleTreeError, VectorCommitment};

/// A Merkle tree as `winter_crypto::MerkleTree` has it, with the same root, the same proofs and the same errors, whose nodes
/// are hashed in lanes.
pub struct PackedMerkleTree<H: PackedHasher>(MerkleTree<H>);

impl<H: PackedHasher> PackedMerkleTree<H> {
    /// Winterfell's tree.
    #[must_use]
    pub fn as_tree(&self) -> &MerkleTree<H> {
        &self.0
    }
}

impl<H: PackedHasher> fmt::Debug for PackedMerkleTree<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PackedMerkleTree")
            .field("depth", &self.0.depth())
            .field("root", self.0.root())
            .finish()
    }
}

/// The nodes over `leaves`, a power of two, in Winterfell's order: the children of node i are 2i and 2i + 1, the root is node
/// 1, and node 0 is not used.
fn build<H: PackedHasher>(leaves: &[H::Digest]) -> Vec<H::Digest> {
    let mut nodes = alloc::vec![H::Digest::default(); leaves.len()];
    let mut level: Vec<Digest> = leaves.iter().map(|&leaf| digest_from(leaf)).collect();
    while level.len() > 1 {
        level = H::FUNCTION.merge_pairs_on(POOL, level.as_chunks().0);
        let parents = &mut nodes[level.len()..2 * level.len()];
        parents.iter_mut().zip(&level).for_each(|(node, &digest)| *node = digest_to(digest));
    }
    nodes
}

/// Proofs, and so the bytes of a STARK, are those of `MerkleTree`.
impl<H: PackedHasher> VectorCommitment<H> for PackedMerkleTree<H> {
    type Options = <MerkleTree<H> as VectorCommitment<H>>::Options;
    type Proof = <MerkleTree<H> as VectorCommitment<H>>::Proof;
    type MultiProof = <MerkleTree<H> as VectorCommitment<H>>::MultiProof;
    type Error = MerkleTreeError;

    fn with_options(items: Vec<H::Digest>, _: Self::Options) -> Result<Self, MerkleTreeError> {
        // Other numbers of leaves are refused below, before anybody looks at the nodes.
        let is_tree = items.len() > 1 && items.len().is_power_of_two();
        let nodes = if is_tree { build::<H>(&items) } else { Vec::new() };
        MerkleTree::from_raw_parts(nodes, items).map(Self)
    }

    fn commitment(&self) -> H::Digest {
        self.0.commitment()
    }

    fn domain_len(&self) -> usize {
        self.0.domain_len()
    }

    fn get_proof_domain_len(proof: &Self::Proof) -> usize {
        MerkleTree::<H>::get_proof_domain_len(proof)
    }

    fn get_multiproof_domain_len(proof: &Self::MultiProof) -> usize {
        MerkleTree::<H>::get_multiproof_domain_len(proof)
    }

    fn open(&self, index: usize) -> Result<(H::Digest, Self::Proof), MerkleTreeError> {
        self.0.open(index)
    }

    fn open_many(&self, indexes: &[usize]) -> Result<(Vec<H::Digest>, Self::MultiProof), MerkleTreeError> {
        self.0.open_many(indexes)
    }

    fn verify(
        commitment: H::Digest,
        index: usize,
        item: H::Digest,
        proof: &Self::Proof,
    ) -> Result<(), MerkleTreeError> {
        <MerkleTree<H> as VectorCommitment<H>>::verify(commitment, index, item, proof)
    }

    fn verify_many(
        commitment: H::Digest,
        indexes: &[usize],
        items: &[H::Digest],
        proof: &Self::MultiProof,
    ) -> Result<(), MerkleTreeError> {
        <MerkleTree<H> as VectorCommitment<H>>::verify_many(commitment, indexes, items, proof)
    }
}
