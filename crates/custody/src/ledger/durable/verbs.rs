//! What an operator does with a ledger. Every verb can only take away: none lowers a watermark, opens a position or brings
//! back a retired key; and each leaves a line that says so, with its reason.
#![forbid(unsafe_code)]

use super::Ledger;
use super::core::Core;
use super::open::{random_id, shortened};
use super::rows;
use crate::identity::{Family, KeyId, key_id};
use crate::ledger::accounts::{Account, Accounts};
use crate::ledger::interchange::{
    Chain, Import, Transfer, export_eip3076, export_own, import_eip3076, import_own, read_own,
};
use crate::ledger::migration::OldRecord;
use crate::ledger::record::{KeyInstance, KeyState, Ordering, Place, Record, is_word};
use crate::ledger::refused::{LedgerError, Problem};
use crate::ledger::request::{InitialState, Standing};
use std::collections::BTreeMap;

/// A history that has left a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub text: String,
    /// The number of the transfer, which goes into keystores that travel with it.
    pub transfer: [u8; 16],
}

/// A key that a ledger knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownKey {
    /// Where it stands.
    pub standing: Standing,
    /// Its public key in SSZ, where that is known.
    pub public_key: Option<Vec<u8>>,
}

/// The line that an operator's action leaves.
pub(super) fn note(action: &str, reason: &str) -> Record {
    Record::Operator { action: action.to_owned(), detail: shortened(reason).into_bytes() }
}

/// The account of a key.
pub(super) fn account<'a>(core: &'a Core, key: &KeyId) -> Result<&'a Account, LedgerError> {
    let unknown =
        || LedgerError::new(Problem::UnknownKey, format_args!("the ledger does not know the key {key}"));
    core.accounts.get(key).ok_or_else(unknown)
}

/// What a problem found in a file becomes.
fn refused(problem: Problem) -> LedgerError {
    LedgerError::new(problem, format_args!("refused: {}", problem.code()))
}

/// See [`crate::ledger::EpochLedger::register`].
pub(in crate::ledger) fn register(
    core: &mut Core,
    mut key: KeyInstance,
    public_key: &[u8],
    state: InitialState,
) -> Result<(), LedgerError> {
    core.check_running()?;
    check_instance(&key, public_key)?;
    let same = |_| {
        LedgerError::new(Problem::SameOneTimeKeys, "another key of this ledger has the same one-time keys")
    };
    let is_known = core.accounts.knows(&key).map_err(same)?;
    let id = key.key_id;
    if core.public_keys.get(&id).is_some_and(|known| known != public_key) {
        let text = "the ledger knows these one-time keys with another public key";
        return Err(LedgerError::new(Problem::SameOneTimeKeys, text));
    }
    let mut records = Vec::new();
    match (is_known, &state) {
        (true, _) => {
            let known = account(core, &id)?.instance.clone();
            if known.ordering == Ordering::Strict {
                key.ordering = Ordering::Strict;
            }
            key.one_time_key_id = known.one_time_key_id.or(key.one_time_key_id);
            if key != known {
                records.push(Record::Key(key));
            }
        }
        (false, InitialState::Known) => {
            let text = format!("the ledger has no state of the key {id}");
            return Err(LedgerError::new(Problem::NoState, text));
        }
        (false, InitialState::New) => records.push(Record::Key(key)),
        (false, InitialState::Quarantined) => {
            records.push(Record::Key(key));
            records.push(Record::State { key: id, state: KeyState::Quarantined });
        }
        (false, InitialState::Adopt { low, reason }) => {
            let low = (*low).max(after_clock(core)).clamp(key.start, key.end);
            records.push(Record::Key(key));
            records.push(Record::Low { key: id, low });
            records.push(note("adopt", reason));
        }
    }
    // After a rebuild a public key may be missing; a known one was compared.
    let is_missing = !core.public_keys.contains_key(&id);
    if !records.is_empty() || is_missing {
        if records.is_empty() {
            records.push(note("public-key", &id.to_string()));
        }
        act_with_keys(core, records, &BTreeMap::from([(id, public_key.to_vec())]))?;
    }
    Ok(())
}

/// The first epoch after everything that the clock has allowed so far; 0 without a clock.
fn after_clock(core: &Core) -> u64 {
    core.now().map_or(0, |now| now.saturating_add(core.settings.bounds.ahead).saturating_add(1))
}

/// Does what `records` say, with public keys of keys among them.
pub(in crate::ledger) fn act_with_keys(
    core: &mut Core,
    records: Vec<Record>,
    public_keys: &BTreeMap<KeyId, Vec<u8>>,
) -> Result<(), LedgerError> {
    let known = core.public_keys.clone();
    let new: Vec<_> = public_keys.iter().filter(|(key, _)| !known.contains_key(key)).collect();
    core.act_with(records, |store| {
        new.iter().try_for_each(|(key, public_key)| rows::write_public_key(store, key, public_key))
    })?;
    core.public_keys.extend(new.into_iter().map(|(key, public_key)| (*key, public_key.clone())));
    Ok(())
}

/// The parts of an instance must fit each other and the limits of a line.
fn check_instance(key: &KeyInstance, public_key: &[u8]) -> Result<(), LedgerError> {
    let malformed = |what: &str| Err(LedgerError::new(Problem::Malformed, what));
    if ![&key.scheme, &key.role, &key.implementation].into_iter().all(|word| is_word(word)) {
        return malformed("scheme, role and implementation are single words");
    }
    let family = Family::of_scheme(&key.scheme);
    let part = family.and_then(|family| family.part_of(public_key).map(|part| key_id(family, part)));
    if part != Some(key.key_id) {
        return malformed("the public key is not that of the key's name");
    }
    if key.start >= key.end || key.end > i64::MAX.unsigned_abs() {
        return malformed("the key has no epochs, or too many");
    }
    if family.is_some_and(|family| family.implementation() != key.implementation) {
        return malformed("this version does not offer the derivation that the key is pinned to");
    }
    Ok(())
}

impl Ledger {
    /// Where every key stands, and its public key where that is known.
    ///
    /// # Errors
    /// The ledger has stopped.
    pub fn keys(&self) -> Result<Vec<KnownKey>, LedgerError> {
        self.ask(|core| {
            let known = |account: &Account| KnownKey {
                standing: Standing::of(account),
                public_key: core.public_keys.get(&account.instance.key_id).cloned(),
            };
            Ok(core.accounts.iter().map(known).collect())
        })
    }

    /// The reserved positions of a key, each with the digest of its message or closed.
    ///
    /// # Errors
    /// [`Problem::UnknownKey`].
    pub fn entries(&self, key: &KeyId) -> Result<BTreeMap<Place, Option<[u8; 32]>>, LedgerError> {
        let key = *key;
        self.ask(move |core| account(core, &key).map(|account| account.entries.clone()))
    }

    /// Answers for a quarantined key: it has signed nothing from `low` on, and is active.
    ///
    /// # Errors
    /// [`Problem::UnknownKey`], [`Problem::Retired`].
    pub fn adopt(&self, key: &KeyId, low: u64, reason: &str) -> Result<(), LedgerError> {
        let (key, reason) = (*key, reason.to_owned());
        self.ask(move |core| {
            let known = account(core, &key)?;
            if known.state == KeyState::Retired {
                return Err(LedgerError::new(Problem::Retired, "the key has moved away from this ledger"));
            }
            let after_highest = known.highest.map_or(0, |highest| highest + 1);
            let low = low.max(after_clock(core)).max(known.low).max(after_highest).min(known.instance.end);
            core.act(vec![
                Record::Low { key, low },
                Record::State { key, state: KeyState::Active },
                note("adopt", &reason),
            ])
        })
    }

    /// The clock is right although it has jumped: the keys that were quarantined for it, while this ledger was open, go on
    /// after everything that both times have allowed. The answer is how many. (After a restart: [`Self::adopt`].)
    ///
    /// # Errors
    /// The ledger has stopped.
    pub fn accept_clock(&self, reason: &str) -> Result<usize, LedgerError> {
        let reason = reason.to_owned();
        self.ask(move |core| {
            let floor = after_clock(core);
            let is_waiting = |account: &&Account| {
                let key = &account.instance.key_id;
                core.clock.quarantined.contains(key) && account.state == KeyState::Quarantined
            };
            let mut records = Vec::new();
            for account in core.accounts.iter().filter(is_waiting) {
                let key = account.instance.key_id;
                let after_highest = account.highest.map_or(0, |highest| highest + 1);
                let low = account.low.max(after_highest).max(floor).min(account.instance.end);
                records.push(Record::Low { key, low });
                records.push(Record::State { key, state: KeyState::Active });
            }
            let count = records.len() / 2;
            if count > 0 {
                records.push(note("accept-clock", &reason));
                core.act(records)?;
            }
            core.clock.quarantined.clear();
            Ok(count)
        })
    }

    /// The key signs nothing here any more, for ever.
    ///
    /// # Errors
    /// [`Problem::UnknownKey`].
    pub fn retire(&self, key: &KeyId, reason: &str) -> Result<(), LedgerError> {
        self.set_state(key, KeyState::Retired, "retire", reason)
    }

    pub(super) fn set_state(
        &self,
        key: &KeyId,
        state: KeyState,
        action: &str,
        reason: &str,
    ) -> Result<(), LedgerError> {
        let (key, record) = (*key, note(action, reason));
        self.ask(move |core| {
            account(core, &key)?;
            core.act(vec![Record::State { key, state }, record])
        })
    }

    /// Gives the positions of a key from `at` on away, into a file for another ledger: this one never signs them again,
    /// and the other nothing else. `name` names the range in both.
    ///
    /// # Errors
    /// [`Problem::Backwards`] if the key does not own them.
    pub fn split(&self, key: &KeyId, at: u64, name: &str) -> Result<Exported, LedgerError> {
        let (key, name) = (*key, name.to_owned());
        self.ask(move |core| {
            let known = account(core, &key)?;
            let (start, end) = (known.instance.start, known.instance.end);
            let refused = |what: &str| Err(LedgerError::new(Problem::Backwards, what));
            let is_free = is_word(&name) && !known.ranges.contains_key(&name);
            if known.state != KeyState::Active || !is_free || at <= start || at >= end {
                return refused("the key is not active, or the range is empty or named already");
            }
            let owned: Vec<_> = if known.is_ranged {
                known.ranges.iter().map(|(name, &(start, end))| (Some(name.clone()), start, end)).collect()
            } else {
                vec![(None, start, end)]
            };
            let Some((old, first, last)) =
                owned.into_iter().find(|&(_, start, end)| (start..end).contains(&at))
            else {
                return refused("no range of this ledger has that position");
            };
            if known.highest.is_some_and(|highest| highest >= at) {
                return refused("the key has signed in the part that would be given away");
            }
            let mut away = known.clone();
            away.is_ranged = true;
            away.ranges = BTreeMap::from([(name.clone(), (at, last))]);
            away.low = away.low.max(at);
            let mut records: Vec<Record> =
                old.into_iter().map(|range| Record::RangeGone { key, range }).collect();
            let kept = format!("{name}.kept");
            if first < at {
                records.push(Record::Range { key, range: kept, start: first, end: at });
            }
            records.push(Record::Range { key, range: name.clone(), start: at, end: last });
            records.push(Record::RangeGone { key, range: name.clone() });
            let transfer = Transfer { id: random_id()?, retired: true };
            records.push(note("split", &name));
            core.act(records)?;
            let text = own_file(core, &transfer, [&away]);
            Ok(Exported { text, transfer: transfer.id })
        })
    }

    /// The history of `keys`, or of all, for another ledger. With `retire` the keys are retired here first, and may be
    /// active there.
    ///
    /// # Errors
    /// [`Problem::UnknownKey`].
    pub fn export(&self, keys: Option<&[KeyId]>, retire: bool) -> Result<Exported, LedgerError> {
        let keys = keys.map(<[KeyId]>::to_vec);
        self.ask(move |core| {
            core.check_running()?;
            let keys = keys.unwrap_or_else(|| core.accounts.iter().map(|a| a.instance.key_id).collect());
            let accounts: Vec<Account> =
                keys.iter().map(|key| account(core, key).cloned()).collect::<Result<_, _>>()?;
            if retire && accounts.iter().any(|account| account.state == KeyState::Retired) {
                return Err(LedgerError::new(Problem::Retired, "a key has moved away before"));
            }
            let transfer = Transfer { id: random_id()?, retired: retire };
            let text = own_file(core, &transfer, &accounts);
            if retire {
                let state = KeyState::Retired;
                let mut records: Vec<_> = keys.iter().map(|&key| Record::State { key, state }).collect();
                records.push(Record::Operator { action: "export".to_owned(), detail: transfer.id.to_vec() });
                core.act(records)?;
            }
            Ok(Exported { text, transfer: transfer.id })
        })
    }

    /// The history of all synchronized keys as EIP-3076, version 5.
    ///
    /// # Errors
    /// The ledger has stopped.
    pub fn export_eip3076(&self) -> Result<String, LedgerError> {
        self.ask(|core| {
            core.check_running()?;
            let message = |key: &KeyId, epoch| core.store.message(key, &Place::epoch(epoch))?.try_into().ok();
            Ok(export_eip3076(&core.accounts, &chain(core), &message).pretty())
        })
    }

    /// Takes in a history, in either form, as a whole or not at all; positions with two messages are closed, and their
    /// number is the answer.
    ///
    /// # Errors
    /// Why nothing was taken in.
    pub fn import(&self, file: &[u8]) -> Result<usize, LedgerError> {
        let file = file.to_vec();
        self.ask(move |core| {
            core.check_running()?;
            let own = match read_own(&file) {
                Ok(own) => Some(own),
                Err(Problem::Malformed) => None,
                Err(problem) => return Err(refused(problem)),
            };
            let (import, public_keys) = match own {
                Some(own) => {
                    let import = import_own(&core.accounts, &own).map_err(refused)?;
                    let keys = own.public_keys().map(|(key, public_key)| (key, public_key.to_vec()));
                    (import, keys.collect())
                }
                None => {
                    let import = import_eip3076(&core.accounts, &chain(core), &file).map_err(refused)?;
                    (import, BTreeMap::new())
                }
            };
            let Import { mut records, closed_by_conflict } = import;
            if !records.is_empty() {
                records.push(note("import", &format!("{closed_by_conflict} closed by conflict")));
                act_with_keys(core, records, &public_keys)?;
            }
            Ok(closed_by_conflict)
        })
    }

    /// Takes in what a record of an earlier version says of a key that is registered, which is quarantined from then on.
    /// [`Self::adopt_records`] does this and what else is needed.
    ///
    /// # Errors
    /// [`Problem::UnknownKey`].
    pub fn unite_record(&self, key: &KeyId, record: &OldRecord) -> Result<(), LedgerError> {
        let (key, record) = (*key, record.clone());
        self.ask(move |core| {
            let known = account(core, &key)?;
            let interval = known.instance.start..known.instance.end;
            let mut records = Vec::new();
            if known.state == KeyState::Active {
                records.push(Record::State { key, state: KeyState::Quarantined });
            }
            for (&epoch, &digest) in record.entries.iter().filter(|(epoch, _)| interval.contains(epoch)) {
                let place = Place::epoch(epoch);
                let digest = match known.entries.get(&place) {
                    Some(Some(here)) if Some(*here) != digest => None,
                    Some(_) => continue,
                    None => digest,
                };
                records.push(Record::Entry { key, place, digest });
            }
            if records.is_empty() { Ok(()) } else { core.act(records) }
        })
    }

    /// Begins a new segment of the side log. Afterwards strict keys of ledgers keep the entries of their last `kept`
    /// epochs, or heights of the chain that is least far; all below is closed.
    ///
    /// # Errors
    /// The ledger has stopped, or stops.
    pub fn compact(&self, kept: u64) -> Result<(), LedgerError> {
        self.ask(move |core| {
            let records = prunings(&core.accounts, kept);
            if !records.is_empty() {
                core.act(records)?;
            }
            core.check_running()?;
            core.rotate()
        })
    }
}

/// What is no longer kept: never the row of the highest position, of whatever chain.
fn prunings(accounts: &Accounts, kept: u64) -> Vec<Record> {
    let mut records = Vec::new();
    for account in accounts.iter() {
        // A consensus key goes forward on each of its chains: none loses heights because of another that is further.
        let greatest = account.least_greatest().filter(|_| account.instance.ordering == Ordering::Strict);
        let Some(greatest) = greatest else { continue };
        let (key, below) = (account.instance.key_id, greatest.saturating_sub(kept));
        if account.entries.first_key_value().is_none_or(|(place, _)| place.position[0] >= below) {
            continue;
        }
        if below > account.low {
            records.push(Record::Low { key, low: below });
        }
        records.push(Record::Pruned { key, below });
    }
    records
}

fn chain(core: &Core) -> Chain {
    Chain {
        genesis_validators_root: core.settings.genesis_validators_root,
        public_keys: core.public_keys.clone(),
    }
}

fn own_file<'a>(core: &Core, transfer: &Transfer, accounts: impl IntoIterator<Item = &'a Account>) -> String {
    export_own(&core.ledger_id, transfer, accounts, &|key| core.public_keys.get(key).cloned()).pretty()
}
