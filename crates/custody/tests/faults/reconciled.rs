//! A reconciliation that is killed, or that the power goes in. Whoever begins it again loses nothing that was signed.

use super::failed_flushes::reconciled;
use super::power_loss::{gives_twice, honest, recorded};
use super::stores::{Ledger, Store};
use super::support::{Folder, Journal, options, seed};
use phalanx_custody::ledger::durable::{NewLedger, Reconcile};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_powerloss::{Chance, Park, Watch};
use std::path::PathBuf;

fn interrupted(step: usize, seed: u64) {
    let (folder, mut chance) = (Folder::new(), Chance::new(seed));
    Ledger::make(folder.path());
    let record = recorded::<Ledger>(folder.path(), 2, 20, &mut chance);
    let journal = Journal::of(record.marks(record.ops.len()));
    // The side log lacks its end, so that the ledger is refused.
    let is_log = |name: &PathBuf| name.extension().is_some_and(|end| end == "log");
    let names = record.after_kill(record.ops.len()).files.into_keys();
    let log = folder.path().join(names.filter(is_log).max().expect("a log"));
    let bytes = std::fs::read(&log).expect("a log");
    std::fs::write(&log, &bytes[..bytes.len() / 2]).expect("it can be written");
    let refusal = Ledger::open(folder.path()).map(drop).expect_err("half a log");
    assert!(refusal.starts_with("witness_older") || refusal.starts_with("store_"), "{refusal}");
    let watch = Watch::start(folder.path());
    let what = Reconcile {
        settings: NewLedger::default(),
        with: Vec::new(),
        epoch: None,
        reason: "half a log".to_owned(),
    };
    SqliteLedger::reconcile(&options(folder.path()), &what).expect("the store knows everything");
    let record = watch.stop();
    let park = Park::new(folder.path(), &record).expect("a place beside the folder");
    for end in (0..=record.ops.len()).step_by(step) {
        for is_power_loss in [false, true] {
            let case = format!("call {end}, power loss: {is_power_loss}, seed {seed}");
            let image =
                if is_power_loss { record.image(end, &mut chance, &honest) } else { record.after_kill(end) };
            park.lay(&image).expect("files can be written");
            if let Ok(mut ledger) = Ledger::open(folder.path()) {
                assert!(!gives_twice(&mut ledger, &journal), "signed twice: {case}");
            }
            let mut ledger = reconciled(folder.path(), &case);
            assert!(!gives_twice(&mut ledger, &journal), "signed twice once reconciled: {case}");
        }
    }
}

#[test]
fn an_interrupted_reconciliation_loses_nothing() {
    interrupted(7, seed(1));
}

#[test]
#[ignore = "every call of 10 runs, a minute"]
fn an_interrupted_reconciliation_loses_nothing_long() {
    let first = seed(10);
    (first..first + 10).for_each(|seed| interrupted(1, seed));
}
