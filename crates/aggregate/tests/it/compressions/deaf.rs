//! A verifier that does not hear what the statement is, of BLAKE2s.

use super::function::{Blake2s, Compression};
use super::{CONTEXT, plain, preimages, verdict};
use crate::forge::{Committed, subset, three_points};
use phalanx_aggregate::ProofError;
use phalanx_reference::aggregate::compressions::Function;
use phalanx_reference::aggregate::{Witness, claims_from, outer_from};
use phalanx_reference::ligerito::{Large, Transcript, eq};

/// Test 16: a verifier whose transcript is deaf to the statement knows all challenges before the public slots are chosen.
/// They count in one sum, linearly: 128 equations over GF(2), and two slots have 256 bits.
#[test]
fn a_transcript_deaf_to_the_statement() {
    let (statement, inputs) = preimages::<Blake2s>();
    let words = Blake2s::words(&inputs);
    let plain = plain::<Blake2s>(&statement);
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
    let mut blocks = Blake2s::blocks(&statement);
    let weight = |block: usize, slot: usize, bit: usize| of_rules[16 * block + slot].times(of_bits[bit]);
    blocks[0][8].as_mut().expect("public")[0] ^= 1;
    let columns: Vec<Vec<u128>> = (0..256).map(|i| vec![weight(1 + i / 128, 8, i % 128)]).collect();
    let found = subset(&columns, &[weight(0, 8, 0)]).expect("more unknowns than equations");
    for i in found {
        blocks[1 + i / 128][8].as_mut().expect("public")[i % 128 / 8] ^= 1 << (i % 8);
    }
    let other = Blake2s::state(&blocks).expect("three");
    let rules = self::plain::<Blake2s>(&other).rules();
    let believed = claims_from::<u128>(circuit, deaf(), opening, &rules, &made.bytes);
    assert!(believed.is_ok(), "the deaf one believes it");
    let opening = committed.open(&three_points(&made.points), &made.context);
    let proof = [&b"PXC1"[..], &[1], &committed.root, &made.bytes, &opening].concat();
    assert_eq!(verdict::<Blake2s>(&other, &proof), Err(ProofError::Zerocheck));
}
