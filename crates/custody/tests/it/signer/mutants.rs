//! What clients and operators write, with bytes changed, lost or repeated: what the fuzz targets of the signer look at, for a
//! short while and without their engine.

use crate::ledger::mutants::mutated;
use phalanx_custody::signer::fuzzing;
use phalanx_testing::Random;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

type Look = fn(&[u8]) -> bool;

/// A target and its seeds: how many rounds were done, and how many of them were what the target reads.
fn rounds(target: &str, look: Look, go_on: impl Fn(u32) -> bool) -> (u32, u32) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let entries =
        fs::read_dir(folder).expect("the target has seeds").map(|entry| entry.expect("listed").path());
    let mut paths: Vec<_> = entries.collect();
    paths.sort();
    let seeds: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).expect("a seed")).collect();
    assert!(seeds.len() > 1 && seeds.iter().any(|seed| look(seed)), "{target}: seeds are good, some of them");
    let (mut random, mut done, mut good) = (Random::from_seed(7), 0, 0);
    while go_on(done) {
        let seed = &seeds[random.below(seeds.len())];
        good += u32::from(look(&mutated(&mut random, seed)));
        done += 1;
    }
    (done, good)
}

fn text(bytes: &[u8], look: fn(&str) -> bool) -> bool {
    std::str::from_utf8(bytes).is_ok_and(look)
}

const TARGETS: [(&str, Look); 4] = [
    ("signer_bodies", fuzzing::body),
    ("signer_files", |bytes| text(bytes, fuzzing::tokens)),
    ("signer_files", |bytes| text(bytes, fuzzing::configuration)),
    ("sign_bytes", fuzzing::sign_bytes),
];

#[test]
fn mutated_requests_and_files_are_read_without_a_panic() {
    for (target, look) in TARGETS {
        let (done, good) = rounds(target, look, |done| done < 3000);
        assert!(good > 0 && good < done, "{target}: of {done} changes some matter: {good}");
    }
}

#[test]
#[ignore = "a minute for each of four targets"]
fn mutated_requests_and_files_are_read_without_a_panic_long() {
    for (target, look) in TARGETS {
        let begun = Instant::now();
        let (done, good) = rounds(target, look, |_| begun.elapsed() < Duration::from_secs(60));
        eprintln!("{target}: {done} rounds, {good} of them good");
    }
}
