//! What a ledger finds when it is opened.

use super::{Folder, Key, ask, copy, copy_file, key, new_ledger, open, options, refusal, registered};
use phalanx_custody::ledger::durable::{
    AcceptMove, ChainClock, Evidence, LedgerOptions, NewLedger, Reconcile, Resume, WitnessFolder,
};
use phalanx_custody::ledger::log::read;
use phalanx_custody::ledger::record::{Ordering, Place};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, Health, InitialState, Problem, Refused};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const STORE: &str = "ledger.sqlite3";
const LOG: &str = "witness-00000001.log";

#[test]
fn a_ledger_remembers() {
    let folder = Folder::new();
    let ledger = new_ledger(folder.path());
    let (any, strict) = (registered(&ledger, 1, Ordering::Any), registered(&ledger, 2, Ordering::Strict));
    for key in [&any, &strict] {
        assert_eq!(ask(&ledger, key, 7, 1), Ok(false));
    }
    drop(ledger);
    for _ in 0..3 {
        let ledger = open(folder.path());
        for key in [&any, &strict] {
            assert_eq!(ask(&ledger, key, 7, 1), Ok(true), "the same message");
            assert_eq!(ask(&ledger, key, 7, 2), Err(Refused::EpochUsed));
        }
        assert_eq!(ask(&ledger, &strict, 6, 1), Err(Refused::OutOfOrder));
        assert_eq!(ask(&ledger, &key(3, Ordering::Any), 7, 1), Err(Refused::UnknownKey));
        assert_eq!(ledger.health(), Health::Open);
    }
}

/// Stops a ledger that has signed epochs below `n`, one group each.
fn signed(folder: &std::path::Path, n: u32) -> Key {
    let ledger = new_ledger(folder);
    let key = registered(&ledger, 1, Ordering::Any);
    for epoch in 0..n {
        assert_eq!(ask(&ledger, &key, epoch, 1), Ok(false));
    }
    key
}

#[test]
fn an_older_store_or_log_is_refused() {
    let (folder, backup) = (Folder::new(), Folder::new());
    let key = signed(folder.path(), 3);
    copy(folder.path(), backup.path());
    let ledger = open(folder.path());
    for epoch in 3..6 {
        assert_eq!(ask(&ledger, &key, epoch, 1), Ok(false));
    }
    drop(ledger);
    let now = Folder::new();
    copy(folder.path(), now.path());
    copy_file(&backup.join(STORE), &folder.join(STORE));
    assert_eq!(refusal(folder.path()), Problem::StoreOlder);
    copy_file(&now.join(STORE), &folder.join(STORE));
    copy_file(&backup.join(LOG), &folder.join(LOG));
    assert_eq!(refusal(folder.path()), Problem::WitnessOlder);
    fs::write(folder.join(LOG), []).expect("it can be emptied");
    assert_eq!(refusal(folder.path()), Problem::WitnessMissing);
    fs::remove_file(folder.join(LOG)).expect("it can be removed");
    assert_eq!(refusal(folder.path()), Problem::WitnessMissing);
    copy_file(&now.join(LOG), &folder.join(LOG));
    fs::remove_file(folder.join(STORE)).expect("it can be removed");
    assert_eq!(refusal(folder.path()), Problem::NoLedger);
    let made = SqliteLedger::create(&options(folder.path()), NewLedger::default());
    assert_eq!(made.expect_err("a side log is here").problem(), Problem::Exists);
}

#[test]
fn a_log_that_was_cut_is_repaired_or_refused() {
    let (folder, saved) = (Folder::new(), Folder::new());
    let key = signed(folder.path(), 3);
    copy(folder.path(), saved.path());
    let log = fs::read(folder.join(LOG)).expect("the log");
    let groups = read(&log).groups;
    let [.., before, last] = &groups[..] else { panic!("several groups") };
    // Of the last group the store knows what the log has lost.
    for cut in [log.len() - 1, log.len() - 100, last.bytes.start] {
        fs::write(folder.join(LOG), &log[..cut]).expect("it can be cut");
        copy_file(&saved.join(STORE), &folder.join(STORE));
        let ledger = open(folder.path());
        assert_eq!(ask(&ledger, &key, 2, 1), Ok(true), "cut to {cut} of {}", log.len());
        assert_eq!(ask(&ledger, &key, 2, 2), Err(Refused::EpochUsed));
        drop(ledger);
        let repaired = fs::read(folder.join(LOG)).expect("the log");
        assert!(repaired.starts_with(&log), "the store's last group is appended");
    }
    for cut in [last.bytes.start - 1, before.bytes.start, 0] {
        fs::write(folder.join(LOG), &log[..cut]).expect("it can be cut");
        copy_file(&saved.join(STORE), &folder.join(STORE));
        let wanted = if cut == 0 { Problem::WitnessMissing } else { Problem::WitnessOlder };
        assert_eq!(refusal(folder.path()), wanted, "cut to {cut} of {}", log.len());
    }
}

#[test]
fn a_store_that_is_one_group_behind_takes_it_from_the_log() {
    let (folder, saved) = (Folder::new(), Folder::new());
    let key = signed(folder.path(), 3);
    copy(folder.path(), saved.path());
    let ledger = open(folder.path());
    assert_eq!(ask(&ledger, &key, 3, 1), Ok(false));
    drop(ledger);
    // The log as it is after the line of the start, the store as it was before it.
    let log = fs::read(folder.join(LOG)).expect("the log");
    let end = read(&log).groups.iter().rev().nth(1).expect("two groups").bytes.end;
    fs::write(folder.join(LOG), &log[..end]).expect("it can be cut");
    copy_file(&saved.join(STORE), &folder.join(STORE));
    let ledger = open(folder.path());
    assert_eq!(ask(&ledger, &key, 2, 2), Err(Refused::EpochUsed));
    assert_eq!(ask(&ledger, &key, 3, 2), Ok(false), "that group was not flushed and has released nothing");
}

#[test]
fn every_flipped_byte_of_the_log_is_seen_or_repaired() {
    let folder = Folder::new();
    let key = signed(folder.path(), 2);
    let saved = Folder::new();
    copy(folder.path(), saved.path());
    let log = fs::read(folder.join(LOG)).expect("the log");
    for i in (0..log.len()).step_by(97) {
        let mut damaged = log.clone();
        damaged[i] ^= 1 << (i % 8);
        fs::write(folder.join(LOG), &damaged).expect("it can be written");
        copy_file(&saved.join(STORE), &folder.join(STORE));
        match SqliteLedger::open(&options(folder.path())) {
            Ok(ledger) => {
                assert_eq!(ask(&ledger, &key, 1, 2), Err(Refused::EpochUsed), "flip at {i}");
                assert_eq!(ask(&ledger, &key, 0, 2), Err(Refused::EpochUsed), "flip at {i}");
            }
            Err(error) => assert!(error.code().contains("witness"), "{error} for a flip at {i}"),
        }
    }
}

#[test]
fn one_process_at_a_time() {
    let folder = Folder::new();
    let _ledger = new_ledger(folder.path());
    assert_eq!(refusal(folder.path()), Problem::InUse);
}

#[test]
fn files_that_others_can_reach_are_refused() {
    let folder = Folder::new();
    drop(new_ledger(folder.path()));
    let set = |path: &std::path::Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("its mode can be set");
    };
    set(folder.path(), 0o750);
    assert_eq!(refusal(folder.path()), Problem::InsecureFiles);
    set(folder.path(), 0o700);
    for name in [STORE, LOG] {
        set(&folder.join(name), 0o640);
        assert_eq!(refusal(folder.path()), Problem::InsecureFiles, "{name}");
        set(&folder.join(name), 0o600);
        let link = folder.join("elsewhere");
        fs::hard_link(folder.join(name), &link).expect("a link");
        assert_eq!(refusal(folder.path()), Problem::InsecureFiles, "{name}");
        fs::remove_file(&link).expect("it can be removed");
        fs::rename(folder.join(name), &link).expect("it can be renamed");
        std::os::unix::fs::symlink(&link, folder.join(name)).expect("a link");
        assert_eq!(refusal(folder.path()), Problem::InsecureFiles, "{name}");
        fs::rename(&link, folder.join(name)).expect("it can be renamed");
    }
    drop(open(folder.path()));
}

#[test]
fn a_copy_is_refused_until_the_move_is_accepted() {
    let (folder, elsewhere) = (Folder::new(), Folder::new());
    let key = signed(folder.path(), 3);
    copy(folder.path(), elsewhere.path());
    assert_eq!(refusal(elsewhere.path()), Problem::Moved);
    let accept = |ledger_id, epoch| {
        let accept = AcceptMove { ledger_id, epoch, reason: "a new disk".to_owned() };
        SqliteLedger::open(&options(elsewhere.path()).accept_move(accept))
    };
    let ledger_id = open(folder.path()).ledger_id();
    assert_eq!(accept([0; 16], Some(9)).map(|_| ()).expect_err("another").problem(), Problem::Moved);
    assert_eq!(accept(ledger_id, None).map(|_| ()).expect_err("no clock").problem(), Problem::Moved);
    let ledger = accept(ledger_id, Some(9)).expect("accepted");
    assert_eq!(ask(&ledger, &key, 2, 1), Ok(true));
    assert_eq!(ask(&ledger, &key, 8, 1), Err(Refused::Passed));
    assert_eq!(ask(&ledger, &key, 9, 1), Ok(false));
    drop(ledger);
    drop(open(elsewhere.path()));
}

#[test]
fn the_side_log_may_be_elsewhere() {
    let (folder, state) = (Folder::new(), Folder::new());
    let options = options(folder.path()).witness(WitnessFolder::NamedIn(state.path().to_owned()));
    SqliteLedger::create(&options, NewLedger::default()).expect("a new ledger");
    let ledger = SqliteLedger::open(&options).expect("it opens");
    let key = registered(&ledger, 1, Ordering::Any);
    assert_eq!(ask(&ledger, &key, 3, 1), Ok(false));
    let name: String = ledger.ledger_id().iter().map(|byte| format!("{byte:02x}")).collect();
    drop(ledger);
    assert!(state.join(&name).join(LOG).exists());
    fs::remove_dir_all(state.join(&name)).expect("it can be removed");
    let refused = SqliteLedger::open(&options).map(|_| ()).expect_err("no witness");
    assert_eq!(refused.problem(), Problem::WitnessMissing);
}

#[test]
fn files_exchanged_while_it_runs_stop_it_before_the_next_release() {
    for name in [STORE, LOG, "ledger.lock"] {
        let folder = Folder::new();
        let ledger = new_ledger(folder.path());
        let key = registered(&ledger, 1, Ordering::Any);
        assert_eq!(ask(&ledger, &key, 0, 1), Ok(false));
        let other = folder.join("copy");
        copy_file(&folder.join(name), &other);
        fs::rename(&other, folder.join(name)).expect("it can be renamed");
        assert_eq!(ask(&ledger, &key, 1, 1), Err(Refused::Poisoned), "{name}");
        assert_eq!(ask(&ledger, &key, 0, 1), Err(Refused::Poisoned), "repeats too");
        assert!(matches!(ledger.health(), Health::Poisoned(_)));
    }
}

#[test]
fn a_start_with_a_clock_burns_forward() {
    const GENESIS: u64 = 1_000_000;
    let folder = Folder::new();
    let clock = ChainClock { genesis_time: GENESIS, epoch_seconds: 4 };
    let settings = NewLedger { clock: Some(clock), ..NewLedger::default() };
    let at = |unix_time: fn() -> u64, resume| {
        let options = LedgerOptions::new(folder.path()).allow_file_system("overlay");
        options.resume(resume).unix_time(unix_time)
    };
    let early = at(|| GENESIS + 400, Resume::BurnForward);
    SqliteLedger::create(&early, settings).expect("a new ledger");
    let ledger = SqliteLedger::open(&early).expect("it opens");
    let key = registered(&ledger, 1, Ordering::Strict);
    assert_eq!(ask(&ledger, &key, 100, 1), Ok(false));
    assert_eq!(ask(&ledger, &key, 105, 1), Err(Refused::Ahead));
    drop(ledger);
    let trusted = SqliteLedger::open(&at(|| GENESIS + 404, Resume::TrustStore)).expect("a proved clean stop");
    assert_eq!(ask(&trusted, &key, 101, 1), Ok(false), "nothing is lost");
    drop(trusted);
    let ledger = SqliteLedger::open(&at(|| GENESIS + 408, Resume::BurnForward)).expect("it opens");
    // 102 is now; 4 ahead, 1 for the skew, and the next.
    assert_eq!(ledger.standing(key.id()).expect("known").low, 108);
    assert_eq!(ask(&ledger, &key, 102, 1), Err(Refused::Passed));
    assert_eq!(ask(&ledger, &key, 101, 1), Ok(true), "what was signed may be signed again");
}

/// The proof is in memory until the next start, or for ever where there is none: it is left where a start may ask for it.
#[cfg(target_os = "linux")]
#[test]
fn a_stop_leaves_its_proof_where_a_start_may_ask_for_it() {
    use std::os::unix::fs::MetadataExt;
    let clock = Some(ChainClock { genesis_time: 1_000_000, epoch_seconds: 4 });
    let cases = [
        (None, Resume::BurnForward, false),
        (None, Resume::TrustStore, true),
        (clock, Resume::BurnForward, true),
        (clock, Resume::TrustStore, true),
    ];
    for (clock, resume, is_left) in cases {
        let folder = Folder::new();
        let options = LedgerOptions::new(folder.path()).allow_file_system("overlay").resume(resume);
        let options = options.allow_unsynchronised_clock();
        SqliteLedger::create(&options, NewLedger { clock, ..NewLedger::default() }).expect("a new ledger");
        let ledger = SqliteLedger::open(&options).expect("it opens");
        let owner = fs::metadata(folder.path()).expect("the folder").uid();
        let proof = format!("/dev/shm/phalanx-{owner}-{}.stopped", hex::encode(ledger.ledger_id()));
        let proof = std::path::Path::new(&proof);
        drop(ledger);
        assert_eq!(proof.exists(), is_left, "{clock:?}, {resume:?}");
        let ledger = SqliteLedger::open(&options).expect("it opens again");
        assert!(!proof.exists(), "a start takes it away");
        drop(ledger);
        let _ = fs::remove_file(proof);
    }
}

#[test]
fn a_clock_that_nobody_keeps_right_is_refused() {
    let folders = [Folder::new(), Folder::new()];
    let clock = ChainClock { genesis_time: 1_000_000, epoch_seconds: 4 };
    let settings = |clock| NewLedger { clock, ..NewLedger::default() };
    let says =
        |folder: &Folder, answer| options(folder.path()).unix_time(|| 1_000_400).is_unsynchronised(answer);
    for (folder, clock) in folders.iter().zip([Some(clock), None]) {
        SqliteLedger::create(&says(folder, || Some(false)), settings(clock)).expect("a new ledger");
        drop(SqliteLedger::open(&says(folder, || Some(false))).expect("NTP keeps it right"));
        drop(SqliteLedger::open(&says(folder, || None)).expect("the system does not say"));
    }
    let bad = says(&folders[0], || Some(true));
    let refused = SqliteLedger::open(&bad).map(|_| ()).expect_err("nobody keeps it right");
    assert_eq!(refused.code(), "clock_unsynchronised");
    drop(SqliteLedger::open(&bad.allow_unsynchronised_clock()).expect("the operator says so"));
    drop(SqliteLedger::open(&says(&folders[1], || Some(true))).expect("it has no clock"));
}

#[test]
fn a_key_without_state_is_refused() {
    let folder = Folder::new();
    let ledger = new_ledger(folder.path());
    let key = key(1, Ordering::Any);
    let register = |state| ledger.register(&key.instance, &key.public_key, state);
    assert_eq!(register(InitialState::Known).expect_err("no state").problem(), Problem::NoState);
    let adopt = InitialState::Adopt { low: 50, reason: "it was on paper".to_owned() };
    register(adopt).expect("adopted");
    assert_eq!(ask(&ledger, &key, 49, 1), Err(Refused::Passed));
    assert_eq!(ask(&ledger, &key, 50, 1), Ok(false));
    register(InitialState::Known).expect("known");
}

/// Whatever is put back, everything that was signed is closed after a reconciliation, and compromised positions are named.
#[test]
fn a_reconciliation_burns_forward() {
    let (folder, backup) = (Folder::new(), Folder::new());
    let key = signed(folder.path(), 3);
    copy(folder.path(), backup.path());
    let ledger = open(folder.path());
    assert_eq!(ask(&ledger, &key, 10, 1), Ok(false));
    let elsewhere = ledger.export(None, false).expect("a file").text;
    drop(ledger);
    // Two lives of one ledger.
    let log = Folder::new();
    copy(folder.path(), log.path());
    for name in [STORE, LOG] {
        copy_file(&backup.join(name), &folder.join(name));
    }
    let ledger = open(folder.path());
    assert_eq!(
        ask(&ledger, &key, 10, 2),
        Ok(false),
        "the rollback of everything is not seen without a clock"
    );
    assert_eq!(ask(&ledger, &key, 11, 2), Ok(false));
    drop(ledger);
    copy_file(&log.join(LOG), &folder.join(LOG));
    let refused = refusal(folder.path());
    assert!([Problem::WitnessDiffers, Problem::WitnessOlder].contains(&refused), "{refused:?}");
    let what = |with| Reconcile {
        settings: NewLedger::default(),
        with,
        epoch: None,
        reason: "two lives".to_owned(),
    };
    let before = SqliteLedger::reconcile(&options(folder.path()), &what(vec![])).expect("reconciled");
    let same = Key { public_key: key.public_key.clone(), instance: key.instance.clone() };
    assert_eq!(before.compromised, [(*same.id(), Place::epoch(10))]);
    let evidence = vec![Evidence::Interchange(elsewhere.into_bytes())];
    let again = SqliteLedger::reconcile(&options(folder.path()), &what(evidence)).expect("and again");
    assert_ne!(before.ledger_id, again.ledger_id);
    let ledger = open(folder.path());
    assert_eq!(ledger.standing(key.id()).expect("known").low, 12);
    for epoch in 0..12 {
        for message in 1..4 {
            let answer = ask(&ledger, &key, epoch, message);
            assert!(answer != Ok(false), "epoch {epoch}, message {message}");
        }
    }
    assert_eq!(ask(&ledger, &key, 10, 1), Err(Refused::EpochUsed), "closed for both");
    assert_eq!(ask(&ledger, &key, 11, 2), Ok(true));
    assert_eq!(ask(&ledger, &key, 12, 1), Ok(false));
}

#[test]
fn a_lost_store_is_made_anew_from_its_log() {
    let folder = Folder::new();
    let key = signed(folder.path(), 3);
    fs::write(folder.join(STORE), b"not a store any more").expect("it can be written");
    assert_eq!(refusal(folder.path()), Problem::StoreVersion);
    let what = Reconcile {
        settings: NewLedger::default(),
        with: vec![],
        epoch: None,
        reason: "a bad disk".to_owned(),
    };
    SqliteLedger::reconcile(&options(folder.path()), &what).expect("reconciled");
    let ledger = open(folder.path());
    assert_eq!(ask(&ledger, &key, 1, 2), Err(Refused::EpochUsed));
    assert_eq!(ask(&ledger, &key, 3, 1), Ok(false));
    // The public key was not in the log: it comes with the key.
    ledger.register(&key.instance, &key.public_key, InitialState::Known).expect("known");
    drop(ledger);
    drop(open(folder.path()));
}

#[test]
fn a_store_that_another_program_writes_is_in_use() {
    let folder = Folder::new();
    drop(new_ledger(folder.path()));
    let other = rusqlite::Connection::open(folder.join(STORE)).expect("it opens");
    other.execute_batch("BEGIN IMMEDIATE; UPDATE ledger SET ahead = 5").expect("it is written");
    assert_eq!(refusal(folder.path()), Problem::InUse);
    drop(other);
    let ledger = open(folder.path());
    let other = rusqlite::Connection::open(folder.join(STORE)).expect("it opens");
    other.busy_timeout(std::time::Duration::ZERO).expect("it does not wait");
    assert!(other.execute_batch("BEGIN IMMEDIATE; UPDATE ledger SET ahead = 5").is_err(), "it is locked");
    drop(ledger);
}

/// A clock that jumps forward, as after a machine's memory was stopped and resumed, quarantines the keys that would skip
/// epochs. One that jumps back refuses by itself.
#[test]
fn a_clock_that_jumps_is_seen() {
    static NOW: AtomicU64 = AtomicU64::new(1_000_400);
    let folder = Folder::new();
    let clock = ChainClock { genesis_time: 1_000_000, epoch_seconds: 4 };
    let options = options(folder.path()).unix_time(|| NOW.load(Relaxed));
    SqliteLedger::create(&options, NewLedger { clock: Some(clock), ..NewLedger::default() })
        .expect("a new ledger");
    let ledger = SqliteLedger::open(&options).expect("it opens");
    let (used, later) = (registered(&ledger, 1, Ordering::Strict), registered(&ledger, 2, Ordering::Strict));
    ledger.raise_low(later.id(), 100_000, "it is for later").expect("raised");
    assert_eq!(ask(&ledger, &used, 100, 1), Ok(false));
    assert_eq!(ledger.clock_steps(), 0);
    NOW.store(1_000_300, Relaxed);
    assert_eq!(ask(&ledger, &used, 101, 1), Err(Refused::Ahead), "it may refuse, and never permits");
    assert_eq!(ledger.clock_steps(), 1);
    NOW.store(1_004_000, Relaxed);
    assert_eq!(ask(&ledger, &used, 1000, 1), Err(Refused::Quarantined));
    assert_eq!(ask(&ledger, &later, 100_000, 1), Err(Refused::Ahead), "it would skip nothing");
    assert_eq!(ledger.accept_clock("it was asleep").expect("accepted"), 1);
    assert_eq!(ask(&ledger, &used, 1004, 1), Err(Refused::Passed));
    NOW.store(1_004_040, Relaxed);
    assert_eq!(ask(&ledger, &used, 1010, 1), Err(Refused::Quarantined), "and again");
}
