//! Which ledger keeps which key: one file for every identity, in the state folder.
//!
//! The ledger beside a key says what it has signed; here stands that it is the one ledger by which the key signs. The
//! files are found by the names of the one-time keys, so a second key of the same seed meets them, wherever it stands,
//! and so does a ledger that another one has replaced.
//!
//! ```text
//! phalanx-key v1 <parameter set> <first epoch> <end> <one-time key id or -> <ledger id>
//! ```

use crate::exit::Failure;
use crate::private::{self, Privacy};
use crate::state::{StateFolder, StateLock};
use crate::temporary::Temporary;
use phalanx_custody::identity::KeyId;
use phalanx_custody::ledger::EpochLedger;
use phalanx_custody::ledger::accounts::Accounts;
use phalanx_custody::ledger::log;
use phalanx_custody::ledger::record::{KeyInstance, KeyState};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// What every file begins with.
const MAGIC: &str = "phalanx-key v1 ";

/// How their names end.
const EXTENSION: &str = "key";

/// The name of a ledger.
pub(crate) type LedgerId = [u8; 16];

/// Who keeps the used epochs of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keeper {
    /// Nobody here has heard of the key.
    Nobody,
    /// This ledger.
    Ledger(LedgerId),
    /// The file cannot be read.
    Unreadable,
}

/// The files, locked: nobody gives a key to another ledger meanwhile.
pub(crate) struct Registry {
    state: StateFolder,
    is_alone: bool,
    _lock: Option<StateLock>,
}

impl Registry {
    /// For a process that gives keys to ledgers. No other one signs meanwhile.
    ///
    /// # Errors
    /// As [`StateFolder::lock`].
    pub(crate) fn alone() -> Result<Self, Failure> {
        let state = StateFolder::of_user()?;
        let lock = state.lock()?;
        Ok(Self { state, is_alone: true, _lock: Some(lock) })
    }

    /// For a process that signs.
    ///
    /// # Errors
    /// As [`StateFolder::share`].
    pub(crate) fn shared() -> Result<Self, Failure> {
        let state = StateFolder::of_user()?;
        let lock = state.share()?;
        Ok(Self { state, is_alone: false, _lock: lock })
    }

    /// Who keeps the used epochs of `key`.
    ///
    /// # Errors
    /// Exit code 3 if another key with the same one-time keys is known: of the same seed in another parameter set or for
    /// other epochs, or of the same secret with another parameter; 4 if the folder cannot be read.
    pub(crate) fn keeper_of(&self, key: &KeyInstance) -> Result<Keeper, Failure> {
        let own = self.path_of(&key.key_id);
        let one_time_keys = one_time_keys(key);
        let entries = match fs::read_dir(self.state.path()) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Keeper::Nobody),
            other => other.map_err(|error| self.cannot_read(&error))?,
        };
        let mut keeper = Keeper::Nobody;
        for entry in entries {
            let path = entry.map_err(|error| self.cannot_read(&error))?.path();
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

    /// Says, durably, that `ledger` keeps the used epochs of `key` from now on.
    ///
    /// # Errors
    /// Exit code 4 if the system fails.
    pub(crate) fn give(&self, key: &KeyInstance, ledger: &LedgerId) -> Result<(), Failure> {
        assert!(self.is_alone, "keys are given to ledgers while nobody signs");
        let KeyInstance { key_id, scheme, start, end, .. } = key;
        let text = format!("{MAGIC}{scheme} {start} {end} {} {}\n", one_time_keys(key), hex::encode(ledger));
        let path = self.path_of(key_id);
        let placed = Temporary::create(&path, text.as_bytes(), Privacy::Secret)
            .and_then(|temporary| temporary.place(&path, true));
        placed.map_err(|error| Failure::system(format_args!("cannot write '{}': {error}", path.display())))
    }

    /// Gives every active key of `ledger` to it, after it came in from elsewhere, or was made of what is left of another.
    /// Of a key that another ledger has kept so far nothing is signed below what any side log here knows.
    ///
    /// # Errors
    /// As [`Registry::keeper_of`]; and of the ledger.
    pub(crate) fn give_all(&self, ledger: &SqliteLedger) -> Result<(), Failure> {
        let id = ledger.ledger_id();
        for known in ledger.keys()? {
            let standing = known.standing;
            let key = &standing.instance;
            let keeper = self.keeper_of(key)?;
            if standing.state != KeyState::Active || keeper == Keeper::Ledger(id) {
                continue;
            }
            let first = self.first_unused(&key.key_id)?.unwrap_or(0);
            if keeper != Keeper::Nobody && first > standing.low {
                ledger.raise_low(&key.key_id, first, "another ledger here has kept the key")?;
            }
            self.give(key, &id)?;
        }
        Ok(())
    }

    /// The first epoch after everything that any side log in the state folder knows of a key; `None` if none knows it.
    ///
    /// # Errors
    /// Exit code 4 if the folder cannot be read.
    pub(crate) fn first_unused(&self, key: &KeyId) -> Result<Option<u64>, Failure> {
        let mut first = None;
        for path in self.side_logs().map_err(|error| self.cannot_read(&error))? {
            let bytes = fs::read(&path).map_err(|error| self.cannot_read(&error))?;
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
        for folder in fs::read_dir(self.state.path())? {
            let folder = folder?.path();
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

    /// Where the side log of a ledger stands.
    pub(crate) fn has_side_log(&self, ledger: &LedgerId) -> bool {
        self.state.path().join(hex::encode(ledger)).is_dir()
    }

    fn path_of(&self, key: &KeyId) -> PathBuf {
        self.state.path().join(format!("{key}.{EXTENSION}"))
    }

    fn cannot_read(&self, error: &io::Error) -> Failure {
        Failure::system(format_args!(
            "cannot read the state folder '{}': {error}",
            self.state.path().display()
        ))
    }
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
    ledger_id: LedgerId,
}

impl Known {
    fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.strip_prefix(MAGIC)?.strip_suffix('\n')?.split(' ').collect();
        let [scheme, start, end, one_time_keys, ledger] = words[..] else { return None };
        let mut ledger_id = [0; 16];
        hex::decode_to_slice(ledger, &mut ledger_id).ok()?;
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

    fn taken(&self) -> Failure {
        let Self { scheme, start, end, .. } = self;
        Failure::refused(format_args!(
            "another key with the same one-time keys is known: {scheme} for epochs {start}..{end} (same_one_time_keys)"
        ))
        .hint("one seed makes one key: take another seed, or the same parameter set and epochs")
    }
}

/// Reads a file; `None` if it says nothing.
fn read(path: &Path) -> Option<Known> {
    Known::parse(std::str::from_utf8(&fs::read(path).ok()?).ok()?)
}

/// Refuses a file that is not its owner's alone.
fn check_file(path: &Path) -> Result<(), Failure> {
    let metadata = fs::symlink_metadata(path);
    let metadata = metadata
        .map_err(|error| Failure::system(format_args!("cannot look at '{}': {error}", path.display())))?;
    private::check(path, &metadata)
}
