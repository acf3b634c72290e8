//! What each record does to the rows of the store.
#![forbid(unsafe_code)]

use super::store::Store;
use crate::identity::KeyId;
use crate::ledger::database::{Fault, values};
use crate::ledger::record::{KeyInstance, Place, Record, TRANSFER};

/// Where a record stands in the side log, and what else is known of it.
pub(crate) struct Context<'a> {
    /// The witness.
    pub(crate) witness_id: &'a [u8; 16],
    /// The group.
    pub(crate) group: u64,
    /// The token of the lease, where there is one.
    pub(crate) token: Option<u64>,
    /// The message of an entry, where it is known.
    pub(crate) message: Option<&'a [u8]>,
}

/// Writes `record` into the store, whose constraints and triggers see to it that it takes nothing back.
pub(crate) fn write(store: &Store, record: &Record, context: &Context<'_>) -> Result<(), Fault> {
    match record {
        Record::Key(instance) => write_key(store, instance),
        Record::Entry { key, place, digest } => write_entry(store, key, place, digest.as_ref(), context),
        Record::Low { key, low } => {
            store.execute("UPDATE keys SET low_watermark = $2 WHERE key_id = $1", values![&key.0, *low])
        }
        Record::High { key, high } => {
            store.execute("UPDATE keys SET high_watermark = $2 WHERE key_id = $1", values![&key.0, *high])
        }
        Record::Range { key, range, start, end } => store
            .execute(
                "INSERT INTO ranges (key_id, range_id, start_epoch, end_epoch) VALUES ($1, $2, $3, $4)",
                values![&key.0, &range[..], *start, *end],
            )
            .and_then(|_| store.execute("UPDATE keys SET is_ranged = 1 WHERE key_id = $1", values![&key.0])),
        Record::RangeGone { key, range } => store
            .execute("DELETE FROM ranges WHERE key_id = $1 AND range_id = $2", values![&key.0, &range[..]]),
        Record::State { key, state } => {
            store.execute("UPDATE keys SET state = $2 WHERE key_id = $1", values![&key.0, state.name()])
        }
        Record::Pruned { key, below } => {
            store.execute("DELETE FROM entries WHERE key_id = $1 AND p0 < $2", values![&key.0, *below])
        }
        Record::Incarnation { number, .. } => {
            store.execute("UPDATE ledger SET incarnation = $1", values![*number])
        }
        Record::Operator { action, detail } if action == TRANSFER => {
            store.execute("INSERT INTO transfers (id) VALUES ($1)", values![&detail[..]])
        }
        Record::Operator { .. } | Record::Lease { .. } => Ok(0),
    }
    .map(|_| ())
}

/// Writes the public key of a key whose row lacks it.
pub(crate) fn write_public_key(store: &Store, key: &KeyId, public_key: &[u8]) -> Result<(), Fault> {
    let statement = "UPDATE keys SET pubkey = $2 WHERE key_id = $1 AND pubkey IS NULL";
    store.execute(statement, values![&key.0, public_key]).map(|_| ())
}

fn write_key(store: &Store, key: &KeyInstance) -> Result<u64, Fault> {
    store.execute(
        "INSERT INTO keys (key_id, one_time_key_id, scheme, role, mode, ordering, start_epoch, end_epoch,
                           implementation, state, low_watermark)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'active', $7)
         ON CONFLICT (key_id) DO UPDATE SET ordering = excluded.ordering,
                           one_time_key_id = coalesce(keys.one_time_key_id, excluded.one_time_key_id)",
        values![
            &key.key_id.0,
            key.one_time_key_id.as_ref().map(|id| &id.0),
            &key.scheme[..],
            &key.role[..],
            key.mode.name(),
            key.ordering.name(),
            key.start,
            key.end,
            &key.implementation[..]
        ],
    )
}

/// Enters a position. One that is there can only be closed: a second digest breaks the primary key.
fn write_entry(
    store: &Store,
    key: &KeyId,
    place: &Place,
    digest: Option<&[u8; 32]>,
    context: &Context<'_>,
) -> Result<u64, Fault> {
    let [p0, p1, p2] = place.position;
    let insert =
        "INSERT INTO entries (key_id, domain, p0, p1, p2, digest, message, witness_id, grp, lease_token)
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    // One that is there is closed; two digests break the primary key.
    let close = format!(
        "{insert} ON CONFLICT (key_id, domain, p0, p1, p2)
         DO UPDATE SET digest = NULL, message = NULL, signature = NULL"
    );
    let statement = if digest.is_some() { insert } else { &close };
    let message = context.message.filter(|_| digest.is_some());
    store.execute(
        statement,
        values![
            &key.0,
            &place.domain[..],
            p0,
            p1,
            p2,
            digest,
            message,
            context.witness_id,
            context.group,
            context.token
        ],
    )?;
    store.execute(
        "UPDATE keys SET highest = CASE WHEN highest > $2 THEN highest ELSE $2 END WHERE key_id = $1",
        values![&key.0, p0],
    )
}
