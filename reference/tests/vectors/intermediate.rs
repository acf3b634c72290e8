//! `PROFILE.intermediate.json`: every stage of the scheme on its own.

use phalanx_reference::chain::{chain_ends, chain_step};
use phalanx_reference::params::{CAPACITY, PARAMETER_LEN, Params, TWEAK_LEN};
use phalanx_reference::rng::Rng;
use phalanx_reference::tree::{Layer, padded_tree, sponge_capacity};
use phalanx_reference::{
    chain_walk, leaf, message_hash, message_hash_encode, node, prf_chain_start, prf_randomness, search,
};
use serde_json::Value;

use crate::json::{
    big, bytes32, coordinates, digests, elements, flag, for_each_profile, int, ints, list, load, params, text,
};

for_each_profile! { check:
    p2_top_l8_d64b8 = "p2-top-l8-d64b8",
    p2_top_l18_d64b8 = "p2-top-l18-d64b8",
    p2_top_l32_d64b8 = "p2-top-l32-d64b8",
    p2_top_l32_d48b10 = "p2-top-l32-d48b10",
    p2_top_l32_d32b26 = "p2-top-l32-d32b26",
    p1_abort_l32_d46b8 = "p1-abort-l32-d46b8",
    p1_abort_l8_d4b8_test = "p1-abort-l8-d4b8-test",
}

fn check(profile: &str) {
    let vectors = load(&format!("{profile}.intermediate.json"));
    let params = params(profile);
    assert_eq!(text(&vectors, "profile"), profile);
    check_params(params, &vectors["params"]);
    check_prf(params, &vectors);
    check_seeded_rng(params, &vectors);
    check_chains(params, &vectors);
    check_hashes(params, &vectors);
    check_one_time_keys(params, &vectors);
    check_padded_trees(params, &vectors);
    check_message_hash(params, &vectors);
    check_search(params, &vectors);
}

fn check_params(params: &Params, expected: &Value) {
    assert_eq!(params.base, int::<u8>(expected, "base"));
    assert_eq!(params.chains, int::<u8>(expected, "dimension"));
    assert_eq!(params.hash_len, int::<usize>(expected, "hash_len"));
    assert_eq!(params.rand_len, int::<usize>(expected, "rand_len"));
    assert_eq!(params.log_lifetime, int::<u8>(expected, "log_lifetime"));
    assert_eq!(PARAMETER_LEN, int::<usize>(expected, "parameter_len"));
}

fn check_prf(params: &Params, vectors: &Value) {
    for case in list(vectors, "prf_domain_element") {
        let start = prf_chain_start(params, &bytes32(case, "key"), int(case, "epoch"), int(case, "index"));
        assert_eq!(start, elements(&case["out"]));
    }
    for case in list(vectors, "prf_randomness") {
        let (key, message) = (bytes32(case, "key"), bytes32(case, "message"));
        let rho = prf_randomness(params, &key, int(case, "epoch"), &message, int(case, "counter"));
        assert_eq!(rho, elements(&case["out"]));
    }
}

fn check_seeded_rng(params: &Params, vectors: &Value) {
    for case in list(vectors, "seeded_rng") {
        let mut rng = Rng::from_seed(&bytes32(case, "seed"));
        assert_eq!(rng.elements(PARAMETER_LEN), elements(&case["parameter"]));
        assert_eq!(rng.bytes32(), bytes32(case, "prf_key"));
        for expected in list(case, "next_padding_nodes") {
            assert_eq!(rng.elements(params.hash_len), elements(expected));
        }
    }
}

fn check_chains(params: &Params, vectors: &Value) {
    for case in list(vectors, "chain_step") {
        let (parameter, input) = (elements(&case["parameter"]), elements(&case["input"]));
        let (epoch, chain, pos) = (int(case, "epoch"), int(case, "chain_index"), int(case, "pos_in_chain"));
        assert_eq!(chain_step(params, &parameter, epoch, chain, pos, &input), elements(&case["out"]));
    }
    for case in list(vectors, "chain_walk") {
        let (parameter, start) = (elements(&case["parameter"]), elements(&case["start"]));
        let (epoch, chain) = (int(case, "epoch"), int(case, "chain_index"));
        let (start_pos, steps) = (int(case, "start_pos"), int(case, "steps"));
        let end = chain_walk(params, &parameter, epoch, chain, start_pos, steps, &start);
        assert_eq!(end, elements(&case["end"]));
    }
}

fn check_hashes(params: &Params, vectors: &Value) {
    for case in list(vectors, "tree_merge") {
        let [parameter, left, right] = ["parameter", "left", "right"].map(|key| elements(&case[key]));
        let (level, pos) = (int(case, "level"), int(case, "pos_in_level"));
        assert_eq!(node(params, &parameter, level, pos, &left, &right), elements(&case["out"]));
    }
    let case = &vectors["sponge_capacity"];
    let lengths: Vec<usize> = ints(&case["lengths"]);
    assert_eq!(lengths, [PARAMETER_LEN, TWEAK_LEN, params.chains.into(), params.hash_len]);
    assert_eq!(sponge_capacity(params), elements(&case["capacity"]));
    assert_eq!(sponge_capacity(params).len(), CAPACITY);
    for case in list(vectors, "leaf_sponge") {
        let (parameter, ends) = (elements(&case["parameter"]), digests(&case["chain_ends"]));
        assert_eq!(leaf(params, &parameter, int(case, "position"), &ends), elements(&case["leaf"]));
    }
}

fn check_one_time_keys(params: &Params, vectors: &Value) {
    for case in list(vectors, "one_time_key") {
        let (key, parameter) = (bytes32(case, "prf_key"), elements(&case["parameter"]));
        let epoch = int(case, "epoch");
        let starts: Vec<_> =
            (0..params.chains).map(|i| prf_chain_start(params, &key, epoch, u64::from(i))).collect();
        assert_eq!(starts, digests(&case["chain_starts"]));
        let ends = chain_ends(params, &key, &parameter, epoch);
        assert_eq!(ends, digests(&case["chain_ends"]));
        assert_eq!(leaf(params, &parameter, epoch, &ends), elements(&case["leaf"]));
    }
}

fn check_padded_trees(params: &Params, vectors: &Value) {
    for case in list(vectors, "sparse_subtree") {
        let mut rng = Rng::from_seed(&bytes32(case, "padding_rng_seed"));
        let parameter = elements(&case["parameter"]);
        let nodes = Layer { start: int(case, "start_index"), nodes: digests(&case["nodes"]) };
        let (depth, lowest) = (int(case, "depth"), int(case, "lowest_layer"));
        let tree = padded_tree(params, &parameter, depth, lowest, nodes, &mut rng);
        let expected: Vec<Layer> = list(case, "layers")
            .iter()
            .map(|layer| Layer { start: int(layer, "start_index"), nodes: digests(&layer["nodes"]) })
            .collect();
        assert_eq!(tree.layers, expected);
        assert_eq!(tree.root(), elements(&case["root"]));
    }
}

fn check_message_hash(params: &Params, vectors: &Value) {
    for case in list(vectors, "message_hash") {
        let (parameter, rho) = (elements(&case["parameter"]), elements(&case["rho"]));
        let (epoch, message) = (int(case, "epoch"), bytes32(case, "message"));
        let hash = message_hash(params, &parameter, epoch, &rho, &message);
        assert_eq!(hash.words, elements(&case["poseidon_output"]));
        assert_eq!(hash.chunks, Some(coordinates(&case["chunks"])));
        assert_eq!(hash.accepted, flag(case, "accepted"));
        assert_eq!(hash.accepted, params.target_sum == int::<u16>(case, "sum"));
        if let Some(top_layers) = hash.top_layers {
            assert_eq!(top_layers.integer, big(case, "integer"));
            assert_eq!(top_layers.reduced, big(case, "reduced"));
            assert_eq!(top_layers.layer, int::<usize>(case, "layer"));
            assert_eq!(top_layers.offset, big(case, "offset_in_layer"));
            assert_eq!(params.chains, u8::try_from(hash.chunks.unwrap().len()).unwrap());
        }
    }
}

fn check_search(params: &Params, vectors: &Value) {
    for case in list(vectors, "encoding_search") {
        let (key, parameter) = (bytes32(case, "prf_key"), elements(&case["parameter"]));
        let (epoch, message) = (int(case, "epoch"), bytes32(case, "message"));
        let found =
            search(params, &key, &parameter, epoch, &message).expect("the reference found a codeword");
        assert_eq!(found.counter, int::<u64>(case, "successful_counter"));
        assert_eq!(found.rho, elements(&case["rho"]));
        let codeword = coordinates(&case["codeword"]);
        assert_eq!(found.codeword, codeword);
        assert_eq!(message_hash_encode(params, &parameter, epoch, &found.rho, &message), Some(codeword));
    }
}
