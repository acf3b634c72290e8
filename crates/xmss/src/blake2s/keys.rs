//! Public keys and signatures: what they hold, and their bytes (specification section 6).
#![forbid(unsafe_code)]

use super::hashing::words;
use super::parameters::{CHAINS, HEIGHT, Node, ParameterSet, Randomizer};
use crate::identity::KeyId;
use core::fmt;
use phalanx_core::Malformed;

/// What verifies signatures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct VerifyingKey {
    pub(crate) set: ParameterSet,
    pub(crate) root: Node,
    pub(crate) parameter: Node,
}

impl VerifyingKey {
    /// Length in bytes.
    pub const LEN_BYTES: usize = 32;

    /// The parameter set of the key.
    #[must_use]
    pub fn parameter_set(&self) -> ParameterSet {
        self.set
    }

    /// The name of the one-time keys behind this key: equal for all keys that one seed gives. At most one of those may
    /// ever sign.
    #[must_use]
    pub fn key_id(&self) -> KeyId {
        KeyId::of_blake2s(&bytes_of(&self.parameter))
    }

    /// Root, then parameter: in SSZ and in each bincode alike.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::LEN_BYTES] {
        let mut bytes = [0; Self::LEN_BYTES];
        put_words(&mut bytes, self.root.iter().chain(&self.parameter));
        bytes
    }

    /// The key of `set` that `bytes` hold. Any 32 bytes are one.
    ///
    /// # Errors
    /// [`Malformed`] for another number of bytes.
    pub fn from_bytes(set: ParameterSet, bytes: &[u8]) -> Result<Self, Malformed> {
        Malformed::unless_equal("length in bytes", bytes.len() as u64, Self::LEN_BYTES as u64)?;
        let (root, parameter) = bytes.split_at(16);
        Ok(Self { set, root: words(root), parameter: words(parameter) })
    }
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifyingKey({} {:08x?})", self.set, self.root)
    }
}

/// A signature under one parameter set: always of the right shape. Whether it verifies is another question.
#[derive(Clone, PartialEq, Eq)]
pub struct Signature {
    pub(crate) set: ParameterSet,
    /// One value a chain.
    pub(crate) values: [Node; CHAINS],
    pub(crate) randomizer: Randomizer,
    /// Siblings from the leaf's level up.
    pub(crate) path: [Node; HEIGHT as usize],
}

impl Signature {
    /// Length in bytes.
    pub const LEN_BYTES: usize = 16 * CHAINS + 24 + 16 * HEIGHT as usize;

    /// The parameter set it was made or decoded for.
    #[must_use]
    pub fn parameter_set(&self) -> ParameterSet {
        self.set
    }

    /// Chain values, randomizer, siblings from the leaf's level up: in SSZ and in each bincode alike.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::LEN_BYTES] {
        let mut bytes = [0; Self::LEN_BYTES];
        let (values, path) = (self.values.as_flattened(), self.path.as_flattened());
        put_words(&mut bytes, values.iter().chain(&self.randomizer).chain(path));
        bytes
    }

    /// The signature under `set` that `bytes` hold. Any 1208 bytes are one; whether it verifies is another question.
    ///
    /// # Errors
    /// [`Malformed`] for another number of bytes.
    pub fn from_bytes(set: ParameterSet, bytes: &[u8]) -> Result<Self, Malformed> {
        Malformed::unless_equal("length in bytes", bytes.len() as u64, Self::LEN_BYTES as u64)?;
        let (values, rest) = bytes.split_at(16 * CHAINS);
        let (randomizer, path) = rest.split_at(24);
        Ok(Self {
            set,
            values: core::array::from_fn(|i| words(&values[16 * i..])),
            randomizer: words(randomizer),
            path: core::array::from_fn(|i| words(&path[16 * i..])),
        })
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signature").field("set", &self.set).finish_non_exhaustive()
    }
}

/// The bytes of a node.
pub(crate) fn bytes_of(node: &Node) -> [u8; 16] {
    let mut bytes = [0; 16];
    put_words(&mut bytes, node.iter());
    bytes
}

fn put_words<'a>(out: &mut [u8], words: impl Iterator<Item = &'a u32>) {
    for (bytes, word) in out.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
}
