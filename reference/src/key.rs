//! Key generation and the prepared window (spec section 10).

use std::ops::Range;

use crate::chain::chain_ends;
use crate::params::{Family, PARAMETER_LEN, Params};
use crate::rng::Rng;
use crate::tree::{Layer, Subtree, bottom_tree, leaf, padded_tree};

/// What a verifier needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// The root of the tree: `n` elements.
    pub root: Vec<u32>,
    /// The public parameter `P`: 5 elements.
    pub parameter: Vec<u32>,
}

/// What a signer needs. Keeps no record of used epochs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretKey {
    /// The parameter set.
    pub params: Params,
    /// The key of the pseudorandom function.
    pub prf_key: [u8; 32],
    /// The public parameter `P`.
    pub parameter: Vec<u32>,
    /// The first active epoch, after rounding.
    pub activation_epoch: u64,
    /// The number of active epochs, after rounding.
    pub active_epochs: u64,
    /// Levels `h` to `L`, padded.
    pub top_tree: Subtree,
    /// The number of the left prepared bottom tree.
    pub left_index: u64,
    /// Bottom tree `left_index`.
    pub left_tree: Subtree,
    /// Bottom tree `left_index + 1`.
    pub right_tree: Subtree,
}

impl SecretKey {
    /// The public key.
    ///
    /// # Panics
    ///
    /// Panics if the top tree was emptied by hand.
    pub fn public_key(&self) -> PublicKey {
        PublicKey { root: self.top_tree.root().to_vec(), parameter: self.parameter.clone() }
    }

    /// The epochs this key may ever sign.
    pub fn activation_interval(&self) -> Range<u64> {
        self.activation_epoch..self.activation_epoch + self.active_epochs
    }

    /// The epochs this key can sign before the next [`advance`].
    pub fn prepared_interval(&self) -> Range<u64> {
        let width = self.params.leaves_per_bottom_tree();
        self.left_index * width..(self.left_index + 2) * width
    }
}

/// The bottom trees `s..t` that cover the requested epochs, at least two; none if the request exceeds the lifetime.
///
/// The answer depends on `L` alone. A `count` of zero asks for the minimum window.
pub fn round_activation(log_lifetime: u8, start: u64, count: u64) -> Option<Range<u64>> {
    let lifetime = 1u64 << log_lifetime;
    let width = 1u64 << (log_lifetime / 2);
    let requested_end = start.checked_add(count)?;
    if requested_end > lifetime {
        return None;
    }
    let mut start = start / width * width;
    let mut end = requested_end.next_multiple_of(width);
    if end - start < 2 * width {
        end = start + 2 * width;
    }
    if end > lifetime {
        // Saturates at 0 for a window longer than the lifetime, as the specification says (it cannot happen: L >= 2).
        start = lifetime.saturating_sub(end - start);
        end = lifetime;
    }
    Some(start / width..end / width)
}

/// Generates a key from the seed of its random numbers, active for `count` epochs from `start`.
///
/// None if the epochs exceed the lifetime; the Poseidon1 family also refuses `count = 0`. Time: one one-time key per
/// epoch of every touched bottom tree, which is a second or so for the 2^8 sets and hours for wide windows of 2^32.
///
/// # Panics
///
/// Does not panic for the sets of [`crate::params::ALL`].
pub fn keygen(params: &Params, seed: &[u8; 32], start: u64, count: u64) -> Option<SecretKey> {
    if count == 0 && params.family == Family::Poseidon1 {
        return None;
    }
    let trees = round_activation(params.log_lifetime, start, count)?;

    // The draw order of section 5: parameter, PRF key, then the padding of the top tree.
    let mut rng = Rng::from_seed(seed);
    let parameter = rng.elements(PARAMETER_LEN);
    let prf_key = rng.bytes32();

    let left_tree = bottom_tree_from_key(params, &prf_key, &parameter, trees.start);
    let right_tree = bottom_tree_from_key(params, &prf_key, &parameter, trees.start + 1);
    let mut roots = vec![left_tree.root().to_vec(), right_tree.root().to_vec()];
    for index in trees.start + 2..trees.end {
        roots.push(bottom_tree_from_key(params, &prf_key, &parameter, index).root().to_vec());
    }
    let roots = Layer { start: trees.start, nodes: roots };
    let (depth, height) = (params.log_lifetime, params.bottom_height());
    let top_tree = padded_tree(params, &parameter, depth, height, roots, &mut rng);

    let width = params.leaves_per_bottom_tree();
    Some(SecretKey {
        params: *params,
        prf_key,
        parameter,
        activation_epoch: trees.start * width,
        active_epochs: (trees.end - trees.start) * width,
        top_tree,
        left_index: trees.start,
        left_tree,
        right_tree,
    })
}

/// Moves the prepared window one bottom tree to the right. False, and nothing done, if it is at the end already.
///
/// # Panics
///
/// Does not panic for a key that [`keygen`] made.
pub fn advance(secret_key: &mut SecretKey) -> bool {
    let width = secret_key.params.leaves_per_bottom_tree();
    if (secret_key.left_index + 3) * width > secret_key.activation_interval().end {
        return false;
    }
    let next_index = secret_key.left_index + 2;
    let SecretKey { params, prf_key, parameter, .. } = &*secret_key;
    let next = bottom_tree_from_key(params, prf_key, parameter, next_index);
    secret_key.left_tree = std::mem::replace(&mut secret_key.right_tree, next);
    secret_key.left_index += 1;
    true
}

/// Computes bottom tree number `index` from the PRF key.
///
/// # Panics
///
/// Panics if the tree lies outside the lifetime.
pub fn bottom_tree_from_key(params: &Params, prf_key: &[u8; 32], parameter: &[u32], index: u64) -> Subtree {
    let width = params.leaves_per_bottom_tree();
    let leaves = (index * width..(index + 1) * width).map(|epoch| {
        let epoch = u32::try_from(epoch).expect("epochs are below 2^32");
        leaf(params, parameter, epoch, &chain_ends(params, prf_key, parameter, epoch))
    });
    bottom_tree(params, parameter, index, leaves.collect())
}
