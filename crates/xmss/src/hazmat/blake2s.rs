//! The stages of XMSS over BLAKE2s. Values are bytes, as the wire has them; lists fill the lanes of the backend.

use crate::blake2s::encoding::decode;
use crate::blake2s::hashing::{self, OneTimeKey, ToEncode, Walk, words};
use crate::blake2s::keys::bytes_of;
use crate::blake2s::parameters::{CHAINS, Node};
use crate::blake2s::{NextTree, ParameterSet, Signature, SigningKey};
use crate::error::Error;
use crate::hashes::blake2s::{Lanes, Slices, with_lanes};
use crate::prf_key::PrfKey;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// BLAKE2s of messages of one length, which is a multiple of four bytes.
///
/// # Panics
/// If the lengths differ, or are not such.
#[must_use]
pub fn digests(messages: &[Vec<u8>]) -> Vec<[u8; 32]> {
    fn run<const N: usize>(lanes: impl Lanes<N>, messages: &[Vec<u8>], out: &mut Vec<[u8; 32]>) {
        for group in messages.chunks(N) {
            let len = group[0].len();
            let blocks = len.div_ceil(64).max(1);
            let mut state = Slices::ZERO;
            for block in 0..blocks {
                let (at, end) = (64 * block, len.min(64 * (block + 1)));
                let mut slices = Slices::ZERO;
                for (lane, message) in group.iter().enumerate() {
                    assert!(
                        message.len() == len && len % 4 == 0,
                        "whole words, and as many in every message"
                    );
                    hashing::put(&mut *slices, 0, lane, &words::<16>(&message[at..end])[..(end - at) / 4]);
                }
                let count = u32::try_from(end).expect("shorter than 2^32 bytes");
                lanes.compress(block == 0, &mut state, &slices, count, block + 1 == blocks);
            }
            out.extend((0..group.len()).map(|lane| {
                let mut digest = [0; 32];
                for (bytes, word) in digest.as_chunks_mut::<4>().0.iter_mut().zip(state.iter()) {
                    *bytes = word[lane].to_le_bytes();
                }
                digest
            }));
        }
    }
    let mut out = Vec::with_capacity(messages.len());
    with_lanes!(Isa::current(), lanes => run(lanes, messages, &mut out));
    out
}

/// A block of every lane through the compression function, `times` over: for measuring. The states are those of 16 lanes,
/// of which the backend uses its own.
pub fn compressions(states: &mut [[u32; 16]; 8], times: u32) {
    fn run<const N: usize>(lanes: impl Lanes<N>, states: &mut [[u32; 16]; 8], times: u32) {
        let mut state = Slices(states.map(|words| core::array::from_fn(|lane| words[lane])));
        let block = Slices(core::array::from_fn(|i| state[i % 8]));
        for _ in 0..times {
            lanes.compress(false, &mut state, &block, 64, true);
        }
        for (to, from) in states.iter_mut().zip(state.iter()) {
            to[..N].copy_from_slice(from);
        }
    }
    with_lanes!(Isa::current(), lanes => run(lanes, states, times));
}

/// How many lanes [`compressions`] fills on the current backend.
#[must_use]
pub fn lanes() -> usize {
    fn count<const N: usize>(_: impl Lanes<N>) -> usize {
        N
    }
    with_lanes!(Isa::current(), lanes => count(lanes))
}

/// The 16 bytes of the tweak with this number of a type.
#[must_use]
pub fn tweak(set: ParameterSet, number: u8, p: u32, j: u32) -> [u8; 16] {
    bytes_of(&set.profile().labelled(number, p, j))
}

/// A chain value on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainWalk {
    /// Parameter of the key.
    pub parameter: [u8; 16],
    /// The epoch.
    pub epoch: u32,
    /// Index of the chain.
    pub chain: u8,
    /// Number of `value`.
    pub position: u8,
    /// Steps to go; `position + steps` is at most 7.
    pub steps: u8,
    /// The value.
    pub value: [u8; 16],
}

/// The values that the chains end at.
#[must_use]
pub fn walk_chains(set: ParameterSet, walks: &[ChainWalk]) -> Vec<[u8; 16]> {
    let parameters: Vec<Node> = walks.iter().map(|walk| words(&walk.parameter)).collect();
    let inner: Vec<_> = (walks.iter().zip(&parameters))
        .map(|(walk, parameter)| {
            let ChainWalk { epoch, chain, position, steps, .. } = *walk;
            Walk { parameter, epoch, chain, position, steps }
        })
        .collect();
    let mut out = alloc::vec![[0; 16]; walks.len()];
    let values: Vec<Node> = walks.iter().map(|walk| words(&walk.value)).collect();
    let value = |i: usize| &values[i];
    let end = |i: usize, value: Node| out[i] = bytes_of(&value);
    with_lanes!(Isa::current(), lanes => hashing::walk(lanes, set.profile(), &inner, value, end));
    out
}

/// The public parameter of a seed.
#[must_use]
pub fn parameter(seed: &[u8; 32]) -> [u8; 16] {
    bytes_of(&hashing::parameter(&secret(seed)))
}

/// The filler node of a key.
///
/// # Panics
/// If `index` is not below `2^32`.
#[must_use]
pub fn filler(seed: &[u8; 32], level: u8, index: u64) -> [u8; 16] {
    let seed = secret(seed);
    bytes_of(&hashing::filler(&seed, &hashing::parameter(&seed), level, index))
}

/// The secret start of every chain of an epoch.
#[must_use]
pub fn chain_starts(seed: &[u8; 32], epoch: u32) -> Vec<[u8; 16]> {
    let seed = secret(seed);
    let parameter = hashing::parameter(&seed);
    let key = OneTimeKey { parameter: &parameter, seed: &seed, epoch };
    let mut starts = [Node::default(); CHAINS];
    with_lanes!(Isa::current(), lanes => hashing::starts(lanes, &key, &mut starts));
    starts.iter().map(bytes_of).collect()
}

/// The leaves of `count` epochs, as key generation computes them.
#[must_use]
pub fn leaves(seed: &[u8; 32], first: u32, count: usize) -> Vec<[u8; 16]> {
    let seed = secret(seed);
    let parameter = hashing::parameter(&seed);
    let mut out = alloc::vec![Node::default(); count];
    with_lanes!(Isa::current(), lanes => hashing::leaves(lanes, &parameter, &seed, first, &mut out));
    out.iter().map(bytes_of).collect()
}

/// Nodes `first…` of a level above the leaves, each from two of `children`.
#[must_use]
pub fn tree_nodes(
    set: ParameterSet,
    parameter: &[u8; 16],
    level: u8,
    first: u64,
    children: &[[u8; 16]],
) -> Vec<[u8; 16]> {
    let children: Vec<Node> = children.iter().map(|child| words(child)).collect();
    let mut out = alloc::vec![Node::default(); children.len() / 2];
    let (profile, parameter) = (set.profile(), words(parameter));
    with_lanes!(Isa::current(), lanes =>
        hashing::parents(lanes, profile, &parameter, level, first, &children, &mut out));
    out.iter().map(bytes_of).collect()
}

/// The digits that a digest encodes, if it is admissible.
#[must_use]
pub fn digits(digest: &[u8; 16]) -> Option<[u8; 42]> {
    decode(&words(digest))
}

/// What an encoding hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodingInput {
    /// Parameter of the key.
    pub parameter: [u8; 16],
    /// The epoch.
    pub epoch: u32,
    /// The message.
    pub message: [u8; 32],
    /// The randomizer.
    pub randomizer: [u8; 24],
}

/// The digests that [`digits`] are of.
#[must_use]
pub fn encoding_digests(set: ParameterSet, inputs: &[EncodingInput]) -> Vec<[u8; 16]> {
    fn run<const N: usize>(
        lanes: impl Lanes<N>,
        set: ParameterSet,
        inputs: &[ToEncode<'_>],
        out: &mut Vec<Node>,
    ) {
        for group in inputs.chunks(N) {
            hashing::encoding_digests(lanes, set.profile(), group, out);
        }
    }
    let read: Vec<(Node, [u32; 6])> =
        inputs.iter().map(|input| (words(&input.parameter), words(&input.randomizer))).collect();
    let inputs: Vec<_> = (inputs.iter().zip(&read))
        .map(|(EncodingInput { epoch, message, .. }, (parameter, randomizer))| ToEncode {
            parameter,
            epoch: *epoch,
            message,
            randomizer,
        })
        .collect();
    let mut out = Vec::with_capacity(inputs.len());
    with_lanes!(Isa::current(), lanes => run(lanes, set, &inputs, &mut out));
    out.iter().map(bytes_of).collect()
}

/// Signs without consulting or filling the record of used epochs, and without moving the key on; also says which trial
/// gave the randomizer.
///
/// **Two messages signed at one epoch let anybody forge at that epoch.** This exists so that vectors, benchmarks and
/// fuzzing can repeat a signature; [`SigningKey::sign`] is for everything else.
///
/// # Errors
/// As [`SigningKey::sign`], but for [`Error::EpochUsed`]; and [`Error::NotPrepared`] after the prepared interval.
pub fn sign_unrecorded(key: &SigningKey, epoch: u32, message: &[u8; 32]) -> Result<(Signature, u32), Error> {
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
    Ok(key.sign_prepared(epoch, message)?.0)
}

/// The bottom tree of an epoch that the key has left behind, to be computed beside the live key; `None` for all others.
#[must_use]
pub fn passed_tree(key: &SigningKey, epoch: u32) -> Option<NextTree> {
    let is_passed = matches!(key.check_can_sign(epoch), Err(Error::Passed { .. }));
    is_passed.then(|| key.tree_at(u64::from(epoch) >> key.place.height))?
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
    let bottom = key.accept_at(tree, u64::from(epoch) >> key.place.height)?;
    Ok(key.sign_in(&bottom, epoch, message)?.0)
}

/// Whether the key can sign at `epoch`, by its intervals alone: what [`sign_reserved`] asks first.
///
/// # Errors
/// [`Error::NotActive`], [`Error::Exhausted`], [`Error::Passed`].
pub fn check_can_sign(key: &SigningKey, epoch: u32) -> Result<(), Error> {
    key.check_can_sign(epoch)
}

fn secret(bytes: &[u8; 32]) -> PrfKey {
    PrfKey::filled_by(|key| key.copy_from_slice(bytes))
}
