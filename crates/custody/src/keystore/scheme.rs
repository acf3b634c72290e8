//! The registry: which members of `scheme` mean which parameter set.
//!
//! Source: specification, section 2.4.

use crate::identity::Family;
use phalanx_xmss::{ParameterSet, any, blake2s};
use std::ops::Range;

/// A signature scheme with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// XMSS over KoalaBear, as leanSig has it.
    KoalaBear(ParameterSet),
    /// `xmss-blake2s-l32-d42b8`.
    Blake2s,
    /// Ed25519.
    Ed25519,
}

/// A row of the registry.
pub(super) struct Row {
    pub(super) scheme: Scheme,
    pub(super) hash: &'static str,
    pub(super) tree_height: u8,
    pub(super) winternitz_w: u64,
    pub(super) dimension: u64,
    pub(super) target_sum: u64,
}

const POSEIDON2: &str = "poseidon2-koalabear-leansig-2025-11";
const POSEIDON1: &str = "poseidon1-koalabear-leansig-2026-04";

/// The rows of XMSS: hash, height, base, chains, target sum.
static ROWS: [Row; 8] = [
    row(Scheme::KoalaBear(ParameterSet::POSEIDON2_L8_D64B8), POSEIDON2, 8, 8, 64, 375),
    row(Scheme::KoalaBear(ParameterSet::POSEIDON2_L18_D64B8), POSEIDON2, 18, 8, 64, 375),
    row(Scheme::KoalaBear(ParameterSet::POSEIDON2_L32_D64B8), POSEIDON2, 32, 8, 64, 375),
    row(Scheme::KoalaBear(ParameterSet::POSEIDON2_L32_D48B10), POSEIDON2, 32, 10, 48, 326),
    row(Scheme::KoalaBear(ParameterSet::POSEIDON2_L32_D32B26), POSEIDON2, 32, 26, 32, 579),
    row(Scheme::KoalaBear(ParameterSet::POSEIDON1_L32_D46B8), POSEIDON1, 32, 8, 46, 200),
    row(Scheme::KoalaBear(ParameterSet::POSEIDON1_L8_D4B8_TEST), POSEIDON1, 8, 8, 4, 6),
    row(Scheme::Blake2s, "blake2s-leanvm-2026-09", 32, 8, 42, 195),
];

const fn row(
    scheme: Scheme,
    hash: &'static str,
    tree_height: u8,
    winternitz_w: u64,
    dimension: u64,
    target_sum: u64,
) -> Row {
    Row { scheme, hash, tree_height, winternitz_w, dimension, target_sum }
}

impl Scheme {
    /// All schemes of which there are keystores.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.scheme).chain([Self::Ed25519])
    }

    /// The scheme called `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|scheme| scheme.name() == name)
    }

    /// The name, as it stands in files and errors.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::KoalaBear(set) => set.name(),
            Self::Blake2s => "xmss-blake2s-l32-d42b8",
            Self::Ed25519 => "ed25519",
        }
    }

    /// The scheme of keys of `set`; `None` for a set whose keys are not made here.
    #[must_use]
    pub fn of_set(set: any::ParameterSet) -> Option<Self> {
        match set {
            any::ParameterSet::KoalaBear(set) => Some(Self::KoalaBear(set)),
            any::ParameterSet::Blake2s(set) => set.signs().then_some(Self::Blake2s),
            _ => None,
        }
    }

    /// The parameter set; none for Ed25519.
    #[must_use]
    pub fn parameter_set(self) -> Option<any::ParameterSet> {
        match self {
            Self::KoalaBear(set) => Some(any::ParameterSet::KoalaBear(set)),
            Self::Blake2s => Some(any::ParameterSet::Blake2s(blake2s::ParameterSet::L32_D42B8)),
            Self::Ed25519 => None,
        }
    }

    /// Whether the scheme exists for tests only: signatures under it can be forged.
    #[must_use]
    pub fn is_insecure(self) -> bool {
        matches!(self, Self::KoalaBear(set) if set.is_insecure())
    }

    /// Length of a public key in bytes.
    #[must_use]
    pub fn public_key_bytes(self) -> usize {
        match self {
            Self::KoalaBear(set) => 4 * (set.hash_len() + 5),
            Self::Blake2s | Self::Ed25519 => 32,
        }
    }

    /// The family, within which one-time keys can be shared.
    #[must_use]
    pub fn family(self) -> Family {
        match self {
            Self::KoalaBear(_) => Family::KoalaBear,
            Self::Blake2s => Family::Blake2s,
            Self::Ed25519 => Family::Ed25519,
        }
    }

    /// The activation interval that key generation makes of `count` epochs from `start` on: whole bottom trees, at least
    /// two. `None` if the epochs do not fit the lifetime, there are none, or the scheme has no epochs.
    ///
    /// ```
    /// use phalanx_custody::keystore::Scheme;
    ///
    /// let scheme = Scheme::from_name("xmss-poseidon2-l8-d64b8").expect("a known one");
    /// assert_eq!(scheme.rounded(100, 40), Some(96..144));
    /// assert_eq!(scheme.rounded(0, 257), None);
    /// ```
    #[must_use]
    pub fn rounded(self, start: u64, count: u64) -> Option<Range<u64>> {
        let (start, count) = self.row()?.rounded(start, count)?;
        Some(start..start + count)
    }

    /// The row of the registry; none for Ed25519.
    pub(super) fn row(self) -> Option<&'static Row> {
        ROWS.iter().find(|row| row.scheme == self)
    }

    /// The row with these numbers.
    pub(super) fn find(
        hash: &str,
        tree_height: u64,
        winternitz_w: u64,
        dimension: u64,
        target_sum: u64,
    ) -> Option<&'static Row> {
        ROWS.iter().find(|row| {
            row.hash == hash
                && u64::from(row.tree_height) == tree_height
                && (row.winternitz_w, row.dimension, row.target_sum) == (winternitz_w, dimension, target_sum)
        })
    }
}

impl Row {
    /// Number of epochs that a key of the set could have.
    pub(super) fn lifetime(&self) -> u64 {
        1 << self.tree_height
    }

    /// The interval as key generation rounds it, if the epochs fit the lifetime and there are any.
    pub(super) fn rounded(&self, start: u64, count: u64) -> Option<(u64, u64)> {
        let end = start.checked_add(count).filter(|&end| end <= self.lifetime() && count > 0)?;
        if self.scheme == Scheme::Blake2s {
            return Some((start, count));
        }
        // Whole bottom trees, at least two; moved left where they would reach over the end (docs/xmss.md, 10).
        let leaves = 1u64 << (self.tree_height / 2);
        let first = start / leaves;
        let trees = (end.div_ceil(leaves) - first).max(2);
        let first = first.min(leaves - trees);
        Some((first * leaves, trees * leaves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use phalanx_xmss::hazmat;

    #[test]
    fn rows_are_those_of_the_library() {
        for set in ParameterSet::ALL {
            let row = Scheme::KoalaBear(set).row().expect("every set has a row");
            assert_eq!(row.lifetime(), set.lifetime(), "{set}");
            assert_eq!(row.dimension, set.chains() as u64, "{set}");
            assert_eq!(row.winternitz_w, u64::from(set.base()), "{set}");
            let sum = hazmat::target_sum(set);
            assert_eq!(row.target_sum, u64::from(sum), "{set}");
        }
        let blake2s = blake2s::ParameterSet::L32_D42B8;
        let row = Scheme::Blake2s.row().expect("it has one");
        assert_eq!(Scheme::Blake2s.name(), blake2s.name());
        assert_eq!(row.lifetime(), blake2s.lifetime());
        assert_eq!(row.dimension, blake2s.chains() as u64);
        assert_eq!(row.winternitz_w, u64::from(blake2s.base()));
        for set in any::ParameterSet::ALL {
            let scheme = Scheme::of_set(set);
            assert_eq!(scheme.and_then(Scheme::parameter_set), set.signs().then_some(set));
        }
        assert_eq!(ROWS.len(), ParameterSet::ALL.len() + 1);
        assert_eq!(Scheme::from_name("xmss-blake2s-l32-d42b8"), Some(Scheme::Blake2s));
        assert_eq!(Scheme::from_name("ed25519"), Some(Scheme::Ed25519));
        assert_eq!(Scheme::from_name("xmss-blake2s-a-l32-d42b8"), None);
    }

    #[test]
    fn rounding_is_that_of_the_library() {
        for log2 in [8, 18, 32u8] {
            let row = ROWS.iter().find(|row| row.tree_height == log2).expect("there is one");
            let (leaves, all) = (1u64 << (log2 / 2), row.lifetime());
            for start in
                [0, 1, leaves - 1, leaves, leaves + 1, all / 2, all - leaves, all - leaves - 1, all - 1]
            {
                for count in [1, 2, leaves, leaves + 1, 3 * leaves, all / 2, all] {
                    let trees = hazmat::activation_rounding(log2, start.min(all - count), count);
                    let wanted = (trees.start * leaves, (trees.end - trees.start) * leaves);
                    assert_eq!(row.rounded(start.min(all - count), count), Some(wanted), "{start} {count}");
                }
            }
            assert_eq!(row.rounded(0, 0), None);
            assert_eq!(row.rounded(all, 1), None);
            assert_eq!(row.rounded(u64::MAX, 1), None);
        }
    }
}
