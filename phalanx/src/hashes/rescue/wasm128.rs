//! Two lanes of WebAssembly's simd128.

use super::two::Pair;
use crate::simd::Wasm128;
use core::arch::wasm32::*;

impl Pair for Wasm128 {
    type Vector = v128;

    #[inline(always)]
    fn pair(self, [a, b]: [u64; 2]) -> v128 {
        u64x2(a, b)
    }

    #[inline(always)]
    fn lanes(self, a: v128) -> [u64; 2] {
        [u64x2_extract_lane::<0>(a), u64x2_extract_lane::<1>(a)]
    }

    #[inline(always)]
    fn add(self, a: v128, b: v128) -> v128 {
        u64x2_add(a, b)
    }

    #[inline(always)]
    fn sub(self, a: v128, b: v128) -> v128 {
        u64x2_sub(a, b)
    }

    #[inline(always)]
    fn and(self, a: v128, b: v128) -> v128 {
        v128_and(a, b)
    }

    #[inline(always)]
    fn shr<const BITS: u32>(self, a: v128) -> v128 {
        u64x2_shr(a, BITS)
    }

    #[inline(always)]
    fn shl<const BITS: u32>(self, a: v128) -> v128 {
        u64x2_shl(a, BITS)
    }

    #[inline(always)]
    fn product(self, a: v128, b: v128) -> v128 {
        // The lower halves of both lanes, side by side.
        let (a, b) = (u32x4_shuffle::<0, 2, 0, 2>(a, a), u32x4_shuffle::<0, 2, 0, 2>(b, b));
        u64x2_extmul_low_u32x4(a, b)
    }

    #[inline(always)]
    fn less(self, a: v128, b: v128) -> v128 {
        // There are only signed comparisons: of numbers 2^63 lower.
        let sign = u64x2_splat(1 << 63);
        i64x2_lt(v128_xor(a, sign), v128_xor(b, sign))
    }
}
