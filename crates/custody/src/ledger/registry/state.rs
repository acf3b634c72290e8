//! The user's state folder: where the side logs of ledgers stand, away from the keys, and which ledger keeps which key.
//!
//! `$XDG_STATE_HOME/phalanx`, else `$HOME/.local/state/phalanx`, for its owner alone. It is neither copied nor restored
//! with a folder of keys, so a key folder that was is found out.
#![forbid(unsafe_code)]

use crate::hexadecimal;
use crate::ledger::durable::place::{Lock, failed, make_folder, state_folder};
use crate::ledger::refused::{LedgerError, Problem};
use std::fs::{self, File, Metadata, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The file that is locked while something is signed, and while keys are given to ledgers.
const LOCK: &str = "lock";

/// How long to wait for other processes.
const PATIENCE: Duration = Duration::from_secs(20);

/// How a file is locked.
pub(super) type TryLock = fn(&File) -> Result<(), TryLockError>;

/// The folder; it need not exist.
#[derive(Clone, Debug)]
pub struct StateFolder(PathBuf);

impl StateFolder {
    /// The folder at `path`.
    #[must_use]
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The user's.
    ///
    /// # Errors
    /// [`Problem::Storage`] if the environment does not say where.
    pub fn of_user() -> Result<Self, LedgerError> {
        state_folder().map(Self)
    }

    /// The folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Checks that the folder, if there is one, is its owner's alone.
    ///
    /// # Errors
    /// [`Problem::InsecureFiles`] if it is not.
    pub fn check(&self) -> Result<(), LedgerError> {
        if fs::symlink_metadata(&self.0).is_err() {
            return Ok(());
        }
        let metadata = fs::metadata(&self.0).map_err(|error| failed("look at", &self.0, &error))?;
        if !metadata.is_dir() {
            let text = format!("'{}' is not a folder", self.0.display());
            return Err(LedgerError::new(Problem::Storage, text));
        }
        check_owner(&self.0, &metadata)
    }

    /// Makes the folder, if there is none.
    pub(super) fn make(&self) -> Result<(), LedgerError> {
        if self.0.is_dir() { Ok(()) } else { make_folder(&self.0) }
    }

    /// Locks the folder against all other processes of this program; makes it if need be.
    pub(super) fn lock(&self) -> Result<Lock, LedgerError> {
        self.make()?;
        self.acquire(File::try_lock)
    }

    /// Locks the folder together with others that share it, against those that lock it alone. `None` if there is none.
    pub(super) fn share(&self) -> Result<Option<Lock>, LedgerError> {
        if fs::symlink_metadata(&self.0).is_err() {
            return Ok(None);
        }
        self.acquire(File::try_lock_shared).map(Some)
    }

    fn acquire(&self, try_lock: TryLock) -> Result<Lock, LedgerError> {
        self.check()?;
        let begun = Instant::now();
        loop {
            if let Some(lock) = Lock::try_on(&self.0.join(LOCK), try_lock)? {
                return Ok(lock);
            }
            if begun.elapsed() >= PATIENCE {
                let text = format!("another process is using the state folder '{}'", self.0.display());
                return Err(LedgerError::new(Problem::Storage, text));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The file that is locked while a process that lasts has the ledger open.
    pub(super) fn claim_of(&self, ledger: &[u8; 16]) -> PathBuf {
        self.0.join(format!("{}.open", hexadecimal::text(ledger)))
    }
}

/// Refuses what others may use, or what belongs to somebody else; what is root's is everybody's.
pub(super) fn check_owner(path: &Path, metadata: &Metadata) -> Result<(), LedgerError> {
    let insecure = |what: &str| {
        Err(LedgerError::new(Problem::InsecureFiles, format_args!("'{}' {what}", path.display())))
    };
    let (owner, me) = (metadata.uid(), rustix::process::geteuid().as_raw());
    if owner != me && owner != 0 {
        return insecure("belongs to another user");
    }
    if metadata.mode() & 0o077 != 0 {
        return insecure("may be used by others than its owner");
    }
    Ok(())
}
