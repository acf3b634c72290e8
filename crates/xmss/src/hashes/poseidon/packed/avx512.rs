//! Sixteen packed lanes of AVX-512, where products of 52 bits are missing.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX-512 code, on the strength of a witness")]

use core::arch::x86_64::{
    __m512i as Vector, _mm512_add_epi32 as add_epi32, _mm512_add_epi64 as add_epi64, _mm512_castps_si512,
    _mm512_castsi512_ps, _mm512_load_si512 as load_aligned, _mm512_loadu_si512 as load_unaligned,
    _mm512_madd_epi16 as madd_epi16, _mm512_mask_blend_epi16, _mm512_mask_shuffle_epi32,
    _mm512_min_epu32 as min_epu32, _mm512_mul_epi32 as mul_epi32, _mm512_mul_epu32 as mul_epu32,
    _mm512_permutevar_ps, _mm512_permutexvar_epi32, _mm512_set1_epi32 as set1_epi32,
    _mm512_set1_epi64 as set1_epi64x, _mm512_setr_epi32, _mm512_setr4_epi32,
    _mm512_shuffle_epi32 as shuffle_epi32, _mm512_slli_epi32 as slli_epi32, _mm512_srli_epi32 as srli_epi32,
    _mm512_srli_epi64 as srli_epi64, _mm512_store_si512 as store_aligned, _mm512_sub_epi32 as sub_epi32,
    _mm512_sub_epi64 as sub_epi64, _mm512_xor_si512 as xor,
};

use phalanx_core::simd::opaque_zmm as opaque;

super::x86::packed_lanes!(Avx512, "avx512f,avx512bw,avx512dq,avx512vl", lanes: 16, bytes: 64);

/// The upper words of both halves in their lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn upper_words([even, odd]: Halves) -> Vector {
    _mm512_mask_shuffle_epi32::<0xf5>(odd, 0x5555, even)
}

/// The same: here one instruction keeps the order.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn upper_words_in_some_order(halves: Halves) -> Vector {
    upper_words(halves)
}

/// Of four words the one that the two lowest bits of each word choose.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn lookup(x: Vector, [a, b, c, d]: [i32; 4]) -> Vector {
    let table = _mm512_castsi512_ps(_mm512_setr4_epi32(a, b, c, d));
    _mm512_castps_si512(_mm512_permutevar_ps(table, x))
}

/// The lower halves of `a` and the upper ones of `b`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn odd_halves_of_second(a: Vector, b: Vector) -> Vector {
    _mm512_mask_blend_epi16(0xaaaa_aaaa, a, b)
}

/// Lanes 0, 8, 1, 9, ... in order.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn lower_lanes_first(x: Vector) -> Vector {
    let order = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
    _mm512_permutexvar_epi32(order, x)
}
