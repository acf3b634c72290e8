//! What a ledger needs of a database. Above this seam there is one store, below it SQLite or PostgreSQL.
#![forbid(unsafe_code)]

use crate::identity::KeyId;
use rustix::time::{ClockId, clock_gettime};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::Duration;

/// What went wrong, in a sentence.
pub(crate) type Fault = String;

/// A value in a statement or a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Number(Option<i64>),
    Bytes(Option<Vec<u8>>),
    Text(Option<String>),
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(Some(i64::try_from(number).expect("numbers of the ledger are below 2^63")))
    }
}

impl From<Option<u64>> for Value {
    fn from(number: Option<u64>) -> Self {
        number.map_or(Self::Number(None), Self::from)
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(Some(bytes.to_vec()))
    }
}

impl<const N: usize> From<&[u8; N]> for Value {
    fn from(bytes: &[u8; N]) -> Self {
        Self::from(&bytes[..])
    }
}

impl<T> From<Option<&T>> for Value
where
    Self: for<'a> From<&'a T>,
{
    fn from(bytes: Option<&T>) -> Self {
        bytes.map_or(Self::Bytes(None), Self::from)
    }
}

impl From<Option<&[u8]>> for Value {
    fn from(bytes: Option<&[u8]>) -> Self {
        bytes.map_or(Self::Bytes(None), Self::from)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(Some(text.to_owned()))
    }
}

/// The values of a statement.
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::ledger::database::Value::from($value)),*] };
}
pub(crate) use values;

/// A row of an answer.
#[derive(Debug)]
pub(crate) struct Row(pub(crate) Vec<Value>);

impl Row {
    /// A number, which the ledger has no negative ones of.
    pub(crate) fn number(&self, column: usize) -> Result<u64, Fault> {
        self.optional_number(column)?.ok_or_else(|| format!("no number in column {column}"))
    }

    pub(crate) fn optional_number(&self, column: usize) -> Result<Option<u64>, Fault> {
        match self.0.get(column) {
            Some(Value::Number(Some(number))) => {
                u64::try_from(*number).map(Some).map_err(|_| format!("a negative number in column {column}"))
            }
            Some(Value::Number(None) | Value::Bytes(None) | Value::Text(None)) => Ok(None),
            _ => Err(format!("no number in column {column}")),
        }
    }

    pub(crate) fn optional_bytes(&self, column: usize) -> Result<Option<Vec<u8>>, Fault> {
        match self.0.get(column) {
            Some(Value::Bytes(Some(bytes))) => Ok(Some(bytes.clone())),
            Some(Value::Number(None) | Value::Bytes(None) | Value::Text(None)) => Ok(None),
            _ => Err(format!("no bytes in column {column}")),
        }
    }

    pub(crate) fn optional_array<const N: usize>(&self, column: usize) -> Result<Option<[u8; N]>, Fault> {
        let array =
            |bytes: Vec<u8>| bytes.try_into().map_err(|_| format!("not {N} bytes in column {column}"));
        self.optional_bytes(column)?.map(array).transpose()
    }

    pub(crate) fn array<const N: usize>(&self, column: usize) -> Result<[u8; N], Fault> {
        self.optional_array(column)?.ok_or_else(|| format!("no bytes in column {column}"))
    }

    pub(crate) fn text(&self, column: usize) -> Result<String, Fault> {
        match self.0.get(column) {
            Some(Value::Text(Some(text))) => Ok(text.clone()),
            _ => Err(format!("no text in column {column}")),
        }
    }
}

/// A database with the tables of a ledger. In statements `$1` is the first value.
pub(crate) trait Database: Send {
    /// Executes a statement; the answer is how many rows it has changed.
    fn execute(&self, statement: &str, values: &[Value]) -> Result<u64, Fault>;

    /// The rows that a query answers.
    fn query(&self, query: &str, values: &[Value]) -> Result<Vec<Row>, Fault>;

    /// Begins a transaction in which this process alone changes these keys.
    fn begin(&self, keys: &[KeyId]) -> Result<(), Fault>;

    /// Ends it, on the disk.
    fn commit(&self) -> Result<(), Fault>;

    /// Ends it as if it had not been.
    fn roll_back(&self);

    /// Nothing is copied from one file to another any more, not at the end either.
    fn close_untouched(&self) {}

    /// Other hosts write to it too, each with a side log of its own.
    fn is_shared(&self) -> bool {
        false
    }

    /// Name and token of the lease under which this process writes.
    fn lease(&self) -> Option<(String, u64)> {
        None
    }

    /// How long until the lease has to be renewed.
    fn renewal(&self) -> Option<Duration> {
        None
    }

    /// Renews the lease.
    fn renew(&self) -> Result<(), Fault> {
        Ok(())
    }

    /// Until when what is reserved may leave.
    fn fence(&self) -> Arc<Fence> {
        Arc::default()
    }
}

/// Until when a signature may leave, by a clock that nobody sets and that goes on while the machine sleeps.
#[derive(Debug)]
pub(crate) struct Fence {
    until_ms: AtomicU64,
    has_fallen: AtomicBool,
}

impl Default for Fence {
    /// For ever.
    fn default() -> Self {
        Self { until_ms: AtomicU64::new(u64::MAX), has_fallen: AtomicBool::new(false) }
    }
}

impl Fence {
    /// Moves it.
    #[cfg(feature = "postgres")]
    pub(crate) fn set(&self, until_ms: u64) {
        self.until_ms.store(until_ms, SeqCst);
    }

    /// Now, and for good.
    #[cfg(feature = "postgres")]
    pub(crate) fn fall(&self) {
        self.has_fallen.store(true, SeqCst);
    }

    /// Whether nothing may leave any more.
    pub(crate) fn is_past(&self) -> bool {
        self.has_fallen.load(SeqCst) || self.until_ms.load(SeqCst) <= since_start_ms()
    }
}

/// Milliseconds since the machine was started, those in which it slept counted where the system tells.
pub(crate) fn since_start_ms() -> u64 {
    #[cfg(target_os = "linux")]
    const CLOCK: ClockId = ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    const CLOCK: ClockId = ClockId::Monotonic;
    let time = clock_gettime(CLOCK);
    let [seconds, nanoseconds] = [time.tv_sec, time.tv_nsec].map(|part| u64::try_from(part).unwrap_or(0));
    seconds * 1000 + nanoseconds / 1_000_000
}
