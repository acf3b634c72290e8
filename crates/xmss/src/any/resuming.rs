//! What a key generation that was interrupted needs to go on.

use super::either;
use super::signing::KeyGeneration;
use crate::error::Error;
use crate::identity::OneTimeKeyId;
use alloc::vec::Vec;
use core::ops::Range;
use phalanx_core::threads::Pool;

impl KeyGeneration {
    /// What [`SigningKey::one_time_key_id`](super::SigningKey::one_time_key_id) will be.
    #[must_use]
    pub fn one_time_key_id(&self) -> OneTimeKeyId {
        either!(self, made => made.one_time_key_id())
    }

    /// Indices of the key's bottom trees.
    #[must_use]
    pub fn trees(&self) -> Range<u64> {
        either!(self, made => made.trees())
    }

    /// 32 bytes that tell generations of other secrets, sets or intervals apart, and reveal nothing of the secret.
    #[must_use]
    pub fn commitment(&self) -> [u8; 32] {
        either!(self, made => made.commitment())
    }

    /// The root of finished bottom tree `index`, as SSZ has it; `None` if it is not finished.
    #[must_use]
    pub fn root(&self, index: u64) -> Option<Vec<u8>> {
        either!(self, made => made.root(index))
    }

    /// Computes bottom tree `index` on `pool` and gives its root, for [`restore`](Self::restore) of another generation of
    /// the same [`commitment`](Self::commitment); this one is as before.
    ///
    /// # Errors
    /// [`Error::WrongTree`] if the tree is not one of the key's.
    pub fn compute_root_on(&self, pool: &dyn Pool, index: u64) -> Result<Vec<u8>, Error> {
        either!(self, made => made.compute_root_on(pool, index))
    }

    /// Takes the root of bottom tree `index` from an earlier run with the same [`commitment`](Self::commitment): it is not
    /// computed again, unless the new key must hold the tree whole.
    ///
    /// # Errors
    /// [`Error::WrongTree`] if the tree is not one of the key's; [`Error::Malformed`] for bytes that are no root.
    pub fn restore(&mut self, index: u64, root: &[u8]) -> Result<(), Error> {
        either!(self, made => made.restore(index, root))
    }
}
