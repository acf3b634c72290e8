//! T3: disks and stores that say that something is flushed, and it is not. A harness that does not see them sees nothing.

use super::power_loss::{Tally, honest, images};
use super::stores::{Ledger, NormalSqlite, RangeLog, Store};
use super::support::seed;
use std::path::Path;

/// Most images of a liar. It is found long before.
const MOST: usize = 200;

fn is_found<S: Store>(lies: &dyn Fn(&Path) -> bool, seed: u64) {
    let tally = images::<S>(MOST, seed, lies, &|tally| tally.reused > 0);
    assert!(tally.reused > 0, "a liar was not found, seed {seed}: {tally:?}");
}

fn everything(_: &Path) -> bool {
    true
}

#[test]
fn t3a_a_disk_that_never_flushes_is_found() {
    is_found::<Ledger>(&everything, seed(1));
}

#[test]
fn t3b_a_store_that_flushes_ranges_only_is_found() {
    is_found::<RangeLog>(&honest, seed(2));
}

#[test]
fn t3c_a_store_that_does_not_flush_each_commit_is_found() {
    is_found::<NormalSqlite>(&honest, seed(3));
}

#[test]
fn t3d_such_a_store_on_a_disk_that_never_flushes_is_found() {
    is_found::<NormalSqlite>(&everything, seed(4));
}

/// One of the two files is on a disk that lies. The other one knows.
fn is_refused(count: usize, lies: &dyn Fn(&Path) -> bool, code: &str, seed: u64) {
    let is_seen = |tally: &Tally| tally.refused.iter().any(|refusal| refusal.starts_with(code));
    let tally = images::<Ledger>(count, seed, lies, &|_| false);
    assert_eq!(tally.reused, 0, "seed {seed}");
    assert!(is_seen(&tally), "no start was refused as {code}, seed {seed}: {tally:?}");
}

fn is_store(name: &Path) -> bool {
    name.to_string_lossy().contains("sqlite3")
}

fn is_witness(name: &Path) -> bool {
    name.to_string_lossy().starts_with("witness-")
}

#[test]
fn t3e_a_store_whose_flushes_lie_is_refused() {
    is_refused(40, &is_store, "store_older", seed(5));
}

#[test]
fn t3f_a_side_log_whose_flushes_lie_is_refused() {
    is_refused(40, &is_witness, "witness_older", seed(6));
}

#[test]
#[ignore = "2 times 2,000 images, a minute"]
fn t3ef_single_liars_long() {
    is_refused(2000, &is_store, "store_older", seed(7));
    is_refused(2000, &is_witness, "witness_older", seed(8));
}
