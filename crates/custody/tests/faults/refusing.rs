//! T4: the disk refuses. A ledger to which this happens answers nothing more; opened anew, with the disk in order, it goes
//! on, whatever call it was.

use super::power_loss::{honest, wishes};
use super::stores::{Ledger, Store};
use super::support::{Folder, Journal, KEYS, Wish, seed, wish_text};
use phalanx_custody::ledger::{EpochLedger, Health, Refused};
use phalanx_powerloss::{Chance, Fault, Park, Plan, Record, Watch};
use std::path::Path;

/// What happens between the failure and the next opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Between {
    /// The process ends.
    Nothing,
    /// The power goes.
    PowerLoss,
}

/// A ledger in a folder, which can be had again as it was.
struct Again {
    folder: Folder,
    base: Record,
    park: Park,
}

impl Again {
    fn new() -> Self {
        let folder = Folder::new();
        Ledger::make(folder.path());
        let base = Watch::start(folder.path()).stop();
        let park = Park::new(folder.path(), &base).expect("a place beside the folder");
        Self { folder, base, park }
    }

    /// Lets a ledger work under `plan`. The answer is whether the plan's first call was reached.
    fn one_case(&self, plan: Plan, between: Between, seed: u64) -> bool {
        let case = format!("{plan:?}, {between:?}, seed {seed}");
        let (folder, mut chance) = (self.folder.path(), Chance::new(seed));
        self.park.lay(&self.base.after_kill(0)).expect("files can be written");
        let watch = Watch::start(folder);
        watch.plan(Some(plan));
        work(folder, &watch, &mut chance, &case);
        let is_reached = match plan {
            Plan::Calls { at, .. } => watch.calls() >= at,
            Plan::Space(_) => true,
        };
        let record = watch.stop();
        if between == Between::PowerLoss {
            let image = record.image(record.ops.len(), &mut chance, &honest);
            Park::new(folder, &record).and_then(|park| park.lay(&image)).expect("files can be written");
        }
        let journal = Journal::of(record.marks(record.ops.len()));
        is_sound(folder, &journal, &case);
        is_reached
    }
}

/// A life in which calls fail. Releases are marks.
fn work(folder: &Path, watch: &Watch, chance: &mut Chance, case: &str) {
    let Ok(ledger) = Ledger::open(folder) else { return };
    let mut has_stopped = false;
    for group in 0..8 {
        let wishes = wishes(chance, group);
        for (&wish, answer) in wishes.iter().zip(ledger.answers(&wishes)) {
            match answer {
                Ok(_) if has_stopped => panic!("{wish:?} after a fault: {case}"),
                Ok(_) => watch.mark(wish_text(wish).as_bytes()),
                Err(Refused::Poisoned) => has_stopped = true,
                Err(refused) => assert!(!has_stopped, "{refused} after a fault: {case}"),
            }
        }
        if group == 4 {
            has_stopped |= ledger.ledger.compact(4).is_err();
        }
        let health = ledger.ledger.health();
        assert_eq!(has_stopped, matches!(health, Health::Poisoned(_)), "{health:?}: {case}");
        assert!(!format!("{health:?}").contains("has ended"), "the thread that writes has panicked: {case}");
    }
}

/// The disk is in order again: the ledger opens, gives nothing of the journal to another message, and signs.
fn is_sound(folder: &Path, journal: &Journal, case: &str) {
    let ledger = Ledger::open(folder).unwrap_or_else(|refusal| panic!("bricked: {refusal}: {case}"));
    let released: Vec<Wish> =
        journal.0.iter().map(|(&(key, epoch), &message)| (key, epoch, message)).collect();
    let others: Vec<Wish> = released.iter().map(|&(key, epoch, _)| (key, epoch, 9)).collect();
    assert!(ledger.answers(&others).iter().all(Result::is_err), "signed twice: {case}");
    // What was tidied away is below the low watermark: closed, and not to be had again.
    let is_kept = |answer: &_| matches!(answer, Ok(true) | Err(Refused::Passed));
    assert!(ledger.answers(&released).iter().all(is_kept), "lost: {case}");
    let new: Vec<Wish> = (0..KEYS).map(|key| (key, 1000, 1)).collect();
    assert!(ledger.answers(&new).iter().all(|answer| *answer == Ok(false)), "does not sign: {case}");
    drop(ledger);
    // What was left of a group that was cut is gone: the groups after it read back.
    let ledger = Ledger::open(folder).unwrap_or_else(|refusal| panic!("bricked later: {refusal}: {case}"));
    assert!(ledger.answers(&new).iter().all(|answer| *answer == Ok(true)), "lost later: {case}");
}

const ERRORS: [i32; 4] =
    [phalanx_powerloss::ENOSPC, phalanx_powerloss::EIO, phalanx_powerloss::EROFS, phalanx_powerloss::EDQUOT];

/// Every `step`th call of a life fails, until a life has no more calls.
fn every_call(faults: &[Fault], step: u64, seed: u64) {
    let (again, mut cases) = (Again::new(), 0);
    for &fault in faults {
        for for_ever in [false, true] {
            for between in [Between::Nothing, Between::PowerLoss] {
                let mut at = 1 + seed % step;
                while again.one_case(Plan::Calls { at, for_ever, fault }, between, seed + at) {
                    (at, cases) = (at + step, cases + 1);
                }
                // SQLite and the side log together make more calls than this in eight groups.
                assert!(at > 40, "the life of seed {seed} ended at call {at}");
            }
        }
    }
    eprintln!("{cases} cases, seed {seed}");
}

#[test]
fn t4_a_call_fails() {
    every_call(
        &[Fault::Error(phalanx_powerloss::ENOSPC), Fault::Error(phalanx_powerloss::EIO), Fault::Short],
        5,
        seed(1),
    );
}

#[test]
#[ignore = "every call with every error, minutes"]
fn t4_a_call_fails_long() {
    let mut faults: Vec<Fault> = ERRORS.into_iter().map(Fault::Error).collect();
    faults.push(Fault::Short);
    (0..4).for_each(|n| every_call(&faults, 1, seed(10) + 1000 * n));
}

/// The disk has room for so many bytes more.
fn space(sizes: impl Iterator<Item = u64>, seed: u64) {
    let again = Again::new();
    for size in sizes {
        again.one_case(Plan::Space(size), Between::Nothing, seed);
    }
}

#[test]
fn t4_the_disk_is_full() {
    space((0..120_000).step_by(2777), seed(2));
}

#[test]
#[ignore = "6,200 sizes, a minute"]
fn t4_the_disk_is_full_long() {
    space((0..31).flat_map(|blocks| (0..200).map(move |more| blocks * 4096 + more)), seed(3));
}
