//! Signing.

use super::keys::Ed25519SigningKey;
use crate::common::{Bytes, Pool, team};
use crate::ffi::{self, Team, entry};
use crate::status::Status;
use phalanx::ed25519::sign_many_on;

/// Signs `message_len` bytes and writes the signature, 64 bytes. Deterministic: Ed25519 of RFC 8032.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_sign(
    key: *const Ed25519SigningKey,
    signature: *mut u8,
    message: *const u8,
    message_len: usize,
) -> Status {
    entry!({
        let signed = ffi::value(key)?.0.sign(ffi::slice(message, message_len)?);
        ffi::write_slice(signature, &signed.to_bytes())
    })
}

/// As `phalanx_ed25519_sign`, with 32 bytes of noise hashed in, as the Zig standard library does: against attacks that need
/// the same nonce twice. The noise need not be secret.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_sign_with_noise(
    key: *const Ed25519SigningKey,
    signature: *mut u8,
    message: *const u8,
    message_len: usize,
    noise: *const u8,
) -> Status {
    entry!({
        let message = ffi::slice(message, message_len)?;
        let signed = ffi::value(key)?.0.sign_with_noise(message, ffi::array(noise)?);
        ffi::write_slice(signature, &signed.to_bytes())
    })
}

/// As `phalanx_ed25519_sign`, and verifies the signature before it is released, against faults in the machine:
/// `PHALANX_ERROR_ED25519_SELF_CHECK`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_sign_checked(
    key: *const Ed25519SigningKey,
    signature: *mut u8,
    message: *const u8,
    message_len: usize,
) -> Status {
    entry!({
        let signed = ffi::value(key)?.0.sign_checked(ffi::slice(message, message_len)?)?;
        ffi::write_slice(signature, &signed.to_bytes())
    })
}

/// Signs as Ed25519ctx of RFC 8032. The context is 1 to 255 bytes: `PHALANX_ERROR_ED25519_CONTEXT_EMPTY`,
/// `PHALANX_ERROR_ED25519_CONTEXT_TOO_LONG`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_sign_ctx(
    key: *const Ed25519SigningKey,
    signature: *mut u8,
    message: *const u8,
    message_len: usize,
    context: *const u8,
    context_len: usize,
) -> Status {
    entry!({
        let (message, context) = (ffi::slice(message, message_len)?, ffi::slice(context, context_len)?);
        ffi::write_slice(signature, &ffi::value(key)?.0.sign_ctx(message, context)?.to_bytes())
    })
}

/// Signs as Ed25519ph of RFC 8032: the SHA-512 digest of the message. The context is 0 to 255 bytes:
/// `PHALANX_ERROR_ED25519_CONTEXT_TOO_LONG`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_sign_ph(
    key: *const Ed25519SigningKey,
    signature: *mut u8,
    message: *const u8,
    message_len: usize,
    context: *const u8,
    context_len: usize,
) -> Status {
    entry!({
        let (message, context) = (ffi::slice(message, message_len)?, ffi::slice(context, context_len)?);
        ffi::write_slice(signature, &ffi::value(key)?.0.sign_ph(message, context)?.to_bytes())
    })
}

/// As `phalanx_ed25519_sign_ph`, of a message whose SHA-512 digest, 64 bytes, the caller has computed.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_sign_prehashed(
    key: *const Ed25519SigningKey,
    signature: *mut u8,
    digest: *const u8,
    context: *const u8,
    context_len: usize,
) -> Status {
    entry!({
        let (digest, context) = (ffi::array(digest)?, ffi::slice(context, context_len)?);
        ffi::write_slice(signature, &ffi::value(key)?.0.sign_prehashed(digest, context)?.to_bytes())
    })
}

/// Signs `messages[i]` with `keys[i]` and writes `count` signatures of 64 bytes, one behind the other; side by side in
/// lanes, and on `threads` threads. Each signature is that of `phalanx_ed25519_sign`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_sign_many(
    signatures: *mut u8,
    keys: *const *const Ed25519SigningKey,
    messages: *const Bytes,
    count: usize,
    threads: u32,
) -> Status {
    entry!({ sign_many_by(signatures, keys, messages, count, &ffi::threads(threads)) })
}

/// As `phalanx_ed25519_sign_many`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_sign_many_on(
    pool: *const Pool,
    signatures: *mut u8,
    keys: *const *const Ed25519SigningKey,
    messages: *const Bytes,
    count: usize,
) -> Status {
    entry!({ sign_many_by(signatures, keys, messages, count, team(pool)) })
}

/// # Safety
/// As [`ffi::slice`], for all that the pointers lead to.
unsafe fn sign_many_by(
    signatures: *mut u8,
    keys: *const *const Ed25519SigningKey,
    messages: *const Bytes,
    count: usize,
    team: &Team,
) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe {
        let keys: Result<Vec<_>, Status> =
            ffi::slice(keys, count)?.iter().map(|key| Ok(&ffi::value(*key)?.0)).collect();
        let messages: Result<Vec<&[u8]>, Status> =
            ffi::slice(messages, count)?.iter().map(|bytes| ffi::slice(bytes.data, bytes.len)).collect();
        let signed = sign_many_on(team, &keys?, &messages?)?;
        let bytes: Vec<[u8; 64]> = signed.iter().map(|signature| signature.to_bytes()).collect();
        ffi::write_slice(signatures, bytes.as_flattened())
    }
}
