//! Hash chains (spec section 7): one step, and walking many chains of uneven length with full lanes.
#![forbid(unsafe_code)]

use super::digest::{Digest, Parameter};
use super::lanes::Lanes;
use super::tweak;
use crate::fields::koala_bear::KoalaBear;
use crate::hashes::poseidon::{Engine, MAX_LANES, Version};
use alloc::vec::Vec;

/// A chain value on its way.
pub(crate) struct Walk<'a> {
    /// Parameter of the key that the chain belongs to.
    pub(crate) parameter: &'a Parameter,
    /// Epoch of the chain.
    pub(crate) epoch: u32,
    /// Index of the chain.
    pub(crate) chain: u8,
    /// Position of `value`.
    pub(crate) position: u8,
    /// Steps still to go.
    pub(crate) steps: u8,
    /// The value; moved on in place.
    pub(crate) value: Digest,
}

/// One step in every lane: `value` becomes the value that `tweak` names.
pub(crate) fn step<E: Engine>(
    lanes: &Lanes<E>,
    parameter: &[E::Word; 5],
    tweak: &[E::Word; 2],
    value: &mut [E::Word; 8],
) {
    let n = lanes.hash_len;
    let mut input = [lanes.zero; 16];
    match lanes.version {
        Version::Two => {
            input[..5].copy_from_slice(parameter);
            input[5..7].copy_from_slice(tweak);
            input[7..7 + n].copy_from_slice(&value[..n]);
        }
        Version::One => {
            input[..n].copy_from_slice(&value[..n]);
            input[n..n + 5].copy_from_slice(parameter);
            input[n + 5..n + 7].copy_from_slice(tweak);
        }
    }
    let output = lanes.engine.compress16(lanes.version, &input);
    value[..n].copy_from_slice(&output[..n]);
}

/// Walks the same chain of every lane's epoch from its start to its end.
pub(crate) fn to_end<E: Engine>(
    lanes: &Lanes<E>,
    parameter: &[E::Word; 5],
    epochs: &[u32; MAX_LANES],
    chain: u8,
    base: u8,
    value: &mut [E::Word; 8],
) {
    for position in 1..base {
        let mut n = [0; MAX_LANES];
        for (n, &epoch) in n.iter_mut().zip(epochs) {
            *n = tweak::chain(epoch, chain, position);
        }
        step(lanes, parameter, &lanes.engine.two_digits(&n[..E::LANES]), value);
    }
}

/// Walks every chain its number of steps. Lanes are filled with chains of like length, so few idle.
pub(crate) fn walk<E: Engine>(lanes: &Lanes<E>, walks: &mut [Walk<'_>]) {
    for group in longest_first(walks).chunks(E::LANES) {
        walk_group(lanes, walks, group);
    }
}

/// The chains that have steps to go, in the order of their number.
fn longest_first(walks: &[Walk<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..walks.len()).filter(|&i| walks[i].steps > 0).collect();
    order.sort_by_key(|&i| core::cmp::Reverse(walks[i].steps));
    order
}

/// Walks the chains `group`, longest first, at most one a lane.
fn walk_group<E: Engine>(lanes: &Lanes<E>, walks: &mut [Walk<'_>], group: &[usize]) {
    let engine = lanes.engine;
    // Idle lanes repeat the first chain; their results are dropped.
    let of_lane = |lane: usize| group[if lane < group.len() { lane } else { 0 }];
    let parameter = lanes.load_words(|lane| &walks[of_lane(lane)].parameter.0);
    let mut value = lanes.load_words(|lane| &walks[of_lane(lane)].value.0);
    for done in 0..walks[group[0]].steps {
        let mut n = [0; MAX_LANES];
        let mut active = 0u32;
        for (lane, n) in n[..E::LANES].iter_mut().enumerate() {
            let walk = &walks[of_lane(lane)];
            active |= u32::from(done < walk.steps) << lane;
            *n = tweak::chain(walk.epoch, walk.chain, walk.position + (done + 1).min(walk.steps));
        }
        let before = value;
        step(lanes, &parameter, &engine.two_digits(&n[..E::LANES]), &mut value);
        if active.count_ones() < u32::try_from(E::LANES).expect("few lanes") {
            for (new, old) in value.iter_mut().zip(&before) {
                *new = engine.select(active, new, old);
            }
        }
    }
    let mut out = [KoalaBear::ZERO; MAX_LANES];
    for (word, lane_words) in value[..lanes.hash_len].iter().enumerate() {
        engine.store(lane_words, &mut out[..E::LANES]);
        for (&i, x) in group.iter().zip(out) {
            walks[i].value.0[word] = x.montgomery();
        }
    }
    for &i in group {
        walks[i].position += walks[i].steps;
        walks[i].steps = 0;
    }
}
