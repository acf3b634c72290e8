//! PostgreSQL under a ledger: every group in one transaction, which holds the lease and finds the server to be the one that
//! was there at the start.
#![forbid(unsafe_code)]

use super::connection::Link;
use crate::identity::KeyId;
use crate::ledger::database::{Database, Fault, Fence, Row, Value, since_start_ms, values};
use crate::ledger::refused::{LedgerError, Problem};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

/// What every transaction begins with. Nothing is said to the session, which a pooler may give to others. A holder that has
/// stopped in the middle loses its locks, or nobody could follow it.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL search_path = phalanx, pg_catalog;
    SET LOCAL statement_timeout = '2s'; SET LOCAL lock_timeout = '1s';
    SET LOCAL idle_in_transaction_session_timeout = '2s'";

/// Which server it is, on which of its histories, and whether it flushes.
const SERVER: &str = "SELECT system_identifier,
    ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint,
    current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
    current_setting('transaction_read_only') FROM pg_control_system()";

/// The row of a new or an expired lease.
const TAKE: &str = "INSERT INTO leases (name, holder, token, expires)
    VALUES ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond')
    ON CONFLICT (name) DO UPDATE SET token = leases.token + 1, holder = $2,
        expires = clock_timestamp() + $3 * interval '1 millisecond'
    WHERE leases.expires < clock_timestamp() RETURNING token";

const RENEW: &str = "UPDATE leases SET expires = clock_timestamp() + $4 * interval '1 millisecond'
    WHERE name = $1 AND holder = $2 AND token = $3 AND expires > clock_timestamp()";

const RELEASE: &str =
    "UPDATE leases SET expires = clock_timestamp() WHERE name = $1 AND holder = $2 AND token = $3";

/// A server and one of its histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ServerId {
    pub(super) system_identifier: i64,
    pub(super) timeline: u64,
}

/// Who may write.
struct Lease {
    name: &'static str,
    holder: [u8; 16],
    token: u64,
    ttl: Duration,
    renewed_ms: Cell<u64>,
}

impl Lease {
    fn id(&self) -> [Value; 3] {
        [Value::from(self.name), Value::from(&self.holder), Value::from(self.token)]
    }
}

/// A connection, with the lease once it is taken.
pub(super) struct PostgresDatabase {
    link: Link,
    server: ServerId,
    lease: Option<Lease>,
    fence: Arc<Fence>,
    is_inside: Cell<bool>,
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl PostgresDatabase {
    /// A server that flushes what it commits, and is no standby: check 5.
    pub(super) fn over(link: Link) -> Result<Self, LedgerError> {
        let durable = |what: Fault| LedgerError::new(Problem::StoreNotDurable, what);
        link.batch(BEGIN).map_err(durable)?;
        let server = server(&link).map_err(durable)?;
        link.batch("COMMIT").map_err(durable)?;
        Ok(Self { link, server, lease: None, fence: Arc::default(), is_inside: Cell::new(false) })
    }

    /// The server as it was when this was opened.
    pub(super) fn server(&self) -> ServerId {
        self.server
    }

    /// Takes the lease, or says that another process holds it: check 3.
    pub(super) fn take_lease(
        &mut self,
        name: &'static str,
        holder: [u8; 16],
        ttl: Duration,
    ) -> Result<(), LedgerError> {
        let failed =
            |what: Fault| LedgerError::new(Problem::Storage, format_args!("the lease was not taken: {what}"));
        let renewed_ms = Cell::new(since_start_ms());
        let rows = self.query(TAKE, values![name, &holder, millis(ttl)]).map_err(failed)?;
        let Some(row) = rows.first() else {
            return Err(LedgerError::new(Problem::InUse, "another signer holds the lease"));
        };
        let token = row.number(0).map_err(failed)?;
        let lease = Lease { name, holder, token, ttl, renewed_ms };
        self.fence.set(stop_ms(&lease));
        self.lease = Some(lease);
        Ok(())
    }

    /// Does something in a transaction of its own, unless there is one.
    fn settled<T>(&self, act: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
        if self.is_inside.get() {
            return act();
        }
        self.link.batch(BEGIN)?;
        let done = act();
        if done.is_ok() {
            self.link.batch("COMMIT")?;
        } else {
            self.link.roll_back();
        }
        done
    }

    /// Whether this process still holds the lease, which nobody can take before the transaction has ended.
    fn hold(&self) -> Result<(), Fault> {
        let Some(lease) = &self.lease else { return Ok(()) };
        let query = "SELECT token FROM leases WHERE name = $1 AND holder = $2 AND token = $3
                     AND expires > clock_timestamp() FOR SHARE";
        if self.link.query(query, &lease.id())?.is_empty() {
            self.fence.fall();
            return Err("the lease is another's".to_owned());
        }
        Ok(())
    }
}

/// When a holder stops by itself: well before the server lets another one follow.
fn stop_ms(lease: &Lease) -> u64 {
    let margin = (lease.ttl / 4).min(Duration::from_secs(2));
    lease.renewed_ms.get() + millis(lease.ttl - margin)
}

fn server(link: &Link) -> Result<ServerId, Fault> {
    let rows = link.query(SERVER, &[])?;
    let row = rows.first().ok_or("the server does not say who it is")?;
    let Some(Value::Number(Some(system_identifier))) = row.0.first() else {
        return Err("the server does not say who it is".to_owned());
    };
    let flushes = [row.text(2)?, row.text(3)?, row.text(4)?, row.text(5)?];
    let [fsync, pages, commit, read_only] = &flushes;
    let is_durable = (&fsync[..], &pages[..], &read_only[..]) == ("on", "on", "off");
    if !is_durable || !["on", "remote_apply"].contains(&&commit[..]) {
        return Err(format!(
            "the server would not flush: fsync, full_page_writes, synchronous_commit, read only: {flushes:?}"
        ));
    }
    Ok(ServerId { system_identifier: *system_identifier, timeline: row.number(1)? })
}

impl Database for PostgresDatabase {
    fn execute(&self, statement: &str, values: &[Value]) -> Result<u64, Fault> {
        self.settled(|| self.link.execute(statement, values))
    }

    fn query(&self, query: &str, values: &[Value]) -> Result<Vec<Row>, Fault> {
        self.settled(|| self.link.query(query, values))
    }

    fn begin(&self, keys: &[KeyId]) -> Result<(), Fault> {
        if self.fence.is_past() {
            return Err("the lease was not renewed in time".to_owned());
        }
        self.link.batch(BEGIN)?;
        self.is_inside.set(true);
        self.hold()?;
        // A pooler may have moved this connection to another server, which lacks what was committed.
        if server(&self.link)? != self.server {
            return Err("this is another server, or another history of it".to_owned());
        }
        if !keys.is_empty() {
            let places: Vec<String> = (1..=keys.len()).map(|n| format!("${n}")).collect();
            let query = format!(
                "SELECT key_id FROM keys WHERE key_id IN ({}) ORDER BY key_id FOR UPDATE",
                places.join(", ")
            );
            let keys: Vec<Value> = keys.iter().map(|key| Value::from(&key.0)).collect();
            self.link.query(&query, &keys)?;
        }
        Ok(())
    }

    fn commit(&self) -> Result<(), Fault> {
        self.is_inside.set(false);
        // If no answer comes nobody knows whether it was done: the ledger stops, and the next opening finds out.
        self.link.batch("COMMIT")
    }

    fn roll_back(&self) {
        if self.is_inside.replace(false) {
            self.link.roll_back();
        }
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn lease(&self) -> Option<(String, u64)> {
        self.lease.as_ref().map(|lease| (lease.name.to_owned(), lease.token))
    }

    fn renewal(&self) -> Option<Duration> {
        let lease = self.lease.as_ref().filter(|_| !self.link.is_broken())?;
        let due_ms = lease.renewed_ms.get() + millis(lease.ttl) * 3 / 10;
        Some(Duration::from_millis(due_ms.saturating_sub(since_start_ms())))
    }

    fn renew(&self) -> Result<(), Fault> {
        let Some(lease) = &self.lease else { return Ok(()) };
        let now = since_start_ms();
        let [name, holder, token] = lease.id();
        let changed = self.execute(RENEW, &[name, holder, token, Value::from(millis(lease.ttl))])?;
        if changed != 1 {
            self.fence.fall();
            return Err("the lease is another's".to_owned());
        }
        lease.renewed_ms.set(now);
        self.fence.set(stop_ms(lease));
        Ok(())
    }

    fn fence(&self) -> Arc<Fence> {
        Arc::clone(&self.fence)
    }
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        if let Some(lease) = self.lease.take().filter(|_| !self.link.is_broken()) {
            self.roll_back();
            // Otherwise it runs out.
            let _ = self.execute(RELEASE, &lease.id());
        }
    }
}
