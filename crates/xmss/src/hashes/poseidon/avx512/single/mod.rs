//! One state across lanes: the engine for a lone verification, whose hashes wait for one another.
//!
//! The words of a state lie in two or three vectors, in order. docs/koalabear.md, "One state across lanes", has the plan:
//! full rounds by shuffles ([`poseidon1`], [`poseidon2`]), partial rounds as a chain of S-boxes with all else beside it
//! ([`partial`]).
#![allow(unsafe_code, reason = "enters functions compiled for AVX-512 on the strength of the witness")]

#[cfg(test)]
mod bounds;
mod partial;
mod poseidon1;
mod poseidon2;

use super::super::{Engine, Version};
use super::ops::{Arith, CARRY, NEGATED_INVERSE, P, R, Vector, pow_mod};
use crate::fields::koala_bear::KoalaBear;
use core::arch::x86_64::*;
use partial::Partial;
use phalanx_core::simd::Avx512;

/// One word in R form. Bounds as for [`super::Lanes`]: below `2^33` when fresh, below `2^38` where a permutation takes it.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Word(u64);

/// One state at a time.
#[derive(Clone, Copy)]
pub(crate) struct Single(Avx512);

impl Single {
    /// The engine, given the proof that the CPU has the instructions.
    pub(crate) fn new(witness: Avx512) -> Self {
        Self(witness)
    }
}

/// `x mod p` as the Montgomery word of an element, to multiply other Montgomery words by `x / 2^32`.
#[allow(clippy::cast_possible_truncation, reason = "reduced modulo p, so below 2^31")]
const fn raw(x: u64) -> KoalaBear {
    KoalaBear::from_reduced_montgomery((x % P) as u32)
}

impl Engine for Single {
    const LANES: usize = 1;
    type Word = Word;
    type Single = Self;

    #[inline(always)]
    fn single(self) -> Self {
        self
    }

    #[inline(always)]
    fn splat(self, x: KoalaBear) -> Word {
        const TO_R: KoalaBear = raw(R);
        Word(u64::from(x.mul(TO_R).montgomery()))
    }

    #[inline(always)]
    fn load(self, xs: &[KoalaBear]) -> Word {
        self.splat(xs[0])
    }

    #[inline(always)]
    fn store(self, word: &Word, out: &mut [KoalaBear]) {
        // Times 2^-20: `from_wide`, which takes integers below 2^32 p, divides by 2^32, the product multiplies by 2^12.
        const FROM_R: KoalaBear = raw(pow_mod(2, 44));
        out[0] = KoalaBear::from_wide(word.0).mul(FROM_R);
    }

    #[inline(always)]
    fn add(self, a: &Word, b: &Word) -> Word {
        Word(a.0 + b.0)
    }

    #[inline(always)]
    fn select(self, lanes: u32, a: &Word, b: &Word) -> Word {
        if lanes & 1 == 1 { *a } else { *b }
    }

    #[inline]
    fn permute16(self, version: Version, state: &mut [Word; 16]) {
        match version {
            // SAFETY: the witness proves the target features.
            Version::One => unsafe { enter::<poseidon1::Width16, 16, 2>(self.0, state) },
            // SAFETY: the witness proves the target features.
            Version::Two => unsafe { enter::<poseidon2::Width16, 16, 2>(self.0, state) },
        }
    }

    #[inline]
    fn permute24(self, version: Version, state: &mut [Word; 24]) {
        match version {
            // SAFETY: the witness proves the target features.
            Version::One => unsafe { enter::<poseidon1::Width24, 24, 3>(self.0, state) },
            // SAFETY: the witness proves the target features.
            Version::Two => unsafe { enter::<poseidon2::Width24, 24, 3>(self.0, state) },
        }
    }
}

/// A sum of products, low and high halves apart.
#[derive(Clone, Copy)]
struct Sum<V> {
    low: V,
    high: V,
}

/// What a state in lanes needs beyond [`Arith`]: values that differ from lane to lane.
trait Spread: Arith {
    /// Eight known values.
    fn table(self, lanes: &[u64; 8]) -> Self::V;

    /// Lane `lane` in every lane.
    fn broadcast(self, x: Self::V, lane: usize) -> Self::V;

    /// Lane `i` is `x[i + K]`, within each half; `K` is 1, 2 or 3.
    fn rotate<const K: usize>(self, x: Self::V) -> Self::V;

    /// The halves exchanged.
    fn swap(self, x: Self::V) -> Self::V;

    /// Lane `i` is lane `i + K` of `x` followed by `next`.
    fn window<const K: i32>(self, x: Self::V, next: Self::V) -> Self::V;

    /// `floor(x / 2^52)`: the carries out of a sum of low halves.
    fn carries(self, x: Self::V) -> Self::V;

    /// A sum that starts at `high`, to be followed by `fold`.
    #[inline(always)]
    fn sum(self, high: Self::V) -> Sum<Self::V> {
        Sum { low: self.splat(0), high }
    }

    /// Adds a product to the sum. Inputs: below `2^52`. At most `2^12` products before [`Spread::fold`].
    #[inline(always)]
    fn accumulate(self, sum: &mut Sum<Self::V>, x: Self::V, c: Self::V) {
        sum.low = self.lo(sum.low, x, c);
        sum.high = self.hi(sum.high, x, c);
    }

    /// `high - CARRY` plus the products divided by `R`; at most `high + floor(low / 2^52) + p`.
    #[inline(always)]
    fn fold(self, sum: Sum<Self::V>) -> Self::V {
        let ni = self.splat(NEGATED_INVERSE);
        let q = self.lo(ni, sum.low, ni);
        self.hi(self.add(sum.high, self.carries(sum.low)), q, self.splat(P))
    }

    /// Both sums in one.
    #[inline(always)]
    fn join(self, a: Sum<Self::V>, b: Sum<Self::V>) -> Sum<Self::V> {
        Sum { low: self.add(a.low, b.low), high: self.add(a.high, b.high) }
    }

    /// [`Arith::mul_const`] with a factor a lane.
    #[inline(always)]
    fn mul_lanes(self, acc: Self::V, x: Self::V, c: Self::V, q: Self::V) -> Self::V {
        let q = self.lo(self.splat(NEGATED_INVERSE), x, q);
        self.hi(self.hi(acc, x, c), q, self.splat(P))
    }
}

impl Spread for Vector {
    #[inline(always)]
    fn table(self, lanes: &[u64; 8]) -> __m512i {
        self.load(lanes)
    }

    #[inline(always)]
    fn broadcast(self, x: __m512i, lane: usize) -> __m512i {
        let index = self.splat(lane as u64);
        // SAFETY: the witness proves AVX-512.
        unsafe { _mm512_permutexvar_epi64(index, x) }
    }

    #[inline(always)]
    fn rotate<const K: usize>(self, x: __m512i) -> __m512i {
        match K {
            // SAFETY: the witness proves AVX-512.
            1 => unsafe { _mm512_permutex_epi64::<0b00_11_10_01>(x) },
            // SAFETY: the witness proves AVX-512.
            2 => unsafe { _mm512_permutex_epi64::<0b01_00_11_10>(x) },
            // SAFETY: the witness proves AVX-512.
            _ => unsafe { _mm512_permutex_epi64::<0b10_01_00_11>(x) },
        }
    }

    #[inline(always)]
    fn swap(self, x: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512.
        unsafe { _mm512_shuffle_i64x2::<0b01_00_11_10>(x, x) }
    }

    #[inline(always)]
    fn window<const K: i32>(self, x: __m512i, next: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512.
        unsafe { _mm512_alignr_epi64::<K>(next, x) }
    }

    #[inline(always)]
    fn carries(self, x: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512.
        unsafe { _mm512_srli_epi64::<52>(x) }
    }
}

/// A row of the state, by vectors.
type Row<const N: usize> = [[u64; 8]; N];

/// The rows of constants that full rounds add, in R form.
#[repr(C, align(64))]
struct Constants<const N: usize> {
    /// Before the S-boxes of the initial full rounds.
    initial: [Row<N>; 4],
    /// Before the S-boxes of the terminal full rounds; the partial rounds have added those of the first one.
    terminal: [Row<N>; 3],
    /// After the last layer.
    last: Row<N>,
}

/// A permutation of `T` words in `N` vectors.
trait Permutation<const T: usize, const N: usize> {
    /// The constants that the layers add.
    const CONSTANTS: &'static Constants<N>;
    /// The partial rounds, the linear layer before them included.
    const PARTIAL: &'static Partial<T, N>;

    /// What comes before the first S-boxes.
    fn first<A: Spread>(a: A, x: &mut [A::V; N]);

    /// The linear layer of a full round, then its constants.
    fn layer<A: Spread>(a: A, x: &mut [A::V; N], constants: &Row<N>);

    /// What makes fresh words of those after the last layer.
    #[inline(always)]
    fn finish<A: Spread>(_: A, _: &mut [A::V; N]) {}
}

/// The S-boxes of a full round.
#[inline(always)]
fn cubes<A: Spread, const N: usize>(a: A, x: &mut [A::V; N]) {
    let mut i = 0;
    while i < N {
        x[i] = a.cube(a.splat(CARRY), x[i]);
        i += 1;
    }
}

/// The permutation. Input below `2^38`, output below `2^33`.
#[inline(always)]
fn permute<A: Spread, W: Permutation<T, N>, const T: usize, const N: usize>(a: A, x: &mut [A::V; N]) {
    let constants = W::CONSTANTS;
    W::first(a, x);
    let mut r = 1;
    while r < 4 {
        cubes(a, x);
        W::layer(a, x, &constants.initial[r]);
        r += 1;
    }
    cubes(a, x);
    W::PARTIAL.apply(a, x);
    r = 0;
    while r < 4 {
        cubes(a, x);
        W::layer(a, x, if r < 3 { &constants.terminal[r] } else { &constants.last });
        r += 1;
    }
    W::finish(a, x);
}

/// The permutation of a state in memory.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn enter<W: Permutation<T, N>, const T: usize, const N: usize>(witness: Avx512, state: &mut [Word; T]) {
    let v = Vector(witness);
    let mut x = [v.splat(0); N];
    let mut i = 0;
    while i < N {
        // SAFETY: eight of the `8 * N = T` words (a `Word` is a transparent u64), unaligned load.
        x[i] = unsafe { _mm512_loadu_epi64(state.as_ptr().add(8 * i).cast()) };
        i += 1;
    }
    const { assert!(T == 8 * N) };
    permute::<Vector, W, T, N>(v, &mut x);
    i = 0;
    while i < N {
        // SAFETY: eight of the `8 * N = T` words (a `Word` is a transparent u64), unaligned store.
        unsafe { _mm512_storeu_epi64(state.as_mut_ptr().add(8 * i).cast(), x[i]) };
        i += 1;
    }
}

/// A row of residues, by vectors.
const fn vectors<const T: usize, const N: usize>(row: &[u64; T]) -> Row<N> {
    let mut out = [[0; 8]; N];
    let mut i = 0;
    while i < T {
        out[i / 8][i % 8] = row[i];
        i += 1;
    }
    out
}
