//! `poseidon1.primitives.json` and `poseidon2.primitives.json`.

use num_bigint::BigUint;
use phalanx_reference::hypercube::Hypercube;
use phalanx_reference::key::round_activation;
use phalanx_reference::rng::Rng;
use phalanx_reference::tweaks::{chain_tweak, epoch_encoding, message_encoding, tree_tweak};
use phalanx_reference::{Family, compress, field, permute};
use serde_json::Value;

use crate::json::{big, bytes32, coordinates, elements, int, list, load};

/// Both files hold the parts that do not depend on the permutation, drawn from different seeds.
fn files() -> [Value; 2] {
    ["poseidon1.primitives.json", "poseidon2.primitives.json"].map(load)
}

fn check_permutations(family: Family, file: &str) {
    let vectors = &load(file)["permutations"];
    for (key, width, compressed, k) in [("width16", 16, "compress8", 8), ("width24", 24, "compress15", 15)] {
        for case in list(vectors, key) {
            let input = elements(&case["in"]);
            assert_eq!(input.len(), width);
            let mut state = input.clone();
            permute(family, &mut state);
            assert_eq!(state, elements(&case["out"]));
            assert_eq!(compress(family, width, &input, k), elements(&case[compressed]));
        }
    }
}

#[test]
fn poseidon1_permutations() {
    check_permutations(Family::Poseidon1, "poseidon1.primitives.json");
}

#[test]
fn poseidon2_permutations() {
    check_permutations(Family::Poseidon2, "poseidon2.primitives.json");
}

#[test]
fn montgomery_forms() {
    for vectors in files() {
        assert_eq!(int::<u32>(&vectors["field_and_rng"], "modulus"), field::P);
        for case in list(&vectors["field_and_rng"], "montgomery") {
            let (canonical, montgomery) = (int(case, "canonical"), int(case, "serde_u32"));
            assert_eq!(field::to_montgomery(canonical), montgomery);
            assert_eq!(field::from_montgomery(montgomery), canonical);
        }
    }
}

#[test]
fn seeded_randomness() {
    for vectors in files() {
        for case in list(&vectors["field_and_rng"], "std_rng_from_seed") {
            let rng = Rng::from_seed(&bytes32(case, "seed"));
            let expected = elements(&case["next_u32_first_40"]);
            assert_eq!(words(rng.clone(), expected.len()), expected);
            let expected = elements(&case["first_24_random_field_elements_canonical"]);
            assert_eq!(rng.clone().elements(expected.len()), expected);
        }
        for case in list(&vectors["field_and_rng"], "std_rng_seed_from_u64") {
            let expected = elements(&case["next_u32_first_4"]);
            assert_eq!(words(Rng::seed_from_u64(int(case, "seed_u64")), expected.len()), expected);
        }
    }
}

fn words(mut rng: Rng, count: usize) -> Vec<u32> {
    (0..count).map(|_| rng.next_u32()).collect()
}

#[test]
fn tweaks() {
    for vectors in files() {
        let tweaks = &vectors["tweaks"];
        for case in list(tweaks, "tree_tweak") {
            let tweak = tree_tweak(int(case, "level"), int(case, "pos_in_level"));
            assert_eq!(tweak, elements(&case["fe"]));
        }
        for case in list(tweaks, "chain_tweak") {
            let tweak = chain_tweak(int(case, "epoch"), int(case, "chain_index"), int(case, "pos_in_chain"));
            assert_eq!(tweak, elements(&case["fe"]));
        }
        for case in list(tweaks, "epoch_encoding") {
            assert_eq!(epoch_encoding(int(case, "epoch")), elements(&case["fe"]));
        }
        for case in list(tweaks, "message_encoding") {
            assert_eq!(message_encoding(&bytes32(case, "message")), elements(&case["fe"]));
        }
    }
}

#[test]
fn activation_rounding() {
    for vectors in files() {
        for case in list(&vectors, "activation_rounding") {
            let (start, count) = (int(case, "activation_epoch"), int(case, "num_active_epochs"));
            let trees = round_activation(int(case, "log_lifetime"), start, count);
            assert_eq!(trees, Some(int(case, "first_bottom_tree")..int(case, "end_bottom_tree")), "{case}");
        }
    }
}

#[test]
fn hypercube_layer_sizes() {
    let vectors = &load("poseidon2.primitives.json")["hypercube"];
    for case in list(vectors, "layer_sizes") {
        let expected: Vec<BigUint> =
            list(case, "layer_sizes").iter().map(|size| size.as_str().unwrap().parse().unwrap()).collect();
        assert_eq!(cube(case).layer_sizes(), expected);
    }
    for case in list(vectors, "part_sizes") {
        assert_eq!(cube(case).part_size(int(case, "layers_0_to")), big(case, "total"));
    }
}

#[test]
fn hypercube_vertices() {
    let vectors = &load("poseidon2.primitives.json")["hypercube"];
    for case in list(vectors, "map_to_vertex") {
        let (cube, layer) = (cube(case), int(case, "layer"));
        assert_eq!(cube.layer_sizes()[layer], big(case, "layer_size"));
        for row in list(case, "rows") {
            assert_eq!(cube.vertex(layer, &big(row, "index")), coordinates(&row["vertex"]));
        }
    }
    // Counting through the whole cube also shows that numbers fall into the right layers.
    let cube = Hypercube::new(3, 3);
    let mut n = BigUint::ZERO;
    for case in list(vectors, "complete_enumeration_base3_dim3") {
        for expected in list(case, "vertices_in_order") {
            let (layer, offset) = cube.find_layer(&n);
            assert_eq!(layer, int::<usize>(case, "layer"));
            assert_eq!(cube.vertex(layer, &offset), coordinates(expected));
            n += 1u32;
        }
    }
    assert_eq!(n, BigUint::from(27u32));
}

fn cube(case: &Value) -> Hypercube {
    Hypercube::new(int(case, "dimension"), int(case, "base"))
}
