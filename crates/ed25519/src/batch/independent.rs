//! Entries verified one by one, in lanes where there are some: the verdict of single verification, from the hash.

use super::super::many::{Claim, left_over, verify_claims};
use super::super::verify::judge_bytes;
use super::super::{Profile, Signature};
use super::entry::Entry;
use alloc::vec::Vec;
use phalanx_core::simd::Level;

/// Writes the verdicts of all entries.
pub(super) fn verify_all(level: Level, profile: Profile, entries: &[Entry], verdicts: &mut [bool]) {
    let all: Vec<_> = (0..entries.len()).collect();
    verify(level, profile, entries, &all, verdicts);
}

/// Writes the verdicts of the entries in `which`.
pub(super) fn verify(
    level: Level,
    profile: Profile,
    entries: &[Entry],
    which: &[usize],
    verdicts: &mut [bool],
) {
    let (in_lanes, singly) = which.split_at(which.len() - left_over(level, which.len()));
    for &i in singly {
        verdicts[i] = is_valid(level, profile, &entries[i]);
    }
    let claims: Vec<_> = in_lanes.iter().map(|&i| claim(&entries[i])).collect();
    let mut found = alloc::vec![false; claims.len()];
    verify_claims(level, profile, &claims, &mut found);
    for (&i, valid) in in_lanes.iter().zip(found) {
        verdicts[i] = valid;
    }
}

fn is_valid(level: Level, profile: Profile, entry: &Entry) -> bool {
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&entry.r);
    signature[32..].copy_from_slice(&entry.s);
    let signature = Signature::from_bytes(&signature);
    entry.well_formed && judge_bytes(level, profile, &entry.public_key, &signature, |_| entry.k()).is_ok()
}

fn claim(entry: &Entry) -> Claim {
    let Some(s) = entry.scalar() else { return Claim::NONE };
    Claim { parsed: true, a: entry.public_key, r: entry.r, s, k: entry.k() }
}
