//! Two elements to a register: VPCLMULQDQ on 32 bytes.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX2 code, on the strength of a witness")]

use super::carryless::{arithmetic_of_halves, arithmetic_of_limbs};
use super::halves::{self, Constant, Halves, Sum, lanes_of_halves};
use super::limbs::{self, Columns, Element, Limbs, lanes_of_limbs};
use super::steps::steps;
use super::{Kernel, Lanes};
use crate::binary::{Gf128, Gf192};
use core::arch::x86_64::*;
use phalanx_core::simd::Vpclmul;

/// The lower lanes of both.
#[inline(always)]
fn lower_lanes(_: Vpclmul, a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the witness is the proof of AVX2.
    unsafe { _mm256_permute2x128_si256::<0x20>(a, b) }
}

/// The upper lanes of both.
#[inline(always)]
fn upper_lanes(_: Vpclmul, a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the witness is the proof of AVX2.
    unsafe { _mm256_permute2x128_si256::<0x31>(a, b) }
}

impl Halves for Vpclmul {
    type Vector = __m256i;

    const COUNT: usize = 2;

    #[inline(always)]
    fn load(self, from: &[Gf128]) -> __m256i {
        let from = &from[..2];
        // SAFETY: `self` is the proof of AVX2, and the slice has 32 bytes.
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, vector: __m256i, to: &mut [Gf128]) {
        let to = &mut to[..2];
        // SAFETY: `self` is the proof of AVX2, and the slice has 32 bytes, each pattern of which is an element.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), vector) }
    }

    #[inline(always)]
    fn splat(self, element: &Gf128) -> __m256i {
        // SAFETY: `self` is the proof of AVX2, and the element has 16 bytes.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(core::ptr::from_ref(element).cast())) }
    }

    arithmetic_of_halves!(
        __m256i,
        _mm256_xor_si256,
        _mm256_clmulepi64_epi128,
        _mm256_set1_epi64x,
        _mm256_shuffle_epi32,
        _mm256_bslli_epi128,
        _mm256_bsrli_epi128
    );

    #[inline(always)]
    fn evens(self, a: __m256i, b: __m256i) -> __m256i {
        lower_lanes(self, a, b)
    }

    #[inline(always)]
    fn odds(self, a: __m256i, b: __m256i) -> __m256i {
        upper_lanes(self, a, b)
    }

    #[inline(always)]
    fn sum_of_lanes(self, a: __m256i) -> Gf128 {
        let mut lanes = [Gf128(0); 2];
        Halves::store(self, a, &mut lanes);
        lanes[0] + lanes[1]
    }
}

impl Limbs for Vpclmul {
    type Register = __m256i;

    const COUNT: usize = 2;

    #[inline(always)]
    fn load(self, from: &[Gf192]) -> Element<__m256i> {
        let from: *const u64 = from[..2].as_ptr().cast();
        // SAFETY: `self` is the proof of AVX2, and the slice has six limbs.
        unsafe {
            Element {
                lower: _mm256_loadu2_m128i(from.add(3).cast(), from.cast()),
                upper: _mm256_set_m128i(
                    _mm_loadl_epi64(from.add(5).cast()),
                    _mm_loadl_epi64(from.add(2).cast()),
                ),
            }
        }
    }

    #[inline(always)]
    fn store(self, element: Element<__m256i>, to: &mut [Gf192]) {
        let to: *mut u64 = to[..2].as_mut_ptr().cast();
        let Element { lower, upper } = element;
        // SAFETY: `self` is the proof of AVX2, and the slice has six limbs.
        unsafe {
            _mm256_storeu2_m128i(to.add(3).cast(), to.cast(), lower);
            _mm_storel_epi64(to.add(2).cast(), _mm256_castsi256_si128(upper));
            _mm_storel_epi64(to.add(5).cast(), _mm256_extracti128_si256::<1>(upper));
        }
    }

    #[inline(always)]
    fn splat(self, element: &Gf192) -> Element<__m256i> {
        let limbs = &element.0;
        // SAFETY: `self` is the proof of AVX2, and the element has 24 bytes.
        unsafe {
            Element {
                lower: _mm256_broadcastsi128_si256(_mm_loadu_si128(limbs.as_ptr().cast())),
                upper: _mm256_set1_epi64x(limbs[2].cast_signed()),
            }
        }
    }

    arithmetic_of_limbs!(
        __m256i,
        _mm256_xor_si256,
        _mm256_clmulepi64_epi128,
        _mm256_set1_epi64x,
        _mm256_shuffle_epi32,
        _mm256_bslli_epi128,
        _mm256_bsrli_epi128,
        _mm256_alignr_epi8,
        _mm256_unpacklo_epi64
    );

    #[inline(always)]
    fn evens(self, a: __m256i, b: __m256i) -> __m256i {
        lower_lanes(self, a, b)
    }

    #[inline(always)]
    fn odds(self, a: __m256i, b: __m256i) -> __m256i {
        upper_lanes(self, a, b)
    }
}

lanes_of_halves!(Vpclmul, __m256i, "avx2,pclmulqdq,vpclmulqdq");
lanes_of_limbs!(Vpclmul, __m256i, "avx2,pclmulqdq,vpclmulqdq");

/// Runs the kernel on two lanes.
pub(super) fn run<K: Kernel>(witness: Vpclmul, kernel: K) -> K::Output
where
    Vpclmul: Lanes<K::Field>,
{
    // SAFETY: `witness` is the proof that this CPU has every feature that `entry` is compiled for.
    unsafe { entry(witness, kernel) }
}

/// [`run`], compiled for AVX2 and VPCLMULQDQ.
#[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]
#[inline(never)]
fn entry<K: Kernel>(witness: Vpclmul, kernel: K) -> K::Output
where
    Vpclmul: Lanes<K::Field>,
{
    kernel.run(witness)
}
