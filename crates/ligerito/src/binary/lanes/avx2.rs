//! One element to a register: PCLMULQDQ, whose 128-bit form every CPU with AVX2 has.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX2 code, on the strength of a witness")]

use super::carryless::{arithmetic_of_halves, arithmetic_of_limbs};
use super::halves::{self, Constant, Halves, Sum, lanes_of_halves};
use super::limbs::{self, Columns, Element, Limbs, lanes_of_limbs};
use super::steps::steps;
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

    arithmetic_of_halves!(
        __m128i,
        _mm_xor_si128,
        _mm_clmulepi64_si128,
        _mm_set1_epi64x,
        _mm_shuffle_epi32,
        _mm_bslli_si128,
        _mm_bsrli_si128
    );

    #[inline(always)]
    fn evens(self, a: __m128i, _: __m128i) -> __m128i {
        a
    }

    #[inline(always)]
    fn odds(self, _: __m128i, b: __m128i) -> __m128i {
        b
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
        // Both halves of the second register, as in the other lanes: a zero above the limb is a move between registers
        // where a compiler spares the memory, in a form that valgrind does not know.
        // SAFETY: `self` is the proof of AVX2, and the limbs have 16 bytes.
        unsafe {
            Element {
                lower: _mm_loadu_si128(limbs.as_ptr().cast()),
                upper: _mm_set1_epi64x(limbs[2].cast_signed()),
            }
        }
    }

    arithmetic_of_limbs!(
        __m128i,
        _mm_xor_si128,
        _mm_clmulepi64_si128,
        _mm_set1_epi64x,
        _mm_shuffle_epi32,
        _mm_bslli_si128,
        _mm_bsrli_si128,
        _mm_alignr_epi8,
        _mm_unpacklo_epi64
    );

    #[inline(always)]
    fn evens(self, a: __m128i, _: __m128i) -> __m128i {
        a
    }

    #[inline(always)]
    fn odds(self, _: __m128i, b: __m128i) -> __m128i {
        b
    }
}

lanes_of_halves!(Avx2, __m128i, "avx2,pclmulqdq");
lanes_of_limbs!(Avx2, __m128i, "avx2,pclmulqdq");

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
