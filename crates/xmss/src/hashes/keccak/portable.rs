//! Keccak-f[1600] on one state in plain Rust: the law that the vector backends obey.

use super::kernel::{self, Lanes64};

/// One lane; needs no witness.
#[derive(Clone, Copy)]
struct Scalar;

impl Lanes64 for Scalar {
    type Vector = u64;

    #[inline(always)]
    fn splat(self, word: u64) -> u64 {
        word
    }

    #[inline(always)]
    fn xor(self, a: u64, b: u64) -> u64 {
        a ^ b
    }

    #[inline(always)]
    fn xor3(self, a: u64, b: u64, c: u64) -> u64 {
        a ^ b ^ c
    }

    #[inline(always)]
    fn chi(self, a: u64, b: u64, c: u64) -> u64 {
        a ^ (!b & c)
    }

    #[inline(always)]
    fn rotate<const LEFT: i32, const RIGHT: i32>(self, a: u64) -> u64 {
        a.rotate_left(LEFT.cast_unsigned())
    }
}

/// Applies Keccak-f[1600] (FIPS 202, section 3.4) to `state`.
#[inline(never)]
pub(crate) fn permute(state: &mut [u64; 25]) {
    kernel::permute(Scalar, state);
}

/// Eight states, one after the other.
pub(super) fn permute8(state: &mut [[u64; 8]; 25]) {
    for lane in 0..8 {
        let mut one = [0; 25];
        for (word, words) in one.iter_mut().zip(state.iter()) {
            *word = words[lane];
        }
        permute(&mut one);
        for (word, words) in one.iter().zip(state.iter_mut()) {
            words[lane] = *word;
        }
    }
}
