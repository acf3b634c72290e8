//! One state after the other, in scalar words.

use super::kernel::{self, Layer, PackedField};
use super::names::Permutation;
use crate::goldilocks::{Reduction, canonical, join};
use core::marker::PhantomData;
use phalanx_core::simd::Kernel;

/// Scalar arithmetic; `R` says whether a rare branch may depend on the data.
#[derive(Clone, Copy)]
pub(super) struct Scalar<R>(pub(super) PhantomData<R>);

impl<R: Reduction> PackedField for Scalar<R> {
    const CHAINS: usize = 6;
    /// Any `u64` of the class.
    type Word = u64;
    /// 32-bit limbs: sums of 160 of them stay below 2^40.
    type Limb = u64;

    #[inline(always)]
    fn mul_inlined(self, a: u64, b: u64) -> u64 {
        R::mul(a, b)
    }

    #[inline(always)]
    fn square_inlined(self, a: u64) -> u64 {
        R::mul(a, a)
    }

    #[inline(always)]
    fn split(self, a: u64) -> [u64; 2] {
        [a & 0xffff_ffff, a >> 32]
    }

    #[inline(always)]
    fn join(self, [low, high]: [u64; 2], constant: u64) -> u64 {
        let [low_constant, high_constant] = self.split(constant);
        join(low + low_constant, high + high_constant)
    }

    #[inline(always)]
    fn step<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(never)]
    fn layer<K: Layer<u64>>(self, layer: K) {
        layer.run(self);
    }

    #[inline(always)]
    fn plus(self, a: u64, b: u64) -> u64 {
        a.wrapping_add(b)
    }

    #[inline(always)]
    fn minus(self, a: u64, b: u64) -> u64 {
        a.wrapping_sub(b)
    }

    #[inline(always)]
    fn shifted<const BITS: i32>(self, a: u64) -> u64 {
        a << BITS
    }
}

/// Permutes one state after the other.
pub(super) fn permute_scalar<R: Reduction>(permutation: Permutation, words: &mut [u64]) {
    let e = Scalar::<R>(PhantomData);
    match permutation {
        Permutation::Rp64 => words.as_chunks_mut().0.iter_mut().for_each(|state| kernel::rp64(e, state)),
        Permutation::Jive => words.as_chunks_mut().0.iter_mut().for_each(|state| kernel::jive(e, state)),
        Permutation::Rpo => words.as_chunks_mut().0.iter_mut().for_each(|state| kernel::rpo(e, state)),
        Permutation::Rpx => words.as_chunks_mut().0.iter_mut().for_each(|state| kernel::rpx(e, state)),
    }
    for word in words {
        *word = canonical(*word);
    }
}
