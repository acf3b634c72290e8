//! Eight states in the lanes of AVX-512, products with IFMA.
#![allow(unsafe_code, reason = "the entry into AVX-512 code, on the strength of a witness")]

#[cfg(test)]
mod bounds;
mod lanes;
mod single;
mod x4;

use super::kernel;
use super::names::Permutation;
use core::arch::x86_64::*;
use lanes::{X8, canonical_lanes, split_lanes};
use phalanx_core::simd::Ifma;

/// With this many states or fewer, pairs (or, where there are none, the kernels of AVX2) are faster than a batch of eight
/// that is not full. On Zen 4 that is so up to six of width 12, on Zen 5 up to four.
const fn few(permutation: Permutation) -> usize {
    match permutation {
        Permutation::Rp64 | Permutation::Rpo | Permutation::Jive => 4,
        Permutation::Rpx => 2,
    }
}

/// Permutes states that stand one after the other.
pub(super) fn permute_many(witness: Ifma, permutation: Permutation, words: &mut [u64]) {
    let e = X8(witness);
    for batch in words.chunks_mut(8 * permutation.width()) {
        if batch.len() <= few(permutation) * permutation.width() {
            single::permute_pairs(witness, permutation, batch);
            continue;
        }
        // SAFETY: the witness proves the features that the entry is compiled for.
        unsafe {
            match permutation {
                Permutation::Rp64 => batch_of_8(e, batch, rp64),
                Permutation::Jive => batch_of_8(e, batch, jive),
                Permutation::Rpo => batch_of_8(e, batch, rpo),
                Permutation::Rpx => batch_of_8(e, batch, rpx),
            }
        }
    }
}

/// Brings up to eight states of `W` words into lanes, permutes them and brings them back, canonical.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn batch_of_8<const W: usize>(e: X8, words: &mut [u64], permute: unsafe fn(X8, &mut [[__m512i; 2]; W])) {
    let mut columns = [[0u64; 8]; W];
    for (lane, state) in words.chunks_exact(W).enumerate() {
        for (column, &word) in columns.iter_mut().zip(state) {
            column[lane] = word;
        }
    }
    let mut state = [[_mm512_setzero_si512(); 2]; W];
    for (word, column) in state.iter_mut().zip(&columns) {
        *word = split_lanes(e, column);
    }
    // SAFETY: this function is compiled for the features that `permute` needs.
    unsafe { permute(e, &mut state) };
    for (word, column) in state.iter().zip(&mut columns) {
        canonical_lanes(e, *word, column);
    }
    for (lane, state) in words.chunks_exact_mut(W).enumerate() {
        for (column, word) in columns.iter().zip(state) {
            *word = column[lane];
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline(never)]
fn rp64(e: X8, state: &mut [[__m512i; 2]; 12]) {
    kernel::rp64(e, state);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline(never)]
fn jive(e: X8, state: &mut [[__m512i; 2]; 8]) {
    kernel::jive(e, state);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline(never)]
fn rpo(e: X8, state: &mut [[__m512i; 2]; 12]) {
    kernel::rpo(e, state);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline(never)]
fn rpx(e: X8, state: &mut [[__m512i; 2]; 12]) {
    kernel::rpx(e, state);
}
