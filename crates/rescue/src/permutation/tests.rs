//! The permutations against the vectors, on every backend.

use super::*;
use crate::goldilocks::P;
use phalanx_core::simd::Backend;
use phalanx_testing::Random;
use serde_json::Value;
use std::vec::Vec;
use std::{format, fs};

fn load(name: &str) -> Value {
    let path = format!("{}/../../vectors/rescue/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&fs::read_to_string(path).expect("vector file")).expect("JSON")
}

fn words(value: &Value) -> Vec<u64> {
    let word = |value: &Value| value.as_str().expect("a decimal string").parse().expect("a u64");
    value.as_array().expect("a list").iter().map(word).collect()
}

#[test]
fn vectors() {
    for isa in phalanx_testing::isas() {
        let backend = isa.backend();
        for (permutation, file) in
            Permutation::ALL.into_iter().zip(["rp64_256", "rp64_256_jive", "rpo256", "rpx256"])
        {
            let vectors = load(&format!("{file}.json"));
            let cases = vectors["permutation"].as_array().expect("cases");
            assert!(!cases.is_empty());
            let mut states: Vec<_> = cases.iter().flat_map(|case| words(&case["in"])).collect();
            let mut secret = states.clone();
            let wanted: Vec<_> = cases.iter().flat_map(|case| words(&case["out"])).collect();
            permute_many(isa, permutation, &mut states);
            assert!(states == wanted, "{permutation:?} on {}", backend.name());
            secret.chunks_exact_mut(permutation.width()).for_each(|state| permute_secret(permutation, state));
            assert!(secret == wanted, "{permutation:?} for secrets");
        }
    }
}

/// Words at which a carry or a borrow decides, and their neighbours.
const EDGES: [u64; 16] = [
    0,
    1,
    2,
    P - 1,
    P,
    P + 1,
    (1 << 32) - 1,
    1 << 32,
    1 << 48,
    (1 << 52) - 1,
    1 << 52,
    1 << 63,
    0u64.wrapping_sub(1 << 33) + 1,
    0u64.wrapping_sub(1 << 32),
    u64::MAX - 1,
    u64::MAX,
];

fn edge(random: &mut Random) -> u64 {
    EDGES[random.below(EDGES.len())]
}

/// The instruction sets of this CPU other than portable.
fn vector_sets() -> impl Iterator<Item = (Backend, Isa)> {
    phalanx_testing::isas()
        .map(|isa| (isa.backend(), isa))
        .filter(|(backend, _)| *backend != Backend::Portable)
}

/// Every backend, and the scalar code for secrets, must do to `states` what the portable one does.
fn assert_same(permutation: Permutation, states: &[u64]) {
    let mut wanted = states.to_vec();
    permute_many(Isa::PORTABLE, permutation, &mut wanted);
    assert!(wanted.iter().all(|&word| word < P), "{permutation:?}: not canonical");
    let mut secret = states.to_vec();
    permute_secret(permutation, &mut secret);
    assert!(secret == wanted, "{permutation:?} for secrets");
    for (backend, isa) in vector_sets() {
        let mut got = states.to_vec();
        permute_many(isa, permutation, &mut got);
        let differ = got.iter().zip(&wanted).position(|(a, b)| a != b);
        assert_eq!(differ.map(|at| at / permutation.width()), None, "{permutation:?} on {}", backend.name());
    }
}

/// States of one edge value, mixtures of edge values, and edge values strewn over random words.
fn edge_states(permutation: Permutation, random: &mut Random, mixtures: usize) -> Vec<u64> {
    let width = permutation.width();
    let mut states: Vec<u64> = EDGES.iter().flat_map(|&edge| std::iter::repeat_n(edge, width)).collect();
    states.extend((0..mixtures * width).map(|_| edge(random)));
    for density in [2, 4, 12] {
        let word = |random: &mut Random| {
            if random.u64().is_multiple_of(density) { edge(random) } else { random.u64() }
        };
        states.extend((0..mixtures * width).map(|_| word(random)));
    }
    states
}

#[test]
fn edge_values_on_every_backend() {
    let mut random = Random::from_seed(1);
    for permutation in Permutation::ALL {
        let states = edge_states(permutation, &mut random, 1000);
        assert_same(permutation, &states);
        // Lane by lane the same: neighbours must not matter.
        for state in states.chunks_exact(permutation.width()).take(64) {
            assert_same(permutation, state);
        }
    }
}

#[test]
fn every_count_on_every_backend() {
    let mut random = Random::from_seed(2);
    for permutation in Permutation::ALL {
        for count in 0..=33 {
            let states: Vec<u64> = (0..count * permutation.width()).map(|_| random.u64()).collect();
            assert_same(permutation, &states);
            let states: Vec<u64> = (0..count * permutation.width()).map(|_| edge(&mut random)).collect();
            assert_same(permutation, &states);
        }
    }
}

/// A batch of which one lane alone meets a borrow.
#[test]
fn one_edge_among_random_states() {
    let mut random = Random::from_seed(3);
    for permutation in Permutation::ALL {
        let width = permutation.width();
        for at in 0..20 * width {
            let mut states: Vec<u64> = (0..20 * width).map(|_| random.u64()).collect();
            states[at] = 1 << 48;
            assert_same(permutation, &states);
        }
    }
}

#[test]
#[ignore = "long: a million states of each permutation on every backend, a minute and a half"]
fn a_million_states_on_every_backend() {
    let mut random = Random::from_seed(4);
    for permutation in Permutation::ALL {
        for _ in 0..1000 {
            let states: Vec<u64> = (0..1000 * permutation.width()).map(|_| random.u64()).collect();
            assert_same(permutation, &states);
        }
    }
}

#[test]
fn constants_are_those_of_the_references() {
    let file = load("constants.json");
    let flat =
        |value: &Value| -> Vec<u64> { value.as_array().expect("rows").iter().flat_map(words).collect() };
    let same =
        |name: &str, half: &str, ours: Vec<u64>| assert_eq!(flat(&file[name][half]), ours, "{name} {half}");
    for (index, half) in ["ark1", "ark2"].into_iter().enumerate() {
        same("rp64_256", half, constants::RP64.iter().flat_map(|round| round[index]).collect());
        same("rp64_256_jive", half, constants::JIVE.iter().flat_map(|round| round[index]).collect());
        same("rpo256", half, constants::RPO.iter().flat_map(|round| round[index]).collect());
    }
}
