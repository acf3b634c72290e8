//! Eight and sixteen lanes of x86-64.
#![allow(unsafe_code, reason = "intrinsics on the strength of a witness")]

use super::Lanes32;
use crate::simd::{Avx2, Avx512};
use core::arch::x86_64::*;

impl Lanes32 for Avx512 {
    type Vector = __m512i;
    type Words = [u32; 16];

    #[inline(always)]
    fn load(self, words: &[u32; 16]) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F, and sixteen words are read, unaligned.
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; 16], vector: __m512i) {
        // SAFETY: `self` is the proof of AVX-512 F, and sixteen words are written, unaligned.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), vector) }
    }

    #[inline(always)]
    fn splat(self, word: u32) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_set1_epi32(word.cast_signed()) }
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_add_epi32(a, b) }
    }

    #[inline(always)]
    fn settled(self, sum: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { settled(sum) }
    }

    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_xor_si512(a, b) }
    }

    #[inline(always)]
    fn rotate<const BY: i32>(self, x: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_ror_epi32::<BY>(x) }
    }

    #[inline(always)]
    fn choose(self, e: __m512i, f: __m512i, g: __m512i) -> __m512i {
        // Truth table of e ? f : g, bit 4e + 2f + g.
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_ternarylogic_epi32::<0xca>(e, f, g) }
    }

    #[inline(always)]
    fn majority(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_ternarylogic_epi32::<0xe8>(a, b, c) }
    }

    #[inline(always)]
    fn rotations<const A: i32, const B: i32, const C: i32>(self, x: __m512i) -> __m512i {
        let (a, b, c) = (self.rotate::<A>(x), self.rotate::<B>(x), self.rotate::<C>(x));
        // Truth table of the sum of three.
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_ternarylogic_epi32::<0x96>(a, b, c) }
    }

    #[inline(always)]
    fn rotations_and_shift<const A: i32, const B: i32, const C: i32>(self, x: __m512i) -> __m512i {
        let (a, b) = (self.rotate::<A>(x), self.rotate::<B>(x));
        // The count is a constant, so the shift becomes one by an immediate.
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_ternarylogic_epi32::<0x96>(a, b, _mm512_srl_epi32(x, _mm_cvtsi32_si128(C))) }
    }
}

/// [`Lanes32::settled`].
#[inline]
#[target_feature(enable = "avx512f")]
fn settled(mut sum: __m512i) -> __m512i {
    // SAFETY: a register is named and nothing is done.
    unsafe {
        core::arch::asm!("/* {} */", inout(zmm_reg) sum, options(pure, nomem, nostack, preserves_flags));
    }
    sum
}

impl Lanes32 for Avx2 {
    type Vector = __m256i;
    type Words = [u32; 8];

    #[inline(always)]
    fn load(self, words: &[u32; 8]) -> __m256i {
        // SAFETY: `self` is the proof of AVX2, and eight words are read, unaligned.
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; 8], vector: __m256i) {
        // SAFETY: `self` is the proof of AVX2, and eight words are written, unaligned.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), vector) }
    }

    #[inline(always)]
    fn splat(self, word: u32) -> __m256i {
        // SAFETY: `self` is the proof of AVX2.
        unsafe { _mm256_set1_epi32(word.cast_signed()) }
    }

    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` is the proof of AVX2.
        unsafe { _mm256_add_epi32(a, b) }
    }

    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` is the proof of AVX2.
        unsafe { _mm256_xor_si256(a, b) }
    }

    #[inline(always)]
    fn rotate<const BY: i32>(self, x: __m256i) -> __m256i {
        // SAFETY: `self` is the proof of AVX2.
        unsafe {
            match BY {
                // Whole bytes move by one shuffle.
                16 => _mm256_shuffle_epi8(x, bytes_by([2, 3, 0, 1])),
                8 => _mm256_shuffle_epi8(x, bytes_by([1, 2, 3, 0])),
                _ => {
                    let (right, left) = (_mm_cvtsi32_si128(BY), _mm_cvtsi32_si128(32 - BY));
                    _mm256_or_si256(_mm256_srl_epi32(x, right), _mm256_sll_epi32(x, left))
                }
            }
        }
    }

    #[inline(always)]
    fn choose(self, e: __m256i, f: __m256i, g: __m256i) -> __m256i {
        // SAFETY: `self` is the proof of AVX2.
        unsafe { _mm256_xor_si256(g, _mm256_and_si256(e, _mm256_xor_si256(f, g))) }
    }

    #[inline(always)]
    fn majority(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        // SAFETY: `self` is the proof of AVX2.
        unsafe { _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(c, _mm256_or_si256(a, b))) }
    }

    #[inline(always)]
    fn rotations<const A: i32, const B: i32, const C: i32>(self, x: __m256i) -> __m256i {
        self.xor(self.xor(self.rotate::<A>(x), self.rotate::<B>(x)), self.rotate::<C>(x))
    }

    #[inline(always)]
    fn rotations_and_shift<const A: i32, const B: i32, const C: i32>(self, x: __m256i) -> __m256i {
        // SAFETY: `self` is the proof of AVX2.
        let shifted = unsafe { _mm256_srl_epi32(x, _mm_cvtsi32_si128(C)) };
        self.xor(self.xor(self.rotate::<A>(x), self.rotate::<B>(x)), shifted)
    }
}

/// The selector that gives every word the bytes at these places of it.
#[inline]
#[target_feature(enable = "avx2")]
fn bytes_by(places: [i32; 4]) -> __m256i {
    let [a, b, c, d] = places;
    let word = a | b << 8 | c << 16 | d << 24;
    let step = 0x0404_0404;
    _mm256_setr_epi32(
        word,
        word + step,
        word + 2 * step,
        word + 3 * step,
        word,
        word + step,
        word + 2 * step,
        word + 3 * step,
    )
}
