//! A new key and its ledger, before the file of the key is written.
//!
//! Every step is durable before the next, and a crash between two leaves what the same command takes up: an empty ledger,
//! a registry that names it, a ledger that knows a key without a file. At no time a secret key stands without a ledger
//! unless another one keeps it.

use crate::exit::Failure;
use crate::files;
use crate::key_ledger::{self, FileSystemArgs};
use crate::output::Output;
use phalanx::xmss::any::SigningKey;
use phalanx_custody::EpochKey;
use phalanx_custody::ledger::durable::{KnownKey, LedgerOptions};
use phalanx_custody::ledger::record::KeyInstance;
use phalanx_custody::ledger::registry::Keeper;
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, InitialState, LedgerError, Problem, xmss_instance};
use std::path::Path;

/// What stands where the ledger of a new key is to be.
enum Found {
    /// Nothing, or what a killed process left of one.
    Nothing,
    /// An empty ledger, or one that knows this key.
    Own(Box<SqliteLedger>),
    /// The ledger of another key.
    Others {
        /// Whether nobody can miss it: the key has no file and has never signed.
        is_idle: bool,
    },
}

impl Found {
    /// What is there. A ledger that does not open is refused, whatever may be done with another key's: it may be this one's,
    /// and all that is left to say what it has signed.
    fn at(options: &LedgerOptions, secret_key: &Path, key: &KeyInstance) -> Result<Self, Failure> {
        let ledger = match key_ledger::open(options) {
            Err(error) if error.problem() == Problem::NoLedger => return Ok(Self::Nothing),
            other => other?,
        };
        let keys = ledger.keys()?;
        if keys.is_empty() || keys.iter().any(|known| known.standing.instance.key_id == key.key_id) {
            return Ok(Self::Own(Box::new(ledger)));
        }
        let has_signed = |known: &KnownKey| {
            known.standing.highest.is_some() || known.standing.low > known.standing.instance.start
        };
        let is_idle = secret_key.symlink_metadata().is_err() && !keys.iter().any(has_signed);
        Ok(Self::Others { is_idle })
    }
}

/// Refuses, before anything is computed, what would be refused in the end: a second key of one seed, the ledger of another
/// key in the place of this one's, a place that is not fit for a ledger.
///
/// # Errors
/// Exit code 3 for the first, 2 for the second, and as [`SqliteLedger::create`].
pub(crate) fn check(
    secret_key: &Path,
    key: &KeyInstance,
    force: bool,
    file_systems: &FileSystemArgs,
    output: &Output,
) -> Result<(), Failure> {
    let registry = key_ledger::registry(file_systems)?;
    let is_new = registry.keeper_of(key)? == Keeper::Nobody;
    files::create_folder(crate::folder::folder_of(secret_key))?;
    let options = key_ledger::options(&key_ledger::folder_of(secret_key), file_systems)?;
    make_room(&options, secret_key, key, force, output)?;
    if is_new {
        key_ledger::open_or_create(&options)?;
    }
    Ok(())
}

/// Registers a key that has just been made with the ledger beside `secret_key`. One that is known here already keeps the
/// ledger that it has, wherever that is.
///
/// # Errors
/// Exit code 3 if another key of the same seed is known, 2 if the ledger beside the file is another key's, 4 if the system
/// fails.
pub(crate) fn register(
    secret_key: &Path,
    key: &SigningKey,
    force: bool,
    file_systems: &FileSystemArgs,
    output: &Output,
) -> Result<(), Failure> {
    let registry = key_ledger::registry(file_systems)?;
    let instance = xmss_instance(key, key_ledger::NO_ROLE);
    let public_key = SigningKey::public_key(&key.verifying_key());
    let options = key_ledger::options(&key_ledger::folder_of(secret_key), file_systems)?;
    let own = make_room(&options, secret_key, &instance, force, output)?;
    let knows = |ledger: &SqliteLedger| -> Result<bool, LedgerError> {
        Ok(ledger.keys()?.iter().any(|known| known.standing.instance.key_id == instance.key_id))
    };
    let withheld = |why: &str| {
        output.note(format_args!("{why}: the file that is written now signs nothing"));
        Ok(())
    };
    match registry.keeper_of(&instance)? {
        Keeper::Nobody => {
            let ledger = own.map_or_else(|| key_ledger::open_or_create(&options), Ok)?;
            // The registry comes before the ledger, so one that knows the key has been somebody's.
            if knows(&ledger)? || registry.first_unused(&instance.key_id)?.is_some() {
                return withheld(
                    "a ledger knows this key, and the state folder does not say which one keeps it",
                );
            }
            registry.give(&instance, &ledger.ledger_id())?;
            crate::faults::point();
            ledger.register(&instance, &public_key, InitialState::New)?;
        }
        Keeper::Ledger(keeper) => match own.filter(|ledger| ledger.ledger_id() == keeper) {
            None => return withheld(&format!("the ledger {} keeps this key", hex::encode(keeper))),
            Some(ledger) if knows(&ledger)? => {
                ledger.register(&instance, &public_key, InitialState::Known)?;
                output.note("this key has a ledger here: its used epochs stay used");
            }
            // A process was killed between registry and ledger.
            Some(ledger) => ledger.register(&instance, &public_key, InitialState::New)?,
        },
        Keeper::Unreadable => return withheld("what the state folder says of this key is damaged"),
    }
    crate::faults::point();
    Ok(())
}

/// The ledger beside `secret_key`, if it is the key's or empty. That of another key is kept under another name, if `force`
/// or if nobody can miss it.
fn make_room(
    options: &LedgerOptions,
    secret_key: &Path,
    key: &KeyInstance,
    force: bool,
    output: &Output,
) -> Result<Option<SqliteLedger>, Failure> {
    let folder = key_ledger::folder_of(secret_key);
    match Found::at(options, secret_key, key)? {
        Found::Nothing => Ok(None),
        Found::Own(ledger) => Ok(Some(*ledger)),
        Found::Others { is_idle } if force || is_idle => {
            let aside = key_ledger::set_aside(&folder)?;
            output.note(format_args!("the ledger of another key is kept in '{}'", aside.display()));
            Ok(None)
        }
        Found::Others { .. } => {
            Err(Failure::usage(format_args!("'{}' is the ledger of another key", folder.display()))
                .hint("give another folder, or --force, which keeps that ledger under another name"))
        }
    }
}
