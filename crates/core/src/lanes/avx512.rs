//! Sixteen 32-bit or eight 64-bit lanes of AVX-512.
#![allow(unsafe_code, reason = "intrinsics on the strength of a witness")]

use super::bytes::ByteLanes;
use super::intrinsics::intrinsics;
use super::transpose::{transpose8, transpose16};
use super::words::{MinLanes, Transpose, WordLanes};
use crate::simd::{Avx512, align_frame, opaque_zmm};
use core::arch::x86_64::*;

/// What 32-bit and 64-bit words have in common but for the names of the intrinsics.
macro_rules! words {
    (
        $word:ty, $lanes:literal, $splat:ident, $add:ident, $sub:ident, $left:ident, $right:ident,
        $rotate:ident, $ternary:ident, $swapped:expr
    ) => {
        impl WordLanes<$word> for Avx512 {
            const LANES: usize = $lanes;
            type Vector = __m512i;
            type Words = [$word; $lanes];

            #[inline(always)]
            fn load(self, words: &[$word; $lanes]) -> __m512i {
                // SAFETY: `self` is the proof of AVX-512 F, and 64 bytes are read, unaligned.
                unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
            }

            #[inline(always)]
            fn load_bytes(self, bytes: &[u8]) -> __m512i {
                let bytes: &[u8; 64] = bytes.first_chunk().expect("the bytes of a vector");
                // SAFETY: `self` is the proof of AVX-512 F, and 64 bytes are read, unaligned.
                unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
            }

            #[inline(always)]
            fn store(self, words: &mut [$word; $lanes], x: __m512i) {
                // SAFETY: `self` is the proof of AVX-512 F, and 64 bytes are written, unaligned.
                unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), x) }
            }

            #[inline(always)]
            fn splat(self, word: $word) -> __m512i {
                // SAFETY: `self` is the proof of AVX-512 F.
                unsafe { $splat(word.cast_signed()) }
            }

            intrinsics! { __m512i:
                add(a, b) = $add;
                sub(a, b) = $sub;
                and(a, b) = _mm512_and_si512;
                xor(a, b) = _mm512_xor_si512;
                settled(sum) = opaque_zmm;
            }

            #[inline(always)]
            fn shift_left<const BY: i32>(self, x: __m512i) -> __m512i {
                // The count is a constant, so this becomes a shift by an immediate.
                // SAFETY: `self` is the proof of AVX-512 F.
                unsafe { $left(x, _mm_cvtsi32_si128(BY)) }
            }

            #[inline(always)]
            fn shift_right<const BY: i32>(self, x: __m512i) -> __m512i {
                // SAFETY: `self` is the proof of AVX-512 F.
                unsafe { $right(x, _mm_cvtsi32_si128(BY)) }
            }

            #[inline(always)]
            fn rotate_right<const BY: i32>(self, x: __m512i) -> __m512i {
                // SAFETY: `self` is the proof of AVX-512 F.
                unsafe { $rotate::<BY>(x) }
            }

            #[inline(always)]
            fn align_frame(self) {
                align_frame::<__m512i>();
            }

            #[inline(always)]
            fn swap_bytes(self, x: __m512i) -> __m512i {
                // SAFETY: `self` is the proof of AVX-512 F and BW.
                unsafe { _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4($swapped)) }
            }

            // Truth tables of three bits: bit 4a + 2b + c of the constant is the result.

            #[inline(always)]
            fn xor3(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
                // SAFETY: `self` is the proof of AVX-512 F.
                unsafe { $ternary::<0x96>(a, b, c) }
            }

            #[inline(always)]
            fn choose(self, mask: __m512i, a: __m512i, b: __m512i) -> __m512i {
                // SAFETY: `self` is the proof of AVX-512 F.
                unsafe { $ternary::<0xca>(mask, a, b) }
            }

            #[inline(always)]
            fn majority(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
                // SAFETY: `self` is the proof of AVX-512 F.
                unsafe { $ternary::<0xe8>(a, b, c) }
            }

            #[inline(always)]
            fn chi(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
                // SAFETY: `self` is the proof of AVX-512 F.
                unsafe { $ternary::<0xd2>(a, b, c) }
            }
        }
    };
}

#[rustfmt::skip]
words!(
    u32, 16, _mm512_set1_epi32, _mm512_add_epi32, _mm512_sub_epi32, _mm512_sll_epi32, _mm512_srl_epi32,
    _mm512_ror_epi32, _mm512_ternarylogic_epi32, _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203)
);
#[rustfmt::skip]
words!(
    u64, 8, _mm512_set1_epi64, _mm512_add_epi64, _mm512_sub_epi64, _mm512_sll_epi64, _mm512_srl_epi64,
    _mm512_ror_epi64, _mm512_ternarylogic_epi64, _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607)
);

impl Transpose<u32, 16> for Avx512 {
    #[inline(always)]
    fn transpose(self, rows: [__m512i; 16]) -> [__m512i; 16] {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { transpose16(rows) }
    }
}

impl Transpose<u64, 8> for Avx512 {
    #[inline(always)]
    fn transpose(self, rows: [__m512i; 8]) -> [__m512i; 8] {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { transpose8(rows) }
    }
}

impl MinLanes for Avx512 {
    intrinsics! { __m512i:
        min(a, b) = _mm512_min_epu32;
    }
}

impl ByteLanes for Avx512 {
    type Vector = __m512i;
    type Bytes = [u8; 64];

    #[inline(always)]
    fn load(self, bytes: &[u8; 64]) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F, and 64 bytes are read, unaligned.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8; 64], x: __m512i) {
        // SAFETY: `self` is the proof of AVX-512 F, and 64 bytes are written, unaligned.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), x) }
    }

    #[inline(always)]
    fn splat(self, part: &[u8; 16]) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F, and 16 bytes are read, unaligned.
        unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(part.as_ptr().cast())) }
    }

    intrinsics! { __m512i:
        xor(a, b) = _mm512_xor_si512;
        lookup(table, places) = _mm512_shuffle_epi8;
    }

    #[inline(always)]
    fn xor3(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        WordLanes::<u64>::xor3(self, a, b, c)
    }

    #[inline(always)]
    fn low_nibbles(self, x: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_and_si512(x, _mm512_set1_epi8(15)) }
    }

    #[inline(always)]
    fn high_nibbles(self, x: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 BW.
        unsafe { _mm512_and_si512(_mm512_srli_epi16::<4>(x), _mm512_set1_epi8(15)) }
    }

    #[inline(always)]
    fn transpose4(self, [r0, r1, r2, r3]: [__m512i; 4]) -> [__m512i; 4] {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe {
            let (a, b) = (_mm512_unpacklo_epi32(r0, r1), _mm512_unpackhi_epi32(r0, r1));
            let (c, d) = (_mm512_unpacklo_epi32(r2, r3), _mm512_unpackhi_epi32(r2, r3));
            [
                _mm512_unpacklo_epi64(a, c),
                _mm512_unpackhi_epi64(a, c),
                _mm512_unpacklo_epi64(b, d),
                _mm512_unpackhi_epi64(b, d),
            ]
        }
    }
}
