//! Two kinds of packed elements in one instruction stream: vectors and scalar words use different parts of a core.

use super::kernel::{Layer, PackedField};
use phalanx_core::simd::Kernel;

/// The states of both, one word after the other. How many chains run side by side is the choice of the first.
#[derive(Clone, Copy)]
pub(super) struct Interleaved<A, B>(pub(super) A, pub(super) B);

impl<A: PackedField, B: PackedField> PackedField for Interleaved<A, B> {
    const CHAINS: usize = A::CHAINS;
    type Word = (A::Word, B::Word);
    type Limb = (A::Limb, B::Limb);

    /// Compiled for the instructions of the first.
    #[inline(always)]
    fn step<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        self.0.step(Beside(self.1, kernel))
    }

    #[inline(always)]
    fn layer<K: Layer<Self::Word>>(self, layer: K) {
        self.0.layer(Beside(self.1, layer));
    }

    /// A step of each: together they are too long to be inlined.
    #[inline(always)]
    fn mul(self, a: Self::Word, b: Self::Word) -> Self::Word {
        (self.0.mul(a.0, b.0), self.1.mul(a.1, b.1))
    }

    #[inline(always)]
    fn square(self, a: Self::Word) -> Self::Word {
        (self.0.square(a.0), self.1.square(a.1))
    }

    #[inline(always)]
    fn mul_inlined(self, a: Self::Word, b: Self::Word) -> Self::Word {
        (self.0.mul_inlined(a.0, b.0), self.1.mul_inlined(a.1, b.1))
    }

    #[inline(always)]
    fn square_inlined(self, a: Self::Word) -> Self::Word {
        (self.0.square_inlined(a.0), self.1.square_inlined(a.1))
    }

    #[inline(always)]
    fn split(self, a: Self::Word) -> [Self::Limb; 2] {
        let ([a0, a1], [b0, b1]) = (self.0.split(a.0), self.1.split(a.1));
        [(a0, b0), (a1, b1)]
    }

    #[inline(always)]
    fn join(self, [low, high]: [Self::Limb; 2], constant: u64) -> Self::Word {
        (self.0.join([low.0, high.0], constant), self.1.join([low.1, high.1], constant))
    }

    #[inline(always)]
    fn plus(self, a: Self::Limb, b: Self::Limb) -> Self::Limb {
        (self.0.plus(a.0, b.0), self.1.plus(a.1, b.1))
    }

    #[inline(always)]
    fn minus(self, a: Self::Limb, b: Self::Limb) -> Self::Limb {
        (self.0.minus(a.0, b.0), self.1.minus(a.1, b.1))
    }

    #[inline(always)]
    fn shifted<const BITS: i32>(self, a: Self::Limb) -> Self::Limb {
        (self.0.shifted::<BITS>(a.0), self.1.shifted::<BITS>(a.1))
    }
}

/// A step or a layer of both, to be run with the first.
struct Beside<B, K>(B, K);

impl<A, B, K: Kernel<Interleaved<A, B>>> Kernel<A> for Beside<B, K> {
    type Output = K::Output;

    #[inline(always)]
    fn run(self, first: A) -> K::Output {
        self.1.run(Interleaved(first, self.0))
    }
}

impl<W, B: PackedField, K: Layer<(W, B::Word)>> Layer<W> for Beside<B, K> {
    #[inline(always)]
    fn run<A: PackedField<Word = W>>(self, first: A) {
        self.1.run(Interleaved(first, self.0));
    }
}
