//! SQLite under a ledger: the file, and what it must promise before anything is written.
#![forbid(unsafe_code)]

use crate::identity::KeyId;
use crate::ledger::database::{Database, Fault, Row, Value};
use crate::ledger::durable::store::{LedgerRow, Store};
use crate::ledger::refused::{LedgerError, Problem};
use crate::ledger::startup::StoreRow;
use rusqlite::config::DbConfig;
use rusqlite::types::{Null, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, params_from_iter};
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

/// The store, open for this process alone.
pub(super) struct SqliteDatabase {
    db: Connection,
}

/// A damaged store.
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

impl SqliteDatabase {
    /// Makes a store that is not there yet, at `path`.
    pub(super) fn create(path: &Path, row: &LedgerRow, witness: &StoreRow) -> Result<(), Fault> {
        let db = Connection::open(path).map_err(told)?;
        let begin = "PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA; BEGIN IMMEDIATE";
        db.execute_batch(begin).and_then(|()| db.execute_batch(SCHEMA)).map_err(told)?;
        let store = Store { db: Box::new(Self { db }) };
        store.begin_ledger(row, witness, "local")?;
        store.commit()
    }

    /// Opens the store at `path`: checks 4, 5 and 7.
    pub(super) fn open(path: &Path) -> Result<Store, LedgerError> {
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
        Ok(Store { db: Box::new(Self { db }) })
    }
}

fn told(error: impl std::fmt::Display) -> Fault {
    error.to_string()
}

/// SQLite numbers its values with another sign.
fn numbered(statement: &str) -> String {
    statement.replace('$', "?")
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Number(number) => number.to_sql(),
            Self::Bytes(Some(bytes)) => bytes.to_sql(),
            Self::Text(Some(text)) => text.to_sql(),
            Self::Bytes(None) | Self::Text(None) => Null.to_sql(),
        }
    }
}

impl Database for SqliteDatabase {
    fn execute(&self, statement: &str, values: &[Value]) -> Result<u64, Fault> {
        let mut statement = self.db.prepare(&numbered(statement)).map_err(told)?;
        statement.execute(params_from_iter(values)).map(|changed| changed as u64).map_err(told)
    }

    fn query(&self, query: &str, values: &[Value]) -> Result<Vec<Row>, Fault> {
        let mut statement = self.db.prepare(&numbered(query)).map_err(told)?;
        let columns = statement.column_count();
        let read = |row: &rusqlite::Row<'_>| {
            let value = |column| {
                Ok(match row.get_ref(column)? {
                    ValueRef::Null => Value::Number(None),
                    ValueRef::Integer(number) => Value::Number(Some(number)),
                    ValueRef::Text(text) => Value::Text(Some(String::from_utf8_lossy(text).into_owned())),
                    ValueRef::Blob(bytes) => Value::Bytes(Some(bytes.to_vec())),
                    // No column is of this type.
                    ValueRef::Real(number) => Value::Text(Some(number.to_string())),
                })
            };
            (0..columns).map(value).collect::<rusqlite::Result<_>>().map(Row)
        };
        let rows = statement.query_map(params_from_iter(values), read).map_err(told)?;
        rows.collect::<rusqlite::Result<_>>().map_err(told)
    }

    fn begin(&self, _keys: &[KeyId]) -> Result<(), Fault> {
        self.db.execute_batch("BEGIN IMMEDIATE").map_err(told)
    }

    fn commit(&self) -> Result<(), Fault> {
        self.db.execute_batch("COMMIT").map_err(told)
    }

    fn roll_back(&self) {
        // After some failures SQLite has already done so.
        let _ = self.db.execute_batch("ROLLBACK");
    }

    fn close_untouched(&self) {
        // If that is refused, what is copied is what the next opening would copy.
        let _ = self.db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    }
}
