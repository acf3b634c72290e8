//! Keccak-f[1600] with WebAssembly's vectors, two states to each. The intrinsics are safe to call in a module that was
//! compiled with them.

use super::kernel::{self, Lanes64};
use core::arch::wasm32::*;
use phalanx_core::simd::Wasm128;

/// States to a vector.
const LANES: usize = 2;

impl Lanes64 for Wasm128 {
    type Vector = v128;

    #[inline(always)]
    fn splat(self, word: u64) -> v128 {
        u64x2_splat(word)
    }

    #[inline(always)]
    fn xor(self, a: v128, b: v128) -> v128 {
        v128_xor(a, b)
    }

    #[inline(always)]
    fn xor3(self, a: v128, b: v128, c: v128) -> v128 {
        v128_xor(v128_xor(a, b), c)
    }

    #[inline(always)]
    fn chi(self, a: v128, b: v128, c: v128) -> v128 {
        v128_xor(a, v128_andnot(c, b))
    }

    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self, a: v128) -> v128 {
        v128_or(u64x2_shl(a, LEFT.cast_unsigned()), u64x2_shr(a, RIGHT.cast_unsigned()))
    }
}

/// The states in lanes `..count`, an even number.
pub(super) fn permute(witness: Wasm128, state: &mut [[u64; 8]; 25], count: usize) {
    for first in (0..count).step_by(LANES) {
        two(witness, state, first);
    }
}

/// The states in lanes `first` and `first + 1`.
#[inline(never)]
fn two(witness: Wasm128, state: &mut [[u64; 8]; 25], first: usize) {
    let mut words = [u64x2_splat(0); 25];
    for (word, lanes) in words.iter_mut().zip(state.iter()) {
        *word = u64x2(lanes[first], lanes[first + 1]);
    }
    kernel::permute(witness, &mut words);
    for (word, lanes) in words.iter().zip(state.iter_mut()) {
        lanes[first] = u64x2_extract_lane::<0>(*word);
        lanes[first + 1] = u64x2_extract_lane::<1>(*word);
    }
}
