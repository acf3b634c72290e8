//! Vectors of AVX2 and FMA: four lanes.
#![expect(unsafe_code, reason = "intrinsics, on the strength of a witness")]

use super::vectors::{Constants, Vectors, intrinsics, steps};
use super::{BIAS, EXCESS, EXCESS_0, MASK, TWO_52};
use crate::fields::p25519::lanes::MAX_LANES;
use core::arch::x86_64::*;
use phalanx_core::simd::{Avx2, in_order_ymm};

impl Vectors for Avx2 {
    const COUNT: usize = 4;
    type Doubles = __m256d;
    type Integers = __m256i;

    #[inline(always)]
    fn double(self, value: f64) -> __m256d {
        // SAFETY: `self` is the proof of AVX2 and FMA.
        unsafe { _mm256_set1_pd(value) }
    }

    #[inline(always)]
    fn integer(self, value: i64) -> __m256i {
        // SAFETY: `self` is the proof of AVX2 and FMA.
        unsafe { _mm256_set1_epi64x(value) }
    }

    #[inline(always)]
    fn load(self, row: &[i64; MAX_LANES]) -> __m256i {
        // SAFETY: `self` is the proof of AVX2 and FMA, and a row has as many bytes or more.
        unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, value: __m256i, row: &mut [i64; MAX_LANES]) {
        // SAFETY: `self` is the proof of AVX2 and FMA, and a row has as many bytes or more.
        unsafe { _mm256_storeu_si256(row.as_mut_ptr().cast(), value) }
    }

    intrinsics! {
        plus(a: Doubles, b: Doubles) -> Doubles = _mm256_add_pd(a, b);
        minus(a: Doubles, b: Doubles) -> Doubles = _mm256_sub_pd(a, b);
        or(a: Doubles, b: Doubles) -> Doubles = _mm256_or_pd(a, b);
        bits(a: Doubles) -> Integers = _mm256_castpd_si256(a);
        of_bits(a: Integers) -> Doubles = _mm256_castsi256_pd(a);
        add(a: Integers, b: Integers) -> Integers = _mm256_add_epi64(a, b);
        sub(a: Integers, b: Integers) -> Integers = _mm256_sub_epi64(a, b);
    }

    steps! { "avx2,fma", __m256d, __m256i, in_order_ymm:
        _mm256_set1_pd _mm256_fmadd_pd _mm256_sub_pd _mm256_or_pd _mm256_castpd_si256 _mm256_castsi256_pd
        _mm256_set1_epi64x _mm256_add_epi64 _mm256_and_si256 _mm256_srli_epi64 _mm256_slli_epi64 _mm256_mul_epu32
    }

    #[inline(always)]
    fn select(self, mask: u8, clear: __m256d, set: __m256d) -> __m256d {
        // SAFETY: `self` is the proof of AVX2.
        unsafe {
            let bits = _mm256_set_epi64x(8, 4, 2, 1);
            let mask = _mm256_and_si256(_mm256_set1_epi64x(i64::from(mask)), bits);
            _mm256_blendv_pd(clear, set, _mm256_castsi256_pd(_mm256_cmpeq_epi64(mask, bits)))
        }
    }
}
