//! A ledger, as the lean names use it.

use super::PQSigningError;
use crate::custody::{Store, adopt, open};
use crate::status::Status;
use core::ffi::c_char;
use phalanx::xmss::Format;
use phalanx::xmss::any::{Signature, SigningKey};
use phalanx_custody::ledger::{EpochLedger, InitialState, sign_through, xmss_instance};
use std::sync::Arc;

/// The role that keys are registered with: their clients do not say it.
const ROLE: &str = "other";

/// An open ledger.
pub(super) struct Kept(Arc<dyn Store>);

impl Kept {
    /// Opens it; else the reason is for people.
    ///
    /// # Safety
    /// As [`crate::ffi::text`]; the configuration may be null.
    pub(super) unsafe fn open(path: *const c_char, config_toml: *const c_char) -> Result<Self, String> {
        // SAFETY: as the caller's.
        unsafe { open(path, config_toml) }.map(|(store, _)| Self(store)).map_err(|failure| failure.text())
    }

    /// Registers a key that has just been made.
    pub(super) fn register(&self, key: &SigningKey) -> Result<(), PQSigningError> {
        let public_key = key.verifying_key().to_bytes(Format::Ssz).map_err(Status::from)?;
        let registered = self.0.register(&xmss_instance(key, ROLE), &public_key, InitialState::New);
        Ok(registered.map_err(Status::from)?)
    }

    /// An operator answers for a key.
    pub(super) fn adopt(&self, key: &SigningKey, low: u64) -> Result<(), PQSigningError> {
        let public_key = key.verifying_key().to_bytes(Format::Ssz).map_err(Status::from)?;
        let instance = xmss_instance(key, ROLE);
        if low > instance.end {
            return Err(PQSigningError::InvalidEpoch);
        }
        Ok(adopt(&*self.0, &instance, &public_key, low, "phalanx_pq_adopt")?)
    }

    /// Signs.
    pub(super) fn sign(
        &self,
        key: &mut SigningKey,
        epoch: u32,
        message: &[u8; 32],
    ) -> Result<Signature, PQSigningError> {
        let ledger: &dyn EpochLedger = &*self.0;
        Ok(sign_through(ledger, key, epoch, message).map_err(Status::from)?.signature)
    }
}
