//! Sixteen bytes of WebAssembly's simd128.

use super::sixteen::Bytes;
use crate::binary::Gf32;
use core::arch::wasm32::*;
use phalanx_core::simd::Wasm128;

impl Bytes for Wasm128 {
    type Vector = v128;

    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> v128 {
        let (low, high) = (bytes[..8].as_chunks().0[0], bytes[8..].as_chunks().0[0]);
        u64x2(u64::from_le_bytes(low), u64::from_le_bytes(high))
    }

    #[inline(always)]
    fn store(self, vector: v128, bytes: &mut [u8; 16]) {
        bytes[..8].copy_from_slice(&u64x2_extract_lane::<0>(vector).to_le_bytes());
        bytes[8..].copy_from_slice(&u64x2_extract_lane::<1>(vector).to_le_bytes());
    }

    #[inline(always)]
    fn load_elements(self, elements: &[Gf32; 4]) -> v128 {
        u32x4(elements[0].0, elements[1].0, elements[2].0, elements[3].0)
    }

    #[inline(always)]
    fn store_elements(self, vector: v128, elements: &mut [Gf32; 4]) {
        *elements = [
            Gf32(u32x4_extract_lane::<0>(vector)),
            Gf32(u32x4_extract_lane::<1>(vector)),
            Gf32(u32x4_extract_lane::<2>(vector)),
            Gf32(u32x4_extract_lane::<3>(vector)),
        ];
    }

    #[inline(always)]
    fn xor(self, a: v128, b: v128) -> v128 {
        v128_xor(a, b)
    }

    #[inline(always)]
    fn low(self, a: v128) -> v128 {
        v128_and(a, u8x16_splat(15))
    }

    #[inline(always)]
    fn high(self, a: v128) -> v128 {
        u8x16_shr(a, 4)
    }

    #[inline(always)]
    fn lookup(self, table: v128, places: v128) -> v128 {
        u8x16_swizzle(table, places)
    }

    #[inline(always)]
    fn transpose(self, [r0, r1, r2, r3]: [v128; 4]) -> [v128; 4] {
        let (a, b) = (u32x4_shuffle::<0, 4, 1, 5>(r0, r1), u32x4_shuffle::<2, 6, 3, 7>(r0, r1));
        let (c, d) = (u32x4_shuffle::<0, 4, 1, 5>(r2, r3), u32x4_shuffle::<2, 6, 3, 7>(r2, r3));
        [
            u64x2_shuffle::<0, 2>(a, c),
            u64x2_shuffle::<1, 3>(a, c),
            u64x2_shuffle::<0, 2>(b, d),
            u64x2_shuffle::<1, 3>(b, d),
        ]
    }
}
