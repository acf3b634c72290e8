//! The ledger on any store: its rows and a side log, opened by one process, written by one thread.
#![forbid(unsafe_code)]

mod adopt;
mod clock;
pub(super) mod core;
pub(super) mod disk;
pub(super) mod evidence;
mod flush;
pub(super) mod open;
mod options;
pub(super) mod place;
pub(super) mod rows;
mod shared;
mod stopped;
pub(super) mod store;
pub(super) mod verbs;
mod witness;

pub use adopt::OldRecordFile;
pub use evidence::{Evidence, Reconcile, Reconciled};
pub use options::{AcceptMove, LedgerOptions, Resume};
pub use place::WitnessFolder;
pub use store::{ChainClock, NewLedger};
pub use verbs::{Exported, KnownKey};

use self::core::{Core, MAX_REQUESTS, OwnRequest, Shared};
use super::accounts::Account;
use super::record::{KeyInstance, KeyState, Record};
use super::refused::{LedgerError, Problem, Refused};
use super::request::{EpochLedger, Health, InitialState, Request, Reserved, Standing};
use super::rules::Granted;
use crate::identity::KeyId;
use phalanx_core::process::ProcessMark;
use phalanx_core::threads::{Committer, Committing, NoAnswer};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// A ledger of which two records must agree: a store, in SQLite or PostgreSQL, and a side log. Which it is shows only
/// where it is opened.
pub struct Ledger {
    // After a fork it may not be touched: the thread is not there, and the child must not close what the parent has open.
    committing: Committing<Core>,
    shared: Arc<Shared>,
    ledger_id: [u8; 16],
    settings: NewLedger,
    is_shared: bool,
    lease_token: Option<u64>,
    process: ProcessMark,
    timeout: Duration,
}

/// Most jobs that wait.
const QUEUE: usize = 1024;

impl Ledger {
    /// The ledger that `core` is.
    pub(super) fn over(core: Core, timeout: Duration) -> Result<Self, LedgerError> {
        let (shared, ledger_id, settings) = (Arc::clone(&core.shared), core.ledger_id, core.settings);
        let is_shared = core.store.db.is_shared();
        let lease_token = core.store.db.lease().map(|(_, token)| token);
        let committing = Committing::start("phalanx-ledger", QUEUE, core)
            .map_err(|error| LedgerError::new(Problem::Storage, format_args!("no thread: {error}")))?;
        let process = ProcessMark::here();
        Ok(Self { committing, shared, ledger_id, settings, is_shared, lease_token, process, timeout })
    }

    /// The ledger's name.
    #[must_use]
    pub fn ledger_id(&self) -> [u8; 16] {
        self.ledger_id
    }

    /// Whether several hosts use its store.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// The token of the lease under which this process writes, where the store is in a database.
    #[must_use]
    pub fn lease_token(&self) -> Option<u64> {
        self.lease_token
    }

    /// What it was told when it was made.
    #[must_use]
    pub fn settings(&self) -> NewLedger {
        self.settings
    }

    /// Flushes both files without saying anything new. If that fails the ledger has stopped, as after any other write.
    ///
    /// # Errors
    /// The ledger has stopped, or stops.
    pub fn probe(&self) -> Result<(), LedgerError> {
        self.ask(Core::probe)
    }

    /// How often the clock has been seen to jump by more than 2 seconds. A jump forward by more than keys may sign ahead
    /// quarantines those that it would have skip epochs, until [`Self::accept_clock`].
    #[must_use]
    pub fn clock_steps(&self) -> u64 {
        self.shared.clock_steps.load(Relaxed)
    }

    fn is_forked(&self) -> bool {
        !self.process.is_here()
    }

    /// Has `act` done by the one who commits, between two groups.
    fn ask<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut Core) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, LedgerError> {
        if self.is_forked() {
            return Err(LedgerError::new(Problem::Forked, Refused::Forked));
        }
        let stopped = |_| Err(LedgerError::new(Problem::Unavailable, Refused::Poisoned));
        self.committing.act(act).unwrap_or_else(stopped)
    }

    fn answers(&self, requests: &[Request<'_>]) -> Vec<Result<Granted, Refused>> {
        let all = |refused: Refused| requests.iter().map(|_| Err(refused)).collect();
        if self.is_forked() {
            return all(Refused::Forked);
        }
        // A position that no key has is refused before it is asked for.
        let own: Vec<Option<OwnRequest>> = requests.iter().map(own_request).collect();
        let asked: Vec<OwnRequest> = own.iter().flatten().cloned().collect();
        let mut answers = match self.committing.ask(asked, self.timeout) {
            Ok(answers) => answers.into_iter(),
            Err(NoAnswer::Late) => return all(Refused::Timeout),
            Err(NoAnswer::Ended) => return all(Refused::Poisoned),
        };
        if self.is_forked() {
            return all(Refused::Forked);
        }
        if self.shared.fence.is_past() {
            return all(Refused::Fenced);
        }
        let answer = |own: &Option<OwnRequest>| match own {
            Some(_) => answers.next().unwrap_or(Err(Refused::Poisoned)),
            None => Err(Refused::Exhausted),
        };
        own.iter().map(answer).collect()
    }
}

fn own_request(request: &Request<'_>) -> Option<OwnRequest> {
    let place = request.position.place()?;
    let (key, digest) = (*request.key, request.digest());
    Some(OwnRequest { key, place, digest, message: request.message.to_vec() })
}

impl Committer for Core {
    type Request = OwnRequest;
    type Answer = Result<Granted, Refused>;
    const MOST: usize = MAX_REQUESTS;

    fn commit(&mut self, requests: Vec<OwnRequest>) -> Vec<Self::Answer> {
        self.reserve(&requests)
    }

    fn rest(&self) -> Option<Duration> {
        if self.check_running().is_ok() { self.store.db.renewal() } else { None }
    }

    fn look_after(&mut self) {
        self.keep_lease();
    }

    fn stop(self) {
        open::stop(&self);
    }
}

impl EpochLedger for Ledger {
    fn register(&self, key: &KeyInstance, public_key: &[u8], state: InitialState) -> Result<(), LedgerError> {
        let (key, public_key) = (key.clone(), public_key.to_vec());
        self.ask(move |core| verbs::register(core, key, &public_key, state))
    }

    fn reserve_many(&self, requests: &[Request<'_>]) -> Vec<Result<Reserved<'_>, Refused>> {
        let answers = self.answers(requests).into_iter().zip(requests);
        answers.map(|(answer, request)| answer.map(|granted| Reserved::new(request, granted))).collect()
    }

    fn look(&self, request: Request<'_>) -> Result<bool, Refused> {
        if self.is_forked() {
            return Err(Refused::Forked);
        }
        let own = own_request(&request).ok_or(Refused::Exhausted)?;
        let answer = self.ask(move |core| Ok(core.look(&own))).map_err(|_| Refused::Poisoned)?;
        if self.shared.fence.is_past() { Err(Refused::Fenced) } else { answer }
    }

    fn standing(&self, key: &KeyId) -> Result<Standing, LedgerError> {
        let key = *key;
        self.ask(move |core| verbs::account(core, &key).map(Standing::of))
    }

    fn raise_low(&self, key: &KeyId, low: u64, reason: &str) -> Result<(), LedgerError> {
        let (key, reason) = (*key, reason.to_owned());
        self.ask(move |core| {
            let Account { low: before, instance, .. } = verbs::account(core, &key)?;
            if low < *before || low > instance.end {
                let text = format!("the low watermark is {before} and the key ends at {}", instance.end);
                return Err(LedgerError::new(Problem::Backwards, text));
            }
            core.act(vec![Record::Low { key, low }, verbs::note("raise-low", &reason)])
        })
    }

    fn quarantine(&self, key: &KeyId, reason: &str) -> Result<(), LedgerError> {
        self.set_state(key, KeyState::Quarantined, "quarantine", reason)
    }

    fn health(&self) -> Health {
        match self.shared.fault.get() {
            _ if self.is_forked() => Health::Forked,
            _ if self.shared.fence.is_past() => Health::Fenced,
            Some(fault) => Health::Poisoned(fault.clone()),
            None if self.committing.has_ended() => {
                Health::Poisoned("the thread that writes has ended".to_owned())
            }
            None => Health::Open,
        }
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        if self.is_forked() {
            self.committing.forget();
        }
    }
}
