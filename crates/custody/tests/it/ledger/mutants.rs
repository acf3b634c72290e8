//! Files from outside with bytes changed, lost or repeated: read without a panic, and never as saying more.

use phalanx_custody::ledger::accounts::Accounts;
use phalanx_custody::ledger::interchange::{Chain, import_eip3076, import_own, read_own};
use phalanx_custody::ledger::log::{Verdict, read};
use phalanx_custody::ledger::migration::read_record;
use phalanx_custody::ledger::startup::replay;
use phalanx_testing::Random;
use std::fs;

fn vector(name: &str) -> Vec<u8> {
    let path = format!("{}/../../vectors/custody/ledger/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read(path).expect("a vector file")
}

/// A few changes: bits, cuts, holes, pieces put elsewhere.
pub(crate) fn mutated(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(3) {
        let (a, b) = (random.below(bytes.len() + 1), random.below(bytes.len() + 1));
        let (start, end) = (a.min(b), a.max(b).min(a.min(b) + 300));
        match random.below(5) {
            0 => bytes.truncate(a),
            1 => drop(bytes.drain(start..end)),
            2 => bytes[start..end].fill(0),
            3 => {
                let piece = bytes[start..end].to_vec();
                let at = random.below(bytes.len() + 1);
                bytes.splice(at..at, piece);
            }
            _ if a < bytes.len() => bytes[a] ^= 1 << random.below(8),
            _ => {}
        }
    }
    bytes
}

#[test]
fn mutated_logs_say_no_more_than_the_original() {
    let (original, mut random) = (vector("good.log"), Random::from_seed(1));
    let truth = read(&original);
    let mut shorter = 0;
    for round in 0..5000 {
        let reading = read(&mutated(&mut random, &original));
        // The chain lets nothing through that was not there.
        assert!(truth.groups.starts_with(&reading.groups), "round {round}");
        assert!(reading.groups.is_empty() || replay(&reading.groups).is_some(), "round {round}");
        shorter += usize::from(reading.groups.len() < truth.groups.len());
        assert!(reading.verdict != Verdict::Good || reading.tail_bytes == 0, "round {round}");
    }
    assert!(shorter > 1000, "the changes change something: {shorter}");
}

#[test]
fn mutated_histories_and_records_are_read_without_a_panic() {
    let mut random = Random::from_seed(2);
    let (own, eip) = (vector("own-exported.json"), vector("eip3076-newer.json"));
    let (record, accounts) = (vector("record-good.epochs"), Accounts::default());
    let hex = |text: &str| hex::decode(text).expect("hexadecimal");
    let public_key = hex(
        "98565e6100a2370b3b37e92f3d2af43227f4c12f631242660ec1ea21936c3429fef4847c6315b06618d69e7b1419890df0c5df29",
    );
    let read_it = |bytes: &[u8]| read_record(bytes, "xmss-poseidon2-l8-d64b8", &public_key, 256);
    assert_eq!(read_it(&record).expect("the original").entries.len(), 3);
    // A ledger that knows the keys, so that what is said of them is read.
    let mut known = Accounts::default();
    let file = read_own(&own).expect("the original");
    known.apply_all(&import_own(&accounts, &file).expect("it fits").records).expect("it fits");
    let root = hex("f4c082897eda5b8460ba6f4d5f046bc00e9e036ea09ea7dd05bbbd8bc30a8441");
    let chain = Chain {
        genesis_validators_root: root.try_into().ok(),
        public_keys: file.public_keys().map(|(key, public_key)| (key, public_key.to_vec())).collect(),
    };
    assert!(import_eip3076(&known, &chain, &eip).is_ok());
    for round in 0..3000 {
        let mutant = mutated(&mut random, &own);
        assert!(
            mutant == own || read_own(&mutant).map(|_| ()).is_err() || is_same_json(&mutant, &own),
            "round {round}"
        );
        // Whatever it says: it only takes away.
        if let Ok(import) = import_eip3076(&known, &chain, &mutated(&mut random, &eip)) {
            known.clone().apply_all(&import.records).expect("what an import says fits");
        }
        let _ = read_it(&mutated(&mut random, &record));
    }
}

/// White space may differ: the checksum is of what is said.
fn is_same_json(a: &[u8], b: &[u8]) -> bool {
    let value = |bytes| serde_json::from_slice::<serde_json::Value>(bytes).ok();
    value(a).is_some() && value(a) == value(b)
}
