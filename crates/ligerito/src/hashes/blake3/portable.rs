//! One input at a time, in plain words: what the lanes must agree with.

use super::mode::{Digest, IV, MAX_LEN_BYTES, Mode};
use alloc::vec;
use core::ops::Range;

/// The order of the message words in the next round.
const PERMUTATION: [usize; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];

/// Which word of the message goes where in which round.
pub(super) const SCHEDULE: [[usize; 16]; 7] = {
    let mut schedule = [[0; 16]; 7];
    let mut i = 0;
    while i < 16 {
        schedule[0][i] = i;
        i += 1;
    }
    let mut round = 1;
    while round < 7 {
        let mut i = 0;
        while i < 16 {
            schedule[round][i] = schedule[round - 1][PERMUTATION[i]];
            i += 1;
        }
        round += 1;
    }
    schedule
};

/// Flag of the first block of a chunk.
pub(super) const CHUNK_START: u32 = 1;
/// Flags of the last block of the only chunk: end of chunk, and root.
pub(super) const CHUNK_END_AND_ROOT: u32 = 2 + 8;

pub(super) fn digest(mode: &Mode, input: &[u8]) -> Digest {
    assert!(input.len() <= MAX_LEN_BYTES, "one chunk");
    let mut chaining = mode.chaining;
    let mut flags = mode.flags | CHUNK_START;
    let mut rest = input;
    loop {
        let (block, after) = rest.split_at(rest.len().min(64));
        if after.is_empty() {
            flags |= CHUNK_END_AND_ROOT;
        }
        let mut words = [0; 16];
        for (i, byte) in block.iter().enumerate() {
            words[i / 4] |= u32::from(*byte) << (8 * (i % 4));
        }
        let len = u32::try_from(block.len()).expect("at most 64");
        compress(&mut chaining, &words, len, flags);
        if after.is_empty() {
            break;
        }
        rest = after;
        flags = mode.flags;
    }
    let mut digest = [0; 32];
    for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(chaining) {
        *bytes = word.to_le_bytes();
    }
    digest
}

/// Seven rounds over chaining value, initial values, counter 0, length and flags.
fn compress(chaining: &mut [u32; 8], words: &[u32; 16], len: u32, flags: u32) {
    let mut state = [0; 16];
    state[..8].copy_from_slice(chaining);
    state[8..12].copy_from_slice(&IV[..4]);
    (state[14], state[15]) = (len, flags);
    round::<0>(&mut state, words);
    round::<1>(&mut state, words);
    round::<2>(&mut state, words);
    round::<3>(&mut state, words);
    round::<4>(&mut state, words);
    round::<5>(&mut state, words);
    round::<6>(&mut state, words);
    for i in 0..8 {
        chaining[i] = state[i] ^ state[8 + i];
    }
}

/// Round `R`: the columns, then the diagonals.
#[inline(always)]
fn round<const R: usize>(state: &mut [u32; 16], words: &[u32; 16]) {
    let word = |i: usize| words[SCHEDULE[R][i]];
    mix(state, [0, 4, 8, 12], word(0), word(1));
    mix(state, [1, 5, 9, 13], word(2), word(3));
    mix(state, [2, 6, 10, 14], word(4), word(5));
    mix(state, [3, 7, 11, 15], word(6), word(7));
    mix(state, [0, 5, 10, 15], word(8), word(9));
    mix(state, [1, 6, 11, 12], word(10), word(11));
    mix(state, [2, 7, 8, 13], word(12), word(13));
    mix(state, [3, 4, 9, 14], word(14), word(15));
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

/// See [`super::parents`].
pub(super) fn parents(mode: &Mode, nodes: &[Digest], out: &mut [Digest]) {
    for (pair, out) in nodes.as_chunks::<2>().0.iter().zip(out) {
        *out = digest(mode, pair.as_flattened());
    }
}

/// See [`super::hash_rows_by`].
pub(super) fn roots(
    node: &Mode,
    leaf: impl Fn(&[u8]) -> Digest,
    rows: &[u8],
    row_len_bytes: usize,
    height: usize,
    nodes: &mut [Digest],
) {
    let mut layer = vec![[0; 32]; 1 << height];
    for (root, rows) in nodes.iter_mut().zip(rows.chunks_exact(row_len_bytes << height)) {
        for (digest, row) in layer.iter_mut().zip(rows.chunks_exact(row_len_bytes)) {
            *digest = leaf(row);
        }
        for level in (0..height).rev() {
            for i in 0..1 << level {
                layer[i] = digest(node, [layer[2 * i], layer[2 * i + 1]].as_flattened());
            }
        }
        *root = layer[0];
    }
}

/// See [`super::smallest_nonce`].
pub(super) fn smallest_nonce(mode: &Mode, seed: &[u8; 32], mask: u64, mut nonces: Range<u64>) -> Option<u64> {
    let mut input = [0; 40];
    input[..32].copy_from_slice(seed);
    nonces.find(|nonce| {
        input[32..].copy_from_slice(&nonce.to_le_bytes());
        let digest = digest(mode, &input);
        u64::from_le_bytes(*digest.first_chunk().expect("32 bytes")) & mask == 0
    })
}
