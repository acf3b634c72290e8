//! T11 and T12: everything restored from a copy, and clocks that are wrong. The ledgers have a clock, and burn forward when
//! they start: the copies agree with themselves, and the clock is all that tells.

use super::support::{Counts, Folder, Journal, KEYS, copy, key, overwrite, seed};
use phalanx_custody::ledger::durable::{ChainClock, LedgerOptions, NewLedger};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{EpochLedger, InitialState, Position, Refused, Request};
use phalanx_powerloss::Chance;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const GENESIS: u64 = 2_000_000_000;
/// Seconds of an epoch: so many that some epochs more are not yet a jump of the clock.
const EPOCH: i64 = 1000;
/// Epochs before and after that of the clock that may be signed, as in a new ledger.
const BEHIND: u64 = 64;
const AHEAD: u64 = 4;
/// The epoch that it is when a test begins.
const BEGIN: u64 = 1000;

/// A ledger whose clock the test sets.
struct Clocked<'a> {
    folder: &'a Path,
    now: &'static AtomicU64,
    unix_time: fn() -> u64,
    ledger: Option<SqliteLedger>,
}

impl Clocked<'_> {
    fn options(&self) -> LedgerOptions {
        LedgerOptions::new(self.folder).allow_file_system("overlay").unix_time(self.unix_time)
    }

    fn make(&mut self) {
        self.now.store(GENESIS + BEGIN * EPOCH.unsigned_abs(), Relaxed);
        let clock = Some(ChainClock { genesis_time: GENESIS, epoch_seconds: EPOCH.unsigned_abs() });
        SqliteLedger::create(&self.options(), NewLedger { clock, ..NewLedger::default() })
            .expect("a new ledger");
        self.open();
        for number in 0..KEYS {
            let (public_key, instance) = key(number);
            let ledger = self.ledger.as_ref().expect("it is open");
            ledger.register(&instance, &public_key, InitialState::New).expect("a new key");
        }
    }

    fn open(&mut self) {
        self.ledger = Some(SqliteLedger::open(&self.options()).expect("it opens"));
    }

    fn close(&mut self) {
        self.ledger = None;
    }

    /// Sets the clock on or back by some seconds.
    fn step(&self, seconds: i64) {
        self.now.store(self.now.load(Relaxed).saturating_add_signed(seconds), Relaxed);
    }

    fn epoch(&self) -> u64 {
        self.now.load(Relaxed).saturating_sub(GENESIS) / EPOCH.unsigned_abs()
    }

    fn ask(&self, number: usize, epoch: u64, message: u8) -> Result<bool, Refused> {
        let (id, epoch) = (key(number).1.key_id, u32::try_from(epoch).expect("a small number"));
        let request = Request { key: &id, position: Position::Epoch(epoch), message: &[message; 32] };
        let ledger = self.ledger.as_ref().expect("it is open");
        ledger.reserve(request).map(|reserved| reserved.is_repeat())
    }

    /// Asks `times` for something near the clock's epoch, and notes what is released.
    fn work(&self, times: usize, chance: &mut Chance, journal: &mut Journal, counts: &mut Counts) {
        for _ in 0..times {
            let (number, now) = (chance.below(KEYS), self.epoch());
            let epoch = (now + AHEAD + 2).saturating_sub(chance.below(12) as u64);
            let message = u8::try_from(chance.below(3)).expect("below 3");
            let answer = self.ask(number, epoch, message);
            let name = match answer {
                Ok(true) => "repeated",
                Ok(false) => "signed",
                Err(refused) => refused.code(),
            };
            *counts.entry(name.to_owned()).or_default() += 1;
            if answer.is_ok() {
                let wish = (number, u32::try_from(epoch).expect("a small number"), message);
                assert!(journal.note(wish), "{wish:?} signed twice");
            }
            if answer == Ok(false) {
                assert!(
                    (now.saturating_sub(BEHIND)..=now + AHEAD).contains(&epoch),
                    "{epoch} signed at {now}"
                );
            }
        }
    }
}

/// Some seconds, fewer than two epochs have.
fn some(chance: &mut Chance) -> i64 {
    i64::try_from(chance.below(2000)).expect("a small number")
}

/// Signs, copies everything, goes on, and puts the copy back. The clock may be behind its earlier self by an epoch.
fn restored(clocked: &mut Clocked<'_>, chance: &mut Chance) -> u64 {
    let (mut journal, mut counts) = (Journal::default(), Counts::default());
    let live = |clocked: &Clocked<'_>, chance: &mut Chance, journal: &mut Journal, counts: &mut Counts| {
        for _ in 0..chance.below(6) {
            clocked.step(some(chance));
            clocked.work(4, chance, journal, counts);
        }
    };
    clocked.make();
    live(clocked, chance, &mut journal, &mut counts);
    clocked.close();
    let backup = Folder::new();
    copy(clocked.folder, backup.path());
    for _ in 0..=chance.below(2) {
        clocked.open();
        // After a start nothing new is signed until the clock has passed all that may have been signed.
        clocked.step(5 * EPOCH);
        live(clocked, chance, &mut journal, &mut counts);
        clocked.close();
    }
    for entry in fs::read_dir(clocked.folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let saved = backup.join(&path.file_name().expect("it has a name").to_string_lossy());
        if saved.exists() {
            overwrite(&saved, &path);
        } else {
            fs::remove_file(&path).expect("it can be removed");
        }
    }
    clocked.step(some(chance) - EPOCH);
    clocked.open();
    let last = journal.0.keys().map(|&(_, epoch)| u64::from(epoch)).max().unwrap_or(0);
    for _ in 0..5 {
        for number in 0..KEYS {
            for epoch in BEGIN - 8..clocked.epoch() + AHEAD + 2 {
                let is_new = clocked.ask(number, epoch, 9) == Ok(false);
                assert!(!is_new || epoch > last, "{epoch} signed after a restore, {last} was the last");
                counts
                    .entry("after".to_owned())
                    .and_modify(|count| *count += usize::from(is_new))
                    .or_default();
            }
        }
        clocked.step(2 * EPOCH);
    }
    clocked.close();
    counts["after"] as u64
}

fn restores(count: u64, seed: u64) {
    static NOW: AtomicU64 = AtomicU64::new(0);
    let mut after = 0;
    for seed in seed..seed + count {
        let folder = Folder::new();
        let unix_time = || NOW.load(Relaxed);
        let mut clocked = Clocked { folder: folder.path(), now: &NOW, unix_time, ledger: None };
        let mut chance = Chance::new(seed);
        eprintln!("seed {seed}");
        after += restored(&mut clocked, &mut chance);
    }
    assert!(after > 0, "no ledger signed again");
}

#[test]
fn t11_what_was_restored_signs_only_later_epochs() {
    restores(20, seed(0));
}

/// Signs while the clock goes wrong in every way.
fn wrong_clocks(count: u64, seed: u64) {
    static NOW: AtomicU64 = AtomicU64::new(0);
    const STEPS: [i64; 8] = [1, 5, 60, 999, 4001, 86_400, 31_557_600, 315_576_000];
    let mut counts = Counts::default();
    for seed in seed..seed + count {
        eprintln!("seed {seed}");
        let (folder, mut chance, mut journal) = (Folder::new(), Chance::new(seed), Journal::default());
        let unix_time = || NOW.load(Relaxed);
        let mut clocked = Clocked { folder: folder.path(), now: &NOW, unix_time, ledger: None };
        clocked.make();
        for _ in 0..40 {
            let step = STEPS[chance.below(STEPS.len())];
            // Ten years on and a key of made-up length has passed; ten years back and time has not begun.
            clocked.step(if chance.below(2) == 0 { step } else { -step });
            clocked.work(6, &mut chance, &mut journal, &mut counts);
            match chance.below(6) {
                0 => {
                    clocked.close();
                    clocked.step(STEPS[chance.below(5)]);
                    clocked.open();
                }
                1 => {
                    let ledger = clocked.ledger.as_ref().expect("it is open");
                    ledger.accept_clock("the operator has looked").expect("accepted");
                }
                _ => {}
            }
        }
        clocked.close();
    }
    eprintln!("{counts:?}");
    for wanted in ["signed", "repeated", "epoch_used", "passed", "ahead", "quarantined"] {
        assert!(counts.contains_key(wanted), "nothing was {wanted}: {counts:?}");
    }
}

#[test]
fn t12_no_clock_makes_it_sign_twice() {
    wrong_clocks(6, seed(0));
}

#[test]
#[ignore = "1,000 copies put back and 300 walks of the clock, 5 minutes"]
fn t11_t12_long() {
    restores(1000, seed(1 << 20));
    wrong_clocks(300, seed(1 << 20));
}
