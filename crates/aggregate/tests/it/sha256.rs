//! Compressions of SHA-256, the second circuit: the reference's bytes, and a false witness for every check.

use crate::forge::{Committed, three_points};
use crate::support::digest;
use phalanx_aggregate::compressions::sha256::{
    Inputs, MAX_BLOCKS, PUBLIC_SLOTS, Public, Statement, hazmat, inputs_of_message, memory_len, of_message,
    prove, prove_on, verify,
};
use phalanx_aggregate::{DEFAULT_MEMORY_LIMIT, Error, Limits, Profile, ProofError, Threads, compressions};
use phalanx_reference::aggregate::compressions::{self as reference, Function};
use phalanx_reference::aggregate::{Outer, Suite, Witness, claims_from, compress, outer_from};
use phalanx_reference::ligerito::{U192, eq};
use phalanx_testing::again;
use serde_json::Value;
use sha2::{Digest, Sha256};

const CONTEXT: &[u8] = b"context";
const PROFILE: Profile = Profile::Provable100;
/// Words of a block.
const WORDS: usize = 1024;
/// Elements of a proof of 2^2 blocks before its opening.
const OUTER: usize = 168 + 4 * 2;
/// The slots of the round constants.
const CONSTANTS: core::ops::Range<usize> = 8..24;

/// Numbers that look random: splitmix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// All words of a compression.
fn block(inputs: &Inputs) -> Vec<u32> {
    let function = Function::sha256();
    compress(&function.circuit, &function.inputs(inputs))
}

/// A slot as statements have it.
fn slot_of(words: &[u32], block: usize, slot: usize) -> [u8; 16] {
    core::array::from_fn(|i| words[WORDS * block + 4 * slot + i / 4].to_be_bytes()[i % 4])
}

/// So many compressions, with masks of every kind: none, all, random ones.
fn case(compressions: usize, mut state: u64) -> (Statement, Vec<Inputs>) {
    let mut word = || u32::try_from(random(&mut state) >> 32).expect("32 bits");
    let inputs: Vec<Inputs> = (0..compressions).map(|_| core::array::from_fn(|_| word())).collect();
    let public: Vec<Public> = inputs
        .iter()
        .enumerate()
        .map(|(number, inputs)| {
            let mask = match number {
                1 => 0,
                2 => 0xff,
                _ => word(),
            };
            let words = block(inputs);
            core::array::from_fn(|slot| (mask >> slot & 1 == 1).then(|| slot_of(&words, 0, slot)))
        })
        .collect();
    (Statement::of(&public).expect("a few"), inputs)
}

/// Three pre-images of 32 bytes.
fn preimages() -> (Statement, Vec<Inputs>) {
    let messages = [1, 2, 3].map(|byte| [byte; 32]);
    let digest = |message| <[u8; 32]>::from(Sha256::digest(message));
    let public = messages.map(|message| of_message(&digest(message), 32).expect("two slots"));
    let inputs = messages.map(|message| inputs_of_message(&message).expect("two slots"));
    (Statement::of(&public).expect("three"), inputs.to_vec())
}

fn plain(statement: &Statement) -> reference::Statement {
    let plain = reference::Statement::from_bytes(Function::sha256(), &statement.to_bytes()).expect("valid");
    assert!(plain.blocks.iter().zip(statement.blocks()).all(|(plain, block)| plain[..] == block));
    assert_eq!(plain.to_bytes(), statement.to_bytes());
    plain
}

fn verdict(statement: &Statement, proof: &[u8]) -> Result<(), ProofError> {
    verify(&Limits::new(&Profile::ALL), statement, CONTEXT, proof)
}

/// Everything before the opening; the opening too, if `whole`.
fn same_bytes<N: Suite>(profile: Profile, compressions: usize, whole: bool) {
    let (statement, inputs) = case(compressions, 7);
    let made = prove(profile, &statement, &inputs, CONTEXT).expect("true");
    assert_eq!(verdict(&statement, &made), Ok(()));
    let plain = plain(&statement);
    let (header, rest) = made.split_first_chunk::<37>().expect("a header");
    assert_eq!(header[..5], [b'P', b'X', b'S', b'1', N::PROFILE]);
    let root = header.last_chunk().expect("a header ends with a root");
    let outer = plain.outer::<N>(plain.words(&inputs), CONTEXT, root);
    assert!(rest.starts_with(&outer.bytes), "{compressions} compressions, {}", profile.name());
    if whole {
        let wanted = reference::prove::<N>(&plain, &inputs, CONTEXT).expect("a registered size");
        assert!(made == wanted, "{compressions} compressions, {}", profile.name());
        assert_eq!(reference::verify::<N>(compressions, &plain, CONTEXT, &made), Ok(()));
    }
}

/// One compression, where half of the blocks are padding; two, which are no padding at all; three of four.
#[test]
fn bytes_are_those_of_the_reference() {
    for compressions in [1, 2, 3] {
        same_bytes::<u128>(Profile::Provable100, compressions, false);
        same_bytes::<U192>(Profile::Provable128, compressions, false);
    }
}

#[test]
#[ignore = "a minute or two: whole tables for each of 96 points"]
fn whole_proofs_are_those_of_the_reference() {
    for compressions in [1, 2, 5] {
        same_bytes::<u128>(Profile::Provable100, compressions, true);
        same_bytes::<U192>(Profile::Provable128, compressions, true);
    }
}

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
        let words = |value: &Value| -> Inputs {
            let bytes = text(value);
            core::array::from_fn(|i| u32::from_be_bytes(bytes.as_chunks().0[i]))
        };
        let name = case["name"].as_str().expect("text");
        let profile = u8::try_from(case["profile"].as_u64().expect("a number")).expect("a byte");
        let profile = Profile::from_code(profile).expect("of ours");
        let context = text(&case["context_hex"]);
        let statement = Statement::from_bytes(&text(&case["statement_hex"])).expect("valid");
        let inputs: Vec<Inputs> = case["inputs_hex"].as_array().expect("a list").iter().map(words).collect();
        let made = prove(profile, &statement, &inputs, &context).expect("true");
        assert_eq!(digest(&made), case["blake2s_of_proof"], "{name}");
        assert_eq!(made.len() as u64, case["proof_len"], "{name}");
        assert_eq!(verify(&Limits::new(&[profile]), &statement, &context, &made), Ok(()), "{name}");
        if let Some(file) = case["proof"].as_str() {
            assert!(read(file) == made, "{name}");
        }
    }
}

/// More than a job has, on threads: at the edges of a group of lanes.
#[test]
fn numbers_around_the_lanes() {
    for compressions in [15, 16, 17] {
        let (statement, inputs) = case(compressions, 8);
        assert!(hazmat::words(&inputs) == plain(&statement).words(&inputs), "{compressions} compressions");
        let made = prove_on(&Threads::new(2), PROFILE, &statement, &inputs, CONTEXT).expect("true");
        assert!(Ok(&made) == prove(PROFILE, &statement, &inputs, CONTEXT).as_ref());
        assert_eq!(verdict(&statement, &made), Ok(()), "{compressions} compressions");
    }
}

#[test]
fn preimages_are_proved() {
    let (statement, inputs) = preimages();
    for profile in Profile::ALL {
        let made = prove(profile, &statement, &inputs, CONTEXT).expect("true");
        assert_eq!(verdict(&statement, &made), Ok(()), "{}", profile.name());
    }
    for len in [0, 1, 15, 17, 55, 56, 64, 80] {
        assert_eq!(of_message(&[0; 32], len), None);
        assert_eq!(inputs_of_message(&vec![0; len]), None);
    }
    for len in [16, 32, 48] {
        let message: Vec<u8> = (0..len).map(|i| u8::try_from(i).expect("small")).collect();
        let public = of_message(&Sha256::digest(&message).into(), len).expect("whole slots");
        let statement = Statement::of(&[public]).expect("one");
        assert_eq!(public.iter().filter(|slot| slot.is_none()).count(), len / 16);
        let inputs = inputs_of_message(&message).expect("whole slots");
        assert!(prove(PROFILE, &statement, &[inputs], CONTEXT).is_ok(), "{len} bytes");
    }
}

#[test]
fn what_the_prover_refuses() {
    let (statement, mut inputs) = case(3, 9);
    let got = |inputs: &[Inputs]| prove(PROFILE, &statement, inputs, CONTEXT);
    assert_eq!(got(&inputs[..2]), Err(Error::InputCount { got: 2, wanted: 3 }));
    // All of the last compression is public.
    inputs[2][23] ^= 1;
    assert_eq!(got(&inputs), Err(Error::FalseSlot { block: 2, slot: 5 }));
    let mut blocks: Vec<Public> = statement.blocks().collect();
    inputs[2][23] ^= 1;
    blocks[2][6] = Some([1; 16]);
    let other = Statement::of(&blocks).expect("three");
    assert_eq!(prove(PROFILE, &other, &inputs, CONTEXT), Err(Error::FalseSlot { block: 2, slot: 6 }));
    // 2^20 compressions of which nothing is public.
    let many = [&[0, 0, 0x10, 0][..], &vec![0; 2 << 20]].concat();
    let many = Statement::from_bytes(&many).expect("the most");
    let (wanted, limit) = (memory_len(PROFILE, 1 << 20), DEFAULT_MEMORY_LIMIT);
    let refused = prove(PROFILE, &many, &vec![[0; 24]; 1 << 20], CONTEXT);
    assert_eq!(refused, Err(Error::Memory { wanted, limit }));
}

#[test]
fn statements_are_read_strictly() {
    let (statement, _) = case(4, 10);
    let bytes = statement.to_bytes();
    assert_eq!(Statement::from_bytes(&bytes).as_ref(), Ok(&statement));
    let read = |bytes: &[u8]| {
        let read = Statement::from_bytes(bytes).map(|_| ());
        let by_the_reference = reference::Statement::from_bytes(Function::sha256(), bytes).map(|_| ());
        assert_eq!(read.is_ok(), by_the_reference.is_ok());
        read
    };
    for len in 0..bytes.len() {
        assert_eq!(read(&bytes[..len]), Err(Error::StatementLength), "{len} bytes");
    }
    assert_eq!(read(&[&bytes[..], &[0]].concat()), Err(Error::StatementLength));
    assert_eq!(read(&[0; 4]), Err(Error::NoBlocks));
    assert_eq!(read(&[0, 0, 0x10, 0]), Err(Error::StatementLength), "2^20 compressions");
    assert_eq!(read(&[1, 0, 0x10, 0]), Err(Error::TooManyBlocks), "and one more");
    // The round constants are nobody's to state.
    for bit in PUBLIC_SLOTS..16 {
        let mask = 1_u16 << bit;
        let unknown = [&[1, 0, 0, 0][..], &mask.to_le_bytes(), &[0; 16]].concat();
        assert_eq!(read(&unknown), Err(Error::UnknownSlot { block: 0 }), "bit {bit}");
    }
    let many = vec![[None; PUBLIC_SLOTS]; MAX_BLOCKS + 1];
    assert_eq!(Statement::of(&many), Err(Error::TooManyBlocks));
}

/// Proves words under a statement, with bent forms, and verifies that.
fn forged(
    statement: &Statement,
    words: Vec<u32>,
    bend: impl FnOnce(&mut [u32], &mut [u32]),
) -> Result<(), ProofError> {
    verdict(statement, &hazmat::prove(PROFILE, statement, words, CONTEXT, bend).expect("it fits"))
}

fn no_bend(_: &mut [u32], _: &mut [u32]) {}

/// Products of every kind, outputs, unused bits, padding, forms that are not the circuit's.
#[test]
fn gates() {
    let (statement, inputs) = preimages();
    // Nothing is public, so that no rule is broken either.
    let hidden = Statement::of(&[[None; PUBLIC_SLOTS]; 3]).expect("three");
    let honest = hazmat::words(&inputs);
    assert_eq!(forged(&statement, honest.clone(), no_bend), Ok(()));
    // Outputs; the schedule; rounds, their And2 and additions; the last sums; unused.
    for word in [24, 31, 96, 200, 234, 235, 240, 500, 789, 796, 797, 798, 1023] {
        for block in [0, 2, 3] {
            let mut z = honest.clone();
            z[WORDS * block + word] ^= 1 << 27;
            let got = forged(&hidden, z, no_bend);
            assert_eq!(got, Err(ProofError::Zerocheck), "word {word} of block {block}");
        }
    }
    // The padding has no constants, and no rule: another function is computed there, by the same gates.
    let mut padded = honest.clone();
    let circuit = Function::sha256().circuit;
    padded[3 * WORDS..].copy_from_slice(&compress(&circuit, &[0x1234_5678; 96]));
    assert_eq!(forged(&statement, padded, no_bend), Ok(()), "another compression in the padding");
    let mut z = honest;
    z[300] ^= 1;
    let fitting = z.clone();
    let bend = |a: &mut [u32], b: &mut [u32]| {
        a.copy_from_slice(&fitting);
        b.fill(u32::MAX);
    };
    assert_eq!(forged(&hidden, z, bend), Err(ProofError::Lincheck));
}

/// Each of the eight slots, alone, holds something else than the statement says; and no witness at all.
#[test]
fn public_slots() {
    let (statement, inputs) = case(4, 11);
    let words = hazmat::words(&inputs);
    for slot in 0..PUBLIC_SLOTS {
        let mut public = [[None; PUBLIC_SLOTS]; 4];
        let mut value = slot_of(&words, 3, slot);
        public[3][slot] = Some(value);
        let right = Statement::of(&public).expect("four");
        assert_eq!(forged(&right, words.clone(), no_bend), Ok(()), "slot {slot}");
        value[slot] ^= 1 << (slot % 8);
        public[3][slot] = Some(value);
        let wrong = Statement::of(&public).expect("four");
        assert_eq!(forged(&wrong, words.clone(), no_bend), Err(ProofError::Wiring), "slot {slot}");
    }
    assert_eq!(forged(&statement, vec![0; words.len()], no_bend), Err(ProofError::Wiring));
    // Nor if nothing is public: there are constants.
    let hidden = Statement::of(&[[None; PUBLIC_SLOTS]; 4]).expect("four");
    assert_eq!(forged(&hidden, vec![0; words.len()], no_bend), Err(ProofError::Wiring));
}

/// A round constant is another one, each slot of them in turn; everything else is computed with it, and is what the statement
/// says.
#[test]
fn another_constant() {
    let function = Function::sha256();
    let (_, inputs) = preimages();
    for slot in CONSTANTS {
        let mut words = hazmat::words(&inputs);
        let mut first = function.inputs(&inputs[1]);
        first[4 * slot + 3] ^= 1 << 31;
        words[WORDS..2 * WORDS].copy_from_slice(&compress(&function.circuit, &first));
        let mut public = [[None; PUBLIC_SLOTS]; 3];
        public[1] = core::array::from_fn(|slot| Some(slot_of(&words, 1, slot)));
        let statement = Statement::of(&public).expect("three");
        assert_eq!(forged(&statement, words, no_bend), Err(ProofError::Wiring), "slot {slot}");
    }
}

/// The outer proof of pre-images, by the reference over GF(2^128), with slices that `bend` changes; and the words.
fn outer(bend: impl FnMut(usize, &[u128], &mut [u128])) -> (Statement, Vec<u32>, Outer<u128>) {
    let (statement, inputs) = preimages();
    let words = hazmat::words(&inputs);
    let plain = plain(&statement);
    let root = Committed::new(&words).root;
    let (Function { circuit, opening, .. }, rules) = (&plain.function, plain.rules());
    let witness = Witness::of(circuit, words.clone());
    let outer = outer_from(circuit, plain.begin(CONTEXT, &root), opening, &rules, &witness, bend);
    (statement, words, outer)
}

/// Two slices are changed so that their sum, which the next check looks at, is what it was.
#[test]
fn bent_slices() {
    for point in 0..3 {
        let bend = |number: usize, low: &[u128], slices: &mut [u128]| {
            if number == point {
                let weights = eq(low);
                slices[0] ^= weights[1];
                slices[1] ^= weights[0];
            }
        };
        let (statement, words, outer) = outer(bend);
        let committed = Committed::new(&words);
        let values = committed.values(&outer.points);
        let wrong: Vec<_> = (0..96).filter(|claim| values[*claim] != outer.values[*claim]).collect();
        assert_eq!(wrong, (32 * point..32 * (point + 1)).collect::<Vec<_>>());
        let opening = committed.open(&three_points(&outer.points), &outer.context);
        let made = [&b"PXS1"[..], &[1], &committed.root, &outer.bytes, &opening].concat();
        let refused = verdict(&statement, &made);
        assert!(matches!(refused, Err(ProofError::Opening(_))), "point {point}: {refused:?}");
    }
}

/// Bytes before the opening, each refused by the check of its part; bytes of the opening; lengths.
#[test]
fn changed_bytes() {
    if again() {
        return;
    }
    let (statement, inputs) = preimages();
    let made = prove(PROFILE, &statement, &inputs, CONTEXT).expect("true");
    let zerocheck = 37 + (32 + 2 * 17 + 2) * 16;
    let lincheck = zerocheck + (30 + 32) * 16;
    let opening = 37 + OUTER * 16;
    for at in (0..opening).step_by(3).chain((opening..made.len()).step_by(61)) {
        let mut other = made.clone();
        other[at] ^= 1 << (at % 8);
        let error = verdict(&statement, &other).expect_err("another proof");
        let expected = match at {
            0..5 => error == ProofError::UnacceptedProfile || error == ProofError::Length,
            _ if at < zerocheck => error == ProofError::Zerocheck,
            _ if at < lincheck => error == ProofError::Lincheck,
            _ if at < opening => error == ProofError::Wiring,
            _ => matches!(error, ProofError::Opening(_)),
        };
        assert!(expected, "byte {at}: {error:?}");
    }
    for len in (0..5).chain([37, opening - 1, opening]) {
        assert_eq!(verdict(&statement, &made[..len]), Err(ProofError::Length), "{len} bytes");
    }
    for other in [made[..made.len() - 1].to_vec(), [&made[..], &[0]].concat()] {
        assert!(matches!(verdict(&statement, &other), Err(ProofError::Opening(_))));
    }
    let mut long = made;
    long.resize(300_000, 0);
    assert_eq!(verdict(&statement, &long), Err(ProofError::Length));
}

/// Everything that is bound, the verifier's limits, and the other function's suite.
#[test]
fn another_statement() {
    let (statement, inputs) = preimages();
    let made = prove(PROFILE, &statement, &inputs, CONTEXT).expect("true");
    let mut other = statement.to_bytes();
    *other.last_mut().expect("not empty") ^= 1;
    let other = Statement::from_bytes(&other).expect("of the same length");
    let mut blocks: Vec<Public> = statement.blocks().collect();
    blocks[1][7] = None;
    let fewer = Statement::of(&blocks).expect("three");
    blocks.push([None; PUBLIC_SLOTS]);
    let more = Statement::of(&blocks).expect("four");
    for statement in [&other, &fewer, &more] {
        assert_eq!(verdict(statement, &made), Err(ProofError::Zerocheck));
    }
    let limits = Limits::new(&[PROFILE]);
    assert_eq!(verify(&limits, &statement, b"contexts", &made), Err(ProofError::Zerocheck));
    assert_eq!(verify(&limits.with_blocks(3), &statement, CONTEXT, &made), Ok(()));
    let refused = verify(&limits.with_blocks(2), &statement, CONTEXT, &made);
    assert_eq!(refused, Err(ProofError::TooManyBlocks));
    let refused = verify(&Limits::new(&[Profile::Provable128]), &statement, CONTEXT, &made);
    assert_eq!(refused, Err(ProofError::UnacceptedProfile));
    let mut of_128 = made.clone();
    of_128[4] = 3;
    assert!(verdict(&statement, &of_128).is_err());
    // A proof about BLAKE2s is none about SHA-256, nor the other way around, and another magic does not make it one.
    let hidden = compressions::Statement::of(&[[None; 10]; 3]).expect("three");
    let refused = compressions::verify(&limits, &hidden, CONTEXT, &made);
    assert_eq!(refused, Err(ProofError::UnacceptedProfile));
    let mut renamed = made;
    renamed[2] = b'C';
    assert!(compressions::verify(&limits, &hidden, CONTEXT, &renamed).is_err());
    // In the transcript of the other suite, all else equal, the claims do not hold.
    let words = hazmat::words(&inputs);
    let plain = plain(&statement);
    let root = Committed::new(&words).root;
    let (Function { circuit, opening, .. }, rules) = (&plain.function, plain.rules());
    let strings = Function { suites: Function::blake2s().suites, ..plain.function.clone() };
    let of_the_other = reference::Statement { function: strings, blocks: plain.blocks.clone() };
    let transcript = of_the_other.begin::<u128>(CONTEXT, &root);
    let made = outer_from(circuit, transcript, opening, &rules, &Witness::of(circuit, words), |_, _, _| ());
    let heard = |statement: &reference::Statement| {
        claims_from::<u128>(circuit, statement.begin(CONTEXT, &root), opening, &rules, &made.bytes).is_ok()
    };
    assert!(heard(&of_the_other) && !heard(&plain));
}
