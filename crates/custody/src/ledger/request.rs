//! What a signer asks a ledger for, and what it gets.
#![forbid(unsafe_code)]

use super::accounts::Account;
use super::position::Position;
use super::record::{Digest, KeyInstance, KeyState, Mode, Ordering, Place};
use super::refused::{LedgerError, Refused};
use super::rules::Granted;
use crate::epoch_key::EpochKey;
use crate::identity::KeyId;
use sha2::{Digest as _, Sha256};
use std::marker::PhantomData;

/// Where the use of one-time keys is recorded before a signature leaves.
pub trait EpochLedger: Send + Sync {
    /// Registers a key, or confirms that exactly it is registered. `public_key` is in SSZ.
    ///
    /// # Errors
    /// [`super::Problem::SameOneTimeKeys`] if its name or its one-time secrets belong to another;
    /// [`super::Problem::NoState`] if it is not known and `state` does not say that it is new.
    fn register(&self, key: &KeyInstance, public_key: &[u8], state: InitialState) -> Result<(), LedgerError>;

    /// Answers every request, in order; the new ones are made durable together. Returns when they are.
    fn reserve_many(&self, requests: &[Request<'_>]) -> Vec<Result<Reserved<'_>, Refused>>;

    /// Answers one request.
    ///
    /// # Errors
    /// [`Refused`]: nothing may be signed.
    fn reserve(&self, request: Request<'_>) -> Result<Reserved<'_>, Refused> {
        self.reserve_many(&[request]).pop().unwrap_or(Err(Refused::Poisoned))
    }

    /// What [`Self::reserve`] would answer, but nothing is reserved: whether the request repeats one before.
    ///
    /// # Errors
    /// [`Refused`], as [`Self::reserve`].
    fn look(&self, request: Request<'_>) -> Result<bool, Refused>;

    /// Where a key stands.
    ///
    /// # Errors
    /// [`super::Problem::UnknownKey`].
    fn standing(&self, key: &KeyId) -> Result<Standing, LedgerError>;

    /// Raises the low watermark of a key: nothing new below it is signed any more. The reason is written down.
    ///
    /// # Errors
    /// [`super::Problem::Backwards`] if `low` is below it, or after the end of the key.
    fn raise_low(&self, key: &KeyId, low: u64, reason: &str) -> Result<(), LedgerError>;

    /// The key signs nothing until an operator has answered for it.
    ///
    /// # Errors
    /// [`super::Problem::UnknownKey`]; [`super::Problem::Backwards`] for a retired key.
    fn quarantine(&self, key: &KeyId, reason: &str) -> Result<(), LedgerError>;

    /// Whether the ledger answers.
    fn health(&self) -> Health;
}

/// What is known of a key when it is registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InitialState {
    /// It must be known already.
    Known,
    /// It has just been made, and has signed nothing.
    New,
    /// It has been elsewhere, and its history will follow: it signs nothing until then.
    Quarantined,
    /// It has been elsewhere. An operator says that it has signed nothing from this epoch on.
    Adopt {
        /// The first epoch that may be signed.
        low: u64,
        /// Why: it is written down.
        reason: String,
    },
}

/// Whether a ledger answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// It does.
    Open,
    /// It has stopped, for this reason, until it is opened anew.
    Poisoned(String),
    /// Another signer holds its lease.
    Fenced,
    /// It was opened by the parent of this process.
    Forked,
}

/// Where a key stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What it is.
    pub instance: KeyInstance,
    /// Whether it may sign.
    pub state: KeyState,
    /// Nothing new below this.
    pub low: u64,
    /// Nothing new from here on.
    pub high: Option<u64>,
    /// The greatest epoch ever reserved.
    pub highest: Option<u64>,
    /// How many epochs are left, as far as watermarks and order say.
    pub remaining: u64,
}

impl Standing {
    /// The standing of an account.
    #[must_use]
    pub fn of(account: &Account) -> Self {
        let Account { instance, state, low, high, highest, .. } = account;
        let next = if instance.ordering == Ordering::Strict {
            highest.map_or(*low, |highest| highest.saturating_add(1)).max(*low)
        } else {
            *low
        };
        let used = if instance.ordering == Ordering::Strict {
            0
        } else {
            account.entries.keys().filter(|place| place.position[0] >= next).count() as u64
        };
        let end = high.map_or(instance.end, |high| high.min(instance.end));
        Self {
            instance: instance.clone(),
            state: *state,
            low: *low,
            high: *high,
            highest: *highest,
            remaining: end.saturating_sub(next).saturating_sub(used),
        }
    }
}

/// A request for a position.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The key.
    pub key: &'a KeyId,
    /// The position.
    pub position: Position<'a>,
    /// What is to be signed there.
    pub message: &'a [u8],
}

impl Request<'_> {
    /// SHA-256 of the message.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Sha256::digest(self.message).into()
    }
}

/// Proof that a position is a message's, in both files of the ledger. Only ledgers make it, nobody can copy it, and it does
/// not outlive its ledger.
#[derive(Debug)]
pub struct Reserved<'l> {
    key: KeyId,
    place: Option<Place>,
    digest: Digest,
    granted: Granted,
    ledger: PhantomData<&'l ()>,
}

impl Reserved<'_> {
    pub(super) fn new(request: &Request<'_>, granted: Granted) -> Self {
        let (key, place, digest) = (*request.key, request.position.place(), request.digest());
        Self { key, place, digest, granted, ledger: PhantomData }
    }

    /// Whether the message was signed here before: the same signature is to be given again.
    #[must_use]
    pub fn is_repeat(&self) -> bool {
        self.granted != Granted::New
    }

    /// The sign bytes to be signed in place of those that were asked for: the same vote or proposal was signed here before,
    /// with another time.
    #[must_use]
    pub fn earlier_message(&self) -> Option<&[u8]> {
        match &self.granted {
            Granted::Earlier(message) => Some(message),
            _ => None,
        }
    }

    /// Whether this is the proof for that request.
    #[must_use]
    pub fn is_for(&self, request: &Request<'_>) -> bool {
        (self.key, &self.place, self.digest) == (*request.key, &request.position.place(), request.digest())
    }
}

/// What an XMSS key is to a ledger. Registered so, it signs any unused epoch; see [`strict`] for keys that follow a clock.
#[must_use]
pub fn xmss_instance<K: EpochKey>(key: &K, role: &str) -> KeyInstance {
    let interval = key.activation_interval();
    KeyInstance {
        key_id: key.key_id(),
        scheme: key.scheme().to_owned(),
        role: role.to_owned(),
        mode: Mode::Synchronized,
        ordering: Ordering::Any,
        start: interval.start,
        end: interval.end,
        implementation: key.family().implementation().to_owned(),
        one_time_key_id: Some(key.one_time_key_id()),
    }
}

/// The same key, signing only forward.
#[must_use]
pub fn strict(instance: KeyInstance) -> KeyInstance {
    KeyInstance { ordering: Ordering::Strict, ..instance }
}
