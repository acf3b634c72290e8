//! The store: rows in SQLite that say what the records say.
#![forbid(unsafe_code)]

use crate::identity::{Family, KeyId, OneTimeKeyId, key_id};
use crate::ledger::accounts::Accounts;
use crate::ledger::log::Head;
use crate::ledger::record::{KeyInstance, KeyState, Mode, Ordering, Place, Record, SNAPSHOT, TRANSFER};
use crate::ledger::refused::{LedgerError, Problem};
use crate::ledger::rules::Bounds;
use crate::ledger::startup::StoreRow;
use rusqlite::config::DbConfig;
use rusqlite::types::FromSql;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, params};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The tables, constraints and triggers of the store.
pub const SCHEMA: &str = include_str!("schema.sql");

/// What marks a file as our store.
const APPLICATION_ID: i64 = 1_346_915_416;
/// How long another program may hold the store before it is in use.
const BUSY: Duration = Duration::from_millis(100);
/// The version of [`SCHEMA`].
const VERSION: i64 = 1;

/// What a ledger is told once, when it is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewLedger {
    /// The chain that its keys sign for.
    pub genesis_validators_root: Option<[u8; 32]>,
    /// The time of that chain. Without it epochs have no time, and the clock refuses nothing.
    pub clock: Option<ChainClock>,
    /// How far keys may be from the clock, and from what they have signed.
    pub bounds: Bounds,
}

/// The time of a chain: which epoch it is when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainClock {
    /// Unix time of epoch 0 in seconds.
    pub genesis_time: u64,
    /// Seconds of an epoch.
    pub epoch_seconds: u64,
}

impl ChainClock {
    /// The epoch at a Unix time in seconds.
    #[must_use]
    pub fn epoch_at(&self, unix: u64) -> u64 {
        unix.saturating_sub(self.genesis_time) / self.epoch_seconds.max(1)
    }
}

/// What the store says of its ledger.
pub(crate) struct LedgerRow {
    pub(crate) ledger_id: [u8; 16],
    pub(crate) settings: NewLedger,
    pub(crate) incarnation: u64,
}

/// The store, open for this process alone.
pub(crate) struct Store {
    db: Connection,
}

/// A number of the ledger, which is below 2^63, for SQL.
fn sql(number: u64) -> i64 {
    i64::try_from(number).expect("numbers of the ledger are below 2^63")
}

/// A number of the store, which has no negative ones.
fn number(row: &Row<'_>, column: &str) -> rusqlite::Result<u64> {
    optional_number(row, column).map(|number| number.unwrap_or(0))
}

fn optional_number(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<u64>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(|number| u64::try_from(number).unwrap_or(0)))
}

/// A damaged row, with what does not fit.
fn damaged(what: impl std::fmt::Display) -> LedgerError {
    LedgerError::new(Problem::StoreDamaged, format_args!("the store is damaged: {what}"))
}

/// What kept a store from opening. One that another program holds is not damaged.
fn opening(problem: Problem, text: &str, error: &rusqlite::Error) -> LedgerError {
    let code = error.sqlite_error_code();
    if matches!(code, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)) {
        return LedgerError::new(Problem::InUse, "another program has the store open");
    }
    LedgerError::new(problem, format_args!("{text}: {error}"))
}

impl Store {
    /// Makes a store that is not there yet, at `path`.
    pub(crate) fn create(path: &Path, row: &LedgerRow, witness: &StoreRow) -> rusqlite::Result<()> {
        let db = Connection::open(path)?;
        db.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA; BEGIN IMMEDIATE")?;
        db.execute_batch(SCHEMA)?;
        let NewLedger { genesis_validators_root, clock, bounds } = row.settings;
        db.execute(
            "INSERT INTO ledger VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, 0)",
            params![
                row.ledger_id,
                genesis_validators_root,
                clock.map(|clock| sql(clock.genesis_time)),
                clock.map(|clock| sql(clock.epoch_seconds)),
                sql(bounds.ahead),
                sql(bounds.behind),
                sql(bounds.max_gap)
            ],
        )?;
        db.execute(
            "INSERT INTO witnesses VALUES (?1, 'local', 1, 0, ?2, ?3, x'')",
            params![witness.witness_id, witness.chain, witness.previous],
        )?;
        db.execute_batch("COMMIT")?;
        db.close().map_err(|(_, error)| error)
    }

    /// Opens the store at `path`: checks 4, 5 and 7.
    pub(crate) fn open(path: &Path) -> Result<Self, LedgerError> {
        let foreign =
            |error| LedgerError::new(Problem::StoreVersion, format_args!("no store of a ledger: {error}"));
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(path, flags).map_err(foreign)?;
        db.busy_timeout(BUSY).map_err(foreign)?;
        let pragma = |name: &str| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let id = pragma("application_id").map_err(foreign)?;
        let version = pragma("user_version").map_err(foreign)?;
        if (id, version) != (APPLICATION_ID, VERSION) {
            return Err(LedgerError::new(
                Problem::StoreVersion,
                format_args!("a store of version {version}"),
            ));
        }
        let durable = |error| opening(Problem::StoreNotDurable, "the store would not flush", &error);
        db.execute_batch(
            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
             PRAGMA foreign_keys = ON; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
             BEGIN IMMEDIATE; COMMIT",
        )
        .map_err(durable)?;
        let text =
            |name: &str| db.pragma_query_value(None, name, |row| row.get::<_, String>(0)).map_err(durable);
        let modes = (text("journal_mode")?, text("locking_mode")?);
        let flags = (pragma("synchronous").map_err(durable)?, pragma("foreign_keys").map_err(durable)?);
        let full = (pragma("fullfsync").map_err(durable)?, pragma("checkpoint_fullfsync").map_err(durable)?);
        let is_durable = (&modes.0[..], &modes.1[..]) == ("wal", "exclusive") && flags.0 >= 2 && flags.1 == 1;
        if !is_durable || full != (1, 1) {
            let text = format!("the store would not flush: {modes:?}, {flags:?}, {full:?}");
            return Err(LedgerError::new(Problem::StoreNotDurable, text));
        }
        let whole: String =
            db.pragma_query_value(None, "integrity_check", |row| row.get(0)).map_err(damaged)?;
        let mut foreign = db.prepare("PRAGMA foreign_key_check").map_err(damaged)?;
        if whole != "ok" || foreign.exists([]).map_err(damaged)? {
            return Err(damaged(whole));
        }
        drop(foreign);
        Ok(Self { db })
    }

    /// What the store says of its ledger.
    pub(crate) fn ledger(&self) -> Result<LedgerRow, LedgerError> {
        let read = |row: &Row<'_>| {
            let time = (optional_number(row, "genesis_time")?, optional_number(row, "epoch_seconds")?);
            let clock = match time {
                (Some(genesis_time), Some(epoch_seconds)) => Some(ChainClock { genesis_time, epoch_seconds }),
                _ => None,
            };
            let [ahead, behind, max_gap] = ["ahead", "behind", "max_gap"].map(|column| number(row, column));
            Ok(LedgerRow {
                ledger_id: row.get("ledger_id")?,
                settings: NewLedger {
                    genesis_validators_root: row.get("genesis_validators_root")?,
                    clock,
                    bounds: Bounds { ahead: ahead?, behind: behind?, max_gap: max_gap? },
                },
                incarnation: number(row, "incarnation")?,
            })
        };
        self.db.query_row("SELECT * FROM ledger", [], read).map_err(damaged)
    }

    /// What it says of its witness: the segment, and the last group.
    pub(crate) fn witness(&self, ledger_id: &[u8; 16]) -> Result<(u32, StoreRow), LedgerError> {
        let read = |row: &Row<'_>| {
            let segment = row.get("segment")?;
            let (group, last_lines) = (number(row, "grp")?, row.get("last_lines")?);
            let (chain, previous) = (row.get("chain")?, row.get("prev_chain")?);
            let witness_id = row.get("witness_id")?;
            Ok((segment, StoreRow { ledger_id: *ledger_id, witness_id, group, chain, previous, last_lines }))
        };
        self.db.query_row("SELECT * FROM witnesses", [], read).map_err(damaged)
    }

    /// All rows, as lists of one type each.
    fn rows<T>(
        &self,
        query: &str,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, LedgerError> {
        let mut statement = self.db.prepare(query).map_err(damaged)?;
        let rows = statement.query_map([], |row| read(row)).map_err(damaged)?;
        rows.collect::<rusqlite::Result<_>>().map_err(damaged)
    }

    /// Where every key stands.
    pub(crate) fn accounts(&self) -> Result<Accounts, LedgerError> {
        let mut accounts = Accounts::default();
        let mut apply = |records: Vec<Record>| accounts.apply_all(&records).map_err(damaged);
        let keys = self.rows("SELECT * FROM keys ORDER BY key_id", |row| {
            let standing = (number(row, "low_watermark")?, optional_number(row, "high_watermark")?);
            let state: String = row.get("state")?;
            Ok((instance(row)?, standing, optional_number(row, "highest")?, row.get("is_ranged")?, state))
        })?;
        for (instance, (low, high), _, is_ranged, _) in &keys {
            let (instance, range) =
                (instance.clone().ok_or_else(|| damaged("a row of a key"))?, SNAPSHOT.to_owned());
            let (key, start, end) = (instance.key_id, instance.start, instance.end);
            apply(vec![
                Record::Key(instance),
                Record::Low { key, low: *low },
                Record::High { key, high: *high },
            ])?;
            if *is_ranged {
                apply(vec![
                    Record::Range { key, range: range.clone(), start, end },
                    Record::RangeGone { key, range },
                ])?;
            }
        }
        apply(self.rows("SELECT * FROM entries", |row| {
            let position = [number(row, "p0")?, number(row, "p1")?, number(row, "p2")?];
            let place = Place { domain: row.get("domain")?, position };
            Ok(Record::Entry { key: KeyId(row.get("key_id")?), place, digest: row.get("digest")? })
        })?)?;
        apply(self.rows("SELECT * FROM ranges", |row| {
            let (start, end) = (number(row, "start_epoch")?, number(row, "end_epoch")?);
            Ok(Record::Range { key: KeyId(row.get("key_id")?), range: row.get("range_id")?, start, end })
        })?)?;
        apply(self.rows("SELECT id FROM transfers", |row| {
            let detail = row.get::<_, [u8; 16]>(0)?.to_vec();
            Ok(Record::Operator { action: TRANSFER.to_owned(), detail })
        })?)?;
        for (instance, _, highest, _, state) in keys {
            let key = instance.ok_or_else(|| damaged("a row of a key"))?.key_id;
            let state = KeyState::from_name(&state).ok_or_else(|| damaged("the state of a key"))?;
            accounts.apply(&Record::State { key, state }).map_err(damaged)?;
            if accounts.get(&key).and_then(|account| account.highest) != highest {
                return Err(damaged("the highest position of a key"));
            }
        }
        Ok(accounts)
    }

    /// The public keys that are known, in SSZ.
    pub(crate) fn public_keys(&self) -> Result<BTreeMap<KeyId, Vec<u8>>, LedgerError> {
        let keys: Vec<(KeyId, Vec<u8>)> = self
            .rows("SELECT key_id, pubkey FROM keys WHERE pubkey IS NOT NULL", |row| {
                Ok((KeyId(row.get(0)?), row.get(1)?))
            })?;
        let schemes =
            self.rows("SELECT key_id, scheme FROM keys", |row| Ok((KeyId(row.get(0)?), row.get(1)?)))?;
        let schemes: BTreeMap<KeyId, String> = schemes.into_iter().collect();
        for (key, public_key) in &keys {
            let family = schemes.get(key).and_then(|scheme| Family::of_scheme(scheme));
            let part = family.and_then(|family| family.part_of(public_key).map(|part| key_id(family, part)));
            if part.is_some_and(|part| part != *key) {
                return Err(damaged("a public key"));
            }
        }
        Ok(keys.into_iter().collect())
    }

    /// The message of a position, where it is known.
    pub(crate) fn message(&self, key: &KeyId, place: &Place) -> Option<Vec<u8>> {
        let query = "SELECT message FROM entries
                     WHERE key_id = ?1 AND domain = ?2 AND p0 = ?3 AND p1 = ?4 AND p2 = ?5";
        let [p0, p1, p2] = place.position.map(sql);
        let values = params![key.0, place.domain, p0, p1, p2];
        self.db.query_row(query, values, |row| row.get(0)).ok().flatten()
    }

    /// One value, where there is one.
    pub(crate) fn value<T: FromSql>(&self, query: &str) -> Option<T> {
        self.db.query_row(query, [], |row| row.get(0)).ok()
    }

    /// Begins a transaction, which nobody else can have begun.
    pub(crate) fn begin(&self) -> rusqlite::Result<()> {
        self.db.execute_batch("BEGIN IMMEDIATE")
    }

    /// Begins a transaction that writes the row of the side log again as it is. The row must be what this process last
    /// wrote.
    pub(crate) fn begin_probe(&self, segment: u32, at: &Head) -> rusqlite::Result<()> {
        self.begin()?;
        let statement =
            "UPDATE witnesses SET segment = segment WHERE segment = ?1 AND grp = ?2 AND chain = ?3";
        let changed = self.execute(statement, params![segment, sql(at.group), at.chain])?;
        if changed == 1 { Ok(()) } else { Err(rusqlite::Error::StatementChangedRows(changed)) }
    }

    /// Ends it, on the disk.
    pub(crate) fn commit(&self) -> rusqlite::Result<()> {
        self.db.execute_batch("COMMIT")
    }

    /// Ends it as if it had not been.
    pub(crate) fn roll_back(&self) {
        // After some failures SQLite has already done so.
        let _ = self.db.execute_batch("ROLLBACK");
    }

    /// Notes which files the last process has used.
    pub(crate) fn set_files(&self, files: &str) -> rusqlite::Result<()> {
        let last =
            "UPDATE instances SET files = ?1 WHERE incarnation = (SELECT max(incarnation) FROM instances)";
        self.execute(last, [files]).map(|_| ())
    }

    /// Sees to it that closing copies nothing from one file to another: after a fault nobody knows what would be copied.
    pub(crate) fn close_untouched(&self) {
        // If that is refused, what is copied is what the next opening would copy.
        let _ = self.db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    }

    /// Executes a statement of another module.
    pub(crate) fn execute(&self, statement: &str, values: impl rusqlite::Params) -> rusqlite::Result<usize> {
        self.db.prepare(statement)?.execute(values)
    }

    /// Moves the witness's row on from one head to the next. The row must be what this process last wrote.
    pub(crate) fn move_witness(
        &self,
        segment: u32,
        from: &Head,
        to: (&Head, &[u8; 32]),
        last_lines: &[u8],
    ) -> rusqlite::Result<()> {
        let (to, previous) = to;
        let changed = self.execute(
            "UPDATE witnesses SET segment = ?1, grp = ?2, chain = ?3, prev_chain = ?4, last_lines = ?5
             WHERE grp = ?6 AND chain = ?7",
            params![segment, sql(to.group), to.chain, previous, last_lines, sql(from.group), from.chain],
        )?;
        if changed == 1 { Ok(()) } else { Err(rusqlite::Error::StatementChangedRows(changed)) }
    }
}

fn instance(row: &Row<'_>) -> rusqlite::Result<Option<KeyInstance>> {
    let (mode, ordering): (String, String) = (row.get("mode")?, row.get("ordering")?);
    let (Some(mode), Some(ordering)) = (Mode::from_name(&mode), Ordering::from_name(&ordering)) else {
        return Ok(None);
    };
    Ok(Some(KeyInstance {
        key_id: KeyId(row.get("key_id")?),
        scheme: row.get("scheme")?,
        role: row.get("role")?,
        mode,
        ordering,
        start: number(row, "start_epoch")?,
        end: number(row, "end_epoch")?,
        implementation: row.get("implementation")?,
        one_time_key_id: row.get::<_, Option<[u8; 32]>>("one_time_key_id")?.map(OneTimeKeyId),
    }))
}
