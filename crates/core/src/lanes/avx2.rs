//! Eight 32-bit or four 64-bit lanes, or 32 bytes, of AVX2.
#![allow(unsafe_code, reason = "intrinsics on the strength of a witness")]

use super::bytes::ByteLanes;
use super::intrinsics::intrinsics;
use super::transpose::{fours_of_half, transpose4x64, transpose8x32};
use super::words::{MinLanes, Transpose, WordLanes};
use crate::simd::{Avx2, Gfni, align_frame};
use core::arch::x86_64::*;

/// What 32-bit and 64-bit words have in common but for the names of the intrinsics.
macro_rules! words {
    (
        $word:ty, $lanes:literal, $splat:ident, $add:ident, $sub:ident, $left:ident, $right:ident,
        $swapped:expr
    ) => {
        impl WordLanes<$word> for Avx2 {
            const LANES: usize = $lanes;
            type Vector = __m256i;
            type Words = [$word; $lanes];

            #[inline(always)]
            fn load(self, words: &[$word; $lanes]) -> __m256i {
                // SAFETY: `self` is the proof of AVX2, and 32 bytes are read, unaligned.
                unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
            }

            #[inline(always)]
            fn load_bytes(self, bytes: &[u8]) -> __m256i {
                let bytes: &[u8; 32] = bytes.first_chunk().expect("the bytes of a vector");
                // SAFETY: `self` is the proof of AVX2, and 32 bytes are read, unaligned.
                unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
            }

            #[inline(always)]
            fn store(self, words: &mut [$word; $lanes], x: __m256i) {
                // SAFETY: `self` is the proof of AVX2, and 32 bytes are written, unaligned.
                unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), x) }
            }

            #[inline(always)]
            fn splat(self, word: $word) -> __m256i {
                // SAFETY: `self` is the proof of AVX2.
                unsafe { $splat(word.cast_signed()) }
            }

            intrinsics! { __m256i:
                add(a, b) = $add;
                sub(a, b) = $sub;
                and(a, b) = _mm256_and_si256;
                xor(a, b) = _mm256_xor_si256;
            }

            #[inline(always)]
            fn shift_left<const BY: i32>(self, x: __m256i) -> __m256i {
                // The count is a constant, so this becomes a shift by an immediate.
                // SAFETY: `self` is the proof of AVX2.
                unsafe { $left(x, _mm_cvtsi32_si128(BY)) }
            }

            #[inline(always)]
            fn shift_right<const BY: i32>(self, x: __m256i) -> __m256i {
                // SAFETY: `self` is the proof of AVX2.
                unsafe { $right(x, _mm_cvtsi32_si128(BY)) }
            }

            #[inline(always)]
            fn rotate_right<const BY: i32>(self, x: __m256i) -> __m256i {
                const BITS: i32 = <$word>::BITS.cast_signed();
                // SAFETY: `self` is the proof of AVX2, and the constant has 32 bytes.
                unsafe {
                    if BY % 8 == 0 {
                        // Whole bytes move by one shuffle.
                        let places = const { &rotated_bytes(size_of::<$word>(), BY / 8) };
                        return _mm256_shuffle_epi8(x, _mm256_loadu_si256(places.as_ptr().cast()));
                    }
                    // The counts are constants, so these become shifts by an immediate.
                    let left = $left(x, _mm_cvtsi32_si128(BITS - BY));
                    _mm256_or_si256($right(x, _mm_cvtsi32_si128(BY)), left)
                }
            }

            #[inline(always)]
            fn align_frame(self) {
                align_frame::<__m256i>();
            }

            #[inline(always)]
            fn swap_bytes(self, x: __m256i) -> __m256i {
                // SAFETY: `self` is the proof of AVX2.
                unsafe { _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256($swapped)) }
            }

            #[inline(always)]
            fn chi(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
                // SAFETY: `self` is the proof of AVX2.
                unsafe { _mm256_xor_si256(a, _mm256_andnot_si256(b, c)) }
            }
        }
    };
}

#[rustfmt::skip]
words!(
    u32, 8, _mm256_set1_epi32, _mm256_add_epi32, _mm256_sub_epi32, _mm256_sll_epi32, _mm256_srl_epi32,
    _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203)
);
#[rustfmt::skip]
words!(
    u64, 4, _mm256_set1_epi64x, _mm256_add_epi64, _mm256_sub_epi64, _mm256_sll_epi64, _mm256_srl_epi64,
    _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607)
);

/// For every byte of a half of a vector, twice, the place of the byte that comes there when words rotate right by
/// `by` bytes.
const fn rotated_bytes(word_bytes: usize, by: i32) -> [u8; 32] {
    let mut places = [0; 32];
    let mut i = 0;
    while i < 32 {
        let within = i % word_bytes;
        #[expect(clippy::cast_possible_truncation, reason = "below 16")]
        let place = (i % 16 - within + (within + by.cast_unsigned() as usize) % word_bytes) as u8;
        places[i] = place;
        i += 1;
    }
    places
}

impl Transpose<u32, 8> for Avx2 {
    #[inline(always)]
    fn transpose(self, rows: [__m256i; 8]) -> [__m256i; 8] {
        // SAFETY: `self` is the proof of AVX2.
        unsafe { transpose8x32(rows) }
    }
}

impl Transpose<u64, 4> for Avx2 {
    #[inline(always)]
    fn transpose(self, rows: [__m256i; 4]) -> [__m256i; 4] {
        // SAFETY: `self` is the proof of AVX2.
        unsafe { transpose4x64(rows) }
    }
}

impl MinLanes for Avx2 {
    intrinsics! { __m256i:
        min(a, b) = _mm256_min_epu32;
    }
}

/// Bytes, on the strength of any witness that has AVX2.
macro_rules! byte_lanes {
    ($($witness:ident),+) => {$(
        impl ByteLanes for $witness {
            type Vector = __m256i;
            type Bytes = [u8; 32];

            #[inline(always)]
            fn load(self, bytes: &[u8; 32]) -> __m256i {
                // SAFETY: `self` is the proof of AVX2, and 32 bytes are read, unaligned.
                unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
            }

            #[inline(always)]
            fn store(self, bytes: &mut [u8; 32], x: __m256i) {
                // SAFETY: `self` is the proof of AVX2, and 32 bytes are written, unaligned.
                unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), x) }
            }

            #[inline(always)]
            fn splat(self, part: &[u8; 16]) -> __m256i {
                // SAFETY: `self` is the proof of AVX2, and 16 bytes are read, unaligned.
                unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(part.as_ptr().cast())) }
            }

            intrinsics! { __m256i:
                xor(a, b) = _mm256_xor_si256;
                lookup(table, places) = _mm256_shuffle_epi8;
            }

            #[inline(always)]
            fn low_nibbles(self, x: __m256i) -> __m256i {
                // SAFETY: `self` is the proof of AVX2.
                unsafe { _mm256_and_si256(x, _mm256_set1_epi8(15)) }
            }

            #[inline(always)]
            fn high_nibbles(self, x: __m256i) -> __m256i {
                // SAFETY: `self` is the proof of AVX2.
                unsafe { _mm256_and_si256(_mm256_srli_epi16::<4>(x), _mm256_set1_epi8(15)) }
            }

            #[inline(always)]
            fn transpose4(self, [r0, r1, r2, r3]: [__m256i; 4]) -> [__m256i; 4] {
                // SAFETY: `self` is the proof of AVX2.
                unsafe { fours_of_half(r0, r1, r2, r3) }
            }
        }
    )+};
}

byte_lanes!(Avx2, Gfni);
