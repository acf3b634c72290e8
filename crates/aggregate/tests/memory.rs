//! What proving holds in memory at its peak, beside what is stated before it starts.
//!
//! This binary has an allocator of its own, which counts; and so one test at a time.
#![cfg(feature = "parallel")]

#[expect(dead_code, reason = "what other tests ask for")]
#[path = "it/support.rs"]
mod support;

use phalanx_aggregate::{DEFAULT_MEMORY_LIMIT, Profile, Threads, aggregate_on, memory_len};
use phalanx_testing::memory::{Counting, held, peak};
use std::sync::{Mutex, PoisonError};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// What proving takes of what is stated, as a part of it, and that it is not more.
#[expect(clippy::print_stdout, reason = "what was measured, for those who look")]
fn part_of_stated(signatures: u32, profile: Profile, threads: usize) -> f64 {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let signers: Vec<_> = (0..signatures)
        .map(|i| {
            let mut seed = [5; 32];
            seed[..4].copy_from_slice(&i.to_le_bytes());
            (seed, 7, [9; 32])
        })
        .collect();
    let (statement, signatures) = support::signed(&signers);
    let pool = Threads::new(threads);
    let stated = memory_len(profile, statement.signatures());
    assert!(stated <= DEFAULT_MEMORY_LIMIT);
    let before = held();
    let most = peak(|| {
        aggregate_on(&pool, profile, &statement, &signatures, b"memory").expect("valid signatures");
    });
    let taken = (most - before) as u64;
    let name = profile.name();
    let count = statement.signatures();
    println!("{count} signatures, {name}, {threads} threads: {taken} bytes of {stated}");
    assert!(taken <= stated, "{count} signatures, {name}, {threads} threads: {taken} bytes, stated {stated}");
    #[expect(clippy::cast_precision_loss, reason = "a part")]
    let part = taken as f64 / stated as f64;
    part
}

/// Never more than is stated; and what is stated is no guess far above: at a full class half of it is used at least.
#[test]
fn proving_takes_what_is_stated() {
    for profile in Profile::ALL {
        for (signatures, threads) in [(1, 1), (3, 2), (4, 1), (14, 1), (14, 2)] {
            let part = part_of_stated(signatures, profile, threads);
            assert!(signatures < 14 || part > 0.5, "{part}");
        }
    }
}

#[test]
#[ignore = "up to 461 signatures: 1 GB and some minutes"]
fn proving_many_takes_what_is_stated() {
    for profile in Profile::ALL {
        for signatures in [115, 116, 461] {
            let part = part_of_stated(signatures, profile, 2);
            assert!(part > 0.5, "{part}");
        }
    }
}
