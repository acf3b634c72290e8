//! Starts of chains, leaves, nodes and encodings, many side by side (specification sections 4, 5 and 7).
#![forbid(unsafe_code)]

use super::encoding::{self, Digits};
use super::parameters::{
    CHAINS, HEIGHT, Node, Profile, Randomizer, STEPS, SecretUse, TARGET, Use, secret_tweak,
};
use crate::hashes::blake2s::{Lanes, Slices, half_digest};
use crate::prf_key::PrfKey;
use alloc::boxed::Box;
use alloc::vec::Vec;
use phalanx_core::declassify::declassify;
use phalanx_core::secret::wipe_stack;
use zeroize::{Zeroize, Zeroizing};

/// The message that a leaf hashes: tweak, parameter, the ends of all chains. Eleven blocks.
pub(super) type LeafMessage<const N: usize> = [Slices<16, N>];

/// Blocks of a [`LeafMessage`].
pub(super) const LEAF_BLOCKS: usize = (8 + 4 * CHAINS) / 16;

/// Words of little-endian bytes.
pub(crate) fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let mut words = [0; N];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// Calls `put` with every word of a secret and its number: it is copied where it is wanted and nowhere else.
fn each_word(seed: &PrfKey, mut put: impl FnMut(usize, u32)) {
    for (i, bytes) in seed.bytes().as_chunks::<4>().0.iter().enumerate() {
        put(i, u32::from_le_bytes(*bytes));
    }
}

/// Puts the same `words` into every lane, from word `at` on.
fn splat<const N: usize>(to: &mut [[u32; N]], at: usize, words: &[u32]) {
    for (slice, &word) in to[at..].iter_mut().zip(words) {
        *slice = [word; N];
    }
}

/// Puts `words` into one lane, from word `at` on.
#[inline(always)]
pub(crate) fn put<const N: usize>(to: &mut [[u32; N]], at: usize, lane: usize, words: &[u32]) {
    for (slice, &word) in to[at..].iter_mut().zip(words) {
        slice[lane] = word;
    }
}

/// Puts a node of every lane from word `at` on.
#[inline(always)]
pub(super) fn put_nodes<const N: usize>(to: &mut [[u32; N]], at: usize, of_lane: impl Fn(usize) -> Node) {
    let Some([a, b, c, d]) = to[at..].first_chunk_mut() else { unreachable!("four words") };
    // Four lanes at a time, which the compiler makes shuffles of.
    let (mut lane, whole) = (0, N - N % 4);
    while lane < whole {
        let rows = [of_lane(lane), of_lane(lane + 1), of_lane(lane + 2), of_lane(lane + 3)];
        a[lane..lane + 4].copy_from_slice(&column(rows, 0));
        b[lane..lane + 4].copy_from_slice(&column(rows, 1));
        c[lane..lane + 4].copy_from_slice(&column(rows, 2));
        d[lane..lane + 4].copy_from_slice(&column(rows, 3));
        lane += 4;
    }
    while lane < N {
        [a[lane], b[lane], c[lane], d[lane]] = of_lane(lane);
        lane += 1;
    }
}

/// Word `i` of each row. (`map` would be compiled for every place that puts nodes, were it written there.)
#[inline]
fn column(rows: [Node; 4], i: usize) -> [u32; 4] {
    rows.map(|row| row[i])
}

/// Puts the end of a chain into one lane of a leaf's message.
#[inline(always)]
pub(super) fn put_end<const N: usize>(message: &mut LeafMessage<N>, chain: usize, lane: usize, end: &Node) {
    let quarter = 2 + chain;
    put(&mut *message[quarter / 4], quarter % 4 * 4, lane, end);
}

/// The node in one lane of four slices.
#[inline(always)]
pub(super) fn get<const N: usize>(from: &[[u32; N]], lane: usize) -> Node {
    core::array::from_fn(|i| from[i][lane])
}

/// What a key derives from its seed: `Th(P, tweak, S)` (specification section 7).
fn derived(parameter: &Node, tweak: [u32; 4], seed: &PrfKey) -> Node {
    let mut message = Zeroizing::new([tweak, *parameter, [0; 4], [0; 4]]);
    each_word(seed, |i, word| message[2 + i / 4][i % 4] = word);
    let digest = half_digest(&message[..]);
    wipe_stack();
    digest
}

/// The public parameter that a seed gives.
pub(crate) fn parameter(seed: &PrfKey) -> Node {
    derived(&[0; 4], secret_tweak(SecretUse::Parameter, 0, 0), seed)
}

/// What stands in a key's tree where no epoch of the key is below.
pub(crate) fn filler(seed: &PrfKey, parameter: &Node, level: u8, index: u64) -> Node {
    let index = u32::try_from(index).expect("a level has at most 2^32 nodes");
    derived(parameter, secret_tweak(SecretUse::Filler, level.into(), index), seed)
}

/// Blocks that hold secrets, in one place of the heap; wiped on drop.
struct SecretBlocks<const N: usize> {
    derivation: Slices<16, N>,
    chain: Slices<16, N>,
    digests: Slices<8, N>,
}

impl<const N: usize> Drop for SecretBlocks<N> {
    fn drop(&mut self) {
        self.derivation.zeroize();
        self.chain.zeroize();
        self.digests.zeroize();
    }
}

impl<const N: usize> SecretBlocks<N> {
    /// For the chain starts of a key and steps from them, at the epoch of each lane.
    fn new(parameter: &Node, seed: &PrfKey, epochs: &[u32; N]) -> Box<Self> {
        let mut blocks =
            Box::new(Self { derivation: Slices::ZERO, chain: Slices::ZERO, digests: Slices::ZERO });
        let Self { derivation, chain, .. } = &mut *blocks;
        for (block, label) in [
            (&mut *derivation, secret_tweak(SecretUse::Start, 0, 0)),
            (chain, Profile::B.tweak(Use::Chain, 0, 0)),
        ] {
            splat(&mut **block, 0, &label);
            block[3] = *epochs;
            splat(&mut **block, 4, parameter);
        }
        each_word(seed, |i, word| derivation[8 + i] = [word; N]);
        blocks
    }

    /// Puts the start of the chain of each lane into the chain's block.
    fn start(&mut self, lanes: impl Lanes<N>, chains: &[u32; N]) {
        self.derivation[1] = *chains;
        lanes.compress(true, &mut self.digests, &self.derivation, 64, true);
        self.chain[8..12].copy_from_slice(&self.digests[..4]);
        self.chain[1] = chains.map(|chain| 8 * chain);
    }
}

/// The leaves of epochs `first…`, in profile B.
pub(crate) fn leaves<const N: usize>(
    lanes: impl Lanes<N>,
    parameter: &Node,
    seed: &PrfKey,
    first: u32,
    out: &mut [Node],
) {
    let mut message = alloc::vec![Slices::ZERO; LEAF_BLOCKS];
    let mut at = first;
    for out in out.chunks_mut(N) {
        // Idle lanes repeat the last epoch.
        let offset = |lane: usize| u32::try_from(lane.min(out.len() - 1)).expect("few lanes");
        let epochs = core::array::from_fn(|lane| at + offset(lane));
        let mut blocks = SecretBlocks::new(parameter, seed, &epochs);
        splat(&mut *message[0], 0, &Profile::B.tweak(Use::Leaf, 0, 0));
        message[0][3] = epochs;
        splat(&mut *message[0], 4, parameter);
        let ends = message.iter_mut().flat_map(|block| block.as_chunks_mut::<4>().0).skip(2);
        let columns = lanes.columns(&blocks.chain);
        for (chain, end) in (0..).zip(ends) {
            blocks.start(lanes, &[chain; N]);
            lanes.steps(&mut blocks.chain, &columns, STEPS.into());
            end.copy_from_slice(&blocks.chain[8..12]);
        }
        let leaf = hash_leaf(lanes, &message);
        for (lane, out) in out.iter_mut().enumerate() {
            *out = get(&*leaf, lane);
        }
        // The last group of a key may end at the last epoch of all.
        at = at.wrapping_add(u32::try_from(out.len()).expect("few lanes"));
    }
    wipe_stack();
}

/// The digests of whole leaf messages.
pub(super) fn hash_leaf<const N: usize>(lanes: impl Lanes<N>, message: &LeafMessage<N>) -> Slices<8, N> {
    let mut state = Slices::ZERO;
    let mut count = 0;
    for (number, block) in (1..).zip(message) {
        count += 64;
        lanes.compress(number == 1, &mut state, block, count, number == message.len());
    }
    state
}

/// Steps along the chain of every lane, in the messages of the first one of them.
pub(super) fn take_steps<const N: usize>(
    lanes: impl Lanes<N>,
    profile: Profile,
    message: &mut Slices<16, N>,
    columns: &Slices<16, N>,
    steps: u32,
) {
    if profile == Profile::B {
        return lanes.steps(message, columns, steps);
    }
    let (word, by) = profile.next_position();
    for _ in 0..steps {
        let mut state = Slices::ZERO;
        lanes.compress(true, &mut state, message, 48, true);
        message[8..12].copy_from_slice(&state[..4]);
        message[word].iter_mut().for_each(|position| *position += by);
        state.zeroize();
    }
}

/// Climbs the path of every lane to the root: `node` is the leaf of its epoch. Words 4 to 7 of `message` are parameters, the
/// others room to work in.
pub(super) fn climb<const N: usize>(
    lanes: impl Lanes<N>,
    profile: Profile,
    node: &mut Slices<4, N>,
    epochs: &[u32; N],
    siblings: &[Slices<4, N>; HEIGHT as usize],
    message: &mut Slices<16, N>,
) {
    // One path alone is left to the plain function.
    if N > 1 && profile == Profile::B {
        let [label, ..] = profile.tweak(Use::Node, 0, 0);
        return lanes.climb(label, node, epochs, siblings, message);
    }
    let mut index = *epochs;
    for (level, siblings) in (1..).zip(siblings) {
        for (i, (own, sibling)) in node.iter().zip(&**siblings).enumerate() {
            for lane in 0..N {
                // The two change places where the node is on the right.
                let swapped = (own[lane] ^ sibling[lane]) & 0u32.wrapping_sub(index[lane] & 1);
                message[8 + i][lane] = own[lane] ^ swapped;
                message[12 + i][lane] = sibling[lane] ^ swapped;
            }
        }
        index = index.map(|index| index >> 1);
        message[..4].copy_from_slice(&profile.tweaks(Use::Node, level, &index));
        let mut state = Slices::ZERO;
        lanes.compress(true, &mut state, message, 64, true);
        node.copy_from_slice(&state[..4]);
    }
}

/// Nodes `first…` of a level, each from two of `children`.
pub(crate) fn parents<const N: usize>(
    lanes: impl Lanes<N>,
    profile: Profile,
    parameter: &Node,
    level: u8,
    first: u64,
    children: &[Node],
    out: &mut [Node],
) {
    let mut position = first;
    for (out, children) in out.chunks_mut(N).zip(children.chunks(2 * N)) {
        let (mut message, mut state) = (Slices::ZERO, Slices::ZERO);
        splat(&mut *message, 4, parameter);
        for lane in 0..N {
            let of = lane.min(out.len() - 1);
            let index = u32::try_from(position + of as u64).expect("at most 2^31 nodes above the leaves");
            put(&mut *message, 0, lane, &profile.tweak(Use::Node, level.into(), index));
            put(&mut *message, 8, lane, children[2 * of..2 * of + 2].as_flattened());
        }
        lanes.compress(true, &mut state, &message, 64, true);
        for (lane, out) in out.iter_mut().enumerate() {
            *out = get(&*state, lane);
        }
        position += out.len() as u64;
    }
}

/// The first block of an encoding, which the randomizer is not in.
fn encoding_block(profile: Profile, parameter: &Node, epoch: u32, message: &[u8; 32]) -> [u32; 16] {
    let mut block = [0; 16];
    block[..4].copy_from_slice(&profile.tweak(Use::Encoding, 0, epoch));
    block[4..8].copy_from_slice(parameter);
    block[8..].copy_from_slice(&words::<8>(message));
    block
}

/// What one lane encodes.
pub(crate) struct ToEncode<'a> {
    pub(crate) parameter: &'a Node,
    pub(crate) epoch: u32,
    pub(crate) message: &'a [u8; 32],
    pub(crate) randomizer: &'a Randomizer,
}

/// The digests that at most one encoding a lane decodes.
pub(crate) fn encoding_digests<const N: usize>(
    lanes: impl Lanes<N>,
    profile: Profile,
    inputs: &[ToEncode<'_>],
    out: &mut Vec<Node>,
) {
    let (mut first, mut second, mut state) = (Slices::ZERO, Slices::ZERO, Slices::ZERO);
    // Idle lanes repeat the last one.
    let of_lane = |lane: usize| &inputs[lane.min(inputs.len() - 1)];
    first[..4].copy_from_slice(&profile.tweaks(
        Use::Encoding,
        0,
        &core::array::from_fn(|lane| of_lane(lane).epoch),
    ));
    put_nodes(&mut *first, 4, |lane| *of_lane(lane).parameter);
    put_nodes(&mut *first, 8, |lane| words(&of_lane(lane).message[..16]));
    put_nodes(&mut *first, 12, |lane| words(&of_lane(lane).message[16..]));
    put_nodes(&mut *second, 0, |lane| core::array::from_fn(|i| of_lane(lane).randomizer[i]));
    put_nodes(&mut *second, 4, |lane| {
        let [.., a, b] = *of_lane(lane).randomizer;
        [a, b, 0, 0]
    });
    lanes.compress(true, &mut state, &first, 64, false);
    lanes.compress_half(false, &mut state, &second, 96);
    out.extend((0..inputs.len()).map(|lane| get(&*state, lane)));
}

/// What signs at one epoch.
#[derive(Clone, Copy)]
pub(crate) struct OneTimeKey<'a> {
    pub(crate) parameter: &'a Node,
    pub(crate) seed: &'a PrfKey,
    pub(crate) epoch: u32,
}

/// A word that is secret no longer.
fn public(word: u32) -> u32 {
    let mut bytes = word.to_le_bytes();
    declassify(&mut bytes);
    u32::from_le_bytes(bytes)
}

/// The randomizer of the first trial that has an encoding (specification section 8), with its digits and number.
pub(crate) fn find_encoding<const N: usize>(
    lanes: impl Lanes<N>,
    key: &OneTimeKey<'_>,
    message: &[u8; 32],
) -> Option<(Randomizer, Digits, u32)> {
    let OneTimeKey { parameter, seed, epoch } = *key;
    // Of the randomizer's two blocks the first has the number of the trial, and the second is the message.
    let mut blocks = SecretBlocks::<N>::new(parameter, seed, &[epoch; N]);
    splat(&mut *blocks.derivation, 0, &secret_tweak(SecretUse::Randomizer, 0, epoch));
    splat(&mut *blocks.chain, 0, &words::<8>(message));
    splat(&mut *blocks.chain, 8, &[0; 8]);
    // Of the encoding's two blocks the first is the same for all trials.
    let (mut midstate, mut first) = (Slices::ZERO, Slices::ZERO);
    splat(&mut *first, 0, &encoding_block(Profile::B, parameter, epoch, message));
    lanes.compress(true, &mut midstate, &first, 64, false);
    let mut second = Slices::ZERO;
    for trial in (0..=u32::MAX).step_by(N) {
        for (lane, number) in (0..).zip(&mut blocks.derivation[1]) {
            *number = trial + lane;
        }
        lanes.compress(true, &mut blocks.digests, &blocks.derivation, 64, false);
        lanes.compress_half(false, &mut blocks.digests, &blocks.chain, 96);
        second[..6].copy_from_slice(&blocks.digests[..6]);
        let mut state = midstate;
        lanes.compress_half(false, &mut state, &second, 96);
        // How many trials it takes is seen by whoever waits.
        let mut is_hit = lanes.misses(&state, TARGET).map(|miss| u8::from(miss == 0));
        declassify(&mut is_hit);
        if let Some(lane) = is_hit.iter().position(|&is_hit| is_hit == 1) {
            // The randomizer is part of the signature, and its digest anybody can compute.
            let randomizer: Randomizer = core::array::from_fn(|i| public(second[i][lane]));
            let digest = get(&*state, lane).map(public);
            let digits = encoding::decode(&digest).expect("the filter is decoding");
            let number = trial + u32::try_from(lane).expect("few lanes");
            return Some((randomizer, digits, number));
        }
    }
    None
}

/// The start of every chain of an epoch, in profile B. Secret.
pub(crate) fn starts<const N: usize>(lanes: impl Lanes<N>, key: &OneTimeKey<'_>, out: &mut [Node; CHAINS]) {
    let mut blocks = SecretBlocks::<N>::new(key.parameter, key.seed, &[key.epoch; N]);
    for (first, out) in (0..).step_by(N).zip(out.chunks_mut(N)) {
        let lane_numbers: [u32; N] = core::array::from_fn(|lane| u32::try_from(lane).expect("few lanes"));
        blocks.start(lanes, &lane_numbers.map(|lane| first + lane));
        for (lane, out) in out.iter_mut().enumerate() {
            // Word by word to where they stay: no copy of a start is left on the stack.
            out.iter_mut().zip(&blocks.chain[8..]).for_each(|(word, slice)| *word = slice[lane]);
        }
    }
}

/// A chain on its way.
pub(crate) struct Walk<'a> {
    pub(crate) parameter: &'a Node,
    pub(crate) epoch: u32,
    pub(crate) chain: u8,
    pub(crate) position: u8,
    pub(crate) steps: u8,
}

/// Walks every chain its number of steps, from `value(i)` on, and calls `end(i, value)`. Lanes are packed by the steps
/// that are left: the longest first, and who is there leaves.
pub(crate) fn walk<'v, const N: usize>(
    lanes: impl Lanes<N>,
    profile: Profile,
    walks: &[Walk<'_>],
    value: impl Fn(usize) -> &'v Node,
    mut end: impl FnMut(usize, Node),
) {
    // Sorted by counting: where the walks of each number of steps begin, the longest first.
    let mut at = [0; STEPS as usize + 1];
    for walk in walks {
        at[usize::from(STEPS - walk.steps)] += 1;
    }
    let mut before = 0;
    for at in &mut at {
        (*at, before) = (before, before + *at);
    }
    let mut order = alloc::vec![0; walks.len()];
    for (i, walk) in walks.iter().enumerate() {
        let at = &mut at[usize::from(STEPS - walk.steps)];
        order[*at] = i;
        *at += 1;
    }
    let mut message = Slices::ZERO;
    for group in order.chunks(N) {
        for (lane, &i) in group.iter().enumerate() {
            let Walk { parameter, epoch, chain, position, .. } = walks[i];
            let p = 8 * u32::from(chain) + u32::from(position);
            put(&mut *message, 0, lane, &profile.tweak(Use::Chain, p, epoch));
            put(&mut *message, 4, lane, parameter);
            put(&mut *message, 8, lane, value(i));
        }
        let columns = lanes.columns(&message);
        let mut done = 0;
        for (lane, &i) in group.iter().enumerate().rev() {
            let steps = walks[i].steps;
            if steps > done {
                take_steps(lanes, profile, &mut message, &columns, (steps - done).into());
                done = steps;
            }
            end(i, get(&message[8..], lane));
        }
    }
    message.zeroize();
}
