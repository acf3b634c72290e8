//! Keccak-f[1600] with AVX-512: eight states to a vector, the 25 words in registers.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX-512 code, on the strength of a witness")]

use super::kernel::{self, Lanes64};
use core::arch::x86_64::*;
use phalanx_core::simd::Avx512;

impl Lanes64 for Avx512 {
    type Vector = __m512i;

    #[inline(always)]
    fn splat(self, word: u64) -> __m512i {
        // SAFETY: `self` is the proof that this CPU has AVX-512 F.
        unsafe { _mm512_set1_epi64(word.cast_signed()) }
    }

    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is the proof that this CPU has AVX-512 F.
        unsafe { _mm512_xor_si512(a, b) }
    }

    #[inline(always)]
    fn xor3(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // Truth table of a ^ b ^ c.
        // SAFETY: `self` is the proof that this CPU has AVX-512 F.
        unsafe { _mm512_ternarylogic_epi64::<0x96>(a, b, c) }
    }

    #[inline(always)]
    fn chi(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // Truth table of a ^ (!b & c): bit 4a + 2b + c.
        // SAFETY: `self` is the proof that this CPU has AVX-512 F.
        unsafe { _mm512_ternarylogic_epi64::<0xd2>(a, b, c) }
    }

    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self, a: __m512i) -> __m512i {
        // The count is a constant, so this becomes a rotation by an immediate.
        // SAFETY: `self` is the proof that this CPU has AVX-512 F.
        unsafe { _mm512_rolv_epi64(a, _mm512_set1_epi64(i64::from(LEFT))) }
    }
}

/// Eight states at once.
pub(super) fn permute8(witness: Avx512, state: &mut [[u64; 8]; 25]) {
    // SAFETY: `witness` is the proof that this CPU has AVX-512 F.
    unsafe { permute8_inner(witness, state) }
}

/// [`permute8`], compiled for AVX-512.
#[target_feature(enable = "avx512f")]
#[inline(never)]
fn permute8_inner(witness: Avx512, state: &mut [[u64; 8]; 25]) {
    let mut words = [_mm512_setzero_si512(); 25];
    for (word, lanes) in words.iter_mut().zip(state.iter()) {
        // SAFETY: `lanes` is an array of eight words; the load needs no alignment.
        *word = unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) };
    }
    kernel::permute(witness, &mut words);
    for (word, lanes) in words.iter().zip(state.iter_mut()) {
        // SAFETY: `lanes` is an array of eight words; the store needs no alignment.
        unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), *word) };
    }
}
