//! Products of halves, and comparisons, in two lanes of NEON.
#![allow(
    unsafe_code,
    unused_unsafe,
    reason = "intrinsics on the strength of a witness; safe ones in newer compilers"
)]

use super::x2::HalfProducts;
use core::arch::aarch64::*;
use phalanx_core::simd::Neon;

impl HalfProducts for Neon {
    #[inline(always)]
    fn product(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: the witness proves NEON.
        unsafe { vmull_u32(vmovn_u64(a), vmovn_u64(b)) }
    }

    #[inline(always)]
    fn less(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: the witness proves NEON.
        unsafe { vcltq_u64(a, b) }
    }
}
