//! Histories that travel between ledgers, and to and from other software.
//!
//! An import is a list of records that only take away: positions are closed, watermarks rise, ranges shrink. It is made
//! here and applied by the ledger as a whole or not at all.
#![forbid(unsafe_code)]

mod eip3076;
mod own;

pub use eip3076::{Chain, export as export_eip3076, import as import_eip3076};
pub use own::{OwnFile, Transfer, export as export_own, import as import_own, read as read_own};

use super::accounts::Accounts;
use super::record::{Digest, Place, Record};
use super::refused::Problem;
use crate::identity::KeyId;
use crate::json::{self, Limits, Value};

/// What an import amounts to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Import {
    /// What it says, in order.
    pub records: Vec<Record>,
    /// Positions that had another message here and are closed now: somebody has signed twice.
    pub closed_by_conflict: usize,
}

/// An import in the making: the records so far, and where the keys stand after them.
struct Draft {
    accounts: Accounts,
    import: Import,
}

impl Draft {
    fn of(accounts: &Accounts) -> Self {
        Self { accounts: accounts.clone(), import: Import::default() }
    }

    /// Adds a record.
    fn add(&mut self, record: Record) -> Result<(), Problem> {
        self.accounts.apply(&record).map_err(|_| Problem::Malformed)?;
        self.import.records.push(record);
        Ok(())
    }

    /// Adds a position; one that has another message here is closed.
    fn unite(&mut self, key: KeyId, place: Place, digest: Option<Digest>) -> Result<(), Problem> {
        let known = self.accounts.get(&key).and_then(|account| account.entries.get(&place)).copied();
        let digest = match known {
            Some(known) if known == digest || known.is_none() => return Ok(()),
            Some(_) => {
                self.import.closed_by_conflict += 1;
                None
            }
            None => digest,
        };
        self.add(Record::Entry { key, place, digest })
    }

    /// Raises the low watermark, if `low` is above it.
    fn raise_low(&mut self, key: KeyId, low: u64) -> Result<(), Problem> {
        match self.accounts.get(&key) {
            Some(account) if account.low < low => self.add(Record::Low { key, low }),
            _ => Ok(()),
        }
    }
}

/// The value that a file is. Histories of many keys are long.
fn parse(bytes: &[u8]) -> Result<Value, Problem> {
    const LIMITS: Limits = Limits { bytes: 1 << 28, depth: 16 };
    json::parse(bytes, LIMITS).map_err(|_| Problem::Malformed)
}

/// The text of the member `name`.
fn text<'a>(object: &'a json::Object, name: &str) -> Result<&'a str, Problem> {
    object.get(name).and_then(Value::as_text).ok_or(Problem::Malformed)
}

/// The list that the member `name` is.
fn list<'a>(object: &'a json::Object, name: &str) -> Result<&'a [Value], Problem> {
    object.get(name).and_then(Value::as_list).ok_or(Problem::Malformed)
}

/// The object that a value is.
fn object(value: &Value) -> Result<&json::Object, Problem> {
    value.as_object().ok_or(Problem::Malformed)
}
