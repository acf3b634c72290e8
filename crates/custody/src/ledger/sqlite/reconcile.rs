//! What is done when store and side log no longer agree: a new ledger is made of everything that anybody knows, and the old
//! files stay as evidence.
#![forbid(unsafe_code)]

use super::database::SqliteDatabase;
use super::open::{create_called, open_unfinished};
use crate::ledger::durable::evidence::{Union, named, set_aside};
use crate::ledger::durable::open::{random_id, shortened, stop};
use crate::ledger::durable::place::{Files, Lock, check_modes, failed, reconciling};
use crate::ledger::durable::verbs::act_with_keys;
use crate::ledger::durable::{LedgerOptions, Reconcile, Reconciled};
use crate::ledger::log::read;
use crate::ledger::record::Record;
use crate::ledger::refused::LedgerError;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;

/// See [`crate::ledger::Ledger::reconcile`].
pub(in crate::ledger) fn reconcile(
    options: &LedgerOptions,
    what: &Reconcile,
) -> Result<Reconciled, LedgerError> {
    let folder = &options.folder;
    check_modes(folder)?;
    let lock = Lock::take(folder)?;
    let (mut union, mut settings) = (Union::default(), what.settings);
    let (mut folders, mut replaced) = (BTreeSet::from([folder.clone()]), BTreeSet::new());
    let stores = named(folder, "ledger.sqlite3")?;
    for path in stores.iter().filter(|path| !path.to_string_lossy().ends_with("-wal")) {
        // One that cannot be read says nothing; the side log does.
        let Ok(store) = SqliteDatabase::open(path) else { continue };
        let (Ok(row), Ok(accounts)) = (store.ledger(), store.accounts()) else { continue };
        settings = row.settings;
        replaced.insert(row.ledger_id);
        folders.insert(Files::new(folder, &options.witness, &row.ledger_id).witness);
        union.unite(&accounts)?;
        union.public_keys.extend(store.public_keys()?);
    }
    let mut logs = Vec::new();
    for folder in folders.iter().filter(|folder| folder.exists()) {
        logs.extend(named(folder, "witness-")?);
    }
    for path in &logs {
        let bytes = fs::read(path).map_err(|error| failed("read", path, &error))?;
        replaced.extend(read(&bytes).header.map(|header| header.ledger_id));
        union.unite_log(&bytes)?;
    }
    for evidence in &what.with {
        union.unite_evidence(evidence)?;
    }
    let ledger_id = random_id()?;
    let mark = reconciling(folder);
    let marked = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&mark);
    // On the disk before anything is set aside, with its name: half a reconciliation must not look like a new ledger.
    let flushed = marked.and_then(|file| file.sync_all()).and_then(|()| File::open(folder)?.sync_all());
    flushed.map_err(|error| failed("write", &mark, &error))?;
    for path in stores.iter().chain(&logs) {
        set_aside(path)?;
    }
    drop(lock);
    create_called(options, settings, ledger_id)?;
    let mut core = open_unfinished(options)?;
    let after_clock = core.now().map_or(0, |now| now.saturating_add(settings.bounds.ahead).saturating_add(2));
    let mut records = union.records(after_clock.max(what.epoch.unwrap_or(0)));
    records.push(Record::Operator {
        action: "reconcile".to_owned(),
        detail: shortened(&what.reason).into_bytes(),
    });
    act_with_keys(&mut core, records, &union.public_keys)?;
    stop(&core);
    drop(core);
    fs::remove_file(&mark).map_err(|error| failed("remove", &mark, &error))?;
    Ok(Reconciled { ledger_id, compromised: union.compromised.into_iter().collect(), replaced })
}
