//! Files that were changed at random: no panic, no answer that takes long, and no other key than the true one.

use phalanx_custody::keystore::{Keystore, Password, Policy};
use phalanx_testing::Random;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The files of the vectors.
fn files() -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/custody/keystore");
    let mut names: Vec<_> = fs::read_dir(folder)
        .expect("the vectors are there")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .filter(|path| {
            path.file_name().is_some_and(|name| name != "expected.json" && name != "json-too-large.json")
        })
        .collect();
    names.sort();
    names.iter().map(|path| fs::read(path).expect("it can be read")).collect()
}

/// The secret, of files whose derivation is cheap.
fn secret(bytes: &[u8]) -> Option<Vec<u8>> {
    let keystore = Keystore::parse(bytes).ok().filter(Keystore::has_weak_kdf)?;
    let password = Password::from_bytes(b"correct horse battery staple").expect("UTF-8");
    let key = keystore.open(&password, Policy { accept_weak_kdf: true }).ok()?;
    Some(key.secret().expose().to_vec())
}

fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    const TOKENS: [&[u8]; 12] = [
        b"\"",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"0",
        b"9007199254740991",
        b"null",
        b"\\ud800",
        b"\xf0\x9f",
    ];
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len().max(1));
        match random.below(5) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            1 => bytes.truncate(at),
            2 => drop(bytes.splice(at..at, TOKENS[random.below(TOKENS.len())].iter().copied())),
            3 => {
                let end = (at + random.below(64)).min(bytes.len());
                bytes.drain(at.min(end)..end);
            }
            _ => {
                let end = (at + random.below(64)).min(bytes.len());
                let copy = bytes[at.min(end)..end].to_vec();
                let to = random.below(bytes.len().max(1)).min(bytes.len());
                drop(bytes.splice(to..to, copy));
            }
        }
    }
}

/// Parses mutants, and says how long the slowest took.
fn search(count: usize) -> Duration {
    let files = files();
    assert!(files.len() > 90);
    let mut random = Random::from_seed(0x7068_616c_616e_7821);
    let mut slowest = Duration::ZERO;
    for _ in 0..count {
        let mut mutant = files[random.below(files.len())].clone();
        mutate(&mut random, &mut mutant);
        let start = Instant::now();
        let parsed = Keystore::parse(&mutant);
        slowest = slowest.max(start.elapsed());
        drop(parsed);
    }
    slowest
}

#[test]
fn mutants_are_answered() {
    // How long it takes is looked at in the long run: other work may stand in the way here.
    search(20_000);
}

#[test]
#[ignore = "a million mutants, about a minute"]
fn a_million_mutants_are_answered() {
    let slowest = search(1_000_000);
    assert!(slowest < Duration::from_millis(500), "{slowest:?}");
}

/// Every byte of a file, changed: what opens has the same secret.
#[test]
fn a_flipped_bit_never_gives_another_key() {
    let name = "../../vectors/custody/keystore/ok-ed25519.json";
    let bytes = fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)).expect("the vector is there");
    let wanted = secret(&bytes).expect("it opens");
    let mut opened = 0;
    for at in 0..bytes.len() {
        let mut mutant = bytes.clone();
        mutant[at] ^= 1 << (at % 8);
        if let Some(got) = secret(&mutant) {
            assert!(got == wanted, "byte {at}");
            opened += 1;
        }
    }
    assert!(opened < bytes.len() / 4, "{opened} of {} flips open", bytes.len());
}
