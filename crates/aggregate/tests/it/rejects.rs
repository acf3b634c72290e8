//! Forgeries: the honest prover on a false witness, each caught by the one check that is there for it.

use crate::forge::rules_of;
use crate::support::{file, one, signed, three};
use phalanx_aggregate::hazmat::{BLOCKS_OF_A_SIGNATURE, WORDS_OF_A_BLOCK, prove, randomizers, words};
use phalanx_aggregate::{Limits, Profile, ProofError, Statement, aggregate, verify};
use phalanx_reference::aggregate::{Circuit, Rule, SLOTS, compress};
use phalanx_xmss::blake2s::{ParameterSet, Signature};

const CONTEXT: &[u8] = b"context";
const PROFILE: Profile = Profile::Provable100;
/// Blocks of chains, then of the leaf.
const STEPS: usize = 99;
const LEAF: usize = 11;

/// One signature, and what the circuit and its rules say of it.
struct Case {
    statement: Statement,
    signatures: Vec<Signature>,
    honest: Vec<u32>,
    rules: Vec<[Rule; SLOTS]>,
}

/// What a forger puts into a slot.
type Put = ((usize, usize), [u8; 16]);

impl Case {
    fn new() -> Self {
        let (statement, signatures) = one();
        let honest = words(&statement, &signatures).expect("a signature");
        let rules = rules_of(&statement, &randomizers(&signatures));
        Self { statement, signatures, honest, rules }
    }

    /// Every block by its rules, but for what is put elsewhere; what comes after is computed from it.
    fn forged(&self, put: &[Put]) -> Vec<u32> {
        let mut z: Vec<u32> = Vec::new();
        for (block, rules) in self.rules[..BLOCKS_OF_A_SIGNATURE].iter().enumerate() {
            let mut inputs = [0; 32];
            for slot in 0..8 {
                let of_rule = match rules[slot] {
                    Rule::Free => slot_of(&self.honest, block, slot),
                    Rule::Public(bytes) => bytes,
                    Rule::Link(from, block) => slot_of(&z, block, from),
                };
                let bytes =
                    put.iter().find(|(at, _)| *at == (block, slot)).map_or(of_rule, |(_, bytes)| *bytes);
                for (word, bytes) in inputs[4 * slot..].iter_mut().zip(bytes.as_chunks().0) {
                    *word = u32::from_le_bytes(*bytes);
                }
            }
            z.extend(compress(&Circuit::blake2s(), &inputs));
        }
        z.resize(self.honest.len(), 0);
        z
    }

    /// The statement with the key whose root these words reach.
    fn reached(&self, z: &[u32]) -> Statement {
        let mut bytes = self.statement.to_bytes();
        bytes[44..60].copy_from_slice(&slot_of(z, BLOCKS_OF_A_SIGNATURE - 1, 8));
        Statement::from_bytes(&bytes).expect("one key")
    }

    /// Proves words under a statement, with bent forms, and verifies that.
    fn verdict(
        &self,
        statement: &Statement,
        z: Vec<u32>,
        bend: impl FnOnce(&mut [u32], &mut [u32]),
    ) -> Result<(), ProofError> {
        let randomizers = randomizers(&self.signatures);
        let made = prove(PROFILE, statement, &randomizers, z, CONTEXT, bend).expect("an encoding");
        verify(&Limits::new(&[PROFILE]), statement, CONTEXT, &made)
    }

    /// The rules that words break, as block and slot.
    fn broken(&self, statement: &Statement, z: &[u32]) -> Vec<(usize, usize)> {
        let rules = rules_of(statement, &randomizers(&self.signatures));
        let mut broken = Vec::new();
        for (block, rules) in rules.iter().enumerate() {
            for (slot, rule) in rules.iter().enumerate() {
                let holds = match rule {
                    Rule::Free => true,
                    Rule::Public(bytes) => slot_of(z, block, slot) == *bytes,
                    Rule::Link(from, of) => slot_of(z, block, slot) == slot_of(z, *of, *from),
                };
                if !holds {
                    broken.push((block, slot));
                }
            }
        }
        broken
    }
}

fn slot_of(z: &[u32], block: usize, slot: usize) -> [u8; 16] {
    let words = &z[WORDS_OF_A_BLOCK * block + 4 * slot..][..4];
    words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>().try_into().expect("16 bytes")
}

fn no_bend(_: &mut [u32], _: &mut [u32]) {}

const JUNK: [u8; 16] = [0x5a; 16];

/// Test 4 of the specification's section 6: one slot of every class of rules is something else, all that follows from it is
/// computed honestly, and the key is the one that is reached.
#[test]
fn every_class_of_rules() {
    let case = Case::new();
    let link = |block: usize, slot: usize| matches!(case.rules[block][slot], Rule::Link(..));
    let step = (0..STEPS).find(|block| link(*block, 6)).expect("a second step");
    let leaf_end = |slot| (STEPS..STEPS + LEAF).find(|block| link(*block, slot)).expect("a chain's end");
    let node = |slot| {
        (STEPS + LEAF..BLOCKS_OF_A_SIGNATURE).find(|block| link(*block, slot)).expect("both sides occur")
    };
    let mut classes: Vec<(usize, usize)> = [0, 1, 2, 3, 4, 5, 7].map(|slot| (0, slot)).to_vec();
    classes.push((step, 6));
    classes.extend((0..6).map(|slot| (STEPS, slot)));
    classes.extend([(STEPS + 1, 0), (STEPS + 1, 1)]);
    classes.extend((4..8).map(|slot| (leaf_end(slot), slot)));
    classes.extend((0..6).map(|slot| (STEPS + LEAF, slot)));
    classes.extend([(node(6), 6), (node(7), 7)]);
    assert_eq!(classes.len(), 28);
    for at in classes {
        let z = case.forged(&[(at, JUNK)]);
        let statement = case.reached(&z);
        assert_eq!(case.broken(&statement, &z), [at], "one rule");
        assert_eq!(case.verdict(&statement, z, no_bend), Err(ProofError::Wiring), "{at:?}");
    }
}

/// Test 8: the state of the leaf's hash is passed on whole (that another second half is refused is the class of slot 1 above),
/// while of what ends a chain's step only the first half is.
#[test]
fn only_what_a_hash_cuts_off_is_not_linked() {
    let case = Case::new();
    let linked = |block: usize, slot: usize| {
        case.rules
            .iter()
            .flatten()
            .any(|rule| matches!(rule, Rule::Link(from, of) if (*of, *from) == (block, slot)))
    };
    for block in STEPS..STEPS + LEAF - 1 {
        assert!(linked(block, 8) && linked(block, 9), "block {block} of the leaf");
    }
    for block in 0..STEPS {
        assert!(!linked(block, 9) && slot_of(&case.honest, block, 9) != [0; 16], "step {block}");
    }
}

/// Tests 5, 6 and 7: another root, cut links, no witness.
#[test]
fn roots_and_cut_links() {
    let case = Case::new();
    let last = BLOCKS_OF_A_SIGNATURE - 1;
    // A signature made up for a key that nobody has.
    let z = case.forged(&[]);
    let mut bytes = case.statement.to_bytes();
    bytes[44] ^= 1;
    let other = Statement::from_bytes(&bytes).expect("one key");
    assert_eq!(case.broken(&other, &z), [(last, 8)]);
    assert_eq!(case.verdict(&other, z, no_bend), Err(ProofError::Wiring));
    // A chain of junk whose last step is given the honest value; a leaf of junk whose parent is given the honest one.
    let step =
        (0..STEPS).rev().find(|block| matches!(case.rules[*block][6], Rule::Link(..))).expect("a walk");
    let start = (0..step).rev().find(|block| case.rules[*block][6] == Rule::Free).expect("its start");
    let leaf = STEPS + LEAF;
    let side = if matches!(case.rules[leaf][6], Rule::Link(..)) { 6 } else { 7 };
    for (junk, cut) in [((start, 6), (step, 6)), ((STEPS, 4), (leaf, side))] {
        let honest = slot_of(&case.honest, cut.0, cut.1);
        let z = case.forged(&[(junk, JUNK), (cut, honest)]);
        let broken = case.broken(&case.statement, &z);
        assert!(broken.contains(&cut) && broken.iter().all(|at| [junk, cut].contains(at)));
        assert_eq!(case.verdict(&case.statement, z, no_bend), Err(ProofError::Wiring));
    }
    // All chains of junk, and the leaf given the ends that they should have.
    let is_link = |at: &(usize, usize)| matches!(case.rules[at.0][at.1], Rule::Link(..));
    let starts =
        (0..STEPS).filter(|block| case.rules[*block][6] == Rule::Free).map(|block| ((block, 6), JUNK));
    let ends = (STEPS..leaf).flat_map(|block| (4..8).map(move |slot| (block, slot))).filter(is_link);
    only_cut(&case, starts.collect(), &ends.collect::<Vec<_>>());
    // One chain of junk, and the leaf's last block given the h that it should have; the first node, the leaf.
    let chain = ((0, 6), JUNK);
    assert_eq!(case.rules[0][6], Rule::Free, "the first block starts a chain");
    only_cut(&case, vec![chain], &[(leaf - 1, 0), (leaf - 1, 1)]);
    only_cut(&case, vec![chain], &[(leaf, side)]);
    let zeros = vec![0; case.honest.len()];
    assert_eq!(case.verdict(&case.statement, zeros, no_bend), Err(ProofError::Wiring));
}

/// Free slots are junk, and links are given what an honest witness has there: these links are all that is broken.
fn only_cut(case: &Case, mut put: Vec<Put>, cut: &[(usize, usize)]) {
    put.extend(cut.iter().map(|at| (*at, slot_of(&case.honest, at.0, at.1))));
    let z = case.forged(&put);
    assert_eq!(case.broken(&case.statement, &z), cut);
    assert_eq!(case.verdict(&case.statement, z, no_bend), Err(ProofError::Wiring), "{cut:?}");
}

/// Specification, section 3.4: 912 public slots, 151 links between 141 pairs of blocks and 74 free slots of input, whatever the
/// epoch is; 283 terms of W~, a block with rules or a pair of blocks each.
#[test]
fn a_thousand_and_sixty_three_rules() {
    for epoch in [0, 5, u32::MAX, 0x1234_5678] {
        let (statement, signatures) = signed(&[([9; 32], epoch, [7; 32])]);
        let rules = rules_of(&statement, &randomizers(&signatures));
        let rules = &rules[..BLOCKS_OF_A_SIGNATURE];
        let all = || rules.iter().flatten();
        assert_eq!(all().filter(|rule| matches!(rule, Rule::Public(_))).count(), 912, "epoch {epoch}");
        let links = rules.iter().enumerate().flat_map(|(block, rules)| {
            rules.iter().filter_map(move |rule| match rule {
                Rule::Link(_, from) => Some((block, *from)),
                _ => None,
            })
        });
        let links: Vec<_> = links.collect();
        let pairs: std::collections::BTreeSet<_> = links.iter().collect();
        assert_eq!((links.len(), pairs.len()), (151, 141), "epoch {epoch}");
        let free = rules.iter().flat_map(|rules| &rules[..8]).filter(|rule| **rule == Rule::Free);
        assert_eq!(free.count(), 74, "epoch {epoch}");
    }
}

/// Tests 1, 2, 3 and 17: products, outputs, unused bits, padding.
#[test]
fn gates() {
    let case = Case::new();
    let verdict = |change: &dyn Fn(&mut [u32])| {
        let mut z = case.honest.clone();
        change(&mut z);
        assert!(case.broken(&case.statement, &z).is_empty(), "the wiring holds");
        case.verdict(&case.statement, z, no_bend)
    };
    assert_eq!(verdict(&|_| ()), Ok(()));
    // A product; an output bit that nothing is linked to; a bit that nothing uses.
    for word in [40, 300, 499, 36, 500, 511] {
        assert_eq!(verdict(&|z| z[word] ^= 1 << 7), Err(ProofError::Zerocheck), "word {word}");
    }
    // Another compression in the padding is nobody's business, a broken gate is.
    let padding = WORDS_OF_A_BLOCK * BLOCKS_OF_A_SIGNATURE;
    let compression = compress(&Circuit::blake2s(), &[0x1234_5678; 32]);
    let fill = |z: &mut [u32]| z[padding..padding + WORDS_OF_A_BLOCK].copy_from_slice(&compression);
    assert_eq!(verdict(&fill), Ok(()));
    let broken = |z: &mut [u32]| {
        fill(z);
        z[padding + 100] ^= 1;
    };
    assert_eq!(verdict(&broken), Err(ProofError::Zerocheck));
    // Factors that fit the wrong product: z = z 1 everywhere.
    let mut z = case.honest.clone();
    z[300] ^= 1;
    let fitting = z.clone();
    let bend = |a: &mut [u32], b: &mut [u32]| {
        a.copy_from_slice(&fitting);
        b.fill(u32::MAX);
    };
    assert_eq!(case.verdict(&case.statement, z, bend), Err(ProofError::Lincheck));
}

/// Tests 13, 14 and 19: everything that is bound.
#[test]
fn another_statement() {
    let (statement, signatures) = three();
    let made = aggregate(PROFILE, &statement, &signatures, CONTEXT).expect("valid signatures");
    let limits = Limits::new(&Profile::ALL);
    let verdict = |bytes: &[u8], context: &[u8], aggregate: &[u8]| {
        verify(&limits, &Statement::from_bytes(bytes).expect("in order"), context, aggregate)
    };
    let bytes = statement.to_bytes();
    assert_eq!(verdict(&bytes, CONTEXT, &made), Ok(()));
    assert_eq!(verdict(&bytes, b"contexts", &made), Err(ProofError::Zerocheck));
    // Epoch, message, parameter: another encoding. Root: only the transcript says so.
    for at in [111, 115, 168] {
        let mut other = bytes.clone();
        other[at] ^= 1;
        assert_eq!(verdict(&other, CONTEXT, &made), Err(ProofError::NoEncoding { index: 2 }), "byte {at}");
    }
    let mut other = bytes.clone();
    other[150] ^= 1;
    assert_eq!(verdict(&other, CONTEXT, &made), Err(ProofError::Zerocheck));
    // The last signer left out, with its randomizer.
    let mut fewer = bytes[..108].to_vec();
    fewer[0] = 1;
    let mut shorter = made.clone();
    shorter.drain(37 + 48..37 + 72);
    assert_eq!(verdict(&fewer, CONTEXT, &shorter), Err(ProofError::Zerocheck));
    // Two randomizers exchanged; one of another epoch.
    let mut exchanged = made.clone();
    exchanged[37..85].rotate_left(24);
    assert_eq!(verdict(&bytes, CONTEXT, &exchanged), Err(ProofError::NoEncoding { index: 0 }));
    // The other profile's byte: the length is not that profile's.
    let mut profile = made.clone();
    profile[4] = 3;
    assert!(verdict(&bytes, CONTEXT, &profile).is_err());
    let large = file("aggregate3.bin");
    let mut profile = large.clone();
    profile[4] = 1;
    assert!(verdict(&file("statement1.bin"), CONTEXT, &large).is_ok());
    assert!(verdict(&file("statement1.bin"), CONTEXT, &profile).is_err());
}

/// Keys and signatures of the older definition are no matter of aggregates.
#[test]
fn another_parameter_set() {
    let (statement, signatures) = one();
    let other = ParameterSet::A_L32_D42B8;
    let signature = Signature::from_bytes(other, &signatures[0].to_bytes()).expect("1208 bytes");
    let refused = aggregate(PROFILE, &statement, &[signature], CONTEXT);
    assert_eq!(refused, Err(phalanx_aggregate::Error::ParameterSet));
}
