//! Compressions with public and hidden slots, of every function that has suites: the reference's bytes, and a false witness for
//! every check. What only one function has is in files of its own.

mod constants;
mod deaf;
mod function;

use crate::forge::{Committed, neighbours_bent, three_points};
use function::{Blake2s, Compression, Public, Sha256};
use phalanx_aggregate::{DEFAULT_MEMORY_LIMIT, Error, Limits, Profile, ProofError, Threads};
use phalanx_reference::aggregate::compressions as reference;
use phalanx_reference::aggregate::{Outer, Suite, Witness, claims_from, compress, outer_from};
use phalanx_reference::ligerito::{Transcript, U192};
use phalanx_testing::{Random, again};

const CONTEXT: &[u8] = b"context";
const PROFILE: Profile = Profile::Provable100;

/// Tests that every function has.
macro_rules! for_every_function {
    ($($(#[ignore = $why:literal])? $test:ident),* $(,)?) => {
        mod blake2s {
            $(#[test] $(#[ignore = $why])? fn $test() { super::$test::<super::Blake2s>() })*
        }
        mod sha256 {
            $(#[test] $(#[ignore = $why])? fn $test() { super::$test::<super::Sha256>() })*
        }
    };
}

for_every_function!(
    bytes_are_those_of_the_reference,
    #[ignore = "a minute or two: whole tables for each of 96 points"]
    whole_proofs_are_those_of_the_reference,
    numbers_around_the_lanes,
    preimages_are_proved,
    what_the_prover_refuses,
    statements_are_read_strictly,
    gates,
    public_slots,
    bent_slices,
    changed_bytes,
    another_statement,
);

/// All words of a compression.
fn block<C: Compression>(inputs: &[u32]) -> Vec<u32> {
    let function = C::plain();
    compress(&function.circuit, &function.inputs(inputs))
}

/// A slot as statements have it.
fn slot_of<C: Compression>(words: &[u32], block: usize, slot: usize) -> [u8; 16] {
    let bytes: Vec<u8> =
        words[C::WORDS * block + 4 * slot..][..4].iter().flat_map(|word| word.to_le_bytes()).collect();
    C::plain().reordered(bytes.try_into().expect("four words"))
}

/// Nothing public.
fn hidden<C: Compression>(compressions: usize) -> Vec<Public> {
    vec![vec![None; C::SLOTS]; compressions]
}

/// So many compressions, with masks of every kind: none, all, random ones.
fn case<C: Compression>(compressions: usize, seed: u64) -> (C::Statement, Vec<Vec<u32>>) {
    let mut random = Random::from_seed(seed);
    let inputs: Vec<Vec<u32>> =
        (0..compressions).map(|_| (0..C::INPUTS).map(|_| random.u32()).collect()).collect();
    let public: Vec<Public> = inputs
        .iter()
        .enumerate()
        .map(|(number, inputs)| {
            let mask = match number {
                1 => 0,
                2 => u32::MAX,
                _ => random.u32(),
            };
            let words = block::<C>(inputs);
            (0..C::SLOTS).map(|slot| (mask >> slot & 1 == 1).then(|| slot_of::<C>(&words, 0, slot))).collect()
        })
        .collect();
    (C::state(&public).expect("a few"), inputs)
}

/// Three pre-images of 32 bytes.
fn preimages<C: Compression>() -> (C::Statement, Vec<Vec<u32>>) {
    let messages = [1, 2, 3].map(|byte| [byte; 32]);
    let public = messages.map(|message| C::of_message(&C::digest(&message), 32).expect("two slots"));
    let inputs = messages.map(|message| C::inputs_of_message(&message).expect("two slots"));
    (C::state(&public).expect("three"), inputs.to_vec())
}

fn plain<C: Compression>(statement: &C::Statement) -> reference::Statement {
    let bytes = C::bytes(statement);
    let plain = reference::Statement::from_bytes(C::plain(), &bytes).expect("valid");
    assert_eq!(plain.blocks, C::blocks(statement));
    assert_eq!(plain.to_bytes(), bytes);
    plain
}

fn prove<C: Compression>(statement: &C::Statement, inputs: &[Vec<u32>]) -> Result<Vec<u8>, Error> {
    C::prove(None, PROFILE, statement, inputs, CONTEXT)
}

fn verdict<C: Compression>(statement: &C::Statement, proof: &[u8]) -> Result<(), ProofError> {
    C::verify(&Limits::new(&Profile::ALL), statement, CONTEXT, proof)
}

/// Everything before the opening; the opening too, if `whole`.
fn same_bytes<C: Compression, N: Suite>(profile: Profile, compressions: usize, whole: bool) {
    let (statement, inputs) = case::<C>(compressions, 7);
    let made = C::prove(None, profile, &statement, &inputs, CONTEXT).expect("true");
    assert_eq!(verdict::<C>(&statement, &made), Ok(()));
    let plain = plain::<C>(&statement);
    let (header, rest) = made.split_first_chunk::<37>().expect("a header");
    assert_eq!(header[..5], [&C::plain().magic[..], &[N::PROFILE]].concat());
    let root = header.last_chunk().expect("a header ends with a root");
    let outer = plain.outer::<N>(plain.words(&inputs), CONTEXT, root);
    assert!(rest.starts_with(&outer.bytes), "{compressions} compressions, {}", profile.name());
    if whole {
        let wanted = reference::prove::<N>(&plain, &inputs, CONTEXT).expect("a registered size");
        assert!(made == wanted, "{compressions} compressions, {}", profile.name());
        assert_eq!(reference::verify::<N>(compressions, &plain, CONTEXT, &made), Ok(()));
    }
}

/// One compression, where half of the blocks are padding; two, which are no padding at all; more.
fn bytes_are_those_of_the_reference<C: Compression>() {
    for compressions in C::FEW {
        same_bytes::<C, u128>(Profile::Provable100, compressions, false);
        same_bytes::<C, U192>(Profile::Provable128, compressions, false);
    }
}

fn whole_proofs_are_those_of_the_reference<C: Compression>() {
    for compressions in [1, 2, 5] {
        same_bytes::<C, u128>(Profile::Provable100, compressions, true);
        same_bytes::<C, U192>(Profile::Provable128, compressions, true);
    }
}

/// More than a job has, on threads: at the edges of a group of lanes.
fn numbers_around_the_lanes<C: Compression>() {
    for &compressions in C::AROUND_THE_LANES {
        let (statement, inputs) = case::<C>(compressions, 8);
        let words = C::words(&inputs);
        assert!(words == plain::<C>(&statement).words(&inputs), "{compressions} compressions");
        let made = C::prove(Some(&Threads::new(2)), PROFILE, &statement, &inputs, CONTEXT).expect("true");
        assert!(Ok(&made) == prove::<C>(&statement, &inputs).as_ref());
        assert_eq!(verdict::<C>(&statement, &made), Ok(()), "{compressions} compressions");
    }
}

fn preimages_are_proved<C: Compression>() {
    let (statement, inputs) = preimages::<C>();
    for profile in Profile::ALL {
        let made = C::prove(None, profile, &statement, &inputs, CONTEXT).expect("true");
        assert_eq!(verdict::<C>(&statement, &made), Ok(()), "{}", profile.name());
    }
    for &len in C::NO_LENGTHS {
        assert_eq!(C::of_message(&[0; 32], len), None);
        assert_eq!(C::inputs_of_message(&vec![0; len]), None);
    }
    for &len in C::LENGTHS {
        let message: Vec<u8> = (0..len).map(|i| u8::try_from(i).expect("small")).collect();
        let public = C::of_message(&C::digest(&message), len).expect("whole slots");
        assert_eq!(public.iter().filter(|slot| slot.is_none()).count(), len / 16);
        let statement = C::state(&[public]).expect("one");
        let inputs = C::inputs_of_message(&message).expect("whole slots");
        assert!(prove::<C>(&statement, &[inputs]).is_ok(), "{len} bytes");
    }
}

fn what_the_prover_refuses<C: Compression>() {
    let (statement, mut inputs) = case::<C>(3, 9);
    let got = |inputs: &[Vec<u32>]| prove::<C>(&statement, inputs);
    assert_eq!(got(&inputs[..2]), Err(Error::InputCount { got: 2, wanted: 3 }));
    // All of the last compression is public, its first output slot among it.
    let (last, slot) = (C::INPUTS - 1, C::FIRST_OUTPUT);
    inputs[2][last] ^= 1;
    assert_eq!(got(&inputs), Err(Error::FalseSlot { block: 2, slot: last / 4 }));
    let mut blocks = C::blocks(&statement);
    inputs[2][last] ^= 1;
    blocks[2][slot] = Some([1; 16]);
    let other = C::state(&blocks).expect("three");
    assert_eq!(prove::<C>(&other, &inputs), Err(Error::FalseSlot { block: 2, slot }));
    // 2^20 compressions of which nothing is public.
    let many = [&[0, 0, 0x10, 0][..], &vec![0; 2 << 20]].concat();
    let many = C::read(&many).expect("not above the most");
    let (wanted, limit) = (C::memory_len(PROFILE, 1 << 20), DEFAULT_MEMORY_LIMIT);
    let refused = prove::<C>(&many, &vec![vec![0; C::INPUTS]; 1 << 20]);
    assert_eq!(refused, Err(Error::Memory { wanted, limit }));
}

/// Tests 12 and 18: statements that are none, and every length of one.
fn statements_are_read_strictly<C: Compression>() {
    let (statement, _) = case::<C>(4, 10);
    let bytes = C::bytes(&statement);
    assert_eq!(C::read(&bytes).as_ref(), Ok(&statement));
    let read = |bytes: &[u8]| {
        let read = C::read(bytes).map(|_| ());
        let by_the_reference = reference::Statement::from_bytes(C::plain(), bytes).map(|_| ());
        assert_eq!(read.is_ok(), by_the_reference.is_ok());
        read
    };
    for len in 0..bytes.len() {
        assert_eq!(read(&bytes[..len]), Err(Error::StatementLength), "{len} bytes");
    }
    assert_eq!(read(&[&bytes[..], &[0]].concat()), Err(Error::StatementLength));
    assert_eq!(read(&[0; 4]), Err(Error::NoBlocks));
    let most = u32::try_from(C::MOST).expect("32 bits");
    assert_eq!(most, if C::SLOTS == 10 { 1 << 21 } else { 1 << 20 });
    assert_eq!(read(&most.to_le_bytes()), Err(Error::StatementLength), "the most");
    assert_eq!(read(&(most + 1).to_le_bytes()), Err(Error::TooManyBlocks), "and one more");
    assert_eq!(read(&[0xff; 4]), Err(Error::TooManyBlocks));
    // Nobody states other slots, round constants among them.
    for bit in C::SLOTS..16 {
        let mask = 1_u16 << bit;
        let unknown = [&[1, 0, 0, 0][..], &mask.to_le_bytes(), &[0; 16]].concat();
        assert_eq!(read(&unknown), Err(Error::UnknownSlot { block: 0 }), "bit {bit}");
    }
    assert_eq!(C::state(&[]), Err(Error::NoBlocks));
    assert_eq!(C::state(&hidden::<C>(C::MOST + 1)), Err(Error::TooManyBlocks));
}

/// Proves words under a statement, with bent forms, and verifies that.
fn forged<C: Compression>(
    statement: &C::Statement,
    words: Vec<u32>,
    bend: impl FnOnce(&mut [u32], &mut [u32]),
) -> Result<(), ProofError> {
    verdict::<C>(statement, &C::forge(PROFILE, statement, words, CONTEXT, bend))
}

fn no_bend(_: &mut [u32], _: &mut [u32]) {}

/// Tests 1, 2, 3 and 17: products of every kind, outputs, unused bits, padding, forms that are not the circuit's.
fn gates<C: Compression>() {
    let (statement, inputs) = preimages::<C>();
    // Nothing is public, so that no rule is broken either; but for the constants, which no change meets.
    let hidden = C::state(&hidden::<C>(3)).expect("three");
    let honest = C::words(&inputs);
    assert_eq!(forged::<C>(&statement, honest.clone(), no_bend), Ok(()));
    for &word in C::GATES {
        for (block, bit) in [(0, 7), (1, 27), (2, 27), (3, 7)] {
            let mut z = honest.clone();
            z[C::WORDS * block + word] ^= 1 << bit;
            let got = forged::<C>(&hidden, z, no_bend);
            assert_eq!(got, Err(ProofError::Zerocheck), "word {word} of block {block}");
        }
    }
    // The padding has no constants, and no rule: another function may be computed there, by the same gates.
    let mut padded = honest.clone();
    let circuit = C::plain().circuit;
    padded[3 * C::WORDS..].copy_from_slice(&compress(&circuit, &vec![0x1234_5678; 4 * circuit.io_slots]));
    assert_eq!(forged::<C>(&statement, padded, no_bend), Ok(()), "another compression in the padding");
    let mut z = honest;
    z[300] ^= 1;
    let fitting = z.clone();
    let bend = |a: &mut [u32], b: &mut [u32]| {
        a.copy_from_slice(&fitting);
        b.fill(u32::MAX);
    };
    assert_eq!(forged::<C>(&hidden, z, bend), Err(ProofError::Lincheck));
}

/// Tests 4, 5 and 7: each slot, alone, holds something else than the statement says; and no witness at all.
fn public_slots<C: Compression>() {
    let (statement, inputs) = case::<C>(4, 11);
    let words = C::words(&inputs);
    for slot in 0..C::SLOTS {
        let mut public = hidden::<C>(4);
        let mut value = slot_of::<C>(&words, 3, slot);
        public[3][slot] = Some(value);
        let right = C::state(&public).expect("four");
        assert_eq!(forged::<C>(&right, words.clone(), no_bend), Ok(()), "slot {slot}");
        value[slot] ^= 1 << (slot % 8);
        public[3][slot] = Some(value);
        let wrong = C::state(&public).expect("four");
        assert_eq!(forged::<C>(&wrong, words.clone(), no_bend), Err(ProofError::Wiring), "slot {slot}");
    }
    assert_eq!(forged::<C>(&statement, vec![0; words.len()], no_bend), Err(ProofError::Wiring));
}

/// The outer proof of pre-images, by the reference over GF(2^128), with slices that `bend` changes; and the words.
fn outer<C: Compression>(
    bend: impl FnMut(usize, &[u128], &mut [u128]),
) -> (C::Statement, Vec<u32>, Outer<u128>) {
    let (statement, inputs) = preimages::<C>();
    let words = C::words(&inputs);
    let plain = plain::<C>(&statement);
    let root = Committed::new(&words).root;
    let (circuit, opening) = (&plain.function.circuit, plain.function.opening);
    let witness = Witness::of(circuit, words.clone());
    let outer = outer_from(circuit, plain.begin(CONTEXT, &root), opening, &plain.rules(), &witness, bend);
    (statement, words, outer)
}

/// Test 10: two slices are changed so that their sum, which the next check looks at, is what it was.
fn bent_slices<C: Compression>() {
    for point in 0..3 {
        let (statement, words, outer) = outer::<C>(neighbours_bent(point));
        let committed = Committed::new(&words);
        let values = committed.values(&outer.points);
        let wrong: Vec<_> = (0..96).filter(|claim| values[*claim] != outer.values[*claim]).collect();
        assert_eq!(wrong, (32 * point..32 * (point + 1)).collect::<Vec<_>>());
        let opening = committed.open(&three_points(&outer.points), &outer.context);
        let made = [&C::plain().magic[..], &[1], &committed.root, &outer.bytes, &opening].concat();
        let refused = verdict::<C>(&statement, &made);
        assert!(matches!(refused, Err(ProofError::Opening(_))), "point {point}: {refused:?}");
    }
}

/// Tests 11 and 18: bytes before the opening, each refused by the check of its part; bytes of the opening; lengths.
fn changed_bytes<C: Compression>() {
    if again() {
        return;
    }
    let (statement, inputs) = preimages::<C>();
    let made = prove::<C>(&statement, &inputs).expect("true");
    let zerocheck = 37 + (32 + 2 * (C::LOG2_BITS + 2) + 2) * 16;
    let lincheck = zerocheck + (2 * C::LOG2_BITS + 32) * 16;
    let opening = 37 + C::OUTER * 16;
    // Every byte of one function is enough.
    let step = if C::SLOTS == 10 { 1 } else { 3 };
    for at in (0..opening).step_by(step).chain((opening..made.len()).step_by(61)) {
        let mut other = made.clone();
        other[at] ^= 1 << (at % 8);
        let error = verdict::<C>(&statement, &other).expect_err("another proof");
        let expected = match at {
            0..5 => error == ProofError::UnacceptedProfile || error == ProofError::Length,
            _ if at < zerocheck => error == ProofError::Zerocheck,
            _ if at < lincheck => error == ProofError::Lincheck,
            _ if at < opening => error == ProofError::Wiring,
            _ => matches!(error, ProofError::Opening(_)),
        };
        assert!(expected, "byte {at}: {error:?}");
    }
    for len in (0..6).chain([37, opening - 1, opening]) {
        assert_eq!(verdict::<C>(&statement, &made[..len]), Err(ProofError::Length), "{len} bytes");
    }
    for other in [made[..made.len() - 1].to_vec(), [&made[..], &[0]].concat()] {
        assert!(matches!(verdict::<C>(&statement, &other), Err(ProofError::Opening(_))));
    }
    let mut long = made;
    long.resize(300_000, 0);
    assert_eq!(verdict::<C>(&statement, &long), Err(ProofError::Length));
}

/// Tests 13, 14 and 19: everything that is bound, the verifier's limits, and other suites.
fn another_statement<C: Compression>() {
    let (statement, inputs) = preimages::<C>();
    let made = prove::<C>(&statement, &inputs).expect("true");
    // What is public, by one bit; a slot hidden that is public; one compression more, in the same number of blocks.
    let mut other = C::bytes(&statement);
    *other.last_mut().expect("not empty") ^= 1;
    let other = C::read(&other).expect("of the same length");
    let mut blocks = C::blocks(&statement);
    blocks[1][C::SLOTS - 1] = None;
    let fewer = C::state(&blocks).expect("three");
    blocks.push(vec![None; C::SLOTS]);
    let more = C::state(&blocks).expect("four");
    for statement in [&other, &fewer, &more] {
        assert_eq!(verdict::<C>(statement, &made), Err(ProofError::Zerocheck));
    }
    blocks.push(vec![None; C::SLOTS]);
    let eight = C::state(&blocks).expect("five");
    assert!(verdict::<C>(&eight, &made).is_err(), "of another size");
    let limits = Limits::new(&[PROFILE]);
    assert_eq!(C::verify(&limits, &statement, b"contexts", &made), Err(ProofError::Zerocheck));
    assert_eq!(C::verify(&limits.with_blocks(3), &statement, CONTEXT, &made), Ok(()));
    let refused = C::verify(&limits.with_blocks(2), &statement, CONTEXT, &made);
    assert_eq!(refused, Err(ProofError::TooManyBlocks));
    let refused = C::verify(&Limits::new(&[Profile::Provable128]), &statement, CONTEXT, &made);
    assert_eq!(refused, Err(ProofError::UnacceptedProfile));
    let mut of_128 = made.clone();
    of_128[4] = 3;
    assert!(verdict::<C>(&statement, &of_128).is_err());
    // A proof about one function is none about the other, nor an aggregate, whatever it begins with.
    other_magics::<C, Blake2s>(&statement, &made);
    other_magics::<C, Sha256>(&statement, &made);
    let mut aggregate = made;
    aggregate[..4].copy_from_slice(b"PXA1");
    assert_eq!(verdict::<C>(&statement, &aggregate), Err(ProofError::UnacceptedProfile));
    other_suites::<C>(&statement, &inputs);
}

/// A proof of `C` under the magic of `D`, for both verifiers.
fn other_magics<C: Compression, D: Compression>(statement: &C::Statement, made: &[u8]) {
    if C::SLOTS == D::SLOTS {
        return;
    }
    let hidden = D::state(&hidden::<D>(3)).expect("three");
    assert_eq!(verdict::<D>(&hidden, made), Err(ProofError::UnacceptedProfile));
    let renamed = [&D::plain().magic[..], &made[4..]].concat();
    assert!(verdict::<D>(&hidden, &renamed).is_err());
    assert_eq!(verdict::<C>(statement, &renamed), Err(ProofError::UnacceptedProfile));
}

/// In the transcripts of other suites, all else equal, the claims do not hold.
fn other_suites<C: Compression>(statement: &C::Statement, inputs: &[Vec<u32>]) {
    let words = C::words(inputs);
    let plain = plain::<C>(statement);
    let root = Committed::new(&words).root;
    let (circuit, opening, rules) = (&plain.function.circuit, plain.function.opening, plain.rules());
    let witness = Witness::of(circuit, words);
    let begin = |suites| {
        let function = reference::Function { suites, ..plain.function.clone() };
        reference::Statement { function, blocks: plain.blocks.clone() }.begin::<u128>(CONTEXT, &root)
    };
    let heard = |transcript, outer: &Outer<u128>| {
        claims_from::<u128>(circuit, transcript, opening, &rules, &outer.bytes).is_ok()
    };
    for suites in [Blake2s::plain().suites, Sha256::plain().suites, [u128::SUITE, U192::SUITE]] {
        let made = outer_from(circuit, begin(suites), opening, &rules, &witness, |_, _, _| ());
        assert!(heard(begin(suites), &made));
        assert_eq!(heard(plain.begin(CONTEXT, &root), &made), suites == plain.function.suites);
    }
    // Nor in one that has heard nothing but a suite's name.
    let mut transcript = Transcript::<u128>::of_suite(u128::SUITE);
    transcript.absorb("suite", u128::SUITE.as_bytes());
    let made = outer_from(circuit, transcript, opening, &rules, &witness, |_, _, _| ());
    assert!(!heard(plain.begin(CONTEXT, &root), &made));
}
