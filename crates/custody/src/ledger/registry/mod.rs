//! Which ledger keeps which key: one file for every identity, in the state folder.
//!
//! A ledger says what its keys have signed; here stands that it is the one ledger by which a key signs. The files are
//! found by the names of the one-time keys, so a second key of the same seed meets them, wherever it stands, and so does a
//! ledger that another one has replaced.
//!
//! ```text
//! phalanx-key v1 <parameter set> <first epoch> <end> <one-time key id or -> <ledger id>
//! ```
//!
//! A process that signs once shares the lock of the folder until it is done. One that lasts has a [`Claim`]: while it
//! does, no key of its ledger is given to another.
#![forbid(unsafe_code)]

mod claim;
mod state;

pub use claim::{Claim, kept_by};
pub use state::StateFolder;

use super::accounts::Accounts;
use super::durable::Ledger;
use super::durable::disk::create_whole;
use super::durable::place::{Lock, failed};
use super::log;
use super::record::{KeyInstance, KeyState};
use super::refused::{LedgerError, Problem};
use super::request::EpochLedger;
use crate::hexadecimal;
use crate::identity::KeyId;
use state::check_owner;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What every file begins with.
const MAGIC: &str = "phalanx-key v1 ";

/// How their names end.
const EXTENSION: &str = "key";

/// Who keeps the used epochs of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeper {
    /// Nobody here has heard of the key.
    Nobody,
    /// The ledger of this name.
    Ledger([u8; 16]),
    /// The file cannot be read.
    Unreadable,
}

/// What a file says of its key, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyFile {
    /// The parameter set.
    pub scheme: String,
    /// The first epoch.
    pub start: u64,
    /// The first epoch after the last.
    pub end: u64,
    /// The ledger that keeps it.
    pub ledger_id: [u8; 16],
}

impl KeyFile {
    /// What `bytes` say, if they are such a file's.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let Known { scheme, start, end, ledger_id, .. } = Known::parse(std::str::from_utf8(bytes).ok()?)?;
        Some(Self { scheme, start, end, ledger_id })
    }
}

/// The files, locked: nobody gives a key to another ledger meanwhile.
pub struct Registry {
    state: StateFolder,
    step: fn(),
    is_alone: bool,
    /// Where side logs are besides the state folder.
    witnesses: Vec<PathBuf>,
    _lock: Option<Lock>,
}

impl Registry {
    /// For a process that gives keys to ledgers. No other one signs meanwhile, unless it has a [`Claim`]. Makes the folder
    /// if need be, and waits up to 20 seconds for others.
    ///
    /// # Errors
    /// [`Problem::InsecureFiles`] if the folder is open to others, [`Problem::Storage`] if it cannot be written.
    pub fn alone(state: StateFolder) -> Result<Self, LedgerError> {
        let lock = state.lock()?;
        Ok(Self { state, step: || (), is_alone: true, witnesses: Vec::new(), _lock: Some(lock) })
    }

    /// For a process that signs, and ends then.
    ///
    /// # Errors
    /// As [`Registry::alone`].
    pub fn shared(state: StateFolder) -> Result<Self, LedgerError> {
        let lock = state.share()?;
        Ok(Self { state, step: || (), is_alone: false, witnesses: Vec::new(), _lock: lock })
    }

    /// Calls `step` before and after each write: a test ends the process there.
    #[doc(hidden)]
    #[must_use]
    pub fn stepping(self, step: fn()) -> Self {
        Self { step, ..self }
    }

    /// Looks for side logs in the folders of this one, too: where ledgers have them that are told to have them elsewhere.
    #[must_use]
    pub fn with_witnesses(mut self, folder: impl Into<PathBuf>) -> Self {
        self.witnesses.push(folder.into());
        self
    }

    /// Who keeps the used epochs of `key`.
    ///
    /// # Errors
    /// [`Problem::SameOneTimeKeys`] if another key with the same one-time keys is known: of the same seed in another
    /// parameter set or for other epochs, or of the same secret with another parameter; [`Problem::Storage`] if the folder
    /// cannot be read.
    pub fn keeper_of(&self, key: &KeyInstance) -> Result<Keeper, LedgerError> {
        keeper_of(&self.state, key)
    }

    /// `Ok` if `key` can be given to a ledger: no process that lasts has the one open that keeps it.
    ///
    /// # Errors
    /// [`Problem::InUse`] if one has.
    pub fn check_free(&self, key: &KeyId) -> Result<(), LedgerError> {
        let Some(known) = read(&path_of(&self.state, key)) else { return Ok(()) };
        let claim = self.state.claim_of(&known.ledger_id);
        if claim.symlink_metadata().is_err() {
            return Ok(());
        }
        // Nobody takes it up again meanwhile: for that, too, the registry must be free.
        if Lock::try_on(&claim, File::try_lock)?.is_some() {
            return Ok(());
        }
        let id = hexadecimal::text(&known.ledger_id);
        let text = format!("a running service signs with the key {key} through the ledger {id}");
        Err(LedgerError::new(Problem::InUse, text))
    }

    /// Says, durably, that `ledger` keeps the used epochs of `key` from now on.
    ///
    /// # Errors
    /// As [`Registry::check_free`]; [`Problem::Storage`] if the system fails.
    ///
    /// # Panics
    /// If the registry was locked together with others.
    pub fn give(&self, key: &KeyInstance, ledger: &[u8; 16]) -> Result<(), LedgerError> {
        assert!(self.is_alone, "keys are given to ledgers while nobody signs");
        self.check_free(&key.key_id)?;
        let KeyInstance { key_id, scheme, start, end, .. } = key;
        let ledger = hexadecimal::text(ledger);
        let text = format!("{MAGIC}{scheme} {start} {end} {} {ledger}\n", one_time_keys(key));
        let path = path_of(&self.state, key_id);
        (self.step)();
        create_whole(&path, text.as_bytes()).map_err(|error| failed("write", &path, &error))?;
        (self.step)();
        Ok(())
    }

    /// Gives a key that nobody here has heard of to `ledger`, which several hosts share and where one of them has registered
    /// it. Another process may have been faster.
    ///
    /// # Errors
    /// As [`Registry::give`] and [`Claim::check`].
    pub fn give_unless_kept(&self, key: &KeyInstance, ledger: &[u8; 16]) -> Result<(), LedgerError> {
        match self.keeper_of(key)? {
            Keeper::Nobody => self.give(key, ledger),
            keeper => claim::check_kept(keeper, ledger),
        }
    }

    /// Gives the active keys of `ledger` to it, after they came in from elsewhere, or it was made of what is left of
    /// another. Of a key that another ledger keeps `takes` says whether it is taken from that, by the names of both; then
    /// nothing is signed below what any side log here knows. Answers the keys that stay where they are.
    ///
    /// # Errors
    /// As [`Registry::keeper_of`] and [`Registry::give`]; and of the ledger.
    pub fn give_all(
        &self,
        ledger: &Ledger,
        takes: impl Fn(&KeyId, &[u8; 16]) -> bool,
    ) -> Result<Vec<KeyId>, LedgerError> {
        let (id, mut left) = (ledger.ledger_id(), Vec::new());
        for known in ledger.keys()? {
            let standing = known.standing;
            let key = &standing.instance;
            let keeper = self.keeper_of(key)?;
            if standing.state != KeyState::Active || keeper == Keeper::Ledger(id) {
                continue;
            }
            if let Keeper::Ledger(other) = keeper
                && !takes(&key.key_id, &other)
            {
                left.push(key.key_id);
                continue;
            }
            self.check_free(&key.key_id)?;
            let first = self.first_unused(&key.key_id)?.unwrap_or(0);
            if keeper != Keeper::Nobody && first > standing.low {
                ledger.raise_low(&key.key_id, first, "another ledger here has kept the key")?;
            }
            self.give(key, &id)?;
        }
        Ok(left)
    }

    /// The first epoch after everything that any side log in the state folder knows of a key; `None` if none knows it.
    ///
    /// # Errors
    /// [`Problem::Storage`] if the folder cannot be read.
    pub fn first_unused(&self, key: &KeyId) -> Result<Option<u64>, LedgerError> {
        let cannot = |error| cannot_read(&self.state, &error);
        let mut first = None;
        for path in self.side_logs().map_err(cannot)? {
            let bytes = fs::read(&path).map_err(cannot)?;
            if std::str::from_utf8(&bytes).is_ok_and(|text| !text.contains(&key.to_string())) {
                continue;
            }
            let mut accounts = Accounts::default();
            for record in log::read(&bytes).groups.iter().flat_map(|group| &group.records) {
                // Of a log that contradicts itself counts what can be read.
                let _ = accounts.apply(record);
            }
            let account = accounts.get(key);
            first = first.max(account.map(|account| {
                account.low.max(account.highest.map_or(0, |highest| highest.saturating_add(1)))
            }));
        }
        Ok(first)
    }

    /// Every side log, also those that were set aside.
    fn side_logs(&self) -> io::Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        let others = self.witnesses.iter().map(|folder| &**folder).filter(|folder| folder.is_dir());
        let mut folders = Vec::new();
        for folder in others.chain([self.state.path()]) {
            folders.extend(fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?);
        }
        for folder in folders.iter().map(fs::DirEntry::path) {
            if !folder.is_dir() {
                continue;
            }
            for file in fs::read_dir(folder)? {
                let file = file?.path();
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if name.starts_with("witness-") && file.is_file() {
                    found.push(file);
                }
            }
        }
        Ok(found)
    }

    /// Whether the side log of a ledger stands here.
    #[must_use]
    pub fn has_side_log(&self, ledger: &[u8; 16]) -> bool {
        let name = hexadecimal::text(ledger);
        let others = self.witnesses.iter().map(|folder| &**folder);
        others.chain([self.state.path()]).any(|folder| folder.join(&name).is_dir())
    }
}

fn path_of(state: &StateFolder, key: &KeyId) -> PathBuf {
    state.path().join(format!("{key}.{EXTENSION}"))
}

fn cannot_read(state: &StateFolder, error: &io::Error) -> LedgerError {
    failed("read the state folder", state.path(), error)
}

fn keeper_of(state: &StateFolder, key: &KeyInstance) -> Result<Keeper, LedgerError> {
    let own = path_of(state, &key.key_id);
    let one_time_keys = one_time_keys(key);
    let entries = match fs::read_dir(state.path()) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Keeper::Nobody),
        other => other.map_err(|error| cannot_read(state, &error))?,
    };
    let mut keeper = Keeper::Nobody;
    for entry in entries {
        let path = entry.map_err(|error| cannot_read(state, &error))?.path();
        if path.extension().is_none_or(|extension| extension != EXTENSION) {
            continue;
        }
        let is_own = path == own;
        match read(&path) {
            Some(known) if is_own || known.shares(&one_time_keys) => {
                if !is_own || !known.is(key, &one_time_keys) {
                    return Err(known.taken());
                }
                check_file(&path)?;
                keeper = Keeper::Ledger(known.ledger_id);
            }
            // What cannot be read counts where it is the key's own, and is nobody's otherwise.
            None if is_own => {
                check_file(&path)?;
                keeper = Keeper::Unreadable;
            }
            _ => {}
        }
    }
    Ok(keeper)
}

fn one_time_keys(key: &KeyInstance) -> String {
    key.one_time_key_id.map_or_else(|| "-".to_owned(), |id| id.to_string())
}

/// What a file says.
struct Known {
    scheme: String,
    start: u64,
    end: u64,
    one_time_keys: String,
    ledger_id: [u8; 16],
}

impl Known {
    fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.strip_prefix(MAGIC)?.strip_suffix('\n')?.split(' ').collect();
        let [scheme, start, end, one_time_keys, ledger] = words[..] else { return None };
        let ledger_id = hexadecimal::array(ledger)?;
        let (scheme, one_time_keys) = (scheme.to_owned(), one_time_keys.to_owned());
        Some(Self { scheme, start: start.parse().ok()?, end: end.parse().ok()?, one_time_keys, ledger_id })
    }

    fn shares(&self, one_time_keys: &str) -> bool {
        one_time_keys != "-" && self.one_time_keys == one_time_keys
    }

    fn is(&self, key: &KeyInstance, one_time_keys: &str) -> bool {
        (&self.scheme, self.start, self.end) == (&key.scheme, key.start, key.end)
            && [one_time_keys, "-"].contains(&&self.one_time_keys[..])
    }

    fn taken(&self) -> LedgerError {
        let Self { scheme, start, end, .. } = self;
        let text =
            format!("another key with the same one-time keys is known: {scheme} for epochs {start}..{end}");
        LedgerError::new(Problem::SameOneTimeKeys, text)
    }
}

/// Reads a file; `None` if it says nothing.
fn read(path: &Path) -> Option<Known> {
    Known::parse(std::str::from_utf8(&fs::read(path).ok()?).ok()?)
}

/// Refuses a file that is not its owner's alone, under one name.
fn check_file(path: &Path) -> Result<(), LedgerError> {
    let metadata = fs::symlink_metadata(path).map_err(|error| failed("look at", path, &error))?;
    if !metadata.is_file() || metadata.nlink() != 1 {
        let text = format!("'{}' is no regular file with one name", path.display());
        return Err(LedgerError::new(Problem::InsecureFiles, text));
    }
    check_owner(path, &metadata)
}
