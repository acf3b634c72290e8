//! Making a ledger whose store is in SQLite, and finding the one that is there.
#![forbid(unsafe_code)]

use super::database::SqliteDatabase;
use crate::ledger::durable::core::Core;
use crate::ledger::durable::disk::Mark;
use crate::ledger::durable::open::{Also, Opened, open_store, random_id};
use crate::ledger::durable::place::{
    Files, Lock, check_file_system, check_modes, failed, make_folder, reconciling, store as store_path,
};
use crate::ledger::durable::store::LedgerRow;
use crate::ledger::durable::{LedgerOptions, NewLedger};
use crate::ledger::log::Header;
use crate::ledger::refused::{LedgerError, Problem};
use crate::ledger::startup::StoreRow;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;

/// Makes the files of a ledger; its side log is begun by the first opening.
pub(in crate::ledger) fn create(options: &LedgerOptions, settings: NewLedger) -> Result<(), LedgerError> {
    create_called(options, settings, random_id()?)
}

/// The same, with a given name.
pub(super) fn create_called(
    options: &LedgerOptions,
    settings: NewLedger,
    ledger_id: [u8; 16],
) -> Result<(), LedgerError> {
    make_folder(&options.folder)?;
    check_modes(&options.folder)?;
    check_file_system(&options.folder, &options.file_systems)?;
    let _lock = Lock::take(&options.folder)?;
    let path = store_path(&options.folder);
    if path.exists() {
        let text = format!("{} has a ledger already", options.folder.display());
        return Err(LedgerError::new(Problem::Exists, text));
    }
    let files = Files::new(&options.folder, &options.witness, &ledger_id);
    let occupied = (1..).map(|n| files.segment(n)).take_while(|segment| segment.exists()).last();
    if let Some(segment) = occupied {
        let text = format!("{} is the side log of a store that is not here", segment.display());
        return Err(LedgerError::new(Problem::Exists, text));
    }
    make_folder(&files.witness)?;
    let witness_id = random_id()?;
    let (_, chain) = Header { ledger_id, witness_id, segment: 1, previous: [0; 32] }.line();
    let witness =
        StoreRow { ledger_id, witness_id, group: 0, chain, previous: [0; 32], last_lines: Vec::new() };
    let temporary = options.folder.join("ledger.new");
    let _ = (fs::remove_file(&temporary), fs::remove_file(options.folder.join("ledger.new-journal")));
    // Its owner's alone from the first moment: what a killed process leaves must not look insecure to the next.
    let private = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary);
    private.map_err(|error| failed("make", &temporary, &error))?;
    let made =
        SqliteDatabase::create(&temporary, &LedgerRow { ledger_id, settings, incarnation: 0 }, &witness);
    made.map_err(|error| LedgerError::new(Problem::Storage, format_args!("cannot make the store: {error}")))?;
    let settle = || {
        fs::set_permissions(&temporary, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        File::open(&temporary)?.sync_all()?;
        fs::rename(&temporary, &path)?;
        File::open(&options.folder)?.sync_all()
    };
    settle().map_err(|error| failed("make", &path, &error))
}

/// The name that the store has.
pub(in crate::ledger) fn name_of(options: &LedgerOptions) -> Result<[u8; 16], LedgerError> {
    let path = store_path(&options.folder);
    if !path.exists() {
        let text = format!("there is no ledger in {}", options.folder.display());
        return Err(LedgerError::new(Problem::NoLedger, text));
    }
    check_modes(&options.folder)?;
    let _lock = Lock::take(&options.folder)?;
    Ok(SqliteDatabase::open(&path)?.ledger()?.ledger_id)
}

/// Opens a ledger: the checks in their order, then a line that says that a process has started.
pub(in crate::ledger) fn open(options: &LedgerOptions) -> Result<Core, LedgerError> {
    if reconciling(&options.folder).exists() {
        let text = "a reconciliation of this ledger was begun and not finished: begin it again";
        return Err(LedgerError::new(Problem::StoreDisagrees, text));
    }
    open_unfinished(options)
}

/// The same, in the middle of a reconciliation.
pub(super) fn open_unfinished(options: &LedgerOptions) -> Result<Core, LedgerError> {
    let folder = &options.folder;
    let path = store_path(folder);
    if !path.exists() {
        let text = format!("there is no ledger in {}", folder.display());
        return Err(LedgerError::new(Problem::NoLedger, text));
    }
    check_modes(folder)?;
    check_file_system(folder, &options.file_systems)?;
    let lock = Lock::take(folder)?;
    let mark = || Mark::at(&path).map_err(|error| failed("look at", &path, &error));
    let before = mark()?;
    let store = SqliteDatabase::open(&path)?;
    if mark()? != before {
        return Err(LedgerError::new(Problem::StoreDisagrees, "the store was exchanged while it was opened"));
    }
    let row = store.ledger()?;
    let files = Files::new(folder, &options.witness, &row.ledger_id);
    open_store(options, Opened { lock, store, row, files, witness_id: None, also: Also::default() })
}
