//! The stages of one-time signing: PRF, tweaks, chains, message hash and encoding search.

use super::values::{digest, family, secret, words};
use crate::chain::{self, Walk};
use crate::digest::Digest;
use crate::encoding::{HASH_WORDS, MAX_CHAINS};
use crate::family::Poseidon;
use crate::family::{self as hashing, Family, MAX_ATTEMPTS};
use crate::fields::koala_bear::{KoalaBear, P};
use crate::hashes::keccak;
use crate::hashes::poseidon::{Engine, MAX_LANES, with_engine};
use crate::message::{self, Statement};
use crate::parameters::ParameterSet;
use crate::prf::Prf;
use crate::tweak;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// The Montgomery word of the element with canonical residue `x mod p`: what bincode and JSON store.
#[must_use]
pub fn montgomery(x: u32) -> u32 {
    KoalaBear::new(x).montgomery()
}

/// The canonical residue of the element with Montgomery word `word`; `None` if that is not below `p`.
#[must_use]
pub fn canonical(word: u32) -> Option<u32> {
    KoalaBear::from_montgomery(word).map(KoalaBear::canonical)
}

// ---- tweaks (spec section 6) ----

/// The label of a tree node, `position < 2^32`.
#[must_use]
pub fn tree_tweak(level: u8, position: u64) -> u64 {
    tweak::tree(level, position)
}

/// The label of the chain step that produces `position`.
#[must_use]
pub fn chain_tweak(epoch: u32, chain: u8, position: u8) -> u64 {
    tweak::chain(epoch, chain, position)
}

/// The label of a message hash.
#[must_use]
pub fn epoch_tweak(epoch: u32) -> u64 {
    tweak::epoch(epoch)
}

/// The two field elements that each label, below `2^60`, is hashed as.
#[must_use]
pub fn tweak_digits(labels: &[u64]) -> Vec<[u32; 2]> {
    fn run<E: Engine>(engine: E, labels: &[u64]) -> Vec<[u32; 2]> {
        let mut out = Vec::with_capacity(labels.len());
        for group in labels.chunks(E::LANES) {
            let mut n = [0; MAX_LANES];
            n[..group.len()].copy_from_slice(group);
            let digits = engine.two_digits(&n[..E::LANES]);
            let mut columns = [[KoalaBear::ZERO; MAX_LANES]; 2];
            for (word, column) in digits.iter().zip(&mut columns) {
                engine.store(word, &mut column[..E::LANES]);
            }
            out.extend((0..group.len()).map(|lane| columns.map(|column| column[lane].canonical())));
        }
        out
    }
    with_engine!(Isa::current(), engine => run(engine, labels))
}

/// The nine field elements that a message is hashed as.
#[must_use]
pub fn message_encoding(message: &[u8; 32]) -> [u32; 9] {
    tweak::message(message).map(KoalaBear::canonical)
}

// ---- PRF (spec section 4) ----

/// The chain start of any 64-bit index, straight from the definition (real chains are [`chain_starts`]).
#[must_use]
pub fn prf_chain_start(set: ParameterSet, prf_key: &[u8; 32], epoch: u32, index: u64) -> Vec<u32> {
    prf(&[&[0x00], prf_key, &epoch.to_be_bytes(), &index.to_be_bytes()], set.hash_len())
}

/// The signing randomness of any 64-bit counter, straight from the definition (real signing tries
/// [`randomness_candidates`]).
#[must_use]
pub fn prf_randomness(
    set: ParameterSet,
    prf_key: &[u8; 32],
    epoch: u32,
    message: &[u8; 32],
    counter: u64,
) -> Vec<u32> {
    prf(&[&[0x01], prf_key, &epoch.to_be_bytes(), message, &counter.to_be_bytes()], set.randomness_len())
}

/// SHAKE128 of the prefix and `input`, as `len` elements of 16 big-endian bytes each.
fn prf(input: &[&[u8]], len: usize) -> Vec<u32> {
    let mut parts = alloc::vec![&crate::prf::PREFIX[..]];
    parts.extend(input);
    let mut bytes = alloc::vec![0; 16 * len];
    keccak::shake128(&parts, &mut bytes);
    let residue = |x: &[u8; 16]| u32::try_from(u128::from_be_bytes(*x) % u128::from(P)).expect("below p");
    bytes.as_chunks::<16>().0.iter().map(residue).collect()
}

/// Chain starts of (epoch, chain) pairs, as key generation and signing compute them.
#[must_use]
pub fn chain_starts(set: ParameterSet, prf_key: &[u8; 32], at: &[(u32, u8)]) -> Vec<Vec<u32>> {
    fn run<E: Engine>(
        family: &Poseidon,
        engine: E,
        isa: Isa,
        prf: &mut Prf,
        at: &[(u32, u8)],
    ) -> Vec<Digest> {
        let lanes = family.lanes(engine);
        let mut out = alloc::vec![Digest::default(); at.len()];
        for (at, out) in at.chunks(E::LANES).zip(out.chunks_mut(E::LANES)) {
            let of_lane = |lane: usize| at[lane.min(at.len() - 1)];
            let epochs = core::array::from_fn(|lane| of_lane(lane).0);
            let chains = core::array::from_fn(|lane| of_lane(lane).1);
            let starts = prf.starts(engine, isa, &epochs, &chains, lanes.hash_len);
            lanes.store_hashes(&starts, out);
        }
        out
    }
    let (isa, mut prf) = (Isa::current(), Prf::chain_starts(&secret(prf_key)));
    let starts = with_engine!(isa, engine => run(family(set), engine, isa, &mut prf, at));
    starts.iter().map(|start| words(start, set.hash_len())).collect()
}

/// The randomness of `count` counters from `first` on, as signing tries them.
#[must_use]
pub fn randomness_candidates(
    set: ParameterSet,
    prf_key: &[u8; 32],
    epoch: u32,
    message: &[u8; 32],
    first: u32,
    count: usize,
) -> Vec<Vec<u32>> {
    fn run<E: Engine>(engine: E, isa: Isa, prf: &mut Prf, first: u32, len: usize, out: &mut [Vec<u32>]) {
        let mut counter = first;
        for group in out.chunks_mut(E::LANES) {
            let candidates = prf.candidates(engine, isa, counter, len);
            let mut column = [KoalaBear::ZERO; MAX_LANES];
            for word in &candidates[..len] {
                engine.store(word, &mut column[..E::LANES]);
                group.iter_mut().zip(&column).for_each(|(candidate, x)| candidate.push(x.canonical()));
            }
            counter = counter.wrapping_add(u32::try_from(group.len()).expect("few lanes"));
        }
    }
    let (isa, len) = (Isa::current(), set.randomness_len());
    let mut prf = Prf::randomness(&secret(prf_key), epoch, message);
    let mut out = alloc::vec![Vec::with_capacity(len); count];
    with_engine!(isa, engine => run(engine, isa, &mut prf, first, len, &mut out));
    out
}

// ---- chains (spec section 7) ----

/// A chain value on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainWalk {
    /// Parameter of the key that the chain belongs to.
    pub parameter: [u32; 5],
    /// Epoch of the chain.
    pub epoch: u32,
    /// Index of the chain.
    pub chain: u8,
    /// Position of `value`.
    pub position: u8,
    /// Steps still to go; `position + steps` fits a byte.
    pub steps: u8,
    /// The value, moved on in place.
    pub value: Vec<u32>,
}

/// Walks every chain its number of steps, as verification does. One step is a walk of one.
pub fn walk_chains(set: ParameterSet, walks: &mut [ChainWalk]) {
    let parameters: Vec<Digest> = walks.iter().map(|walk| digest(&walk.parameter)).collect();
    let mut inner: Vec<Walk<'_>> = (walks.iter().zip(&parameters))
        .map(|(walk, parameter)| {
            let ChainWalk { epoch, chain, position, steps, ref value, .. } = *walk;
            Walk { parameter, epoch, chain, position, steps, value: digest(value) }
        })
        .collect();
    with_engine!(Isa::current(), engine => chain::walk(&family(set).lanes(engine), &mut inner));
    for (walk, inner) in walks.iter_mut().zip(&inner) {
        walk.position = inner.position;
        walk.steps = inner.steps;
        walk.value = words(&inner.value, set.hash_len());
    }
}

/// The value of every chain of an epoch at its position in `codeword`, as a signature reveals them.
#[must_use]
pub fn reveal(
    set: ParameterSet,
    prf_key: &[u8; 32],
    parameter: &[u32; 5],
    epoch: u32,
    codeword: &[u8],
) -> Vec<Vec<u32>> {
    let mut positions = crate::encoding::Codeword([0; MAX_CHAINS]);
    positions.0[..codeword.len()].copy_from_slice(codeword);
    let mut out = alloc::vec![Digest::default(); set.chains()];
    let (isa, key, parameter) = (Isa::current(), secret(prf_key), digest(parameter));
    family(set).reveal(
        isa,
        &hashing::OneTimeKey { parameter: &parameter, prf_key: &key, epoch },
        &positions,
        &mut out,
    );
    out.iter().map(|value| words(value, set.hash_len())).collect()
}

/// The one-time key of an epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneTimeKey {
    /// Start of every chain: secret.
    pub starts: Vec<Vec<u32>>,
    /// End of every chain.
    pub ends: Vec<Vec<u32>>,
    /// The leaf.
    pub leaf: Vec<u32>,
}

/// Computes the one-time key of `epoch`; the leaf by the way of key generation.
#[must_use]
pub fn one_time_key(set: ParameterSet, prf_key: &[u8; 32], parameter: &[u32; 5], epoch: u32) -> OneTimeKey {
    let chains = 0..u8::try_from(set.chains()).expect("at most 64 chains");
    let at: Vec<_> = chains.clone().map(|chain| (epoch, chain)).collect();
    let starts = chain_starts(set, prf_key, &at);
    let walk = |(chain, value): (u8, &Vec<u32>)| ChainWalk {
        parameter: *parameter,
        epoch,
        chain,
        position: 0,
        steps: set.base() - 1,
        value: value.clone(),
    };
    let mut walks: Vec<_> = chains.zip(&starts).map(walk).collect();
    walk_chains(set, &mut walks);
    let ends = walks.into_iter().map(|walk| walk.value).collect();
    let leaf = super::trees::leaves(set, prf_key, parameter, epoch, 1).pop().expect("one leaf was asked for");
    OneTimeKey { starts, ends, leaf }
}

// ---- message hash and encoding (spec section 8) ----

/// What a message hash hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageInput {
    /// Parameter of the key.
    pub parameter: [u32; 5],
    /// The epoch.
    pub epoch: u32,
    /// The message.
    pub message: [u8; 32],
    /// The randomness `rho`.
    pub randomness: Vec<u32>,
}

/// A message hash and what the encoding makes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageHash {
    /// The words of the hash. Poseidon1 sets use the first eight.
    pub words: [u32; HASH_WORDS],
    /// How top-layer encodings (Poseidon2 sets) find the vertex.
    pub top_layers: Option<TopLayers>,
    /// The vertex that the hash names; `None` where the encoding aborts.
    pub vertex: Option<Vec<u8>>,
    /// The codeword: the vertex, if it has the target sum.
    pub codeword: Option<Vec<u8>>,
}

/// The way from hash to vertex, as integers of 64-bit limbs, least significant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopLayers {
    /// The hash as an integer, modulo the number of vertices.
    pub reduced: [u64; 3],
    /// The layer of the vertex.
    pub layer: usize,
    /// Its number in the layer.
    pub offset: [u64; 3],
}

/// Hashes every input, in lanes.
#[must_use]
pub fn message_hashes(set: ParameterSet, inputs: &[MessageInput]) -> Vec<MessageHash> {
    let family = family(set);
    let mut hashes = Vec::with_capacity(inputs.len());
    with_engine!(Isa::current(), engine => hash_messages(family, engine, inputs, &mut hashes));
    let coordinates = |codeword: crate::encoding::Codeword| codeword.0[..set.chains()].to_vec();
    let inspect = |words: &[u32; HASH_WORDS]| {
        let (vertex, place) = family.encoding().locate(words);
        MessageHash {
            words: *words,
            top_layers: place.map(|(reduced, layer, offset)| TopLayers {
                reduced: reduced.0,
                layer,
                offset: offset.0,
            }),
            vertex: vertex.map(coordinates),
            codeword: family.encoding().decode(words).map(coordinates),
        }
    };
    hashes.iter().map(inspect).collect()
}

fn hash_messages<E: Engine>(
    family: &Poseidon,
    engine: E,
    inputs: &[MessageInput],
    out: &mut Vec<[u32; HASH_WORDS]>,
) {
    let lanes = family.lanes(engine);
    for group in inputs.chunks(E::LANES) {
        let column = |element: &dyn Fn(&MessageInput) -> KoalaBear| {
            let mut column = [KoalaBear::ZERO; MAX_LANES];
            column.iter_mut().zip(group).for_each(|(x, input)| *x = element(input));
            engine.load(&column[..E::LANES])
        };
        let mut epochs = [0; MAX_LANES];
        epochs.iter_mut().zip(group).for_each(|(n, input)| *n = tweak::epoch(input.epoch));
        let statement = Statement {
            parameter: core::array::from_fn(|i| column(&|input| KoalaBear::new(input.parameter[i]))),
            epoch: engine.two_digits(&epochs[..E::LANES]),
            message: core::array::from_fn(|i| column(&|input| tweak::message(&input.message)[i])),
        };
        let len = group[0].randomness.len();
        let randomness: Vec<E::Word> =
            (0..len).map(|i| column(&|input| KoalaBear::new(input.randomness[i]))).collect();
        out.extend_from_slice(&message::hash(&lanes, &statement, &randomness)[..group.len()]);
    }
}

/// What the encoding search of a signature finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundEncoding {
    /// The counter of the first success.
    pub counter: u32,
    /// Its randomness `rho`.
    pub randomness: Vec<u32>,
    /// Its codeword.
    pub codeword: Vec<u8>,
}

/// The encoding search of signing (spec section 8.3); `None` if all attempts fail.
#[must_use]
pub fn find_encoding(
    set: ParameterSet,
    prf_key: &[u8; 32],
    parameter: &[u32; 5],
    epoch: u32,
    message: &[u8; 32],
) -> Option<FoundEncoding> {
    const STRIDE: u16 = 64;
    let (isa, key) = (Isa::current(), secret(prf_key));
    let (found, codeword) = family(set).find_encoding(
        isa,
        &hashing::OneTimeKey { parameter: &digest(parameter), prf_key: &key, epoch },
        message,
    )?;
    let randomness = words(&found, set.randomness_len());
    // The search does not say which counter it stopped at: look for the randomness among the candidates.
    let counter = (0..MAX_ATTEMPTS).step_by(usize::from(STRIDE)).find_map(|first| {
        let candidates = randomness_candidates(set, prf_key, epoch, message, first, usize::from(STRIDE));
        (first..)
            .zip(candidates)
            .find_map(|(counter, candidate)| (candidate == randomness).then_some(counter))
    })?;
    Some(FoundEncoding { counter, randomness, codeword: codeword.0[..set.chains()].to_vec() })
}
