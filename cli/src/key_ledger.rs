//! Ledgers of used epochs: how the command line opens them, and what their refusals become.
//!
//! A key's own ledger is the folder `<secret key>.ledger`: a store, and a side log that stands in the user's state folder,
//! so that a store that was copied or restored is found out.

use crate::exit::Failure;
use crate::state::StateFolder;
use phalanx_custody::ledger::rules::Bounds;
use phalanx_custody::ledger::sqlite::{LedgerOptions, NewLedger, SqliteLedger, WitnessFolder};
use phalanx_custody::ledger::{LedgerError, Problem, Refused};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for another process that has the ledger open.
const PATIENCE: Duration = Duration::from_secs(20);

/// File systems that are refused unless they are named.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct FileSystemArgs {
    /// A file system on which a ledger may be although its flushes and locks are not the disk's
    #[arg(long, value_name = "TYPE", value_parser = ["9p", "afs", "ceph", "fuse", "overlay"])]
    allow_file_system: Vec<String>,
}

/// The ledger of the secret key in `secret_key`.
pub(crate) fn folder_of(secret_key: &Path) -> PathBuf {
    let mut name = OsString::from(secret_key.as_os_str());
    name.push(".ledger");
    PathBuf::from(name)
}

/// How the ledger in `folder` is opened.
///
/// # Errors
/// Exit code 4 if there is no state folder.
pub(crate) fn options(folder: &Path, file_systems: &FileSystemArgs) -> Result<LedgerOptions, Failure> {
    let state = StateFolder::of_user()?;
    state.check()?;
    let options = LedgerOptions::new(folder).witness(WitnessFolder::NamedIn(state.path().to_owned()));
    let allowed = file_systems.allow_file_system.iter();
    Ok(allowed.fold(options, |options, name| options.allow_file_system(name)))
}

/// The settings of a ledger of the command line: it has no clock, and keys may be used as sparsely as their user likes.
pub(crate) fn without_clock() -> NewLedger {
    let bounds = Bounds { max_gap: u64::from(u32::MAX) + 1, ..Bounds::default() };
    NewLedger { bounds, ..NewLedger::default() }
}

/// Opens a ledger, after waiting for another process that has it open.
///
/// # Errors
/// See [`failure`].
pub(crate) fn open(options: &LedgerOptions) -> Result<SqliteLedger, Failure> {
    let begun = Instant::now();
    loop {
        match SqliteLedger::open(options) {
            Err(error) if error.problem() == Problem::InUse && begun.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            other => return other.map_err(|error| failure(&error)),
        }
    }
}

/// What a problem of a ledger becomes: exit code 2 for files that are not what they should be, 4 where the system or the
/// files of the ledger fail, 3 for all that is refused.
pub(crate) fn failure(error: &LedgerError) -> Failure {
    use Problem as P;
    let text = format!("ledger: {error} ({})", error.code());
    match error.problem() {
        P::Malformed | P::UnsupportedVersion | P::Exists => Failure::usage(text),
        P::InUse => Failure::system(text).hint("try again when the other process has ended"),
        P::Storage | P::Unavailable | P::StoreNotDurable | P::StoreVersion => Failure::system(text),
        P::Moved => Failure::refused(text).hint("'phalanx ledger accept-move' answers for it"),
        P::StoreDamaged
        | P::StoreDisagrees
        | P::StoreOlder
        | P::WitnessOlder
        | P::WitnessDiffers
        | P::WitnessDamaged
        | P::WitnessInconsistent
        | P::WitnessMissing
        | P::ForeignWitness => {
            Failure::system(text).hint("'phalanx ledger reconcile' makes a new ledger of all that is known")
        }
        P::NetworkFileSystem => Failure::refused(text).hint("--allow-file-system allows some types"),
        _ => Failure::refused(text),
    }
}

/// What the refusal of a position becomes.
pub(crate) fn refusal(refused: Refused) -> Failure {
    let text = format!("{refused} ({})", refused.code());
    match refused {
        Refused::Timeout | Refused::Poisoned => Failure::system(text),
        Refused::Quarantined => Failure::refused(text).hint("'phalanx ledger adopt' answers for it"),
        _ => Failure::refused(text),
    }
}
