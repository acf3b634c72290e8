//! `PROFILE.intermediate.json`: every stage of one parameter set.

use crate::json::{Decimal, Hex, Object, from_digits};
use crate::report::{Check, Recorder, in_every_lane, same};
use phalanx::xmss::ParameterSet;
use phalanx::xmss::hazmat::{self, ChainWalk, MessageInput, TreeLayer};
use serde::Deserialize;
use serde_json::Value;

/// Runs the file of `set`.
pub(crate) fn run(recorder: &mut Recorder<'_>, set: ParameterSet, file: Value) {
    let Some(mut file) = Object::new(recorder, "", file) else { return };
    file.known(recorder, "profile", set.profile());
    if let Some(params) = file.object(recorder, "params") {
        parameters(recorder, set, params);
    }
    if let Some(capacity) = file.required(recorder, "sponge_capacity") {
        recorder.cases("sponge_capacity", &[capacity], |case: &Capacity| {
            same("lengths", [5, 2, set.chains(), set.hash_len()], case.lengths)?;
            same("capacity", hazmat::sponge_capacity(set), case.capacity)
        });
    }
    file.cases(recorder, "prf_domain_element", |case| prf_domain_element(set, case));
    file.cases(recorder, "prf_randomness", |case| prf_randomness(set, case));
    file.cases(recorder, "seeded_rng", |case| seeded_rng(set, case));
    file.cases(recorder, "chain_step", |case| chain_step(set, case));
    file.cases(recorder, "chain_walk", |case| chain_walk(set, case));
    file.cases(recorder, "tree_merge", |case| tree_merge(set, case));
    file.cases(recorder, "leaf_sponge", |case| leaf_sponge(set, case));
    file.cases(recorder, "one_time_key", |case| one_time_key(set, case));
    file.cases(recorder, "sparse_subtree", |case| sparse_subtree(set, case));
    file.cases(recorder, "message_hash", |case| message_hash(set, case));
    file.cases(recorder, "encoding_search", |case| encoding_search(set, case));
    file.finish(recorder);
}

fn parameters(recorder: &mut Recorder<'_>, set: ParameterSet, mut params: Object) {
    for (key, wanted) in [
        ("base", u64::from(set.base())),
        ("dimension", set.chains() as u64),
        ("hash_len", set.hash_len() as u64),
        ("log_lifetime", u64::from(set.lifetime().ilog2())),
        ("parameter_len", 5),
        ("rand_len", set.randomness_len() as u64),
    ] {
        params.known(recorder, key, wanted);
    }
    params.finish(recorder);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Capacity {
    lengths: [usize; 4],
    capacity: [u32; 9],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DomainElement {
    key: Hex<32>,
    epoch: u32,
    index: Decimal<1>,
    out: Vec<u32>,
}

fn prf_domain_element(set: ParameterSet, case: &DomainElement) -> Check {
    let (key, epoch, index) = (&case.key.0, case.epoch, case.index.0[0]);
    same("element", &hazmat::prf_chain_start(set, key, epoch, index), &case.out)?;
    // Real chains have one-byte indices and go through the lanes.
    let Ok(chain) = u8::try_from(index) else { return Ok(()) };
    in_every_lane("chain start", &(epoch, chain), &(epoch ^ 1, chain ^ 1), &case.out, |at| {
        hazmat::chain_starts(set, key, at)
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PrfRandomness {
    key: Hex<32>,
    epoch: u32,
    message: Hex<32>,
    counter: Decimal<1>,
    out: Vec<u32>,
}

fn prf_randomness(set: ParameterSet, case: &PrfRandomness) -> Check {
    let (key, message, counter) = (&case.key.0, &case.message.0, case.counter.0[0]);
    same("randomness", &hazmat::prf_randomness(set, key, case.epoch, message, counter), &case.out)?;
    // Signing tries counters through the lanes: the one asked for at every place a group can have it.
    let Ok(counter) = u32::try_from(counter) else { return Ok(()) };
    for before in 0..=counter.min(16) {
        let place = usize::try_from(before).expect("at most 16");
        let count = if counter.checked_add(1).is_some() { place + 2 } else { place + 1 };
        let first = counter - before;
        let candidates = hazmat::randomness_candidates(set, key, case.epoch, message, first, count);
        same(&format!("candidate {place} from counter {first} on"), &candidates[place], &case.out)?;
    }
    Ok(())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeededRng {
    seed: Hex<32>,
    parameter: [u32; 5],
    prf_key: Hex<32>,
    next_padding_nodes: Vec<Vec<u32>>,
}

fn seeded_rng(set: ParameterSet, case: &SeededRng) -> Check {
    let wanted = (case.parameter, case.prf_key.0, &case.next_padding_nodes);
    let (parameter, prf_key, nodes) = hazmat::draw_key_material(set, &case.seed.0, wanted.2.len());
    same("parameter", parameter, wanted.0)?;
    same("PRF key", prf_key, wanted.1)?;
    same("padding nodes", &nodes, wanted.2)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChainStep {
    parameter: [u32; 5],
    epoch: u32,
    chain_index: u8,
    pos_in_chain: u8,
    input: Vec<u32>,
    out: Vec<u32>,
}

fn chain_step(set: ParameterSet, case: &ChainStep) -> Check {
    let position = case.pos_in_chain.checked_sub(1).ok_or("a step produces position 1 or later")?;
    let (parameter, value) = (case.parameter, case.input.clone());
    let item = ChainWalk { parameter, epoch: case.epoch, chain: case.chain_index, position, steps: 1, value };
    walk(set, item, &case.out)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChainWalkCase {
    parameter: [u32; 5],
    epoch: u32,
    chain_index: u8,
    start_pos: u8,
    steps: u8,
    start: Vec<u32>,
    end: Vec<u32>,
}

fn chain_walk(set: ParameterSet, case: &ChainWalkCase) -> Check {
    let item = ChainWalk {
        parameter: case.parameter,
        epoch: case.epoch,
        chain: case.chain_index,
        position: case.start_pos,
        steps: case.steps,
        value: case.start.clone(),
    };
    walk(set, item, &case.end)
}

/// Walks `item` in every lane, beside chains of other keys, epochs and lengths.
fn walk(set: ParameterSet, item: ChainWalk, end: &Vec<u32>) -> Check {
    let mut other = item.clone();
    other.parameter[0] ^= 1;
    other.epoch ^= 3;
    (other.position, other.steps) = (0, item.steps / 2 + 1);
    in_every_lane("value", &item, &other, end, |walks| {
        let mut walks = walks.to_vec();
        hazmat::walk_chains(set, &mut walks);
        walks.into_iter().map(|walk| walk.value).collect()
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TreeMerge {
    parameter: [u32; 5],
    level: u8,
    pos_in_level: u32,
    left: Vec<u32>,
    right: Vec<u32>,
    out: Vec<u32>,
}

fn tree_merge(set: ParameterSet, case: &TreeMerge) -> Check {
    let position = u64::from(case.pos_in_level);
    // The node at every place of a run of nodes, and at its end.
    for before in 0..=position.min(16) {
        let place = usize::try_from(before).expect("at most 16");
        let after = usize::from(position < u64::from(u32::MAX));
        let mut children = vec![case.right.clone(); 2 * (place + 1 + after)];
        children[2 * place].clone_from(&case.left);
        let nodes = hazmat::tree_nodes(set, &case.parameter, case.level, position - before, &children);
        same(&format!("node {place} of {}", place + 1 + after), &nodes[place], &case.out)?;
    }
    Ok(())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeafSponge {
    parameter: [u32; 5],
    position: u32,
    chain_ends: Vec<Vec<u32>>,
    leaf: Vec<u32>,
}

fn leaf_sponge(set: ParameterSet, case: &LeafSponge) -> Check {
    same("chain ends", case.chain_ends.len(), set.chains())?;
    let reversed: Vec<Vec<u32>> = case.chain_ends.iter().rev().cloned().collect();
    let item = (case.position, &case.chain_ends[..]);
    let other = (case.position ^ 1, &reversed[..]);
    in_every_lane("leaf", &item, &other, &case.leaf, |items| {
        hazmat::leaf_sponges(set, &case.parameter, items)
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OneTimeKeyCase {
    prf_key: Hex<32>,
    parameter: [u32; 5],
    epoch: u32,
    chain_starts: Vec<Vec<u32>>,
    chain_ends: Vec<Vec<u32>>,
    leaf: Vec<u32>,
}

fn one_time_key(set: ParameterSet, case: &OneTimeKeyCase) -> Check {
    let (prf_key, parameter) = (&case.prf_key.0, &case.parameter);
    let key = hazmat::one_time_key(set, prf_key, parameter, case.epoch);
    same("chain starts", &key.starts, &case.chain_starts)?;
    same("chain ends", &key.ends, &case.chain_ends)?;
    same("leaf", &key.leaf, &case.leaf)?;
    // The leaf at the last place of groups of every size, as key generation computes them.
    for before in [1, 7, 8, 15, 16].into_iter().filter(|&before| before <= case.epoch) {
        let place = usize::try_from(before).expect("at most 16");
        let leaves = hazmat::leaves(set, prf_key, parameter, case.epoch - before, place + 1);
        same(&format!("leaf {place} of {}", place + 1), &leaves[place], &case.leaf)?;
    }
    Ok(())
}

/// Consecutive nodes, as files write them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Layer {
    start_index: u64,
    nodes: Vec<Vec<u32>>,
}

/// Compares the layers of a tree.
pub(crate) fn same_layers(got: &[TreeLayer], wanted: &[Layer]) -> Check {
    same("layers", got.len(), wanted.len())?;
    for (i, (got, wanted)) in got.iter().zip(wanted).enumerate() {
        same(&format!("start of layer {i}"), got.start, wanted.start_index)?;
        same(&format!("nodes of layer {i}"), &got.nodes, &wanted.nodes)?;
    }
    Ok(())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SparseSubtree {
    parameter: [u32; 5],
    depth: u8,
    lowest_layer: u8,
    start_index: u64,
    nodes: Vec<Vec<u32>>,
    padding_rng_seed: Hex<32>,
    layers: Vec<Layer>,
    root: Vec<u32>,
}

fn sparse_subtree(set: ParameterSet, case: &SparseSubtree) -> Check {
    let SparseSubtree { parameter, depth, lowest_layer, start_index, nodes, padding_rng_seed, .. } = case;
    let layers = hazmat::sparse_subtree(
        set,
        parameter,
        *depth,
        *lowest_layer,
        *start_index,
        nodes,
        &padding_rng_seed.0,
    );
    same_layers(&layers, &case.layers)?;
    same("root", layers.last().and_then(|layer| layer.nodes.first()), Some(&case.root))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MessageHashCase {
    parameter: [u32; 5],
    epoch: u32,
    message: Hex<32>,
    rho: Vec<u32>,
    poseidon_output: Vec<u32>,
    accepted: bool,
    // Null where an encoding aborts.
    chunks: Option<Vec<u8>>,
    sum: Option<u32>,
    // Only for encodings into top layers.
    integer: Option<Decimal<8>>,
    reduced: Option<Decimal<3>>,
    domain_size: Option<Decimal<4>>,
    layer: Option<usize>,
    offset_in_layer: Option<Decimal<3>>,
}

fn message_hash(set: ParameterSet, case: &MessageHashCase) -> Check {
    let item = MessageInput {
        parameter: case.parameter,
        epoch: case.epoch,
        message: case.message.0,
        randomness: case.rho.clone(),
    };
    same("length of rho", item.randomness.len(), set.randomness_len())?;
    let hash = hazmat::message_hashes(set, std::slice::from_ref(&item)).remove(0);
    let words = if hash.top_layers.is_some() { &hash.words[..] } else { &hash.words[..8] };
    same("hash", words, &case.poseidon_output[..])?;
    same("vertex", hash.vertex.as_ref(), case.chunks.as_ref())?;
    let sum = hash.vertex.as_ref().map(|vertex| vertex.iter().map(|&x| u32::from(x)).sum());
    same("sum", sum, case.sum)?;
    same("codeword", hash.codeword.as_ref(), case.chunks.as_ref().filter(|_| case.accepted))?;
    let top = hash.top_layers;
    same("integer", top.and_then(|_| from_digits(words)), case.integer.map(|x| x.0))?;
    same("reduced integer", top.map(|top| top.reduced), case.reduced.map(|x| x.0))?;
    same("layer", top.map(|top| top.layer), case.layer)?;
    same("offset in the layer", top.map(|top| top.offset), case.offset_in_layer.map(|x| x.0))?;
    same("domain size", hazmat::domain_size(set), case.domain_size.map(|x| x.0))?;

    let mut other = item.clone();
    other.parameter[4] ^= 1;
    other.epoch ^= 1;
    other.message[31] ^= 1;
    in_every_lane("message hash", &item, &other, &hash, |inputs| hazmat::message_hashes(set, inputs))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EncodingSearch {
    prf_key: Hex<32>,
    parameter: [u32; 5],
    epoch: u32,
    message: Hex<32>,
    successful_counter: u32,
    rho: Vec<u32>,
    codeword: Vec<u8>,
}

fn encoding_search(set: ParameterSet, case: &EncodingSearch) -> Check {
    let found = hazmat::find_encoding(set, &case.prf_key.0, &case.parameter, case.epoch, &case.message.0);
    let found = found.ok_or("no encoding was found")?;
    same("counter", found.counter, case.successful_counter)?;
    same("rho", &found.randomness, &case.rho)?;
    same("codeword", &found.codeword, &case.codeword)?;
    same("sum", found.codeword.iter().map(|&x| u16::from(x)).sum::<u16>(), hazmat::target_sum(set))
}
