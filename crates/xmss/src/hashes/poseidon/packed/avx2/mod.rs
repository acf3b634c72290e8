//! Eight packed lanes of AVX2.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX2 code, on the strength of a witness")]

mod poseidon1;
pub(super) mod single;
mod word0;

use core::arch::x86_64::{
    __m256i as Vector, _mm256_add_epi32 as add_epi32, _mm256_add_epi64 as add_epi64, _mm256_blend_epi16,
    _mm256_blend_epi32, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_load_si256 as load_aligned,
    _mm256_loadu_si256 as load_unaligned, _mm256_madd_epi16 as madd_epi16, _mm256_min_epu32 as min_epu32,
    _mm256_mul_epi32 as mul_epi32, _mm256_mul_epu32 as mul_epu32, _mm256_permutevar_ps,
    _mm256_permutevar8x32_epi32, _mm256_set1_epi32 as set1_epi32, _mm256_set1_epi64x as set1_epi64x,
    _mm256_setr_epi32, _mm256_shuffle_epi32 as shuffle_epi32, _mm256_shuffle_ps,
    _mm256_slli_epi32 as slli_epi32, _mm256_srli_epi32 as srli_epi32, _mm256_srli_epi64 as srli_epi64,
    _mm256_store_si256 as store_aligned, _mm256_sub_epi32 as sub_epi32, _mm256_sub_epi64 as sub_epi64,
    _mm256_xor_si256 as xor,
};

use phalanx_core::simd::opaque_ymm as opaque;

super::x86::packed_lanes!(Avx2, "avx2", lanes: 8, bytes: 32);

/// The upper words of both halves in their lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn upper_words([even, odd]: Halves) -> Vector {
    _mm256_blend_epi32::<0b1010_1010>(shuffle_epi32::<0xf5>(even), odd)
}

/// The same, lanes 0, 2, 1, 3 of each half of the vector.
#[inline]
#[target_feature(enable = "avx2")]
fn upper_words_in_some_order([even, odd]: Halves) -> Vector {
    _mm256_castps_si256(_mm256_shuffle_ps::<0b1101_1101>(_mm256_castsi256_ps(even), _mm256_castsi256_ps(odd)))
}

/// Of four words the one that the two lowest bits of each word choose.
#[inline]
#[target_feature(enable = "avx2")]
fn lookup(x: Vector, [a, b, c, d]: [i32; 4]) -> Vector {
    let table = _mm256_castsi256_ps(_mm256_setr_epi32(a, b, c, d, a, b, c, d));
    _mm256_castps_si256(_mm256_permutevar_ps(table, x))
}

/// The lower halves of `a` and the upper ones of `b`.
#[inline]
#[target_feature(enable = "avx2")]
fn odd_halves_of_second(a: Vector, b: Vector) -> Vector {
    _mm256_blend_epi16::<0b1010_1010>(a, b)
}

/// Lanes 0, 4, 1, 5, 2, 6, 3, 7 in order.
#[inline]
#[target_feature(enable = "avx2")]
fn lower_lanes_first(x: Vector) -> Vector {
    _mm256_permutevar8x32_epi32(x, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7))
}
