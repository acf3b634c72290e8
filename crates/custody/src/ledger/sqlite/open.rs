//! Making a ledger, and the checks before one is opened.
#![forbid(unsafe_code)]

use super::clock::{Clock, system_time};
use super::core::{Core, Line, Shared};
use super::database::SqliteDatabase;
use super::disk::{Disk, Mark, SystemDisk};
use super::flush;
use super::place::{
    Files, Home, Lock, WitnessFolder, check_file_system, check_modes, failed, make_folder, reconciling,
    store as store_path,
};
use super::shared;
use super::stopped::Stopped;
use super::store::{LedgerRow, NewLedger, Store};
use super::witness;
use crate::hexadecimal;
use crate::ledger::accounts::Accounts;
use crate::ledger::database::{Value, values};
use crate::ledger::log::{Head, Header, Reading};
use crate::ledger::observer::{Observer, Watched};
use crate::ledger::record::{KeyState, Mode, NUMBER_LIMIT, Record};
use crate::ledger::refused::{LedgerError, Problem};
use crate::ledger::rules::burn_forward;
use crate::ledger::startup::{Repairs, StoreRow};
use phalanx_core::clock::is_unsynchronised;
use phalanx_core::process::ProcessMark;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How sure the ledger is of its past when it starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resume {
    /// Every synchronized key of a ledger with a clock passes over everything that can have been signed, wherever that
    /// state is now: some epochs are lost with every start.
    #[default]
    BurnForward,
    /// Nothing is lost. Refused unless the last process stopped cleanly, in this boot of this machine, and nothing has
    /// been written since.
    TrustStore,
    /// Nothing is lost, and nothing is asked: for tests that count what is signed twice.
    #[cfg(any(test, feature = "hazmat"))]
    TrustStoreUnproved,
}

/// An operator's answer to the refusal [`Problem::Moved`].
#[derive(Clone, Debug)]
pub struct AcceptMove {
    /// The ledger that is meant.
    pub ledger_id: [u8; 16],
    /// Nothing below this epoch is signed any more. A ledger without a clock needs it.
    pub epoch: Option<u64>,
    /// Why: it is written down.
    pub reason: String,
}

/// Where a ledger is and how it is opened.
#[derive(Clone, Debug)]
pub struct LedgerOptions {
    pub(in crate::ledger) folder: PathBuf,
    pub(in crate::ledger) witness: WitnessFolder,
    pub(in crate::ledger) file_systems: Vec<String>,
    pub(super) resume: Resume,
    pub(super) accept_move: Option<AcceptMove>,
    pub(in crate::ledger) timeout: Duration,
    allow_unsynchronised_clock: bool,
    pub(super) unix_time: fn() -> u64,
    is_unsynchronised: fn() -> Option<bool>,
    pub(super) disk: SharedDisk,
    pub(super) watched: Watched,
}

/// The disk of a ledger.
#[derive(Clone)]
pub(super) struct SharedDisk(pub(super) Arc<dyn Disk>);

impl std::fmt::Debug for SharedDisk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SharedDisk")
    }
}

impl LedgerOptions {
    /// A ledger in `folder`, with its side log beside it.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            witness: WitnessFolder::WithStore,
            file_systems: Vec::new(),
            resume: Resume::default(),
            accept_move: None,
            timeout: Duration::from_secs(2),
            allow_unsynchronised_clock: false,
            unix_time: system_time,
            is_unsynchronised,
            disk: SharedDisk(Arc::new(SystemDisk)),
            watched: Watched::default(),
        }
    }

    /// Where the side log is.
    #[must_use]
    pub fn witness(self, witness: WitnessFolder) -> Self {
        Self { witness, ..self }
    }

    /// A type of file system (`9p`, `afs`, `ceph`, `fuse`, `overlay`) on which the files may be although its flushes and
    /// locks are not the disk's. NFS and SMB cannot be allowed.
    #[must_use]
    pub fn allow_file_system(mut self, name: impl Into<String>) -> Self {
        self.file_systems.push(name.into());
        self
    }

    /// How sure the ledger is of its past.
    #[must_use]
    pub fn resume(self, resume: Resume) -> Self {
        Self { resume, ..self }
    }

    /// The files were moved, and the operator knows that nothing else uses them.
    #[must_use]
    pub fn accept_move(self, accept: AcceptMove) -> Self {
        Self { accept_move: Some(accept), ..self }
    }

    /// How long a caller waits for an answer: 2 seconds unless told otherwise.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Open a ledger with a clock although the kernel says that nobody keeps the clock of the machine right.
    #[must_use]
    pub fn allow_unsynchronised_clock(self) -> Self {
        Self { allow_unsynchronised_clock: true, ..self }
    }

    /// Who is told what the ledger does.
    #[must_use]
    pub fn observer(self, observer: Arc<dyn Observer>) -> Self {
        Self { watched: Watched(Some(observer)), ..self }
    }

    /// Another clock, for tests, that is right unless [`Self::is_unsynchronised`] says something else.
    #[cfg(any(test, feature = "hazmat"))]
    #[must_use]
    pub fn unix_time(self, unix_time: fn() -> u64) -> Self {
        Self { unix_time, is_unsynchronised: || Some(false), ..self }
    }

    /// Whether nobody keeps the clock right, for tests.
    #[cfg(any(test, feature = "hazmat"))]
    #[must_use]
    pub fn is_unsynchronised(self, is_unsynchronised: fn() -> Option<bool>) -> Self {
        Self { is_unsynchronised, ..self }
    }

    /// Another disk.
    #[cfg(test)]
    pub(super) fn disk(self, disk: Arc<dyn Disk>) -> Self {
        Self { disk: SharedDisk(disk), ..self }
    }
}

pub(in crate::ledger) fn random_id() -> Result<[u8; 16], LedgerError> {
    let mut id = [0; 16];
    getrandom::fill(&mut id)
        .map_err(|error| LedgerError::new(Problem::Storage, format_args!("no randomness: {error}")))?;
    Ok(id)
}

/// Makes the files of a ledger; its side log is begun by the first opening.
pub(super) fn create(options: &LedgerOptions, settings: NewLedger) -> Result<(), LedgerError> {
    create_called(options, settings, random_id()?)
}

/// The same, with a given name.
pub(super) fn create_called(
    options: &LedgerOptions,
    settings: NewLedger,
    ledger_id: [u8; 16],
) -> Result<(), LedgerError> {
    make_folder(&options.folder)?;
    check_modes(&options.folder)?;
    check_file_system(&options.folder, &options.file_systems)?;
    let _lock = Lock::take(&options.folder)?;
    let path = store_path(&options.folder);
    if path.exists() {
        let text = format!("{} has a ledger already", options.folder.display());
        return Err(LedgerError::new(Problem::Exists, text));
    }
    let files = Files::new(&options.folder, &options.witness, &ledger_id);
    let occupied = (1..).map(|n| files.segment(n)).take_while(|segment| segment.exists()).last();
    if let Some(segment) = occupied {
        let text = format!("{} is the side log of a store that is not here", segment.display());
        return Err(LedgerError::new(Problem::Exists, text));
    }
    make_folder(&files.witness)?;
    let witness_id = random_id()?;
    let (_, chain) = Header { ledger_id, witness_id, segment: 1, previous: [0; 32] }.line();
    let witness =
        StoreRow { ledger_id, witness_id, group: 0, chain, previous: [0; 32], last_lines: Vec::new() };
    let temporary = options.folder.join("ledger.new");
    let _ = (fs::remove_file(&temporary), fs::remove_file(options.folder.join("ledger.new-journal")));
    // Its owner's alone from the first moment: what a killed process leaves must not look insecure to the next.
    let private = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary);
    private.map_err(|error| failed("make", &temporary, &error))?;
    let made =
        SqliteDatabase::create(&temporary, &LedgerRow { ledger_id, settings, incarnation: 0 }, &witness);
    made.map_err(|error| LedgerError::new(Problem::Storage, format_args!("cannot make the store: {error}")))?;
    let settle = || {
        fs::set_permissions(&temporary, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        File::open(&temporary)?.sync_all()?;
        fs::rename(&temporary, &path)?;
        File::open(&options.folder)?.sync_all()
    };
    settle().map_err(|error| failed("make", &path, &error))
}

/// The name that the store has.
pub(super) fn name_of(options: &LedgerOptions) -> Result<[u8; 16], LedgerError> {
    let path = store_path(&options.folder);
    if !path.exists() {
        let text = format!("there is no ledger in {}", options.folder.display());
        return Err(LedgerError::new(Problem::NoLedger, text));
    }
    check_modes(&options.folder)?;
    let _lock = Lock::take(&options.folder)?;
    Ok(SqliteDatabase::open(&path)?.ledger()?.ledger_id)
}

/// Opens a ledger: the checks in their order, then a line that says that a process has started.
pub(super) fn open(options: &LedgerOptions) -> Result<Core, LedgerError> {
    if reconciling(&options.folder).exists() {
        let text = "a reconciliation of this ledger was begun and not finished: begin it again";
        return Err(LedgerError::new(Problem::StoreDisagrees, text));
    }
    open_unfinished(options)
}

/// The same, in the middle of a reconciliation.
pub(super) fn open_unfinished(options: &LedgerOptions) -> Result<Core, LedgerError> {
    let folder = &options.folder;
    let path = store_path(folder);
    if !path.exists() {
        let text = format!("there is no ledger in {}", folder.display());
        return Err(LedgerError::new(Problem::NoLedger, text));
    }
    check_modes(folder)?;
    check_file_system(folder, &options.file_systems)?;
    let lock = Lock::take(folder)?;
    let mark = || Mark::at(&path).map_err(|error| failed("look at", &path, &error));
    let before = mark()?;
    let store = SqliteDatabase::open(&path)?;
    if mark()? != before {
        return Err(LedgerError::new(Problem::StoreDisagrees, "the store was exchanged while it was opened"));
    }
    let row = store.ledger()?;
    let files = Files::new(folder, &options.witness, &row.ledger_id);
    open_store(options, Opened { lock, store, row, files, witness_id: None, also: Also::default() })
}

/// A ledger with a clock rests on it: nothing says that one is right that nobody sets.
fn check_clock(options: &LedgerOptions, settings: &NewLedger) -> Result<(), LedgerError> {
    let is_wrong = || (options.is_unsynchronised)() == Some(true);
    if settings.clock.is_some() && !options.allow_unsynchronised_clock && is_wrong() {
        let text = "the kernel says that the clock is not synchronised, and keys of this ledger follow it";
        return Err(LedgerError::new(Problem::ClockUnsynchronised, text));
    }
    Ok(())
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
    check_clock(options, &row.settings)?;
    let (segment, witness_row) = store.witness(&row.ledger_id, witness_id.as_ref())?;
    if witness_row.group == 0 {
        make_folder(&files.witness)?;
    } else if !files.witness.exists() {
        let text = format!("the folder of the side log is missing ({})", files.witness.display());
        return Err(LedgerError::new(Problem::WitnessMissing, text));
    }
    check_modes(&files.witness)?;
    check_file_system(&files.witness, &options.file_systems)?;
    let found = witness::open(&options.disk.0, &files, segment, &witness_row)?;
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
    flush::look(&options.watched, &*options.disk.0, &files)?;
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
pub(super) fn shortened(reason: &str) -> String {
    let reason = if reason.is_empty() { "no reason given" } else { reason };
    reason.chars().take(100).collect()
}

/// This process stops: says when, and leaves the proof. After a fault it leaves everything as it is.
pub(super) fn stop(core: &Core) {
    if core.check_running().is_err() {
        return core.store.close_untouched();
    }
    let stopped = core.clock.unix().min(NUMBER_LIMIT - 1);
    let statement = "UPDATE instances SET stopped_at = $1 WHERE instance_id = $2";
    if core.store.execute(statement, values![stopped, &core.instance_id]).is_ok() {
        Stopped::leave(&core.ledger_id, &core.witness.head);
    }
}
