//! Leaves, nodes and the two kinds of subtree (spec sections 7 and 9).

use num_bigint::BigUint;

use crate::field::{add, digits};
use crate::params::{CAPACITY, Family, PARAMETER_LEN, Params, RATE, TWEAK_LEN};
use crate::permutation::{compress, permute};
use crate::rng::Rng;
use crate::tweaks::tree_tweak;

/// Nodes at consecutive positions of one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The position, global in its level, of the first node.
    pub start: u64,
    /// The nodes.
    pub nodes: Vec<Vec<u32>>,
}

impl Layer {
    /// The node at this position of the level, if the layer has it.
    pub fn get(&self, pos: u64) -> Option<&[u32]> {
        let index = usize::try_from(pos.checked_sub(self.start)?).ok()?;
        self.nodes.get(index).map(Vec::as_slice)
    }
}

/// Levels `lowest_level`, `lowest_level + 1`, ... of the tree of height `depth`, or the part of them that a key stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtree {
    /// Height of the whole tree, `L`.
    pub depth: u8,
    /// The level of the first layer.
    pub lowest_level: u8,
    /// One layer per level, lowest first.
    pub layers: Vec<Layer>,
}

impl Subtree {
    /// The root: the first node of the last layer.
    ///
    /// # Panics
    ///
    /// Panics if the subtree is empty, which no builder produces.
    pub fn root(&self) -> &[u32] {
        &self.layers.last().expect("a subtree has layers").nodes[0]
    }

    /// The siblings on the way up from position `pos` of the lowest level, without the root layer.
    ///
    /// # Panics
    ///
    /// Panics if the subtree does not hold the way.
    pub fn path(&self, pos: u64) -> Vec<Vec<u32>> {
        let below_root = &self.layers[..self.layers.len() - 1];
        let siblings = below_root.iter().enumerate().map(|(height, layer)| {
            let sibling = (pos >> height) ^ 1;
            layer.get(sibling).expect("every node below the root is stored with its sibling").to_vec()
        });
        siblings.collect()
    }
}

/// The capacity value of the leaf sponge: a constant of the parameter set.
pub fn sponge_capacity(params: &Params) -> Vec<u32> {
    let lengths = [PARAMETER_LEN, TWEAK_LEN, usize::from(params.chains), params.hash_len];
    let domain = lengths.iter().fold(BigUint::ZERO, |domain, &length| (domain << 32u32) + length);
    compress(params.family, 24, &digits(&domain, 24), CAPACITY)
}

/// The leaf of `epoch`, hashed from its chain ends.
///
/// # Panics
///
/// Panics if `n > 15`, which no parameter set has.
pub fn leaf(params: &Params, parameter: &[u32], epoch: u32, ends: &[Vec<u32>]) -> Vec<u32> {
    let mut input = [parameter, &tree_tweak(0, epoch)].concat();
    input.extend(ends.iter().flatten());
    // Both sponges complete a short last block with zeros.
    input.resize(input.len().next_multiple_of(RATE), 0);
    match params.family {
        Family::Poseidon2 => additive_sponge(params, &input),
        Family::Poseidon1 => replacement_sponge(params, &input),
    }
}

/// Rate in words 0 to 14, capacity in words 15 to 23; blocks are added.
fn additive_sponge(params: &Params, input: &[u32]) -> Vec<u32> {
    let mut state = [vec![0; RATE], sponge_capacity(params)].concat();
    for block in input.chunks_exact(RATE) {
        for (word, &x) in state[..RATE].iter_mut().zip(block) {
            *word = add(*word, x);
        }
        permute(params.family, &mut state);
    }
    state[..params.hash_len].to_vec()
}

/// Capacity in words 0 to 8, rate in words 9 to 23; blocks overwrite.
fn replacement_sponge(params: &Params, input: &[u32]) -> Vec<u32> {
    let mut state = [sponge_capacity(params), vec![0; RATE]].concat();
    for block in input.chunks_exact(RATE) {
        state[CAPACITY..].copy_from_slice(block);
        permute(params.family, &mut state);
    }
    state[CAPACITY..CAPACITY + params.hash_len].to_vec()
}

/// The node at `pos` of `level >= 1`, hashed from its children.
///
/// # Panics
///
/// Panics if the inputs together are longer than 24 words.
pub fn node(
    params: &Params,
    parameter: &[u32],
    level: u8,
    pos: u32,
    left: &[u32],
    right: &[u32],
) -> Vec<u32> {
    let input = [parameter, &tree_tweak(level, pos), left, right].concat();
    compress(params.family, 24, &input, params.hash_len)
}

/// Bottom tree number `index`: complete, levels 0 to `h`, no padding.
///
/// # Panics
///
/// Panics unless there are `C` leaves and the tree lies inside the lifetime.
pub fn bottom_tree(params: &Params, parameter: &[u32], index: u64, leaves: Vec<Vec<u32>>) -> Subtree {
    let width = params.leaves_per_bottom_tree();
    assert_eq!(u64::try_from(leaves.len()), Ok(width), "a bottom tree has C leaves");
    let mut layers = vec![Layer { start: index * width, nodes: leaves }];
    for level in 1..=params.bottom_height() {
        layers.push(parents(params, parameter, level, layers.last().expect("there are leaves")));
    }
    Subtree { depth: params.log_lifetime, lowest_level: 0, layers }
}

/// Levels `lowest_level` to `depth` over consecutive nodes, absent neighbours replaced by random ones.
///
/// The top tree of a key is this with `depth = L`, `lowest_level = h` and the roots of its bottom trees. Every layer
/// is padded, so the last one holds the root and one random node after it.
///
/// # Panics
///
/// Panics if there are no nodes or they lie outside the tree.
pub fn padded_tree(
    params: &Params,
    parameter: &[u32],
    depth: u8,
    lowest_level: u8,
    nodes: Layer,
    rng: &mut Rng,
) -> Subtree {
    assert!(!nodes.nodes.is_empty(), "a padded tree needs a node to stand on");
    let mut layers = vec![pad(params, nodes, rng)];
    for level in lowest_level + 1..=depth {
        let next = parents(params, parameter, level, layers.last().expect("the lowest layer is there"));
        layers.push(pad(params, next, rng));
    }
    Subtree { depth, lowest_level, layers }
}

/// Makes the layer start at an even position and end at an odd one: the front node is drawn before the back node.
fn pad(params: &Params, layer: Layer, rng: &mut Rng) -> Layer {
    let Layer { mut start, mut nodes } = layer;
    if start % 2 == 1 {
        nodes.insert(0, rng.elements(params.hash_len));
        start -= 1;
    }
    // With an even start, the last position is even exactly if the count is odd.
    if nodes.len() % 2 == 1 {
        nodes.push(rng.elements(params.hash_len));
    }
    Layer { start, nodes }
}

/// The parents, at `level`, of a layer that holds whole pairs.
fn parents(params: &Params, parameter: &[u32], level: u8, children: &Layer) -> Layer {
    assert!(
        children.start.is_multiple_of(2) && children.nodes.len().is_multiple_of(2),
        "children come in pairs"
    );
    let start = children.start / 2;
    let pairs = children.nodes.chunks_exact(2);
    let nodes = (start..).zip(pairs).map(|(pos, pair)| {
        let pos = u32::try_from(pos).expect("a level has at most 2^32 nodes");
        node(params, parameter, level, pos, &pair[0], &pair[1])
    });
    Layer { start, nodes: nodes.collect() }
}
