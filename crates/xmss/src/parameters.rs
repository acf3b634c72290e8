//! The named parameter sets, as data.
//!
//! Source: specification section 1 and 14 (`docs/xmss.md`); vector files call a set by its profile id.
#![forbid(unsafe_code)]

use super::encoding::Target::{Aborting, TopLayers};
use super::family::{Family, Poseidon, Shape};
use crate::hashes::poseidon::Version::{self, One, Two};
use core::fmt;

/// A named, versioned choice of hash family, chains, encoding and lifetime.
///
/// Two sets are equal exactly if they have the same name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParameterSet(Row);

/// The numbers behind a [`ParameterSet`].
pub(crate) struct Parameters {
    /// The name users and files know.
    pub(crate) name: &'static str,
    /// The name in vector files.
    profile: &'static str,
    /// log2 of the number of epochs; even.
    pub(crate) log2_lifetime: u8,
    /// Number of hash chains, `v`.
    pub(crate) chains: usize,
    /// Positions of a chain, `w`: a chain has `w - 1` steps.
    pub(crate) base: u8,
    /// Words of a node or chain value, `n`.
    pub(crate) hash_len: usize,
    /// Words of a signature's randomness.
    pub(crate) randomness_len: usize,
    /// Words of the parameter `P`.
    pub(crate) parameter_len: usize,
    /// Whether the reference refuses an empty activation interval (else it means the smallest one).
    pub(crate) refuses_empty_interval: bool,
    /// Whether the set exists for tests only and has no security.
    insecure: bool,
    /// The hash functions, with what they precompute for this set.
    pub(crate) family: &'static dyn Family,
}

impl Parameters {
    /// Leaves of a bottom tree, `C = 2^(L/2)`.
    pub(crate) const fn tree_leaves(&self) -> u64 {
        1 << (self.log2_lifetime / 2)
    }

    /// Number of epochs, `2^L`.
    pub(crate) const fn lifetime(&self) -> u64 {
        1 << self.log2_lifetime
    }

    /// Nodes of an authentication path, `L`.
    pub(crate) const fn path_len(&self) -> usize {
        self.log2_lifetime as usize
    }
}

/// Defines a constant of [`ParameterSet`] and an entry of [`TABLE`] for every row: name, profile, log2 of the lifetime,
/// permutation, chains x base, elements of a hash, elements of the randomness, encoding, whether it is insecure.
macro_rules! parameter_sets {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $profile:literal, $lifetime:literal, $version:expr,
       $chains:literal x $base:literal, $hash_len:literal, $randomness_len:literal, $target:expr,
       $insecure:literal;)*) => {
        /// Places in the table.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "named like the constants they stand for")]
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        enum Row { $($constant),* }

        /// The numbers of every set, in the order of [`Row`].
        static TABLE: [Parameters; ParameterSet::ALL.len()] = [$({
            static FAMILY: Poseidon = Poseidon::new(Shape {
                version: $version,
                chains: $chains,
                base: $base,
                hash_len: $hash_len,
                randomness_len: $randomness_len,
                target: $target,
            });
            Parameters {
                name: $name,
                profile: $profile,
                log2_lifetime: $lifetime,
                chains: $chains,
                base: $base,
                hash_len: $hash_len,
                randomness_len: $randomness_len,
                parameter_len: 5,
                refuses_empty_interval: matches!($version, Version::One),
                insecure: $insecure,
                family: &FAMILY,
            }
        }),*];

        impl ParameterSet {
            $($(#[$doc])* pub const $constant: Self = Self(Row::$constant);)*

            /// All sets of this version.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$constant),*];
        }
    };
}

parameter_sets! {
    /// leanSig of 2025-11, lifetime 2^8, 64 chains of base 8.
    POSEIDON2_L8_D64B8 = "xmss-poseidon2-l8-d64b8", "p2-top-l8-d64b8",
        8, Two, 64 x 8, 8, 7, TopLayers { sum: 375, last_layer: 77 }, false;
    /// leanSig of 2025-11, lifetime 2^18, 64 chains of base 8, hashes of seven elements.
    POSEIDON2_L18_D64B8 = "xmss-poseidon2-l18-d64b8", "p2-top-l18-d64b8",
        18, Two, 64 x 8, 7, 6, TopLayers { sum: 375, last_layer: 77 }, false;
    /// leanSig of 2025-11, lifetime 2^32, 64 chains of base 8.
    POSEIDON2_L32_D64B8 = "xmss-poseidon2-l32-d64b8", "p2-top-l32-d64b8",
        32, Two, 64 x 8, 8, 7, TopLayers { sum: 375, last_layer: 77 }, false;
    /// leanSig of 2025-11, lifetime 2^32, 48 chains of base 10.
    POSEIDON2_L32_D48B10 = "xmss-poseidon2-l32-d48b10", "p2-top-l32-d48b10",
        32, Two, 48 x 10, 8, 7, TopLayers { sum: 326, last_layer: 112 }, false;
    /// leanSig of 2025-11, lifetime 2^32, 32 chains of base 26.
    POSEIDON2_L32_D32B26 = "xmss-poseidon2-l32-d32b26", "p2-top-l32-d32b26",
        32, Two, 32 x 26, 8, 7, TopLayers { sum: 579, last_layer: 231 }, false;
    /// leanSig of 2026-04 (devnet 4), lifetime 2^32, 46 chains of base 8.
    POSEIDON1_L32_D46B8 = "xmss-poseidon1-l32-d46b8", "p1-abort-l32-d46b8",
        32, One, 46 x 8, 8, 7, Aborting { sum: 200 }, false;
    /// The test set of leanSig of 2026-04: four chains, **no security**.
    POSEIDON1_L8_D4B8_TEST = "xmss-poseidon1-l8-d4b8-test", "p1-abort-l8-d4b8-test",
        8, One, 4 x 8, 8, 7, Aborting { sum: 6 }, true;
}

impl ParameterSet {
    /// The set called `name`, such as `"xmss-poseidon2-l32-d64b8"`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.name() == name)
    }

    /// The set that vector files call `profile`, such as `"p2-top-l32-d64b8"`.
    #[must_use]
    pub fn from_profile(profile: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.profile() == profile)
    }

    /// The name, as it stands in files and errors.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.parameters().name
    }

    /// The name in the reference's vector files.
    #[must_use]
    pub fn profile(self) -> &'static str {
        self.parameters().profile
    }

    /// Number of epochs a key of this set could have, `2^8`, `2^18` or `2^32`.
    #[must_use]
    pub fn lifetime(self) -> u64 {
        self.parameters().lifetime()
    }

    /// Leaves of one bottom tree: the unit in which keys are computed and advance.
    #[must_use]
    pub fn tree_leaves(self) -> u64 {
        self.parameters().tree_leaves()
    }

    /// Number of hash chains.
    #[must_use]
    pub fn chains(self) -> usize {
        self.parameters().chains
    }

    /// Number of positions of a chain.
    #[must_use]
    pub fn base(self) -> u8 {
        self.parameters().base
    }

    /// Words (of 32 bits) of a node.
    #[must_use]
    pub fn hash_len(self) -> usize {
        self.parameters().hash_len
    }

    /// Words (of 32 bits) of a signature's randomness.
    #[must_use]
    pub fn randomness_len(self) -> usize {
        self.parameters().randomness_len
    }

    /// Whether the set exists for tests only: signatures under it can be forged.
    #[must_use]
    pub fn is_insecure(self) -> bool {
        self.parameters().insecure
    }

    /// The numbers.
    pub(crate) fn parameters(self) -> &'static Parameters {
        &TABLE[self.0 as usize]
    }
}

impl fmt::Debug for ParameterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for ParameterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_profiles_find_their_set() {
        for set in ParameterSet::ALL {
            assert_eq!(ParameterSet::from_name(set.name()), Some(set));
            assert_eq!(ParameterSet::from_profile(set.profile()), Some(set));
        }
        assert_eq!(ParameterSet::POSEIDON1_L32_D46B8.name(), "xmss-poseidon1-l32-d46b8");
        assert_eq!(ParameterSet::from_name("xmss-blake2s-l32-d42b8"), None);
    }
}
