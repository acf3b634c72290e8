//! Four 32-bit or two 64-bit lanes, or sixteen bytes, of NEON; 64-bit lanes with the SHA-3 instructions.
#![allow(
    unsafe_code,
    unused_unsafe,
    reason = "intrinsics on the strength of a witness, safe in newer compilers"
)]

use super::bytes::ByteLanes;
use super::intrinsics::intrinsics;
use super::words::{MinLanes, Transpose, WordLanes};
use crate::simd::{Neon, Sha3};
use core::arch::aarch64::*;

/// What 32-bit and 64-bit words have in common but for the names of the intrinsics: the body of an implementation.
macro_rules! words {
    (
        $word:ty, $lanes:literal, $vector:ty, $load:ident, $store:ident, $splat:ident, $add:ident, $sub:ident,
        $and:ident, $xor:ident, $select:ident, $left:ident, $right:ident, $from_bytes:ident
    ) => {
        const LANES: usize = $lanes;
        type Vector = $vector;
        type Words = [$word; $lanes];

        #[inline(always)]
        fn load(self, words: &[$word; $lanes]) -> $vector {
            // SAFETY: `self` is the proof of NEON, and sixteen bytes are read.
            unsafe { $load(words.as_ptr()) }
        }

        #[inline(always)]
        fn load_bytes(self, bytes: &[u8]) -> $vector {
            let bytes: &[u8; 16] = bytes.first_chunk().expect("the bytes of a vector");
            // SAFETY: `self` is the proof of NEON, and sixteen bytes are read, of any alignment.
            unsafe { $from_bytes(vld1q_u8(bytes.as_ptr())) }
        }

        #[inline(always)]
        fn store(self, words: &mut [$word; $lanes], x: $vector) {
            // SAFETY: `self` is the proof of NEON, and sixteen bytes are written.
            unsafe { $store(words.as_mut_ptr(), x) }
        }

        #[inline(always)]
        fn splat(self, word: $word) -> $vector {
            // SAFETY: `self` is the proof of NEON.
            unsafe { $splat(word) }
        }

        intrinsics! { $vector:
            add(a, b) = $add;
            sub(a, b) = $sub;
            and(a, b) = $and;
            xor(a, b) = $xor;
            choose(mask, a, b) = $select;
        }

        #[inline(always)]
        fn shift_left<const BY: i32>(self, x: $vector) -> $vector {
            // SAFETY: `self` is the proof of NEON.
            unsafe { $left::<BY>(x) }
        }

        #[inline(always)]
        fn shift_right<const BY: i32>(self, x: $vector) -> $vector {
            // SAFETY: `self` is the proof of NEON.
            unsafe { $right::<BY>(x) }
        }

        #[inline(always)]
        fn majority(self, a: $vector, b: $vector, c: $vector) -> $vector {
            // Where a and b differ, c decides.
            // SAFETY: `self` is the proof of NEON.
            unsafe { $select($xor(a, b), c, b) }
        }
    };
}

/// The same for 64-bit words, which two witnesses have.
macro_rules! words64 {
    () => {
        words!(
            u64,
            2,
            uint64x2_t,
            vld1q_u64,
            vst1q_u64,
            vdupq_n_u64,
            vaddq_u64,
            vsubq_u64,
            vandq_u64,
            veorq_u64,
            vbslq_u64,
            vshlq_n_u64,
            vshrq_n_u64,
            vreinterpretq_u64_u8
        );
    };
}

impl WordLanes<u32> for Neon {
    words!(
        u32,
        4,
        uint32x4_t,
        vld1q_u32,
        vst1q_u32,
        vdupq_n_u32,
        vaddq_u32,
        vsubq_u32,
        vandq_u32,
        veorq_u32,
        vbslq_u32,
        vshlq_n_u32,
        vshrq_n_u32,
        vreinterpretq_u32_u8
    );

    #[inline(always)]
    fn rotate_right<const BY: i32>(self, x: uint32x4_t) -> uint32x4_t {
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
    fn swap_bytes(self, x: uint32x4_t) -> uint32x4_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(x))) }
    }

    #[inline(always)]
    fn xor_rotate<const LEFT: i32, const RIGHT: i32>(self, a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // The lower bits are inserted below the others.
        // SAFETY: `self` is the proof of NEON.
        unsafe {
            let sum = veorq_u32(a, b);
            vsriq_n_u32::<RIGHT>(vshlq_n_u32::<LEFT>(sum), sum)
        }
    }

    #[inline(always)]
    fn xor_rotated<const LEFT: i32, const RIGHT: i32>(self, a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { veorq_u32(a, vsriq_n_u32::<RIGHT>(vshlq_n_u32::<LEFT>(b), b)) }
    }

    #[inline(always)]
    fn chi(self, a: uint32x4_t, b: uint32x4_t, c: uint32x4_t) -> uint32x4_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { veorq_u32(a, vbicq_u32(c, b)) }
    }
}

impl Transpose<u32, 4> for Neon {
    #[inline(always)]
    fn transpose(self, [r0, r1, r2, r3]: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
        // SAFETY: `self` is the proof of NEON.
        unsafe {
            let (a, b) = (vtrn1q_u32(r0, r1), vtrn2q_u32(r0, r1));
            let (c, d) = (vtrn1q_u32(r2, r3), vtrn2q_u32(r2, r3));
            let (a, b) = (vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b));
            let (c, d) = (vreinterpretq_u64_u32(c), vreinterpretq_u64_u32(d));
            [
                vreinterpretq_u32_u64(vtrn1q_u64(a, c)),
                vreinterpretq_u32_u64(vtrn1q_u64(b, d)),
                vreinterpretq_u32_u64(vtrn2q_u64(a, c)),
                vreinterpretq_u32_u64(vtrn2q_u64(b, d)),
            ]
        }
    }
}

impl MinLanes for Neon {
    intrinsics! { uint32x4_t:
        min(a, b) = vminq_u32;
    }
}

impl WordLanes<u64> for Neon {
    words64!();

    #[inline(always)]
    fn rotate_right<const BY: i32>(self, x: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe {
            // Shifts by vectors whose values the compiler knows; to the right is a negative one.
            vorrq_u64(
                vshlq_u64(x, vdupq_n_s64(i64::from(-BY))),
                vshlq_u64(x, vdupq_n_s64(i64::from(64 - BY))),
            )
        }
    }

    #[inline(always)]
    fn swap_bytes(self, x: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(x))) }
    }

    #[inline(always)]
    fn xor_rotate<const LEFT: i32, const RIGHT: i32>(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // The lower bits are inserted below the others.
        // SAFETY: `self` is the proof of NEON.
        unsafe {
            let sum = veorq_u64(a, b);
            vsriq_n_u64::<RIGHT>(vshlq_n_u64::<LEFT>(sum), sum)
        }
    }

    #[inline(always)]
    fn xor_rotated<const LEFT: i32, const RIGHT: i32>(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { veorq_u64(a, vsriq_n_u64::<RIGHT>(vshlq_n_u64::<LEFT>(b), b)) }
    }

    #[inline(always)]
    fn chi(self, a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { veorq_u64(a, vbicq_u64(c, b)) }
    }
}

impl WordLanes<u64> for Sha3 {
    words64!();

    #[inline(always)]
    fn rotate_right<const BY: i32>(self, x: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof of the SHA-3 instructions.
        unsafe { xar::<BY>(x, vdupq_n_u64(0)) }
    }

    #[inline(always)]
    fn swap_bytes(self, x: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(x))) }
    }

    intrinsics! { uint64x2_t:
        xor3(a, b, c) = eor3;
        chi(a, b, c) = bcax;
    }

    #[inline(always)]
    fn xor_rotate<const LEFT: i32, const RIGHT: i32>(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof of the SHA-3 instructions.
        unsafe { xar::<RIGHT>(a, b) }
    }

    #[inline(always)]
    fn xor_rotated<const LEFT: i32, const RIGHT: i32>(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof of the SHA-3 instructions.
        unsafe { if LEFT == 1 { rax1(a, b) } else { veorq_u64(a, xar::<RIGHT>(b, vdupq_n_u64(0))) } }
    }
}

// The instructions once more, so that they are inlined into the methods above and those into code that may use them.

/// `a ^ b ^ c`.
#[inline]
#[target_feature(enable = "sha3")]
fn eor3(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
    veor3q_u64(a, b, c)
}

/// `a ^ (!b & c)`.
#[inline]
#[target_feature(enable = "sha3")]
fn bcax(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
    vbcaxq_u64(a, c, b)
}

/// `a ^ b` rotated right.
#[inline]
#[target_feature(enable = "sha3")]
fn xar<const RIGHT: i32>(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    vxarq_u64::<RIGHT>(a, b)
}

/// `a ^ b` with `b` rotated left by 1.
#[inline]
#[target_feature(enable = "sha3")]
fn rax1(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    vrax1q_u64(a, b)
}

impl ByteLanes for Neon {
    type Vector = uint8x16_t;
    type Bytes = [u8; 16];

    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> uint8x16_t {
        // SAFETY: `self` is the proof of NEON, and sixteen bytes are read.
        unsafe { vld1q_u8(bytes.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8; 16], x: uint8x16_t) {
        // SAFETY: `self` is the proof of NEON, and sixteen bytes are written.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), x) }
    }

    #[inline(always)]
    fn splat(self, part: &[u8; 16]) -> uint8x16_t {
        ByteLanes::load(self, part)
    }

    intrinsics! { uint8x16_t:
        xor(a, b) = veorq_u8;
        lookup(table, places) = vqtbl1q_u8;
    }

    #[inline(always)]
    fn low_nibbles(self, x: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vandq_u8(x, vdupq_n_u8(15)) }
    }

    #[inline(always)]
    fn high_nibbles(self, x: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is the proof of NEON.
        unsafe { vshrq_n_u8::<4>(x) }
    }

    #[inline(always)]
    fn transpose4(self, rows: [uint8x16_t; 4]) -> [uint8x16_t; 4] {
        // SAFETY: `self` is the proof of NEON.
        unsafe {
            let [a, b, c, d] = rows;
            let words = [
                vreinterpretq_u32_u8(a),
                vreinterpretq_u32_u8(b),
                vreinterpretq_u32_u8(c),
                vreinterpretq_u32_u8(d),
            ];
            let [a, b, c, d] = self.transpose(words);
            [
                vreinterpretq_u8_u32(a),
                vreinterpretq_u8_u32(b),
                vreinterpretq_u8_u32(c),
                vreinterpretq_u8_u32(d),
            ]
        }
    }
}
