//! Four 32-bit lanes of SSE2, which is part of x86-64: for portable code that is faster four words at a time.
#![allow(unsafe_code, reason = "loads and stores")]
#![allow(
    unused_unsafe,
    reason = "intrinsics of what every CPU of the target has are safe in newer compilers"
)]

use super::intrinsics::intrinsics;
use super::words::{MinLanes, WordLanes};
use crate::simd::Sse2;
use core::arch::x86_64::*;

impl WordLanes<u32> for Sse2 {
    const LANES: usize = 4;
    type Vector = __m128i;
    type Words = [u32; 4];

    #[inline(always)]
    fn load(self, words: &[u32; 4]) -> __m128i {
        // SAFETY: x86-64 has SSE2, and sixteen bytes are read, unaligned.
        unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_bytes(self, bytes: &[u8]) -> __m128i {
        let bytes: &[u8; 16] = bytes.first_chunk().expect("the bytes of a vector");
        // SAFETY: x86-64 has SSE2, and sixteen bytes are read, unaligned.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; 4], x: __m128i) {
        // SAFETY: x86-64 has SSE2, and sixteen bytes are written, unaligned.
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), x) }
    }

    #[inline(always)]
    fn splat(self, word: u32) -> __m128i {
        // SAFETY: x86-64 has SSE2.
        unsafe { _mm_set1_epi32(word.cast_signed()) }
    }

    intrinsics! { __m128i:
        add(a, b) = _mm_add_epi32;
        sub(a, b) = _mm_sub_epi32;
        and(a, b) = _mm_and_si128;
        xor(a, b) = _mm_xor_si128;
    }

    #[inline(always)]
    fn shift_left<const BY: i32>(self, x: __m128i) -> __m128i {
        // SAFETY: x86-64 has SSE2.
        unsafe { _mm_slli_epi32::<BY>(x) }
    }

    #[inline(always)]
    fn shift_right<const BY: i32>(self, x: __m128i) -> __m128i {
        // SAFETY: x86-64 has SSE2.
        unsafe { _mm_srli_epi32::<BY>(x) }
    }

    #[inline(always)]
    fn rotate_right<const BY: i32>(self, x: __m128i) -> __m128i {
        // The count is a constant, so these become shifts by an immediate.
        // SAFETY: x86-64 has SSE2.
        unsafe {
            if BY == 16 {
                return _mm_shufflehi_epi16::<0b10_11_00_01>(_mm_shufflelo_epi16::<0b10_11_00_01>(x));
            }
            let left = _mm_sll_epi32(x, _mm_cvtsi32_si128(32 - BY));
            _mm_or_si128(_mm_srli_epi32::<BY>(x), left)
        }
    }

    #[inline(always)]
    fn swap_bytes(self, x: __m128i) -> __m128i {
        // Halves of words change places, and then the bytes of halves.
        let x = self.rotate_right::<16>(x);
        // SAFETY: x86-64 has SSE2.
        unsafe { _mm_or_si128(_mm_slli_epi16::<8>(x), _mm_srli_epi16::<8>(x)) }
    }

    #[inline(always)]
    fn chi(self, a: __m128i, b: __m128i, c: __m128i) -> __m128i {
        // SAFETY: x86-64 has SSE2.
        unsafe { _mm_xor_si128(a, _mm_andnot_si128(b, c)) }
    }
}

impl MinLanes for Sse2 {
    #[inline(always)]
    fn min(self, a: __m128i, b: __m128i) -> __m128i {
        let top = self.splat(1 << 31);
        // SAFETY: x86-64 has SSE2, which compares signed words.
        let less = unsafe { _mm_cmplt_epi32(self.xor(a, top), self.xor(b, top)) };
        self.choose(less, a, b)
    }
}
