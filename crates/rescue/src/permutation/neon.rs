//! Two lanes of NEON.

use super::x2::Pair;
use core::arch::aarch64::*;
use phalanx_core::simd::Neon;

/// Calls an intrinsic. Values in, a value out: nothing but NEON is asked of the CPU.
macro_rules! neon {
    ($call:expr) => {
        // SAFETY: NEON is part of every target that this file is compiled for, and the witness says so again.
        unsafe { $call }
    };
}

#[allow(
    unsafe_code,
    unused_unsafe,
    reason = "intrinsics on the strength of a witness; safe ones in newer compilers"
)]
impl Pair for Neon {
    type Vector = uint64x2_t;

    #[inline(always)]
    fn pair(self, [a, b]: [u64; 2]) -> uint64x2_t {
        neon!(vcombine_u64(vcreate_u64(a), vcreate_u64(b)))
    }

    #[inline(always)]
    fn lanes(self, a: uint64x2_t) -> [u64; 2] {
        neon!([vgetq_lane_u64::<0>(a), vgetq_lane_u64::<1>(a)])
    }

    #[inline(always)]
    fn add(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        neon!(vaddq_u64(a, b))
    }

    #[inline(always)]
    fn sub(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        neon!(vsubq_u64(a, b))
    }

    #[inline(always)]
    fn and(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        neon!(vandq_u64(a, b))
    }

    #[inline(always)]
    fn shr<const BITS: u32>(self, a: uint64x2_t) -> uint64x2_t {
        // A shift by a vector; the compiler knows its value.
        neon!(vshlq_u64(a, vdupq_n_s64(-i64::from(BITS))))
    }

    #[inline(always)]
    fn shl<const BITS: u32>(self, a: uint64x2_t) -> uint64x2_t {
        neon!(vshlq_u64(a, vdupq_n_s64(i64::from(BITS))))
    }

    #[inline(always)]
    fn product(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        neon!(vmull_u32(vmovn_u64(a), vmovn_u64(b)))
    }

    #[inline(always)]
    fn less(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        neon!(vcltq_u64(a, b))
    }
}
