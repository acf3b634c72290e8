//! Every backend against the reference.

use super::{Lanes, half_digest, with_lanes};
use alloc::vec::Vec;
use phalanx_core::simd::{Backend, Isa};
use phalanx_reference::xmss_blake2s::blake2s;

/// Bytes that differ everywhere, and have all bits set in places.
fn bytes(seed: usize, len: usize) -> Vec<u8> {
    let byte = |i: usize| if i % 17 == 3 { 0xff } else { (((seed * 131 + i) * 0x9e5) >> 3) & 0xff };
    (0..len).map(|i| u8::try_from(byte(i)).expect("masked")).collect()
}

/// The digests of whole words of the same length, one a lane, with the last block by `half` where it fits.
fn digests<const N: usize>(lanes: impl Lanes<N>, messages: &[Vec<u8>], half: bool) -> Vec<Vec<u8>> {
    let len = messages[0].len();
    let blocks = len.div_ceil(64).max(1);
    let mut state = [[0; N]; 8];
    for block in 0..blocks {
        let mut slices = [[0; N]; 16];
        for (lane, message) in messages.iter().enumerate() {
            for (word, bytes) in message[64 * block..len.min(64 * (block + 1))].chunks(4).enumerate() {
                slices[word][lane] = u32::from_le_bytes(bytes.try_into().expect("whole words"));
            }
        }
        let count = u32::try_from(len.min(64 * (block + 1))).expect("short");
        let last = block + 1 == blocks;
        if half && last && len - 64 * block <= 32 {
            lanes.compress_half(block == 0, &mut state, &slices, count);
        } else {
            lanes.compress(block == 0, &mut state, &slices, count, last);
        }
    }
    let digest = |lane: usize| state.iter().flat_map(|word| word[lane].to_le_bytes()).collect();
    (0..messages.len()).map(digest).collect()
}

fn isas() -> impl Iterator<Item = Isa> {
    Backend::ALL.into_iter().filter_map(Isa::of)
}

#[test]
fn digests_in_every_lane() {
    fn run<const N: usize>(lanes: impl Lanes<N>) {
        for len in (0..=208).step_by(4) {
            for count in [1, N / 2 + 1, N] {
                let messages: Vec<_> = (0..count).map(|i| bytes(i, len)).collect();
                let wanted: Vec<_> = messages.iter().map(|message| blake2s(&[], message).to_vec()).collect();
                assert_eq!(digests(lanes, &messages, false), wanted, "{len} bytes, {count} of {N}");
                assert_eq!(digests(lanes, &messages, true), wanted, "{len} bytes, {count} of {N}");
            }
        }
    }
    for isa in isas() {
        with_lanes!(isa, lanes => run(lanes));
    }
    run(phalanx_core::lanes::Scalar);
}

#[test]
fn steps_of_chains() {
    fn run<const N: usize>(lanes: impl Lanes<N>) {
        for (bump, by) in [(0, 256), (1, 1)] {
            for steps in 0..9 {
                let messages: Vec<_> = (0..N).map(|lane| bytes(lane, 48)).collect();
                let mut slices = [[0; N]; 16];
                for (lane, message) in messages.iter().enumerate() {
                    for (word, bytes) in message.chunks(4).enumerate() {
                        slices[word][lane] = u32::from_le_bytes(bytes.try_into().expect("whole words"));
                    }
                }
                lanes.steps(&mut slices, steps, bump, by);
                for (lane, mut message) in messages.into_iter().enumerate() {
                    for _ in 0..steps {
                        let digest = blake2s(&[], &message);
                        message[32..].copy_from_slice(&digest[..16]);
                        let word = &mut message[4 * bump..4 * bump + 4];
                        let old = u32::from_le_bytes((&*word).try_into().expect("a word"));
                        word.copy_from_slice(&old.wrapping_add(by).to_le_bytes());
                    }
                    let got: Vec<u8> =
                        slices[..12].iter().flat_map(|word| word[lane].to_le_bytes()).collect();
                    assert_eq!(got, message, "{steps} steps, lane {lane} of {N}");
                }
            }
        }
    }
    for isa in isas() {
        with_lanes!(isa, lanes => run(lanes));
    }
    run(phalanx_core::lanes::Scalar);
}

#[test]
fn one_message_alone() {
    for quarters in 1..=13 {
        let message = bytes(7, 16 * quarters);
        let words: Vec<[u32; 4]> = message
            .chunks(16)
            .map(|quarter| {
                core::array::from_fn(|i| {
                    u32::from_le_bytes(quarter[4 * i..4 * i + 4].try_into().expect("a word"))
                })
            })
            .collect();
        let digest: Vec<u8> = half_digest(&words).iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(digest, blake2s(&[], &message)[..16], "{quarters} quarters of a block");
    }
}
