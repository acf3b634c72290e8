//! The ledger of the service: open, or closed after a fault until it could be opened anew.
#![forbid(unsafe_code)]

use super::journal::Journal;
use super::limits::lock;
use super::metrics::Metrics;
use crate::ledger::durable::{LedgerOptions, NewLedger};
use crate::ledger::registry::{Claim, StateFolder};
use crate::ledger::sqlite::SqliteLedger;
use crate::ledger::{Committed, EpochLedger, Health, LedgerError, Observer};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::time::{Duration, Instant};

/// How long ago the last group or probe may have been.
pub(super) const FRESH: Duration = Duration::from_secs(10);
/// How long nothing is written before a probe is.
pub(super) const IDLE: Duration = Duration::from_secs(5);

/// Writes down what the ledger tells: numbers for those who measure, and what somebody should read.
pub(super) struct Told {
    /// Where is counted.
    pub(super) metrics: Arc<Metrics>,
    /// Where is written.
    pub(super) journal: Journal,
}

impl Observer for Told {
    fn committed(&self, what: &Committed) {
        self.metrics.committed(what);
    }

    fn repaired(&self, what: &str) {
        self.metrics.repaired(what);
    }

    fn suspicious_flush(&self, folder: &Path, median: Duration) {
        let (folder, micros) = (folder.display(), median.as_micros());
        self.journal.note("suspicious_flush", &[("folder", &folder), ("median_us", &micros)]);
    }
}

/// The ledger, and what is known of it while it is closed.
pub(super) struct OpenedLedger {
    options: LedgerOptions,
    settings: NewLedger,
    claim: Claim,
    open: RwLock<Option<Arc<SqliteLedger>>>,
    /// Those who were signing when it closed must be done before it can be opened again.
    closed: Mutex<Weak<SqliteLedger>>,
    last_good: Mutex<Instant>,
    problem: Mutex<&'static str>,
    lease_changes: AtomicU64,
}

impl OpenedLedger {
    /// Opens it for the first time as `first` says, and after faults as `later` does; and claims its keys, for as long as
    /// this lives.
    pub(super) fn open(
        first: &LedgerOptions,
        later: LedgerOptions,
        state: &StateFolder,
    ) -> Result<Self, LedgerError> {
        let ledger = SqliteLedger::open(first)?;
        let claim = Claim::take(state, ledger.ledger_id())?;
        Ok(Self {
            options: later,
            settings: ledger.settings(),
            claim,
            lease_changes: AtomicU64::new(ledger.lease_token().map_or(0, |_| 1)),
            open: RwLock::new(Some(Arc::new(ledger))),
            closed: Mutex::new(Weak::new()),
            last_good: Mutex::new(Instant::now()),
            problem: Mutex::new("ledger_closed"),
        })
    }

    /// That its keys are given to no other ledger.
    pub(super) fn claim(&self) -> &Claim {
        &self.claim
    }

    /// What it was told when it was made.
    pub(super) fn settings(&self) -> NewLedger {
        self.settings
    }

    /// The epoch that the clock says, where there is one.
    pub(super) fn clock_epoch(&self) -> Option<u64> {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        self.settings.clock.map(|clock| clock.epoch_at(since.map_or(0, |since| since.as_secs())))
    }

    /// The ledger, if it is open.
    pub(super) fn get(&self) -> Option<Arc<SqliteLedger>> {
        self.open.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Why nothing can be signed, if so.
    pub(super) fn problem(&self) -> Option<&'static str> {
        match self.get().map(|ledger| ledger.health()) {
            Some(Health::Open) if lock(&self.last_good).elapsed() < FRESH => None,
            Some(Health::Open) => Some("ledger_silent"),
            Some(Health::Poisoned(_)) => Some("ledger_poisoned"),
            Some(Health::Fenced) => Some("ledger_fenced"),
            Some(Health::Forked) => Some("ledger_forked"),
            None => Some(*lock(&self.problem)),
        }
    }

    /// How often the clock has been seen to jump, since the ledger was last opened.
    pub(super) fn clock_steps(&self) -> u64 {
        self.get().map_or(0, |ledger| ledger.clock_steps())
    }

    /// The token of the lease, while it is held.
    pub(super) fn lease_token(&self) -> Option<u64> {
        self.get().and_then(|ledger| ledger.lease_token())
    }

    /// How often a lease was taken or lost.
    pub(super) fn lease_changes(&self) -> u64 {
        self.lease_changes.load(Relaxed)
    }

    /// A group, or a probe, is on the disk.
    pub(super) fn is_good(&self) {
        *lock(&self.last_good) = Instant::now();
    }

    /// Probes, if nothing was written for a while.
    pub(super) fn probe_if_idle(&self) {
        if lock(&self.last_good).elapsed() >= IDLE && self.get().is_some_and(|ledger| ledger.probe().is_ok())
        {
            self.is_good();
        }
    }

    /// Lets go of it, if it has stopped. Says why, as a word.
    pub(super) fn close_if_stopped(&self) -> Option<&'static str> {
        let ledger = self.get()?;
        let cause = match ledger.health() {
            Health::Open => return None,
            Health::Poisoned(text) => word(&text),
            Health::Fenced => "fenced",
            Health::Forked => "forked",
        };
        self.count_lease(&ledger);
        *lock(&self.problem) = "ledger_poisoned";
        self.close();
        Some(cause)
    }

    /// Lets go of it. It ends with the last of those who use it.
    pub(super) fn close(&self) {
        let closed = self.open.write().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(ledger) = closed {
            *lock(&self.closed) = Arc::downgrade(&ledger);
        }
    }

    fn count_lease(&self, ledger: &SqliteLedger) {
        self.lease_changes.fetch_add(ledger.lease_token().map_or(0, |_| 1), Relaxed);
    }

    /// Whether nobody uses it any more, after it was closed.
    pub(super) fn is_released(&self) -> bool {
        lock(&self.closed).strong_count() == 0
    }

    /// Opens it anew, with all checks: what comes back is not yet given to those who sign.
    pub(super) fn reopen(&self) -> Result<Arc<SqliteLedger>, LedgerError> {
        SqliteLedger::open(&self.options).map(Arc::new).inspect_err(|error| {
            *lock(&self.problem) = error.code();
        })
    }

    /// Gives it to those who sign.
    pub(super) fn put_back(&self, ledger: Arc<SqliteLedger>) {
        self.count_lease(&ledger);
        *self.open.write().unwrap_or_else(PoisonError::into_inner) = Some(ledger);
        self.is_good();
    }
}

/// A fault as a word for a label.
fn word(fault: &str) -> &'static str {
    let words = [
        ("the store", "store"),
        ("the side log", "witness"),
        ("a file", "exchanged"),
        ("the process", "forked"),
    ];
    words.into_iter().find(|(start, _)| fault.starts_with(start)).map_or("other", |(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{DirBuilder, remove_dir_all};
    use std::os::unix::fs::DirBuilderExt;

    /// A ledger that has neither written nor answered a probe for a while is not called ready.
    #[test]
    fn a_silent_ledger_is_a_problem() {
        let folder = phalanx_testing::place().join(format!("phalanx-opened-{}", std::process::id()));
        DirBuilder::new().mode(0o700).create(&folder).expect("a new folder");
        let options = || LedgerOptions::new(folder.join("ledger")).allow_file_system("overlay");
        SqliteLedger::create(&options(), NewLedger::default()).expect("a new ledger");
        let state = StateFolder::at(folder.join("state"));
        let opened = OpenedLedger::open(&options(), options(), &state).expect("it opens");
        let says_nothing_for = |time: Duration| {
            *lock(&opened.last_good) =
                Instant::now().checked_sub(time).expect("the machine is up for longer");
        };
        assert_eq!(opened.problem(), None);
        says_nothing_for(FRESH);
        assert_eq!(opened.problem(), Some("ledger_silent"));
        opened.probe_if_idle();
        assert_eq!(opened.problem(), None, "a probe is an answer");
        says_nothing_for(FRESH);
        opened.is_good();
        assert_eq!(opened.problem(), None, "and so is a group");
        drop(opened);
        remove_dir_all(&folder).expect("it is ours");
    }
}
