//! Four 32-bit or two 64-bit lanes, or sixteen bytes, of WebAssembly's simd128. The intrinsics are safe to call in a
//! module that was compiled with them.

use super::bytes::ByteLanes;
use super::words::{MinLanes, Transpose, WordLanes};
use crate::simd::Wasm128;
use core::arch::wasm32::*;

/// What 32-bit and 64-bit words have in common but for the names of the intrinsics: the body of an implementation.
macro_rules! words {
    (
        $word:ty, $lanes:literal, $splat:ident, $add:ident, $sub:ident, $left:ident, $right:ident, $bits:literal
    ) => {
        const LANES: usize = $lanes;
        type Vector = v128;
        type Words = [$word; $lanes];

        #[inline(always)]
        fn load_bytes(self, bytes: &[u8]) -> v128 {
            let [low, high] = [bytes[..8].as_chunks().0[0], bytes[8..16].as_chunks().0[0]];
            u64x2(u64::from_le_bytes(low), u64::from_le_bytes(high))
        }

        #[inline(always)]
        fn splat(self, word: $word) -> v128 {
            $splat(word)
        }

        #[inline(always)]
        fn add(self, a: v128, b: v128) -> v128 {
            $add(a, b)
        }

        #[inline(always)]
        fn sub(self, a: v128, b: v128) -> v128 {
            $sub(a, b)
        }

        #[inline(always)]
        fn and(self, a: v128, b: v128) -> v128 {
            v128_and(a, b)
        }

        #[inline(always)]
        fn xor(self, a: v128, b: v128) -> v128 {
            v128_xor(a, b)
        }

        #[inline(always)]
        fn shift_left<const BY: i32>(self, x: v128) -> v128 {
            $left(x, BY.cast_unsigned())
        }

        #[inline(always)]
        fn shift_right<const BY: i32>(self, x: v128) -> v128 {
            $right(x, BY.cast_unsigned())
        }

        #[inline(always)]
        fn rotate_right<const BY: i32>(self, x: v128) -> v128 {
            if $bits == 32 && BY == 16 {
                // Whole bytes move by one shuffle.
                return u8x16_shuffle::<2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13>(x, x);
            }
            if $bits == 32 && BY == 8 {
                return u8x16_shuffle::<1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12>(x, x);
            }
            v128_or($right(x, BY.cast_unsigned()), $left(x, ($bits - BY).cast_unsigned()))
        }

        #[inline(always)]
        fn choose(self, mask: v128, a: v128, b: v128) -> v128 {
            v128_bitselect(a, b, mask)
        }

        #[inline(always)]
        fn majority(self, a: v128, b: v128, c: v128) -> v128 {
            // Where a and b differ, c decides.
            v128_bitselect(c, b, v128_xor(a, b))
        }

        #[inline(always)]
        fn chi(self, a: v128, b: v128, c: v128) -> v128 {
            v128_xor(a, v128_andnot(c, b))
        }
    };
}

impl WordLanes<u32> for Wasm128 {
    words!(u32, 4, u32x4_splat, u32x4_add, u32x4_sub, u32x4_shl, u32x4_shr, 32);

    #[inline(always)]
    fn load(self, words: &[u32; 4]) -> v128 {
        u32x4(words[0], words[1], words[2], words[3])
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; 4], x: v128) {
        *words = [
            u32x4_extract_lane::<0>(x),
            u32x4_extract_lane::<1>(x),
            u32x4_extract_lane::<2>(x),
            u32x4_extract_lane::<3>(x),
        ];
    }

    #[inline(always)]
    fn swap_bytes(self, x: v128) -> v128 {
        u8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(x, x)
    }
}

impl Transpose<u32, 4> for Wasm128 {
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

impl MinLanes for Wasm128 {
    #[inline(always)]
    fn min(self, a: v128, b: v128) -> v128 {
        u32x4_min(a, b)
    }
}

impl WordLanes<u64> for Wasm128 {
    words!(u64, 2, u64x2_splat, u64x2_add, u64x2_sub, u64x2_shl, u64x2_shr, 64);

    #[inline(always)]
    fn load(self, words: &[u64; 2]) -> v128 {
        u64x2(words[0], words[1])
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; 2], x: v128) {
        *words = [u64x2_extract_lane::<0>(x), u64x2_extract_lane::<1>(x)];
    }

    #[inline(always)]
    fn swap_bytes(self, x: v128) -> v128 {
        u8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(x, x)
    }
}

impl ByteLanes for Wasm128 {
    type Vector = v128;
    type Bytes = [u8; 16];

    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> v128 {
        WordLanes::<u64>::load_bytes(self, bytes)
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8; 16], x: v128) {
        bytes[..8].copy_from_slice(&u64x2_extract_lane::<0>(x).to_le_bytes());
        bytes[8..].copy_from_slice(&u64x2_extract_lane::<1>(x).to_le_bytes());
    }

    #[inline(always)]
    fn splat(self, part: &[u8; 16]) -> v128 {
        ByteLanes::load(self, part)
    }

    #[inline(always)]
    fn xor(self, a: v128, b: v128) -> v128 {
        v128_xor(a, b)
    }

    #[inline(always)]
    fn low_nibbles(self, x: v128) -> v128 {
        v128_and(x, u8x16_splat(15))
    }

    #[inline(always)]
    fn high_nibbles(self, x: v128) -> v128 {
        u8x16_shr(x, 4)
    }

    #[inline(always)]
    fn lookup(self, table: v128, places: v128) -> v128 {
        u8x16_swizzle(table, places)
    }

    #[inline(always)]
    fn transpose4(self, rows: [v128; 4]) -> [v128; 4] {
        self.transpose(rows)
    }
}
