//! Verifying keys, signatures, and what verifies many of any generation.

use super::either;
use super::parameters::ParameterSet;
use crate::error::Error;
use crate::identity::KeyId;
use crate::wire::Format;
use crate::{blake2s, key, signature, verify};
use alloc::boxed::Box;
use alloc::vec::Vec;
use phalanx_core::InvalidSignature;
#[cfg(feature = "std")]
use phalanx_core::threads::Pool;

/// What verifies signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyingKey {
    /// Over the field KoalaBear.
    KoalaBear(key::VerifyingKey),
    /// Over BLAKE2s.
    Blake2s(blake2s::VerifyingKey),
}

impl VerifyingKey {
    /// The parameter set of the key.
    #[must_use]
    pub fn parameter_set(&self) -> ParameterSet {
        match self {
            Self::KoalaBear(key) => ParameterSet::KoalaBear(key.parameter_set()),
            Self::Blake2s(key) => ParameterSet::Blake2s(key.parameter_set()),
        }
    }

    /// The name of the one-time keys behind this key: equal for all keys that one seed gives in one generation. At most
    /// one of those may ever sign.
    #[must_use]
    pub fn key_id(&self) -> KeyId {
        either!(self, key => key.key_id())
    }

    /// The key in `format`.
    ///
    /// # Errors
    /// [`Error::NoEncoding`] if keys of its set have no such format.
    pub fn to_bytes(&self, format: Format) -> Result<Vec<u8>, Error> {
        self.parameter_set().check_format("verifying keys", format)?;
        Ok(match self {
            Self::KoalaBear(key) => key.to_bytes(format),
            Self::Blake2s(key) => key.to_bytes().to_vec(),
        })
    }

    /// The key of `set` that `bytes` hold in `format`.
    ///
    /// # Errors
    /// [`Error::Malformed`] if they hold none; [`Error::NoEncoding`] if keys of the set have no such format.
    pub fn from_bytes(set: ParameterSet, format: Format, bytes: &[u8]) -> Result<Self, Error> {
        set.check_format("verifying keys", format)?;
        Ok(match set {
            ParameterSet::KoalaBear(set) => {
                Self::KoalaBear(key::VerifyingKey::from_bytes(set, format, bytes)?)
            }
            ParameterSet::Blake2s(set) => Self::Blake2s(blake2s::VerifyingKey::from_bytes(set, bytes)?),
        })
    }

    /// Verifies that this key signed `message` at `epoch`.
    ///
    /// # Errors
    /// [`InvalidSignature`] if it did not.
    pub fn verify(
        &self,
        epoch: u32,
        message: &[u8; 32],
        signature: &Signature,
    ) -> Result<(), InvalidSignature> {
        match (self, signature) {
            (Self::KoalaBear(key), Signature::KoalaBear(signature)) => key.verify(epoch, message, signature),
            (Self::Blake2s(key), Signature::Blake2s(signature)) => key.verify(epoch, message, signature),
            _ => Err(InvalidSignature),
        }
    }
}

/// A signature under one parameter set: always of the right shape. Whether it verifies is another question.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Signature {
    /// Over the field KoalaBear.
    KoalaBear(signature::Signature),
    /// Over BLAKE2s.
    Blake2s(Box<blake2s::Signature>),
}

impl Signature {
    /// The parameter set it was made or decoded for.
    #[must_use]
    pub fn parameter_set(&self) -> ParameterSet {
        match self {
            Self::KoalaBear(signature) => ParameterSet::KoalaBear(signature.parameter_set()),
            Self::Blake2s(signature) => ParameterSet::Blake2s(signature.parameter_set()),
        }
    }

    /// The signature in `format`.
    ///
    /// # Errors
    /// [`Error::NoEncoding`] if signatures of its set have no such format.
    pub fn to_bytes(&self, format: Format) -> Result<Vec<u8>, Error> {
        self.parameter_set().check_format("signatures", format)?;
        Ok(match self {
            Self::KoalaBear(signature) => signature.to_bytes(format),
            Self::Blake2s(signature) => signature.to_bytes().to_vec(),
        })
    }

    /// The signature under `set` that `bytes` hold in `format`. Whether it verifies is another question.
    ///
    /// # Errors
    /// [`Error::Malformed`] if they hold none; [`Error::NoEncoding`] if signatures of the set have no such format.
    pub fn from_bytes(set: ParameterSet, format: Format, bytes: &[u8]) -> Result<Self, Error> {
        set.check_format("signatures", format)?;
        Ok(match set {
            ParameterSet::KoalaBear(set) => {
                Self::KoalaBear(signature::Signature::from_bytes(set, format, bytes)?)
            }
            ParameterSet::Blake2s(set) => {
                Self::Blake2s(Box::new(blake2s::Signature::from_bytes(set, bytes)?))
            }
        })
    }
}

/// A signature with what it signs: `message` at `epoch`, under `key`.
#[derive(Clone, Copy, Debug)]
pub struct SignedMessage<'a> {
    /// The signer's key.
    pub key: &'a VerifyingKey,
    /// The epoch.
    pub epoch: u32,
    /// The message, 32 bytes.
    pub message: &'a [u8; 32],
    /// The signature.
    pub signature: &'a Signature,
}

/// The result for every signature, in order. They may be of different keys, sets and generations. Much faster per
/// signature than one at a time.
#[must_use]
pub fn verify_many(messages: &[SignedMessage<'_>]) -> Vec<Result<(), InvalidSignature>> {
    verify_apart(messages, verify::verify_many, blake2s::verify_many)
}

/// As [`verify_many`], on the threads of `pool`. The results are the same.
#[cfg(feature = "std")]
#[must_use]
pub fn verify_many_on(pool: &dyn Pool, messages: &[SignedMessage<'_>]) -> Vec<Result<(), InvalidSignature>> {
    verify_apart(
        messages,
        |messages| verify::verify_many_on(pool, messages),
        |messages| blake2s::verify_many_on(pool, messages),
    )
}

/// The results of two lists, one for each generation, put where their signatures stood.
fn verify_apart<'a>(
    messages: &[SignedMessage<'a>],
    koala_bear: impl FnOnce(&[verify::SignedMessage<'a>]) -> Vec<Result<(), InvalidSignature>>,
    blake2s: impl FnOnce(&[blake2s::SignedMessage<'a>]) -> Vec<Result<(), InvalidSignature>>,
) -> Vec<Result<(), InvalidSignature>> {
    let (mut over_koala_bear, mut over_blake2s) = (Vec::new(), Vec::new());
    let mut places = (Vec::new(), Vec::new());
    for (place, &SignedMessage { key, epoch, message, signature }) in messages.iter().enumerate() {
        match (key, signature) {
            (VerifyingKey::KoalaBear(key), Signature::KoalaBear(signature)) => {
                over_koala_bear.push(verify::SignedMessage { key, epoch, message, signature });
                places.0.push(place);
            }
            (VerifyingKey::Blake2s(key), Signature::Blake2s(signature)) => {
                over_blake2s.push(blake2s::SignedMessage { key, epoch, message, signature });
                places.1.push(place);
            }
            // A key of one generation and a signature of another: refused as it stands.
            _ => {}
        }
    }
    let mut results = alloc::vec![Err(InvalidSignature); messages.len()];
    let answers = koala_bear(&over_koala_bear).into_iter().chain(blake2s(&over_blake2s));
    for (place, answer) in places.0.into_iter().chain(places.1).zip(answers) {
        results[place] = answer;
    }
    results
}
