//! Two states in the lanes of 128-bit vectors.
//!
//! NEON has products of 32-bit halves and can compare, so that every borrow and carry is corrected and lanes hold any `u64`
//! of their class. WebAssembly's simd128 has both, too, but gained nothing over scalar words (Chromium 156 on Zen 5, 2026-11).

use super::kernel::{self, PackedField};
use super::names::Permutation;
use super::portable::permute_scalar;
use crate::goldilocks::{Vartime, canonical};
use phalanx_core::lanes::WordLanes;

/// 2^32 - 1, which is 2^64 modulo p.
const EPSILON: u64 = 0xffff_ffff;

/// What products modulo p take beside the vocabulary of words, on two lanes.
pub(super) trait HalfProducts: WordLanes<u64, Words = [u64; 2]> {
    /// The product of the lower halves.
    fn product(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// All ones where a < b, else zero.
    fn less(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
}

/// A field element in each of two lanes.
#[derive(Clone, Copy)]
struct X2<P>(P);

impl<P: HalfProducts> X2<P> {
    /// lo + 2^64 hi: with hi = h + 2^32 g, that is lo - g + (2^32 - 1) h.
    #[inline(always)]
    fn reduced(self, lo: P::Vector, hi: P::Vector) -> P::Vector {
        let Self(p) = self;
        let upper = p.shift_right::<32>(hi);
        // What was borrowed is 2^64, which is `EPSILON`; after a borrow there is room to take that away.
        let low = p.sub(p.sub(lo, upper), p.shift_right::<32>(p.less(lo, upper)));
        self.plus_folded(low, p.product(hi, self.0.splat(EPSILON)))
    }

    /// a + b modulo p, where b is at most 2^64 - 2^33 + 1, so that a carry can be added.
    #[inline(always)]
    fn plus_folded(self, a: P::Vector, b: P::Vector) -> P::Vector {
        let Self(p) = self;
        let sum = p.add(a, b);
        p.add(sum, p.shift_right::<32>(p.less(sum, b)))
    }
}

impl<P: HalfProducts> PackedField for X2<P> {
    const CHAINS: usize = 6;
    /// Any `u64` of the class, in each lane.
    type Word = P::Vector;
    /// 32-bit limbs: sums of 160 of them stay below 2^40.
    type Limb = P::Vector;

    #[inline(always)]
    fn mul(self, x: P::Vector, y: P::Vector) -> P::Vector {
        let Self(p) = self;
        let (x1, y1) = (p.shift_right::<32>(x), p.shift_right::<32>(y));
        let lowest = p.product(x, y);
        let middle = p.add(p.product(x, y1), p.shift_right::<32>(lowest));
        let other = p.add(p.product(x1, y), p.and(middle, self.0.splat(EPSILON)));
        let hi = p.add(p.add(p.product(x1, y1), p.shift_right::<32>(middle)), p.shift_right::<32>(other));
        self.reduced(p.add(p.and(lowest, self.0.splat(EPSILON)), p.shift_left::<32>(other)), hi)
    }

    #[inline(always)]
    fn square(self, x: P::Vector) -> P::Vector {
        let Self(p) = self;
        let x1 = p.shift_right::<32>(x);
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

/// Permutes states that stand one after the other.
pub(super) fn permute_many<P: HalfProducts>(p: P, permutation: Permutation, words: &mut [u64]) {
    for states in words.chunks_mut(2 * permutation.width()) {
        if states.len() < 2 * permutation.width() {
            permute_scalar::<Vartime>(permutation, states);
            continue;
        }
        match permutation {
            Permutation::Rp64 => permute_two(p, states, kernel::rp64),
            Permutation::Jive => permute_two(p, states, kernel::jive),
            Permutation::Rpo => permute_two(p, states, kernel::rpo),
            Permutation::Rpx => permute_two(p, states, kernel::rpx),
        }
    }
}

/// Brings two states of `W` words into the lanes, permutes them and brings them back, canonical.
#[inline(always)]
fn permute_two<P: HalfProducts, const W: usize>(
    p: P,
    words: &mut [u64],
    permute: impl Fn(X2<P>, &mut [P::Vector; W]),
) {
    let (first, second) = words.split_at_mut(W);
    let mut state = core::array::from_fn(|i| p.load(&[first[i], second[i]]));
    permute(X2(p), &mut state);
    for (i, word) in state.into_iter().enumerate() {
        let mut lanes = [0; 2];
        p.store(&mut lanes, word);
        (first[i], second[i]) = (canonical(lanes[0]), canonical(lanes[1]));
    }
}
