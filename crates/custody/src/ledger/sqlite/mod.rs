//! The ledger on SQLite: a store and a side log, opened by one process, written by one thread.
#![forbid(unsafe_code)]

mod adopt;
mod clock;
mod core;
mod database;
pub(super) mod disk;
#[cfg(test)]
mod faults;
mod flush;
pub(super) mod open;
pub(super) mod place;
#[cfg(test)]
mod power_loss;
mod reconcile;
mod rows;
mod shared;
mod stopped;
pub(super) mod store;
mod verbs;
mod witness;

pub use adopt::OldRecordFile;
pub use database::SCHEMA;
pub use open::{AcceptMove, LedgerOptions, Resume};
pub use place::WitnessFolder;
pub use reconcile::{Evidence, Reconcile, Reconciled};
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
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

type Answers = Vec<Result<Granted, Refused>>;

/// What the one who commits is asked for.
enum Job {
    Reserve(Vec<OwnRequest>, SyncSender<Answers>),
    Verb(Box<dyn FnOnce(&mut Core) + Send>),
    Stop,
}

/// A ledger of which two records must agree: a store, in SQLite or PostgreSQL, and a side log. Which it is shows only
/// where it is opened.
///
/// ```
/// use phalanx_custody::identity::{xmss_key_id, xmss_one_time_key_id};
/// use phalanx_custody::ledger::sqlite::{LedgerOptions, NewLedger, SqliteLedger};
/// use phalanx_custody::ledger::{EpochLedger, InitialState, Position, Request, xmss_instance};
/// use phalanx_xmss::{Format, ParameterSet, SigningKey};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("phalanx-doc-ledger-{}", std::process::id()));
/// let options = LedgerOptions::new(&folder);
/// # let options = options.allow_file_system("overlay");
/// SqliteLedger::create(&options, NewLedger::default())?;
/// let ledger = SqliteLedger::open(&options)?;
///
/// let key = SigningKey::from_seed(ParameterSet::POSEIDON2_L8_D64B8, &[7; 32], 0..32)?;
/// let instance = xmss_instance(&key, "attester");
/// let public_key = key.verifying_key().to_bytes(Format::Ssz);
/// ledger.register(&instance, &public_key, InitialState::New)?;
///
/// let request = |message| Request { key: &instance.key_id, position: Position::Epoch(3), message };
/// assert!(!ledger.reserve(request(&[1; 32]))?.is_repeat());
/// assert!(ledger.reserve(request(&[1; 32]))?.is_repeat(), "the same message again");
/// assert_eq!(ledger.reserve(request(&[2; 32])).expect_err("another message").code(), "epoch_used");
/// # drop(ledger);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// ```
pub struct Ledger {
    // After a fork neither may be touched: the thread is not there, and the child must not close what the parent has open.
    queue: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<()>>,
    shared: Arc<Shared>,
    ledger_id: [u8; 16],
    settings: NewLedger,
    is_shared: bool,
    process: ProcessMark,
    timeout: Duration,
}

/// A ledger whose store is in SQLite.
pub type SqliteLedger = Ledger;

/// Most jobs that wait.
const QUEUE: usize = 1024;

impl Ledger {
    /// Makes a ledger where there is none.
    ///
    /// # Errors
    /// [`LedgerError`], with [`Problem::Exists`] if there is one.
    pub fn create(options: &LedgerOptions, settings: NewLedger) -> Result<(), LedgerError> {
        open::create(options, settings)
    }

    /// Opens a ledger for this process alone. Whatever cannot be explained by a crash is a refusal.
    ///
    /// # Errors
    /// [`LedgerError`], whose problem says which check failed.
    pub fn open(options: &LedgerOptions) -> Result<Self, LedgerError> {
        Self::over(open::open(options)?, options.timeout)
    }

    /// The ledger that `core` is.
    pub(in crate::ledger) fn over(core: Core, timeout: Duration) -> Result<Self, LedgerError> {
        let (shared, ledger_id, settings) = (Arc::clone(&core.shared), core.ledger_id, core.settings);
        let is_shared = core.store.db.is_shared();
        let (queue, jobs) = sync_channel(QUEUE);
        let thread =
            thread::Builder::new().name("phalanx-ledger".to_owned()).spawn(move || work(core, &jobs));
        let thread =
            thread.map_err(|error| LedgerError::new(Problem::Storage, format_args!("no thread: {error}")))?;
        Ok(Self {
            queue: Some(queue),
            thread: Some(thread),
            shared,
            ledger_id,
            settings,
            is_shared,
            process: ProcessMark::here(),
            timeout,
        })
    }

    /// Makes a new ledger of all that is known, where the files of the old one do not agree any more: its store and side
    /// logs, which stay as evidence under other names, and what the operator adds. All that can have been signed is closed.
    ///
    /// # Errors
    /// [`LedgerError`]; the old files are then evidence still, and this can be done again.
    pub fn reconcile(options: &LedgerOptions, what: &Reconcile) -> Result<Reconciled, LedgerError> {
        reconcile::reconcile(options, what)
    }

    /// The name of a ledger that need not open: that its store has, of which nothing else is checked.
    ///
    /// # Errors
    /// [`LedgerError`], if there is no store or it cannot be read.
    pub fn name_of(options: &LedgerOptions) -> Result<[u8; 16], LedgerError> {
        open::name_of(options)
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

    fn queue(&self) -> &SyncSender<Job> {
        self.queue.as_ref().expect("taken only when this is dropped")
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
        let stopped = || LedgerError::new(Problem::Unavailable, Refused::Poisoned);
        let (answer, answered) = sync_channel(1);
        let job = move |core: &mut Core| {
            // Nobody may be waiting any more.
            let _ = answer.send(act(core));
        };
        self.queue().send(Job::Verb(Box::new(job))).map_err(|_| stopped())?;
        answered.recv().map_err(|_| stopped())?
    }

    fn answers(&self, requests: &[Request<'_>]) -> Vec<Result<Granted, Refused>> {
        let all = |refused: Refused| requests.iter().map(|_| Err(refused)).collect();
        if self.is_forked() {
            return all(Refused::Forked);
        }
        // A position that no key has is refused before it is asked for.
        let own: Vec<Option<OwnRequest>> = requests.iter().map(own_request).collect();
        let asked: Vec<OwnRequest> = own.iter().flatten().cloned().collect();
        let (answer, answered) = sync_channel(1);
        match self.queue().try_send(Job::Reserve(asked, answer)) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => return all(Refused::Timeout),
            Err(TrySendError::Disconnected(_)) => return all(Refused::Poisoned),
        }
        let mut answers = match answered.recv_timeout(self.timeout) {
            Ok(answers) => answers.into_iter(),
            Err(RecvTimeoutError::Timeout) => return all(Refused::Timeout),
            Err(RecvTimeoutError::Disconnected) => return all(Refused::Poisoned),
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

/// The life of the one who commits: everything that waits is one group.
fn work(mut core: Core, jobs: &Receiver<Job>) {
    let mut next = None;
    while let Some(job) = next.take().or_else(|| wait(&core, jobs)) {
        match job {
            Job::Stop => break,
            Job::Verb(act) => act(&mut core),
            Job::Reserve(requests, answer) => next = reserve(&mut core, jobs, requests, answer),
        }
        core.keep_lease();
    }
    open::stop(&core);
}

/// The next job. While none comes the lease is kept, where there is one.
fn wait(core: &Core, jobs: &Receiver<Job>) -> Option<Job> {
    loop {
        let rest = if core.check_running().is_ok() { core.store.db.renewal() } else { None };
        let Some(rest) = rest else { return jobs.recv().ok() };
        match jobs.recv_timeout(rest) {
            Ok(job) => return Some(job),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => core.keep_lease(),
        }
    }
}

/// Answers what waits, as far as one group goes. Returns a job of another kind that came between.
fn reserve(
    core: &mut Core,
    jobs: &Receiver<Job>,
    mut requests: Vec<OwnRequest>,
    answer: SyncSender<Answers>,
) -> Option<Job> {
    let mut waiting = vec![(requests.len(), answer)];
    let mut other = None;
    while requests.len() < MAX_REQUESTS {
        match jobs.try_recv() {
            Ok(Job::Reserve(more, answer)) => {
                waiting.push((more.len(), answer));
                requests.extend(more);
            }
            Ok(job) => {
                other = Some(job);
                break;
            }
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
        }
    }
    let mut answers = core.reserve(&requests).into_iter();
    for (count, answer) in waiting {
        // Who has stopped waiting asks again.
        let _ = answer.send(answers.by_ref().take(count).collect());
    }
    other
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
            None if self.thread.as_ref().is_none_or(JoinHandle::is_finished) => {
                Health::Poisoned("the thread that writes has ended".to_owned())
            }
            None => Health::Open,
        }
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        let (queue, thread) = (self.queue.take(), self.thread.take());
        if self.is_forked() {
            std::mem::forget((queue, thread));
            return;
        }
        let stopping = queue.is_some_and(|queue| queue.send(Job::Stop).is_ok());
        if let (Some(thread), true) = (thread, stopping) {
            // A panic there has been told to everybody who asked.
            let _ = thread.join();
        }
    }
}
