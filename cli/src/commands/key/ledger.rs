//! The ledger that a key is registered with before it is written.

use crate::exit::Failure;
use crate::state::StateFolder;
use phalanx_custody::identity::{KeyId, OneTimeKeyId};
use phalanx_custody::keystore::{IndexMode, Role, Scheme};
use phalanx_custody::ledger::record::{KeyInstance, Mode, Ordering};
use phalanx_custody::ledger::sqlite::{LedgerOptions, NewLedger, SqliteLedger, WitnessFolder};
use phalanx_custody::ledger::{EpochLedger, InitialState, LedgerError, Problem};
use std::ops::Range;
use std::path::PathBuf;

/// Which ledger.
#[derive(clap::Args)]
pub(super) struct LedgerArgs {
    /// Folder of the ledger, which records what the key signs
    #[arg(long, value_name = "DIR")]
    ledger: PathBuf,
    /// Make the ledger if there is none yet
    #[arg(long)]
    new_ledger: bool,
    /// A file system on which the ledger may be although its flushes and locks are not the disk's
    #[arg(long, value_name = "NAME", value_parser = ["9p", "afs", "ceph", "fuse", "overlay"])]
    allow_file_system: Option<String>,
}

impl LedgerArgs {
    /// Opens it, for this process alone. The side log stands in the user's state folder, which does not travel with the
    /// store: a store that was copied or restored is found out.
    pub(super) fn open(&self) -> Result<SqliteLedger, Failure> {
        let mut options = LedgerOptions::new(&self.ledger)
            .witness(WitnessFolder::NamedIn(StateFolder::of_user()?.path().to_owned()));
        if let Some(name) = &self.allow_file_system {
            options = options.allow_file_system(name);
        }
        match SqliteLedger::open(&options) {
            Err(error) if error.problem() == Problem::NoLedger && self.new_ledger => {
                SqliteLedger::create(&options, NewLedger::default())?;
                Ok(SqliteLedger::open(&options)?)
            }
            Err(error) if error.problem() == Problem::NoLedger => Err(Failure::from(error)
                .hint("--new-ledger makes one, for keys that have never signed elsewhere")),
            other => Ok(other?),
        }
    }
}

impl From<LedgerError> for Failure {
    fn from(error: LedgerError) -> Self {
        use Problem as P;
        let text = format!("ledger: {error} ({})", error.code());
        match error.problem() {
            P::Storage | P::Unavailable | P::StoreNotDurable => Self::system(text),
            P::Exists | P::Malformed | P::UnsupportedVersion => Self::usage(text),
            _ => Self::refused(text),
        }
    }
}

/// A key to be registered.
pub(super) struct Registration {
    pub(super) scheme: Scheme,
    pub(super) role: Role,
    pub(super) index_mode: IndexMode,
    /// None for Ed25519.
    pub(super) interval: Option<Range<u64>>,
    pub(super) key_id: KeyId,
    pub(super) one_time_key_id: Option<OneTimeKeyId>,
}

impl Registration {
    fn instance(&self) -> KeyInstance {
        let (mode, ordering) = match (self.scheme, self.index_mode) {
            (Scheme::Ed25519, _) => (Mode::HeightRoundStep, Ordering::Strict),
            (_, IndexMode::Synchronized) => (Mode::Synchronized, Ordering::Any),
            (_, IndexMode::Counter) => (Mode::Counter, Ordering::Any),
        };
        // Of Ed25519 any height that the ledger can hold.
        let interval = self.interval.clone().unwrap_or(0..(1 << 63) - 1);
        KeyInstance {
            key_id: self.key_id,
            scheme: self.scheme.name().to_owned(),
            role: self.role.name().to_owned(),
            mode,
            ordering,
            start: interval.start,
            end: interval.end,
            implementation: self.scheme.family().implementation().to_owned(),
            one_time_key_id: self.one_time_key_id,
        }
    }

    /// Refuses a key whose one-time keys the ledger knows as another's, before anything is computed. Says whether the
    /// ledger knows exactly this key.
    pub(super) fn consult(&self, ledger: &SqliteLedger) -> Result<bool, Failure> {
        let known = ledger.keys()?;
        let mine = self.instance();
        let shares = |other: &KeyInstance| {
            other.key_id == mine.key_id
                || (other.one_time_key_id.is_some() && other.one_time_key_id == mine.one_time_key_id)
        };
        let Some(other) = known.iter().map(|key| &key.standing.instance).find(|&other| shares(other)) else {
            return Ok(false);
        };
        let same = (other.key_id, &other.scheme, other.start, other.end)
            == (mine.key_id, &mine.scheme, mine.start, mine.end);
        if same {
            return Ok(true);
        }
        Err(Failure::refused(format_args!(
            "the ledger has a key with the same one-time keys: {} for epochs {}..{} (same_one_time_keys)",
            other.scheme, other.start, other.end
        ))
        .hint("one seed makes one key, for ever: take another seed"))
    }

    /// Registers the key, durably.
    pub(super) fn register(
        &self,
        ledger: &SqliteLedger,
        public_key: &[u8],
        state: InitialState,
    ) -> Result<(), Failure> {
        Ok(ledger.register(&self.instance(), public_key, state)?)
    }
}
