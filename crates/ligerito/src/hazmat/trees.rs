//! Leaves, nodes and openings of Merkle trees.

use super::super::suite;
#[cfg(feature = "ref-v08")]
use crate::hashes::{blake3, sha256};
use crate::opening;
use alloc::vec::Vec;

/// How rows become leaves and leaves a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hashing {
    /// Our own suite: leaves and nodes by BLAKE3 under a context each.
    Own,
    /// Our own suite of 128 bits: the same, under other contexts.
    Own128,
    /// The published crate (feature `ref-v08`): SHA-256 of the number of columns and the row, and plain BLAKE3 from
    /// there on.
    #[cfg(feature = "ref-v08")]
    RefV08,
}

impl Hashing {
    /// The leaf of a row given as the bytes of its `columns` elements. Our own suites do not hash the number of
    /// columns.
    #[must_use]
    #[cfg_attr(
        not(feature = "ref-v08"),
        expect(unused_variables, reason = "hashed by the published crate only")
    )]
    pub fn leaf(self, columns: u32, row: &[u8]) -> [u8; 32] {
        match self {
            Self::Own => suite::PROVABLE100.leaf_of_bytes(row),
            Self::Own128 => suite::PROVABLE128.leaf_of_bytes(row),
            #[cfg(feature = "ref-v08")]
            Self::RefV08 => sha256::leaf(columns, row),
        }
    }

    /// The parent of two nodes.
    #[must_use]
    pub fn node(self, left: &[u8; 32], right: &[u8; 32]) -> [u8; 32] {
        match self {
            Self::Own => suite::PROVABLE100.parent(left, right),
            Self::Own128 => suite::PROVABLE128.parent(left, right),
            #[cfg(feature = "ref-v08")]
            Self::RefV08 => blake3::digest(&blake3::Mode::UNKEYED, [*left, *right].as_flattened()),
        }
    }

    /// The layers of the tree, leaves first; `None` unless there are 2^n leaves.
    #[must_use]
    pub fn tree(self, leaves: &[[u8; 32]]) -> Option<Vec<Vec<[u8; 32]>>> {
        if !leaves.len().is_power_of_two() {
            return None;
        }
        let mut layers = alloc::vec![leaves.to_vec()];
        while let Some([_, _, ..]) = layers.last().map(Vec::as_slice) {
            let below = &layers[layers.len() - 1];
            let above = below.as_chunks::<2>().0.iter().map(|[left, right]| self.node(left, right)).collect();
            layers.push(above);
        }
        Some(layers)
    }

    /// The siblings of an opening, in the order in which they are sent; `None` unless there are 2^n leaves, at least
    /// one position, and positions are ascending, distinct and below 2^n.
    #[must_use]
    pub fn siblings(self, leaves: &[[u8; 32]], positions: &[usize]) -> Option<Vec<[u8; 32]>> {
        let layers = self.tree(leaves)?;
        let depth = leaves.len().ilog2();
        let mut siblings = Vec::new();
        in_order(depth, positions)?;
        opening::siblings(depth, positions, |height, position| {
            siblings.push(layers[height as usize][position])
        });
        Some(siblings)
    }

    /// The root that leaves at `positions` and siblings lead to in a tree of 2^`log2_leaves`; `None` unless there are
    /// as many leaves as positions, the positions are as for [`siblings`](Self::siblings), and all siblings are used.
    #[must_use]
    pub fn root_of(
        self,
        log2_leaves: u32,
        positions: &[usize],
        leaves: &[[u8; 32]],
        siblings: &[[u8; 32]],
    ) -> Option<[u8; 32]> {
        in_order(log2_leaves, positions)?;
        if leaves.len() != positions.len() {
            return None;
        }
        let mut siblings = siblings.iter().copied();
        let next = || siblings.next();
        let parents = |pairs: &[[_; 2]]| pairs.iter().map(|[a, b]| self.node(a, b)).collect();
        let root = opening::root_of(log2_leaves, positions, leaves.to_vec(), next, parents)?;
        siblings.next().is_none().then_some(root)
    }
}

/// SHA-256 of the number of columns and the row, which the published crate hashes again to have a leaf.
#[cfg(feature = "ref-v08")]
#[must_use]
pub fn row_hash_ref_v08(columns: u32, row: &[u8]) -> [u8; 32] {
    sha256::digest(columns, row)
}

/// What a nonce hashes to in our own suite: the work of g bits is done if the low g bits are zero.
#[must_use]
pub fn work(seed: &[u8; 32], nonce: u64) -> u64 {
    suite::PROVABLE100.work(seed, nonce)
}

fn in_order(depth: u32, positions: &[usize]) -> Option<()> {
    let last = positions.last()?;
    let ascending = positions.is_sorted_by(|a, b| a < b);
    (depth < usize::BITS && last >> depth == 0 && ascending).then_some(())
}
