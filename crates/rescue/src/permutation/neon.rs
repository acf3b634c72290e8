//! Products of halves, and comparisons, in two lanes of NEON.
#![allow(
    unsafe_code,
    unused_unsafe,
    reason = "intrinsics on the strength of a witness; safe ones in newer compilers"
)]

use super::halves::{HalfProducts, permute_batch};
use super::names::Permutation;
use super::portable::permute_scalar;
use crate::goldilocks::Vartime;
use core::arch::aarch64::*;
use phalanx_core::lanes::WordLanes;
use phalanx_core::simd::Neon;

/// Permutes states that stand one after the other, two at a time.
pub(super) fn permute_many(witness: Neon, permutation: Permutation, words: &mut [u64]) {
    for states in words.chunks_mut(2 * permutation.width()) {
        if states.len() < 2 * permutation.width() {
            permute_scalar::<Vartime>(permutation, states);
        } else {
            permute_batch(witness, permutation, states);
        }
    }
}

/// 2^32 - 1 where a < b, else zero.
#[inline(always)]
fn epsilon_if_less(witness: Neon, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    // SAFETY: the witness proves NEON.
    let less = unsafe { vcltq_u64(a, b) };
    WordLanes::<u64>::shift_right::<32>(witness, less)
}

impl HalfProducts<2> for Neon {
    #[inline(always)]
    fn product(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: the witness proves NEON.
        unsafe { vmull_u32(vmovn_u64(a), vmovn_u64(b)) }
    }

    #[inline(always)]
    fn plus_epsilon_if_less(self, x: uint64x2_t, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        WordLanes::<u64>::add(self, x, epsilon_if_less(self, a, b))
    }

    #[inline(always)]
    fn minus_epsilon_if_less(self, x: uint64x2_t, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        WordLanes::<u64>::sub(self, x, epsilon_if_less(self, a, b))
    }
}
