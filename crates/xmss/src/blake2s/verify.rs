//! Verification (specification section 9): one signature, or many side by side.
#![forbid(unsafe_code)]

use super::encoding::{self, Digits};
use super::full_walk::{Chains, FullWalk, walk_all};
use super::hashing::{
    self, LEAF_BLOCKS, LeafMessage, ToEncode, Walk, encoding_digests, get, hash_leaf, put_end, put_nodes,
    walk,
};
use super::keys::{Signature, VerifyingKey};
use super::parameters::{CHAINS, HEIGHT, Node, Profile, STEPS, Use};
use crate::hashes::blake2s::{Lanes, Slices, with_lanes};
use alloc::vec::Vec;
use phalanx_core::InvalidSignature;
use phalanx_core::lanes::Scalar;
use phalanx_core::simd::Isa;
#[cfg(feature = "std")]
use phalanx_core::threads::{Job, Pool};

/// A signature with what it signs: `message` at `epoch`, under `key`.
#[derive(Clone, Copy, Debug)]
pub struct SignedMessage<'a> {
    /// The signer's key.
    pub key: &'a VerifyingKey,
    /// The epoch.
    pub epoch: u32,
    /// The message, 32 bytes.
    pub message: &'a [u8; 32],
    /// The signature.
    pub signature: &'a Signature,
}

impl VerifyingKey {
    /// Verifies that this key signed `message` at `epoch`.
    ///
    /// # Errors
    /// [`InvalidSignature`] if it did not.
    pub fn verify(
        &self,
        epoch: u32,
        message: &[u8; 32],
        signature: &Signature,
    ) -> Result<(), InvalidSignature> {
        let mut result = [Err(InvalidSignature)];
        verify_all(Isa::current(), &[SignedMessage { key: self, epoch, message, signature }], &mut result);
        result[0]
    }
}

/// The result for every signature, in order. They may be of different keys and sets. Much faster per signature than one
/// at a time.
#[must_use]
pub fn verify_many(messages: &[SignedMessage<'_>]) -> Vec<Result<(), InvalidSignature>> {
    let mut results = alloc::vec![Err(InvalidSignature); messages.len()];
    verify_all(Isa::current(), messages, &mut results);
    results
}

/// Signatures whose chains are walked together: enough to fill lanes with chains of like length.
const CHUNK: usize = 64;

/// As [`verify_many`], on the threads of `pool`. The results are the same.
#[cfg(feature = "std")]
#[must_use]
pub fn verify_many_on(pool: &dyn Pool, messages: &[SignedMessage<'_>]) -> Vec<Result<(), InvalidSignature>> {
    let isa = Isa::current();
    let mut results = alloc::vec![Err(InvalidSignature); messages.len()];
    let jobs = messages.chunks(CHUNK).zip(results.chunks_mut(CHUNK));
    let job = |(messages, results)| -> Job<'_> {
        alloc::boxed::Box::new(move || verify_all(isa, messages, results))
    };
    pool.run(jobs.map(job).collect());
    results
}

/// Fills `results`, one for each of `messages`, which are all refused.
fn verify_all(isa: Isa, messages: &[SignedMessage<'_>], results: &mut [Result<(), InvalidSignature>]) {
    for profile in [Profile::B, Profile::A] {
        let mine: Vec<usize> = (0..messages.len())
            .filter(|&i| {
                let SignedMessage { key, signature, .. } = messages[i];
                key.set == signature.set && key.set.profile() == profile
            })
            .collect();
        for indices in mine.chunks(CHUNK) {
            let chunk: Vec<_> = indices.iter().map(|&i| messages[i]).collect();
            let roots = with_lanes!(isa, lanes => roots_of_chunk(lanes, profile, &chunk));
            for ((&i, message), root) in indices.iter().zip(&chunk).zip(roots) {
                if root == Some(message.key.root) {
                    results[i] = Ok(());
                }
            }
        }
    }
}

/// The root that each signature leads to; `None` without an encoding.
fn roots_of_chunk<const N: usize>(
    lanes: impl Lanes<N>,
    profile: Profile,
    chunk: &[SignedMessage<'_>],
) -> Vec<Option<Node>> {
    let inputs: Vec<_> = chunk
        .iter()
        .map(|signed| ToEncode {
            parameter: &signed.key.parameter,
            epoch: signed.epoch,
            message: signed.message,
            randomizer: &signed.signature.randomizer,
        })
        .collect();
    let mut digests = Vec::with_capacity(chunk.len());
    for group in inputs.chunks(N) {
        match group {
            // One alone is faster without lanes to fill.
            [_] => encoding_digests(Scalar, profile, group, &mut digests),
            _ => encoding_digests(lanes, profile, group, &mut digests),
        }
    }
    let digits: Vec<_> = digests.iter().map(encoding::decode).collect();
    let valid: Vec<_> =
        chunk.iter().zip(&digits).filter_map(|(signed, digits)| Some((signed, digits.as_ref()?))).collect();
    let mut roots = Vec::with_capacity(valid.len());
    let (groups, rest) = valid.as_chunks::<N>();
    let mut messages = alloc::vec![Slices::ZERO; 2 * LEAF_BLOCKS];
    let mut siblings = [Slices::ZERO; HEIGHT as usize];
    // Two groups in turn: what is moved in and out of the lanes of one is done while the other computes.
    for pair in groups.chunks(2) {
        let mut walks: Vec<_> = pair
            .iter()
            .zip(messages.chunks_mut(LEAF_BLOCKS))
            .map(|(group, message)| {
                let chains = core::array::from_fn(|lane| {
                    let (SignedMessage { key, epoch, signature, .. }, digits) = group[lane];
                    Chains { parameter: &key.parameter, epoch: *epoch, values: &signature.values, digits }
                });
                FullWalk::new(lanes, profile, chains, message)
            })
            .collect();
        walk_all(lanes, &mut walks);
        drop(walks);
        for (group, message) in pair.iter().zip(messages.chunks_mut(LEAF_BLOCKS)) {
            climb(lanes, profile, group, message, &mut siblings, &mut roots);
        }
    }
    let message = &mut messages[..LEAF_BLOCKS];
    match rest {
        [] => {}
        [_] => {
            let mut message = alloc::vec![Slices::ZERO; LEAF_BLOCKS];
            walk_rest(lanes, profile, rest, |_, chain, end| put_end(&mut message, chain, 0, &end));
            climb(Scalar, profile, rest, &mut message, &mut [Slices::ZERO; HEIGHT as usize], &mut roots);
        }
        _ => {
            walk_rest(lanes, profile, rest, |lane, chain, end| put_end(message, chain, lane, &end));
            climb(lanes, profile, rest, message, &mut siblings, &mut roots);
        }
    }
    let mut roots = roots.into_iter();
    digits.iter().map(|digits| digits.and_then(|_| roots.next())).collect()
}

/// Walks the chains of signatures that are too few to fill the lanes with one each, all of them together, and calls
/// `end` with the number of the signature, that of the chain, and its end.
fn walk_rest<const N: usize>(
    lanes: impl Lanes<N>,
    profile: Profile,
    signed: &[(&SignedMessage<'_>, &Digits)],
    mut end: impl FnMut(usize, usize, Node),
) {
    let mut walks = Vec::with_capacity(signed.len() * CHAINS);
    for (SignedMessage { key, epoch, .. }, digits) in signed {
        for (chain, &position) in (0..).zip(*digits) {
            walks.push(Walk {
                parameter: &key.parameter,
                epoch: *epoch,
                chain,
                position,
                steps: STEPS - position,
            });
        }
    }
    let value = |i: usize| &signed[i / CHAINS].0.signature.values[i % CHAINS];
    walk(lanes, profile, &walks, value, |i, value| end(i / CHAINS, i % CHAINS, value));
}

/// Appends the roots that at most one signature a lane leads to, from the ends of its chains in `message`, the leaf's;
/// `siblings` is room to work in.
fn climb<const N: usize>(
    lanes: impl Lanes<N>,
    profile: Profile,
    signed: &[(&SignedMessage<'_>, &Digits)],
    message: &mut LeafMessage<N>,
    siblings: &mut [Slices<4, N>; HEIGHT as usize],
    roots: &mut Vec<Node>,
) {
    // Idle lanes repeat the last signature.
    let of_lane = |lane: usize| signed[lane.min(signed.len() - 1)].0;
    let mut block = Slices::ZERO;
    let epochs: [u32; N] = core::array::from_fn(|lane| of_lane(lane).epoch);
    message[0][..4].copy_from_slice(&profile.tweaks(Use::Leaf, 0, &epochs));
    put_nodes(&mut *message[0], 4, |lane| of_lane(lane).key.parameter);
    block[4..8].copy_from_slice(&message[0][4..8]);
    // Well before they are read as vectors: for parts that were just written the CPU would have to wait.
    let paths: [_; N] = core::array::from_fn(|lane| &of_lane(lane).signature.path);
    for (level, nodes) in siblings.iter_mut().enumerate() {
        put_nodes(&mut **nodes, 0, |lane| paths[lane][level]);
    }
    let [a, b, c, d, ..] = *hash_leaf(lanes, message);
    let mut node = Slices([a, b, c, d]);
    hashing::climb(lanes, profile, &mut node, &epochs, siblings, &mut block);
    roots.extend((0..signed.len()).map(|lane| get(&*node, lane)));
}
