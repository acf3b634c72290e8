//! The two profiles as named sets, and their tweaks (specification sections 1 and 3).
#![forbid(unsafe_code)]

use core::fmt;

/// Hash chains of an epoch, `v`.
pub(crate) const CHAINS: usize = 42;
/// Steps of a chain: its values have numbers 0 to 7.
pub(crate) const STEPS: u8 = 7;
/// The sum of an encoding's digits, `T`.
pub(crate) const TARGET: u32 = 195;
/// Levels of the tree above the leaves.
pub(crate) const HEIGHT: u8 = 32;

/// A digest of 16 bytes, as little-endian words: a chain value, a leaf, a node, a public parameter.
pub(crate) type Node = [u32; 4];
/// The words of a randomizer `rho`.
pub(crate) type Randomizer = [u32; 6];

/// A named, versioned definition of XMSS over BLAKE2s.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParameterSet(Profile);

/// The profiles of the specification.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Profile {
    /// Of August 2026.
    A,
    /// The current one.
    B,
}

impl ParameterSet {
    /// The current definition, which lean clients run: `xmss-blake2s-l32-d42b8`.
    pub const L32_D42B8: Self = Self(Profile::B);
    /// The definition of August 2026 (leanVM-b), for verification only: `xmss-blake2s-a-l32-d42b8`.
    pub const A_L32_D42B8: Self = Self(Profile::A);
    /// All sets of this version.
    pub const ALL: [Self; 2] = [Self::L32_D42B8, Self::A_L32_D42B8];

    /// The set called `name`, such as `"xmss-blake2s-l32-d42b8"`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.name() == name)
    }

    /// The name, as it stands in files and errors.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Profile::A => "xmss-blake2s-a-l32-d42b8",
            Profile::B => "xmss-blake2s-l32-d42b8",
        }
    }

    /// Number of epochs a key of this set could have: `2^32`.
    #[must_use]
    pub fn lifetime(self) -> u64 {
        1 << HEIGHT
    }

    /// Number of hash chains.
    #[must_use]
    pub fn chains(self) -> usize {
        CHAINS
    }

    /// Number of values of a chain.
    #[must_use]
    pub fn base(self) -> u8 {
        STEPS + 1
    }

    /// Whether keys of the set are made and sign here. Else the set is for verification only.
    #[must_use]
    pub fn signs(self) -> bool {
        self.0 == Profile::B
    }

    /// Its profile.
    pub(crate) fn profile(self) -> Profile {
        self.0
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

/// What a tweak labels, in both profiles.
#[derive(Clone, Copy)]
pub(crate) enum Use {
    /// A chain step out of a value.
    Chain,
    /// A leaf.
    Leaf,
    /// A tree node.
    Node,
    /// The encoding of a message.
    Encoding,
}

/// What a tweak labels when keys are made and sign (profile B): types 0, 5, 6 and 7.
#[derive(Clone, Copy)]
pub(crate) enum SecretUse {
    /// The secret start of a chain.
    Start,
    /// The public parameter of a key.
    Parameter,
    /// A filler node.
    Filler,
    /// A randomizer.
    Randomizer,
}

impl Profile {
    /// The four words of a tweak.
    pub(crate) fn tweak(self, of: Use, p: u32, j: u32) -> [u32; 4] {
        let number = match of {
            Use::Chain => 0,
            Use::Leaf => 1,
            Use::Node => 2,
            Use::Encoding => 3,
        };
        match self {
            // Type 0 of profile B is secret.
            Self::B => self.labelled(number + 1, p, j),
            Self::A => self.labelled(number, p, j),
        }
    }

    /// The four words of the tweaks that differ in `j` only.
    pub(crate) fn tweaks<const N: usize>(self, of: Use, p: u32, j: &[u32; N]) -> [[u32; N]; 4] {
        let [a, b, c, d] = self.tweak(of, p, 0).map(|word| [word; N]);
        match self {
            Self::A => [a, j.map(|j| b[0] | (j << 8)), j.map(|j| j >> 24), d],
            Self::B => [a, b, c, *j],
        }
    }

    /// The tweak of the type with this number.
    pub(crate) fn labelled(self, number: u8, p: u32, j: u32) -> [u32; 4] {
        let number = u32::from(number);
        match self {
            // Byte 0 the type, bytes 1 to 4 p, bytes 5 to 8 j.
            Self::A => [number | (p << 8), (p >> 24) | (j << 8), j >> 24, 0],
            // Byte 1 the type, bytes 4 to 7 p, bytes 12 to 15 j.
            Self::B => [number << 8, p, 0, j],
        }
    }

    /// Which word of a tweak grows, and by how much, where `p` grows by one below `2^24`.
    pub(crate) fn next_position(self) -> (usize, u32) {
        match self {
            Self::A => (0, 1 << 8),
            Self::B => (1, 1),
        }
    }
}

/// The tweak of something secret, in profile B.
pub(crate) fn secret_tweak(of: SecretUse, p: u32, j: u32) -> [u32; 4] {
    let number = match of {
        SecretUse::Start => 0,
        SecretUse::Parameter => 5,
        SecretUse::Filler => 6,
        SecretUse::Randomizer => 7,
    };
    Profile::B.labelled(number, p, j)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_find_their_set() {
        for set in ParameterSet::ALL {
            assert_eq!(ParameterSet::from_name(set.name()), Some(set));
        }
        assert_eq!(ParameterSet::from_name("xmss-poseidon2-l8-d64b8"), None);
        assert!(ParameterSet::L32_D42B8.signs() && !ParameterSet::A_L32_D42B8.signs());
    }

    /// Laid out by hand from the table of section 3.
    #[test]
    fn tweaks_by_hand() {
        let bytes = |words: [u32; 4]| words.map(u32::to_le_bytes).concat();
        let (p, j) = (0x0403_0201, 0x0807_0605);
        let b = bytes(Profile::B.tweak(Use::Encoding, p, j));
        assert_eq!(b, [0, 4, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8]);
        let a = bytes(Profile::A.tweak(Use::Encoding, p, j));
        assert_eq!(a, [3, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0]);
        for profile in [Profile::A, Profile::B] {
            let (mut tweak, (word, by)) = (profile.tweak(Use::Chain, 334, j), profile.next_position());
            tweak[word] += by;
            assert_eq!(tweak, profile.tweak(Use::Chain, 335, j));
            assert_eq!(profile.tweaks(Use::Leaf, p, &[j]).map(|[word]| word), profile.tweak(Use::Leaf, p, j));
        }
    }
}
