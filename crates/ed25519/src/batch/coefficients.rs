//! The random coefficients of an equation.
//!
//! An equation over n signatures has one coefficient z for each, uniform in 1..2^128. They are taken from a stream of
//! SHA-512 blocks under a key that depends on everything the equation is about:
//!
//! ```text
//! transcript = SHA-512("ed25519-batch-v1" || profile (1 byte) || n (8 bytes)
//!                      || for each signature: SHA-512(R || public key || message) (64 bytes) || S (32 bytes))
//! key        = transcript, in deterministic mode
//!            = SHA-512(transcript || 32 random bytes), in the default mode
//! block j    = SHA-512(key || node (8 bytes) || j (8 bytes)), j from 0
//! ```
//!
//! Numbers are little-endian. Each block gives four coefficients of 16 bytes; 0 is passed over. The profile is its
//! position in [`Profile::ALL`]. The n signatures are those that pass the checks before the equation (lengths, S below
//! L, points decode), in their order. `node` numbers the equations of one search: 1 for all n, 2i and 2i + 1 for the
//! halves of i.
//!
//! S is in the transcript: if it were not, a forger could choose it after the coefficients.

use super::entry::Entry;
use crate::profile::Profile;
use crate::sha512;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// Randomness to be mixed into the key.
pub(super) type Salt = Option<[u8; 32]>;

/// Where the coefficients of all equations about the same signatures come from.
pub(super) struct Source {
    key: [u8; 64],
}

impl Source {
    pub(super) fn new<'a>(
        profile: Profile,
        salt: &Salt,
        entries: impl ExactSizeIterator<Item = &'a Entry>,
    ) -> Self {
        let profile = Profile::ALL.iter().position(|other| *other == profile).unwrap_or(usize::MAX);
        let profile = profile.to_le_bytes();
        let count = (entries.len() as u64).to_le_bytes();
        let mut parts: Vec<&[u8]> = Vec::with_capacity(3 + 2 * entries.len());
        parts.extend([&b"ed25519-batch-v1"[..], &profile[..1], &count[..]]);
        for entry in entries {
            parts.extend([&entry.digest[..], &entry.s[..]]);
        }
        let mut key = sha512::digest(&parts);
        if let Some(salt) = salt {
            key = sha512::digest(&[&key, salt]);
        }
        Self { key }
    }

    /// `count` coefficients for the equation `node`.
    pub(super) fn coefficients(&self, isa: Isa, node: u64, count: usize) -> Vec<u128> {
        /// Blocks hashed at once.
        const BLOCKS: usize = 32;
        let node = node.to_le_bytes();
        let mut coefficients = Vec::with_capacity(count + 4);
        let mut first = 0u64;
        while coefficients.len() < count {
            let blocks = (count - coefficients.len()).div_ceil(4).min(BLOCKS);
            let numbers: [[u8; 8]; BLOCKS] = core::array::from_fn(|i| (first + i as u64).to_le_bytes());
            let inputs: [[&[u8]; 3]; BLOCKS] = core::array::from_fn(|i| [&self.key[..], &node, &numbers[i]]);
            let mut stream = [[0; 64]; BLOCKS];
            sha512::digest_many(isa, &inputs[..blocks], &mut stream[..blocks]);
            for bytes in stream[..blocks].iter().flat_map(|block| block.chunks_exact(16)) {
                let z = u128::from_le_bytes(bytes.try_into().expect("16 bytes"));
                if z != 0 {
                    coefficients.push(z);
                }
            }
            first += blocks as u64;
        }
        coefficients.truncate(count);
        coefficients
    }
}
