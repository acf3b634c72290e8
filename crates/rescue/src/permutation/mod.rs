//! The Rescue permutations over Goldilocks: Rp64_256 and its Jive sibling (Winterfell), RPO and RPX (Miden).
//!
//! Sources: Rescue-Prime (ePrint 2020/1143), RPO (ePrint 2022/1577), RPX (ePrint 2023/1045). States hold any `u64`; words
//! that come out are canonical.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod constants;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
mod halves;
#[cfg(target_arch = "x86_64")]
mod ifma;
#[cfg(target_arch = "x86_64")]
mod interleaved;
mod kernel;
mod names;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
mod portable;
#[cfg(test)]
mod tests;

use crate::goldilocks::{ConstantTime, Vartime};
use phalanx_core::first_of;
use phalanx_core::simd::Isa;
use portable::permute_scalar;

pub(crate) use names::Permutation;

/// Permutes the states that stand one after the other in `words`, whose length is a multiple of the width.
pub(crate) fn permute_many(isa: Isa, permutation: Permutation, words: &mut [u64]) {
    first_of!(isa;
        ifma(witness) => ifma::permute_many(witness, permutation, words),
        avx512(witness) => avx512::permute_many(witness, permutation, words),
        avx2(witness) => avx2::permute_many(witness, permutation, words),
        neon(witness) => neon::permute_many(witness, permutation, words),
        else => permute_scalar::<Vartime>(permutation, words),
    )
}

/// Permutes states of secret words: no branch depends on them.
pub(crate) fn permute_secret(permutation: Permutation, words: &mut [u64]) {
    permute_scalar::<ConstantTime>(permutation, words);
}
