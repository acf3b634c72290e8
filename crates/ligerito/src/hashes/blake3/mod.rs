//! BLAKE3 for inputs of at most one chunk (1024 bytes), many side by side: rows and nodes of Merkle trees, proofs of
//! work.
//!
//! For such inputs the digest is a chain of single compressions: the block counter is 0, the flags are those of the
//! [`Mode`], plus 1 on the first block, plus 2 + 8 on the last. Longer inputs, and outputs of any length, are the
//! `blake3` crate's. Source: the BLAKE3 paper, sections 2.2 to 2.6.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512_pair;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod four;
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
pub(super) mod lanes;
mod mode;
mod portable;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(super) mod slices;
#[cfg(test)]
mod tests;

pub(crate) use mode::{Digest, MAX_LEN_BYTES, Mode};

use core::ops::Range;
use phalanx_core::first_of;
use phalanx_core::simd::Isa;

/// The digest of `input`.
///
/// # Panics
/// If the input is longer than [`MAX_LEN_BYTES`].
pub(crate) fn digest(mode: &Mode, input: &[u8]) -> Digest {
    portable::digest(mode, input)
}

/// The digests of 64-byte inputs, pairs of digests: `out[i]` is that of `nodes[2 i] || nodes[2 i + 1]`.
///
/// # Panics
/// If there are not twice as many nodes as digests.
pub(crate) fn parents(isa: Isa, mode: &Mode, nodes: &[Digest], out: &mut [Digest]) {
    assert_eq!(nodes.len(), 2 * out.len(), "two children for every parent");
    first_of!(isa;
        avx512(witness) => lanes::parents(witness, mode, nodes, out),
        avx2(witness) => lanes::parents(witness, mode, nodes, out),
        neon(witness) => lanes::parents(witness, mode, nodes, out),
        wasm128(witness) => lanes::parents(witness, mode, nodes, out),
        sse2(witness) => lanes::parents(witness, mode, nodes, out),
        else => portable::parents(mode, nodes, out),
    )
}

/// Roots of trees over rows: `nodes[i]` is the root of the tree whose leaves are the digests by `leaf` of rows
/// `i 2^height …`, 2^`height` of them, and whose parents are digests by `node` of two children.
///
/// `rows` are the bytes of rows of `row_len_bytes` each, one after the other, as many as the nodes have leaves.
///
/// # Panics
/// If lengths do not fit, or rows are longer than [`MAX_LEN_BYTES`].
pub(crate) fn hash_rows(
    isa: Isa,
    leaf: &Mode,
    node: &Mode,
    rows: &[u8],
    row_len_bytes: usize,
    height: usize,
    nodes: &mut [Digest],
) {
    assert_eq!(rows.len(), (nodes.len() << height) * row_len_bytes, "2^height rows for every node");
    assert!(row_len_bytes <= MAX_LEN_BYTES, "one chunk");
    // Lanes read whole words.
    let whole = is_whole_words(row_len_bytes);
    let isa = if whole { isa } else { Isa::PORTABLE };
    first_of!(isa;
        avx512(witness) => lanes::hash_rows(witness, leaf, node, rows, row_len_bytes, height, nodes),
        avx2(witness) => lanes::hash_rows(witness, leaf, node, rows, row_len_bytes, height, nodes),
        neon(witness) => lanes::hash_rows(witness, leaf, node, rows, row_len_bytes, height, nodes),
        wasm128(witness) => lanes::hash_rows(witness, leaf, node, rows, row_len_bytes, height, nodes),
        sse2(witness) if whole => lanes::hash_rows(witness, leaf, node, rows, row_len_bytes, height, nodes),
        else => portable::roots(node, |row| digest(leaf, row), rows, row_len_bytes, height, nodes),
    )
}

/// [`hash_rows`] with other leaves: `leaf` is called on every row.
///
/// # Panics
/// If lengths do not fit.
pub(crate) fn hash_rows_by(
    node: &Mode,
    leaf: impl Fn(&[u8]) -> Digest,
    rows: &[u8],
    row_len_bytes: usize,
    height: usize,
    nodes: &mut [Digest],
) {
    assert_eq!(rows.len(), (nodes.len() << height) * row_len_bytes, "2^height rows for every node");
    portable::roots(node, leaf, rows, row_len_bytes, height, nodes);
}

/// The smallest of these nonces for which the first eight bytes of the digest of `seed || nonce`, little-endian as is
/// the nonce, have none of the bits of `mask`.
pub(crate) fn smallest_nonce(
    isa: Isa,
    mode: &Mode,
    seed: &[u8; 32],
    mask: u64,
    nonces: Range<u64>,
) -> Option<u64> {
    first_of!(isa;
        avx512(witness) => lanes::smallest_nonce(witness, mode, seed, mask, nonces),
        avx2(witness) => lanes::smallest_nonce(witness, mode, seed, mask, nonces),
        neon(witness) => lanes::smallest_nonce(witness, mode, seed, mask, nonces),
        wasm128(witness) => lanes::smallest_nonce(witness, mode, seed, mask, nonces),
        sse2(witness) => lanes::smallest_nonce(witness, mode, seed, mask, nonces),
        else => portable::smallest_nonce(mode, seed, mask, nonces),
    )
}

/// Whether the lanes can read rows of this length, and there is something to read.
pub(super) fn is_whole_words(len_bytes: usize) -> bool {
    len_bytes > 0 && len_bytes.is_multiple_of(4)
}
