//! Four elements to a register: VPCLMULQDQ for products, GFNI for reductions.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX-512 code, on the strength of a witness")]

use super::{Kernel, Lanes, Sum};
use crate::fields::binary::Gf128;
use crate::simd::Avx512;
use core::arch::x86_64::*;

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

impl Lanes for Avx512 {
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

    /// low + middle X + high X^2: the middle is cut in two, and x^128 = x^7 + x^2 + x + 1 brings the upper half down. Byte
    /// matrices make the product with that polynomial: its lower byte stays, its upper byte goes one place up, and what
    /// leaves the top place is first added at the bottom, to be multiplied once more.
    #[inline(always)]
    fn reduce(self, sum: Sum<__m512i>) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512 F and BW, and of GFNI.
        unsafe {
            let lower = _mm512_set1_epi64(const { times_0x87(0) });
            let upper = _mm512_set1_epi64(const { times_0x87(8) });
            let middle = _mm512_ternarylogic_epi64::<XOR3>(sum.cross, sum.low, sum.high);
            let swapped = _mm512_shuffle_epi32::<_MM_PERM_BADC>(middle);
            let out = _mm512_bsrli_epi128::<15>(_mm512_gf2p8affine_epi64_epi8::<0>(sum.high, upper));
            let high = _mm512_mask_ternarylogic_epi64::<XOR3>(sum.high, 0b0101_0101, swapped, out);
            let low = _mm512_mask_xor_epi64(sum.low, 0b1010_1010, sum.low, swapped);
            let down = _mm512_gf2p8affine_epi64_epi8::<0>(high, lower);
            let up = _mm512_bslli_epi128::<1>(_mm512_gf2p8affine_epi64_epi8::<0>(high, upper));
            _mm512_ternarylogic_epi64::<XOR3>(low, down, up)
        }
    }

    #[inline(always)]
    fn sum_of_lanes(self, a: __m512i) -> Gf128 {
        let mut lanes = [Gf128(0); 4];
        self.store(a, &mut lanes);
        lanes[0] + lanes[1] + (lanes[2] + lanes[3])
    }
}

/// Runs the kernel on four lanes.
pub(super) fn run<K: Kernel>(witness: Avx512, kernel: K) -> K::Output {
    // SAFETY: `witness` is the proof that this CPU has every feature that `entry` is compiled for.
    unsafe { entry(witness, kernel) }
}

/// [`run`], compiled for AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,vpclmulqdq")]
#[inline(never)]
fn entry<K: Kernel>(witness: Avx512, kernel: K) -> K::Output {
    kernel.run(witness)
}
