//! The ledger on PostgreSQL: one store for several hosts, of which one signs at a time, and a side log on each.
//!
//! That no position is given twice does not depend on the lease: the rows of the store and their locks see to it. The lease
//! gives one active signer, and keeps out one that has slept.
#![forbid(unsafe_code)]

mod connection;
mod database;

use self::connection::Server;
use self::database::{PostgresDatabase, ServerId};
use super::database::{Value, values};
use super::durable::open::{Also, Opened, open_store, random_id};
use super::durable::place::{Files, Lock, check_file_system, check_modes, failed, make_folder};
use super::durable::store::{LedgerRow, Store};
use super::durable::{AcceptMove, Ledger, LedgerOptions, NewLedger};
use super::log::Header;
use super::refused::{LedgerError, Problem};
use super::startup::StoreRow;
use crate::hexadecimal;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::time::Duration;

/// The tables, constraints and triggers of the store, which its owner makes.
pub const SCHEMA: &str = include_str!("schema.sql");

/// The role of signers, with no more rights than they need.
pub const ROLES: &str = include_str!("roles.sql");

/// The lease of those who sign.
const LEASE: &str = "signer";

/// The answer to a refusal [`Problem::StoreFailedOver`]: as to one of a move.
pub type AcceptFailover = AcceptMove;

/// Where the store of a ledger is, and the side log of this host.
#[derive(Clone, Debug)]
pub struct PostgresOptions {
    local: LedgerOptions,
    server: Server,
    ttl: Duration,
    accept_failover: Option<AcceptFailover>,
}

impl PostgresOptions {
    /// The store at `url` (`postgres://user@host/database`, or `?host=` with the folder of a local socket), with the side
    /// log where `local` says. The folder of `local` has what is left of the files of a ledger: its lock, and its names.
    #[must_use]
    pub fn new(local: LedgerOptions, url: impl Into<String>) -> Self {
        let server = Server { url: url.into(), password: None, root_certificates: None, identity: None };
        Self { local, server, ttl: Duration::from_secs(10), accept_failover: None }
    }

    /// The file with the certificates of those who vouch for the server. Without it only local sockets are connected to.
    #[must_use]
    pub fn root_certificates(mut self, file: impl Into<PathBuf>) -> Self {
        self.server.root_certificates = Some(file.into());
        self
    }

    /// The files with this host's own certificate and its key.
    #[must_use]
    pub fn identity(mut self, certificates: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
        self.server.identity = Some((certificates.into(), key.into()));
        self
    }

    /// The file with the password.
    #[must_use]
    pub fn password_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.server.password = Some(file.into());
        self
    }

    /// For how long a signer holds the lease without renewing it, 10 seconds unless told otherwise and at least one: another
    /// one can follow so long after it was last heard of.
    #[must_use]
    pub fn ttl(self, ttl: Duration) -> Self {
        Self { ttl: ttl.max(Duration::from_secs(1)), ..self }
    }

    /// The server is another one than before, or another history of it, and the operator knows that it has lost nothing.
    #[must_use]
    pub fn accept_failover(self, accept: AcceptFailover) -> Self {
        Self { accept_failover: Some(accept), ..self }
    }

    /// Makes a ledger in a database that has the tables of [`SCHEMA`] and no ledger, with this as its first host.
    ///
    /// # Errors
    /// [`LedgerError`], with [`Problem::Exists`] if there is one.
    pub fn create(&self, host: &str, settings: NewLedger) -> Result<(), LedgerError> {
        self.begin(host, Some(settings))
    }

    /// Lets another host use the ledger, with a side log of its own.
    ///
    /// # Errors
    /// [`LedgerError`], with [`Problem::Exists`] if this host, or one of its name, does already.
    pub fn join(&self, host: &str) -> Result<(), LedgerError> {
        self.begin(host, None)
    }

    /// Opens the ledger for this process alone, which holds the lease as long as the answer lives. Whatever cannot be
    /// explained by a crash is a refusal.
    ///
    /// # Errors
    /// [`LedgerError`], whose problem says which check failed; [`Problem::InUse`] while another process holds the lease.
    pub fn open(&self) -> Result<Ledger, LedgerError> {
        let local = &self.local;
        let names = self.names_file();
        let text = fs::read_to_string(&names).map_err(|_| {
            let text = format_args!("this host has not joined a ledger: there is no {}", names.display());
            LedgerError::new(Problem::NoLedger, text)
        })?;
        check_modes(&local.folder)?;
        check_file_system(&local.folder, &local.file_systems)?;
        let lock = Lock::take(&local.folder)?;
        let mut words = text.split_whitespace().map(hexadecimal::array::<16>);
        let (Some(Some(ledger_id)), Some(Some(witness_id))) = (words.next(), words.next()) else {
            let text = format_args!("{} does not name a ledger and a side log", names.display());
            return Err(LedgerError::new(Problem::Malformed, text));
        };
        let mut database = PostgresDatabase::over(self.server.connect()?)?;
        database.take_lease(LEASE, random_id()?, self.ttl)?;
        let server = database.server();
        let store = Store { db: Box::new(database) };
        let row = store.ledger()?;
        if row.ledger_id != ledger_id {
            return Err(LedgerError::new(Problem::ForeignWitness, "the side log here is another ledger's"));
        }
        let also = self.check_server(&store, server, &row)?;
        let mut files = Files::new(&local.folder, &local.witness, &ledger_id);
        files.has_store = false;
        let opened = Opened { lock, store, row, files, witness_id: Some(witness_id), also };
        Ledger::over(open_store(local, opened)?, local.timeout)
    }

    fn names_file(&self) -> PathBuf {
        self.local.folder.join("ledger.postgres")
    }

    /// Whether the server is the one that the ledger was last used on, or the operator has said that it may not be.
    fn check_server(&self, store: &Store, server: ServerId, row: &LedgerRow) -> Result<Also, LedgerError> {
        let query = "SELECT system_identifier, timeline FROM ledger";
        let before = store.one(query, &[], |row| Ok(row.0.clone()))?;
        let ServerId { system_identifier, timeline } = server;
        let now = vec![Value::Number(Some(system_identifier)), Value::from(timeline)];
        if before.as_ref() == Some(&now) {
            return Ok(Also::default());
        }
        let refused = |text: &str| Err(LedgerError::new(Problem::StoreFailedOver, text));
        let statement = Some(("UPDATE ledger SET system_identifier = $1, timeline = $2", now));
        match &self.accept_failover {
            None => refused("the database is another server than before, or another history of it"),
            Some(accept) if accept.ledger_id != row.ledger_id => {
                refused("another ledger's fail-over was accepted")
            }
            Some(accept) if accept.epoch.is_none() && row.settings.clock.is_none() => refused(
                "without a clock a fail-over is accepted only with an epoch above all that was signed",
            ),
            Some(accept) => Ok(Also { accepted: Some(("accept-failover", accept.clone())), statement }),
        }
    }

    /// Makes the rows of a new host, and of a new ledger with `settings`.
    fn begin(&self, host: &str, settings: Option<NewLedger>) -> Result<(), LedgerError> {
        let local = &self.local;
        make_folder(&local.folder)?;
        check_modes(&local.folder)?;
        check_file_system(&local.folder, &local.file_systems)?;
        let _lock = Lock::take(&local.folder)?;
        let names = self.names_file();
        if names.exists() {
            return Err(LedgerError::new(Problem::Exists, "this host uses a ledger already"));
        }
        let database = PostgresDatabase::over(self.server.connect()?)?;
        let ServerId { system_identifier, timeline } = database.server();
        let store = Store { db: Box::new(database) };
        let storage = |what: String| LedgerError::new(Problem::Storage, format_args!("cannot join: {what}"));
        let is_there = store.one("SELECT count(*) FROM ledger", &[], |row| row.number(0))? != Some(0);
        let ledger_id = match (settings, is_there) {
            (Some(_), true) => {
                return Err(LedgerError::new(Problem::Exists, "the database has a ledger already"));
            }
            (None, false) => return Err(LedgerError::new(Problem::NoLedger, "the database has no ledger")),
            (Some(_), false) => random_id()?,
            (None, true) => store.ledger()?.ledger_id,
        };
        let query = "SELECT count(*) FROM witnesses WHERE host = $1 AND grp > 0";
        if store.one(query, values![host], |row| row.number(0))? != Some(0) {
            let text = format_args!("the ledger has a side log of {host}: where is it?");
            return Err(LedgerError::new(Problem::Exists, text));
        }
        let witness_id = random_id()?;
        let (_, chain) = Header { ledger_id, witness_id, segment: 1, previous: [0; 32] }.line();
        let witness =
            StoreRow { ledger_id, witness_id, group: 0, chain, previous: [0; 32], last_lines: Vec::new() };
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
        let text = format!("{} {}\n", hexadecimal::text(&ledger_id), hexadecimal::text(&witness_id));
        let temporary = names.with_extension("tmp");
        let _ = fs::remove_file(&temporary);
        let write = || {
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&temporary, &names)?;
            File::open(&local.folder)?.sync_all()
        };
        write().map_err(|error| failed("write", &names, &error))
    }
}
