//! Poseidon1 on vectors of eight lanes: docs/koalabear.md, "Poseidon1".
//!
//! The matrix is circulant, that is, multiplication of polynomials modulo `x^T - 1`. That modulus splits over the field
//! ([`ring`]), and the partial rounds run in the split form, where the matrix acts on each piece alone:
//! one constant product a word and round for width 16, eight two-accumulator products a round and three words for width
//! 24. In the full rounds of width 16 the small entries are used instead ([`circulant`]).
#![allow(unsafe_code, reason = "enters functions compiled for AVX-512 on the strength of the witness")]

/// Repeats the body with `$i` a constant.
macro_rules! each {
    ($i:ident in $($n:literal)* => $body:block) => {
        $({
            const $i: usize = $n;
            $body
        })*
    };
}

#[cfg(test)]
mod bounds;
mod circulant;
mod cube;
mod ring;
mod width16;
mod width24;

use super::ops::{ResidueLanes, Vector};
use super::word::Lanes;
use core::arch::x86_64::__m512i;
use cube::CubeLanes;
use phalanx_core::simd::Ifma;

/// Both vectors of each word.
#[inline(always)]
fn load<const T: usize>(v: Vector, state: &[Lanes; T]) -> [[__m512i; T]; 2] {
    let zero = v.splat(0);
    let mut x = [[zero; T]; 2];
    let mut i = 0;
    while i < T {
        let [a, b] = state[i].halves();
        (x[0][i], x[1][i]) = (v.load(a), v.load(b));
        i += 1;
    }
    x
}

/// Width 16, input below `2^38`, output below `2^33`.
pub(super) fn permute16(witness: Ifma, state: &mut [Lanes; 16]) {
    // SAFETY: the witness proves the target features.
    unsafe { enter16(witness, state) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn enter16(witness: Ifma, state: &mut [Lanes; 16]) {
    let v = Vector(witness);
    let mut x = load(v, state);
    width16::rounds(v, &mut x);
    let zero = v.splat(0);
    let mut h = 0;
    while h < 2 {
        let y = width16::last_layer(v, &x[h]);
        each!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
            v.store(v.divide(zero, y[I]), &mut state[I].halves_mut()[h]);
        });
        h += 1;
    }
}

/// The first eight words of `permute16(input) + input`. Input below `2^38`, output below `p + input`.
pub(super) fn compress16(witness: Ifma, input: &[Lanes; 16]) -> [Lanes; 8] {
    let mut out = [Lanes::ZERO; 8];
    // SAFETY: the witness proves the target features.
    unsafe { enter_compress16(witness, input, &mut out) };
    out
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn enter_compress16(witness: Ifma, input: &[Lanes; 16], out: &mut [Lanes; 8]) {
    let v = Vector(witness);
    let mut x = load(v, input);
    width16::rounds(v, &mut x);
    let mut h = 0;
    while h < 2 {
        let y = width16::last_layer(v, &x[h]);
        each!(I in 0 1 2 3 4 5 6 7 => {
            let old = v.load(&input[I].halves()[h]);
            v.store(v.divide(old, y[I]), &mut out[I].halves_mut()[h]);
        });
        h += 1;
    }
}

/// Width 24, input below `2^38`, output below `2^33`.
pub(super) fn permute24(witness: Ifma, state: &mut [Lanes; 24]) {
    // SAFETY: the witness proves the target features.
    unsafe { enter24(witness, state) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn enter24(witness: Ifma, state: &mut [Lanes; 24]) {
    let v = Vector(witness);
    let mut x = load(v, state);
    width24::rounds(v, &mut x);
    let mut i = 0;
    while i < 24 {
        let [a, b] = state[i].halves_mut();
        v.store(x[0][i], a);
        v.store(x[1][i], b);
        i += 1;
    }
}
