//! Lanes of the packed permutations on NEON.
#![allow(unsafe_code, reason = "intrinsics on the strength of a witness")]

use super::super::portable::Scalar;
use super::engine::Packed;
use super::four::{Four, FourLanes};
use super::lanes::{Constant, FieldLanes, P_INVERSE};
use crate::fields::koala_bear::P;
use core::arch::aarch64::*;
use phalanx_core::simd::Neon;

/// `p` as a signed word.
const P_SIGNED: i32 = P.cast_signed();

/// Four 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct Lanes {
    witness: Neon,
}

/// The engine on a CPU with NEON.
pub(crate) fn engine(witness: Neon) -> Packed<Four<Lanes>, Scalar> {
    Packed(Four(lanes(witness)), Scalar)
}

/// The lanes of that engine.
pub(super) fn lanes(witness: Neon) -> Lanes {
    Lanes { witness }
}

impl Lanes {
    /// `a b / 2^32 mod p`, as a signed integer, where `quotient = a b / p mod 2^32`. With `m` the signed quotient times
    /// `p` over `2^32`, it is `a b / 2^32 - m` and `|m| <= p / 2`. Input: `|a b| <= p^2`.
    #[inline(always)]
    fn montgomery(self, a: int32x4_t, b: int32x4_t, quotient: int32x4_t) -> int32x4_t {
        // The upper words of the doubled products. Those have 33 bits in common, a zero among them, so their difference
        // is exact and even. SAFETY: `self` holds the proof that this CPU has NEON.
        unsafe { vhsubq_s32(vqdmulhq_s32(a, b), vqdmulhq_s32(quotient, vdupq_n_s32(P_SIGNED))) }
    }
}

impl FieldLanes for Lanes {
    type Words = Neon;
    type Factor = uint32x4_t;
    /// Lanes 0 and 1, lanes 2 and 3.
    type Wide = [uint64x2_t; 2];
    /// The squares, what they are squares of, and that by `p`.
    type Square = [int32x4_t; 3];

    #[inline(always)]
    fn words(self) -> Neon {
        self.witness
    }

    #[inline(always)]
    fn square(self, x: uint32x4_t) -> [int32x4_t; 3] {
        // SAFETY: `self` holds the proof that this CPU has NEON.
        unsafe {
            let x = vreinterpretq_s32_u32(x);
            // One product serves both quotients.
            let over_p = vmulq_s32(x, vdupq_n_s32(P_INVERSE.cast_signed()));
            [self.montgomery(x, x, vmulq_s32(x, over_p)), x, over_p]
        }
    }

    #[inline(always)]
    fn times_root(self, [square, x, over_p]: [int32x4_t; 3]) -> uint32x4_t {
        // SAFETY: `self` holds the proof that this CPU has NEON.
        unsafe { vreinterpretq_u32_s32(self.montgomery(square, x, vmulq_s32(square, over_p))) }
    }

    #[inline(always)]
    fn scale(self, x: uint32x4_t, constant: Constant) -> uint32x4_t {
        // SAFETY: `self` holds the proof that this CPU has NEON.
        unsafe {
            let x = vreinterpretq_s32_u32(x);
            let quotient = vmulq_s32(x, vdupq_n_s32(constant.quotient.cast_signed()));
            vreinterpretq_u32_s32(self.montgomery(x, vdupq_n_s32(constant.word.cast_signed()), quotient))
        }
    }

    #[inline(always)]
    fn factor(self, x: uint32x4_t) -> uint32x4_t {
        x
    }

    #[inline(always)]
    fn product(self, x: uint32x4_t, constant: u32) -> [uint64x2_t; 2] {
        // SAFETY: `self` holds the proof that this CPU has NEON.
        unsafe {
            let (x, constant) = (vreinterpretq_s32_u32(x), vdupq_n_s32(constant.cast_signed()));
            [
                vreinterpretq_u64_s64(vmull_s32(vget_low_s32(x), vget_low_s32(constant))),
                vreinterpretq_u64_s64(vmull_high_s32(x, constant)),
            ]
        }
    }

    #[inline(always)]
    fn splat_wide(self, x: u64) -> [uint64x2_t; 2] {
        // SAFETY: `self` holds the proof that this CPU has NEON.
        [unsafe { vdupq_n_u64(x) }; 2]
    }

    #[inline(always)]
    fn add_wide(self, a: [uint64x2_t; 2], b: [uint64x2_t; 2]) -> [uint64x2_t; 2] {
        // SAFETY: `self` holds the proof that this CPU has NEON.
        unsafe { [vaddq_u64(a[0], b[0]), vaddq_u64(a[1], b[1])] }
    }

    #[inline(always)]
    fn sub_wide(self, a: [uint64x2_t; 2], b: [uint64x2_t; 2]) -> [uint64x2_t; 2] {
        // SAFETY: `self` holds the proof that this CPU has NEON.
        unsafe { [vsubq_u64(a[0], b[0]), vsubq_u64(a[1], b[1])] }
    }

    #[inline(always)]
    fn fold(self, x: [uint64x2_t; 2]) -> [uint64x2_t; 2] {
        // The lower words stay, so the smaller integer is the one with the smaller upper word.
        // SAFETY: `self` holds the proof that this CPU has NEON.
        unsafe {
            let p = vreinterpretq_u32_u64(vdupq_n_u64(u64::from(P) << 32));
            let [a, b] = [vreinterpretq_u32_u64(x[0]), vreinterpretq_u32_u64(x[1])];
            [
                vreinterpretq_u64_u32(vminq_u32(a, vsubq_u32(a, p))),
                vreinterpretq_u64_u32(vminq_u32(b, vsubq_u32(b, p))),
            ]
        }
    }

    #[inline(always)]
    fn reduce(self, x: [uint64x2_t; 2]) -> uint32x4_t {
        // SAFETY: `self` holds the proof that this CPU has NEON.
        unsafe {
            let p = vdupq_n_u32(P);
            let lower = vuzp1q_u32(vreinterpretq_u32_u64(x[0]), vreinterpretq_u32_u64(x[1]));
            let quotient = vmulq_u32(lower, vdupq_n_u32(P_INVERSE));
            // Multiples of 2^32; their upper words are the result.
            let a = vmlsl_u32(x[0], vget_low_u32(quotient), vget_low_u32(p));
            let b = vmlsl_high_u32(x[1], quotient, p);
            vuzp2q_u32(vreinterpretq_u32_u64(a), vreinterpretq_u32_u64(b))
        }
    }
}

impl FourLanes for Lanes {}
