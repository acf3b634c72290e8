//! Keys prepared for many verifications.
#![forbid(unsafe_code)]

use crate::curve::{KeyTables, comb_tables};
use crate::key::VerifyingKey;
use crate::profile::Profile;
use crate::sha512;
use crate::signature::Signature;
use crate::verify;
use alloc::boxed::Box;
use phalanx_core::InvalidSignature;

/// A public key with tables of its multiples, for a signer seen often: each verification takes about half the time of
/// [`VerifyingKey`], and gives the same answers.
///
/// A key takes [`PreparedKey::TABLE_BYTES`] bytes of memory, and about as long to prepare as four verifications; the
/// first one in a program also fills tables of the base point (161 KiB, shared).
///
/// ```
/// use phalanx_ed25519::{PreparedKey, SigningKey};
///
/// let signer = SigningKey::from_seed(&[7; 32]);
/// let key = PreparedKey::new(signer.verifying_key());
/// for message in [b"one", b"two"] {
///     assert!(key.verify(message, &signer.sign(message)).is_ok());
/// }
/// ```
#[derive(Clone)]
pub struct PreparedKey {
    key: VerifyingKey,
    /// Of -A.
    tables: Box<KeyTables>,
}

impl PreparedKey {
    /// The size of the tables of one key, in bytes.
    pub const TABLE_BYTES: usize = size_of::<KeyTables>();

    /// Computes the tables of a key.
    #[must_use]
    pub fn new(key: &VerifyingKey) -> Self {
        Self { key: *key, tables: comb_tables(&key.minus_a) }
    }

    /// The key without its tables.
    #[must_use]
    pub const fn verifying_key(&self) -> &VerifyingKey {
        &self.key
    }

    /// As [`VerifyingKey::verify`].
    ///
    /// # Errors
    /// [`InvalidSignature`].
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), InvalidSignature> {
        self.verify_with(Profile::Strict, message, signature)
    }

    /// As [`VerifyingKey::verify_with`].
    ///
    /// # Errors
    /// [`InvalidSignature`].
    pub fn verify_with(
        &self,
        profile: Profile,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), InvalidSignature> {
        verify::plain(profile, self.with_tables(), message, signature)
    }

    /// As [`VerifyingKey::verify_ctx`].
    ///
    /// # Errors
    /// [`InvalidSignature`], also for a context that cannot be signed under.
    pub fn verify_ctx(
        &self,
        profile: Profile,
        message: &[u8],
        context: &[u8],
        signature: &Signature,
    ) -> Result<(), InvalidSignature> {
        verify::with_context(profile, self.with_tables(), message, context, signature)
    }

    /// As [`VerifyingKey::verify_ph`].
    ///
    /// # Errors
    /// [`InvalidSignature`], also for a context that is too long.
    pub fn verify_ph(
        &self,
        profile: Profile,
        message: &[u8],
        context: &[u8],
        signature: &Signature,
    ) -> Result<(), InvalidSignature> {
        self.verify_prehashed(profile, &sha512::digest(&[message]), context, signature)
    }

    /// As [`VerifyingKey::verify_prehashed`].
    ///
    /// # Errors
    /// [`InvalidSignature`], also for a context that is too long.
    pub fn verify_prehashed(
        &self,
        profile: Profile,
        digest: &[u8; 64],
        context: &[u8],
        signature: &Signature,
    ) -> Result<(), InvalidSignature> {
        verify::prehashed(profile, self.with_tables(), digest, context, signature)
    }

    fn with_tables(&self) -> verify::Key<'_> {
        verify::Key::with_tables(&self.key, &self.tables)
    }
}

impl From<&VerifyingKey> for PreparedKey {
    fn from(key: &VerifyingKey) -> Self {
        Self::new(key)
    }
}

impl core::fmt::Debug for PreparedKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("PreparedKey").field(&self.key).finish()
    }
}
