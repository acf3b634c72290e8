//! Compressions with public and hidden slots: the reference's bytes, and a false witness for every check.

use crate::forge::{Committed, subset, three_points};
use phalanx_aggregate::compressions::{
    Inputs, MAX_BLOCKS, PUBLIC_SLOTS, Public, Statement, hazmat, inputs_of_message, memory_len, of_message,
    prove, prove_on, verify,
};
use phalanx_aggregate::{DEFAULT_MEMORY_LIMIT, Error, Limits, Profile, ProofError, Threads};
use phalanx_reference::aggregate::compressions::{self as reference, Function};
use phalanx_reference::aggregate::{Circuit, Suite, Witness, claims_from, compress, outer_from};
use phalanx_reference::ligerito::{Large, Transcript, U192, eq};
use phalanx_reference::xmss_blake2s::blake2s;
use phalanx_testing::again;

const CONTEXT: &[u8] = b"context";
const PROFILE: Profile = Profile::Provable100;
/// Words of a block.
const WORDS: usize = 512;
/// Elements of a proof of 2^2 blocks before its opening.
const OUTER: usize = 162 + 4 * 2;

/// Numbers that look random: splitmix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// So many compressions, with masks of every kind: none, all, random ones.
fn case(compressions: usize, mut state: u64) -> (Statement, Vec<Inputs>) {
    let mut word = || u32::try_from(random(&mut state) >> 32).expect("32 bits");
    let inputs: Vec<Inputs> = (0..compressions).map(|_| core::array::from_fn(|_| word())).collect();
    let public: Vec<Public> = inputs
        .iter()
        .enumerate()
        .map(|(block, inputs)| {
            let mask = match block {
                1 => 0,
                2 => 0x3ff,
                _ => word(),
            };
            let words = compress(&Circuit::blake2s(), inputs);
            core::array::from_fn(|slot| (mask >> slot & 1 == 1).then(|| slot_of(&words, 0, slot)))
        })
        .collect();
    (Statement::of(&public).expect("a few"), inputs)
}

fn slot_of(words: &[u32], block: usize, slot: usize) -> [u8; 16] {
    core::array::from_fn(|i| words[WORDS * block + 4 * slot + i / 4].to_le_bytes()[i % 4])
}

/// Three pre-images of 32 bytes.
fn preimages() -> (Statement, Vec<Inputs>) {
    let messages = [1, 2, 3].map(|byte| [byte; 32]);
    let public = messages.map(|message| of_message(&blake2s(&[], &message), 32).expect("two slots"));
    let inputs = messages.map(|message| inputs_of_message(&message).expect("two slots"));
    (Statement::of(&public).expect("three"), inputs.to_vec())
}

fn plain(statement: &Statement) -> reference::Statement {
    let plain = reference::Statement::from_bytes(Function::blake2s(), &statement.to_bytes()).expect("valid");
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
    assert_eq!(header[..5], [b'P', b'X', b'C', b'1', N::PROFILE]);
    let root = header.last_chunk().expect("a header ends with a root");
    let outer = plain.outer::<N>(plain.words(&inputs), CONTEXT, root);
    assert!(rest.starts_with(&outer.bytes), "{compressions} compressions, {}", profile.name());
    if whole {
        let wanted = reference::prove::<N>(&plain, &inputs, CONTEXT).expect("a registered size");
        assert!(made == wanted, "{compressions} compressions, {}", profile.name());
        assert_eq!(reference::verify::<N>(compressions, &plain, CONTEXT, &made), Ok(()));
    }
}

/// One compression, where half of the blocks are padding; two, which are no padding at all; five of eight.
#[test]
fn bytes_are_those_of_the_reference() {
    for compressions in [1, 2, 5] {
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

/// More than a job has, on threads: at the edges of a group of lanes.
#[test]
fn numbers_around_the_lanes() {
    for compressions in [15, 16, 17, 33] {
        let (statement, inputs) = case(compressions, 8);
        let words = hazmat::words(&inputs);
        assert!(words == plain(&statement).words(&inputs), "{compressions} compressions");
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
    for len in [0, 1, 15, 17, 65, 80] {
        assert_eq!(of_message(&[0; 32], len), None);
        assert_eq!(inputs_of_message(&vec![0; len]), None);
    }
    for len in [16, 32, 48, 64] {
        let message: Vec<u8> = (0..len).map(|i| u8::try_from(i).expect("small")).collect();
        let public = of_message(&blake2s(&[], &message), len).expect("whole slots");
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
    // All of the last compression is public, its first output slot among it.
    inputs[2][31] ^= 1;
    assert_eq!(got(&inputs), Err(Error::FalseSlot { block: 2, slot: 7 }));
    let mut blocks: Vec<Public> = statement.blocks().collect();
    inputs[2][31] ^= 1;
    blocks[2][8] = Some([1; 16]);
    let other = Statement::of(&blocks).expect("three");
    assert_eq!(prove(PROFILE, &other, &inputs, CONTEXT), Err(Error::FalseSlot { block: 2, slot: 8 }));
    // 2^20 compressions of which nothing is public.
    let many = [&[0, 0, 0x10, 0][..], &vec![0; 2 << 20]].concat();
    let many = Statement::from_bytes(&many).expect("below the most");
    let (wanted, limit) = (memory_len(PROFILE, 1 << 20), DEFAULT_MEMORY_LIMIT);
    let refused = prove(PROFILE, &many, &vec![[0; 32]; 1 << 20], CONTEXT);
    assert_eq!(refused, Err(Error::Memory { wanted, limit }));
}

/// Tests 12 and 18: statements that are none, and every length of one.
#[test]
fn statements_are_read_strictly() {
    let (statement, _) = case(4, 10);
    let bytes = statement.to_bytes();
    assert_eq!(Statement::from_bytes(&bytes).as_ref(), Ok(&statement));
    let read = |bytes: &[u8]| {
        let read = Statement::from_bytes(bytes).map(|_| ());
        let by_the_reference = reference::Statement::from_bytes(Function::blake2s(), bytes).map(|_| ());
        assert_eq!(read.is_ok(), by_the_reference.is_ok());
        read
    };
    for len in 0..bytes.len() {
        assert_eq!(read(&bytes[..len]), Err(Error::StatementLength), "{len} bytes");
    }
    assert_eq!(read(&[&bytes[..], &[0]].concat()), Err(Error::StatementLength));
    assert_eq!(read(&[0; 4]), Err(Error::NoBlocks));
    assert_eq!(read(&[0, 0, 0x20, 0]), Err(Error::StatementLength), "2^21 compressions");
    assert_eq!(read(&[1, 0, 0x20, 0]), Err(Error::TooManyBlocks), "and one more");
    assert_eq!(read(&[0xff; 4]), Err(Error::TooManyBlocks));
    for bit in 10..16 {
        let mask = 1_u16 << bit;
        let unknown = [&[1, 0, 0, 0][..], &mask.to_le_bytes(), &[0; 16]].concat();
        assert_eq!(read(&unknown), Err(Error::UnknownSlot { block: 0 }), "bit {bit}");
    }
    assert_eq!(Statement::of(&[]), Err(Error::NoBlocks));
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

/// Tests 1, 2, 3 and 17: products, outputs, unused bits, padding, forms that are not the circuit's.
#[test]
fn gates() {
    let (statement, inputs) = preimages();
    // Nothing is public, so that no rule is broken either.
    let hidden = Statement::of(&[[None; PUBLIC_SLOTS]; 3]).expect("three");
    let honest = hazmat::words(&inputs);
    assert_eq!(forged(&statement, honest.clone(), no_bend), Ok(()));
    for word in [32, 36, 39, 40, 300, 499, 500, 511] {
        for block in 0..4 {
            let mut z = honest.clone();
            z[WORDS * block + word] ^= 1 << 7;
            let got = forged(&hidden, z, no_bend);
            assert_eq!(got, Err(ProofError::Zerocheck), "word {word} of block {block}");
        }
    }
    let mut padded = honest.clone();
    padded[3 * WORDS..].copy_from_slice(&compress(&Circuit::blake2s(), &[0x1234_5678; 32]));
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

/// Tests 4, 5 and 7: each of the ten slots, alone, holds something else than the statement says; and no witness at all.
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
}

/// The outer proof of pre-images, by the reference over GF(2^128), with slices that `bend` changes; and the words.
fn outer(
    bend: impl FnMut(usize, &[u128], &mut [u128]),
) -> (Statement, Vec<u32>, phalanx_reference::aggregate::Outer<u128>) {
    let (statement, inputs) = preimages();
    let words = hazmat::words(&inputs);
    let plain = plain(&statement);
    let root = Committed::new(&words).root;
    let transcript = plain.begin(CONTEXT, &root);
    let outer = {
        let (function, rules) = (&plain.function, plain.rules());
        let witness = Witness::of(&function.circuit, words.clone());
        outer_from(&function.circuit, transcript, function.opening, &rules, &witness, bend)
    };
    (statement, words, outer)
}

/// Test 10: two slices are changed so that their sum, which the next check looks at, is what it was.
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
        let made = [&b"PXC1"[..], &[1], &committed.root, &outer.bytes, &opening].concat();
        let refused = verdict(&statement, &made);
        assert!(matches!(refused, Err(ProofError::Opening(_))), "point {point}: {refused:?}");
    }
}

/// Tests 11 and 18: every byte before the opening, each refused by the check of its part; bytes of the opening; lengths.
#[test]
fn changed_bytes() {
    if again() {
        return;
    }
    let (statement, inputs) = preimages();
    let made = prove(PROFILE, &statement, &inputs, CONTEXT).expect("true");
    let zerocheck = 37 + (32 + 2 * 16 + 2) * 16;
    let lincheck = zerocheck + (28 + 32) * 16;
    let opening = 37 + OUTER * 16;
    for at in (0..opening).chain((opening..made.len()).step_by(61)) {
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
    for len in 0..5 {
        assert_eq!(verdict(&statement, &made[..len]), Err(ProofError::Length));
    }
    for len in [5, 37, opening - 1, opening] {
        assert_eq!(verdict(&statement, &made[..len]), Err(ProofError::Length), "{len} bytes");
    }
    for other in [made[..made.len() - 1].to_vec(), [&made[..], &[0]].concat()] {
        assert!(matches!(verdict(&statement, &other), Err(ProofError::Opening(_))));
    }
    let mut long = made.clone();
    long.resize(300_000, 0);
    assert_eq!(verdict(&statement, &long), Err(ProofError::Length));
}

/// Tests 13, 14 and 19: everything that is bound, and the verifier's limits.
#[test]
fn another_statement() {
    let (statement, inputs) = preimages();
    let made = prove(PROFILE, &statement, &inputs, CONTEXT).expect("true");
    let bytes = statement.to_bytes();
    // What is public, by one bit; a slot hidden that is public; one compression less, in the same number of blocks.
    let mut other = bytes.clone();
    *other.last_mut().expect("not empty") ^= 1;
    let other = Statement::from_bytes(&other).expect("of the same length");
    let mut blocks: Vec<Public> = statement.blocks().collect();
    blocks[1][9] = None;
    let fewer = Statement::of(&blocks).expect("three");
    blocks.push([None; PUBLIC_SLOTS]);
    let more = Statement::of(&blocks).expect("four");
    for statement in [&other, &fewer, &more] {
        assert_eq!(verdict(statement, &made), Err(ProofError::Zerocheck));
    }
    blocks.push([None; PUBLIC_SLOTS]);
    let eight = Statement::of(&blocks).expect("five");
    assert!(verdict(&eight, &made).is_err(), "of another size");
    let limits = Limits::new(&[PROFILE]);
    assert_eq!(verify(&limits, &statement, b"contexts", &made), Err(ProofError::Zerocheck));
    assert_eq!(verify(&limits.with_blocks(3), &statement, CONTEXT, &made), Ok(()));
    let refused = verify(&limits.with_blocks(2), &statement, CONTEXT, &made);
    assert_eq!(refused, Err(ProofError::TooManyBlocks));
    let refused = verify(&Limits::new(&[Profile::Provable128]), &statement, CONTEXT, &made);
    assert_eq!(refused, Err(ProofError::UnacceptedProfile));
    // An aggregate is none of compressions.
    let mut aggregate = made.clone();
    aggregate[2] = b'A';
    assert_eq!(verdict(&statement, &aggregate), Err(ProofError::UnacceptedProfile));
    let mut profile = made;
    profile[4] = 3;
    assert!(verdict(&statement, &profile).is_err());
    // The proof of one suite is none of the other's: its transcript has the other's name.
    let plain = plain(&statement);
    let words = hazmat::words(&inputs);
    let root = Committed::new(&words).root;
    let mut of_aggregates = Transcript::<u128>::of_suite(u128::SUITE);
    of_aggregates.absorb("suite", u128::SUITE.as_bytes());
    let (Function { circuit, opening, .. }, rules) = (&plain.function, plain.rules());
    let witness = Witness::of(circuit, words);
    let made = outer_from(circuit, of_aggregates, opening, &rules, &witness, |_, _, _| ());
    let transcript = plain.begin(CONTEXT, &root);
    let refused = claims_from::<u128>(circuit, transcript, opening, &rules, &made.bytes);
    assert!(refused.is_err());
}

/// Test 16: a verifier whose transcript is deaf to the statement knows all challenges before the public slots are chosen.
/// They count in one sum, linearly: 128 equations over GF(2), and two slots have 256 bits.
#[test]
fn a_transcript_deaf_to_the_statement() {
    let (statement, inputs) = preimages();
    let words = hazmat::words(&inputs);
    let plain = plain(&statement);
    let committed = Committed::new(&words);
    let deaf = || {
        let suite = plain.suite::<u128>();
        let mut transcript = Transcript::<u128>::of_suite(suite);
        transcript.absorb("suite", suite.as_bytes());
        transcript.absorb("circuit", &plain.function.circuit.digest());
        transcript.absorb("ctx", CONTEXT);
        transcript.absorb("rho", &[]);
        transcript.absorb("commitment", &[&[1, 11][..], &committed.root].concat());
        transcript
    };
    let Function { circuit, opening, .. } = &plain.function;
    let witness = Witness::of(circuit, words.clone());
    let made = outer_from(circuit, deaf(), opening, &plain.rules(), &witness, |_, _, _| ());
    // The challenges of the wiring, by what was said before them.
    let mut transcript = deaf();
    let zeta: Vec<u128> = (0..16).map(|_| transcript.challenge("zeta")).collect();
    assert_eq!(zeta[0], made.first_challenge);
    let mut rest = &made.bytes[..];
    let mut hear = |transcript: &mut Transcript<u128>, label: &str, elements: usize| {
        let (said, after) = rest.split_at(16 * elements);
        transcript.absorb(label, said);
        rest = after;
    };
    hear(&mut transcript, "slices", 32);
    for _ in 0..16 {
        hear(&mut transcript, "zerocheck", 2);
        transcript.challenge("zerocheck-r");
    }
    hear(&mut transcript, "products", 2);
    transcript.challenge("alpha");
    for _ in 0..14 {
        hear(&mut transcript, "lincheck", 2);
        transcript.challenge("lincheck-r");
    }
    hear(&mut transcript, "slices", 32);
    let tau: Vec<u128> = (0..7).map(|_| transcript.challenge("tau")).collect();
    let lambda: Vec<u128> = (0..6).map(|_| transcript.challenge("lambda")).collect();
    let (of_bits, of_rules) = (eq(&tau), eq(&lambda));
    // Digest 0 becomes another one; bits of digests 1 and 2 make up for it.
    let mut blocks: Vec<Public> = statement.blocks().collect();
    let weight = |block: usize, slot: usize, bit: usize| of_rules[16 * block + slot].times(of_bits[bit]);
    blocks[0][8].as_mut().expect("public")[0] ^= 1;
    let columns: Vec<Vec<u128>> = (0..256).map(|i| vec![weight(1 + i / 128, 8, i % 128)]).collect();
    let found = subset(&columns, &[weight(0, 8, 0)]).expect("more unknowns than equations");
    for i in found {
        blocks[1 + i / 128][8].as_mut().expect("public")[i % 128 / 8] ^= 1 << (i % 8);
    }
    let other = Statement::of(&blocks).expect("three");
    let rules =
        reference::Statement::from_bytes(Function::blake2s(), &other.to_bytes()).expect("valid").rules();
    let believed = claims_from::<u128>(circuit, deaf(), opening, &rules, &made.bytes);
    assert!(believed.is_ok(), "the deaf one believes it");
    let opening = committed.open(&three_points(&made.points), &made.context);
    let proof = [&b"PXC1"[..], &[1], &committed.root, &made.bytes, &opening].concat();
    assert_eq!(verdict(&other, &proof), Err(ProofError::Zerocheck));
}
