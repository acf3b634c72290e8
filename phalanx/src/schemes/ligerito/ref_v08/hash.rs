//! Leaves and nodes: SHA-256 of rows with their length in front, and plain BLAKE3 above.

use crate::fields::binary::BinaryField;
use crate::hashes::blake3::Digest;
use alloc::vec::Vec;
use sha2::{Digest as _, Sha256};

/// SHA-256(le32(columns) || row).
pub(in super::super) fn row_hash(columns: u32, row: &[u8]) -> Digest {
    Sha256::new_with_prefix(columns.to_le_bytes()).chain_update(row).finalize().into()
}

/// The leaf of a row: its hash, hashed again.
pub(in super::super) fn leaf_of_bytes(columns: u32, row: &[u8]) -> Digest {
    *::blake3::hash(&row_hash(columns, row)).as_bytes()
}

/// The leaf of a row of elements.
pub(super) fn leaf<F: BinaryField>(row: &[F]) -> Digest {
    let mut bytes = Vec::with_capacity(row.len() * F::LEN_BYTES);
    row.iter().for_each(|x| x.put(&mut bytes));
    leaf_of_bytes(u32::try_from(row.len()).expect("few columns"), &bytes)
}

/// The parent of two nodes.
pub(in super::super) fn parent(left: &Digest, right: &Digest) -> Digest {
    *::blake3::hash([*left, *right].as_flattened()).as_bytes()
}
