//! Signature files: SSHSIG, as `ssh-keygen -Y` writes and reads it.

use super::keys::Ed25519SigningKey;
use super::profile_of;
use crate::ffi::{self, entry};
use crate::status::{PHALANX_ERROR_ED25519_KEY_FORMAT, PHALANX_ERROR_INVALID_ARGUMENT, Status};
use core::ffi::c_char;
use phalanx::ed25519::VerifyingKey;
use phalanx::ed25519::sshsig::{Hash, SshSignature};

/// How the message of an SSH signature is hashed, by number.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum Ed25519SshHash {
    /// SHA-512, ssh-keygen's default.
    Sha512 = 0,
    /// SHA-256.
    Sha256 = 1,
}

/// Signs a message as `ssh-keygen -Y sign` does and writes the armored file, to the byte as ssh-keygen writes it; no zero
/// byte ends it. `ssh_namespace` says what the signature is for (`"file"`, `"git"`): a text that ends with a zero byte, not
/// empty. `hash` is a `phalanx_ed25519_ssh_hash`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_sshsig_sign(
    key: *const Ed25519SigningKey,
    file: *mut u8,
    file_capacity: usize,
    file_len: *mut usize,
    ssh_namespace: *const c_char,
    hash: u32,
    message: *const u8,
    message_len: usize,
) -> Status {
    entry!({
        let hash = match hash {
            0 => Hash::Sha512,
            1 => Hash::Sha256,
            _ => return Err(PHALANX_ERROR_INVALID_ARGUMENT),
        };
        let (key, message) = (&ffi::value(key)?.0, ffi::slice(message, message_len)?);
        let signed = SshSignature::sign(key, ffi::text(ssh_namespace)?, hash, message)?;
        ffi::write_bytes(file, file_capacity, file_len, signed.to_armored().as_bytes())
    })
}

/// Whether the key of 32 bytes signed the message for `ssh_namespace`, by the armored file:
/// `PHALANX_ERROR_INVALID_SIGNATURE` also if another key is inside; `PHALANX_ERROR_ED25519_KEY_FORMAT` if the file is none.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_sshsig_verify(
    profile: u32,
    verifying_key: *const u8,
    ssh_namespace: *const c_char,
    message: *const u8,
    message_len: usize,
    file: *const u8,
    file_len: usize,
) -> Status {
    entry!({
        let key = VerifyingKey::from_bytes(ffi::array(verifying_key)?)?;
        let (name, message) = (ffi::text(ssh_namespace)?, ffi::slice(message, message_len)?);
        let text = core::str::from_utf8(ffi::slice(file, file_len)?);
        let signature = SshSignature::parse(text.map_err(|_| PHALANX_ERROR_ED25519_KEY_FORMAT)?)?;
        Ok(signature.verify(&key, profile_of(profile)?, name, message)?)
    })
}
