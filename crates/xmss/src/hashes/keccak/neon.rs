//! Keccak-f[1600] with NEON: two states to a vector, with the instructions of SHA-3 where the CPU has them.
#![allow(unsafe_code, reason = "intrinsics and the entry into SHA-3 code, on the strength of a witness")]

use super::kernel::{self, Lanes64};
use core::arch::aarch64::*;
use phalanx_core::simd::{Neon, Sha3};

/// States to a vector.
const LANES: usize = 2;

impl Lanes64 for Neon {
    type Vector = uint64x2_t;

    #[inline(always)]
    fn splat(self, word: u64) -> uint64x2_t {
        // SAFETY: `self` is the proof that this CPU has NEON.
        unsafe { vdupq_n_u64(word) }
    }

    #[inline(always)]
    fn xor(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof that this CPU has NEON.
        unsafe { veorq_u64(a, b) }
    }

    #[inline(always)]
    fn xor3(self, a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        self.xor(self.xor(a, b), c)
    }

    #[inline(always)]
    fn chi(self, a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof that this CPU has NEON.
        unsafe { veorq_u64(a, vbicq_u64(c, b)) }
    }

    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self, a: uint64x2_t) -> uint64x2_t {
        // The lower bits are inserted below the others.
        // SAFETY: `self` is the proof that this CPU has NEON.
        unsafe { vsriq_n_u64::<RIGHT>(vshlq_n_u64::<LEFT>(a), a) }
    }
}

impl Lanes64 for Sha3 {
    type Vector = uint64x2_t;

    #[inline(always)]
    fn splat(self, word: u64) -> uint64x2_t {
        // SAFETY: `self` is the proof that this CPU has NEON.
        unsafe { vdupq_n_u64(word) }
    }

    #[inline(always)]
    fn xor(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof that this CPU has NEON.
        unsafe { veorq_u64(a, b) }
    }

    #[inline(always)]
    fn xor3(self, a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof that this CPU has the SHA-3 instructions.
        unsafe { eor3(a, b, c) }
    }

    #[inline(always)]
    fn chi(self, a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof that this CPU has the SHA-3 instructions.
        unsafe { bcax(a, c, b) }
    }

    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self, a: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof that this CPU has the SHA-3 instructions.
        unsafe { xar::<RIGHT>(a, vdupq_n_u64(0)) }
    }

    #[inline(always)]
    fn rotate_sum<const LEFT: i32, const RIGHT: i32>(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof that this CPU has the SHA-3 instructions.
        unsafe { xar::<RIGHT>(a, b) }
    }

    #[inline(always)]
    fn xor_rotated_once(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // SAFETY: `self` is the proof that this CPU has the SHA-3 instructions.
        unsafe { rax1(a, b) }
    }
}

// The instructions once more, so that they are inlined into the methods above and those into code that may use them.

/// `a ^ b ^ c`.
#[inline]
#[target_feature(enable = "sha3")]
fn eor3(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
    veor3q_u64(a, b, c)
}

/// `a ^ (b & !c)`.
#[inline]
#[target_feature(enable = "sha3")]
fn bcax(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
    vbcaxq_u64(a, b, c)
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

/// The states in lanes `..count`, an even number.
pub(super) fn permute(witness: Neon, sha3: Option<Sha3>, state: &mut [[u64; 8]; 25], count: usize) {
    for first in (0..count).step_by(LANES) {
        match sha3 {
            // SAFETY: `sha3` is the proof that this CPU has the SHA-3 instructions.
            Some(sha3) => unsafe { two_by_sha3(sha3, state, first) },
            None => two_by_neon(witness, state, first),
        }
    }
}

/// The states in lanes `first` and `first + 1`.
#[inline(never)]
fn two_by_neon(witness: Neon, state: &mut [[u64; 8]; 25], first: usize) {
    two(witness, state, first);
}

/// The states in lanes `first` and `first + 1`.
#[target_feature(enable = "sha3")]
#[inline(never)]
fn two_by_sha3(witness: Sha3, state: &mut [[u64; 8]; 25], first: usize) {
    two(witness, state, first);
}

#[inline(always)]
fn two<L: Lanes64<Vector = uint64x2_t>>(lanes: L, state: &mut [[u64; 8]; 25], first: usize) {
    let mut words = [lanes.splat(0); 25];
    for (word, lanes) in words.iter_mut().zip(state.iter()) {
        let lanes: &[u64] = &lanes[first..first + LANES];
        // SAFETY: a vector was made, so this CPU has NEON; `lanes` is a slice of two words.
        *word = unsafe { vld1q_u64(lanes.as_ptr()) };
    }
    kernel::permute(lanes, &mut words);
    for (word, lanes) in words.iter().zip(state.iter_mut()) {
        let lanes: &mut [u64] = &mut lanes[first..first + LANES];
        // SAFETY: a vector was made, so this CPU has NEON; `lanes` is a slice of two words.
        unsafe { vst1q_u64(lanes.as_mut_ptr(), *word) };
    }
}
