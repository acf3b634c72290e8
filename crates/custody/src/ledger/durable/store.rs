//! The store: rows of a database that say what the records say.
#![forbid(unsafe_code)]

use super::place::Home;
use crate::identity::{Family, KeyId, OneTimeKeyId, key_id};
use crate::ledger::accounts::Accounts;
use crate::ledger::database::{Database, Fault, Row, Value, values};
use crate::ledger::log::Head;
use crate::ledger::record::{KeyInstance, KeyState, Mode, Ordering, Place, Record, SNAPSHOT, TRANSFER};
use crate::ledger::refused::{LedgerError, Problem};
use crate::ledger::rules::Bounds;
use crate::ledger::startup::StoreRow;
use std::collections::BTreeMap;

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

/// The store, open for this process alone, or under its lease.
pub(crate) struct Store {
    pub(crate) db: Box<dyn Database>,
}

/// A damaged row, with what does not fit.
fn damaged(what: impl std::fmt::Display) -> LedgerError {
    LedgerError::new(Problem::StoreDamaged, format_args!("the store is damaged: {what}"))
}

const LEDGER: &str =
    "SELECT ledger_id, genesis_validators_root, genesis_time, epoch_seconds, ahead, behind, max_gap,
    incarnation FROM ledger";
const KEYS: &str = "SELECT key_id, scheme, role, mode, ordering, start_epoch, end_epoch, implementation,
    one_time_key_id, low_watermark, high_watermark, highest, is_ranged, state FROM keys ORDER BY key_id";

impl Store {
    /// The first rows of a new store.
    pub(crate) fn begin_ledger(&self, row: &LedgerRow, witness: &StoreRow, host: &str) -> Result<(), Fault> {
        let NewLedger { genesis_validators_root, clock, bounds } = row.settings;
        self.db.execute(
            "INSERT INTO ledger (id, ledger_id, genesis_validators_root, genesis_time, epoch_seconds, ahead, behind,
                                 max_gap, incarnation)
             VALUES (1, $1, $2, $3, $4, $5, $6, $7, 0)",
            values![
                &row.ledger_id,
                genesis_validators_root.as_ref(),
                clock.map(|clock| clock.genesis_time),
                clock.map(|clock| clock.epoch_seconds),
                bounds.ahead,
                bounds.behind,
                bounds.max_gap
            ],
        )?;
        self.begin_witness(witness, host)
    }

    /// The row of a side log that is new.
    pub(crate) fn begin_witness(&self, witness: &StoreRow, host: &str) -> Result<(), Fault> {
        let statement =
            "INSERT INTO witnesses (witness_id, host, segment, grp, chain, prev_chain, last_lines)
                         VALUES ($1, $2, 1, 0, $3, $4, $5)";
        let StoreRow { witness_id, chain, previous, last_lines, .. } = witness;
        self.db.execute(statement, values![witness_id, host, chain, previous, &last_lines[..]]).map(|_| ())
    }

    /// What the store says of its ledger.
    pub(crate) fn ledger(&self) -> Result<LedgerRow, LedgerError> {
        self.ledger_if_any()?.ok_or_else(|| damaged("no row of the ledger"))
    }

    /// The same, where it may have none.
    pub(crate) fn ledger_if_any(&self) -> Result<Option<LedgerRow>, LedgerError> {
        let read = |row: &Row| {
            let clock = match (row.optional_number(2)?, row.optional_number(3)?) {
                (Some(genesis_time), Some(epoch_seconds)) => Some(ChainClock { genesis_time, epoch_seconds }),
                _ => None,
            };
            let bounds = Bounds { ahead: row.number(4)?, behind: row.number(5)?, max_gap: row.number(6)? };
            Ok(LedgerRow {
                ledger_id: row.array(0)?,
                settings: NewLedger { genesis_validators_root: row.optional_array(1)?, clock, bounds },
                incarnation: row.number(7)?,
            })
        };
        self.one(LEDGER, &[], read)
    }

    /// What it says of a witness, or of the only one: the segment, and the last group.
    pub(crate) fn witness(
        &self,
        ledger_id: &[u8; 16],
        witness_id: Option<&[u8; 16]>,
    ) -> Result<(u32, StoreRow), LedgerError> {
        let read = |row: &Row| {
            let segment = u32::try_from(row.number(1)?).map_err(|_| "a segment's number".to_owned())?;
            let (group, chain, previous) = (row.number(2)?, row.array(3)?, row.array(4)?);
            let (witness_id, last_lines) = (row.array(0)?, row.optional_bytes(5)?.unwrap_or_default());
            Ok((segment, StoreRow { ledger_id: *ledger_id, witness_id, group, chain, previous, last_lines }))
        };
        let query = "SELECT witness_id, segment, grp, chain, prev_chain, last_lines FROM witnesses";
        let found = match witness_id {
            Some(id) => self.one(&format!("{query} WHERE witness_id = $1"), values![id], read)?,
            None => self.one(query, &[], read)?,
        };
        found.ok_or_else(|| damaged("no row of the side log"))
    }

    /// The first row, where there is one.
    pub(crate) fn one<T>(
        &self,
        query: &str,
        values: &[Value],
        read: impl Fn(&Row) -> Result<T, Fault>,
    ) -> Result<Option<T>, LedgerError> {
        let rows = self.db.query(query, values).map_err(damaged)?;
        rows.first().map(read).transpose().map_err(damaged)
    }

    /// All rows, as lists of one type each.
    pub(crate) fn rows<T>(
        &self,
        query: &str,
        read: impl Fn(&Row) -> Result<T, Fault>,
    ) -> Result<Vec<T>, LedgerError> {
        let rows = self.db.query(query, &[]).map_err(damaged)?;
        rows.iter().map(read).collect::<Result<_, Fault>>().map_err(damaged)
    }

    /// Where every key stands.
    pub(crate) fn accounts(&self) -> Result<Accounts, LedgerError> {
        let mut accounts = Accounts::default();
        let mut apply = |records: Vec<Record>| accounts.apply_all(&records).map_err(damaged);
        let keys = self.rows(KEYS, |row| {
            let state = KeyState::from_name(&row.text(13)?).ok_or("the state of a key")?;
            let watermarks = (row.number(9)?, row.optional_number(10)?);
            Ok((instance(row)?, watermarks, row.optional_number(11)?, row.number(12)? != 0, state))
        })?;
        for (instance, (low, high), _, is_ranged, _) in &keys {
            let (key, start, end) = (instance.key_id, instance.start, instance.end);
            apply(vec![
                Record::Key(instance.clone()),
                Record::Low { key, low: *low },
                Record::High { key, high: *high },
            ])?;
            if *is_ranged {
                let range = SNAPSHOT.to_owned();
                apply(vec![
                    Record::Range { key, range: range.clone(), start, end },
                    Record::RangeGone { key, range },
                ])?;
            }
        }
        apply(self.rows("SELECT key_id, domain, p0, p1, p2, digest FROM entries", |row| {
            let place =
                Place { domain: row.text(1)?, position: [row.number(2)?, row.number(3)?, row.number(4)?] };
            Ok(Record::Entry { key: KeyId(row.array(0)?), place, digest: row.optional_array(5)? })
        })?)?;
        apply(self.rows("SELECT key_id, range_id, start_epoch, end_epoch FROM ranges", |row| {
            let (start, end) = (row.number(2)?, row.number(3)?);
            Ok(Record::Range { key: KeyId(row.array(0)?), range: row.text(1)?, start, end })
        })?)?;
        apply(self.rows("SELECT id FROM transfers", |row| {
            let detail = row.array::<16>(0)?.to_vec();
            Ok(Record::Operator { action: TRANSFER.to_owned(), detail })
        })?)?;
        for (instance, _, highest, _, state) in keys {
            let key = instance.key_id;
            accounts.apply(&Record::State { key, state }).map_err(damaged)?;
            if accounts.get(&key).and_then(|account| account.highest) != highest {
                return Err(damaged("the highest position of a key"));
            }
        }
        Ok(accounts)
    }

    /// The public keys that are known, in SSZ.
    pub(crate) fn public_keys(&self) -> Result<BTreeMap<KeyId, Vec<u8>>, LedgerError> {
        let query = "SELECT key_id, pubkey, scheme FROM keys WHERE pubkey IS NOT NULL";
        let keys = self.rows(query, |row| {
            let public_key = row.optional_bytes(1)?.unwrap_or_default();
            let key = KeyId(row.array(0)?);
            let family = Family::of_scheme(&row.text(2)?);
            let part = family.and_then(|family| family.part_of(&public_key).map(|part| key_id(family, part)));
            if part.is_some_and(|part| part != key) {
                Err("a public key".to_owned())
            } else {
                Ok((key, public_key))
            }
        })?;
        Ok(keys.into_iter().collect())
    }

    /// The message of a position, where it is known.
    pub(crate) fn message(&self, key: &KeyId, place: &Place) -> Option<Vec<u8>> {
        let query = "SELECT message FROM entries
                     WHERE key_id = $1 AND domain = $2 AND p0 = $3 AND p1 = $4 AND p2 = $5";
        let [p0, p1, p2] = place.position;
        let values = values![&key.0, &place.domain[..], p0, p1, p2];
        self.one(query, values, |row| row.optional_bytes(0)).ok().flatten().flatten()
    }

    /// Where the last process with this side log was.
    pub(crate) fn last_home(&self, witness_id: &[u8; 16]) -> Result<Option<Home>, LedgerError> {
        let query = "SELECT machine_sha256, boot_id, files FROM instances WHERE witness_id = $1
                     ORDER BY incarnation DESC LIMIT 1";
        self.one(query, values![witness_id], |row| {
            Ok(Home { machine: row.array(0)?, boot_id: row.text(1)?, files: row.text(2)? })
        })
    }

    /// Begins a transaction, in which this process alone changes these keys.
    pub(crate) fn begin(&self, keys: &[KeyId]) -> Result<(), Fault> {
        self.db.begin(keys)
    }

    /// Begins a transaction that writes the row of the side log again as it is. The row must be what this process last
    /// wrote.
    pub(crate) fn begin_probe(&self, witness_id: &[u8; 16], segment: u32, at: &Head) -> Result<(), Fault> {
        self.begin(&[])?;
        let statement = "UPDATE witnesses SET segment = segment
                         WHERE witness_id = $1 AND segment = $2 AND grp = $3 AND chain = $4";
        let values = values![witness_id, u64::from(segment), at.group, &at.chain];
        let changed = self.execute(statement, values)?;
        if changed == 1 { Ok(()) } else { Err("the row of the side log is not what it was".to_owned()) }
    }

    /// Ends it, on the disk.
    pub(crate) fn commit(&self) -> Result<(), Fault> {
        self.db.commit()
    }

    /// Ends it as if it had not been.
    pub(crate) fn roll_back(&self) {
        self.db.roll_back();
    }

    /// Notes which files the last process with this side log has used.
    pub(crate) fn set_files(&self, witness_id: &[u8; 16], files: &str) -> Result<(), Fault> {
        let last = "UPDATE instances SET files = $1 WHERE incarnation =
                    (SELECT max(incarnation) FROM instances WHERE witness_id = $2)";
        self.execute(last, values![files, witness_id]).map(|_| ())
    }

    /// Sees to it that closing copies nothing from one file to another: after a fault nobody knows what would be copied.
    pub(crate) fn close_untouched(&self) {
        self.db.close_untouched();
    }

    /// Executes a statement of another module.
    pub(crate) fn execute(&self, statement: &str, values: &[Value]) -> Result<u64, Fault> {
        self.db.execute(statement, values)
    }

    /// Moves the witness's row on from one head to the next. The row must be what this process last wrote.
    pub(crate) fn move_witness(
        &self,
        (witness_id, segment): (&[u8; 16], u32),
        from: &Head,
        to: (&Head, &[u8; 32]),
        last_lines: &[u8],
    ) -> Result<(), Fault> {
        let (to, previous) = to;
        let changed = self.execute(
            "UPDATE witnesses SET segment = $1, grp = $2, chain = $3, prev_chain = $4, last_lines = $5
             WHERE witness_id = $6 AND grp = $7 AND chain = $8",
            values![
                u64::from(segment),
                to.group,
                &to.chain,
                previous,
                last_lines,
                witness_id,
                from.group,
                &from.chain
            ],
        )?;
        if changed == 1 { Ok(()) } else { Err("it is not what this process last wrote".to_owned()) }
    }
}

fn instance(row: &Row) -> Result<KeyInstance, Fault> {
    Ok(KeyInstance {
        key_id: KeyId(row.array(0)?),
        scheme: row.text(1)?,
        role: row.text(2)?,
        mode: Mode::from_name(&row.text(3)?).ok_or("the mode of a key")?,
        ordering: Ordering::from_name(&row.text(4)?).ok_or("the ordering of a key")?,
        start: row.number(5)?,
        end: row.number(6)?,
        implementation: row.text(7)?,
        one_time_key_id: row.optional_array(8)?.map(OneTimeKeyId),
    })
}
