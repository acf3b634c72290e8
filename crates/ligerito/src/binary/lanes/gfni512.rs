//! Four elements to a register: VPCLMULQDQ for products, GFNI for reductions.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX-512 code, on the strength of a witness")]

use super::halves::{self, Constant, Halves, Sum, lanes_of_halves};
use super::limbs::{self, Columns, Element, Limbs, lanes_of_limbs};
use super::steps::steps;
use super::{Kernel, Lanes};
use crate::binary::{Gf128, Gf192};
use core::arch::x86_64::*;
use phalanx_core::simd::Gfni512;

/// The truth table of a ^ b ^ c.
const XOR3: i32 = 0x96;

/// The matrix that takes a byte b to bits `shift` to `shift` + 7 of b (x^7 + x^2 + x + 1): bit i of the result is the
/// parity of the byte masked with byte 7 - i of the matrix.
const fn times_0x87(shift: usize) -> i64 {
    let mut matrix = [0u8; 8];
    let mut to = 0;
    while to < 8 {
        let mut from = 0;
        while from < 8 {
            if (0x87u16 << from) >> (to + shift) & 1 == 1 {
                matrix[7 - to] |= 1 << from;
            }
            from += 1;
        }
        to += 1;
    }
    i64::from_le_bytes(matrix)
}

/// What of a byte times x^7 + x^2 + x + 1 stays in its place.
const LOWER: i64 = times_0x87(0);
/// What of it goes one place up.
const UPPER: i64 = times_0x87(8);
/// The matrix that leaves a byte as it is.
const SAME: i64 = 0x0102_0408_1020_4080;

/// The same two words in every lane.
#[inline]
#[target_feature(enable = "avx512f")]
fn in_pairs(lower: i64, upper: i64) -> __m512i {
    _mm512_set_epi64(upper, lower, upper, lower, upper, lower, upper, lower)
}

impl Halves for Gfni512 {
    type Vector = __m512i;

    const COUNT: usize = 4;

    #[inline(always)]
    fn load(self, from: &[Gf128]) -> __m512i {
        let from = &from[..4];
        // SAFETY: `self` is the proof of AVX-512 F, and the slice has 64 bytes.
        unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, vector: __m512i, to: &mut [Gf128]) {
        let to = &mut to[..4];
        // SAFETY: `self` is the proof of AVX-512 F, and the slice has 64 bytes, each pattern of which is an element.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), vector) }
    }

    #[inline(always)]
    fn splat(self, element: &Gf128) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F, and the element has 16 bytes.
        unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(core::ptr::from_ref(element).cast())) }
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_xor_si512(a, b) }
    }

    #[inline(always)]
    fn evens(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_shuffle_i64x2::<0b10_00_10_00>(a, b) }
    }

    #[inline(always)]
    fn odds(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b) }
    }

    #[inline(always)]
    fn cross(self, a: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_xor_si512(a, _mm512_shuffle_epi32::<_MM_PERM_BADC>(a)) }
    }

    #[inline(always)]
    fn low_product(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F and VPCLMULQDQ.
        unsafe { _mm512_clmulepi64_epi128::<0x00>(a, b) }
    }

    #[inline(always)]
    fn high_product(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F and VPCLMULQDQ.
        unsafe { _mm512_clmulepi64_epi128::<0x11>(a, b) }
    }

    /// low + middle X + high X^2, where x^128 = x^7 + x^2 + x + 1 brings the upper part down. What leaves the top byte
    /// on the way is added to the upper half of the middle, which comes down as well.
    #[inline(always)]
    fn reduce(self, sum: Sum<__m512i>) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F and BW, and of GFNI.
        unsafe {
            let middle = _mm512_ternarylogic_epi64::<XOR3>(sum.cross, sum.low, sum.high);
            let down = _mm512_gf2p8affine_epi64_epi8::<0>(sum.high, _mm512_set1_epi64(LOWER));
            let up = _mm512_gf2p8affine_epi64_epi8::<0>(sum.high, _mm512_set1_epi64(UPPER));
            let low = _mm512_ternarylogic_epi64::<XOR3>(sum.low, down, _mm512_bslli_epi128::<1>(up));
            let swapped = _mm512_shuffle_epi32::<_MM_PERM_BADC>(middle);
            let swapped = _mm512_xor_si512(swapped, _mm512_bsrli_epi128::<15>(up));
            let down = _mm512_gf2p8affine_epi64_epi8::<0>(swapped, in_pairs(LOWER, SAME));
            let up = _mm512_gf2p8affine_epi64_epi8::<0>(swapped, in_pairs(UPPER, 0));
            _mm512_ternarylogic_epi64::<XOR3>(low, down, _mm512_bslli_epi128::<1>(up))
        }
    }

    #[inline(always)]
    fn shift(self, a: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F and BW, and of VPCLMULQDQ.
        unsafe {
            let over = _mm512_clmulepi64_epi128::<0x01>(a, _mm512_set1_epi64(0x87));
            _mm512_xor_si512(over, _mm512_bslli_epi128::<8>(a))
        }
    }

    /// low + middle X: the upper half of the middle goes down by byte matrices while the lower half goes up.
    #[inline(always)]
    fn multiply_add(self, a: __m512i, r: Constant<__m512i>, addend: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F and BW, and of VPCLMULQDQ and GFNI.
        unsafe {
            let low = _mm512_ternarylogic_epi64::<XOR3>(
                _mm512_clmulepi64_epi128::<0x00>(a, r.value),
                _mm512_clmulepi64_epi128::<0x01>(a, r.shifted),
                addend,
            );
            let middle = _mm512_xor_si512(
                _mm512_clmulepi64_epi128::<0x10>(a, r.value),
                _mm512_clmulepi64_epi128::<0x11>(a, r.shifted),
            );
            let swapped = _mm512_shuffle_epi32::<_MM_PERM_BADC>(middle);
            let down = _mm512_gf2p8affine_epi64_epi8::<0>(swapped, in_pairs(LOWER, SAME));
            let up = _mm512_gf2p8affine_epi64_epi8::<0>(swapped, in_pairs(UPPER, 0));
            _mm512_ternarylogic_epi64::<XOR3>(low, down, _mm512_bslli_epi128::<1>(up))
        }
    }

    #[inline(always)]
    fn sum_of_lanes(self, a: __m512i) -> Gf128 {
        let mut lanes = [Gf128(0); 4];
        Halves::store(self, a, &mut lanes);
        lanes[0] + lanes[1] + (lanes[2] + lanes[3])
    }
}

impl Limbs for Gfni512 {
    type Register = __m512i;

    const COUNT: usize = 4;

    #[inline(always)]
    fn load(self, from: &[Gf192]) -> Element<__m512i> {
        let from: *const u64 = from[..4].as_ptr().cast();
        // SAFETY: `self` is the proof of AVX-512 F, and the slice has twelve limbs.
        unsafe {
            let first = _mm512_loadu_si512(from.cast());
            let second = _mm512_zextsi256_si512(_mm256_loadu_si256(from.add(8).cast()));
            let lower = _mm512_set_epi64(10, 9, 7, 6, 4, 3, 1, 0);
            let upper = _mm512_set_epi64(11, 11, 8, 8, 5, 5, 2, 2);
            Element {
                lower: _mm512_permutex2var_epi64(first, lower, second),
                upper: _mm512_permutex2var_epi64(first, upper, second),
            }
        }
    }

    #[inline(always)]
    fn store(self, element: Element<__m512i>, to: &mut [Gf192]) {
        let to: *mut u64 = to[..4].as_mut_ptr().cast();
        let Element { lower, upper } = element;
        // SAFETY: `self` is the proof of AVX-512 F, and the slice has twelve limbs.
        unsafe {
            let first = _mm512_set_epi64(5, 4, 10, 3, 2, 8, 1, 0);
            let second = _mm512_set_epi64(0, 0, 0, 0, 14, 7, 6, 12);
            _mm512_storeu_si512(to.cast(), _mm512_permutex2var_epi64(lower, first, upper));
            let second = _mm512_permutex2var_epi64(lower, second, upper);
            _mm256_storeu_si256(to.add(8).cast(), _mm512_castsi512_si256(second));
        }
    }

    #[inline(always)]
    fn splat(self, element: &Gf192) -> Element<__m512i> {
        let limbs = &element.0;
        // SAFETY: `self` is the proof of AVX-512 F, and the element has 24 bytes.
        unsafe {
            Element {
                lower: _mm512_broadcast_i32x4(_mm_loadu_si128(limbs.as_ptr().cast())),
                upper: _mm512_set1_epi64(limbs[2].cast_signed()),
            }
        }
    }

    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_xor_si512(a, b) }
    }

    #[inline(always)]
    fn evens(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_shuffle_i64x2::<0b10_00_10_00>(a, b) }
    }

    #[inline(always)]
    fn odds(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b) }
    }

    #[inline(always)]
    fn swapped(self, a: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_shuffle_epi32::<_MM_PERM_BADC>(a) }
    }

    #[inline(always)]
    fn doubled(self, a: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { _mm512_unpacklo_epi64(a, a) }
    }

    #[inline(always)]
    fn low_product(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F and VPCLMULQDQ.
        unsafe { _mm512_clmulepi64_epi128::<0x00>(a, b) }
    }

    #[inline(always)]
    fn high_product(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F and VPCLMULQDQ.
        unsafe { _mm512_clmulepi64_epi128::<0x11>(a, b) }
    }

    /// Limbs 3, 4 and 5 come down by byte matrices; what limb 5 pushes out at the top goes with limb 3.
    #[inline(always)]
    fn reduce(self, columns: Columns<__m512i>) -> Element<__m512i> {
        let [c0, c1, c2, c3, c4] = columns.0;
        // SAFETY: `self` is the proof of AVX-512 F and BW, and of GFNI.
        unsafe {
            let (lower, upper) = (_mm512_set1_epi64(LOWER), _mm512_set1_epi64(UPPER));
            let top = _mm512_xor_si512(c4, _mm512_bsrli_epi128::<8>(c3));
            let next = _mm512_xor_si512(c2, _mm512_alignr_epi8::<8>(c3, c1));
            // Limbs 4 and 5 push up into limbs 2 and 3.
            let up = _mm512_gf2p8affine_epi64_epi8::<0>(top, upper);
            let down = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_bsrli_epi128::<8>(top), lower);
            let next_down = _mm512_ternarylogic_epi64::<XOR3>(next, down, _mm512_bsrli_epi128::<7>(up));
            let high = _mm512_alignr_epi8::<8>(top, next);
            let high = _mm512_xor_si512(high, _mm512_bsrli_epi128::<15>(up));
            let down = _mm512_gf2p8affine_epi64_epi8::<0>(high, lower);
            let up = _mm512_gf2p8affine_epi64_epi8::<0>(high, upper);
            let low = _mm512_ternarylogic_epi64::<XOR3>(c0, _mm512_bslli_epi128::<8>(c1), down);
            Element { lower: _mm512_xor_si512(low, _mm512_bslli_epi128::<1>(up)), upper: next_down }
        }
    }
}

lanes_of_halves!(Gfni512, __m512i, "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq");
lanes_of_limbs!(Gfni512, __m512i, "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq");

/// Runs the kernel on four lanes.
pub(super) fn run<K: Kernel>(witness: Gfni512, kernel: K) -> K::Output
where
    Gfni512: Lanes<K::Field>,
{
    // SAFETY: `witness` is the proof that this CPU has every feature that `entry` is compiled for.
    unsafe { entry(witness, kernel) }
}

/// [`run`], compiled for AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
#[inline(never)]
fn entry<K: Kernel>(witness: Gfni512, kernel: K) -> K::Output
where
    Gfni512: Lanes<K::Field>,
{
    kernel.run(witness)
}
