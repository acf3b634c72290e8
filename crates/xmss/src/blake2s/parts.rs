//! What the crate of aggregates shares with this one: encodings and tweaks of the current definition. Hidden, since it
//! promises nothing.
#![forbid(unsafe_code)]

use super::encoding;
use super::hashing::words;
use super::keys::bytes_of;
use super::parameters::{Node, Profile, Use};
use crate::hashes::blake2s::half_digest;

/// Hash chains of an epoch.
pub const CHAINS: usize = super::parameters::CHAINS;
/// Steps of a chain.
pub const STEPS: u8 = super::parameters::STEPS;
/// Levels of the tree above the leaves.
pub const HEIGHT: u8 = super::parameters::HEIGHT;

/// The digits of a message under a randomizer, or `None` if it has no encoding (specification section 4).
#[must_use]
pub fn digits(
    parameter: &[u8; 16],
    epoch: u32,
    message: &[u8; 32],
    randomizer: &[u8; 24],
) -> Option<[u8; CHAINS]> {
    let [m, rest]: [Node; 2] = [words(&message[..16]), words(&message[16..])];
    let [a, b, c, d, e, f] = words(randomizer);
    let tweak = Profile::B.tweak(Use::Encoding, 0, epoch);
    let hashed = half_digest(&[tweak, words(parameter), m, rest, [a, b, c, d], [e, f, 0, 0]]);
    encoding::decode(&hashed)
}

/// The tweak of the step out of value `k` of a chain.
#[must_use]
pub fn chain_tweak(chain: u32, k: u32, epoch: u32) -> [u8; 16] {
    bytes_of(&Profile::B.tweak(Use::Chain, 8 * chain + k, epoch))
}

/// The tweak of an epoch's leaf.
#[must_use]
pub fn leaf_tweak(epoch: u32) -> [u8; 16] {
    bytes_of(&Profile::B.tweak(Use::Leaf, 0, epoch))
}

/// The tweak of the node at `index` of a level.
#[must_use]
pub fn node_tweak(level: u32, index: u32) -> [u8; 16] {
    bytes_of(&Profile::B.tweak(Use::Node, level, index))
}
