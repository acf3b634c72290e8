//! What a key's one-time keys are called (custody specification, sections 1.1 and 1.2).
//!
//! A one-time key depends on the PRF key, the epoch and the chain, and on nothing else: neither on the parameter set, nor
//! on the activation interval, nor on the root. So keys that one seed gives in other sets or for other intervals have the
//! same one-time keys, and only one of them may ever sign. These names are the same for all of them.
#![forbid(unsafe_code)]

use super::digest::Parameter;
use super::parameters::ParameterSet;
use super::prf_key::PrfKey;
use core::fmt;
use phalanx_core::declassify::declassify;
use phalanx_core::secret::wipe_stack;
use phalanx_core::sha256;

/// The sets among which one seed gives the same one-time keys: all of this version.
const FAMILY: &[u8] = b"leanxmss-koalabear";

/// The family of keys over BLAKE2s.
const BLAKE2S: &[u8] = b"leanxmss-blake2s";

/// Words of the parameter `P`.
const PARAMETER_WORDS: usize = 5;

/// Names the one-time keys behind a public key: equal for all keys that one seed gives, whatever their parameter set and
/// interval. Public.
///
/// `SHA-256("phalanx key id v1" || 00 || family || 00 || P in SSZ)`; keys over BLAKE2s have a family of their own. Source:
/// custody specification 1.2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId([u8; 32]);

/// Names the one-time keys themselves: equal for all keys with the same PRF key, also where somebody gave the same secret
/// another parameter `P`. It reveals nothing of the secret, and has no use outside of records of used epochs.
///
/// `SHA-256("phalanx one-time key id v1" || 00 || family || 00 || PRF key)`. Source: custody specification 1.2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OneTimeKeyId([u8; 32]);

impl KeyId {
    /// Of the keys of `set` with this parameter.
    pub(crate) fn of(set: ParameterSet, parameter: &Parameter) -> Self {
        let family = set.parameters().family;
        let mut part = [0; 4 * PARAMETER_WORDS];
        for (bytes, &word) in part.as_chunks_mut::<4>().0.iter_mut().zip(&parameter.0) {
            *bytes = family.word_to_ssz(word).to_le_bytes();
        }
        Self::of_part(FAMILY, &part)
    }

    /// Of the keys over BLAKE2s with this parameter.
    pub(crate) fn of_blake2s(parameter: &[u8; 16]) -> Self {
        Self::of_part(BLAKE2S, parameter)
    }

    fn of_part(family: &[u8], part: &[u8]) -> Self {
        Self(sha256::digest(&[b"phalanx key id v1\0", family, b"\0", part]))
    }

    /// The 32 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl OneTimeKeyId {
    /// Of the keys with this secret.
    pub(crate) fn of(prf_key: &PrfKey) -> Self {
        Self::of_secret(FAMILY, prf_key)
    }

    /// Of the keys over BLAKE2s with this seed.
    pub(crate) fn of_blake2s(seed: &PrfKey) -> Self {
        Self::of_secret(BLAKE2S, seed)
    }

    fn of_secret(family: &[u8], secret: &PrfKey) -> Self {
        let mut id = sha256::digest(&[b"phalanx one-time key id v1\0", family, b"\0", secret.bytes()]);
        wipe_stack();
        // A name that stands in ledgers.
        declassify(&mut id);
        Self(id)
    }

    /// The 32 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// 64 hexadecimal digits.
macro_rules! shown_in_hexadecimal {
    ($($name:ident),*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }
    )*};
}
shown_in_hexadecimal!(KeyId, OneTimeKeyId);
