//! The parameter sets of all generations.

use super::either;
use crate::error::Error;
use crate::wire::Format;
use crate::{blake2s, parameters};
use core::fmt;

/// A parameter set of any generation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParameterSet {
    /// One of leanSig's, over the field KoalaBear.
    KoalaBear(parameters::ParameterSet),
    /// One of XMSS over BLAKE2s.
    Blake2s(blake2s::ParameterSet),
}

/// How many sets are over KoalaBear; the others come after them.
const OVER_KOALA_BEAR: usize = parameters::ParameterSet::ALL.len();

impl ParameterSet {
    /// All sets of this version.
    pub const ALL: [Self; OVER_KOALA_BEAR + blake2s::ParameterSet::ALL.len()] = {
        let mut all = [Self::Blake2s(blake2s::ParameterSet::L32_D42B8); _];
        let mut i = 0;
        while i < all.len() {
            all[i] = if i < OVER_KOALA_BEAR {
                Self::KoalaBear(parameters::ParameterSet::ALL[i])
            } else {
                Self::Blake2s(blake2s::ParameterSet::ALL[i - OVER_KOALA_BEAR])
            };
            i += 1;
        }
        all
    };

    /// The set called `name`, such as `"xmss-blake2s-l32-d42b8"`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.name() == name)
    }

    /// The name, as it stands in files and errors.
    #[must_use]
    pub fn name(self) -> &'static str {
        either!(self, set => set.name())
    }

    /// Number of epochs a key of this set could have.
    #[must_use]
    pub fn lifetime(self) -> u64 {
        either!(self, set => set.lifetime())
    }

    /// Number of hash chains.
    #[must_use]
    pub fn chains(self) -> usize {
        either!(self, set => set.chains())
    }

    /// Number of positions of a chain.
    #[must_use]
    pub fn base(self) -> u8 {
        either!(self, set => set.base())
    }

    /// Leaves of one bottom tree, to which activation intervals are rounded outwards. `None` for sets over BLAKE2s, whose
    /// keys have exactly the epochs asked for, in trees of a height that depends on how many those are.
    #[must_use]
    pub fn tree_leaves(self) -> Option<u64> {
        match self {
            Self::KoalaBear(set) => Some(set.tree_leaves()),
            Self::Blake2s(_) => None,
        }
    }

    /// Whether the set exists for tests only: signatures under it can be forged.
    #[must_use]
    pub fn is_insecure(self) -> bool {
        match self {
            Self::KoalaBear(set) => set.is_insecure(),
            Self::Blake2s(_) => false,
        }
    }

    /// Whether keys of the set are made and sign here. Else the set is for verification only.
    #[must_use]
    pub fn signs(self) -> bool {
        match self {
            Self::KoalaBear(_) => true,
            Self::Blake2s(set) => set.signs(),
        }
    }

    /// Whether verifying keys and signatures of the set have `format`. Those over BLAKE2s have the same bytes in SSZ and
    /// both forms of bincode, and nothing else.
    #[must_use]
    pub fn has_format(self, format: Format) -> bool {
        match self {
            Self::KoalaBear(_) => true,
            Self::Blake2s(_) => matches!(format, Format::Ssz | Format::Bincode | Format::BincodeStandard),
        }
    }

    /// # Errors
    /// [`Error::NoEncoding`] if what is called `what` has no such bytes.
    pub(super) fn check_format(self, what: &'static str, format: Format) -> Result<(), Error> {
        if self.has_format(format) {
            return Ok(());
        }
        Err(Error::NoEncoding { scheme: self.name(), what, format: format.name() })
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
