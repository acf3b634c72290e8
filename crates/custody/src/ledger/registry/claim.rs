//! The claim of a process that lasts on the keys of its ledger.
#![forbid(unsafe_code)]

use super::{Keeper, Registry, StateFolder, keeper_of, path_of, read};
use crate::hexadecimal;
use crate::identity::KeyId;
use crate::ledger::durable::Ledger;
use crate::ledger::durable::place::Lock;
use crate::ledger::record::KeyInstance;
use crate::ledger::refused::{LedgerError, Problem, Refused};
use std::fs::File;

/// That a ledger is open in a process that lasts: while this lives no key of it is given to another ledger.
pub struct Claim {
    state: StateFolder,
    ledger_id: [u8; 16],
    lock: Lock,
}

impl Claim {
    /// Claims the keys that the ledger called `ledger_id` keeps. Whoever gives one of them to another ledger just now is
    /// waited for, so what [`Claim::check`] sees afterwards stays.
    ///
    /// # Errors
    /// As [`Registry::alone`].
    pub fn take(state: &StateFolder, ledger_id: [u8; 16]) -> Result<Self, LedgerError> {
        state.make()?;
        let _registry = state.share()?;
        let path = state.claim_of(&ledger_id);
        // Another host's ledger of this name may be open here, too: it is one ledger.
        let lock = Lock::try_on(&path, File::try_lock_shared)?;
        let taken = || LedgerError::new(Problem::InUse, "another process is giving keys to ledgers");
        Ok(Self { state: state.clone(), ledger_id, lock: lock.ok_or_else(taken)? })
    }

    /// Lets go of the keys: the ledger is closed.
    pub fn release(&self) {
        self.lock.release();
    }

    /// `Ok` if the registry says that `key` signs through this ledger. One that nobody here has heard of is given to a
    /// ledger that several hosts share, where another host has registered it.
    ///
    /// # Errors
    /// [`Problem::KeptElsewhere`], [`Problem::NoState`]; as [`Registry::keeper_of`].
    pub fn check(&self, ledger: &Ledger, key: &KeyInstance) -> Result<(), LedgerError> {
        match keeper_of(&self.state, key)? {
            Keeper::Nobody if ledger.is_shared() => {
                Registry::alone(self.state.clone())?.give_unless_kept(key, &self.ledger_id)
            }
            keeper => check_kept(keeper, &self.ledger_id),
        }
    }

    /// The same question for a key that was checked, before each signature: nothing else here changes what the answer
    /// was, but somebody may have exchanged the files. Reads one small file.
    ///
    /// # Errors
    /// [`Refused::Retired`] if another ledger keeps it, [`Refused::Quarantined`] if nothing says who does.
    pub fn keeps(&self, key: &KeyId) -> Result<(), Refused> {
        match read(&path_of(&self.state, key)) {
            Some(known) if known.ledger_id != self.ledger_id => Err(Refused::Retired),
            Some(_) if self.lock.is_in_place() => Ok(()),
            _ => Err(Refused::Quarantined),
        }
    }
}

/// `Ok` if `keeper` is the ledger called `ledger_id`.
pub(super) fn check_kept(keeper: Keeper, ledger_id: &[u8; 16]) -> Result<(), LedgerError> {
    let unknown = |text: &str| Err(LedgerError::new(Problem::NoState, text));
    match keeper {
        Keeper::Ledger(id) if id == *ledger_id => Ok(()),
        Keeper::Ledger(id) => Err(kept_by(&id)),
        Keeper::Nobody => unknown("the state folder does not know this key"),
        Keeper::Unreadable => unknown("what the state folder says of this key is damaged"),
    }
}

/// The refusal for a key that another ledger keeps.
#[must_use]
pub fn kept_by(keeper: &[u8; 16]) -> LedgerError {
    let text =
        format!("the used epochs of this key are kept in another ledger: {}", hexadecimal::text(keeper));
    LedgerError::new(Problem::KeptElsewhere, text)
}
