//! Sixteen bytes of NEON.
#![allow(
    unsafe_code,
    unused_unsafe,
    reason = "intrinsics on the strength of a witness, safe in newer compilers"
)]

use super::sixteen::Bytes;
use crate::binary::Gf32;
use core::arch::aarch64::*;
use phalanx_core::simd::Neon;

impl Bytes for Neon {
    type Vector = uint8x16_t;

    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> uint8x16_t {
        // SAFETY: `self` is the proof of NEON, and sixteen bytes are read.
        unsafe { vld1q_u8(bytes.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, vector: uint8x16_t, bytes: &mut [u8; 16]) {
        // SAFETY: `self` is the proof of NEON, and sixteen bytes are written.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), vector) }
    }

    #[inline(always)]
    fn load_elements(self, elements: &[Gf32; 4]) -> uint8x16_t {
        // SAFETY: `self` is the proof of NEON, and four elements have sixteen bytes.
        unsafe { vreinterpretq_u8_u32(vld1q_u32(elements.as_ptr().cast())) }
    }

    #[inline(always)]
    fn store_elements(self, vector: uint8x16_t, elements: &mut [Gf32; 4]) {
        // SAFETY: `self` is the proof of NEON, and four elements have sixteen bytes, each pattern of which is an element.
        unsafe { vst1q_u32(elements.as_mut_ptr().cast(), vreinterpretq_u32_u8(vector)) }
    }

    #[inline(always)]
    fn xor(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { veorq_u8(a, b) }
    }

    #[inline(always)]
    fn low(self, a: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vandq_u8(a, vdupq_n_u8(15)) }
    }

    #[inline(always)]
    fn high(self, a: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vshrq_n_u8::<4>(a) }
    }

    #[inline(always)]
    fn lookup(self, table: uint8x16_t, places: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vqtbl1q_u8(table, places) }
    }

    #[inline(always)]
    fn transpose(self, vectors: [uint8x16_t; 4]) -> [uint8x16_t; 4] {
        // SAFETY: `self` is the proof of NEON.
        unsafe {
            let [r0, r1, r2, r3] = vectors.map(|vector| vreinterpretq_u32_u8(vector));
            let double = |vector| vreinterpretq_u64_u32(vector);
            let (a, b) = (double(vtrn1q_u32(r0, r1)), double(vtrn2q_u32(r0, r1)));
            let (c, d) = (double(vtrn1q_u32(r2, r3)), double(vtrn2q_u32(r2, r3)));
            [vtrn1q_u64(a, c), vtrn1q_u64(b, d), vtrn2q_u64(a, c), vtrn2q_u64(b, d)]
                .map(|vector| vreinterpretq_u8_u64(vector))
        }
    }
}
