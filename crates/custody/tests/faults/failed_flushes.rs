//! T2 and T4 together: flushes fail, the process goes on in a new life, and then the power goes. What the memory shows after
//! a failed flush need not be on the disk, and no later flush brings it there.

use super::power_loss::{gives_twice, honest, wishes};
use super::stores::{Ledger, Store};
use super::support::{Counts, Folder, Journal, count, seed, wish_text};
use phalanx_custody::ledger::durable::{NewLedger, Reconcile};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_powerloss::{Chance, EIO, ENOSPC, Fault, Park, Plan, Watch};
use std::path::Path;

/// A few lives of one ledger, in each of which a call may fail.
fn lives(folder: &Path, watch: &Watch, chance: &mut Chance, case: &str) {
    for life in 0..5 {
        let at = 1 + chance.below(60) as u64;
        let fault = Fault::Error(if chance.below(3) > 0 { EIO } else { ENOSPC });
        let plan = Plan::Calls { at, for_ever: chance.below(3) == 0, fault };
        let fails = chance.below(3) > 0;
        watch.plan(fails.then_some(plan));
        match Ledger::open(folder) {
            // The memory is whole: a process that finds its disk in order starts.
            Err(refusal) => assert!(fails, "bricked: {refusal}: {case}"),
            Ok(mut ledger) => {
                for group in 0..6 {
                    let wishes = wishes(chance, life * 6 + group);
                    let answers = ledger.ask(&wishes);
                    for (&wish, _) in wishes.iter().zip(answers).filter(|(_, answer)| *answer) {
                        watch.mark(wish_text(wish).as_bytes());
                    }
                }
            }
        }
        watch.plan(None);
    }
}

fn failed_flushes(count_of_runs: usize, seed: u64) {
    let (mut refused, mut opened) = (Counts::new(), 0);
    for run in 0..count_of_runs {
        let case = format!("run {run} of seed {seed}");
        let (folder, mut chance) = (Folder::new(), Chance::new(seed + 1_000_000 * run as u64));
        Ledger::make(folder.path());
        let watch = Watch::start(folder.path());
        lives(folder.path(), &watch, &mut chance, &case);
        let record = watch.stop();
        let park = Park::new(folder.path(), &record).expect("a place beside the folder");
        for _ in 0..4 {
            let end = record.ops.len() - chance.below(record.ops.len() / 2);
            let journal = Journal::of(record.marks(end));
            park.lay(&record.image(end, &mut chance, &honest)).expect("files can be written");
            let mut ledger = match Ledger::open(folder.path()) {
                Ok(ledger) => {
                    opened += 1;
                    ledger
                }
                Err(refusal) => {
                    count(&mut refused, &refusal);
                    reconciled(folder.path(), &case)
                }
            };
            assert!(!gives_twice(&mut ledger, &journal), "signed twice: {case}");
        }
    }
    eprintln!("{opened} opened, refused: {refused:?}, seed {seed}");
    assert!(opened > 0, "nothing opened, seed {seed}");
}

/// A ledger that was refused, after its operator has given up what nobody knows any more.
pub(crate) fn reconciled(folder: &Path, case: &str) -> Ledger {
    let settings = NewLedger::default();
    let what = Reconcile { settings, with: Vec::new(), epoch: None, reason: "a power failure".to_owned() };
    SqliteLedger::reconcile(&super::support::options(folder), &what)
        .unwrap_or_else(|error| panic!("not reconciled: {error}: {case}"));
    Ledger::open(folder).unwrap_or_else(|refusal| panic!("reconciled and refused: {refusal}: {case}"))
}

#[test]
fn t4_flushes_fail_and_then_the_power() {
    failed_flushes(20, seed(1));
}

#[test]
#[ignore = "2,000 images of 500 runs, 3 minutes"]
fn t4_flushes_fail_and_then_the_power_long() {
    failed_flushes(500, seed(2));
}
