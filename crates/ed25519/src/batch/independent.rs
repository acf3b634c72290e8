//! Entries verified one by one, in lanes where there are some: the result of single verification, from the hash.

use super::entry::Entry;
use crate::many::{HashedSignature, Outcome, left_over, verify_hashed};
use crate::profile::Profile;
use crate::signature::Signature;
use crate::verify::judge_bytes;
use alloc::vec::Vec;
use phalanx_core::InvalidSignature;
use phalanx_core::simd::Isa;

/// Writes the results of all entries.
pub(super) fn verify_all(isa: Isa, profile: Profile, entries: &[Entry], results: &mut [Outcome]) {
    let all: Vec<_> = (0..entries.len()).collect();
    verify(isa, profile, entries, &all, results);
}

/// Writes the results of the entries in `which`.
pub(super) fn verify(
    isa: Isa,
    profile: Profile,
    entries: &[Entry],
    which: &[usize],
    results: &mut [Outcome],
) {
    let (in_lanes, singly) = which.split_at(which.len() - left_over(isa, which.len()));
    for &i in singly {
        results[i] = verify_one(isa, profile, &entries[i]);
    }
    let hashed: Vec<_> = in_lanes.iter().map(|&i| parsed(&entries[i])).collect();
    let mut found = alloc::vec![Err(InvalidSignature); hashed.len()];
    verify_hashed(isa, profile, &hashed, &mut found);
    for (&i, result) in in_lanes.iter().zip(found) {
        results[i] = result;
    }
}

fn verify_one(isa: Isa, profile: Profile, entry: &Entry) -> Outcome {
    if !entry.well_formed {
        return Err(InvalidSignature);
    }
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&entry.r);
    signature[32..].copy_from_slice(&entry.s);
    let signature = Signature::from_bytes(&signature);
    judge_bytes(isa, profile, &entry.public_key, &signature, |_| entry.k()).map_err(|_| InvalidSignature)
}

fn parsed(entry: &Entry) -> HashedSignature {
    let Some(s) = entry.scalar() else { return HashedSignature::NONE };
    HashedSignature { parsed: true, a: entry.public_key, r: entry.r, s, k: entry.k() }
}
