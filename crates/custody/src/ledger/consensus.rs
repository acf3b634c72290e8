//! Keys of validators, which sign one message at each step of each round of a consensus.
#![forbid(unsafe_code)]

use super::guarded::{GuardError, still_open};
use super::position::Position;
use super::record::{KeyInstance, Mode, NUMBER_LIMIT, Ordering};
use super::refused::Refused;
use super::request::{EpochLedger, InitialState, Request};
use super::sign_bytes::{SignBytes, Timestamp};
use crate::identity::{Family, KeyId, key_id};
use phalanx_core::secret::Secret32;
use phalanx_ed25519::{Signature, SigningKey, VerifyingKey};
use std::sync::Arc;
use zeroize::Zeroizing;

/// What an Ed25519 key of a validator is to a ledger: its positions are height, round and step, and on each chain it only
/// goes forward.
#[must_use]
pub fn ed25519_instance(key: &VerifyingKey) -> KeyInstance {
    KeyInstance {
        key_id: key_id(Family::Ed25519, &key.to_bytes()),
        scheme: "ed25519".to_owned(),
        role: "consensus".to_owned(),
        mode: Mode::HeightRoundStep,
        ordering: Ordering::Strict,
        start: 0,
        end: NUMBER_LIMIT - 1,
        implementation: Family::Ed25519.implementation().to_owned(),
        one_time_key_id: None,
    }
}

/// A signature of a vote or proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsensusSignature {
    /// The signature.
    pub signature: Signature,
    /// The time that it signs. Where the position was signed before with another time it is that one, and the caller must
    /// take it over into the vote or proposal.
    pub timestamp: Timestamp,
    /// Whether the position was signed before.
    pub is_repeat: bool,
}

/// An Ed25519 key of which only the seed is kept, in memory that is neither swapped out nor dumped as far as the system
/// allows. What signing needs besides is computed for each signature, beside a flush that takes a hundred times as long.
#[derive(Clone)]
pub(crate) struct LockedKey {
    seed: Arc<Secret32>,
    verifying_key: VerifyingKey,
}

impl LockedKey {
    /// The key, whose other copies are its owner's to drop.
    pub(crate) fn of(key: &SigningKey) -> Self {
        let seed = Secret32::filled_by(|place| place.copy_from_slice(&Zeroizing::new(key.to_seed())[..]));
        Self { seed: Arc::new(seed), verifying_key: *key.verifying_key() }
    }
}

/// A validator's Ed25519 key and the ledger that every signature of it goes through.
pub struct GuardedConsensus<L: ?Sized> {
    key: LockedKey,
    key_id: KeyId,
    ledger: Arc<L>,
}

impl<L: EpochLedger + ?Sized> GuardedConsensus<L> {
    /// Guards `key` by `ledger`, which must know it as [`ed25519_instance`].
    ///
    /// # Errors
    /// [`GuardError::Ledger`], with [`super::Problem::NoState`] for a key without state.
    pub fn new(key: SigningKey, ledger: Arc<L>) -> Result<Self, GuardError> {
        Self::sharing(LockedKey::of(&key), ledger)
    }

    /// The same for a key that others have, too.
    pub(crate) fn sharing(key: LockedKey, ledger: Arc<L>) -> Result<Self, GuardError> {
        let instance = ed25519_instance(&key.verifying_key);
        ledger.register(&instance, &key.verifying_key.to_bytes(), InitialState::Known)?;
        Ok(Self { key, key_id: instance.key_id, ledger })
    }

    /// Signs `sign_bytes`, a canonical vote or proposal, at `position`. If the same was signed there before with another
    /// time only, the answer is the signature of then, with the time of then. After a ledger had to be made anew from its
    /// side log, which has no messages, such a request is refused.
    ///
    /// # Errors
    /// [`GuardError::Malformed`] if the bytes do not say that position; [`GuardError::Refused`].
    pub fn sign(&self, position: Position<'_>, sign_bytes: &[u8]) -> Result<ConsensusSignature, GuardError> {
        let said = SignBytes::read(sign_bytes).ok_or(GuardError::Malformed)?;
        if said.position != position {
            return Err(GuardError::Malformed);
        }
        let request = Request { key: &self.key_id, position, message: sign_bytes };
        let reserved = self.ledger.reserve(request)?;
        if !reserved.is_for(&request) {
            return Err(Refused::Poisoned.into());
        }
        let message = reserved.earlier_message().unwrap_or(sign_bytes);
        let timestamp = SignBytes::read(message).ok_or(GuardError::Malformed)?.timestamp;
        // A signature is a function of key and message, so an earlier one is computed again.
        let key = SigningKey::from_seed(self.key.seed.bytes());
        let Ok(signature) = key.sign_checked(message) else {
            // The key may be quarantined already; what matters is that nothing leaves.
            let _ = self.ledger.quarantine(&self.key_id, "a signature did not verify");
            return Err(GuardError::SelfCheck);
        };
        still_open(&*self.ledger)?;
        Ok(ConsensusSignature { signature, timestamp, is_repeat: reserved.is_repeat() })
    }

    /// The key that verifies what this one signs.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.key.verifying_key
    }

    /// The name of the key.
    #[must_use]
    pub fn key_id(&self) -> KeyId {
        self.key_id
    }
}
