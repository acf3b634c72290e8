//! The four permutations.

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
    pub(super) const ALL: [Self; 4] = [Self::Rp64, Self::Jive, Self::Rpo, Self::Rpx];

    /// Words in a state.
    pub(crate) const fn width(self) -> usize {
        match self {
            Self::Jive => 8,
            Self::Rp64 | Self::Rpo | Self::Rpx => 12,
        }
    }
}
