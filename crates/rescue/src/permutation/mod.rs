//! The Rescue permutations over Goldilocks: Rp64_256 and its Jive sibling (Winterfell), RPO and RPX (Miden).
//!
//! Sources: Rescue-Prime (ePrint 2020/1143), RPO (ePrint 2022/1577), RPX (ePrint 2023/1045). States hold any `u64`; words
//! that come out are canonical.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod constants;
#[cfg(target_arch = "x86_64")]
mod interleaved;
mod kernel;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod x2;

use crate::goldilocks::{ConstantTime, Reduction, Vartime, canonical};
use core::marker::PhantomData;
use phalanx_core::first_of;
use phalanx_core::simd::Isa;

/// Which permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Permutation {
    /// Rp64_256, width 12.
    Rp64,
    /// RpJive64_256, width 8.
    Jive,
    /// RPO-256, width 12.
    Rpo,
    /// RPX-256, width 12.
    Rpx,
}

impl Permutation {
    #[cfg(test)]
    const ALL: [Self; 4] = [Self::Rp64, Self::Jive, Self::Rpo, Self::Rpx];

    /// Words in a state.
    pub(crate) const fn width(self) -> usize {
        match self {
            Self::Jive => 8,
            Self::Rp64 | Self::Rpo | Self::Rpx => 12,
        }
    }
}

/// Permutes the states that stand one after the other in `words`, whose length is a multiple of the width.
pub(crate) fn permute_many(isa: Isa, permutation: Permutation, words: &mut [u64]) {
    first_of!(isa;
        avx512(witness) => avx512::permute_many(witness, permutation, words),
        avx2(witness) => avx2::permute_many(witness, permutation, words),
        neon(witness) => x2::permute_many(witness, permutation, words),
        else => permute_scalar::<Vartime>(permutation, words),
    )
}

/// Permutes states of secret words: no branch depends on them.
pub(crate) fn permute_secret(permutation: Permutation, words: &mut [u64]) {
    permute_scalar::<ConstantTime>(permutation, words);
}

/// One state after the other.
fn permute_scalar<R: Reduction>(permutation: Permutation, words: &mut [u64]) {
    let e = portable::Scalar::<R>(PhantomData);
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
