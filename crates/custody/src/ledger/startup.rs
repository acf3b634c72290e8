//! Whether the side log and the store may go on together.
#![forbid(unsafe_code)]

use super::accounts::Accounts;
use super::log::{Group, Header, Reading, Verdict};
use super::record::{Record, SNAPSHOT};
use super::refused::Problem;

/// What the store says of its witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreRow {
    /// The ledger.
    pub ledger_id: [u8; 16],
    /// The witness.
    pub witness_id: [u8; 16],
    /// The last group.
    pub group: u64,
    /// The chain value after it.
    pub chain: [u8; 32],
    /// The chain value before it.
    pub previous: [u8; 32],
    /// Its lines.
    pub last_lines: Vec<u8>,
}

/// What has to be done before both agree, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// The log is new: its first line is written.
    pub write_header: bool,
    /// A copy of the log is kept.
    pub keep_copy: bool,
    /// What follows its last whole group is dropped.
    pub drop_tail: bool,
    /// The store's last group is appended to it.
    pub append_group: bool,
    /// The log's last group is entered into the store.
    pub replay_group: bool,
}

impl Repairs {
    /// Their names, joined by `+`; `none` without any.
    #[must_use]
    pub fn names(&self) -> String {
        let all = [
            (self.write_header, "write_header"),
            (self.keep_copy, "keep_copy"),
            (self.drop_tail, "drop_tail"),
            (self.append_group, "append_group"),
            (self.replay_group, "replay_group"),
        ];
        let names: Vec<_> = all.iter().filter(|(is_done, _)| *is_done).map(|&(_, name)| name).collect();
        if names.is_empty() { "none".to_owned() } else { names.join("+") }
    }
}

/// What has to be done before log and store may go on together.
///
/// # Errors
/// They may not.
pub fn compare(log: &Reading, store: &StoreRow) -> Result<Repairs, Problem> {
    let mut repairs = Repairs::default();
    match (log.verdict, log.header) {
        (Verdict::Empty, _) if store.group == 0 => {
            return Ok(Repairs { write_header: true, ..repairs });
        }
        (Verdict::Empty, _) => return Err(Problem::WitnessMissing),
        (Verdict::Damaged, _) | (_, None) => return Err(Problem::WitnessDamaged),
        (_, Some(Header { ledger_id, witness_id, .. })) => {
            if (ledger_id, witness_id) != (store.ledger_id, store.witness_id) {
                return Err(Problem::ForeignWitness);
            }
        }
    }
    if replay(&log.groups).is_none() {
        return Err(Problem::WitnessInconsistent);
    }
    repairs.keep_copy = log.verdict == Verdict::DamagedTail;
    repairs.drop_tail = log.verdict != Verdict::Good;
    let (last, stored) = (log.last_group(), store.group);
    let chains_agree = if last == stored {
        log.last_chain() == store.chain
    } else if Some(last) == stored.checked_add(1) {
        repairs.replay_group = true;
        log.groups.last().is_some_and(|group| group.chain_before == store.chain)
    } else if Some(stored) == last.checked_add(1) {
        repairs.append_group = true;
        log.last_chain() == store.previous
    } else {
        return Err(if last > stored { Problem::StoreOlder } else { Problem::WitnessOlder });
    };
    if chains_agree { Ok(repairs) } else { Err(Problem::WitnessDiffers) }
}

/// What the groups of a log amount to; `None` if they contradict each other.
#[must_use]
pub fn replay(groups: &[Group]) -> Option<Accounts> {
    let mut accounts = Accounts::default();
    accounts.apply_all(groups.iter().flat_map(|group| &group.records)).ok()?;
    Some(accounts)
}

/// Whether the segment `later`, which lies above the store's segment `segment` with the chain value `chain`, is one that
/// was begun and never taken into use: the next, a continuation, and nothing after its snapshot.
#[must_use]
pub fn is_unfinished(later: &Reading, segment: u32, chain: &[u8; 32]) -> bool {
    let is_snapshot = |group: &Group| matches!(group.records.last(), Some(Record::Operator { action, .. }) if action == SNAPSHOT);
    let is_next = later
        .header
        .is_some_and(|header| Some(header.segment) == segment.checked_add(1) && header.previous == *chain);
    is_next && later.verdict != Verdict::Damaged && later.groups.iter().all(is_snapshot)
}
