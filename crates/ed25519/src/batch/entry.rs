//! One signature of a batch, hashed.

use crate::fields::scalar25519::Scalar;
use crate::hashed::SignedMessage;
use crate::sha512;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// A signature with the hash of its message: all that verification needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) public_key: [u8; 32],
    pub(super) r: [u8; 32],
    pub(super) s: [u8; 32],
    /// SHA-512(R || public key || message).
    pub(super) digest: [u8; 64],
    /// Key and signature have the right lengths; if not, nothing else here has a meaning.
    pub(super) well_formed: bool,
}

impl Entry {
    /// Not hashed yet.
    pub(super) fn new(public_key: &[u8], signature: &[u8]) -> Self {
        let mut entry =
            Self { public_key: [0; 32], r: [0; 32], s: [0; 32], digest: [0; 64], well_formed: false };
        if public_key.len() == 32 && signature.len() == 64 {
            entry.public_key.copy_from_slice(public_key);
            entry.r.copy_from_slice(&signature[..32]);
            entry.s.copy_from_slice(&signature[32..]);
            entry.well_formed = true;
        }
        entry
    }

    /// S, if it is below L.
    pub(super) fn scalar(&self) -> Option<Scalar> {
        if self.well_formed { Scalar::from_canonical(&self.s) } else { None }
    }

    pub(super) fn k(&self) -> Scalar {
        Scalar::from_wide(&self.digest)
    }
}

/// An entry for each message, hashed in lanes.
pub(super) fn hashed(isa: Isa, messages: &[SignedMessage<'_>]) -> Vec<Entry> {
    let mut entries: Vec<_> =
        messages.iter().map(|signed| Entry::new(signed.public_key, signed.signature)).collect();
    // A malformed entry is hashed as what stands in its place.
    let messages: Vec<_> = messages.iter().map(|signed| signed.message).collect();
    hash(isa, &mut entries, &messages);
    entries
}

/// Hashes `messages[i]` into `entries[i]`.
pub(super) fn hash(isa: Isa, entries: &mut [Entry], messages: &[&[u8]]) {
    let mut digests = alloc::vec![[0; 64]; entries.len()];
    let parts: Vec<[&[u8]; 3]> = entries
        .iter()
        .zip(messages)
        .map(|(entry, message)| [&entry.r[..], &entry.public_key[..], *message])
        .collect();
    sha512::digest_many(isa, &parts, &mut digests);
    for (entry, digest) in entries.iter_mut().zip(digests) {
        entry.digest = digest;
    }
}
