//! Products of halves, and comparisons, in eight lanes of AVX-512, for CPUs without IFMA.
//!
//! A square takes 18 micro-operations for eight lanes, on Skylake-SP's two vector ports nine cycles. In doubles, three
//! limbs of 22 bits whose products and sums are exact, it takes 47, most of them carries: a loop of squares of twelve
//! vectors took 3.09 ns each in integers and 9.98 in doubles (Zen 4, November 2026).
#![allow(unsafe_code, reason = "intrinsics on the strength of a witness")]

use super::avx2;
use super::halves::{HalfProducts, permute_batch};
use super::names::Permutation;
use core::arch::x86_64::*;
use phalanx_core::simd::Avx512;

/// With fewer states than this, those of AVX2 are faster than a batch that is not full.
const FEWEST: usize = 5;

/// Permutes states that stand one after the other, eight at a time.
pub(super) fn permute_many(witness: Avx512, permutation: Permutation, words: &mut [u64]) {
    for states in words.chunks_mut(8 * permutation.width()) {
        if states.len() < FEWEST * permutation.width() {
            avx2::permute_many(witness.avx2(), permutation, states);
        } else {
            permute_batch(witness, permutation, states);
        }
    }
}

impl HalfProducts<8> for Avx512 {
    #[inline(always)]
    fn product(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_mul_epu32(a, b) }
    }

    /// On the port that shifts do not use.
    #[inline(always)]
    fn upper(self, a: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_castps_si512(_mm512_movehdup_ps(_mm512_castsi512_ps(a))) }
    }

    #[inline(always)]
    fn plus_epsilon_if_less(self, x: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_mask_add_epi64(x, _mm512_cmplt_epu64_mask(a, b), x, _mm512_set1_epi64(0xffff_ffff)) }
    }

    #[inline(always)]
    fn minus_epsilon_if_less(self, x: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_mask_sub_epi64(x, _mm512_cmplt_epu64_mask(a, b), x, _mm512_set1_epi64(0xffff_ffff)) }
    }
}
