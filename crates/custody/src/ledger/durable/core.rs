//! The one who commits: every group goes into the side log and the store here, and nowhere else.
#![forbid(unsafe_code)]

use super::clock::{Clock, TOLERANCE};
use super::disk::Mark;
use super::place::{Lock, store as store_path};
use super::rows::{self, Context};
use super::store::{ChainClock, NewLedger, Store};
use super::witness::Witness;
use crate::identity::KeyId;
use crate::ledger::accounts::{Account, Accounts};
use crate::ledger::database::{Fault, Fence};
use crate::ledger::log::{MAX_LINES_BYTES, line_len};
use crate::ledger::observer::{Committed, Watched};
use crate::ledger::record::{Digest, KeyState, Mode, Place, Record};
use crate::ledger::refused::{LedgerError, Problem, Refused};
use crate::ledger::rules::{Granted, answer, earlier_of};
use phalanx_core::process::ProcessMark;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// Most requests that are answered by one group, if their lines fit.
pub(super) const MAX_REQUESTS: usize = 256;

/// What a caller asks for.
#[derive(Clone)]
pub(in crate::ledger) struct OwnRequest {
    pub(super) key: KeyId,
    pub(super) place: Place,
    pub(super) digest: Digest,
    pub(super) message: Vec<u8>,
}

/// A record, and the message that an entry is for where it is known.
pub(super) struct Line {
    pub(super) record: Record,
    pub(super) message: Option<Vec<u8>>,
}

impl From<Record> for Line {
    fn from(record: Record) -> Self {
        Self { record, message: None }
    }
}

/// What the one who commits and the callers both see.
#[derive(Default)]
pub(super) struct Shared {
    /// Why the ledger has stopped.
    pub(super) fault: OnceLock<String>,
    /// How often the clock has been seen to jump.
    pub(super) clock_steps: AtomicU64,
    /// Until when answers may leave.
    pub(super) fence: Arc<Fence>,
}

/// An open ledger.
pub(in crate::ledger) struct Core {
    pub(super) store: Store,
    pub(super) witness: Witness,
    pub(super) accounts: Accounts,
    pub(super) public_keys: BTreeMap<KeyId, Vec<u8>>,
    pub(super) ledger_id: [u8; 16],
    pub(super) instance_id: [u8; 16],
    pub(super) settings: NewLedger,
    pub(super) folder: PathBuf,
    pub(super) clock: Clock,
    pub(super) shared: Arc<Shared>,
    pub(super) watched: Watched,
    pub(super) lock: Lock,
    pub(super) process: ProcessMark,
    /// The files that SQLite has open, by path.
    pub(super) marks: Vec<(PathBuf, Mark)>,
    /// Whether a clean stop is proved to the next start.
    pub(super) leaves_proof: bool,
}

impl Core {
    /// The epoch that the clock says, where there is one.
    pub(in crate::ledger) fn now(&self) -> Option<u64> {
        self.settings.clock.map(|clock: ChainClock| clock.epoch_at(self.clock.unix()))
    }

    /// Answers requests, the new ones made durable together.
    pub(super) fn reserve(&mut self, requests: &[OwnRequest]) -> Vec<Result<Granted, Refused>> {
        let mut answers = Vec::with_capacity(requests.len());
        while answers.len() < requests.len() {
            let rest = &requests[answers.len()..];
            answers.extend(self.reserve_together(&rest[..rest.len().min(MAX_REQUESTS)]));
        }
        answers
    }

    /// What [`Self::reserve`] would answer, of which nothing is written: whether the request repeats one before.
    pub(super) fn look(&self, request: &OwnRequest) -> Result<bool, Refused> {
        if self.shared.fault.get().is_some() {
            return Err(Refused::Poisoned);
        }
        let OwnRequest { key, place, digest, .. } = request;
        let granted = answer(&self.accounts, &self.settings.bounds, key, place, digest, self.now());
        let granted = granted.or_else(|refused| self.earlier(request, &[]).ok_or(refused));
        granted.map(|granted| granted != Granted::New)
    }

    /// Answers the first of `requests`: as many as one group takes, and one at least.
    fn reserve_together(&mut self, requests: &[OwnRequest]) -> Vec<Result<Granted, Refused>> {
        let stopped = || requests.iter().map(|_| Err(Refused::Poisoned)).collect();
        if self.shared.fault.get().is_some() {
            return stopped();
        }
        if self.look_at_clock().is_err() {
            return stopped();
        }
        let (now, mut lines, mut bytes) = (self.now(), Vec::new(), 0);
        let mut answers = Vec::with_capacity(requests.len());
        for request in requests {
            let OwnRequest { key, place, digest, message } = request;
            let granted = answer(&self.accounts, &self.settings.bounds, key, place, digest, now);
            let granted = granted.or_else(|refused| self.earlier(request, &lines).ok_or(refused));
            if granted == Ok(Granted::New) {
                let record = Record::Entry { key: *key, place: place.clone(), digest: Some(*digest) };
                bytes += line_len(&record);
                if bytes > MAX_LINES_BYTES {
                    break;
                }
                if let Err(error) = self.accounts.apply(&record) {
                    self.poison(format_args!("a granted position does not fit: {error}"));
                    return stopped();
                }
                lines.push(Line { record, message: Some(message.clone()) });
            }
            answers.push(granted);
        }
        if lines.is_empty() { answers } else { self.commit(&lines).map_or_else(|_| stopped(), |()| answers) }
    }

    /// The vote or proposal that `request` repeats with another time, where there is one. `lines` are not in the store yet.
    fn earlier(&self, request: &OwnRequest, lines: &[Line]) -> Option<Granted> {
        let OwnRequest { key, place, message, .. } = request;
        let account = self.accounts.get(key).filter(|account| account.may_repeat_with_other_time())?;
        let digest = (*account.entries.get(place)?)?;
        let is_here = |line: &&Line| matches!(&line.record, Record::Entry { key: k, place: p, .. } if (k, p) == (key, place));
        let waiting = lines.iter().find(is_here).and_then(|line| line.message.clone());
        let earlier = waiting.or_else(|| self.store.message(key, place))?;
        earlier_of(&earlier, message, &digest)
    }

    /// If the clock has jumped forward further than keys may sign ahead, as that of a machine does whose memory was stopped
    /// and resumed: quarantines the keys that it would have skip epochs.
    fn look_at_clock(&mut self) -> Result<(), LedgerError> {
        let Some(chain) = self.settings.clock else { return Ok(()) };
        let step = self.clock.step();
        if step.unsigned_abs() > TOLERANCE {
            self.shared.clock_steps.fetch_add(1, Relaxed);
        }
        let bound = self.settings.bounds.ahead.saturating_mul(chain.epoch_seconds);
        if !u64::try_from(step).is_ok_and(|step| step > bound) {
            return Ok(());
        }
        let now = chain.epoch_at(self.clock.unix());
        let is_skipped = |account: &&Account| {
            let next = account.highest.map_or(0, |highest| highest + 1).max(account.low);
            let is_synchronized = account.instance.mode == Mode::Synchronized;
            account.state == KeyState::Active && is_synchronized && next < now
        };
        let keys: Vec<KeyId> =
            self.accounts.iter().filter(is_skipped).map(|account| account.instance.key_id).collect();
        if keys.is_empty() {
            return Ok(());
        }
        let state = KeyState::Quarantined;
        let mut records: Vec<Record> = keys.iter().map(|&key| Record::State { key, state }).collect();
        records
            .push(Record::Operator { action: "clock-step".to_owned(), detail: step.to_be_bytes().to_vec() });
        self.clock.quarantined.extend(keys);
        self.act(records)
    }

    /// Does what `records` say, all or nothing, if it contradicts nothing.
    pub(super) fn act(&mut self, records: Vec<Record>) -> Result<(), LedgerError> {
        self.act_with(records, |_| Ok(()))
    }

    /// The same, with something more for the store in the same transaction.
    pub(super) fn act_with(
        &mut self,
        records: Vec<Record>,
        more: impl FnOnce(&Store) -> Result<(), Fault>,
    ) -> Result<(), LedgerError> {
        self.check_running()?;
        // What does not read back would damage the side log.
        if !records.iter().all(|record| Record::parse(&record.to_string()).as_ref() == Some(record)) {
            return Err(LedgerError::new(Problem::Malformed, "a record that cannot be a line"));
        }
        let mut accounts = self.accounts.clone();
        accounts
            .apply_all(&records)
            .map_err(|error| LedgerError::new(Problem::Backwards, format_args!("refused: {error}")))?;
        self.accounts = accounts;
        let lines: Vec<Line> = records.into_iter().map(Line::from).collect();
        self.commit_with(&lines, more)
    }

    /// `Ok` if the ledger has not stopped.
    pub(super) fn check_running(&self) -> Result<(), LedgerError> {
        let stopped =
            |fault| LedgerError::new(Problem::Unavailable, format_args!("the ledger has stopped: {fault}"));
        self.shared.fault.get().map_or(Ok(()), |fault| Err(stopped(fault)))
    }

    /// Makes `lines`, which [`Self::accounts`] knows already, durable in both files. After a failure the ledger has
    /// stopped: what it says of its disk can no longer be believed.
    pub(super) fn commit(&mut self, lines: &[Line]) -> Result<(), LedgerError> {
        self.commit_with(lines, |_| Ok(()))
    }

    /// The same, with something more for the store in the same transaction.
    pub(super) fn commit_with(
        &mut self,
        lines: &[Line],
        more: impl FnOnce(&Store) -> Result<(), Fault>,
    ) -> Result<(), LedgerError> {
        let records: Vec<Record> = lines.iter().map(|line| line.record.clone()).collect();
        let done = match self.witness.head.group(&records) {
            Ok((bytes, head)) => self.append(lines, &bytes, head, more),
            // Too many for a group: all at once is still possible, as the beginning of a new segment.
            Err(_) => self.rotate_with(lines, more),
        };
        self.conclude(done)
    }

    /// Renews the lease, if there is one and it is time.
    pub(super) fn keep_lease(&self) {
        let is_due = self.store.db.renewal().is_some_and(|rest| rest.is_zero());
        if !is_due || self.shared.fault.get().is_some() {
            return;
        }
        if let Err(fault) = self.store.db.renew() {
            self.poison(format_args!("the lease was not renewed: {fault}"));
        }
    }

    /// Begins a new segment of the side log, with what the old one amounts to.
    pub(super) fn rotate(&mut self) -> Result<(), LedgerError> {
        let done = self.rotate_with(&[], |_| Ok(()));
        self.conclude(done)
    }

    fn conclude(&mut self, done: Result<(), String>) -> Result<(), LedgerError> {
        let done = done.and_then(|()| self.check_places());
        if let Err(fault) = &done {
            self.store.roll_back();
            self.poison(fault);
        }
        self.check_running()
    }

    fn poison(&self, fault: impl ToString) {
        // The first fault stays.
        let _ = self.shared.fault.set(fault.to_string());
    }

    fn append(
        &mut self,
        lines: &[Line],
        bytes: &[u8],
        head: crate::ledger::log::Head,
        more: impl FnOnce(&Store) -> Result<(), Fault>,
    ) -> Result<(), String> {
        let (segment, from, witness_id) =
            (self.witness.header.segment, self.witness.head, &self.witness.header.witness_id);
        let enter = |store: &Store| {
            store.begin(&keys_of(lines))?;
            write_lines(store, lines, witness_id, head.group)?;
            more(store)?;
            store.move_witness((witness_id, segment), &from, (&head, &from.chain), bytes)
        };
        let begun = Instant::now();
        enter(&self.store).map_err(|error| format!("the store refused a group: {error}"))?;
        let entered = Instant::now();
        self.witness.append(bytes, head).map_err(|error| format!("the side log refused a group: {error}"))?;
        let witness = entered.elapsed();
        self.store.commit().map_err(|error| format!("the store did not flush: {error}"))?;
        let committed =
            Committed { group: head.group, records: lines.len(), witness, whole: begun.elapsed() };
        self.watched.tell(|observer| observer.committed(&committed));
        Ok(())
    }

    /// Flushes both files without saying anything new: whether they still can be written.
    pub(super) fn probe(&mut self) -> Result<(), LedgerError> {
        self.check_running()?;
        let done = self.write_nothing();
        self.conclude(done)
    }

    fn write_nothing(&mut self) -> Result<(), String> {
        let (segment, at) = (self.witness.header.segment, self.witness.head);
        self.store
            .begin_probe(&self.witness.header.witness_id, segment, &at)
            .map_err(|error| format!("the store refused a probe: {error}"))?;
        self.witness.flush().map_err(|error| format!("the side log did not flush: {error}"))?;
        self.store.commit().map_err(|error| format!("the store did not flush: {error}"))
    }

    fn rotate_with(
        &mut self,
        lines: &[Line],
        more: impl FnOnce(&Store) -> Result<(), Fault>,
    ) -> Result<(), String> {
        let mut records = self.accounts.snapshot();
        let is_told =
            |record: &&Record| matches!(record, Record::Incarnation { .. } | Record::Operator { .. });
        let told = lines.iter().map(|line| &line.record).filter(is_told);
        let told: Vec<Record> = told.filter(|record| !records.contains(record)).cloned().collect();
        records.extend(told);
        let from = self.witness.head;
        let (header, segment) = self.witness.next_segment(&records).map_err(|error| error.to_string())?;
        let next = self.witness.begin(header, &segment).map_err(|error| error.to_string())?;
        let files = next.home().map_err(|error| error.to_string())?.files;
        let enter = |store: &Store| {
            store.begin(&keys_of(lines))?;
            write_lines(store, lines, &header.witness_id, segment.head.group)?;
            more(store)?;
            // Check 10 of the next start compares the file that is the side log by then.
            store.set_files(&header.witness_id, &files)?;
            let last_lines = &segment.bytes[segment.last_group.clone()];
            let to = (&segment.head, &segment.before.chain);
            store.move_witness((&header.witness_id, header.segment), &from, to, last_lines)?;
            store.commit()
        };
        enter(&self.store).map_err(|error| format!("the store refused a new segment: {error}"))?;
        self.witness = next;
        Ok(())
    }

    /// Step 5: the files that are open are those at their paths, and this is the process that opened them.
    fn check_places(&self) -> Result<(), String> {
        if !self.process.is_here() {
            return Err("the process was forked".to_owned());
        }
        let is_in_place = |(path, mark): &(PathBuf, Mark)| Mark::at(path).is_ok_and(|now| now == *mark);
        let are_in_place = self.marks.iter().all(is_in_place);
        if are_in_place && self.lock.is_in_place() && self.witness.is_in_place() {
            Ok(())
        } else {
            Err("a file of the ledger was exchanged while it was open".to_owned())
        }
    }

    /// Notes which files SQLite has open. The first write has been.
    pub(super) fn mark_files(&mut self) -> Result<(), LedgerError> {
        let store = store_path(&self.folder);
        let log = store.with_extension("sqlite3-wal");
        for path in [store, log] {
            let mark = Mark::at(&path).map_err(|error| super::place::failed("look at", &path, &error))?;
            self.marks.push((path, mark));
        }
        Ok(())
    }
}

/// The keys that `lines` are of, in order.
fn keys_of(lines: &[Line]) -> Vec<KeyId> {
    let keys: BTreeSet<KeyId> = lines.iter().filter_map(|line| line.record.key()).collect();
    keys.into_iter().collect()
}

fn write_lines(store: &Store, lines: &[Line], witness_id: &[u8; 16], group: u64) -> Result<(), Fault> {
    let token = store.db.lease().map(|(_, token)| token);
    lines.iter().try_for_each(|line| {
        let context = Context { witness_id, group, token, message: line.message.as_deref() };
        rows::write(store, &line.record, &context)
    })
}
