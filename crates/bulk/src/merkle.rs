//! The tree over the verdicts of all rows.
//!
//! The verdicts, one byte for each row, in the order of inputs and rows, are cut into leaves of 1024 bytes, the last one
//! shorter. A leaf is SHA-256(00 | bytes), a node SHA-256(01 | left | right), and the tree's shape is that of RFC 6962,
//! section 2.1: the left subtree is the largest full one. The root over no rows is SHA-256 of nothing.

use sha2::{Digest, Sha256};

/// Verdicts under one leaf.
const LEAF_ROWS: usize = 1024;

/// A tree that grows to the right: the roots of the full subtrees so far.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    leaf: Vec<u8>,
    /// With the number of leaves under each, largest first.
    full: Vec<(u64, [u8; 32])>,
}

impl Tree {
    /// Appends the verdicts of further rows.
    pub fn extend(&mut self, mut verdicts: &[u8]) {
        while !verdicts.is_empty() {
            let taken = verdicts.len().min(LEAF_ROWS - self.leaf.len());
            self.leaf.extend_from_slice(&verdicts[..taken]);
            verdicts = &verdicts[taken..];
            if self.leaf.len() == LEAF_ROWS {
                self.close_leaf();
            }
        }
    }

    /// The root.
    #[must_use]
    pub fn root(mut self) -> [u8; 32] {
        if !self.leaf.is_empty() {
            self.close_leaf();
        }
        let Some((_, mut root)) = self.full.pop() else { return Sha256::digest([]).into() };
        while let Some((_, left)) = self.full.pop() {
            root = node(&left, &root);
        }
        root
    }

    fn close_leaf(&mut self) {
        let mut subtree = (1, Sha256::new().chain_update([0]).chain_update(&self.leaf).finalize().into());
        self.leaf.clear();
        while let Some((_, left)) = self.full.pop_if(|(leaves, _)| *leaves == subtree.0) {
            subtree = (2 * subtree.0, node(&left, &subtree.1));
        }
        self.full.push(subtree);
    }
}

fn node(left: &[u8; 32], right: &[u8; 32]) -> [u8; 32] {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6962, section 2.1, as it is written there.
    fn defined(leaves: &[&[u8]]) -> [u8; 32] {
        match leaves {
            [] => Sha256::digest([]).into(),
            [leaf] => Sha256::digest([&[0], *leaf].concat()).into(),
            _ => {
                let left = leaves.len().next_power_of_two() / 2;
                let halves = [defined(&leaves[..left]), defined(&leaves[left..])].concat();
                Sha256::digest([&[1], &*halves].concat()).into()
            }
        }
    }

    #[test]
    fn the_tree_is_that_of_the_definition() {
        let verdicts: Vec<u8> =
            (0..9 * LEAF_ROWS + 1).map(|i| u8::try_from(i * i % 251).expect("a byte")).collect();
        for rows in [0, 1, 1023, 1024, 1025, 2048, 3000, 4096, 5121, 7168, verdicts.len()] {
            let leaves: Vec<&[u8]> = verdicts[..rows].chunks(LEAF_ROWS).collect();
            for step in [1000, 1024, 4097] {
                let mut tree = Tree::default();
                verdicts[..rows].chunks(step).for_each(|part| tree.extend(part));
                assert_eq!(tree.root(), defined(&leaves), "{rows} rows in steps of {step}");
            }
        }
    }
}
