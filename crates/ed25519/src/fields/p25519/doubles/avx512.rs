//! Vectors of AVX-512: eight lanes. Skylake-SP and Cascade Lake have these and no IFMA.
#![expect(unsafe_code, reason = "intrinsics, on the strength of a witness")]

use super::vectors::{Constants, Vectors, carry_pass, intrinsics, steps};
use super::{BIAS, EXCESS, EXCESS_0, MASK, TWO_52};
use crate::fields::p25519::lanes::MAX_LANES;
use core::arch::x86_64::*;
use phalanx_core::simd::{Avx512, in_order_three_zmm};

impl Vectors for Avx512 {
    const COUNT: usize = 8;
    type Doubles = __m512d;
    type Integers = __m512i;

    #[inline(always)]
    fn double(self, value: f64) -> __m512d {
        // SAFETY: `self` is the proof of AVX-512 F and DQ.
        unsafe { _mm512_set1_pd(value) }
    }

    #[inline(always)]
    fn integer(self, value: i64) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F and DQ.
        unsafe { _mm512_set1_epi64(value) }
    }

    #[inline(always)]
    fn load(self, row: &[i64; MAX_LANES]) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F and DQ, and a row has as many bytes or more.
        unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, value: __m512i, row: &mut [i64; MAX_LANES]) {
        // SAFETY: `self` is the proof of AVX-512 F and DQ, and a row has as many bytes or more.
        unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), value) }
    }

    intrinsics! {
        plus(a: Doubles, b: Doubles) -> Doubles = _mm512_add_pd(a, b);
        minus(a: Doubles, b: Doubles) -> Doubles = _mm512_sub_pd(a, b);
        or(a: Doubles, b: Doubles) -> Doubles = _mm512_or_pd(a, b);
        bits(a: Doubles) -> Integers = _mm512_castpd_si512(a);
        of_bits(a: Integers) -> Doubles = _mm512_castsi512_pd(a);
        add(a: Integers, b: Integers) -> Integers = _mm512_add_epi64(a, b);
        sub(a: Integers, b: Integers) -> Integers = _mm512_sub_epi64(a, b);
    }

    steps! { "avx2,fma,avx512f,avx512dq", __m512d, __m512i, in_order_three_zmm:
        _mm512_set1_pd _mm512_fmadd_pd _mm512_sub_pd _mm512_or_pd _mm512_castpd_si512 _mm512_castsi512_pd
        _mm512_set1_epi64 _mm512_add_epi64 _mm512_and_si512 _mm512_srli_epi64 _mm512_slli_epi64 _mm512_mul_epu32
    }

    #[inline(always)]
    fn select(self, mask: u8, clear: __m512d, set: __m512d) -> __m512d {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_mask_blend_pd(mask, clear, set) }
    }
}

carry_pass! { "avx2,fma,avx512f,avx512dq", __m512d, __m512i:
    _mm512_sub_pd _mm512_or_pd _mm512_castsi512_pd _mm512_set1_pd
    _mm512_set1_epi64 _mm512_add_epi64 _mm512_and_si512 _mm512_srli_epi64 _mm512_mul_epu32
}
