//! Keccak-f[1600] with AVX2: four states to a vector.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX2 code, on the strength of a witness")]

use super::kernel::{self, Lanes64};
use core::arch::x86_64::*;
use phalanx_core::simd::Avx2;

/// States to a vector.
const LANES: usize = 4;

impl Lanes64 for Avx2 {
    type Vector = __m256i;

    #[inline(always)]
    fn splat(self, word: u64) -> __m256i {
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { _mm256_set1_epi64x(word.cast_signed()) }
    }

    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { _mm256_xor_si256(a, b) }
    }

    #[inline(always)]
    fn xor3(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        self.xor(self.xor(a, b), c)
    }

    #[inline(always)]
    fn chi(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe { _mm256_xor_si256(a, _mm256_andnot_si256(b, c)) }
    }

    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self, a: __m256i) -> __m256i {
        // SAFETY: `self` is the proof that this CPU has AVX2.
        unsafe {
            // The counts are constants, so these become shifts by an immediate.
            let left = _mm256_sll_epi64(a, _mm_cvtsi32_si128(LEFT));
            let right = _mm256_srl_epi64(a, _mm_cvtsi32_si128(RIGHT));
            _mm256_or_si256(left, right)
        }
    }
}

/// Eight states, in two groups of four.
pub(super) fn permute8(witness: Avx2, state: &mut [[u64; 8]; 25]) {
    // SAFETY: `witness` is the proof that this CPU has AVX2.
    unsafe {
        permute4(witness, state, 0);
        permute4(witness, state, LANES);
    }
}

/// The states in lanes `first..first + 4`.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn permute4(witness: Avx2, state: &mut [[u64; 8]; 25], first: usize) {
    let mut words = [_mm256_setzero_si256(); 25];
    for (word, lanes) in words.iter_mut().zip(state.iter()) {
        let lanes: &[u64] = &lanes[first..first + LANES];
        // SAFETY: `lanes` is a slice of four words; the load needs no alignment.
        *word = unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) };
    }
    kernel::permute(witness, &mut words);
    for (word, lanes) in words.iter().zip(state.iter_mut()) {
        let lanes: &mut [u64] = &mut lanes[first..first + LANES];
        // SAFETY: `lanes` is a slice of four words; the store needs no alignment.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), *word) };
    }
}
