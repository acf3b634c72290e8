//! Canonical words in and out.

use crate::digest::Digest;
use crate::family::Poseidon;
use crate::fields::koala_bear::KoalaBear;
use crate::parameters::ParameterSet;
use crate::prf_key::PrfKey;
use alloc::vec::Vec;

/// The hash family of `set`.
pub(super) fn family(set: ParameterSet) -> &'static Poseidon {
    set.parameters().family.as_poseidon().expect("every set of this version is of the Poseidon family")
}

/// A digest of canonical `words`.
///
/// # Panics
/// If there are more than eight.
pub(super) fn digest(words: &[u32]) -> Digest {
    assert!(words.len() <= 8, "a value has at most eight elements, this one {}", words.len());
    let mut digest = Digest::default();
    for (to, &from) in digest.0.iter_mut().zip(words) {
        *to = KoalaBear::new(from).montgomery();
    }
    digest
}

/// The first `len` words of a digest, canonical.
pub(super) fn words(digest: &Digest, len: usize) -> Vec<u32> {
    digest.0[..len].iter().map(|&word| KoalaBear::from_reduced_montgomery(word).canonical()).collect()
}

/// The PRF key with these bytes.
pub(super) fn secret(bytes: &[u8; 32]) -> PrfKey {
    PrfKey::filled_by(|key| key.copy_from_slice(bytes))
}
