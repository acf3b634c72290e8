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
mod ring;
mod width16;
mod width24;

use super::Lanes;
use super::ops::{Arith, NEGATED_INVERSE, P, Vector};
use core::arch::x86_64::{__m512i, _mm512_srli_epi64};
use phalanx_core::simd::Avx512;

/// What Poseidon1 needs beyond [`Arith`].
trait Wide: Arith {
    /// `floor(x / 2^52)`: the carries out of a sum of low halves.
    fn carries(self, x: Self::V) -> Self::V;

    /// `start - CARRY + r x / R` with `r = first - CARRY + x^2 / R`, that is
    /// `start - CARRY + x^3 / R^2 + (first - CARRY) x / R (mod p)`. Input: below `2^48`.
    ///
    /// With `r' = first + floor(x^2 / 2^52) + p` at most `start + floor(r' x / 2^52) + p`.
    #[inline(always)]
    fn cube_from(self, first: Self::V, start: Self::V, x: Self::V) -> Self::V {
        let (ni, p) = (self.splat(NEGATED_INVERSE), self.splat(P));
        let n = self.lo(self.splat(0), x, ni);
        let q = self.lo(ni, x, n);
        let r = self.hi(self.hi(first, x, x), q, p);
        let q = self.lo(ni, r, n);
        self.hi(self.hi(start, r, x), q, p)
    }

    /// `acc + x / R - CARRY`, at most `acc + p`. Input: below `2^52`, with or without garbage above bit 51.
    #[inline(always)]
    fn divide(self, acc: Self::V, x: Self::V) -> Self::V {
        let ni = self.splat(NEGATED_INVERSE);
        self.hi(acc, self.lo(ni, x, ni), self.splat(P))
    }

    /// [`width24::full_rounds`]; for vectors, a function of its own.
    #[inline(always)]
    fn full24(self, x: &mut [Self::V; 24], starts: &[[u64; 24]; 4], matrices: usize) {
        width24::full_rounds(self, x, starts, matrices);
    }

    /// [`width24::partial_rounds`], likewise.
    #[inline(always)]
    fn partial24(self, x: &mut [[Self::V; 24]; 2]) {
        width24::partial_rounds(self, x);
    }

    /// The five dependent steps of [`Wide::cube_from`], so that other work can be written between them.
    #[inline(always)]
    fn step(self, cube: &mut Cube<Self::V>, step: usize) {
        let (ni, p) = (self.splat(NEGATED_INVERSE), self.splat(P));
        match step {
            0 => {
                cube.n = self.lo(self.splat(0), cube.x, ni);
                cube.r = self.hi(cube.first, cube.x, cube.x);
            }
            1 => cube.q = self.lo(ni, cube.x, cube.n),
            2 => cube.r = self.hi(cube.r, cube.q, p),
            3 => {
                cube.q = self.lo(ni, cube.r, cube.n);
                cube.out = self.hi(cube.out, cube.r, cube.x);
            }
            _ => cube.out = self.hi(cube.out, cube.q, p),
        }
    }

    /// `start - CARRY + (low + 2^52 high) / R (mod p)` for a sum of products in two accumulators; at most
    /// `start + high + floor(low / 2^52) + p`.
    #[inline(always)]
    fn fold(self, high: Self::V, low: Self::V) -> Self::V {
        let ni = self.splat(NEGATED_INVERSE);
        let q = self.lo(ni, low, ni);
        self.hi(self.add(high, self.carries(low)), q, self.splat(P))
    }
}

/// A third power on the way.
#[derive(Clone, Copy)]
struct Cube<V> {
    x: V,
    first: V,
    n: V,
    q: V,
    r: V,
    /// The start value at first, the result in the end.
    out: V,
}

impl<V: Copy> Cube<V> {
    /// Of `x`, with start values as in [`Wide::cube_from`].
    #[inline(always)]
    fn new(first: V, start: V, x: V) -> Self {
        Self { x, first, n: x, q: x, r: x, out: start }
    }
}

impl Wide for Vector {
    #[inline(always)]
    fn full24(self, x: &mut [__m512i; 24], starts: &[[u64; 24]; 4], matrices: usize) {
        // SAFETY: the witness proves the target features.
        unsafe { full24(self.0, x, starts, matrices) }
    }

    #[inline(always)]
    fn partial24(self, x: &mut [[__m512i; 24]; 2]) {
        // SAFETY: the witness proves the target features.
        unsafe { partial24(self.0, x) }
    }

    #[inline(always)]
    fn carries(self, x: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512.
        unsafe { _mm512_srli_epi64::<52>(x) }
    }
}

// The stages of width 24, each compiled once and on its own: 99 ns a lane instead of 119 as one function (Zen 5, 2026-11-21).
// Width 16 stays in one function: a variant in stages took 65 ns instead of 55, but so did the same variant with its stages
// inlined, so the cause lies elsewhere in it (splitting and merging were unrolled over the two vectors) and is not known.

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn full24(witness: Avx512, x: &mut [__m512i; 24], starts: &[[u64; 24]; 4], matrices: usize) {
    width24::full_rounds(Vector(witness), x, starts, matrices);
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn partial24(witness: Avx512, x: &mut [[__m512i; 24]; 2]) {
    width24::partial_rounds(Vector(witness), x);
}

/// The first full round's constants are added before the first S-box, all others ride in start values.
#[inline(always)]
fn add_constants<A: Wide, const T: usize>(a: A, x: &mut [A::V; T], constants: &[u64; T]) {
    let mut i = 0;
    while i < T {
        x[i] = a.add(x[i], a.splat(constants[i]));
        i += 1;
    }
}

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
pub(super) fn permute16(witness: Avx512, state: &mut [Lanes; 16]) {
    // SAFETY: the witness proves the target features.
    unsafe { enter16(witness, state) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn enter16(witness: Avx512, state: &mut [Lanes; 16]) {
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
pub(super) fn compress16(witness: Avx512, input: &[Lanes; 16]) -> [Lanes; 8] {
    let mut out = [Lanes::ZERO; 8];
    // SAFETY: the witness proves the target features.
    unsafe { enter_compress16(witness, input, &mut out) };
    out
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn enter_compress16(witness: Avx512, input: &[Lanes; 16], out: &mut [Lanes; 8]) {
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
pub(super) fn permute24(witness: Avx512, state: &mut [Lanes; 24]) {
    // SAFETY: the witness proves the target features.
    unsafe { enter24(witness, state) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn enter24(witness: Avx512, state: &mut [Lanes; 24]) {
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
