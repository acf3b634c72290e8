//! What SHA-256 alone has: round constants, which are inputs of its circuit, and vectors.

use super::function::{Compression, Sha256};
use super::{forged, hidden, no_bend, preimages, slot_of};
use crate::support::digest;
use phalanx_aggregate::{Limits, Profile, ProofError};
use phalanx_reference::aggregate::compress;
use serde_json::Value;

/// The slots of the round constants.
const CONSTANTS: core::ops::Range<usize> = 8..24;

/// `vectors/compressions`, which the reference made: the prover makes the same bytes, and what is there verifies.
#[test]
fn vectors_of_the_reference() {
    let path = |name: &str| {
        std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/compressions").join(name)
    };
    let read = |name: &str| std::fs::read(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let cases: Vec<Value> = serde_json::from_slice(&read("sha256.json")).expect("JSON");
    assert_eq!(cases.len(), 4);
    for case in &cases {
        let text = |value: &Value| hex::decode(value.as_str().expect("text")).expect("hex");
        let words = |value: &Value| -> Vec<u32> {
            text(value).as_chunks().0.iter().map(|bytes| u32::from_be_bytes(*bytes)).collect()
        };
        let name = case["name"].as_str().expect("text");
        let profile = u8::try_from(case["profile"].as_u64().expect("a number")).expect("a byte");
        let profile = Profile::from_code(profile).expect("of ours");
        let context = text(&case["context_hex"]);
        let statement = Sha256::read(&text(&case["statement_hex"])).expect("valid");
        let inputs: Vec<Vec<u32>> =
            case["inputs_hex"].as_array().expect("a list").iter().map(words).collect();
        let made = Sha256::prove(None, profile, &statement, &inputs, &context).expect("true");
        assert_eq!(digest(&made), case["blake2s_of_proof"], "{name}");
        assert_eq!(made.len() as u64, case["proof_len"], "{name}");
        assert_eq!(Sha256::verify(&Limits::new(&[profile]), &statement, &context, &made), Ok(()), "{name}");
        if let Some(file) = case["proof"].as_str() {
            assert!(read(file) == made, "{name}");
        }
    }
}

/// A round constant is another one, each slot of them in turn; everything else is computed with it, and is what the statement
/// says.
#[test]
fn another_constant() {
    let function = Sha256::plain();
    let (_, inputs) = preimages::<Sha256>();
    for slot in CONSTANTS {
        let mut words = Sha256::words(&inputs);
        let mut first = function.inputs(&inputs[1]);
        first[4 * slot + 3] ^= 1 << 31;
        words[Sha256::WORDS..2 * Sha256::WORDS].copy_from_slice(&compress(&function.circuit, &first));
        let mut public = hidden::<Sha256>(3);
        public[1] = (0..Sha256::SLOTS).map(|slot| Some(slot_of::<Sha256>(&words, 1, slot))).collect();
        let statement = Sha256::state(&public).expect("three");
        assert_eq!(forged::<Sha256>(&statement, words, no_bend), Err(ProofError::Wiring), "slot {slot}");
    }
}

/// Constants are rules where nothing is public, too: no witness at all is none.
#[test]
fn constants_are_never_hidden() {
    let statement = Sha256::state(&hidden::<Sha256>(4)).expect("four");
    let words = vec![0; 4 * Sha256::WORDS];
    assert_eq!(forged::<Sha256>(&statement, words, no_bend), Err(ProofError::Wiring));
}
