//! The kernels on their own, each on the level of the calling thread and on no other thread: for benchmarks, and for
//! comparing backends.

use crate::binary::{Gf32, Gf128, gf32s, vectors};
use crate::codes::{self, Basis, Encoder, Transform};
use crate::row_hash::RowHash;
use crate::{shape, suite};
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::memory::{AlignedBuf, UninitBuf};
use phalanx_core::simd::Isa;

/// Rows below a node of the lowest layer that the prover keeps.
pub const ROWS_PER_NODE: usize = 16;

/// The encoded matrix of level 0.
#[derive(Debug, PartialEq, Eq)]
pub struct Rows32(AlignedBuf<Gf32>);

/// The encoded matrix of a later level.
#[derive(Debug, PartialEq, Eq)]
pub struct Rows128(AlignedBuf<Gf128>);

/// Encodes `message`, the matrix of level 0 in elements of GF(2^32), without hashing it.
///
/// # Panics
/// If the message is not 2^(d+k) long.
#[must_use]
pub fn encode_32(shape: &shape::Level, message: &[u32]) -> Rows32 {
    Rows32(encode(shape, gf32s(message)))
}

/// Encodes `message`, the matrix of a later level, without hashing it.
///
/// # Panics
/// If the message is not 2^(d+k) long.
#[must_use]
pub fn encode_128(shape: &shape::Level, message: &[Gf128]) -> Rows128 {
    Rows128(encode(shape, message))
}

fn encode<F: Transform>(shape: &shape::Level, message: &[F]) -> AlignedBuf<F> {
    let (log2_message, log2_columns) = (usize::from(shape.log2_message), usize::from(shape.log2_columns));
    let basis = Basis::<F>::new(shape.log2_rows());
    let encoder = Encoder { isa: Isa::current(), basis: &basis, log2_message, log2_columns };
    // As the prover does it: blocks are made of whole nodes.
    let rows_per_node = ROWS_PER_NODE.min(shape.message_len());
    let mut nodes = vec![(); (1 << shape.log2_rows()) / rows_per_node];
    codes::encode(
        &phalanx_core::threads::Inline,
        encoder,
        message,
        &[],
        0,
        UninitBuf::new(shape.columns() << shape.log2_rows()),
        &mut nodes,
        rows_per_node,
        &|_, _| (),
    )
}

/// The nodes over the rows of an encoded matrix of level 0: each of [`ROWS_PER_NODE`] rows and the nodes between.
///
/// # Panics
/// If the matrix is of another level, or has fewer rows than a node.
#[must_use]
pub fn hash_rows_32(shape: &shape::Level, rows: &Rows32) -> Vec<[u8; 32]> {
    let height = ROWS_PER_NODE.ilog2();
    let mut nodes = vec![[0; 32]; 1 << (shape.log2_rows() - height)];
    RowHash::Own(&suite::PROVABLE100).rows(
        Isa::current(),
        &rows.0,
        shape.columns(),
        height as usize,
        &mut nodes,
    );
    nodes
}

/// The root of a tree over `nodes`, layer by layer.
///
/// # Panics
/// If their number is not a power of two.
#[must_use]
pub fn root(mut nodes: Vec<[u8; 32]>) -> [u8; 32] {
    assert!(nodes.len().is_power_of_two(), "a whole tree");
    while nodes.len() > 1 {
        let mut above = vec![[0; 32]; nodes.len() / 2];
        RowHash::Own(&suite::PROVABLE100).parents(Isa::current(), &nodes, &mut above);
        nodes = above;
    }
    nodes[0]
}

/// The inner product of two vectors over GF(2^128).
///
/// # Panics
/// If their lengths differ.
#[must_use]
pub fn inner(a: &[Gf128], b: &[Gf128]) -> Gf128 {
    assert_eq!(a.len(), b.len(), "as many on either side");
    vectors::inner(Isa::current(), a, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Preset, commit};

    /// The kernels, put together, commit.
    #[test]
    fn kernels_make_the_root() {
        let polynomial: Vec<u32> = (0..1 << 12).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).collect();
        let (commitment, data) = commit(Preset::Balanced, &polynomial).expect("registered");
        let first = data.shape().levels()[0];
        let rows = encode_32(&first, &polynomial);
        assert_eq!(root(hash_rows_32(&first, &rows)), *commitment.root());
    }
}
