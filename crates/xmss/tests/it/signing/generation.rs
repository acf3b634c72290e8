//! Key generation: in steps, with stops, on threads, and from the caller's randomness.

use super::{FAST, is_same};
use phalanx_reference as plain;
use phalanx_xmss::{Error, Format, KeyGeneration, ParameterSet, Progress, SigningKey, hazmat};
use phalanx_xmss::{Inline, Malformed, Threads};
use rand_core::{TryCryptoRng, TryRng};
use shake::digest::{ExtendableOutput, Update, XofReader};
use std::convert::Infallible;
use std::ops::{ControlFlow, Range};
use std::sync::Mutex;

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn begin(seed: u8) -> KeyGeneration {
    KeyGeneration::from_seed(FAST, &[seed; 32], 0..256).expect("fits")
}

fn finish(mut generation: KeyGeneration) -> SigningKey {
    while generation.step_on(&Inline, &go_on).expect("computes").is_some() {}
    generation.finish().expect("complete")
}

// ---- in steps ----

/// Stopped within trees and between them, its roots kept elsewhere: the key is that of an uninterrupted run.
#[test]
fn an_interrupted_generation_ends_with_the_same_key() {
    let uninterrupted = SigningKey::from_seed(FAST, &[40; 32], 0..256).expect("fits");
    let mut kept: Vec<(u64, Vec<u8>)> = Vec::new();
    for run in 0..4 {
        let mut generation = begin(40);
        assert_eq!(generation.commitment(), begin(40).commitment());
        for (index, root) in &kept {
            generation.restore(*index, root).expect("from the same generation");
        }
        assert_eq!(
            generation.progress(),
            Progress { leaves_done: 0, leaves_total: 256 - 16 * kept.len() as u64 }
        );
        for _ in 0..3 {
            // Stopped in the middle: no root, no progress, and the step can be taken again.
            let before = generation.progress();
            let stopped = generation.step_on(&Inline, &|_| ControlFlow::Break(()));
            assert_eq!(stopped, Err(Error::Unfinished));
            assert_eq!(generation.progress(), before);
            let index = generation.step_on(&Inline, &go_on).expect("computes").expect("more to do");
            assert_eq!(generation.progress().leaves_done, before.leaves_done + 16);
            kept.push((index, generation.root(index).expect("finished")));
        }
        assert_eq!(kept.len(), 3 * (run + 1));
        assert_eq!(generation.finish().err(), Some(Error::Unfinished));
    }
    let mut generation = begin(40);
    for (index, root) in &kept {
        generation.restore(*index, root).expect("from the same generation");
        generation.restore(*index, root).expect("twice is once");
    }
    assert!(is_same(&finish(generation), &uninterrupted));
}

#[test]
fn steps_go_through_all_trees_and_keep_two_for_the_end() {
    let mut generation = KeyGeneration::from_seed(FAST, &[41; 32], 100..150).expect("fits");
    assert_eq!((generation.trees(), generation.activation_interval()), (6..10, 96..160));
    let told = Mutex::new(Vec::new());
    let tell = |progress: Progress| {
        told.lock().expect("no panic").push(progress.leaves_done);
        assert_eq!(progress.leaves_total, 64);
        ControlFlow::Continue(())
    };
    for expected in [8, 9, 6, 7] {
        assert_eq!(generation.root(expected), None);
        assert_eq!(generation.step_on(&Inline, &tell), Ok(Some(expected)));
        assert_eq!(generation.root(expected).map(|root| root.len()), Some(32));
    }
    assert_eq!(generation.step_on(&Inline, &tell), Ok(None));
    assert_eq!(*told.lock().expect("no panic"), [16, 32, 48, 64]);
    let key = generation.finish().expect("complete");
    assert!(is_same(&key, &SigningKey::from_seed(FAST, &[41; 32], 100..150).expect("fits")));
}

/// A complete set of roots does not make a key: the two trees it holds whole are computed all the same.
#[test]
fn the_trees_a_key_holds_are_not_restored() {
    let mut first = begin(42);
    while first.step_on(&Inline, &go_on).expect("computes").is_some() {}
    let mut second = begin(42);
    for index in second.trees() {
        second.restore(index, &first.root(index).expect("finished")).expect("fits");
    }
    assert_eq!((second.root(0), second.root(1), second.root(2)), (None, None, first.root(2)));
    assert_eq!(second.progress(), Progress { leaves_done: 0, leaves_total: 32 });
    assert_eq!(second.step_on(&Inline, &go_on), Ok(Some(0)));
    assert_eq!(second.step_on(&Inline, &go_on), Ok(Some(1)));
    assert_eq!(second.step_on(&Inline, &go_on), Ok(None));
    assert!(is_same(&second.finish().expect("complete"), &finish(first)));
}

#[test]
fn malformed_roots_are_refused() {
    let mut generation = KeyGeneration::from_seed(FAST, &[43; 32], 100..150).expect("fits");
    for index in [0, 5, 10, u64::MAX] {
        assert_eq!(generation.restore(index, &[0; 32]), Err(Error::WrongTree { got: index, wanted: 6 }));
    }
    for len in [0, 4, 28, 31, 33, 36, 64] {
        let what = "length of a root in bytes";
        let error = Error::Malformed(Malformed { what, got: len as u64, wanted: 32 });
        assert_eq!(generation.restore(8, &vec![0; len]), Err(error));
    }
    for element in 0..8 {
        for word in [plain::field::P, plain::field::P + 1, u32::MAX] {
            let mut root = [0; 32];
            root[4 * element..][..4].copy_from_slice(&word.to_le_bytes());
            let wanted = u64::from(plain::field::P) - 1;
            let error = Malformed { what: "element of a root", got: word.into(), wanted };
            for index in generation.trees() {
                assert_eq!(generation.restore(index, &root), Err(Error::Malformed(error)));
            }
        }
    }
    assert_eq!(generation.progress().leaves_total, 64, "nothing was taken");
    let seven = ParameterSet::POSEIDON2_L18_D64B8;
    let mut generation = KeyGeneration::from_seed(seven, &[43; 32], 0..2048).expect("fits");
    assert_eq!(generation.restore(2, &[0; 28]), Ok(()), "seven elements");
    assert!(generation.restore(2, &[0; 32]).is_err());
}

#[test]
fn threads_do_not_change_the_key() {
    for set in [FAST, ParameterSet::POSEIDON2_L8_D64B8] {
        let expected = SigningKey::from_seed(set, &[44; 32], 100..140).expect("fits");
        for count in 2..6 {
            let threads = Threads::new(count);
            let key = SigningKey::from_seed_on(&threads, set, &[44; 32], 100..140).expect("fits");
            assert!(is_same(&key, &expected), "{set} on {count} threads");
        }
    }
}

// ---- commitments ----

/// SHAKE128 of another implementation, over what the documentation says.
#[test]
fn the_commitment_is_as_documented() {
    let (parameter, prf_key) = phalanx_testing::secrets_of_seed(&[45; 32]);
    let mut hasher = shake::Shake128::default();
    let name = FAST.name().as_bytes();
    hasher.update(b"phalanx xmss keygen v1");
    hasher.update(&[u8::try_from(name.len()).expect("short")]);
    hasher.update(name);
    hasher.update(&6u64.to_le_bytes());
    hasher.update(&9u64.to_le_bytes());
    // Eight words, of which the parameter fills five, in Montgomery form.
    parameter.iter().for_each(|&x| hasher.update(&plain::field::to_montgomery(x).to_le_bytes()));
    hasher.update(&[0; 12]);
    hasher.update(&prf_key);
    let mut expected = [0; 32];
    hasher.finalize_xof().read(&mut expected);
    let generation = KeyGeneration::from_seed(FAST, &[45; 32], 100..140).expect("fits");
    assert_eq!(generation.commitment(), expected);
}

#[test]
fn commitments_tell_generations_apart() {
    let mut other_seed = [46; 32];
    other_seed[31] ^= 1;
    let mut seen = std::collections::BTreeSet::new();
    let mut all = 0;
    for set in ParameterSet::ALL {
        for seed in [[46; 32], other_seed] {
            for (start, end) in [(0, 32), (16, 48), (0, 48), (16, 32)].map(|(a, b)| {
                let unit = set.tree_leaves() / 16;
                (a * unit, b * unit)
            }) {
                let generation = KeyGeneration::from_seed(set, &seed, start..end).expect("fits");
                seen.insert(generation.commitment());
                all += 1;
            }
        }
    }
    // The last interval is rounded to the second's.
    assert_eq!(seen.len(), all / 4 * 3);
}

// ---- intervals ----

/// `Range`, spelled so that it may be inverted.
fn range(start: u64, end: u64) -> Range<u64> {
    Range { start, end }
}

#[test]
fn intervals_outside_the_lifetime_are_refused() {
    for set in ParameterSet::ALL {
        let lifetime = set.lifetime();
        let begin =
            |start, end| KeyGeneration::from_seed(set, &[47; 32], range(start, end)).map(|g| g.trees());
        for (start, end) in [
            (0, lifetime + 1),
            (lifetime, lifetime + 1),
            (lifetime - 1, lifetime + 1),
            (lifetime + 1, lifetime + 1),
            (u64::MAX - 1, u64::MAX),
            (u64::MAX, u64::MAX),
            (0, u64::MAX),
            (1, u64::MAX),
        ] {
            let error = Error::Interval { start, count: end - start, lifetime };
            assert_eq!(begin(start, end), Err(error), "{set}");
            let key = SigningKey::from_seed(set, &[47; 32], range(start, end));
            assert_eq!(key.err(), Some(error), "{set}");
        }
        for (start, end) in [(1, 0), (lifetime, 0), (u64::MAX, 0), (u64::MAX, u64::MAX - 1), (20, 19)] {
            assert_eq!(begin(start, end), Err(Error::Interval { start, count: 0, lifetime }), "{set}");
        }
        let all = lifetime / set.tree_leaves();
        assert_eq!(begin(0, lifetime), Ok(0..all), "{set}");
        assert_eq!(begin(lifetime - 1, lifetime), Ok(all - 2..all), "{set}");
    }
}

/// The families differ: no epochs are the fewest possible, or a mistake.
#[test]
fn intervals_of_no_epochs() {
    for set in ParameterSet::ALL {
        let (lifetime, all) = (set.lifetime(), set.lifetime() / set.tree_leaves());
        for (start, trees) in [(0, 0..2), (set.tree_leaves() * 3 + 1, 3..5), (lifetime, all - 2..all)] {
            let got = KeyGeneration::from_seed(set, &[48; 32], range(start, start)).map(|g| g.trees());
            let refused = Error::Interval { start, count: 0, lifetime };
            let expected = if set.name().contains("poseidon1") { Err(refused) } else { Ok(trees) };
            assert_eq!(got, expected, "{set}");
        }
    }
}

// ---- the caller's randomness ----

/// Plays back words, counting them, and goes on with a fixed sequence.
struct Tape {
    words: Vec<u32>,
    drawn: usize,
}

impl Tape {
    /// Words whose upper 31 bits are below the modulus, and stay so when their low 31 bits change.
    fn new() -> Self {
        let words = hazmat::random_words(&[50; 32], 200).into_iter().map(|word| word & 0x7fff_ffff).collect();
        Self { words, drawn: 0 }
    }
}

impl TryRng for Tape {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let word = self.words[self.drawn];
        self.drawn += 1;
        Ok(word)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("words are drawn by 32 bits: leanSig's order knows no others")
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
        panic!("bytes are drawn one a word: leanSig's order knows no others")
    }
}

impl TryCryptoRng for Tape {}

/// What became of a tape: public parameter, PRF key, the nodes of the top tree (padding among them), and the words
/// drawn.
fn outcome(tape: &mut Tape) -> ([u32; 5], [u8; 32], Vec<Vec<u32>>, usize) {
    let key = SigningKey::generate(FAST, tape, 16..48).expect("fits");
    let nodes = hazmat::top_tree_layers(&key).into_iter().flat_map(|layer| layer.nodes);
    (hazmat::parameter_of(&key.verifying_key()), hazmat::expose_prf_key(&key), nodes.collect(), tape.drawn)
}

/// No word of the generator has a part in both the parameter, which every public key shows, and the PRF key: the
/// overlap of another implementation published bits of the secret.
#[test]
fn a_public_key_reveals_nothing_of_the_prf_key() {
    let (parameter, prf_key, _, drawn) = outcome(&mut Tape::new());
    assert!(drawn > 5 + 32, "parameter, PRF key and padding are drawn");
    let (mut of_parameter, mut of_prf_key) = (Vec::new(), Vec::new());
    for i in 0..drawn {
        for change in [2, 0x80, 0x7fff_fffe, 0x5555_5554] {
            let mut tape = Tape::new();
            tape.words[i] ^= change;
            let (other_parameter, other_prf_key, _, other_drawn) = outcome(&mut tape);
            assert_eq!(other_drawn, drawn, "word {i}: as many words");
            let changed = (other_parameter != parameter, other_prf_key != prf_key);
            assert_ne!(changed, (true, true), "word {i} is in the parameter and in the PRF key");
            of_parameter.extend(changed.0.then_some(i));
            of_prf_key.extend(changed.1.then_some(i));
        }
    }
    of_parameter.dedup();
    of_prf_key.dedup();
    assert_eq!(of_parameter, (0..5).collect::<Vec<_>>());
    assert_eq!(of_prf_key, (5..37).collect::<Vec<_>>());
}

/// The words after the PRF key's are the padding's alone.
#[test]
fn padding_is_drawn_last() {
    let (_, _, nodes, drawn) = outcome(&mut Tape::new());
    assert!((drawn - 37).is_multiple_of(8), "nodes of eight elements");
    for i in 37..drawn {
        let mut tape = Tape::new();
        tape.words[i] ^= 2;
        let (_, _, others, _) = outcome(&mut tape);
        assert_ne!(others, nodes, "word {i}");
    }
}

/// The caller's generator on a seed and the seed give the same key; other randomness another.
#[test]
fn keys_come_from_the_callers_generator() {
    use rand_core::SeedableRng;
    let mut rng = chacha20::ChaCha12Rng::from_seed([51; 32]);
    let first = SigningKey::generate(FAST, &mut rng, 0..64).expect("fits");
    let second = SigningKey::generate(FAST, &mut rng, 0..64).expect("fits");
    assert!(is_same(&first, &SigningKey::from_seed(FAST, &[51; 32], 0..64).expect("fits")));
    assert_ne!(hazmat::expose_prf_key(&first), hazmat::expose_prf_key(&second));
    assert_ne!(first.verifying_key(), second.verifying_key());
    for mut key in [first, second] {
        let signature = key.sign(63, &[1; 32]).expect("signs");
        assert_eq!(key.verifying_key().verify(63, &[1; 32], &signature), Ok(()));
        assert_eq!(SigningKey::from_bytes(FAST, Format::Ssz, &key.to_bytes(Format::Ssz)).err(), None);
    }
}
