//! The user's state folder: where the side logs of ledgers stand, away from the keys, and which ledger keeps which key.
//!
//! `$XDG_STATE_HOME/phalanx`, else `$HOME/.local/state/phalanx` (on Windows below `%LOCALAPPDATA%`), for its owner alone.
//! It is neither copied nor restored with a folder of keys, so a key folder that was is found out.

use crate::exit::Failure;
#[cfg(test)]
use crate::faults;
use crate::{files, private};
use std::env;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Its name.
const NAME: &str = "phalanx";

/// The file that is locked while something is signed, and while keys are given to ledgers.
const LOCK: &str = "lock";

/// How long to wait for other processes.
const PATIENCE: Duration = Duration::from_secs(20);

/// What to do if there is no such folder.
const HINT: &str = "used epochs are recorded there, too: set XDG_STATE_HOME to a folder of yours that stays";

/// The folder; it need not exist.
#[derive(Clone, Debug)]
pub(crate) struct StateFolder(PathBuf);

impl StateFolder {
    /// The user's.
    ///
    /// # Errors
    /// Exit code 4 if the environment does not say where.
    pub(crate) fn of_user() -> Result<Self, Failure> {
        #[cfg(test)]
        if let Some(folder) = faults::state_folder() {
            return Ok(Self(folder));
        }
        let named = |name| env::var_os(name).map(PathBuf::from).filter(|path| !path.as_os_str().is_empty());
        let found = named("XDG_STATE_HOME").or_else(|| {
            if cfg!(windows) { named("LOCALAPPDATA") } else { Some(named("HOME")?.join(".local/state")) }
        });
        match found {
            Some(folder) if folder.is_absolute() => Ok(Self(folder.join(NAME))),
            Some(folder) => Err(Failure::system(format_args!(
                "the state folder '{}' is not an absolute path",
                folder.display()
            ))
            .hint(HINT)),
            None => Err(Failure::system("there is no home for the state folder: HOME is not set").hint(HINT)),
        }
    }

    /// The folder itself.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Locks the folder against all other processes of this program; creates it if need be.
    ///
    /// # Errors
    /// Exit code 3 if it is open to others, 4 if it cannot be written.
    pub(crate) fn lock(&self) -> Result<StateLock, Failure> {
        if !self.0.is_dir() {
            files::create_folder(&self.0).map_err(|failure| failure.hint(HINT))?;
        }
        self.acquire(File::try_lock)
    }

    /// Locks the folder together with others that share it, against those that lock it alone. `None` if there is none.
    ///
    /// # Errors
    /// As [`StateFolder::lock`].
    pub(crate) fn share(&self) -> Result<Option<StateLock>, Failure> {
        if fs::symlink_metadata(&self.0).is_ok() {
            self.acquire(File::try_lock_shared).map(Some)
        } else {
            Ok(None)
        }
    }

    fn acquire(&self, try_lock: fn(&File) -> Result<(), TryLockError>) -> Result<StateLock, Failure> {
        private::check_folder(&self.0)?;
        let shown = self.0.display();
        let cannot = |error| {
            Failure::system(format_args!("cannot write in the state folder '{shown}': {error}")).hint(HINT)
        };
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let file = private::mode_of(&mut options, private::Privacy::Secret);
        let file = file.open(self.0.join(LOCK)).map_err(cannot)?;
        let begun = Instant::now();
        loop {
            match try_lock(&file) {
                Ok(()) => return Ok(StateLock { _file: file }),
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(Failure::system(format_args!(
                        "another process is using the state folder '{shown}'"
                    ))
                    .hint("try again when it has ended"));
                }
                Err(TryLockError::Error(error)) => return Err(cannot(error)),
            }
        }
    }

    /// Checks that the folder, if there is one, is its owner's alone.
    ///
    /// # Errors
    /// Exit code 3 if it is not.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if fs::symlink_metadata(&self.0).is_ok() { private::check_folder(&self.0) } else { Ok(()) }
    }
}

/// The lock, until dropped.
pub(crate) struct StateLock {
    _file: File,
}
