//! The ledger that a key is registered with before it is written.

use crate::exit::Failure;
use crate::key_ledger::{self, FileSystemArgs};
use phalanx_custody::identity::{KeyId, OneTimeKeyId};
use phalanx_custody::keystore::{IndexMode, Role, Scheme};
use phalanx_custody::ledger::durable::NewLedger;
use phalanx_custody::ledger::record::{KeyInstance, Mode, Ordering};
use phalanx_custody::ledger::registry::{Keeper, Registry};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, InitialState, Problem};
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
    #[command(flatten)]
    pub(super) file_systems: FileSystemArgs,
}

impl LedgerArgs {
    /// Opens it, for this process alone.
    pub(super) fn open(&self) -> Result<SqliteLedger, Failure> {
        let options = key_ledger::options(&self.ledger, &self.file_systems)?;
        match key_ledger::open(&options) {
            Err(error) if error.problem() == Problem::NoLedger && self.new_ledger => {
                SqliteLedger::create(&options, NewLedger::default())?;
                Ok(key_ledger::open(&options)?)
            }
            Err(error) if error.problem() == Problem::NoLedger => Err(Failure::from(error)
                .hint("--new-ledger makes one, for keys that have never signed elsewhere")),
            other => Ok(other?),
        }
    }
}

/// What the ledger is told of the past of a key.
#[derive(Clone, Copy)]
pub(super) enum Past {
    /// It has just been made.
    None,
    /// It has signed nothing from this epoch on, says the operator.
    Accepted(u64),
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

    /// Refuses, before anything is computed, a key whose one-time keys the ledger or the registry knows as another's, and
    /// a new one that is known. Says whether the ledger keeps exactly this key.
    pub(super) fn consult(
        &self,
        registry: &Registry,
        ledger: &SqliteLedger,
        past: Past,
    ) -> Result<bool, Failure> {
        let known = ledger.keys()?;
        let mine = self.instance();
        let shares = |other: &KeyInstance| {
            other.key_id == mine.key_id
                || (other.one_time_key_id.is_some() && other.one_time_key_id == mine.one_time_key_id)
        };
        let other = known.iter().map(|key| &key.standing.instance).find(|&other| shares(other));
        if let Some(other) = other
            && (other.key_id, &other.scheme, other.start, other.end)
                != (mine.key_id, &mine.scheme, mine.start, mine.end)
        {
            return Err(Failure::refused(format_args!(
                "the ledger has a key with the same one-time keys: {} for epochs {}..{} (same_one_time_keys)",
                other.scheme, other.start, other.end
            ))
            .hint("one seed makes one key, for ever: take another seed"));
        }
        let keeper = registry.keeper_of(&mine)?;
        if keeper == Keeper::Ledger(ledger.ledger_id()) {
            return Ok(other.is_some());
        }
        registry.check_free(&mine.key_id)?;
        let first = registry.first_unused(&mine.key_id)?;
        match (past, first) {
            (Past::None, None) if keeper == Keeper::Nobody => Ok(false),
            (Past::None, _) => {
                Err(Failure::refused("this key is not new: a ledger of its used epochs is here")
                    .hint("'phalanx key import' takes it, with the first epoch that it has not signed"))
            }
            (Past::Accepted(from), Some(first)) if from < first => Err(key_ledger::too_low(from, first)),
            (Past::Accepted(_), _) => Ok(false),
        }
    }

    /// Gives the key to the ledger and registers it there, durably.
    pub(super) fn register(
        &self,
        registry: &Registry,
        ledger: &SqliteLedger,
        public_key: &[u8],
        past: Past,
    ) -> Result<(), Failure> {
        let instance = self.instance();
        registry.give(&instance, &ledger.ledger_id())?;
        let state = match past {
            Past::None => InitialState::New,
            Past::Accepted(low) => {
                let reason = format!("imported into a keystore, from epoch {low} on");
                InitialState::Adopt { low, reason }
            }
        };
        Ok(ledger.register(&instance, public_key, state)?)
    }
}
