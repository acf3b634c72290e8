//! Four lanes of NEON.
#![allow(
    unsafe_code,
    unused_unsafe,
    reason = "intrinsics on the strength of a witness, safe in newer compilers"
)]

use super::Lanes32;
use crate::simd::Neon;
use core::arch::aarch64::*;

impl Lanes32 for Neon {
    type Vector = uint32x4_t;
    type Words = [u32; 4];

    #[inline(always)]
    fn load(self, words: &[u32; 4]) -> uint32x4_t {
        // SAFETY: `self` is the proof of NEON, and four words are read.
        unsafe { vld1q_u32(words.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; 4], vector: uint32x4_t) {
        // SAFETY: `self` is the proof of NEON, and four words are written.
        unsafe { vst1q_u32(words.as_mut_ptr(), vector) }
    }

    #[inline(always)]
    fn splat(self, word: u32) -> uint32x4_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vdupq_n_u32(word) }
    }

    #[inline(always)]
    fn add(self, a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vaddq_u32(a, b) }
    }

    #[inline(always)]
    fn xor(self, a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { veorq_u32(a, b) }
    }

    #[inline(always)]
    fn rotate<const BY: i32>(self, x: uint32x4_t) -> uint32x4_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe {
            if BY == 16 {
                return vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(x)));
            }
            // Shifts by vectors whose values the compiler knows; to the right is a negative one.
            vorrq_u32(vshlq_u32(x, vdupq_n_s32(-BY)), vshlq_u32(x, vdupq_n_s32(32 - BY)))
        }
    }

    #[inline(always)]
    fn choose(self, e: uint32x4_t, f: uint32x4_t, g: uint32x4_t) -> uint32x4_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vbslq_u32(e, f, g) }
    }

    #[inline(always)]
    fn majority(self, a: uint32x4_t, b: uint32x4_t, c: uint32x4_t) -> uint32x4_t {
        // Where a and b differ, c decides.
        // SAFETY: `self` is the proof of NEON.
        unsafe { vbslq_u32(veorq_u32(a, b), c, b) }
    }

    #[inline(always)]
    fn rotations<const A: i32, const B: i32, const C: i32>(self, x: uint32x4_t) -> uint32x4_t {
        self.xor(self.xor(self.rotate::<A>(x), self.rotate::<B>(x)), self.rotate::<C>(x))
    }

    #[inline(always)]
    fn rotations_and_shift<const A: i32, const B: i32, const C: i32>(self, x: uint32x4_t) -> uint32x4_t {
        // SAFETY: `self` is the proof of NEON.
        let shifted = unsafe { vshlq_u32(x, vdupq_n_s32(-C)) };
        self.xor(self.xor(self.rotate::<A>(x), self.rotate::<B>(x)), shifted)
    }
}
