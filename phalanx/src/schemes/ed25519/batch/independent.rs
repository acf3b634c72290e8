//! Entries verified one by one, in lanes where there are some: the verdict of single verification, from the hash.

use super::super::many::{Claim, verify_claims};
use super::super::verify::check_with;
use super::super::{Profile, Signature, VerifyingKey};
use super::entry::Entry;
use crate::simd::Level;
use alloc::vec::Vec;

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
    if matches!(level, Level::Portable) || which.len() == 1 {
        for &i in which {
            verdicts[i] = is_valid(profile, &entries[i]);
        }
        return;
    }
    let claims: Vec<_> = which.iter().map(|&i| claim(&entries[i])).collect();
    let mut found = alloc::vec![false; claims.len()];
    verify_claims(level, profile, &claims, &mut found);
    for (&i, valid) in which.iter().zip(found) {
        verdicts[i] = valid;
    }
}

fn is_valid(profile: Profile, entry: &Entry) -> bool {
    let Ok(key) = VerifyingKey::from_bytes(&entry.public_key) else { return false };
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&entry.r);
    bytes[32..].copy_from_slice(&entry.s);
    let signature = Signature::from_bytes(&bytes);
    entry.well_formed && check_with(profile, &key, &signature, |_| entry.k()).is_ok()
}

fn claim(entry: &Entry) -> Claim {
    let Some(s) = entry.scalar() else { return Claim::NONE };
    Claim { parsed: true, a: entry.public_key, r: entry.r, s, k: entry.k() }
}
