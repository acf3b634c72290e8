//! The hash functions of a parameter set: what the scheme asks of a family, and the Poseidon family.
//!
//! Keys, trees, windows and the wire know nothing of fields: they move [`Digest`]s and ask a [`Family`]. Poseidon over
//! KoalaBear is one; another joins by implementing the trait and by rows of the parameter table.
#![forbid(unsafe_code)]

use super::chain::{self, Walk};
use super::digest::{Digest, Parameter, Randomness};
use super::encoding::{Codeword, Encoding, MAX_CHAINS, Target};
use super::lanes::Lanes;
use super::leaf::{CAPACITY, Sponge};
use super::message::{self, Statement};
use super::prf::Prf;
use super::prf_key::PrfKey;
use super::tweak;
use crate::fields::koala_bear::{KoalaBear, P};
use crate::hashes::poseidon::portable::Scalar;
use crate::hashes::poseidon::{Engine, MAX_LANES, Version, with_engine};
use alloc::boxed::Box;
use alloc::vec::Vec;
use once_cell::race::OnceBox;
use phalanx_core::InvalidSignature;
use phalanx_core::simd::Isa;
use rand_core::Rng;

/// Most encoding attempts of a signature (spec section 8.3).
pub(crate) const MAX_ATTEMPTS: u32 = 100_000;

/// What signs at one epoch.
#[derive(Clone, Copy)]
pub(crate) struct OneTimeKey<'a> {
    /// Parameter of the key.
    pub(crate) parameter: &'a Parameter,
    /// Its secret.
    pub(crate) prf_key: &'a PrfKey,
    /// The epoch; below the lifetime.
    pub(crate) epoch: u32,
}

/// A signature, taken apart, together with what it is said to sign.
pub(crate) struct ToVerify<'a> {
    /// Root of the signer's tree.
    pub(crate) root: &'a Digest,
    /// Parameter of the signer's key.
    pub(crate) parameter: &'a Parameter,
    /// The epoch; below the lifetime.
    pub(crate) epoch: u32,
    /// The message.
    pub(crate) message: &'a [u8; 32],
    /// Randomness of the signature.
    pub(crate) randomness: &'a Randomness,
    /// Its values, one a chain.
    pub(crate) hashes: &'a [Digest],
    /// Its siblings, from the leaf's level up.
    pub(crate) path: &'a [Digest],
}

/// The hash functions of one parameter set. Methods that take an [`Isa`] fill its lanes.
pub(crate) trait Family: Sync {
    /// This family, if it is the Poseidon one: [`crate::hazmat`] looks inside.
    #[cfg(feature = "hazmat")]
    fn as_poseidon(&self) -> Option<&Poseidon> {
        None
    }

    /// Draws a parameter.
    fn random_parameter(&self, rng: &mut dyn Rng) -> Parameter;

    /// Draws a node for padding.
    fn random_node(&self, rng: &mut dyn Rng) -> Digest;

    /// The leaves of epochs `first..first + out.len()`.
    fn leaves(&self, isa: Isa, parameter: &Parameter, key: &PrfKey, first: u32, out: &mut [Digest]);

    /// Nodes `first..first + out.len()` of tree level `height`, each from two of `children`.
    fn parents(
        &self,
        isa: Isa,
        parameter: &Parameter,
        height: u8,
        first: u64,
        children: &[Digest],
        out: &mut [Digest],
    );

    /// The first randomness, in counter order, under which `message` has an encoding (spec section 8.3).
    fn find_encoding(
        &self,
        isa: Isa,
        key: &OneTimeKey<'_>,
        message: &[u8; 32],
    ) -> Option<(Randomness, Codeword)>;

    /// The value of every chain at its position in `codeword`.
    fn reveal(&self, isa: Isa, key: &OneTimeKey<'_>, codeword: &Codeword, out: &mut [Digest]);

    /// A result for every signature. `results` has as many entries as `signatures`, which are all of the family's set.
    fn verify(&self, isa: Isa, signatures: &[ToVerify<'_>], results: &mut [Result<(), InvalidSignature>]);

    /// The wire form of a word in SSZ, of one that is in use in some digest.
    fn word_to_ssz(&self, word: u32) -> u32;

    /// The word whose SSZ form is `wire`; `Err` holds the bound that `wire` must stay below.
    fn word_from_ssz(&self, wire: u32) -> Result<u32, u32>;

    /// Whether `word` may stand in a digest; `Err` holds the bound that it must stay below. (bincode and JSON store
    /// words as they are.)
    fn check_word(&self, word: u32) -> Result<(), u32>;
}

/// Field elements of the parameter `P`.
const PARAMETER_LEN: usize = 5;

/// Signatures whose chains are walked together by [`Family::verify`]: enough to fill lanes with chains of like length,
/// few enough to stay in the second-level cache (64 chains of 56 bytes each).
const VERIFY_CHUNK: usize = 64;

/// The numbers of a parameter set that hashing depends on.
pub(crate) struct Shape {
    /// Which permutation.
    pub(crate) version: Version,
    /// Number of chains, `v`.
    pub(crate) chains: usize,
    /// Positions of a chain, `w`.
    pub(crate) base: u8,
    /// Elements of a hash, `n`.
    pub(crate) hash_len: usize,
    /// Elements of the randomness.
    pub(crate) randomness_len: usize,
    /// Which hashes are codewords.
    pub(crate) target: Target,
}

/// The family, for one parameter set.
pub(crate) struct Poseidon {
    shape: Shape,
    encoding: Encoding,
    capacity: OnceBox<[KoalaBear; CAPACITY]>,
}

impl Poseidon {
    /// The family of `shape`; tables are computed when first needed.
    pub(crate) const fn new(shape: Shape) -> Self {
        let encoding = Encoding::new(shape.chains, shape.base, shape.target);
        Self { shape, encoding, capacity: OnceBox::new() }
    }

    /// `engine` set up for this parameter set.
    pub(crate) fn lanes<E: Engine>(&self, engine: E) -> Lanes<E> {
        let Shape { version, hash_len, .. } = self.shape;
        Lanes { engine, version, hash_len, zero: engine.splat(KoalaBear::ZERO) }
    }

    /// The sponge's capacity value: a hash of the shape of its input (spec section 7).
    pub(crate) fn capacity(&self) -> &[KoalaBear; CAPACITY] {
        self.capacity.get_or_init(|| {
            let lengths = [PARAMETER_LEN, 2, self.shape.chains, self.shape.hash_len];
            let packed = lengths.iter().fold(0u128, |packed, &length| (packed << 32) | length as u128);
            let input: [KoalaBear; 24] = KoalaBear::digits(packed);
            let mut state = input;
            Scalar.permute24(self.shape.version, &mut state);
            Box::new(core::array::from_fn(|i| state[i].add(input[i])))
        })
    }

    /// The encoding of this parameter set.
    #[cfg(feature = "hazmat")]
    pub(crate) fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// The leaves of one epoch a lane; `out` holds the first lanes, the others repeat the last epoch.
    fn leaves_with<E: Engine>(
        &self,
        engine: E,
        isa: Isa,
        parameter: &Parameter,
        prf: &mut Prf,
        first: u32,
        out: &mut [Digest],
    ) {
        let lanes = self.lanes(engine);
        let parameter = lanes.splat_words(&parameter.0);
        let mut epochs = [0; MAX_LANES];
        for (lane, epoch) in epochs.iter_mut().enumerate() {
            let offset = lane.min(out.len() - 1);
            *epoch = first + u32::try_from(offset).expect("few lanes");
        }
        let mut sponge = self.leaf_sponge(&lanes, &parameter, &epochs);
        for chain in 0..self.chain_count() {
            let mut value = prf.starts(engine, isa, &epochs, &[chain; MAX_LANES], lanes.hash_len);
            chain::to_end(&lanes, &parameter, &epochs, chain, self.shape.base, &mut value);
            sponge.absorb(&value[..lanes.hash_len]);
        }
        lanes.store_hashes(&sponge.finish(), out);
    }

    /// A sponge that has absorbed the parameter and the leaf's tweak.
    pub(crate) fn leaf_sponge<'a, E: Engine>(
        &self,
        lanes: &'a Lanes<E>,
        parameter: &[E::Word; 5],
        epochs: &[u32; MAX_LANES],
    ) -> Sponge<'a, E> {
        let tweaks = epochs.map(|epoch| tweak::tree(0, u64::from(epoch)));
        let mut sponge = Sponge::new(lanes, self.capacity());
        sponge.absorb(parameter);
        sponge.absorb(&lanes.engine.two_digits(&tweaks[..E::LANES]));
        sponge
    }

    /// The number of chains, as chain indices are counted.
    fn chain_count(&self) -> u8 {
        u8::try_from(self.shape.chains).expect("at most 64 chains")
    }

    fn parents_with<E: Engine>(
        &self,
        engine: E,
        parameter: &Parameter,
        height: u8,
        first: u64,
        children: &[Digest],
        out: &mut [Digest],
    ) {
        let lanes = self.lanes(engine);
        let parameter = lanes.splat_words(&parameter.0);
        let mut position = first;
        for (out, children) in out.chunks_mut(E::LANES).zip(children.chunks(2 * E::LANES)) {
            let last = out.len() - 1;
            let left = lanes.load_words(|lane| &children[2 * lane.min(last)].0);
            let right = lanes.load_words(|lane| &children[2 * lane.min(last) + 1].0);
            let mut tweaks = [0; MAX_LANES];
            for (lane, tweak) in tweaks.iter_mut().enumerate() {
                *tweak = tweak::tree(height, position + lane.min(last) as u64);
            }
            let tweak = engine.two_digits(&tweaks[..E::LANES]);
            lanes.store_hashes(&lanes.node(&parameter, &tweak, &left, &right), out);
            position += out.len() as u64;
        }
    }

    fn find_encoding_with<E: Engine>(
        &self,
        engine: E,
        isa: Isa,
        key: &OneTimeKey<'_>,
        message: &[u8; 32],
    ) -> Option<(Randomness, Codeword)> {
        let OneTimeKey { parameter, prf_key, epoch } = *key;
        let mut prf = Prf::randomness(prf_key, epoch, message);
        let lanes = self.lanes(engine);
        let statement = Statement {
            parameter: lanes.splat_words(&parameter.0),
            epoch: engine.two_digits(&[tweak::epoch(epoch); MAX_LANES][..E::LANES]),
            message: tweak::message(message).map(|x| engine.splat(x)),
        };
        let len = self.shape.randomness_len;
        for first in (0..MAX_ATTEMPTS).step_by(E::LANES) {
            let candidates = prf.candidates(engine, isa, first, len);
            let hashes = message::hash(&lanes, &statement, &candidates[..len]);
            // The last group may reach past the limit; the first success in counter order counts.
            let within = usize::try_from(MAX_ATTEMPTS - first).expect("a small number").min(E::LANES);
            for (lane, hash) in hashes[..within].iter().enumerate() {
                if let Some(codeword) = self.encoding.decode(hash) {
                    let mut randomness = Randomness::default();
                    let mut column = [KoalaBear::ZERO; MAX_LANES];
                    for (i, word) in candidates[..len].iter().enumerate() {
                        engine.store(word, &mut column[..E::LANES]);
                        randomness.0[i] = column[lane].montgomery();
                    }
                    return Some((randomness, codeword));
                }
            }
        }
        None
    }

    fn reveal_with<E: Engine>(
        &self,
        engine: E,
        isa: Isa,
        key: &OneTimeKey<'_>,
        codeword: &Codeword,
        out: &mut [Digest],
    ) {
        let OneTimeKey { parameter, prf_key, epoch } = *key;
        let mut prf = Prf::chain_starts(prf_key);
        let lanes = self.lanes(engine);
        let chain = |i: usize| u8::try_from(i).expect("at most 64 chains");
        for (group, values) in out.chunks_mut(E::LANES).enumerate() {
            let chains = core::array::from_fn(|lane| chain((group * E::LANES + lane).min(MAX_CHAINS - 1)));
            let starts = prf.starts(engine, isa, &[epoch; MAX_LANES], &chains, lanes.hash_len);
            lanes.store_hashes(&starts, values);
        }
        let mut walks: Vec<Walk<'_>> = (out.iter().zip(codeword.0).enumerate())
            .map(|(i, (value, steps))| Walk {
                parameter,
                epoch,
                chain: chain(i),
                position: 0,
                steps,
                value: *value,
            })
            .collect();
        chain::walk(&lanes, &mut walks);
        for (value, walk) in out.iter_mut().zip(&walks) {
            *value = walk.value;
        }
    }

    /// The codewords that the message hashes of `signatures`, at most one a lane, encode to.
    fn encode_group<E: Engine>(
        &self,
        engine: E,
        signatures: &[ToVerify<'_>],
        out: &mut Vec<Option<Codeword>>,
    ) {
        let lanes = self.lanes(engine);
        let of_lane = |lane: usize| &signatures[lane.min(signatures.len() - 1)];
        let tweaks: [u64; MAX_LANES] = core::array::from_fn(|lane| tweak::epoch(of_lane(lane).epoch));
        let mut messages = [[KoalaBear::ZERO; MAX_LANES]; 9];
        for lane in 0..E::LANES {
            for (column, x) in messages.iter_mut().zip(tweak::message(of_lane(lane).message)) {
                column[lane] = x;
            }
        }
        let statement = Statement {
            parameter: lanes.load_words(|lane| &of_lane(lane).parameter.0),
            epoch: engine.two_digits(&tweaks[..E::LANES]),
            message: messages.map(|column| engine.load(&column[..E::LANES])),
        };
        let randomness: [E::Word; 8] = lanes.load_words(|lane| &of_lane(lane).randomness.0);
        let hashes = message::hash(&lanes, &statement, &randomness[..self.shape.randomness_len]);
        out.extend(hashes[..signatures.len()].iter().map(|hash| self.encoding.decode(hash)));
    }

    /// The roots that `signatures`, at most one a lane, lead to: leaf from `ends[lane]`, then up the path.
    fn climb_group<E: Engine>(
        &self,
        engine: E,
        signatures: &[(&ToVerify<'_>, &[Walk<'_>])],
        roots: &mut [Digest],
    ) {
        let lanes = self.lanes(engine);
        let of_lane = |lane: usize| &signatures[lane.min(signatures.len() - 1)];
        let epochs: [u32; MAX_LANES] = core::array::from_fn(|lane| of_lane(lane).0.epoch);
        let parameter = lanes.load_words(|lane| &of_lane(lane).0.parameter.0);
        let mut sponge = self.leaf_sponge(&lanes, &parameter, &epochs);
        for chain in 0..self.shape.chains {
            let end: [E::Word; 8] = lanes.load_words(|lane| &of_lane(lane).1[chain].value.0);
            sponge.absorb(&end[..lanes.hash_len]);
        }
        let mut node = sponge.finish();
        let height = signatures[0].0.path.len();
        for l in 0..height {
            let sibling = lanes.load_words(|lane| &of_lane(lane).0.path[l].0);
            let (mut tweaks, mut right) = ([0; MAX_LANES], 0u32);
            for (lane, tweak) in tweaks.iter_mut().enumerate() {
                let position = u64::from(epochs[lane]) >> l;
                right |= u32::from(position & 1 == 1) << lane;
                *tweak = tweak::tree(u8::try_from(l + 1).expect("at most 32 levels"), position >> 1);
            }
            let pick = |lanes_of_a: u32, a: &[E::Word; 8], b: &[E::Word; 8]| {
                core::array::from_fn(|i| engine.select(lanes_of_a, &a[i], &b[i]))
            };
            let (first, second) = (pick(right, &sibling, &node), pick(right, &node, &sibling));
            node = lanes.node(&parameter, &engine.two_digits(&tweaks[..E::LANES]), &first, &second);
        }
        lanes.store_hashes(&node, roots);
    }

    /// Results for a few signatures, whose chains are walked together.
    fn verify_chunk<E: Engine>(
        &self,
        engine: E,
        signatures: &[ToVerify<'_>],
        results: &mut [Result<(), InvalidSignature>],
    ) {
        let mut codewords = Vec::with_capacity(signatures.len());
        for group in signatures.chunks(E::LANES) {
            match group {
                // One alone is faster without lanes to fill.
                [_] => self.encode_group(engine.single(), group, &mut codewords),
                _ => self.encode_group(engine, group, &mut codewords),
            }
        }
        let last = self.shape.base - 1;
        let valid: Vec<usize> = (0..signatures.len()).filter(|&i| codewords[i].is_some()).collect();
        let mut walks = Vec::with_capacity(valid.len() * self.shape.chains);
        for &i in &valid {
            let ToVerify { parameter, epoch, hashes, .. } = signatures[i];
            let codeword = codewords[i].expect("filtered above");
            for (chain, (&value, position)) in (0u8..).zip(hashes.iter().zip(codeword.0)) {
                walks.push(Walk { parameter, epoch, chain, position, steps: last - position, value });
            }
        }
        chain::walk(&self.lanes(engine), &mut walks);
        let finished: Vec<_> =
            valid.iter().map(|&i| &signatures[i]).zip(walks.chunks(self.shape.chains)).collect();
        for (group, indices) in finished.chunks(E::LANES).zip(valid.chunks(E::LANES)) {
            let mut roots = [Digest::default(); MAX_LANES];
            match group {
                [_] => self.climb_group(engine.single(), group, &mut roots[..1]),
                _ => self.climb_group(engine, group, &mut roots[..group.len()]),
            }
            for ((signature, _), (&i, root)) in group.iter().zip(indices.iter().zip(&roots)) {
                results[i] = if root == signature.root { Ok(()) } else { Err(InvalidSignature) };
            }
        }
    }
}

/// A uniformly random element: 31 random bits as Montgomery word, again if not below `p` (spec section 5).
pub(crate) fn random_element(rng: &mut dyn Rng) -> u32 {
    loop {
        let word = rng.next_u32() >> 1;
        if word < P {
            return word;
        }
    }
}

/// `len` random elements.
fn random_digest(rng: &mut dyn Rng, len: usize) -> Digest {
    let mut digest = Digest::default();
    digest.0[..len].fill_with(|| random_element(rng));
    digest
}

impl Family for Poseidon {
    #[cfg(feature = "hazmat")]
    fn as_poseidon(&self) -> Option<&Poseidon> {
        Some(self)
    }

    fn random_parameter(&self, rng: &mut dyn Rng) -> Parameter {
        random_digest(rng, PARAMETER_LEN)
    }

    fn random_node(&self, rng: &mut dyn Rng) -> Digest {
        random_digest(rng, self.shape.hash_len)
    }

    fn leaves(&self, isa: Isa, parameter: &Parameter, key: &PrfKey, first: u32, out: &mut [Digest]) {
        fn run<E: Engine>(
            family: &Poseidon,
            engine: E,
            isa: Isa,
            parameter: &Parameter,
            key: &PrfKey,
            first: u32,
            out: &mut [Digest],
        ) {
            let mut prf = Prf::chain_starts(key);
            for (group, out) in out.chunks_mut(E::LANES).enumerate() {
                let offset = u32::try_from(group * E::LANES).expect("a tree has at most 2^16 leaves");
                family.leaves_with(engine, isa, parameter, &mut prf, first + offset, out);
            }
        }
        with_engine!(isa, engine => run(self, engine, isa, parameter, key, first, out));
    }

    fn parents(
        &self,
        isa: Isa,
        parameter: &Parameter,
        height: u8,
        first: u64,
        children: &[Digest],
        out: &mut [Digest],
    ) {
        with_engine!(isa, engine => match out {
            // One alone is faster without lanes to fill.
            [_] => self.parents_with(engine.single(), parameter, height, first, children, out),
            _ => self.parents_with(engine, parameter, height, first, children, out),
        });
    }

    fn find_encoding(
        &self,
        isa: Isa,
        key: &OneTimeKey<'_>,
        message: &[u8; 32],
    ) -> Option<(Randomness, Codeword)> {
        with_engine!(isa, engine => self.find_encoding_with(engine, isa, key, message))
    }

    fn reveal(&self, isa: Isa, key: &OneTimeKey<'_>, codeword: &Codeword, out: &mut [Digest]) {
        with_engine!(isa, engine => self.reveal_with(engine, isa, key, codeword, out));
    }

    fn verify(&self, isa: Isa, signatures: &[ToVerify<'_>], results: &mut [Result<(), InvalidSignature>]) {
        results.fill(Err(InvalidSignature));
        for (signatures, results) in signatures.chunks(VERIFY_CHUNK).zip(results.chunks_mut(VERIFY_CHUNK)) {
            with_engine!(isa, engine => self.verify_chunk(engine, signatures, results));
        }
    }

    fn word_to_ssz(&self, word: u32) -> u32 {
        KoalaBear::from_reduced_montgomery(word).canonical()
    }

    fn word_from_ssz(&self, wire: u32) -> Result<u32, u32> {
        KoalaBear::from_canonical(wire).map(KoalaBear::montgomery).ok_or(P)
    }

    fn check_word(&self, word: u32) -> Result<(), u32> {
        KoalaBear::from_montgomery(word).map(|_| ()).ok_or(P)
    }
}
