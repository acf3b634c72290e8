//! The Rescue permutations over Goldilocks: Rp64_256 and its Jive sibling (Winterfell), RPO and RPX (Miden).
//!
//! Sources: Rescue-Prime (ePrint 2020/1143), RPO (ePrint 2022/1577), RPX (ePrint 2023/1045). States hold any `u64`; words
//! that come out are canonical.

mod constants;
mod portable;
#[cfg(test)]
mod tests;

use crate::fields::goldilocks::{ConstantTime, Vartime};
use crate::simd::Level;

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
    pub(crate) const ALL: [Self; 4] = [Self::Rp64, Self::Jive, Self::Rpo, Self::Rpx];

    /// Words in a state.
    pub(crate) const fn width(self) -> usize {
        match self {
            Self::Jive => 8,
            Self::Rp64 | Self::Rpo | Self::Rpx => 12,
        }
    }
}

/// Permutes the states that stand one after the other in `words`, whose length is a multiple of the width.
pub(crate) fn permute_many(_level: Level, permutation: Permutation, words: &mut [u64]) {
    match permutation {
        Permutation::Rp64 => words.as_chunks_mut().0.iter_mut().for_each(portable::rp64::<Vartime>),
        Permutation::Jive => words.as_chunks_mut().0.iter_mut().for_each(portable::jive::<Vartime>),
        Permutation::Rpo => words.as_chunks_mut().0.iter_mut().for_each(portable::rpo::<Vartime>),
        Permutation::Rpx => words.as_chunks_mut().0.iter_mut().for_each(portable::rpx::<Vartime>),
    }
}

/// Permutes one state of secret words: no branch depends on them.
pub(crate) fn permute_secret(permutation: Permutation, words: &mut [u64]) {
    match permutation {
        Permutation::Rp64 => words.as_chunks_mut().0.iter_mut().for_each(portable::rp64::<ConstantTime>),
        Permutation::Jive => words.as_chunks_mut().0.iter_mut().for_each(portable::jive::<ConstantTime>),
        Permutation::Rpo => words.as_chunks_mut().0.iter_mut().for_each(portable::rpo::<ConstantTime>),
        Permutation::Rpx => words.as_chunks_mut().0.iter_mut().for_each(portable::rpx::<ConstantTime>),
    }
}
