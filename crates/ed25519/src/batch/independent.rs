//! Entries verified one by one, in lanes where there are some: the result of single verification, from the hash.

use super::entry::Entry;
use crate::hashed::{HashedSignature, Outcome};
use crate::many::{left_over, verify_hashed};
use crate::profile::Profile;
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
        results[i] = parsed(&entries[i]).verify(isa, profile);
    }
    let hashed: Vec<_> = in_lanes.iter().map(|&i| parsed(&entries[i])).collect();
    let mut found = alloc::vec![Err(InvalidSignature); hashed.len()];
    verify_hashed(isa, profile, &hashed, &mut found);
    for (&i, result) in in_lanes.iter().zip(found) {
        results[i] = result;
    }
}

fn parsed(entry: &Entry) -> HashedSignature {
    let Some(s) = entry.scalar() else { return HashedSignature::NONE };
    HashedSignature { parsed: true, a: entry.public_key, r: entry.r, s, k: entry.k() }
}
