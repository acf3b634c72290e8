//! The ledger on PostgreSQL: one store for several hosts, of which one signs at a time, and a side log on each.
//!
//! That no position is given twice does not depend on the lease: the rows of the store and their locks see to it. The lease
//! gives one active signer, and keeps out one that has slept.
#![forbid(unsafe_code)]

mod address;
mod connection;
mod database;
mod names;
mod passwords;
mod reconcile;

pub(super) use self::reconcile::reconcile;

use self::address::Address;
use self::connection::Link;
use self::database::{PostgresDatabase, ServerId};
use super::database::{Value, values};
use super::durable::core::Core;
use super::durable::open::{Also, Opened, open_store, random_id};
use super::durable::place::{
    Files, Lock, check_file_system, check_modes, in_database, make_folder, store as store_path,
};
use super::durable::store::{LedgerRow, Store};
use super::durable::{LedgerOptions, NewLedger};
use super::layout::Names;
use super::log::Header;
use super::refused::{LedgerError, Problem};
use super::startup::StoreRow;

/// The tables, constraints and triggers of the store, which its owner makes.
pub const SCHEMA: &str = include_str!("schema.sql");

/// The role of signers, with no more rights than they need.
pub const ROLES: &str = include_str!("roles.sql");

/// The lease of those who sign.
const LEASE: &str = "signer";

/// Opens the ledger that the folder of `options` names, under the lease.
pub(super) fn open(options: &LedgerOptions) -> Result<Core, LedgerError> {
    let Begun { lock, names, database } = begin_open(options)?;
    let server = database.server();
    let store = Store { db: Box::new(database) };
    let row = store.ledger()?;
    if row.ledger_id != names.ledger_id {
        return Err(LedgerError::new(Problem::ForeignWitness, "the side log here is another ledger's"));
    }
    let also = check_server(options, &store, server, &row)?;
    // The next opening finds the server that was accepted by the folder alone.
    let moved = also.accepted.is_some().then(|| names.clone());
    let core = open_over(options, Opening { lock, store, names, also })?;
    moved.map_or(Ok(()), |names| names.write(&options.folder))?;
    Ok(core)
}

/// The name of the ledger that the folder names; whether the database still has it is not asked.
pub(super) fn name_of(options: &LedgerOptions) -> Result<[u8; 16], LedgerError> {
    Ok(Names::read(&options.folder)?.ledger_id)
}

/// An opening, as far as it needs no look at the rows: the lock of the folder, and the lease of the database.
struct Begun {
    lock: Lock,
    names: Names,
    database: PostgresDatabase,
}

fn begin_open(options: &LedgerOptions) -> Result<Begun, LedgerError> {
    let mut names = Names::read(&options.folder)?;
    check_modes(&options.folder)?;
    check_file_system(&options.folder, &options.file_systems)?;
    let lock = Lock::take(&options.folder)?;
    if let Some(url) = &options.store {
        names.url.clone_from(url);
    }
    let mut database = PostgresDatabase::over(Link::connect(&Address::parse(&names.url)?)?)?;
    database.take_lease(LEASE, random_id()?, options.lease)?;
    Ok(Begun { lock, names, database })
}

/// What is opened, and what is done with it besides.
struct Opening {
    lock: Lock,
    store: Store,
    names: Names,
    also: Also,
}

fn open_over(options: &LedgerOptions, opening: Opening) -> Result<Core, LedgerError> {
    let Opening { lock, store, names, also } = opening;
    let row = store.ledger()?;
    let mut files = Files::new(&options.folder, &options.witness, &names.ledger_id);
    files.has_store = false;
    let opened = Opened { lock, store, row, files, witness_id: Some(names.witness_id), also };
    open_store(options, opened)
}

/// Whether the server is the one that the ledger was last used on, or the operator has said that it may not be.
fn check_server(
    options: &LedgerOptions,
    store: &Store,
    server: ServerId,
    row: &LedgerRow,
) -> Result<Also, LedgerError> {
    let query = "SELECT system_identifier, timeline FROM ledger";
    let before = store.one(query, &[], |row| Ok(row.0.clone()))?;
    let ServerId { system_identifier, timeline } = server;
    let now = vec![Value::Number(Some(system_identifier)), Value::from(timeline)];
    if before.as_ref() == Some(&now) {
        return Ok(Also::default());
    }
    let refused = |text: &str| Err(LedgerError::new(Problem::StoreFailedOver, text));
    let statement = Some(("UPDATE ledger SET system_identifier = $1, timeline = $2", now));
    match &options.accept_failover {
        None => refused("the database is another server than before, or another history of it"),
        Some(accept) if accept.ledger_id != row.ledger_id => {
            refused("another ledger's fail-over was accepted")
        }
        Some(accept) if accept.epoch.is_none() && row.settings.clock.is_none() => {
            refused("without a clock a fail-over is accepted only with an epoch above all that was signed")
        }
        Some(accept) => Ok(Also { accepted: Some(("accept-failover", accept.clone())), statement }),
    }
}

/// The row of a side log that has yet to be written.
fn new_side_log(ledger_id: [u8; 16]) -> Result<StoreRow, LedgerError> {
    let witness_id = random_id()?;
    let (_, chain) = Header { ledger_id, witness_id, segment: 1, previous: [0; 32] }.line();
    Ok(StoreRow { ledger_id, witness_id, group: 0, chain, previous: [0; 32], last_lines: Vec::new() })
}

/// The name of this host, which is one word and none of those that [`reconcile`] gives.
fn host_of(options: &LedgerOptions) -> Result<&str, LedgerError> {
    let is_word = |host: &&str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        (1..=64).contains(&host.len()) && host.bytes().all(is_plain) && !host.contains(reconcile::TAKEN_IN)
    };
    options.host.as_deref().filter(is_word).ok_or_else(|| {
        LedgerError::new(Problem::Malformed, "the host needs a name of letters, digits, '-', '_' and '.'")
    })
}

/// Makes the rows of a new host in the database that `options` name, and of a new ledger with `settings`.
pub(super) fn begin(options: &LedgerOptions, settings: Option<NewLedger>) -> Result<(), LedgerError> {
    let folder = &options.folder;
    let check_is_free = || {
        if in_database(folder).exists() || store_path(folder).exists() {
            let text = format_args!("{} has a ledger already", folder.display());
            return Err(LedgerError::new(Problem::Exists, text));
        }
        Ok(())
    };
    check_is_free()?;
    let host = host_of(options)?;
    let url = options.store.clone();
    let url = url.ok_or_else(|| LedgerError::new(Problem::Malformed, "where is the database?"))?;
    let address = Address::parse(&url)?;
    make_folder(folder)?;
    check_modes(folder)?;
    check_file_system(folder, &options.file_systems)?;
    let _lock = Lock::take(folder)?;
    check_is_free()?;
    let database = PostgresDatabase::over(Link::connect(&address)?)?;
    let ServerId { system_identifier, timeline } = database.server();
    let store = Store { db: Box::new(database) };
    let storage = |what: String| LedgerError::new(Problem::Storage, format_args!("cannot join: {what}"));
    let ledger_id = match (settings, store.ledger_if_any()?) {
        (Some(_), Some(_)) => {
            return Err(LedgerError::new(Problem::Exists, "the database has a ledger already"));
        }
        (None, None) => return Err(LedgerError::new(Problem::NoLedger, "the database has no ledger")),
        (Some(_), None) => random_id()?,
        (None, Some(row)) => row.ledger_id,
    };
    let query = "SELECT count(*) FROM witnesses WHERE host = $1 AND grp > 0";
    if store.one(query, values![host], |row| row.number(0))? != Some(0) {
        let text = format_args!("the ledger has a side log of {host}: where is it?");
        return Err(LedgerError::new(Problem::Exists, text));
    }
    let witness = new_side_log(ledger_id)?;
    let enter = || {
        store.begin(&[])?;
        match settings {
            Some(settings) => {
                store.begin_ledger(&LedgerRow { ledger_id, settings, incarnation: 0 }, &witness, host)?;
                let server = [Value::Number(Some(system_identifier)), Value::from(timeline)];
                store.execute("UPDATE ledger SET system_identifier = $1, timeline = $2", &server)?;
            }
            None => store.begin_witness(&witness, host)?,
        }
        store.commit()
    };
    enter().map_err(storage)?;
    // Last: a crash before it leaves a row that nobody uses.
    Names { ledger_id, witness_id: witness.witness_id, url }.write(folder)
}
