//! BLAKE3 in key-derivation mode, for inputs of at most one chunk (1024 bytes): rows and nodes of Merkle trees.
//!
//! For such inputs the digest is a chain of single compressions: the chaining value begins as the *context key* (the digest
//! of the context string), the block counter is 0, the flags are 64, plus 1 on the first block, plus 2 + 8 on the last.
//! Longer inputs, and outputs of any length, are the `blake3` crate's. Source: the BLAKE3 paper, sections 2.2 to 2.6.

mod portable;
#[cfg(test)]
mod tests;

use crate::simd::Level;

/// The digest of a context string, with which the hashing of one use begins.
pub(crate) type ContextKey = [u32; 8];

/// A digest, in the order of its bytes.
pub(crate) type Digest = [u8; 32];

/// Longest input, in bytes.
pub(crate) const MAX_LEN_BYTES: usize = 1024;

/// The digest of `input` under `key`.
///
/// # Panics
/// If the input is longer than [`MAX_LEN_BYTES`].
pub(crate) fn digest(key: &ContextKey, input: &[u8]) -> Digest {
    portable::digest(key, input)
}

/// The digests of 64-byte inputs, pairs of digests: `out[i]` is that of `nodes[2 i] || nodes[2 i + 1]`.
///
/// # Panics
/// If there are not twice as many nodes as digests.
pub(crate) fn parents(_level: Level, key: &ContextKey, nodes: &[Digest], out: &mut [Digest]) {
    assert_eq!(nodes.len(), 2 * out.len(), "two children for every parent");
    for (pair, out) in nodes.as_chunks::<2>().0.iter().zip(out) {
        *out = portable::digest(key, pair.as_flattened());
    }
}
