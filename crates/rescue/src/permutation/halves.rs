//! A state in each lane of vectors that multiply 32-bit halves: eight with AVX-512 that has no IFMA, two with NEON.
//!
//! Both can compare unsigned words, so that every borrow and carry is corrected and lanes hold any `u64` of their class.
//! WebAssembly's simd128 can, too, but gained nothing over scalar words (Chromium 156 on Zen 5, 2026-11).

use super::kernel::{self, Layer, PackedField};
use super::names::Permutation;
use crate::goldilocks::canonical;
use phalanx_core::lanes::WordLanes;
use phalanx_core::simd::{Kernel, Witness};

/// 2^32 - 1, which is 2^64 modulo p.
const EPSILON: u64 = 0xffff_ffff;

/// What products modulo p take beside the vocabulary of words, on `N` lanes.
pub(super) trait HalfProducts<const N: usize>: Witness + WordLanes<u64, Words = [u64; N]> {
    /// The product of the lower halves.
    fn product(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The upper half in the lower one; the upper one is anything.
    #[inline(always)]
    fn upper(self, a: Self::Vector) -> Self::Vector {
        self.shift_right::<32>(a)
    }

    /// x + 2^32 - 1 where a < b, else x.
    fn plus_epsilon_if_less(self, x: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// x - 2^32 + 1 where a < b, else x.
    fn minus_epsilon_if_less(self, x: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;
}

/// A field element in each lane.
#[derive(Clone, Copy)]
struct Halves<P, const N: usize>(P);

impl<P: HalfProducts<N>, const N: usize> Halves<P, N> {
    /// lo + 2^64 hi: with hi = h + 2^32 g, that is lo - g + (2^32 - 1) h.
    #[inline(always)]
    fn reduced(self, lo: P::Vector, hi: P::Vector) -> P::Vector {
        let Self(p) = self;
        let upper = p.shift_right::<32>(hi);
        // What was borrowed is 2^64, which is `EPSILON`; after a borrow there is room to take that away.
        let low = p.minus_epsilon_if_less(p.sub(lo, upper), lo, upper);
        self.plus_folded(low, p.product(hi, self.0.splat(EPSILON)))
    }

    /// a + b modulo p, where b is at most 2^64 - 2^33 + 1, so that a carry can be added.
    #[inline(always)]
    fn plus_folded(self, a: P::Vector, b: P::Vector) -> P::Vector {
        let Self(p) = self;
        let sum = p.add(a, b);
        p.plus_epsilon_if_less(sum, sum, b)
    }
}

impl<P: HalfProducts<N>, const N: usize> PackedField for Halves<P, N> {
    const CHAINS: usize = if N == 8 { 12 } else { 6 };
    /// Any `u64` of the class, in each lane.
    type Word = P::Vector;
    /// 32-bit limbs: sums of 160 of them stay below 2^40.
    type Limb = P::Vector;

    #[inline(always)]
    fn mul_inlined(self, x: P::Vector, y: P::Vector) -> P::Vector {
        let Self(p) = self;
        let (x1, y1) = (p.upper(x), p.upper(y));
        let lowest = p.product(x, y);
        let middle = p.add(p.product(x, y1), p.shift_right::<32>(lowest));
        let other = p.add(p.product(x1, y), p.and(middle, self.0.splat(EPSILON)));
        let hi = p.add(p.add(p.product(x1, y1), p.shift_right::<32>(middle)), p.shift_right::<32>(other));
        self.reduced(p.add(p.and(lowest, self.0.splat(EPSILON)), p.shift_left::<32>(other)), hi)
    }

    #[inline(always)]
    fn square_inlined(self, x: P::Vector) -> P::Vector {
        let Self(p) = self;
        let x1 = p.upper(x);
        let (lowest, cross, highest) = (p.product(x, x), p.product(x, x1), p.product(x1, x1));
        let middle = p.add(cross, p.shift_right::<33>(lowest));
        self.reduced(p.add(lowest, p.shift_left::<33>(cross)), p.add(highest, p.shift_right::<31>(middle)))
    }

    #[inline(always)]
    fn split(self, a: P::Vector) -> [P::Vector; 2] {
        [self.0.and(a, self.0.splat(EPSILON)), self.0.shift_right::<32>(a)]
    }

    #[inline(always)]
    fn join(self, [low, high]: [P::Vector; 2], constant: u64) -> P::Vector {
        let Self(p) = self;
        let low = p.add(low, self.0.splat(constant & EPSILON));
        let high = p.add(high, self.0.splat(constant >> 32));
        let low = p.add(low, p.product(p.shift_right::<32>(high), self.0.splat(EPSILON)));
        self.plus_folded(p.shift_left::<32>(high), low)
    }

    #[inline(always)]
    fn step<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        self.0.step(Within(self, kernel))
    }

    #[inline(always)]
    fn layer<K: Layer<P::Vector>>(self, layer: K) {
        self.0.enter(Under(self, layer));
    }

    #[inline(always)]
    fn plus(self, a: P::Vector, b: P::Vector) -> P::Vector {
        self.0.add(a, b)
    }

    #[inline(always)]
    fn minus(self, a: P::Vector, b: P::Vector) -> P::Vector {
        self.0.sub(a, b)
    }

    #[inline(always)]
    fn shifted<const BITS: i32>(self, a: P::Vector) -> P::Vector {
        self.0.shift_left::<BITS>(a)
    }
}

/// A step of the field, to be run under the witness.
struct Within<F, K>(F, K);

impl<W, F, K: Kernel<F>> Kernel<W> for Within<F, K> {
    type Output = K::Output;

    #[inline(always)]
    fn run(self, _: W) -> K::Output {
        self.1.run(self.0)
    }
}

/// A layer of the field, to be entered under the witness.
struct Under<F, K>(F, K);

impl<W, F: PackedField, K: Layer<F::Word>> Kernel<W> for Under<F, K> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: W) {
        self.1.run(self.0);
    }
}

/// Permutes states that stand one after the other, at most `N`.
pub(super) fn permute_batch<P: HalfProducts<N>, const N: usize>(
    p: P,
    permutation: Permutation,
    words: &mut [u64],
) {
    match permutation {
        Permutation::Rp64 => in_columns(words, |columns| p.enter(Rp64(columns))),
        Permutation::Jive => in_columns(words, |columns| p.enter(Jive(columns))),
        Permutation::Rpo => in_columns(words, |columns| p.enter(Rpo(columns))),
        Permutation::Rpx => in_columns(words, |columns| p.enter(Rpx(columns))),
    }
}

/// Brings up to `N` states of `W` words into columns, one for each word, and brings them back, canonical.
fn in_columns<const N: usize, const W: usize>(words: &mut [u64], permute: impl FnOnce(&mut [[u64; N]; W])) {
    let mut columns = [[0; N]; W];
    for (lane, state) in words.chunks_exact(W).enumerate() {
        for (column, word) in columns.iter_mut().zip(state) {
            column[lane] = *word;
        }
    }
    permute(&mut columns);
    for (lane, state) in words.chunks_exact_mut(W).enumerate() {
        for (column, word) in columns.iter().zip(state) {
            *word = canonical(column[lane]);
        }
    }
}

/// A permutation of the states in columns.
macro_rules! permutation {
    ($name:ident, $kernel:ident, $width:literal) => {
        struct $name<'a, const N: usize>(&'a mut [[u64; N]; $width]);

        impl<P: HalfProducts<N>, const N: usize> Kernel<P> for $name<'_, N> {
            type Output = ();

            #[inline(always)]
            fn run(self, p: P) {
                let mut state = [p.splat(0); $width];
                let mut i = 0;
                while i < $width {
                    state[i] = p.load(&self.0[i]);
                    i += 1;
                }
                kernel::$kernel(Halves(p), &mut state);
                let mut i = 0;
                while i < $width {
                    p.store(&mut self.0[i], state[i]);
                    i += 1;
                }
            }
        }
    };
}

permutation!(Rp64, rp64, 12);
permutation!(Jive, jive, 8);
permutation!(Rpo, rpo, 12);
permutation!(Rpx, rpx, 12);
