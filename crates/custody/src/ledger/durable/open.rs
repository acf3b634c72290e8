//! The checks before a ledger is opened, on any store.
#![forbid(unsafe_code)]

use super::clock::Clock;
use super::core::{Core, Line, Shared};
use super::flush;
use super::options::{AcceptMove, LedgerOptions, Resume};
use super::place::{Files, Home, Lock, check_file_system, check_modes, make_folder};
use super::shared;
use super::stopped::Stopped;
use super::store::{LedgerRow, Store};
use super::witness;
use crate::hexadecimal;
use crate::ledger::accounts::Accounts;
use crate::ledger::database::{Value, values};
use crate::ledger::log::{Head, Reading};
use crate::ledger::record::{KeyState, Mode, NUMBER_LIMIT, Record};
use crate::ledger::refused::{LedgerError, Problem};
use crate::ledger::rules::burn_forward;
use crate::ledger::startup::{Repairs, StoreRow};
use phalanx_core::process::ProcessMark;
use std::fs;
use std::sync::Arc;

pub(in crate::ledger) fn random_id() -> Result<[u8; 16], LedgerError> {
    let mut id = [0; 16];
    getrandom::fill(&mut id)
        .map_err(|error| LedgerError::new(Problem::Storage, format_args!("no randomness: {error}")))?;
    Ok(id)
}

/// What is done with the first group of a process, besides.
#[derive(Default)]
pub(in crate::ledger) struct Also {
    /// A doubt about the past that the operator has answered for: what it is called, and the answer.
    pub(in crate::ledger) accepted: Option<(&'static str, AcceptMove)>,
    /// A statement for the store.
    pub(in crate::ledger) statement: Option<(&'static str, Vec<Value>)>,
}

/// A store that is open, and what goes with it.
pub(in crate::ledger) struct Opened {
    pub(in crate::ledger) lock: Lock,
    pub(in crate::ledger) store: Store,
    pub(in crate::ledger) row: LedgerRow,
    pub(in crate::ledger) files: Files,
    /// Which of several side logs is that of this host.
    pub(in crate::ledger) witness_id: Option<[u8; 16]>,
    pub(in crate::ledger) also: Also,
}

/// The rest of the checks, on any store.
pub(in crate::ledger) fn open_store(options: &LedgerOptions, opened: Opened) -> Result<Core, LedgerError> {
    let Opened { lock, store, row, files, witness_id, mut also } = opened;
    options.check_clock(&row.settings)?;
    let (segment, witness_row) = store.witness(&row.ledger_id, witness_id.as_ref())?;
    if witness_row.group == 0 {
        make_folder(&files.witness)?;
    } else if !files.witness.exists() {
        let text = format!("the folder of the side log is missing ({})", files.witness.display());
        return Err(LedgerError::new(Problem::WitnessMissing, text));
    }
    check_modes(&files.witness)?;
    check_file_system(&files.witness, &options.file_systems)?;
    let found = witness::open(&files, segment, &witness_row)?;
    let (accounts, public_keys) = (store.accounts()?, store.public_keys()?);
    let shared = Arc::new(Shared { fence: store.db.fence(), ..Shared::default() });
    let mut core = Core {
        store,
        witness: found.witness,
        accounts,
        public_keys,
        ledger_id: row.ledger_id,
        instance_id: random_id()?,
        settings: row.settings,
        folder: options.folder.clone(),
        clock: Clock::new(options.unix_time),
        shared,
        watched: options.watched.clone(),
        lock,
        process: ProcessMark::here(),
        marks: Vec::new(),
        leaves_proof: options.resume.leaves_proof(row.settings.clock.is_some()),
    };
    if found.repairs.replay_group {
        replay_last_group(&mut core, (&found.reading, &found.last_lines), segment, &witness_row)?;
    }
    let is_shared = core.store.db.is_shared();
    let agree = if is_shared {
        shared::contains(&core.accounts, &found.accounts)
    } else {
        core.accounts == found.accounts
    };
    if !agree {
        return Err(LedgerError::new(
            Problem::StoreDisagrees,
            "the store and its side log do not say the same",
        ));
    }
    flush::look(&options.watched, &files)?;
    let mut home = check_home(&core, options, &files, segment)?;
    let proof = Stopped::take(&row.ledger_id);
    check_resume(&core, options, &home, proof.as_ref())?;
    let has_moved = home.1.as_ref().is_some_and(|before| !home.0.is_same_place(before));
    if has_moved {
        also.accepted = options.accept_move.clone().map(|accept| ("accept-move", accept));
    }
    let news = if is_shared { shared::news(&core.accounts, &found.accounts) } else { Some(Vec::new()) };
    if files.flush_failed().exists() || is_long(&found.reading, &found.accounts) || news.is_none() {
        core.rotate()?;
        home.0 = core.witness.home()?;
        let _ = fs::remove_file(files.flush_failed());
    }
    let number = row.incarnation + 1;
    begin(&mut core, options, &home.0, (number, found.repairs, news.unwrap_or_default()), also)?;
    if !is_shared {
        core.mark_files()?;
    }
    Ok(core)
}

/// Whether the log has grown far beyond what it amounts to.
fn is_long(reading: &Reading, accounts: &Accounts) -> bool {
    const LONG: usize = 64 << 20;
    const LINE: usize = 250;
    let bytes = reading.valid_bytes;
    bytes > LONG && bytes / 4 > LINE * accounts.snapshot().len()
}

/// Enters the last group of the log into the store: it was flushed there before the store was.
fn replay_last_group(
    core: &mut Core,
    found: (&Reading, &[u8]),
    segment: u32,
    row: &StoreRow,
) -> Result<(), LedgerError> {
    let damaged = |error: &dyn std::fmt::Display| {
        LedgerError::new(
            Problem::StoreDisagrees,
            format_args!("the last group does not fit the store: {error}"),
        )
    };
    let (log, lines) = found;
    let group = log.groups.last().expect("the log is ahead by one");
    let from = Head { seq: 0, group: row.group, chain: row.chain };
    let to = Head { seq: group.last_seq, group: group.number, chain: group.chain };
    let records = if core.store.db.is_shared() {
        shared::reentered(&core.accounts, &group.records)?
    } else {
        group.records.clone()
    };
    core.accounts.apply_all(&records).map_err(|error| damaged(&error))?;
    let token = core.store.db.lease().map(|(_, token)| token);
    let enter = |store: &Store| {
        store.begin(&[])?;
        for record in &records {
            let context = super::rows::Context {
                witness_id: &row.witness_id,
                group: group.number,
                token,
                message: None,
            };
            super::rows::write(store, record, &context)?;
        }
        store.move_witness((&row.witness_id, segment), &from, (&to, &row.chain), lines)?;
        store.commit()
    };
    enter(&core.store).map_err(|error| damaged(&error))
}

/// Check 10: this is the place where the last process was, or the operator has said that it may not be.
fn check_home(
    core: &Core,
    options: &LedgerOptions,
    files: &Files,
    segment: u32,
) -> Result<(Home, Option<Home>), LedgerError> {
    let here = Home::of(files, segment)?;
    let before = core.store.last_home(&core.witness.header.witness_id)?;
    let is_same = before.as_ref().is_none_or(|before| here.is_same_place(before));
    let moved = |text: String| Err(LedgerError::new(Problem::Moved, text));
    match &options.accept_move {
        _ if is_same => Ok((here, before)),
        None => moved("the ledger was copied, restored or moved since it was last used".to_owned()),
        Some(accept) if accept.ledger_id != core.ledger_id => moved(format!(
            "the move of another ledger was accepted; this is {}",
            hexadecimal::text(&core.ledger_id)
        )),
        Some(accept) if accept.epoch.is_none() && core.settings.clock.is_none() => moved(
            "without a clock a move is accepted only with an epoch above all that was signed".to_owned(),
        ),
        Some(_) => Ok((here, before)),
    }
}

/// Whether nothing has to be burnt.
fn check_resume(
    core: &Core,
    options: &LedgerOptions,
    (here, before): &(Home, Option<Home>),
    proof: Option<&Stopped>,
) -> Result<(), LedgerError> {
    let head = core.witness.head;
    let is_proved = proof.is_some_and(|proof| proof.proves(&head))
        && before.as_ref().is_some_and(|before| before == here && !here.boot_id.is_empty());
    if options.resume == Resume::TrustStore && before.is_some() && !is_proved {
        let text = "nothing shows that the ledger was stopped cleanly, in this boot and place";
        return Err(LedgerError::new(Problem::NotProved, text));
    }
    Ok(())
}

/// Check 12: says in both files that this process has started, and burns forward.
fn begin(
    core: &mut Core,
    options: &LedgerOptions,
    home: &Home,
    (incarnation, repairs, mut records): (u64, Repairs, Vec<Record>),
    also: Also,
) -> Result<(), LedgerError> {
    let at = core.clock.unix();
    let boot_id = home.boot_id.clone().into_bytes();
    records.push(Record::Incarnation { number: incarnation, boot_id, at });
    records.extend(core.store.db.lease().map(|(lease, token)| Record::Lease { lease, token }));
    let mut note = |action: &str, detail: &str| {
        records.push(Record::Operator { action: action.to_owned(), detail: detail.as_bytes().to_vec() });
    };
    if repairs != Repairs::default() {
        note("repair", &repairs.names());
        options.watched.tell(|observer| observer.repaired(&repairs.names()));
    }
    if let Some((action, accept)) = &also.accepted {
        note(action, &shortened(&accept.reason));
    }
    let floor = also.accepted.as_ref().and_then(|(_, accept)| accept.epoch).unwrap_or(0);
    let is_doubtful = also.accepted.is_some();
    let burns = options.resume == Resume::BurnForward || is_doubtful;
    for account in core.accounts.iter().filter(|account| account.state != KeyState::Retired) {
        let (key, end) = (account.instance.key_id, account.instance.end);
        let mut low = account.low;
        if burns && account.instance.mode == Mode::Synchronized && core.settings.clock.is_some() {
            low = burn_forward(low, account.highest, end, core.now(), core.settings.bounds.ahead, SKEW);
        }
        if is_doubtful {
            low = low.max(account.highest.map_or(0, |highest| highest + 1)).max(floor).min(end);
        }
        if low > account.low {
            records.push(Record::Low { key, low });
        }
    }
    core.accounts
        .apply_all(&records)
        .map_err(|error| LedgerError::new(Problem::StoreDisagrees, format_args!("cannot start: {error}")))?;
    let lines: Vec<Line> = records.into_iter().map(Line::from).collect();
    let (instance, witness) = (core.instance_id, core.witness.header.witness_id);
    core.commit_with(&lines, |store| {
        if let Some((statement, values)) = &also.statement {
            store.execute(statement, values)?;
        }
        store
            .execute(
                "INSERT INTO instances (instance_id, witness_id, incarnation, machine_sha256, boot_id, files, started_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
                values![
                    &instance,
                    &witness,
                    incarnation,
                    &home.machine,
                    &home.boot_id[..],
                    &home.files[..],
                    at.min(NUMBER_LIMIT - 1)
                ],
            )
            .map(|_| ())
    })
}

/// How many epochs a clock may be behind its earlier self.
const SKEW: u64 = 1;

/// The beginning of a reason, so that its line does not become too long.
pub(in crate::ledger) fn shortened(reason: &str) -> String {
    let reason = if reason.is_empty() { "no reason given" } else { reason };
    reason.chars().take(100).collect()
}

/// This process stops: says when, and leaves the proof, where a start may ask for it. After a fault it leaves everything as it is.
pub(in crate::ledger) fn stop(core: &Core) {
    if core.check_running().is_err() {
        return core.store.close_untouched();
    }
    let stopped = core.clock.unix().min(NUMBER_LIMIT - 1);
    let statement = "UPDATE instances SET stopped_at = $1 WHERE instance_id = $2";
    let is_told = core.store.execute(statement, values![stopped, &core.instance_id]).is_ok();
    if is_told && core.leaves_proof {
        Stopped::leave(&core.ledger_id, &core.witness.head);
    }
}
