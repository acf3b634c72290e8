//! A ledger that forgets: for tests.
#![forbid(unsafe_code)]

use super::accounts::Accounts;
use super::record::{KeyInstance, KeyState, Place, Record};
use super::refused::{LedgerError, Problem, Refused};
use super::request::{EpochLedger, Health, InitialState, Request, Reserved, Standing};
use super::rules::{Bounds, Granted, answer, earlier_of};
use crate::identity::KeyId;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Keeps what it is told in memory, and loses it with the process. **A key that signs by it is as safe as a key without a
/// ledger.**
#[derive(Default)]
pub struct MemoryLedger {
    accounts: Mutex<Accounts>,
    messages: Mutex<Messages>,
}

/// What is signed at positions, where that may have to be known.
type Messages = BTreeMap<(KeyId, Place), Vec<u8>>;

impl MemoryLedger {
    fn accounts(&self) -> MutexGuard<'_, Accounts> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to `request`, by what is in memory.
    fn answer(accounts: &Accounts, messages: &Messages, request: &Request<'_>) -> Result<Granted, Refused> {
        let (place, digest) = (request.position.place().ok_or(Refused::Exhausted)?, request.digest());
        let granted = answer(accounts, &Bounds::default(), request.key, &place, &digest, None);
        let known = accounts.get(request.key).filter(|account| account.may_repeat_with_other_time());
        let known = known.and_then(|account| *account.entries.get(&place)?);
        let earlier = || earlier_of(messages.get(&(*request.key, place))?, request.message, &known?);
        granted.or_else(|refused| earlier().ok_or(refused))
    }

    fn apply(&self, records: &[Record]) -> Result<(), LedgerError> {
        let refused = |error| LedgerError::new(Problem::Backwards, format_args!("refused: {error}"));
        self.accounts().apply_all(records).map_err(refused)
    }
}

impl EpochLedger for MemoryLedger {
    fn register(
        &self,
        key: &KeyInstance,
        _public_key: &[u8],
        state: InitialState,
    ) -> Result<(), LedgerError> {
        let id = key.key_id;
        let known = self.accounts().knows(key);
        let is_known = known.map_err(|error| LedgerError::new(Problem::SameOneTimeKeys, error))?;
        match state {
            _ if is_known => Ok(()),
            InitialState::Known => {
                Err(LedgerError::new(Problem::NoState, "the ledger has no state of the key"))
            }
            InitialState::New => self.apply(&[Record::Key(key.clone())]),
            InitialState::Quarantined => {
                let state = KeyState::Quarantined;
                self.apply(&[Record::Key(key.clone()), Record::State { key: id, state }])
            }
            InitialState::Adopt { low, .. } => {
                let low = low.clamp(key.start, key.end);
                self.apply(&[Record::Key(key.clone()), Record::Low { key: id, low }])
            }
        }
    }

    fn reserve_many(&self, requests: &[Request<'_>]) -> Vec<Result<Reserved<'_>, Refused>> {
        let mut accounts = self.accounts();
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reserve = |request: &Request<'_>| {
            let granted = Self::answer(&accounts, &messages, request)?;
            if granted == Granted::New {
                let (key, place) = (*request.key, request.position.place().ok_or(Refused::Exhausted)?);
                let entry = Record::Entry { key, place: place.clone(), digest: Some(request.digest()) };
                accounts.apply(&entry).map_err(|_| Refused::Poisoned)?;
                messages.insert((key, place), request.message.to_vec());
            }
            Ok(Reserved::new(request, granted))
        };
        requests.iter().map(&mut reserve).collect()
    }

    fn look(&self, request: Request<'_>) -> Result<bool, Refused> {
        let accounts = self.accounts();
        let messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        Self::answer(&accounts, &messages, &request).map(|granted| granted != Granted::New)
    }

    fn standing(&self, key: &KeyId) -> Result<Standing, LedgerError> {
        let unknown = || LedgerError::new(Problem::UnknownKey, "the ledger does not know the key");
        self.accounts().get(key).map(Standing::of).ok_or_else(unknown)
    }

    fn raise_low(&self, key: &KeyId, low: u64, _reason: &str) -> Result<(), LedgerError> {
        self.apply(&[Record::Low { key: *key, low }])
    }

    fn quarantine(&self, key: &KeyId, _reason: &str) -> Result<(), LedgerError> {
        self.apply(&[Record::State { key: *key, state: KeyState::Quarantined }])
    }

    fn health(&self) -> Health {
        Health::Open
    }
}
