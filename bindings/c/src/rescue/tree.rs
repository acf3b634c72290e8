//! Merkle trees.

use super::{digest_at, digests_at, function_of, words_at, write_digest, write_digests};
use crate::common::{Pool, team};
use crate::ffi::{self, Team, entry};
use crate::status::Status;
use phalanx::rescue::{Digest, Error, MerkleTree};

/// A full binary tree whose nodes are merged from their children. Holds all nodes: 64 bytes for each leaf.
pub struct RescueTree(MerkleTree);

/// Makes the tree over `count` leaves, four words each, on `threads` threads. One leaf is its own root. End it with
/// `phalanx_rescue_tree_free`.
///
/// `PHALANX_ERROR_RESCUE_LEAF_COUNT` if their number is no power of two.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_tree_new(
    tree: *mut *mut RescueTree,
    function: u32,
    leaves: *const u64,
    count: usize,
    threads: u32,
) -> Status {
    entry!({ ffi::give(tree, || build(function, leaves, count, &ffi::threads(threads)).map(RescueTree)) })
}

/// As `phalanx_rescue_tree_new`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_tree_new_on(
    pool: *const Pool,
    tree: *mut *mut RescueTree,
    function: u32,
    leaves: *const u64,
    count: usize,
) -> Status {
    entry!({ ffi::give(tree, || build(function, leaves, count, team(pool)).map(RescueTree)) })
}

/// # Safety
/// As `ffi::slice`.
unsafe fn build(function: u32, leaves: *const u64, count: usize, team: &Team) -> Result<MerkleTree, Status> {
    let function = function_of(function)?;
    // SAFETY: as the caller's.
    let leaves = unsafe { digests_at(leaves, count) }?;
    Ok(if team.is_alone() {
        MerkleTree::new(function, leaves)?
    } else {
        MerkleTree::new_on(team, function, leaves)?
    })
}

/// Ends a tree. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_rescue_tree_free(tree: *mut RescueTree) {
    ffi::free(tree);
}

/// Writes the root, four words.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_tree_root(tree: *const RescueTree, root: *mut u64) -> Status {
    entry!({ write_digest(root, ffi::value(tree)?.0.root()) })
}

/// The base-2 logarithm of the number of leaves, which is the number of digests in a path; 0 for a null tree.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_rescue_tree_log2_leaves(tree: *const RescueTree) -> u32 {
    // SAFETY: the caller keeps the header's rules of pointers.
    ffi::guard_value(0, || unsafe { ffi::value(tree) }.map_or(0, |tree| tree.0.log2_leaves()))
}

/// Writes leaf `index`, counted from 0, and its path: the siblings on the way to the root, lowest first, four words each,
/// `phalanx_rescue_tree_log2_leaves` of them.
///
/// `PHALANX_ERROR_RESCUE_LEAF_INDEX` if there is no such leaf.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_tree_open(
    tree: *const RescueTree,
    leaf: *mut u64,
    path: *mut u64,
    index: usize,
) -> Status {
    entry!({
        let (digest, digests) = ffi::value(tree)?.0.open(index)?;
        write_digests(path, &digests)?;
        write_digest(leaf, digest)
    })
}

/// Checks that `leaf` is the one with this index in the tree of 2^`log2_leaves` leaves that has this root. `path` holds
/// `path_digests` digests. The size of the tree is the verifier's knowledge: with it, no inner node passes for a leaf.
///
/// `PHALANX_ERROR_RESCUE_PATH_LENGTH` if the path is not one of such a tree, `PHALANX_ERROR_RESCUE_LEAF_INDEX` if such a
/// tree has no such leaf, `PHALANX_ERROR_RESCUE_WRONG_ROOT` if leaf and path lead elsewhere.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_tree_verify(
    function: u32,
    root: *const u64,
    log2_leaves: u32,
    index: usize,
    leaf: *const u64,
    path: *const u64,
    path_digests: usize,
) -> Status {
    entry!({
        let (function, path) = (function_of(function)?, words_at(path, path_digests)?);
        let (root, leaf) = (digest_at(root)?, digest_at(leaf)?);
        // Before anything is copied: the number of digests may come from whoever made the path.
        if path_digests as u64 != u64::from(log2_leaves) {
            return Err(Error::PathLength { got: path_digests, wanted: log2_leaves as usize }.into());
        }
        let path: Vec<_> = path.iter().map(|&words| Digest::from_elements(words)).collect();
        MerkleTree::verify(function, &root, log2_leaves, index, &leaf, &path)?;
        Ok(())
    })
}

/// Writes the root of the tree over `count` leaves, four words each, made on `threads` threads and not kept.
///
/// `PHALANX_ERROR_RESCUE_LEAF_COUNT` if their number is no power of two.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_merkle_root(
    function: u32,
    root: *mut u64,
    leaves: *const u64,
    count: usize,
    threads: u32,
) -> Status {
    entry!({ write_digest(root, build(function, leaves, count, &ffi::threads(threads))?.root()) })
}

/// As `phalanx_rescue_merkle_root`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_merkle_root_on(
    pool: *const Pool,
    function: u32,
    root: *mut u64,
    leaves: *const u64,
    count: usize,
) -> Status {
    entry!({ write_digest(root, build(function, leaves, count, team(pool))?.root()) })
}

#[cfg(test)]
mod tests;
