//! Lanes of the packed permutations on WebAssembly's vectors, whose intrinsics are safe to call in a module that was
//! compiled with them.

use super::super::portable::Scalar;
use super::engine::Packed;
use super::four::{Four, FourLanes};
use super::lanes::{Constant, FieldLanes, P_INVERSE};
use crate::fields::koala_bear::P;
use core::arch::wasm32::*;
use phalanx_core::simd::Wasm128;

/// Four 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct Lanes {
    witness: Wasm128,
}

/// The engine of a module with `simd128`.
pub(crate) fn engine(witness: Wasm128) -> Packed<Four<Lanes>, Scalar> {
    Packed(Four(lanes(witness)), Scalar)
}

/// The lanes of that engine.
pub(super) fn lanes(witness: Wasm128) -> Lanes {
    Lanes { witness }
}

/// `a b / 2^32 mod p`, as a signed integer, where `quotient = a b / p mod 2^32`. With `m` the signed quotient times `p`
/// over `2^32`, it is `a b / 2^32 - m` and `|m| <= p / 2`. Input: `|a b| <= p^2`.
#[inline(always)]
fn montgomery(a: v128, b: v128, quotient: v128) -> v128 {
    let p = u32x4_splat(P);
    // The products have their lower words in common, so these are multiples of 2^32.
    let low = i64x2_sub(i64x2_extmul_low_i32x4(a, b), i64x2_extmul_low_i32x4(quotient, p));
    let high = i64x2_sub(i64x2_extmul_high_i32x4(a, b), i64x2_extmul_high_i32x4(quotient, p));
    upper_words(low, high)
}

/// The upper words of the integers of all lanes.
#[inline(always)]
fn upper_words(low: v128, high: v128) -> v128 {
    u32x4_shuffle::<1, 3, 5, 7>(low, high)
}

impl FieldLanes for Lanes {
    type Words = Wasm128;
    type Factor = v128;
    /// Lanes 0 and 1, lanes 2 and 3.
    type Wide = [v128; 2];
    /// The squares, what they are squares of, and that by `p`.
    type Square = [v128; 3];

    #[inline(always)]
    fn words(self) -> Wasm128 {
        self.witness
    }

    #[inline(always)]
    fn square(self, x: v128) -> [v128; 3] {
        // One product serves both quotients.
        let over_p = i32x4_mul(x, u32x4_splat(P_INVERSE));
        [montgomery(x, x, i32x4_mul(x, over_p)), x, over_p]
    }

    #[inline(always)]
    fn times_root(self, [square, x, over_p]: [v128; 3]) -> v128 {
        montgomery(square, x, i32x4_mul(square, over_p))
    }

    #[inline(always)]
    fn scale(self, x: v128, constant: Constant) -> v128 {
        montgomery(x, u32x4_splat(constant.word), i32x4_mul(x, u32x4_splat(constant.quotient)))
    }

    #[inline(always)]
    fn factor(self, x: v128) -> v128 {
        x
    }

    #[inline(always)]
    fn product(self, x: v128, constant: u32) -> [v128; 2] {
        let constant = u32x4_splat(constant);
        [i64x2_extmul_low_i32x4(x, constant), i64x2_extmul_high_i32x4(x, constant)]
    }

    #[inline(always)]
    fn splat_wide(self, x: u64) -> [v128; 2] {
        [u64x2_splat(x); 2]
    }

    #[inline(always)]
    fn add_wide(self, a: [v128; 2], b: [v128; 2]) -> [v128; 2] {
        [i64x2_add(a[0], b[0]), i64x2_add(a[1], b[1])]
    }

    #[inline(always)]
    fn sub_wide(self, a: [v128; 2], b: [v128; 2]) -> [v128; 2] {
        [i64x2_sub(a[0], b[0]), i64x2_sub(a[1], b[1])]
    }

    #[inline(always)]
    fn fold(self, [a, b]: [v128; 2]) -> [v128; 2] {
        // The lower words stay, so the smaller integer is the one with the smaller upper word.
        let p = u64x2_splat(u64::from(P) << 32);
        [u32x4_min(a, u32x4_sub(a, p)), u32x4_min(b, u32x4_sub(b, p))]
    }

    #[inline(always)]
    fn reduce(self, [a, b]: [v128; 2]) -> v128 {
        let p = u32x4_splat(P);
        let quotient = i32x4_mul(u32x4_shuffle::<0, 2, 4, 6>(a, b), u32x4_splat(P_INVERSE));
        // Multiples of 2^32; their upper words are the result.
        let low = i64x2_sub(a, u64x2_extmul_low_u32x4(quotient, p));
        let high = i64x2_sub(b, u64x2_extmul_high_u32x4(quotient, p));
        upper_words(low, high)
    }
}

impl FourLanes for Lanes {}
