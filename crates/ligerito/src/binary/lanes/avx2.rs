//! One element to a register: PCLMULQDQ, whose 128-bit form every CPU with AVX2 has.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX2 code, on the strength of a witness")]

use super::halves::{Constant, Halves, Sum};
use super::limbs::{Columns, Element, Limbs};
use super::{Kernel, Lanes};
use crate::binary::{Gf128, Gf192};
use core::arch::x86_64::*;
use phalanx_core::simd::Avx2;

impl Halves for Avx2 {
    type Vector = __m128i;

    const COUNT: usize = 1;

    #[inline(always)]
    fn load(self, from: &[Gf128]) -> __m128i {
        Halves::splat(self, &from[0])
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

    /// low + middle X + high X^2: x^128 = x^7 + x^2 + x + 1 brings the upper word of the high part into the middle, and
    /// then what is above 128 bits of all down.
    #[inline(always)]
    fn reduce(self, sum: Sum<__m128i>) -> __m128i {
        // SAFETY: `self` is the proof of AVX2 and PCLMULQDQ.
        unsafe {
            let modulus = _mm_set1_epi64x(0x87);
            let middle = _mm_xor_si128(sum.cross, _mm_xor_si128(sum.low, sum.high));
            let middle = _mm_xor_si128(middle, _mm_clmulepi64_si128::<0x01>(sum.high, modulus));
            let high = _mm_xor_si128(sum.high, _mm_bsrli_si128::<8>(middle));
            let low = _mm_xor_si128(sum.low, _mm_bslli_si128::<8>(middle));
            _mm_xor_si128(low, _mm_clmulepi64_si128::<0x00>(high, modulus))
        }
    }

    #[inline(always)]
    fn shift(self, a: __m128i) -> __m128i {
        // SAFETY: `self` is the proof of AVX2 and PCLMULQDQ.
        unsafe {
            let over = _mm_clmulepi64_si128::<0x01>(a, _mm_set1_epi64x(0x87));
            _mm_xor_si128(over, _mm_bslli_si128::<8>(a))
        }
    }

    /// low + middle X, whose upper half comes down. Shifts in place of the fifth product were slower (Zen 5, November
    /// 2026).
    #[inline(always)]
    fn multiply_add(self, a: __m128i, r: Constant<__m128i>, addend: __m128i) -> __m128i {
        // SAFETY: `self` is the proof of AVX2 and PCLMULQDQ.
        unsafe {
            let low = _mm_xor_si128(
                _mm_clmulepi64_si128::<0x00>(a, r.value),
                _mm_clmulepi64_si128::<0x01>(a, r.shifted),
            );
            let middle = _mm_xor_si128(
                _mm_clmulepi64_si128::<0x10>(a, r.value),
                _mm_clmulepi64_si128::<0x11>(a, r.shifted),
            );
            let over = _mm_clmulepi64_si128::<0x01>(middle, _mm_set1_epi64x(0x87));
            let low = _mm_xor_si128(_mm_xor_si128(low, addend), _mm_bslli_si128::<8>(middle));
            _mm_xor_si128(low, over)
        }
    }

    #[inline(always)]
    fn sum_of_lanes(self, a: __m128i) -> Gf128 {
        let mut lane = [Gf128(0)];
        Halves::store(self, a, &mut lane);
        lane[0]
    }
}

impl Limbs for Avx2 {
    type Register = __m128i;

    const COUNT: usize = 1;

    #[inline(always)]
    fn load(self, from: &[Gf192]) -> Element<__m128i> {
        Limbs::splat(self, &from[0])
    }

    #[inline(always)]
    fn store(self, element: Element<__m128i>, to: &mut [Gf192]) {
        let limbs = &mut to[0].0;
        // SAFETY: `self` is the proof of AVX2, and the limbs have 16 and 8 bytes.
        unsafe {
            _mm_storeu_si128(limbs.as_mut_ptr().cast(), element.lower);
            _mm_storel_epi64((&raw mut limbs[2]).cast(), element.upper);
        }
    }

    #[inline(always)]
    fn splat(self, element: &Gf192) -> Element<__m128i> {
        let limbs = &element.0;
        // SAFETY: `self` is the proof of AVX2, and the limbs have 16 and 8 bytes.
        unsafe {
            Element {
                lower: _mm_loadu_si128(limbs.as_ptr().cast()),
                upper: _mm_loadl_epi64((&raw const limbs[2]).cast()),
            }
        }
    }

    #[inline(always)]
    fn xor(self, a: __m128i, b: __m128i) -> __m128i {
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
    fn swapped(self, a: __m128i) -> __m128i {
        // SAFETY: `self` is the proof of AVX2.
        unsafe { _mm_shuffle_epi32::<0b01_00_11_10>(a) }
    }

    #[inline(always)]
    fn doubled(self, a: __m128i) -> __m128i {
        // SAFETY: `self` is the proof of AVX2.
        unsafe { _mm_unpacklo_epi64(a, a) }
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

    /// Limbs 5, 4 and then 3 come down, each by a product.
    #[inline(always)]
    fn reduce(self, columns: Columns<__m128i>) -> Element<__m128i> {
        let [c0, c1, c2, c3, c4] = columns.0;
        // SAFETY: `self` is the proof of AVX2 and PCLMULQDQ.
        unsafe {
            let modulus = _mm_set1_epi64x(0x87);
            let top = _mm_xor_si128(c4, _mm_bsrli_si128::<8>(c3));
            let next = _mm_xor_si128(c2, _mm_alignr_epi8::<8>(c3, c1));
            let next = _mm_xor_si128(next, _mm_clmulepi64_si128::<0x01>(top, modulus));
            let middle = _mm_clmulepi64_si128::<0x00>(top, modulus);
            let low = _mm_xor_si128(c0, _mm_bslli_si128::<8>(_mm_xor_si128(c1, middle)));
            Element {
                lower: _mm_xor_si128(low, _mm_clmulepi64_si128::<0x01>(next, modulus)),
                upper: _mm_xor_si128(next, _mm_bsrli_si128::<8>(middle)),
            }
        }
    }
}

/// Runs the kernel on one lane.
pub(super) fn run<K: Kernel>(witness: Avx2, kernel: K) -> K::Output
where
    Avx2: Lanes<K::Field>,
{
    // SAFETY: `witness` is the proof that this CPU has every feature that `entry` is compiled for.
    unsafe { entry(witness, kernel) }
}

/// [`run`], compiled for AVX2.
#[target_feature(enable = "avx2,pclmulqdq")]
#[inline(never)]
fn entry<K: Kernel>(witness: Avx2, kernel: K) -> K::Output
where
    Avx2: Lanes<K::Field>,
{
    kernel.run(witness)
}
