//! Where a ledger is, and how it is opened.
#![forbid(unsafe_code)]

use super::clock::system_time;
use super::place::WitnessFolder;
use super::store::NewLedger;
use crate::ledger::observer::{Observer, Watched};
use crate::ledger::refused::{LedgerError, Problem};
use phalanx_core::clock::is_unsynchronised;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How sure the ledger is of its past when it starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resume {
    /// Every synchronized key of a ledger with a clock passes over everything that can have been signed, wherever that
    /// state is now: some epochs are lost with every start.
    #[default]
    BurnForward,
    /// Nothing is lost. Refused unless the last process stopped cleanly, in this boot of this machine, and nothing has
    /// been written since.
    TrustStore,
    /// Nothing is lost, and nothing is asked: for tests that count what is signed twice.
    #[cfg(any(test, feature = "hazmat"))]
    TrustStoreUnproved,
}

impl Resume {
    /// Whether a stop leaves the proof that it was clean: where the next start may ask for it. Without a clock nothing is
    /// burnt, and nobody has to trust the store; the file would stay in memory for nothing.
    pub(super) fn leaves_proof(self, has_clock: bool) -> bool {
        match self {
            Self::BurnForward => has_clock,
            Self::TrustStore => true,
            #[cfg(any(test, feature = "hazmat"))]
            Self::TrustStoreUnproved => false,
        }
    }
}

/// An operator's answer to the refusal [`Problem::Moved`].
#[derive(Clone, Debug)]
pub struct AcceptMove {
    /// The ledger that is meant.
    pub ledger_id: [u8; 16],
    /// Nothing below this epoch is signed any more. A ledger without a clock needs it.
    pub epoch: Option<u64>,
    /// Why: it is written down.
    pub reason: String,
}

/// Where a ledger is and how it is opened.
#[derive(Clone, Debug)]
pub struct LedgerOptions {
    pub(in crate::ledger) folder: PathBuf,
    pub(in crate::ledger) witness: WitnessFolder,
    pub(in crate::ledger) file_systems: Vec<String>,
    pub(super) resume: Resume,
    pub(super) accept_move: Option<AcceptMove>,
    pub(in crate::ledger) timeout: Duration,
    allow_unsynchronised_clock: bool,
    pub(super) unix_time: fn() -> u64,
    is_unsynchronised: fn() -> Option<bool>,
    pub(super) watched: Watched,
}

impl LedgerOptions {
    /// A ledger in `folder`, with its side log beside it.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            witness: WitnessFolder::WithStore,
            file_systems: Vec::new(),
            resume: Resume::default(),
            accept_move: None,
            timeout: Duration::from_secs(2),
            allow_unsynchronised_clock: false,
            unix_time: system_time,
            is_unsynchronised,
            watched: Watched::default(),
        }
    }

    /// Where the side log is.
    #[must_use]
    pub fn witness(self, witness: WitnessFolder) -> Self {
        Self { witness, ..self }
    }

    /// A type of file system (`9p`, `afs`, `ceph`, `fuse`, `overlay`) on which the files may be although its flushes and
    /// locks are not the disk's. NFS and SMB cannot be allowed.
    #[must_use]
    pub fn allow_file_system(mut self, name: impl Into<String>) -> Self {
        self.file_systems.push(name.into());
        self
    }

    /// How sure the ledger is of its past.
    #[must_use]
    pub fn resume(self, resume: Resume) -> Self {
        Self { resume, ..self }
    }

    /// The files were moved, and the operator knows that nothing else uses them.
    #[must_use]
    pub fn accept_move(self, accept: AcceptMove) -> Self {
        Self { accept_move: Some(accept), ..self }
    }

    /// How long a caller waits for an answer: 2 seconds unless told otherwise.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Open a ledger with a clock although the kernel says that nobody keeps the clock of the machine right.
    #[must_use]
    pub fn allow_unsynchronised_clock(self) -> Self {
        Self { allow_unsynchronised_clock: true, ..self }
    }

    /// A ledger with a clock rests on it: nothing says that one is right that nobody sets.
    pub(super) fn check_clock(&self, settings: &NewLedger) -> Result<(), LedgerError> {
        let is_wrong = || (self.is_unsynchronised)() == Some(true);
        if settings.clock.is_some() && !self.allow_unsynchronised_clock && is_wrong() {
            let text =
                "the kernel says that the clock is not synchronised, and keys of this ledger follow it";
            return Err(LedgerError::new(Problem::ClockUnsynchronised, text));
        }
        Ok(())
    }

    /// Who is told what the ledger does.
    #[must_use]
    pub fn observer(self, observer: Arc<dyn Observer>) -> Self {
        Self { watched: Watched(Some(observer)), ..self }
    }

    /// Another clock, for tests, that is right unless [`Self::is_unsynchronised`] says something else.
    #[cfg(any(test, feature = "hazmat"))]
    #[must_use]
    pub fn unix_time(self, unix_time: fn() -> u64) -> Self {
        Self { unix_time, is_unsynchronised: || Some(false), ..self }
    }

    /// Whether nobody keeps the clock right, for tests.
    #[cfg(any(test, feature = "hazmat"))]
    #[must_use]
    pub fn is_unsynchronised(self, is_unsynchronised: fn() -> Option<bool>) -> Self {
        Self { is_unsynchronised, ..self }
    }
}
