//! Keccak-f[1600], one state or eight side by side, and SHAKE128 on top of it.
//!
//! Source: FIPS 202, sections 3.2 to 3.4 (the permutation, section 3.4 with `n_r = 24`) and 6.2 (SHAKE128). A state is
//! 25 words of 64 bits; word `x + 5 y` is the lane `A[x, y]` of FIPS 202, bytes little-endian.
//!
//! The round is written once, in [`kernel`], and entered with one, two, four or eight states to a vector. Nothing here
//! branches on or indexes by the state, so it may be secret.

mod kernel;
#[cfg(test)]
mod tests;

use kernel::Permute;
use phalanx_core::first_of;
use phalanx_core::lanes::{Scalar, WordLanes};
use phalanx_core::simd::{Isa, Kernel, Witness};

/// Bytes of SHAKE128 input or output per permutation: 1600 bits less twice the security level of 128.
const RATE_BYTES: usize = 168;

/// Applies Keccak-f[1600] (FIPS 202, section 3.4) to `state`.
#[inline(never)]
pub(crate) fn permute(state: &mut [u64; 25]) {
    kernel::permute(Scalar, state);
}

/// Applies Keccak-f[1600] to eight states side by side: `state[word][lane]`.
pub(crate) fn permute8(isa: Isa, state: &mut [[u64; 8]; 25]) {
    permute_first(isa, state, 8);
}

/// [`permute8`] for callers who want the first four states only; what becomes of the others is not said.
pub(crate) fn permute4(isa: Isa, state: &mut [[u64; 8]; 25]) {
    permute_first(isa, state, 4);
}

/// Applies Keccak-f[1600] to the first `count` states at least.
fn permute_first(isa: Isa, state: &mut [[u64; 8]; 25], count: usize) {
    first_of!(isa;
        avx512(witness) => groups(witness, state, count),
        avx2(witness) => groups(witness, state, count),
        sha3(witness) => groups(witness, state, count),
        neon(witness) => groups(witness, state, count),
        wasm128(witness) => groups(witness, state, count),
        else => groups(Scalar, state, count),
    );
}

/// As many states at a time as a vector has lanes.
fn groups<L>(witness: L, state: &mut [[u64; 8]; 25], count: usize)
where
    L: Witness + WordLanes<u64>,
    for<'a> Permute<'a>: Kernel<L>,
{
    for group in 0..count.div_ceil(L::LANES) {
        witness.enter(Permute { state, group });
    }
}

/// Fills `out` with SHAKE128 of the concatenated `input`. Any lengths; a block is permuted only when it is needed.
pub(crate) fn shake128(input: &[&[u8]], out: &mut [u8]) {
    let mut state = [0; 25];
    let mut filled = 0;
    for &byte in input.iter().copied().flatten() {
        if filled == RATE_BYTES {
            permute(&mut state);
            filled = 0;
        }
        add_byte(&mut state, filled, byte);
        filled += 1;
    }
    if filled == RATE_BYTES {
        permute(&mut state);
        filled = 0;
    }
    // The suffix 1111 of an extendable output, then the padding 10*1 (FIPS 202, sections 6.2 and 5.1).
    add_byte(&mut state, filled, 0x1f);
    add_byte(&mut state, RATE_BYTES - 1, 0x80);
    for block in out.chunks_mut(RATE_BYTES) {
        permute(&mut state);
        for (bytes, word) in block.chunks_mut(8).zip(&state) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
    }
}

/// Adds `byte` to byte `index` of the state.
fn add_byte(state: &mut [u64; 25], index: usize, byte: u8) {
    state[index / 8] ^= u64::from(byte) << (8 * (index % 8));
}
