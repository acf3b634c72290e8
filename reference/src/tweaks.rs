//! Tweaks and the encodings of epochs and messages as field elements (spec section 6).

use num_bigint::BigUint;

use crate::field::digits;
use crate::params::{MESSAGE_LEN, TWEAK_LEN};

/// Ends the number behind a chain tweak.
const CHAIN: u64 = 0x00;
/// Ends the number behind a tree tweak.
const TREE: u64 = 0x01;
/// Ends the number behind an epoch encoding.
const MESSAGE: u64 = 0x02;

/// The tweak of tree node `pos` of `level`: `level * 2^40 + pos * 2^8 + 1` in base `p`.
pub fn tree_tweak(level: u8, pos: u32) -> Vec<u32> {
    tweak((u64::from(level) << 40) + (u64::from(pos) << 8) + TREE)
}

/// The tweak of the chain step that produces position `pos`: `epoch * 2^24 + chain * 2^16 + pos * 2^8` in base `p`.
pub fn chain_tweak(epoch: u32, chain: u8, pos: u8) -> Vec<u32> {
    tweak((u64::from(epoch) << 24) + (u64::from(chain) << 16) + (u64::from(pos) << 8) + CHAIN)
}

/// The epoch as the message hash takes it: `epoch * 2^8 + 2` in base `p`.
pub fn epoch_encoding(epoch: u32) -> Vec<u32> {
    tweak((u64::from(epoch) << 8) + MESSAGE)
}

/// The message as a little-endian 256-bit integer in base `p`: nine elements.
pub fn message_encoding(message: &[u8; 32]) -> Vec<u32> {
    digits(&BigUint::from_bytes_le(message), MESSAGE_LEN)
}

fn tweak(number: u64) -> Vec<u32> {
    digits(&BigUint::from(number), TWEAK_LEN)
}
