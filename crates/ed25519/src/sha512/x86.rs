//! What the lanes of x86-64 add.
#![allow(unsafe_code, reason = "intrinsics on the strength of a witness")]

use super::lanes::Lanes;
use core::arch::x86_64::*;
use phalanx_core::simd::{Avx2, Avx512};

impl Lanes<4> for Avx2 {
    // A vector takes 320 ns a block, one message 150 to 175: two messages are a draw (Zen 5, 2026-11).
    const MIN_ACTIVE: usize = 3;

    #[inline(always)]
    fn add_active(self, a: __m256i, b: __m256i, active: u8) -> __m256i {
        // SAFETY: `self` is the proof of AVX2.
        unsafe {
            let bits = _mm256_set_epi64x(8, 4, 2, 1);
            let active = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(active.into()), bits), bits);
            _mm256_add_epi64(a, _mm256_and_si256(active, b))
        }
    }
}

impl Lanes<8> for Avx512 {
    // A vector takes 220 ns a block, one message 150 to 175 (Zen 5, 2026-11).
    const MIN_ACTIVE: usize = 2;

    #[inline(always)]
    fn add_active(self, a: __m512i, b: __m512i, active: u8) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_mask_add_epi64(a, active, a, b) }
    }
}
