//! Keys prepared for many verifications.

use super::profile_of;
use crate::ffi::{self, entry};
use crate::status::{PHALANX_ERROR_INVALID_SIGNATURE, Status};
use phalanx::ed25519::{PreparedKey, Signature, VerifyingKey};

/// A verifying key with tables of its multiples: each verification takes about half the time, with the same answers.
pub struct Ed25519PreparedKey(PreparedKey);

/// Prepares a verifying key; takes about as long as four verifications. End it with
/// `phalanx_ed25519_prepared_key_free`. `PHALANX_ERROR_ED25519_INVALID_KEY`, `PHALANX_ERROR_INVALID_LENGTH`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_prepared_key_new(
    key: *mut *mut Ed25519PreparedKey,
    verifying_key: *const u8,
    verifying_key_len: usize,
) -> Status {
    entry!({
        ffi::give(key, || {
            let key = VerifyingKey::try_from(ffi::slice(verifying_key, verifying_key_len)?)?;
            Ok(Ed25519PreparedKey(PreparedKey::new(&key)))
        })
    })
}

/// Ends a prepared key. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ed25519_prepared_key_free(key: *mut Ed25519PreparedKey) {
    ffi::free(key);
}

/// The size of the tables of one prepared key, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ed25519_prepared_key_size() -> usize {
    PreparedKey::TABLE_BYTES
}

/// Writes the verifying key, 32 bytes.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_prepared_key_verifying_key(
    key: *const Ed25519PreparedKey,
    verifying_key: *mut u8,
) -> Status {
    entry!({ ffi::write_slice(verifying_key, &ffi::value(key)?.0.verifying_key().to_bytes()) })
}

/// As `phalanx_ed25519_verify`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_prepared_key_verify(
    key: *const Ed25519PreparedKey,
    profile: u32,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
) -> Status {
    entry!({
        let message = ffi::slice(message, message_len)?;
        let signature = decoded(ffi::slice(signature, signature_len)?)?;
        Ok(ffi::value(key)?.0.verify_with(profile_of(profile)?, message, &signature)?)
    })
}

/// As `phalanx_ed25519_verify_ctx`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_prepared_key_verify_ctx(
    key: *const Ed25519PreparedKey,
    profile: u32,
    message: *const u8,
    message_len: usize,
    context: *const u8,
    context_len: usize,
    signature: *const u8,
    signature_len: usize,
) -> Status {
    entry!({
        let (message, context) = (ffi::slice(message, message_len)?, ffi::slice(context, context_len)?);
        let signature = decoded(ffi::slice(signature, signature_len)?)?;
        Ok(ffi::value(key)?.0.verify_ctx(profile_of(profile)?, message, context, &signature)?)
    })
}

/// As `phalanx_ed25519_verify_ph`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_prepared_key_verify_ph(
    key: *const Ed25519PreparedKey,
    profile: u32,
    message: *const u8,
    message_len: usize,
    context: *const u8,
    context_len: usize,
    signature: *const u8,
    signature_len: usize,
) -> Status {
    entry!({
        let (message, context) = (ffi::slice(message, message_len)?, ffi::slice(context, context_len)?);
        let signature = decoded(ffi::slice(signature, signature_len)?)?;
        Ok(ffi::value(key)?.0.verify_ph(profile_of(profile)?, message, context, &signature)?)
    })
}

/// As `phalanx_ed25519_verify_prehashed`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_prepared_key_verify_prehashed(
    key: *const Ed25519PreparedKey,
    profile: u32,
    digest: *const u8,
    context: *const u8,
    context_len: usize,
    signature: *const u8,
    signature_len: usize,
) -> Status {
    entry!({
        let (digest, context) = (ffi::array(digest)?, ffi::slice(context, context_len)?);
        let signature = decoded(ffi::slice(signature, signature_len)?)?;
        Ok(ffi::value(key)?.0.verify_prehashed(profile_of(profile)?, digest, context, &signature)?)
    })
}

/// A signature; bytes that are none do not verify.
fn decoded(signature: &[u8]) -> Result<Signature, Status> {
    Signature::try_from(signature).map_err(|_| PHALANX_ERROR_INVALID_SIGNATURE)
}
