//! Rescue beside winter-crypto (Rp64_256 and its Jive sibling) and p3-rescue (RPO): permutations, hashes, trees; ours on
//! every backend of this CPU, alone and many side by side. Nanoseconds for each; both sides work in turn.
//!
//! Peers have no call for many: where ours takes many, theirs is called as often.

use crate::sample::{More, Row, interleaved, peer_build};
use p3_field::{PrimeCharacteristicRing, PrimeField64};
use p3_goldilocks::Goldilocks;
use p3_rescue::RpoGoldilocks;
use phalanx::Backend;
use phalanx::rescue::{Digest, Function, MerkleTree};
use std::hint::black_box;
use winter_crypto::hashers::{Rp64_256, RpJive64_256};
use winter_crypto::{ElementHasher, Hasher, build_merkle_nodes};
use winter_math::StarkField;
use winter_math::fields::f64::BaseElement;

/// States, inputs or pairs in a call of ours for many, and in a timed run of either side.
const RUN: usize = 64;

/// Leaves of the trees.
const LEAVES: usize = 1 << 16;

/// Trees take long enough for few samples.
const MAX_TREE_SAMPLES: usize = 5;

/// A digest of the peer's Rp64_256.
type TheirDigest = <Rp64_256 as Hasher>::Digest;

/// The same work on both sides: how many units it was. Panics if an answer is wrong.
struct Pair<'a> {
    operation: &'static str,
    peer: &'static str,
    version: &'static str,
    /// Items in a call of ours.
    n: usize,
    samples: usize,
    ours: Box<dyn Fn() -> usize + 'a>,
    theirs: Box<dyn Fn() -> usize + 'a>,
}

/// All rows of the system.
pub(crate) fn rows(samples: usize, backends: &[Backend]) -> Vec<Row> {
    let data = Data::new();
    let mut pairs = Vec::new();
    pairs.extend(permutations(&data, samples));
    pairs.extend(hashes(&data, samples));
    pairs.extend(merges(&data, samples));
    pairs.push(trees(&data, samples.min(MAX_TREE_SAMPLES)));
    let mut rows = Vec::new();
    for Pair { operation, peer, version, n, samples, ours, theirs } in pairs {
        for &backend in backends {
            let timed = backend.force(|| interleaved(samples, &ours, &theirs));
            let [ours, peer_value] = timed.expect("it is available");
            let peer_version = format!("{version}, {}", peer_build());
            rows.push(Row {
                operation,
                ours,
                peer,
                peer_version,
                peer_value,
                n: Some(n),
                profile: None,
                backend,
                more: More::default(),
            });
        }
    }
    rows
}

/// What everybody works on.
struct Data {
    /// [`RUN`] inputs of 128 words.
    words: Vec<u64>,
    elements: Vec<BaseElement>,
    leaves: Vec<Digest>,
    their_leaves: Vec<TheirDigest>,
}

impl Data {
    fn new() -> Self {
        let words = |count: usize| -> Vec<u64> {
            (1..=count as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
        };
        let inputs = words(RUN * 128);
        let leaves: Vec<Digest> =
            words(LEAVES * 4).as_chunks().0.iter().map(|&words| Digest::from_elements(words)).collect();
        Self {
            elements: inputs.iter().map(|&word| BaseElement::new(word)).collect(),
            words: inputs,
            their_leaves: leaves.iter().map(|leaf| their_digest(*leaf)).collect(),
            leaves,
        }
    }
}

fn their_digest(digest: Digest) -> TheirDigest {
    digest.to_elements().map(BaseElement::new).into()
}

fn words_of(elements: &[BaseElement]) -> Vec<u64> {
    elements.iter().map(StarkField::as_int).collect()
}

/// Our answers are asked for on every backend.
fn on_all(check: impl Fn()) {
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
        backend.force(&check).expect("it is available");
    }
}

const WINTER: (&str, &str) = ("winter-crypto", "0.13.1");
const PLONKY3: (&str, &str) = ("p3-rescue", "0.9.0-rc.2, scalar");

/// One state after the other, and [`RUN`] of ours together.
fn permutation<'a, S: Clone + 'a>(
    data: &'a Data,
    function: Function,
    operations: [&'static str; 2],
    (peer, version): (&'static str, &'static str),
    samples: usize,
    permute: impl Fn(&mut S) + Copy + 'a,
    (state, words): (impl Fn(&[u64]) -> S, impl Fn(&S) -> Vec<u64>),
) -> [Pair<'a>; 2] {
    let width = function.width();
    let states = &data.words[..RUN * width];
    let theirs: Vec<S> = states.chunks_exact(width).map(state).collect();
    let wanted: Vec<u64> = theirs
        .iter()
        .flat_map(|state| {
            let mut state = state.clone();
            permute(&mut state);
            words(&state)
        })
        .collect();
    on_all(|| {
        let mut ours = states.to_vec();
        function.permute(&mut ours).expect("whole states");
        assert_eq!(ours, wanted, "{}: {peer} disagrees", function.name());
    });
    let pair = |operation, n| {
        let theirs = theirs.clone();
        Pair {
            operation,
            peer,
            version,
            n,
            samples,
            ours: Box::new(move || {
                let mut states = black_box(states).to_vec();
                for states in states.chunks_exact_mut(n * width) {
                    function.permute(states).expect("whole states");
                }
                black_box(states).len() / width
            }),
            theirs: Box::new(move || {
                let mut states = black_box(&theirs).clone();
                states.iter_mut().for_each(permute);
                black_box(states).len()
            }),
        }
    };
    [pair(operations[0], 1), pair(operations[1], RUN)]
}

fn permutations(data: &Data, samples: usize) -> Vec<Pair<'_>> {
    let winter =
        |words: &[u64]| -> Vec<BaseElement> { words.iter().map(|&word| BaseElement::new(word)).collect() };
    let mut pairs = Vec::new();
    pairs.extend(permutation(
        data,
        Function::Rp64_256,
        ["rescue-rp64-256/permute", "rescue-rp64-256/permute-many"],
        WINTER,
        samples,
        Rp64_256::apply_permutation,
        (
            |words| -> [BaseElement; 12] { winter(words).try_into().expect("of the width") },
            |state| words_of(state),
        ),
    ));
    pairs.extend(permutation(
        data,
        Function::RpJive64_256,
        ["rescue-jive-256/permute", "rescue-jive-256/permute-many"],
        WINTER,
        samples,
        RpJive64_256::apply_permutation,
        (
            |words| -> [BaseElement; 8] { winter(words).try_into().expect("of the width") },
            |state| words_of(state),
        ),
    ));
    // It lives as long as the program: one for all rows.
    let rpo: &'static RpoGoldilocks = Box::leak(Box::new(RpoGoldilocks::from_standard_constants()));
    pairs.extend(permutation(
        data,
        Function::Rpo256,
        ["rpo-256/permute", "rpo-256/permute-many"],
        PLONKY3,
        samples,
        |state| p3_symmetric::Permutation::permute_mut(rpo, state),
        (
            |words| -> [Goldilocks; 12] { std::array::from_fn(|i| Goldilocks::from_u64(words[i])) },
            |state| state.iter().map(PrimeField64::as_canonical_u64).collect(),
        ),
    ));
    pairs
}

/// Elements: 8 are a block, 128 are 16.
fn hashes(data: &Data, samples: usize) -> Vec<Pair<'_>> {
    let mut pairs = Vec::new();
    for (length, alone, many) in [
        (8, "rescue-rp64-256/hash-8", "rescue-rp64-256/hash-many-8"),
        (128, "rescue-rp64-256/hash-128", "rescue-rp64-256/hash-many-128"),
    ] {
        let inputs: Vec<&[u64]> = data.words.chunks_exact(length).take(RUN).collect();
        let theirs: Vec<&[BaseElement]> = data.elements.chunks_exact(length).take(RUN).collect();
        on_all(|| {
            let digests = Function::Rp64_256.hash_elements_many(&inputs);
            for ((digest, ours), theirs) in digests.into_iter().zip(&inputs).zip(&theirs) {
                assert_eq!(digest, Function::Rp64_256.hash_elements(ours));
                assert_eq!(their_digest(digest), Rp64_256::hash_elements(theirs), "winter-crypto disagrees");
            }
        });
        for (operation, n) in [(alone, 1), (many, RUN)] {
            let (inputs, theirs) = (inputs.clone(), theirs.clone());
            // As many blocks whatever the length: a long run on a busy machine is interrupted where a short one is not.
            let count = RUN * 8 / length;
            let ours = move || {
                if n > 1 {
                    return black_box(Function::Rp64_256.hash_elements_many(black_box(&inputs))).len();
                }
                for input in &inputs[..count] {
                    black_box(Function::Rp64_256.hash_elements(black_box(input)));
                }
                count
            };
            let theirs = move || {
                for input in &theirs[..count] {
                    black_box(Rp64_256::hash_elements(black_box(input)));
                }
                count
            };
            let (peer, version) = WINTER;
            pairs.push(Pair {
                operation,
                peer,
                version,
                n,
                samples,
                ours: Box::new(ours),
                theirs: Box::new(theirs),
            });
        }
    }
    pairs
}

fn merges(data: &Data, samples: usize) -> Vec<Pair<'_>> {
    let pairs = &data.leaves.as_chunks::<2>().0[..RUN];
    let their_pairs = &data.their_leaves.as_chunks::<2>().0[..RUN];
    on_all(|| {
        let merged = Function::Rp64_256.merge_pairs(pairs);
        for (digest, pair) in merged.into_iter().zip(their_pairs) {
            assert_eq!(their_digest(digest), Rp64_256::merge(pair), "winter-crypto disagrees");
        }
    });
    let one_by_one = move || {
        for [left, right] in pairs {
            black_box(Function::Rp64_256.merge(black_box(left), right));
        }
        RUN
    };
    let together = move || black_box(Function::Rp64_256.merge_pairs(black_box(pairs))).len();
    let theirs = move || {
        for pair in their_pairs {
            black_box(Rp64_256::merge(black_box(pair)));
        }
        RUN
    };
    let (peer, version) = WINTER;
    let pair = |operation, n, ours: Box<dyn Fn() -> usize>| Pair {
        operation,
        peer,
        version,
        n,
        samples,
        ours,
        theirs: Box::new(theirs),
    };
    vec![
        pair("rescue-rp64-256/merge", 1, Box::new(one_by_one)),
        pair("rescue-rp64-256/merge-many", RUN, Box::new(together)),
    ]
}

/// A tree, for each leaf. The peer's is its own loop.
fn trees(data: &Data, samples: usize) -> Pair<'_> {
    let root = build_merkle_nodes::<Rp64_256>(&data.their_leaves)[1];
    let ours = move || {
        let tree =
            MerkleTree::new(Function::Rp64_256, black_box(&data.leaves).clone()).expect("a power of two");
        assert_eq!(their_digest(tree.root()), root, "winter-crypto disagrees");
        LEAVES
    };
    let theirs = || {
        black_box(build_merkle_nodes::<Rp64_256>(black_box(&data.their_leaves)));
        LEAVES
    };
    let (peer, version) = WINTER;
    Pair {
        operation: "rescue-rp64-256/merkle-per-leaf",
        peer,
        version,
        n: LEAVES,
        samples,
        ours: Box::new(ours),
        theirs: Box::new(theirs),
    }
}
