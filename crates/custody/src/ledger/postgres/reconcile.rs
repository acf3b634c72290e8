//! What is done when the database no longer has what a side log has: all that anybody knows goes into it, and the ledger
//! has another name, so that no host goes on that has not said what it knows.
#![forbid(unsafe_code)]

use super::{Begun, Opening, begin_open, new_side_log, open_over};
use crate::ledger::database::{Fault, Value, values};
use crate::ledger::durable::evidence::{Union, named, set_aside};
use crate::ledger::durable::open::{Also, random_id, stop};
use crate::ledger::durable::place::{Files, failed};
use crate::ledger::durable::rows::{self, Context};
use crate::ledger::durable::store::{LedgerRow, Store};
use crate::ledger::durable::{AcceptMove, Evidence, LedgerOptions, Reconcile, Reconciled};
use crate::ledger::layout::Names;
use crate::ledger::log::read;
use crate::ledger::record::Record;
use crate::ledger::refused::{LedgerError, Problem};
use crate::ledger::startup::StoreRow;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// What the host of a side log is called that has been taken in: its name, this, and the beginning of the log's name.
pub(super) const TAKEN_IN: &str = ".old-";

/// See [`crate::ledger::Ledger::reconcile`]. Another host that comes after the first brings what it knows into the ledger
/// that was made then.
pub(in crate::ledger) fn reconcile(
    options: &LedgerOptions,
    what: &Reconcile,
) -> Result<Reconciled, LedgerError> {
    let Begun { lock, names, database } = begin_open(options)?;
    let server = database.server();
    let store = Store { db: Box::new(database) };
    let row = store.ledger_if_any()?;
    let is_made = row.as_ref().is_some_and(|row| row.ledger_id != names.ledger_id);
    let settings = row.as_ref().map_or(what.settings, |row| row.settings);
    let have = store.accounts()?;
    let mut union = Union::default();
    union.unite(&have)?;
    union.public_keys.extend(store.public_keys()?);
    let (logs, mut seen) = (own_logs(options, &names)?, BTreeSet::new());
    let mut replaced = BTreeSet::from([names.ledger_id]);
    for path in &logs {
        let bytes = fs::read(path).map_err(|error| failed("read", path, &error))?;
        replaced.extend(read(&bytes).header.map(|header| header.ledger_id));
        take_in(&mut union, &mut seen, &bytes)?;
    }
    for evidence in &what.with {
        match evidence {
            Evidence::Log(bytes) => take_in(&mut union, &mut seen, bytes)?,
            _ => union.unite_evidence(evidence)?,
        }
    }
    let hosts = hosts(&store)?;
    let old_host = hosts.iter().find(|(id, _)| *id == names.witness_id).map(|(_, host)| host.clone());
    if is_made && old_host.is_none() {
        return Err(LedgerError::new(Problem::ForeignWitness, "the side log here is another ledger's"));
    }
    let missing = hosts.iter().find(|(id, host)| !host.contains(TAKEN_IN) && !seen.contains(id));
    if let (Some((_, host)), false, None) = (missing, is_made, what.epoch) {
        let text = format_args!(
            "the side log of host {host} is not among what is known: what the database has lost of it would be open"
        );
        return Err(LedgerError::new(Problem::WitnessMissing, text));
    }
    let ledger_id = row.as_ref().filter(|_| is_made).map_or_else(random_id, |row| Ok(row.ledger_id))?;
    let bounds = settings.bounds;
    let now = settings.clock.map(|clock| clock.epoch_at((options.unix_time)()));
    let after_clock = now.map_or(0, |now| now.saturating_add(bounds.ahead).saturating_add(2));
    let records = union.records_beyond(&have, after_clock.max(what.epoch.unwrap_or(0)));
    let host = options.host.clone().or(old_host.map(|host| first_part(&host))).unwrap_or_default();
    let witness = new_side_log(ledger_id)?;
    let enter = || {
        store.begin(&[])?;
        match row {
            None => {
                store.begin_ledger(&LedgerRow { ledger_id, settings, incarnation: 0 }, &witness, &host)?
            }
            Some(_) => {
                // What the hosts have said so far stays as evidence, under other names.
                let taken_in = "UPDATE witnesses SET host = host || $1 || substr(encode(witness_id, 'hex'), 1, 8)
                                WHERE host NOT LIKE '%' || $1 || '%' AND ($2 = 0 OR witness_id = $3 OR host = $4)";
                let mine = values![TAKEN_IN, u64::from(is_made), &names.witness_id, &host[..]];
                store.execute(taken_in, mine)?;
                store.execute("UPDATE ledger SET ledger_id = $1", values![&ledger_id])?;
                store.begin_witness(&witness, &host)?;
            }
        }
        let here = [Value::Number(Some(server.system_identifier)), Value::from(server.timeline)];
        store.execute("UPDATE ledger SET system_identifier = $1, timeline = $2", &here)?;
        write_all(&store, &records, &witness, &union)?;
        store.commit()
    };
    if let Err(fault) = enter() {
        store.roll_back();
        return Err(LedgerError::new(Problem::Storage, format_args!("cannot write what is known: {fault}")));
    }
    // A crash from here on leaves a side log that is another ledger's: the ledger does not open before this is done again.
    logs.iter().try_for_each(|path| set_aside(path))?;
    let names = Names { ledger_id, witness_id: witness.witness_id, ..names };
    names.write(&options.folder)?;
    let accept = AcceptMove { ledger_id, epoch: what.epoch, reason: what.reason.clone() };
    let also = Also { accepted: Some(("reconcile", accept)), statement: None };
    stop(&open_over(options, Opening { lock, store, names, also })?);
    Ok(Reconciled { ledger_id, compromised: union.compromised.into_iter().collect(), replaced })
}

/// Takes a side log in, and notes which one it is.
fn take_in(union: &mut Union, seen: &mut BTreeSet<[u8; 16]>, bytes: &[u8]) -> Result<(), LedgerError> {
    seen.extend(read(bytes).header.map(|header| header.witness_id));
    union.unite_log(bytes)
}

/// The side logs that are in the folders of this host, those that were set aside too.
fn own_logs(options: &LedgerOptions, names: &Names) -> Result<Vec<PathBuf>, LedgerError> {
    let files = Files::new(&options.folder, &options.witness, &names.ledger_id);
    let folders = BTreeSet::from([options.folder.clone(), files.witness]);
    let mut logs = Vec::new();
    for folder in folders.iter().filter(|folder| folder.exists()) {
        logs.extend(named(folder, "witness-")?);
    }
    Ok(logs)
}

/// The side logs that the database knows of, each with its host.
fn hosts(store: &Store) -> Result<Vec<([u8; 16], String)>, LedgerError> {
    store
        .rows("SELECT witness_id, host FROM witnesses WHERE grp > 0", |row| Ok((row.array(0)?, row.text(1)?)))
}

/// The name of a host whose side log has been taken in.
fn first_part(host: &str) -> String {
    host.split(TAKEN_IN).next().unwrap_or_default().to_owned()
}

fn write_all(store: &Store, records: &[Record], witness: &StoreRow, union: &Union) -> Result<(), Fault> {
    let token = store.db.lease().map(|(_, token)| token);
    let context = Context { witness_id: &witness.witness_id, group: 0, token, message: None };
    for record in records {
        rows::write(store, record, &context)?;
        // Nobody else can take it before this has ended; afterwards the ledger is opened under it.
        if store.db.renewal().is_some_and(|rest| rest.is_zero()) {
            store.db.renew()?;
        }
    }
    union.public_keys.iter().try_for_each(|(key, public_key)| rows::write_public_key(store, key, public_key))
}
