//! Keys that sign, how they are made and how they move on.

use super::either;
use super::parameters::ParameterSet;
use super::verify::{Signature, VerifyingKey};
use crate::error::Error;
use crate::identity::{KeyId, OneTimeKeyId};
use crate::progress::Progress;
use crate::wire::Format;
use crate::{blake2s, key, keygen};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};
use phalanx_core::threads::Pool;
use zeroize::Zeroizing;

/// A key being generated: one bottom tree after another.
///
/// Call [`step_on`](Self::step_on) until it returns `None`, then [`finish`](Self::finish).
#[non_exhaustive]
pub enum KeyGeneration {
    /// Over the field KoalaBear.
    KoalaBear(Box<keygen::KeyGeneration>),
    /// Over BLAKE2s.
    Blake2s(Box<blake2s::KeyGeneration>),
}

impl KeyGeneration {
    /// Begins the key of `seed` for the epochs of `activation`; sets over KoalaBear round those outwards to bottom trees.
    ///
    /// # Errors
    /// [`Error::Interval`] if the epochs do not fit the lifetime, or there are none; [`Error::VerificationOnly`] for a set
    /// of which no keys are made.
    pub fn from_seed(set: ParameterSet, seed: &[u8; 32], activation: Range<u64>) -> Result<Self, Error> {
        match set {
            ParameterSet::KoalaBear(set) => keygen::KeyGeneration::from_seed(set, seed, activation)
                .map(|made| Self::KoalaBear(Box::new(made))),
            ParameterSet::Blake2s(set) if !set.signs() => Err(Error::VerificationOnly { scheme: set.name() }),
            ParameterSet::Blake2s(_) => {
                blake2s::KeyGeneration::from_seed(seed, activation).map(|made| Self::Blake2s(Box::new(made)))
            }
        }
    }

    /// What [`VerifyingKey::key_id`] will be.
    #[must_use]
    pub fn key_id(&self) -> KeyId {
        either!(self, made => made.key_id())
    }

    /// The epochs that the key will be able to sign.
    #[must_use]
    pub fn activation_interval(&self) -> Range<u64> {
        either!(self, made => made.activation_interval())
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        either!(self, made => made.progress())
    }

    /// Computes the next missing bottom tree on `pool` and returns its index, or `None` if all are done. Tells
    /// `progress` now and then, from any thread.
    ///
    /// # Errors
    /// [`Error::Unfinished`] if `progress` answered [`ControlFlow::Break`]; the step can be taken again.
    pub fn step_on(
        &mut self,
        pool: &dyn Pool,
        progress: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
    ) -> Result<Option<u64>, Error> {
        either!(self, made => made.step_on(pool, progress))
    }

    /// The key, once all steps are done.
    ///
    /// # Errors
    /// [`Error::Unfinished`] if they are not.
    pub fn finish(self) -> Result<SigningKey, Error> {
        match self {
            Self::KoalaBear(made) => made.finish().map(|key| SigningKey::KoalaBear(Box::new(key))),
            Self::Blake2s(made) => made.finish().map(|key| SigningKey::Blake2s(Box::new(key))),
        }
    }

    /// The key, after all steps.
    ///
    /// # Errors
    /// As [`finish`](Self::finish); it does not fail.
    pub fn run_on(mut self, pool: &dyn Pool) -> Result<SigningKey, Error> {
        while self.step_on(pool, &|_| ControlFlow::Continue(()))?.is_some() {}
        self.finish()
    }
}

/// What signs: once per epoch, for the epochs of its activation interval.
#[non_exhaustive]
pub enum SigningKey {
    /// Over the field KoalaBear.
    KoalaBear(Box<key::SigningKey>),
    /// Over BLAKE2s.
    Blake2s(Box<blake2s::SigningKey>),
}

impl SigningKey {
    /// The parameter set of the key.
    #[must_use]
    pub fn parameter_set(&self) -> ParameterSet {
        match self {
            Self::KoalaBear(key) => ParameterSet::KoalaBear(key.parameter_set()),
            Self::Blake2s(key) => ParameterSet::Blake2s(key.parameter_set()),
        }
    }

    /// The key that verifies what this one signs.
    #[must_use]
    pub fn verifying_key(&self) -> VerifyingKey {
        match self {
            Self::KoalaBear(key) => VerifyingKey::KoalaBear(key.verifying_key()),
            Self::Blake2s(key) => VerifyingKey::Blake2s(key.verifying_key()),
        }
    }

    /// The name of the key's one-time keys, from their secret. For records of used epochs.
    #[must_use]
    pub fn one_time_key_id(&self) -> OneTimeKeyId {
        either!(self, key => key.one_time_key_id())
    }

    /// The epochs the key can ever sign.
    #[must_use]
    pub fn activation_interval(&self) -> Range<u64> {
        either!(self, key => key.activation_interval())
    }

    /// The epochs the key can sign now, without computing a bottom tree.
    #[must_use]
    pub fn prepared_interval(&self) -> Range<u64> {
        either!(self, key => key.prepared_interval())
    }

    /// Moves the prepared interval on by one bottom tree, which is computed now. `Ok(false)` at the end of the
    /// activation interval, where there is none.
    ///
    /// # Errors
    /// [`Error::Malformed`] if the computed tree does not belong to the key: then its secret part is damaged.
    pub fn advance(&mut self) -> Result<bool, Error> {
        either!(self, key => key.advance())
    }

    /// The bottom tree by which the prepared interval moves on, to be computed beside the live key. `None` at the end of
    /// the activation interval.
    #[must_use]
    pub fn next_tree(&self) -> Option<NextTree> {
        match self {
            Self::KoalaBear(key) => key.next_tree().map(NextTree::KoalaBear),
            Self::Blake2s(key) => key.next_tree().map(NextTree::Blake2s),
        }
    }

    /// Moves the prepared interval on by one bottom tree that was computed before.
    ///
    /// # Errors
    /// [`Error::Unfinished`] if it was not; [`Error::WrongTree`] if it belongs to another key, or the key has moved on
    /// since; [`Error::Malformed`] if the secret part of the key is damaged. The key is then unchanged.
    pub fn advance_with(&mut self, next: NextTree) -> Result<(), Error> {
        match (self, next) {
            (Self::KoalaBear(key), NextTree::KoalaBear(next)) => key.advance_with(next),
            (Self::Blake2s(key), NextTree::Blake2s(next)) => key.advance_with(next),
            (Self::KoalaBear(key), NextTree::Blake2s(next)) => {
                Err(Error::WrongTree { got: next.index, wanted: key.left_index + 2 })
            }
            (Self::Blake2s(key), NextTree::KoalaBear(next)) => {
                Err(Error::WrongTree { got: next.index, wanted: key.left_index + 2 })
            }
        }
    }

    /// Signs `message` at `epoch`, noting it in a record that **ends with this process**: across restarts, keep your own.
    /// An epoch signs one message; of several keys from one seed one signs.
    ///
    /// # Errors
    /// As [`key::SigningKey::sign`](crate::SigningKey::sign).
    pub fn sign(&mut self, epoch: u32, message: &[u8; 32]) -> Result<Signature, Error> {
        match self {
            Self::KoalaBear(key) => key.sign(epoch, message).map(Signature::KoalaBear),
            Self::Blake2s(key) => {
                key.sign(epoch, message).map(|signature| Signature::Blake2s(Box::new(signature)))
            }
        }
    }

    /// As [`sign`](Self::sign), with the signature in `format`. What cannot be written uses no epoch.
    ///
    /// # Errors
    /// As there; [`Error::NoEncoding`] if signatures of the key's set have no such format.
    pub fn sign_to_bytes(
        &mut self,
        format: Format,
        epoch: u32,
        message: &[u8; 32],
    ) -> Result<Vec<u8>, Error> {
        self.parameter_set().check_format("signatures", format)?;
        self.sign(epoch, message)?.to_bytes(format)
    }

    /// The key in `format`, secret part included; wiped when dropped. Keys over BLAKE2s have SSZ alone, which is a form of
    /// this library: see [`blake2s::SigningKey::to_bytes`].
    ///
    /// # Errors
    /// [`Error::NoEncoding`] if keys of its set have no such format.
    pub fn to_bytes(&self, format: Format) -> Result<Zeroizing<Vec<u8>>, Error> {
        match self {
            Self::KoalaBear(key) => Ok(key.to_bytes(format)),
            Self::Blake2s(key) if format == Format::Ssz => Ok(key.to_bytes()),
            Self::Blake2s(_) => Err(no_encoding(self.parameter_set(), format)),
        }
    }

    /// The key of `set` that `bytes` hold in `format`, after checking everything that can be checked without computing
    /// its leaves again.
    ///
    /// # Errors
    /// [`Error::Malformed`] if they hold none; [`Error::NoEncoding`] if keys of the set have no such format;
    /// [`Error::VerificationOnly`] for a set of which there are no keys.
    pub fn from_bytes(set: ParameterSet, format: Format, bytes: &[u8]) -> Result<Self, Error> {
        match set {
            ParameterSet::KoalaBear(set) => {
                Ok(Self::KoalaBear(Box::new(key::SigningKey::from_bytes(set, format, bytes)?)))
            }
            ParameterSet::Blake2s(set) if !set.signs() => Err(Error::VerificationOnly { scheme: set.name() }),
            ParameterSet::Blake2s(_) if format == Format::Ssz => {
                Ok(Self::Blake2s(Box::new(blake2s::SigningKey::from_bytes(bytes)?)))
            }
            ParameterSet::Blake2s(_) => Err(no_encoding(set, format)),
        }
    }
}

/// What is said of a format that signing keys of the set do not have.
fn no_encoding(set: ParameterSet, format: Format) -> Error {
    Error::NoEncoding { scheme: set.name(), what: "signing keys", format: format.name() }
}

/// A bottom tree on its way to a key; see [`SigningKey::next_tree`]. Holds a copy of the key's secret, wiped on drop.
#[non_exhaustive]
pub enum NextTree {
    /// Over the field KoalaBear.
    KoalaBear(key::NextTree),
    /// Over BLAKE2s.
    Blake2s(blake2s::NextTree),
}

impl NextTree {
    /// First epoch of the tree that is the key's, and the first after the last one.
    #[must_use]
    pub fn epochs(&self) -> Range<u64> {
        either!(self, next => next.epochs())
    }

    /// Computes the tree on `pool`, telling `progress` now and then, from any thread.
    ///
    /// # Errors
    /// [`Error::Unfinished`] if `progress` answered [`ControlFlow::Break`].
    pub fn compute_on(
        &mut self,
        pool: &dyn Pool,
        progress: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
    ) -> Result<(), Error> {
        either!(self, next => next.compute_on(pool, progress))
    }
}
