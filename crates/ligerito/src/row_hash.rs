//! The two ways in which rows become leaves and leaves a tree.
#![forbid(unsafe_code)]

use super::suite::Hashing;
use crate::binary::{BinaryField, le_bytes};
use crate::hashes::blake3::{self, Digest};
#[cfg(feature = "ref-v08")]
use crate::hashes::sha256;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// How a matrix is hashed.
#[derive(Clone, Copy)]
pub(super) enum RowHash {
    /// A suite of our own: leaves and nodes by BLAKE3 under a context each.
    Own(&'static Hashing),
    /// The crate `ligerito`: SHA-256 of the number of columns and the row, and BLAKE3 from there on.
    #[cfg(feature = "ref-v08")]
    Published,
}

impl RowHash {
    /// Nodes of level `height`: one for every 2^`height` rows of `columns` elements.
    ///
    /// # Panics
    /// If the rows are not 2^`height` for every node.
    pub(super) fn rows<F: BinaryField>(
        self,
        isa: Isa,
        rows: &[F],
        columns: usize,
        height: usize,
        nodes: &mut [Digest],
    ) {
        self.rows_of_bytes(isa, &le_bytes(rows), columns * F::LEN_BYTES, columns, height, nodes);
    }

    /// [`rows`](Self::rows) of `columns` elements each that are given as bytes, `len` of them.
    ///
    /// # Panics
    /// If the rows are not 2^`height` for every node.
    pub(super) fn rows_of_bytes(
        self,
        isa: Isa,
        rows: &[u8],
        len: usize,
        columns: usize,
        height: usize,
        nodes: &mut [Digest],
    ) {
        #[cfg(not(feature = "ref-v08"))]
        let _ = columns;
        match self {
            Self::Own(suite) if len <= blake3::MAX_LEN_BYTES => {
                let (leaf, node) = (suite.leaf_mode(), suite.node_mode());
                blake3::hash_rows(isa, leaf, node, rows, len, height, nodes);
            }
            // Longer than any row of a registered shape: no lanes for it.
            Self::Own(suite) => {
                let leaf = |row: &[u8]| suite.leaf_of_bytes(row);
                blake3::hash_rows_by(suite.node_mode(), leaf, rows, len, height, nodes);
            }
            #[cfg(feature = "ref-v08")]
            Self::Published => {
                let prefix = u32::try_from(columns).expect("at most 2^30 columns");
                sha256::hash_rows(isa, prefix, rows, len, height, nodes);
            }
        }
    }

    /// The parents of `nodes`: `out[i]` is that of nodes 2 i and 2 i + 1.
    ///
    /// # Panics
    /// If there are not twice as many nodes as parents.
    pub(super) fn parents(self, isa: Isa, nodes: &[Digest], out: &mut [Digest]) {
        let mode = match self {
            Self::Own(suite) => suite.node_mode(),
            #[cfg(feature = "ref-v08")]
            Self::Published => &blake3::Mode::UNKEYED,
        };
        blake3::parents(isa, mode, nodes, out);
    }

    /// The parents of pairs of nodes.
    pub(super) fn parents_of(self, isa: Isa, pairs: &[[Digest; 2]]) -> Vec<Digest> {
        let mut out = vec![[0; 32]; pairs.len()];
        self.parents(isa, pairs.as_flattened(), &mut out);
        out
    }
}
