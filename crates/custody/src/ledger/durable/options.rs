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

/// An operator's answer to the refusals [`Problem::Moved`](crate::ledger::Problem::Moved) and
/// [`Problem::StoreFailedOver`](crate::ledger::Problem::StoreFailedOver).
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
    pub(in crate::ledger) unix_time: fn() -> u64,
    /// Where the store is, if it is in a database.
    pub(in crate::ledger) store: Option<String>,
    /// What this host is called there.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(dead_code, reason = "a build without databases refuses them")
    )]
    pub(in crate::ledger) host: Option<String>,
    #[cfg_attr(
        not(feature = "postgres"),
        expect(dead_code, reason = "a build without databases refuses them")
    )]
    pub(in crate::ledger) lease: Duration,
    #[cfg_attr(
        not(feature = "postgres"),
        expect(dead_code, reason = "a build without databases refuses them")
    )]
    pub(in crate::ledger) accept_failover: Option<AcceptMove>,
    allow_unsynchronised_clock: bool,
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
            store: None,
            host: None,
            lease: Duration::from_secs(10),
            accept_failover: None,
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

    /// The store is in PostgreSQL (feature `postgres`), for several hosts, and the folder has what is left of the files of a
    /// ledger: its lock, and a file that says where the store is, so that an opening need not.
    ///
    /// `url` is `postgres://USER@HOST/DATABASE`, or `postgres:///DATABASE?host=FOLDER&user=USER` with the folder of a local
    /// socket. Its parameters are those of PostgreSQL's own programs: `sslrootcert`, the file with the certificates of those
    /// who vouch for the server, without which only local sockets are connected to; `sslcert` and `sslkey`, this host's own;
    /// `passfile`, the file with passwords, which the environment variable PGPASSFILE names, too. A password in the address
    /// is refused.
    #[must_use]
    pub fn store(self, url: impl Into<String>) -> Self {
        Self { store: Some(url.into()), ..self }
    }

    /// What this host is called among those of a ledger in a database, for who makes the ledger or joins it.
    #[must_use]
    pub fn host(self, name: impl Into<String>) -> Self {
        Self { host: Some(name.into()), ..self }
    }

    /// For how long a signer holds the lease of a database without renewing it, 10 seconds unless told otherwise and at least
    /// one: another host can follow so long after it was last heard of.
    #[must_use]
    pub fn lease(self, ttl: Duration) -> Self {
        Self { lease: ttl.max(Duration::from_secs(1)), ..self }
    }

    /// The database is another server than before, or another history of it, and the operator knows that it has lost nothing.
    #[must_use]
    pub fn accept_failover(self, accept: AcceptMove) -> Self {
        Self { accept_failover: Some(accept), ..self }
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
