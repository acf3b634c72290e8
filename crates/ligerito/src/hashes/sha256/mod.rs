//! SHA-256 (FIPS 180-4) of rows: one at a time, or many side by side in lanes.
//!
//! What is hashed is the row behind the number of its elements as four little-endian bytes, and the digest is hashed
//! again, by BLAKE3, with which the tree goes on: so the crate `ligerito` makes its trees.

#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod kernel;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod lanes;
#[cfg(test)]
mod tests;

use crate::hashes::blake3::{self, Digest, Mode};
use phalanx_core::first_of;
use phalanx_core::sha256;
use phalanx_core::simd::Isa;

/// The digest of `le32(prefix) || row`.
pub(crate) fn digest(prefix: u32, row: &[u8]) -> Digest {
    sha256::digest(&[&prefix.to_le_bytes(), row])
}

/// The leaf of a row: BLAKE3 of SHA-256 of `le32(prefix) || row`.
pub(crate) fn leaf(prefix: u32, row: &[u8]) -> Digest {
    blake3::digest(&Mode::UNKEYED, &digest(prefix, row))
}

/// Roots of trees over rows: `nodes[i]` is the root of the tree whose leaves are those of rows `i 2^height …`,
/// 2^`height` of them, all with the same `prefix`, and whose parents are BLAKE3 of two children.
///
/// `rows` are the bytes of rows of `row_len_bytes` each, one after the other, as many as the nodes have leaves.
///
/// # Panics
/// If lengths do not fit.
pub(crate) fn hash_rows(
    isa: Isa,
    prefix: u32,
    rows: &[u8],
    row_len_bytes: usize,
    height: usize,
    nodes: &mut [Digest],
) {
    assert_eq!(rows.len(), (nodes.len() << height) * row_len_bytes, "2^height rows for every node");
    let node = &Mode::UNKEYED;
    // Lanes read whole words.
    let whole = blake3::is_whole_words(row_len_bytes);
    let isa = if whole { isa } else { Isa::PORTABLE };
    first_of!(isa;
        avx512(witness) => lanes::hash_rows(witness, prefix, rows, row_len_bytes, height, nodes),
        avx2(witness) => lanes::hash_rows(witness, prefix, rows, row_len_bytes, height, nodes),
        neon(witness) => lanes::hash_rows(witness, prefix, rows, row_len_bytes, height, nodes),
        wasm128(witness) => lanes::hash_rows(witness, prefix, rows, row_len_bytes, height, nodes),
        sse2(witness) if whole => lanes::hash_rows(witness, prefix, rows, row_len_bytes, height, nodes),
        else => blake3::hash_rows_by(node, |row| leaf(prefix, row), rows, row_len_bytes, height, nodes),
    )
}
