//! Four lanes of WebAssembly's simd128.

use super::Lanes32;
use crate::simd::Wasm128;
use core::arch::wasm32::*;

impl Lanes32 for Wasm128 {
    type Vector = v128;
    type Words = [u32; 4];

    #[inline(always)]
    fn load(self, words: &[u32; 4]) -> v128 {
        u32x4(words[0], words[1], words[2], words[3])
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; 4], vector: v128) {
        *words = [
            u32x4_extract_lane::<0>(vector),
            u32x4_extract_lane::<1>(vector),
            u32x4_extract_lane::<2>(vector),
            u32x4_extract_lane::<3>(vector),
        ];
    }

    #[inline(always)]
    fn splat(self, word: u32) -> v128 {
        u32x4_splat(word)
    }

    #[inline(always)]
    fn add(self, a: v128, b: v128) -> v128 {
        u32x4_add(a, b)
    }

    #[inline(always)]
    fn xor(self, a: v128, b: v128) -> v128 {
        v128_xor(a, b)
    }

    #[inline(always)]
    fn rotate<const BY: i32>(self, x: v128) -> v128 {
        match BY {
            // Whole bytes move by one shuffle.
            16 => u8x16_shuffle::<2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13>(x, x),
            8 => u8x16_shuffle::<1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12>(x, x),
            _ => v128_or(u32x4_shr(x, BY.unsigned_abs()), u32x4_shl(x, (32 - BY).unsigned_abs())),
        }
    }

    #[inline(always)]
    fn choose(self, e: v128, f: v128, g: v128) -> v128 {
        v128_bitselect(f, g, e)
    }

    #[inline(always)]
    fn majority(self, a: v128, b: v128, c: v128) -> v128 {
        // Where a and b differ, c decides.
        v128_bitselect(c, b, v128_xor(a, b))
    }

    #[inline(always)]
    fn rotations<const A: i32, const B: i32, const C: i32>(self, x: v128) -> v128 {
        self.xor(self.xor(self.rotate::<A>(x), self.rotate::<B>(x)), self.rotate::<C>(x))
    }

    #[inline(always)]
    fn rotations_and_shift<const A: i32, const B: i32, const C: i32>(self, x: v128) -> v128 {
        let shifted = u32x4_shr(x, C.unsigned_abs());
        self.xor(self.xor(self.rotate::<A>(x), self.rotate::<B>(x)), shifted)
    }
}
