//! Encoding, chains, leaves and nodes (specification sections 4 and 5).

use super::hash::{tweak, tweak_hash};
use super::profile::{Profile, Use};

/// Hash chains of an epoch, `v`.
pub const CHAINS: usize = 42;
/// Steps of a chain.
pub const STEPS: u32 = 7;
/// The sum of the digits of an encoding, `T`.
pub const TARGET: u32 = 195;
/// Levels of the tree above the leaves, `h`.
pub const HEIGHT: u32 = 32;

/// A digest: a chain value, a leaf, a tree node, a public parameter.
pub type Node = [u8; 16];

/// Why there is no encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoEncoding {
    /// One of the two bits that no digit covers is set.
    SpareBitSet,
    /// The digits have another sum.
    OffTarget,
}

/// The digits of a digest (specification section 4).
///
/// # Errors
/// If it is not admissible.
pub fn digits(digest: &Node) -> Result<[u32; CHAINS], NoEncoding> {
    let halves: [u64; 2] =
        [0, 8].map(|at| u64::from_le_bytes(digest[at..at + 8].try_into().expect("eight bytes")));
    if halves.iter().any(|half| half >> 63 == 1) {
        return Err(NoEncoding::SpareBitSet);
    }
    let mut digits = [0; CHAINS];
    for (i, digit) in digits.iter_mut().enumerate() {
        *digit = u32::try_from((halves[i / 21] >> (3 * (i % 21))) & 7).expect("three bits");
    }
    if digits.iter().sum::<u32>() == TARGET { Ok(digits) } else { Err(NoEncoding::OffTarget) }
}

/// The digest that encodes a message under a randomizer.
#[must_use]
pub fn encoding_digest(
    profile: Profile,
    parameter: &Node,
    epoch: u32,
    message: &[u8; 32],
    randomness: &[u8; 24],
) -> Node {
    let tweak = tweak(profile, profile.kind(Use::Encoding), 0, epoch);
    tweak_hash(parameter, &tweak, &[&message[..], randomness, &[0; 8]].concat())
}

/// Walks `steps` steps of a chain, from value number `start` on.
#[must_use]
pub fn walk(
    profile: Profile,
    parameter: &Node,
    epoch: u32,
    chain: u32,
    start: u32,
    steps: u32,
    value: Node,
) -> Node {
    (start..start + steps).fold(value, |value, k| {
        tweak_hash(parameter, &tweak(profile, profile.kind(Use::Chain), 8 * chain + k, epoch), &value)
    })
}

/// The leaf over the ends of all chains.
#[must_use]
pub fn leaf(profile: Profile, parameter: &Node, epoch: u32, ends: &[Node; CHAINS]) -> Node {
    tweak_hash(parameter, &tweak(profile, profile.kind(Use::Leaf), 0, epoch), &ends.concat())
}

/// The node at `index` of `level` over its children.
#[must_use]
pub fn node(profile: Profile, parameter: &Node, level: u32, index: u64, left: &Node, right: &Node) -> Node {
    let index = u32::try_from(index).expect("a level above the leaves has at most 2^31 nodes");
    let tweak = tweak(profile, profile.kind(Use::Node), level, index);
    tweak_hash(parameter, &tweak, &[*left, *right].concat())
}
