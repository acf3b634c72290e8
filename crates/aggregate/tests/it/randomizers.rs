//! Tests 9 and 15 of the specification's section 6: the order of children, and randomizers that give no encoding.

use crate::forge::{
    Bound, Committed, outer, plain, published, randomizers_with, rules_of, signature, three_points,
};
use crate::support::{file, one};
use phalanx_aggregate::hazmat::{BLOCKS_OF_A_SIGNATURE, WORDS_OF_A_BLOCK, prove, words};
use phalanx_aggregate::{Limits, Profile, ProofError, Statement, aggregate, verify};
use phalanx_reference::aggregate::{self as reference, Circuit, Rule, SLOTS, append_rules, compress};
use phalanx_reference::xmss_blake2s::{self as xmss, digits, encoding_digest};
use phalanx_testing::again;
use phalanx_xmss::blake2s::{ParameterSet, Signature};

const CONTEXT: &[u8] = b"context";
const PROFILE: Profile = Profile::Provable100;

fn verdict(statement: &Statement, aggregate: &[u8]) -> Result<(), ProofError> {
    verify(&Limits::new(&[PROFILE]), statement, CONTEXT, aggregate)
}

fn decoded(signature: &xmss::Signature) -> Signature {
    Signature::from_bytes(ParameterSet::L32_D42B8, &signature.to_bytes()).expect("1208 bytes")
}

/// Test 15: a spare bit is set, each alone, and the key's owner signs all the same. Circuit and wiring hold: a verifier that
/// is given the digits believes it, and check A3 alone refuses.
#[test]
fn a_spare_bit_is_refused_by_its_check_alone() {
    if again() {
        return;
    }
    let (statement, _) = one();
    let (key, epoch, message) = published();
    let public: [u8; 32] = key.public_key().to_bytes().try_into().expect("32 bytes");
    for spare in [[true, false], [false, true]] {
        let (randomizer, digits) =
            randomizers_with(&key.parameter, epoch, &message, spare).next().expect("there are many");
        let signature = signature(&key, epoch, randomizer, &digits);
        let mut rules: Vec<[Rule; SLOTS]> = Vec::new();
        append_rules(&mut rules, epoch, &public, &digits);
        rules.resize(256, [Rule::Free; SLOTS]);
        let z = reference::witness(&plain(&statement), &rules, &[signature]);
        let committed = Committed::new(&z);
        let bound = Bound::of::<u128>(&statement, &randomizer, committed.root);
        let outer = outer(bound.transcript(None), &rules, z.clone(), |_, _, _| ());
        let opening = committed.open(&three_points(&outer.points), &outer.context);
        let given_digits = bound.verdict(bound.transcript(None), &rules, &outer.bytes, &opening);
        assert_eq!(given_digits, Ok(()));
        let made = bound.aggregate(&outer.bytes, &opening);
        assert_eq!(verdict(&statement, &made), Err(ProofError::NoEncoding { index: 0 }), "{spare:?}");
    }
}

/// Test 15, its sums: one step more or less than the 99 that there are blocks for.
#[test]
fn sums_beside_the_target() {
    let (statement, _) = one();
    let (key, epoch, message) = published();
    for wanted in [194, 196] {
        let sum = |randomizer: &[u8; 24]| {
            let digest = encoding_digest(key.profile, &key.parameter, epoch, &message, randomizer);
            let halves = digest.as_chunks::<8>().0.iter().map(|half| u64::from_le_bytes(*half));
            let digits = halves.flat_map(|half| (0..21).map(move |i| half >> (3 * i) & 7));
            (digest[7] | digest[15] < 0x80).then(|| digits.sum::<u64>())
        };
        let trials = (0_u64..).map(|trial| {
            let mut randomizer = [0; 24];
            randomizer[..8].copy_from_slice(&trial.to_le_bytes());
            randomizer
        });
        let randomizer = trials.into_iter().find(|x| sum(x) == Some(wanted)).expect("there are many");
        let mut made = file("aggregate1.bin");
        made[37..61].copy_from_slice(&randomizer);
        assert_eq!(verdict(&statement, &made), Err(ProofError::NoEncoding { index: 0 }), "{wanted}");
    }
}

/// Any bit of the randomizer changed: another encoding, or none.
#[test]
fn changed_randomizers() {
    let (statement, _) = one();
    let made = file("aggregate1.bin");
    let mut other = made.clone();
    for (bit, changed) in (0..192).map(|bit| (bit, 37 + bit / 8)) {
        other.copy_from_slice(&made);
        other[changed] ^= 1 << (bit % 8);
        assert_eq!(verdict(&statement, &other), Err(ProofError::NoEncoding { index: 0 }), "bit {bit}");
    }
}

/// Counted up, the first randomizer that encodes the published message at the published epoch and at its sibling's: one in
/// 10^9 does, so it was looked for once.
const AT_BOTH_EPOCHS: u64 = 255_683_509;

/// Test 9: a signature of one epoch is given out as one of its sibling, with the children in their own order and in that of
/// the other. The published randomizer has no encoding there (A3); one that has leaves it to check W.
#[test]
fn the_sibling_epoch() {
    let (statement, signatures) = one();
    let sibling = |statement: &Statement| {
        let mut bytes = statement.to_bytes();
        bytes[4] ^= 1;
        Statement::from_bytes(&bytes).expect("one key")
    };
    let made = aggregate(PROFILE, &statement, &signatures, CONTEXT).expect("a signature");
    assert_eq!(verdict(&sibling(&statement), &made), Err(ProofError::NoEncoding { index: 0 }));

    let (key, epoch, message) = published();
    let mut randomizer = [0; 24];
    randomizer[..8].copy_from_slice(&AT_BOTH_EPOCHS.to_le_bytes());
    let [here, there] = [epoch, epoch ^ 1].map(|epoch| {
        let digest = encoding_digest(key.profile, &key.parameter, epoch, &message, &randomizer);
        digits(&digest).expect("an encoding at both")
    });
    assert_ne!(here, there);
    let signature = signature(&key, epoch, randomizer, &here);
    let honest = words(&statement, &[decoded(&signature)]).expect("an encoding");
    let forged = |statement: &Statement, z: Vec<u32>| {
        let made = prove(PROFILE, statement, &randomizer, z, CONTEXT, |_, _| ()).expect("an encoding");
        verdict(statement, &made)
    };
    assert_eq!(forged(&statement, honest.clone()), Ok(()), "where it belongs");
    assert_eq!(forged(&sibling(&statement), honest.clone()), Err(ProofError::Wiring));

    // By the rules of the sibling, but the first node has leaf and sibling in the order of the epoch that was signed; the
    // key is the one that is reached.
    let first_node = BLOCKS_OF_A_SIGNATURE - 32;
    let rules = rules_of(&sibling(&statement), &randomizer);
    let by_rules = |exchanged: bool| {
        let of_sibling = xmss::Signature { values: signature.values.clone(), ..signature.clone() };
        let mut rules = rules[..BLOCKS_OF_A_SIGNATURE].to_vec();
        if exchanged {
            rules[first_node].swap(6, 7);
        }
        let mut z = reference::witness(&plain(&sibling(&statement)), &rules, &[of_sibling]);
        z.resize(honest.len(), 0);
        let root = &z[WORDS_OF_A_BLOCK * (BLOCKS_OF_A_SIGNATURE - 1) + 32..][..4];
        let mut bytes = sibling(&statement).to_bytes();
        for (bytes, word) in bytes[44..60].as_chunks_mut().0.iter_mut().zip(root) {
            *bytes = word.to_le_bytes();
        }
        (Statement::from_bytes(&bytes).expect("one key"), z)
    };
    let (reached, z) = by_rules(false);
    assert_eq!(forged(&reached, z), Ok(()), "in its own order it is a signature of the key that is reached");
    let (reached, z) = by_rules(true);
    let block = &z[WORDS_OF_A_BLOCK * first_node..][..WORDS_OF_A_BLOCK];
    assert!(compress(&Circuit::blake2s(), &block[..32]) == block, "the circuit holds");
    assert_eq!(forged(&reached, z), Err(ProofError::Wiring));
}
