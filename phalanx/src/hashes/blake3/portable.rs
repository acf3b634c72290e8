//! One input at a time: the law the lanes obey.

use super::{ContextKey, Digest, MAX_LEN_BYTES};

/// The initial values of BLAKE2s and BLAKE3.
const IV: [u32; 4] = [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a];

/// The order of the message words in the next round.
const PERMUTATION: [usize; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];

const CHUNK_START: u32 = 1;
const CHUNK_END: u32 = 2;
const ROOT: u32 = 8;
const DERIVE_KEY_MATERIAL: u32 = 64;

pub(super) fn digest(key: &ContextKey, input: &[u8]) -> Digest {
    assert!(input.len() <= MAX_LEN_BYTES, "one chunk");
    let mut chaining = *key;
    let mut flags = DERIVE_KEY_MATERIAL | CHUNK_START;
    let mut rest = input;
    loop {
        let (block, after) = rest.split_at(rest.len().min(64));
        if after.is_empty() {
            flags |= CHUNK_END | ROOT;
        }
        let mut words = [0; 16];
        for (i, byte) in block.iter().enumerate() {
            words[i / 4] |= u32::from(*byte) << (8 * (i % 4));
        }
        let len = u32::try_from(block.len()).expect("at most 64");
        compress(&mut chaining, words, len, flags);
        if after.is_empty() {
            break;
        }
        rest = after;
        flags = DERIVE_KEY_MATERIAL;
    }
    let mut digest = [0; 32];
    for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(chaining) {
        *bytes = word.to_le_bytes();
    }
    digest
}

/// Seven rounds over chaining value, initial values, counter 0, length and flags.
fn compress(chaining: &mut [u32; 8], mut words: [u32; 16], len: u32, flags: u32) {
    let mut state = [0; 16];
    state[..8].copy_from_slice(chaining);
    state[8..12].copy_from_slice(&IV);
    (state[14], state[15]) = (len, flags);
    for round in 0..7 {
        if round > 0 {
            words = PERMUTATION.map(|i| words[i]);
        }
        for i in 0..4 {
            mix(&mut state, [i, 4 + i, 8 + i, 12 + i], words[2 * i], words[2 * i + 1]);
        }
        for i in 0..4 {
            let diagonal = [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4];
            mix(&mut state, diagonal, words[8 + 2 * i], words[9 + 2 * i]);
        }
    }
    for i in 0..8 {
        chaining[i] = state[i] ^ state[8 + i];
    }
}

/// The function G of the paper on the words at four places.
#[inline(always)]
fn mix(state: &mut [u32; 16], [a, b, c, d]: [usize; 4], x: u32, y: u32) {
    state[a] = state[a].wrapping_add(state[b]).wrapping_add(x);
    state[d] = (state[d] ^ state[a]).rotate_right(16);
    state[c] = state[c].wrapping_add(state[d]);
    state[b] = (state[b] ^ state[c]).rotate_right(12);
    state[a] = state[a].wrapping_add(state[b]).wrapping_add(y);
    state[d] = (state[d] ^ state[a]).rotate_right(8);
    state[c] = state[c].wrapping_add(state[d]);
    state[b] = (state[b] ^ state[c]).rotate_right(7);
}
