//! Leaves, nodes and trees (spec sections 7 and 9).

use super::values::{digest, family, secret, words};
use crate::digest::Digest;
use crate::error::Error;
use crate::family::Family;
use crate::family::Poseidon;
use crate::fields::koala_bear::KoalaBear;
use crate::hashes::poseidon::{Engine, with_engine};
use crate::padding::Padding;
use crate::parameters::ParameterSet;
use crate::tree;
use alloc::vec::Vec;
use chacha20::ChaCha12Rng;
use core::ops::ControlFlow;
use phalanx_core::simd::Isa;
use phalanx_core::subtree::{Layer, Subtree};
use phalanx_core::threads::Pool;
use rand_core::SeedableRng;

/// Consecutive nodes of one level of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeLayer {
    /// Position of the first node in its level.
    pub start: u64,
    /// The nodes.
    pub nodes: Vec<Vec<u32>>,
}

/// The layers of a tree, in canonical words.
pub(super) fn layers_of(set: ParameterSet, tree: &Subtree<Digest>) -> Vec<TreeLayer> {
    let nodes = |nodes: &[Digest]| nodes.iter().map(|node| words(node, set.hash_len())).collect();
    tree.layers.iter().map(|layer| TreeLayer { start: layer.start, nodes: nodes(&layer.nodes) }).collect()
}

/// The value that the leaf sponge of `set` starts from.
#[must_use]
pub fn sponge_capacity(set: ParameterSet) -> [u32; 9] {
    family(set).capacity().map(KoalaBear::canonical)
}

/// The leaf of each (epoch, chain ends) pair, all of one parameter, in lanes as verification computes them.
#[must_use]
pub fn leaf_sponges(set: ParameterSet, parameter: &[u32; 5], items: &[(u32, &[Vec<u32>])]) -> Vec<Vec<u32>> {
    fn run<E: Engine>(
        family: &Poseidon,
        engine: E,
        parameter: &Digest,
        items: &[(u32, Vec<Digest>)],
        out: &mut [Digest],
    ) {
        let lanes = family.lanes(engine);
        let parameter = lanes.splat_words(&parameter.0);
        for (group, out) in items.chunks(E::LANES).zip(out.chunks_mut(E::LANES)) {
            let of_lane = |lane: usize| &group[lane.min(group.len() - 1)];
            let mut sponge =
                family.leaf_sponge(&lanes, &parameter, &core::array::from_fn(|lane| of_lane(lane).0));
            for chain in 0..group[0].1.len() {
                let end: [E::Word; 8] = lanes.load_words(|lane| &of_lane(lane).1[chain].0);
                sponge.absorb(&end[..lanes.hash_len]);
            }
            lanes.store_hashes(&sponge.finish(), out);
        }
    }
    let parameter = digest(parameter);
    let items: Vec<(u32, Vec<Digest>)> =
        items.iter().map(|(epoch, ends)| (*epoch, ends.iter().map(|end| digest(end)).collect())).collect();
    let mut out = alloc::vec![Digest::default(); items.len()];
    with_engine!(Isa::current(), engine => run(family(set), engine, &parameter, &items, &mut out));
    out.iter().map(|leaf| words(leaf, set.hash_len())).collect()
}

/// The leaves of `count` epochs from `first` on, as key generation computes them.
#[must_use]
pub fn leaves(
    set: ParameterSet,
    prf_key: &[u8; 32],
    parameter: &[u32; 5],
    first: u32,
    count: usize,
) -> Vec<Vec<u32>> {
    let mut out = alloc::vec![Digest::default(); count];
    family(set).leaves(Isa::current(), &digest(parameter), &secret(prf_key), first, &mut out);
    out.iter().map(|leaf| words(leaf, set.hash_len())).collect()
}

/// Nodes of tree level `level >= 1` from position `first` on, each from two of `children`.
#[must_use]
pub fn tree_nodes(
    set: ParameterSet,
    parameter: &[u32; 5],
    level: u8,
    first: u64,
    children: &[Vec<u32>],
) -> Vec<Vec<u32>> {
    let children: Vec<Digest> = children.iter().map(|child| digest(child)).collect();
    let mut out = alloc::vec![Digest::default(); children.len() / 2];
    family(set).parents(Isa::current(), &digest(parameter), level, first, &children, &mut out);
    out.iter().map(|node| words(node, set.hash_len())).collect()
}

/// The tree from level `lowest` to level `depth` over `nodes` at positions from `start` on, with padding drawn from
/// ChaCha12 on `padding_seed`: all layers, lowest first.
#[must_use]
pub fn sparse_subtree(
    set: ParameterSet,
    parameter: &[u32; 5],
    depth: u8,
    lowest: u8,
    start: u64,
    nodes: &[Vec<u32>],
    padding_seed: &[u8; 32],
) -> Vec<TreeLayer> {
    let height = depth - lowest;
    let mut rng = ChaCha12Rng::from_seed(*padding_seed);
    let mut padding = Padding::draw(family(set), &mut rng, start, nodes.len() as u64, height);
    let base = Layer { start, nodes: nodes.iter().map(|node| digest(node)).collect() };
    let parameter = digest(parameter);
    let parents = tree::parents(set.parameters(), &parameter, Isa::current());
    let tree = Subtree::build(depth, lowest, height, base, |layer| padding.complete(layer), parents);
    layers_of(set, &tree)
}

/// The root of the tree of `height` levels over the leaves of epochs `start..start + 2^height`, computed on `pool`
/// exactly as key generation computes a bottom tree. `start` is a multiple of `2^height`, `height` at most 31.
///
/// # Panics
/// If an epoch is beyond the lifetime of 2^32.
#[must_use]
pub fn bottom_subtree_root(
    pool: &dyn Pool,
    set: ParameterSet,
    prf_key: &[u8; 32],
    parameter: &[u32; 5],
    start: u64,
    height: u8,
) -> Vec<u32> {
    let (key, parameter, go_on) = (secret(prf_key), digest(parameter), |_| ControlFlow::Continue(()));
    let tree: Result<_, Error> =
        tree::complete(set.parameters(), &parameter, &key, start, height, pool, &go_on);
    words(&tree.expect("nothing asked to stop").root(), set.hash_len())
}
