//! Whole keys: signing without memory, keys for measuring, and what keys and signatures hold.

use super::stages::MessageInput;
use super::stages::message_hashes;
use super::trees::{TreeLayer, layers_of};
use super::values::{digest, family, secret, words};
use crate::digest::Digest;
use crate::error::Error;
use crate::family::Family;
use crate::key::{NextTree, Parts, SigningKey, VerifyingKey};
use crate::keygen::{self, KeyGeneration};
use crate::padding::Padding;
use crate::parameters::ParameterSet;
use crate::signature::Signature;
use crate::tree;
use crate::window::Trees;
use alloc::vec::Vec;
use chacha20::ChaCha12Rng;
use core::ops::Range;
use phalanx_core::simd::Isa;
use phalanx_core::subtree::{Layer, Subtree};
use rand_core::SeedableRng;

/// Signs without consulting or filling the record of used epochs, and without moving the key on.
///
/// **Two messages signed at one epoch let anybody forge at that epoch.** This exists so that vectors, benchmarks and
/// fuzzing can repeat a signature; [`SigningKey::sign`] is for everything else.
///
/// # Errors
/// As [`SigningKey::sign`], but for [`Error::EpochUsed`]; and [`Error::NotPrepared`] after the prepared interval.
pub fn sign_unrecorded(key: &SigningKey, epoch: u32, message: &[u8; 32]) -> Result<Signature, Error> {
    key.check_can_sign(epoch)?;
    let end = key.prepared_interval().end;
    if u64::from(epoch) >= end {
        return Err(Error::NotPrepared { epoch: epoch.into(), end });
    }
    key.sign_prepared(epoch, message)
}

/// As [`SigningKey::sign`], for callers who have reserved `epoch` for `message` themselves, durably: the record of the
/// process is neither consulted nor filled.
///
/// **Two messages signed at one epoch let anybody forge at that epoch.** The reservation must be on the disk before this
/// is called, and must belong to the key's [`one_time_key_id`](SigningKey::one_time_key_id), not to its public key.
///
/// # Errors
/// As [`SigningKey::sign`], but for [`Error::EpochUsed`], [`Error::OtherInstance`] and [`Error::Forked`].
pub fn sign_reserved(key: &mut SigningKey, epoch: u32, message: &[u8; 32]) -> Result<Signature, Error> {
    key.check_can_sign(epoch)?;
    key.advance_to(epoch.into())?;
    key.sign_prepared(epoch, message)
}

/// The bottom tree of an epoch that the key has left behind, to be computed beside the live key; `None` for all others.
#[must_use]
pub fn passed_tree(key: &SigningKey, epoch: u32) -> Option<NextTree> {
    let is_passed = matches!(key.check_can_sign(epoch), Err(Error::Passed { .. }));
    is_passed.then(|| key.tree_at(u64::from(epoch) / key.set.tree_leaves()))?
}

/// Signs again what the key has signed at an epoch that it has left behind, whose tree was computed: the same bytes.
///
/// **Two messages signed at one epoch let anybody forge at that epoch.** The caller knows that the epoch is reserved for
/// `message`.
///
/// # Errors
/// [`Error::Unfinished`] if the tree was not computed; [`Error::WrongTree`] if it is another key's or does not have the
/// epoch; [`Error::Malformed`] if the secret part of the key is damaged.
pub fn sign_passed(
    key: &SigningKey,
    tree: NextTree,
    epoch: u32,
    message: &[u8; 32],
) -> Result<Signature, Error> {
    let wanted = u64::from(epoch) / key.set.tree_leaves();
    let bottom = key.accept_at(tree, wanted)?;
    key.sign_in(&bottom, epoch, message)
}

/// Whether the key can sign at `epoch`, by its intervals alone: what [`sign_reserved`] asks first.
///
/// # Errors
/// [`Error::NotActive`], [`Error::Exhausted`], [`Error::Passed`].
pub fn check_can_sign(key: &SigningKey, epoch: u32) -> Result<(), Error> {
    key.check_can_sign(epoch)
}

/// A key that is sound only for `epochs`, which lie in one bottom tree: all other leaves are zero, all other bottom
/// roots too. It costs a thousandth of a real one, signs at the same speed, and what it signs at `epochs` verifies.
///
/// # Panics
/// If `epochs` is empty, reaches over the end of a bottom tree, or lies in the last one.
#[must_use]
pub fn partial_key(set: ParameterSet, seed: &[u8; 32], epochs: Range<u32>) -> SigningKey {
    let p = set.parameters();
    let index = u64::from(epochs.start) / set.tree_leaves();
    let base = index * set.tree_leaves();
    let count = usize::try_from(set.tree_leaves()).expect("at most 2^16 leaves");
    let at = |epoch: u32| usize::try_from(u64::from(epoch) - base).expect("inside the tree");
    let mut rng = ChaCha12Rng::from_seed(*seed);
    let (parameter, prf_key) = keygen::draw_secrets(p, &mut rng);
    let trees = Trees { first: index, end: index + 2 };
    let padding = Padding::draw(p.family, &mut rng, trees.first, trees.count(), p.log2_lifetime / 2);

    let mut nodes = alloc::vec![Digest::default(); count];
    let real = &mut nodes[at(epochs.start)..at(epochs.end)];
    family(set).leaves(Isa::current(), &parameter, &prf_key, epochs.start, real);
    let build = |start: u64, nodes: Vec<Digest>| {
        let parents = tree::parents(p, &parameter, Isa::current());
        Subtree::build(p.log2_lifetime, 0, p.log2_lifetime / 2, Layer { start, nodes }, |_| {}, parents)
    };
    let left = build(base, nodes);
    let right = build(base + set.tree_leaves(), alloc::vec![Digest::default(); count]);
    let top = tree::top(p, &parameter, trees, alloc::vec![left.root(), right.root()], padding);
    SigningKey::from_parts(Parts { set, prf_key, parameter, trees, top, left_index: index, left, right })
}

/// Begins the key for the epochs of `activation` that an expanded secret key holds whose seed is not known: from its PRF
/// key, its parameter and the padding nodes of its top tree, in the order in which they were drawn.
///
/// # Errors
/// As [`KeyGeneration::new`]; [`Error::Malformed`] if the tree needs another number of padding nodes.
pub fn key_generation_from_expanded(
    set: ParameterSet,
    prf_key: &[u8; 32],
    parameter: &[u32; 5],
    padding: &[Vec<u32>],
    activation: Range<u64>,
) -> Result<KeyGeneration, Error> {
    let p = set.parameters();
    let Range { start, end } = activation;
    let count =
        end.checked_sub(start).ok_or(Error::Interval { start, count: 0, lifetime: set.lifetime() })?;
    let trees = Trees::covering(p, start, count)?;
    let nodes = padding.iter().map(|node| digest(node)).collect();
    let padding = Padding::of(nodes, trees.first, trees.count(), p.log2_lifetime / 2)?;
    Ok(KeyGeneration::from_secrets(set, trees, digest(parameter), secret(prf_key), padding))
}

/// The secret of a key: whoever sees it can sign. For comparing keys with vectors.
#[must_use]
pub fn expose_prf_key(key: &SigningKey) -> [u8; 32] {
    *key.prf_key.bytes()
}

/// The parameter `P` of a key.
#[must_use]
pub fn parameter_of(key: &VerifyingKey) -> [u32; 5] {
    let parameter = words(&key.parameter, 5);
    core::array::from_fn(|i| parameter[i])
}

/// The root of a key's tree.
#[must_use]
pub fn root_of(key: &VerifyingKey) -> Vec<u32> {
    words(&key.root, key.set.hash_len())
}

/// The roots of the two bottom trees that a key holds, and the index of the first.
#[must_use]
pub fn bottom_tree_roots(key: &SigningKey) -> (u64, [Vec<u32>; 2]) {
    (key.left_index, [&key.left, &key.right].map(|tree| words(&tree.root(), key.set.hash_len())))
}

/// The layers of a key's top tree, padding included, lowest first.
#[must_use]
pub fn top_tree_layers(key: &SigningKey) -> Vec<TreeLayer> {
    layers_of(key.set, &key.top)
}

/// The randomness `rho` of a signature.
#[must_use]
pub fn randomness_of(signature: &Signature) -> Vec<u32> {
    words(&signature.randomness, signature.set.randomness_len())
}

/// The codeword that a signature's randomness gives `message` at `epoch` under `key`; `None` if it gives none.
#[must_use]
pub fn codeword_of(
    key: &VerifyingKey,
    epoch: u32,
    message: &[u8; 32],
    signature: &Signature,
) -> Option<Vec<u8>> {
    let (parameter, randomness) = (parameter_of(key), randomness_of(signature));
    let input = MessageInput { parameter, epoch, message: *message, randomness };
    message_hashes(key.set, &[input]).pop()?.codeword
}
