//! Where every key of a ledger stands: what its records amount to.
#![forbid(unsafe_code)]

use super::record::{Digest, KeyInstance, KeyState, Mode, Ordering, Place, Record, SNAPSHOT, TRANSFER};
use crate::identity::{KeyId, OneTimeKeyId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Where one key stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// What it is.
    pub instance: KeyInstance,
    /// Whether it may sign.
    pub state: KeyState,
    /// Nothing new below this.
    pub low: u64,
    /// Nothing new from here on.
    pub high: Option<u64>,
    /// The greatest epoch, or height, ever reserved.
    pub highest: Option<u64>,
    /// Whether it signs in ranges only: it has owned one, perhaps none any more.
    pub is_ranged: bool,
    /// The ranges that are this ledger's: start, end.
    pub ranges: BTreeMap<String, (u64, u64)>,
    /// Reserved positions, each with the message's digest or closed.
    pub entries: BTreeMap<Place, Option<Digest>>,
}

impl Account {
    fn new(instance: KeyInstance) -> Self {
        Self {
            state: KeyState::Active,
            low: instance.start,
            high: None,
            highest: None,
            is_ranged: false,
            ranges: BTreeMap::new(),
            entries: BTreeMap::new(),
            instance,
        }
    }

    /// Whether this key may sign at `position` as far as ranges say.
    #[must_use]
    pub fn owns(&self, position: u64) -> bool {
        !self.is_ranged || self.ranges.values().any(|&(start, end)| (start..end).contains(&position))
    }

    /// Whether what is signed at its positions holds a time, and may come again with another.
    #[must_use]
    pub fn may_repeat_with_other_time(&self) -> bool {
        self.state == KeyState::Active && self.instance.mode == Mode::HeightRoundStep
    }

    /// The least of the greatest epochs or heights that have entries, of its domains; `None` without entries.
    #[must_use]
    pub fn least_greatest(&self) -> Option<u64> {
        let mut greatest = BTreeMap::new();
        for place in self.entries.keys() {
            greatest.insert(&place.domain, place.position[0]);
        }
        greatest.into_values().min()
    }

    /// The greatest position of a domain.
    #[must_use]
    pub fn greatest(&self, domain: &str) -> Option<[u64; 3]> {
        let place = |position| Place { domain: domain.to_owned(), position };
        let mut of_domain = self.entries.range(place([0; 3])..=place([u64::MAX; 3]));
        of_domain.next_back().map(|(place, _)| place.position)
    }
}

/// Records that contradict what was said before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inconsistent {
    /// A key that is not registered.
    Unregistered,
    /// A known key with other properties, or the one-time secrets of another.
    SameOneTimeKeys,
    /// A key without epochs.
    Interval,
    /// Two messages at one position.
    TwoMessages,
    /// A position that is none of the key's.
    Position,
    /// A watermark that falls, or is outside the interval.
    Watermark,
    /// Ranges that overlap, or one that is not there.
    Range,
    /// A retired key that returns.
    RetiredReturns,
    /// Entries that are no longer kept although they are above the low watermark.
    PrunedAboveLow,
}

impl fmt::Display for Inconsistent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unregistered => "a record of a key that is not registered",
            Self::SameOneTimeKeys => "a second key with the same one-time keys",
            Self::Interval => "a key without epochs",
            Self::TwoMessages => "two messages at one position",
            Self::Position => "a position that the key does not have",
            Self::Watermark => "a watermark that falls or leaves the interval",
            Self::Range => "ranges that overlap, or one that is not there",
            Self::RetiredReturns => "a retired key that returns",
            Self::PrunedAboveLow => "entries above the low watermark that are no longer kept",
        })
    }
}

/// All keys of a ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accounts {
    keys: BTreeMap<KeyId, Account>,
    one_time_keys: BTreeMap<OneTimeKeyId, KeyId>,
    transfers: BTreeSet<[u8; 16]>,
}

impl Accounts {
    /// A key.
    #[must_use]
    pub fn get(&self, key: &KeyId) -> Option<&Account> {
        self.keys.get(key)
    }

    /// All keys, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Account> {
        self.keys.values()
    }

    /// Whether the transfer of this number has been imported.
    #[must_use]
    pub fn has_transfer(&self, id: &[u8; 16]) -> bool {
        self.transfers.contains(id)
    }

    /// Whether `log` has every transfer that this has.
    #[must_use]
    pub(crate) fn has_only_transfers_of(&self, log: &Self) -> bool {
        self.transfers.is_subset(&log.transfers)
    }

    /// Whether `instance` is what is registered of its name and of its one-time secrets. `Ok(false)` if nothing is.
    ///
    /// # Errors
    /// Something else is.
    pub fn knows(&self, instance: &KeyInstance) -> Result<bool, Inconsistent> {
        let owner = instance.one_time_key_id.and_then(|id| self.one_time_keys.get(&id));
        if owner.is_some_and(|&owner| owner != instance.key_id) {
            return Err(Inconsistent::SameOneTimeKeys);
        }
        let Some(known) = self.keys.get(&instance.key_id) else { return Ok(false) };
        let known = &known.instance;
        let is_other_secret =
            matches!((known.one_time_key_id, instance.one_time_key_id), (Some(a), Some(b)) if a != b);
        let same = KeyInstance {
            ordering: known.ordering,
            one_time_key_id: known.one_time_key_id,
            ..instance.clone()
        };
        if same != *known || is_other_secret { Err(Inconsistent::SameOneTimeKeys) } else { Ok(true) }
    }

    /// Applies what `record` says.
    ///
    /// # Errors
    /// It contradicts what was said before; nothing has changed then.
    pub fn apply(&mut self, record: &Record) -> Result<(), Inconsistent> {
        match record {
            Record::Key(instance) => self.register(instance),
            Record::Entry { key, place, digest } => self.account(key)?.enter(place, *digest),
            Record::Low { key, low } => {
                let account = self.account(key)?;
                if *low < account.low || *low > account.instance.end {
                    return Err(Inconsistent::Watermark);
                }
                account.low = *low;
                Ok(())
            }
            Record::High { key, high } => {
                self.account(key)?.high = *high;
                Ok(())
            }
            Record::Range { key, range, start, end } => self.account(key)?.take_range(range, *start, *end),
            Record::RangeGone { key, range } => {
                self.account(key)?.ranges.remove(range).map(|_| ()).ok_or(Inconsistent::Range)
            }
            Record::State { key, state } => {
                let account = self.account(key)?;
                if account.state == KeyState::Retired && *state != KeyState::Retired {
                    return Err(Inconsistent::RetiredReturns);
                }
                account.state = *state;
                Ok(())
            }
            Record::Pruned { key, below } => {
                let account = self.account(key)?;
                if *below > account.low {
                    return Err(Inconsistent::PrunedAboveLow);
                }
                account.entries.retain(|place, _| place.position[0] >= *below);
                Ok(())
            }
            Record::Operator { action, detail } if action == TRANSFER => {
                self.transfers.extend(<[u8; 16]>::try_from(&detail[..]).ok());
                Ok(())
            }
            Record::Lease { .. } | Record::Incarnation { .. } | Record::Operator { .. } => Ok(()),
        }
    }

    /// Applies records in order.
    ///
    /// # Errors
    /// The first that contradicts those before it; those have been applied.
    pub fn apply_all<'a>(
        &mut self,
        records: impl IntoIterator<Item = &'a Record>,
    ) -> Result<(), Inconsistent> {
        records.into_iter().try_for_each(|record| self.apply(record))
    }

    /// The records that amount to exactly this: what a new segment of the side log begins with.
    #[must_use]
    pub fn snapshot(&self) -> Vec<Record> {
        let keys = self.keys.values().map(|account| Record::Key(account.instance.clone()));
        let mut records: Vec<Record> = keys.collect();
        for account in self.keys.values() {
            account.snapshot(&mut records);
        }
        let transfer = |id: &[u8; 16]| Record::Operator { action: TRANSFER.to_owned(), detail: id.to_vec() };
        records.extend(self.transfers.iter().map(transfer));
        records
    }

    fn account(&mut self, key: &KeyId) -> Result<&mut Account, Inconsistent> {
        self.keys.get_mut(key).ok_or(Inconsistent::Unregistered)
    }

    fn register(&mut self, instance: &KeyInstance) -> Result<(), Inconsistent> {
        if self.knows(instance)? {
            let known = &mut self.account(&instance.key_id)?.instance;
            if known.ordering == Ordering::Strict && instance.ordering == Ordering::Any {
                return Err(Inconsistent::SameOneTimeKeys);
            }
            known.ordering = instance.ordering;
            known.one_time_key_id = known.one_time_key_id.or(instance.one_time_key_id);
        } else {
            if instance.start >= instance.end {
                return Err(Inconsistent::Interval);
            }
            self.keys.insert(instance.key_id, Account::new(instance.clone()));
        }
        if let Some(id) = instance.one_time_key_id {
            self.one_time_keys.insert(id, instance.key_id);
        }
        Ok(())
    }
}

impl Account {
    fn enter(&mut self, place: &Place, digest: Option<Digest>) -> Result<(), Inconsistent> {
        if !self.has_place(place) {
            return Err(Inconsistent::Position);
        }
        match self.entries.get_mut(place) {
            Some(known) if *known == digest => {}
            Some(known) if digest.is_none() => *known = None,
            Some(_) => return Err(Inconsistent::TwoMessages),
            None => {
                self.entries.insert(place.clone(), digest);
            }
        }
        self.highest = self.highest.max(Some(place.position[0]));
        Ok(())
    }

    /// Whether `place` is a position of this key.
    #[must_use]
    pub fn has_place(&self, place: &Place) -> bool {
        let [p0, p1, p2] = place.position;
        let is_consensus = place.domain != "-";
        let is_of_mode = is_consensus == (self.instance.mode == Mode::HeightRoundStep);
        is_of_mode
            && (is_consensus || (p1, p2) == (0, 0))
            && (self.instance.start..self.instance.end).contains(&p0)
    }

    fn take_range(&mut self, range: &str, start: u64, end: u64) -> Result<(), Inconsistent> {
        let overlaps = self.ranges.values().any(|&(first, last)| start < last && first < end);
        if start >= end || overlaps || self.ranges.contains_key(range) {
            return Err(Inconsistent::Range);
        }
        self.ranges.insert(range.to_owned(), (start, end));
        self.is_ranged = true;
        Ok(())
    }

    fn snapshot(&self, records: &mut Vec<Record>) {
        let key = self.instance.key_id;
        if self.state != KeyState::Active {
            records.push(Record::State { key, state: self.state });
        }
        if self.low != self.instance.start {
            records.push(Record::Low { key, low: self.low });
        }
        if let Some(high) = self.high {
            records.push(Record::High { key, high: Some(high) });
        }
        if self.is_ranged && self.ranges.is_empty() {
            // The name is not used by any range, and the pair leaves nothing but the knowledge that there was one.
            let (range, start, end) = (SNAPSHOT.to_owned(), self.instance.start, self.instance.end);
            records.push(Record::Range { key, range: range.clone(), start, end });
            records.push(Record::RangeGone { key, range });
        }
        for (range, &(start, end)) in &self.ranges {
            records.push(Record::Range { key, range: range.clone(), start, end });
        }
        for (place, &digest) in &self.entries {
            records.push(Record::Entry { key, place: place.clone(), digest });
        }
    }
}
