//! One element to a register: PCLMULQDQ, whose 128-bit form every CPU with AVX2 has.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX2 code, on the strength of a witness")]

use super::{Kernel, Lanes, Sum};
use crate::fields::binary::Gf128;
use crate::simd::Avx2;
use core::arch::x86_64::*;

impl Lanes for Avx2 {
    type Vector = __m128i;

    const COUNT: usize = 1;

    #[inline(always)]
    fn load(self, from: &[Gf128]) -> __m128i {
        self.splat(&from[0])
    }

    #[inline(always)]
    fn store(self, vector: __m128i, to: &mut [Gf128]) {
        let to = &mut to[0];
        // SAFETY: `self` is the proof of AVX2, and the element has 16 bytes, each pattern of which is an element.
        unsafe { _mm_storeu_si128(core::ptr::from_mut(to).cast(), vector) }
    }

    #[inline(always)]
    fn splat(self, element: &Gf128) -> __m128i {
        // SAFETY: `self` is the proof of AVX2, and the element has 16 bytes.
        unsafe { _mm_loadu_si128(core::ptr::from_ref(element).cast()) }
    }

    #[inline(always)]
    fn add(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: `self` is the proof of AVX2.
        unsafe { _mm_xor_si128(a, b) }
    }

    #[inline(always)]
    fn evens(self, a: __m128i, _: __m128i) -> __m128i {
        a
    }

    #[inline(always)]
    fn odds(self, _: __m128i, b: __m128i) -> __m128i {
        b
    }

    #[inline(always)]
    fn cross(self, a: __m128i) -> __m128i {
        // SAFETY: `self` is the proof of AVX2.
        unsafe { _mm_xor_si128(a, _mm_shuffle_epi32::<0b01_00_11_10>(a)) }
    }

    #[inline(always)]
    fn low_product(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: `self` is the proof of PCLMULQDQ.
        unsafe { _mm_clmulepi64_si128::<0x00>(a, b) }
    }

    #[inline(always)]
    fn high_product(self, a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: `self` is the proof of PCLMULQDQ.
        unsafe { _mm_clmulepi64_si128::<0x11>(a, b) }
    }

    /// low + middle X + high X^2: the middle is cut in two, and x^128 = x^7 + x^2 + x + 1 brings the upper half down by
    /// shifts of 64-bit words. What leaves the upper word is first added at the bottom, to be multiplied once more; what
    /// leaves the lower word goes into the upper one.
    #[inline(always)]
    fn reduce(self, sum: Sum<__m128i>) -> __m128i {
        // SAFETY: `self` is the proof of AVX2.
        unsafe {
            let middle = _mm_xor_si128(sum.cross, _mm_xor_si128(sum.low, sum.high));
            let low = _mm_xor_si128(sum.low, _mm_bslli_si128::<8>(middle));
            let high = _mm_xor_si128(sum.high, _mm_bsrli_si128::<8>(middle));
            let by_one_and_two = _mm_xor_si128(_mm_srli_epi64::<63>(high), _mm_srli_epi64::<62>(high));
            let leaving = _mm_xor_si128(by_one_and_two, _mm_srli_epi64::<57>(high));
            let low = _mm_xor_si128(low, _mm_bslli_si128::<8>(leaving));
            let high = _mm_xor_si128(high, _mm_bsrli_si128::<8>(leaving));
            let by_one_and_two = _mm_xor_si128(_mm_slli_epi64::<1>(high), _mm_slli_epi64::<2>(high));
            let shifted = _mm_xor_si128(by_one_and_two, _mm_slli_epi64::<7>(high));
            _mm_xor_si128(_mm_xor_si128(low, high), shifted)
        }
    }

    #[inline(always)]
    fn sum_of_lanes(self, a: __m128i) -> Gf128 {
        let mut lane = [Gf128(0)];
        self.store(a, &mut lane);
        lane[0]
    }
}

/// Runs the kernel on one lane.
pub(super) fn run<K: Kernel>(witness: Avx2, kernel: K) -> K::Output {
    // SAFETY: `witness` is the proof that this CPU has every feature that `entry` is compiled for.
    unsafe { entry(witness, kernel) }
}

/// [`run`], compiled for AVX2.
#[target_feature(enable = "avx2,pclmulqdq")]
#[inline(never)]
fn entry<K: Kernel>(witness: Avx2, kernel: K) -> K::Output {
    kernel.run(witness)
}
