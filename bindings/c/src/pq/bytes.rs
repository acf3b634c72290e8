//! Keys and signatures as bytes, for the names that lean clients call.

use super::{
    PQSignature, PQSignatureSchemePublicKey, PQSignatureSchemeSecretKey, PQSigningError, answer, set,
    signature_of,
};
use crate::ffi;
use crate::xmss::keys::XmssSigningKey;
use phalanx::xmss::Format;
use phalanx::xmss::any::{Signature, SigningKey, VerifyingKey};

/// Writes `bytes` into a buffer; if they do not fit, only their number, and the answer is `UnknownError`.
///
/// # Safety
/// As [`ffi::write_bytes`].
unsafe fn write(
    bytes: &[u8],
    buffer: *mut u8,
    buffer_len: usize,
    written_len: *mut usize,
) -> Result<(), PQSigningError> {
    if buffer.is_null() || written_len.is_null() {
        return Err(PQSigningError::InvalidPointer);
    }
    // SAFETY: as the caller's.
    Ok(unsafe { ffi::write_bytes(buffer, buffer_len, written_len, bytes) }?)
}

/// Reads `length` bytes, with what `read` makes of them, into a new object.
///
/// # Safety
/// As [`ffi::slice`] and [`ffi::give`].
unsafe fn read<T>(
    bytes: *const u8,
    length: usize,
    out: *mut *mut T,
    read: impl FnOnce(&[u8]) -> Result<T, PQSigningError>,
) -> Result<(), PQSigningError> {
    if bytes.is_null() || out.is_null() {
        return Err(PQSigningError::InvalidPointer);
    }
    // SAFETY: as the caller's.
    unsafe {
        let made = read(ffi::slice(bytes, length)?)?;
        Ok(ffi::give(out, || Ok(made))?)
    }
}

/// Writes a secret key in SSZ; the caller wipes the buffer. If it is too small, `UnknownError`, and `written_len` says what it
/// needs.
#[unsafe(no_mangle)]
pub extern "C" fn pq_secret_key_serialize(
    sk: *const PQSignatureSchemeSecretKey,
    buffer: *mut u8,
    buffer_len: usize,
    written_len: *mut usize,
) -> PQSigningError {
    answer!({
        let bytes = ffi::value(sk)?.0.lock()?.to_bytes(Format::Ssz)?;
        write(&bytes, buffer, buffer_len, written_len)
    })
}

/// Reads a secret key in SSZ. What it has signed is not in the bytes.
#[unsafe(no_mangle)]
pub extern "C" fn pq_secret_key_deserialize(
    buffer: *const u8,
    buffer_len: usize,
    sk_out: *mut *mut PQSignatureSchemeSecretKey,
) -> PQSigningError {
    answer!({ read(buffer, buffer_len, sk_out, |bytes| secret_key(Format::Ssz, bytes)) })
}

/// Reads a secret key in the JSON that serde writes of leanSig's type.
#[unsafe(no_mangle)]
pub extern "C" fn pq_secret_key_from_json(
    json: *const u8,
    json_len: usize,
    sk_out: *mut *mut PQSignatureSchemeSecretKey,
) -> PQSigningError {
    answer!({ read(json, json_len, sk_out, |bytes| secret_key(Format::Json, bytes)) })
}

fn secret_key(format: Format, bytes: &[u8]) -> Result<PQSignatureSchemeSecretKey, PQSigningError> {
    let key = SigningKey::from_bytes(set(), format, bytes)?;
    Ok(PQSignatureSchemeSecretKey(XmssSigningKey::new(key)))
}

/// Writes a public key in SSZ. If the buffer is too small, `UnknownError`, and `written_len` says what it needs.
#[unsafe(no_mangle)]
pub extern "C" fn pq_public_key_serialize(
    pk: *const PQSignatureSchemePublicKey,
    buffer: *mut u8,
    buffer_len: usize,
    written_len: *mut usize,
) -> PQSigningError {
    answer!({ write(&ffi::value(pk)?.0.to_bytes(Format::Ssz)?, buffer, buffer_len, written_len) })
}

/// Reads a public key in SSZ.
#[unsafe(no_mangle)]
pub extern "C" fn pq_public_key_deserialize(
    buffer: *const u8,
    buffer_len: usize,
    pk_out: *mut *mut PQSignatureSchemePublicKey,
) -> PQSigningError {
    answer!({ read(buffer, buffer_len, pk_out, |bytes| public_key(Format::Ssz, bytes)) })
}

/// Reads a public key in the JSON that serde writes of leanSig's type.
#[unsafe(no_mangle)]
pub extern "C" fn pq_public_key_from_json(
    json: *const u8,
    json_len: usize,
    pk_out: *mut *mut PQSignatureSchemePublicKey,
) -> PQSigningError {
    answer!({ read(json, json_len, pk_out, |bytes| public_key(Format::Json, bytes)) })
}

fn public_key(format: Format, bytes: &[u8]) -> Result<PQSignatureSchemePublicKey, PQSigningError> {
    Ok(PQSignatureSchemePublicKey(VerifyingKey::from_bytes(set(), format, bytes)?))
}

/// Writes a signature in SSZ. If the buffer is too small, `UnknownError`, and `written_len` says what it needs.
#[unsafe(no_mangle)]
pub extern "C" fn pq_signature_serialize(
    signature: *const PQSignature,
    buffer: *mut u8,
    buffer_len: usize,
    written_len: *mut usize,
) -> PQSigningError {
    answer!({ write(&ffi::value(signature)?.0.to_bytes(Format::Ssz)?, buffer, buffer_len, written_len) })
}

/// Reads a signature in SSZ, which zeros may follow up to 3116 bytes.
#[unsafe(no_mangle)]
pub extern "C" fn pq_signature_deserialize(
    buffer: *const u8,
    buffer_len: usize,
    signature_out: *mut *mut PQSignature,
) -> PQSigningError {
    answer!({ read(buffer, buffer_len, signature_out, |bytes| Ok(PQSignature(signature_of(bytes)?))) })
}

/// Reads a signature in the JSON that serde writes of leanSig's type.
#[unsafe(no_mangle)]
pub extern "C" fn pq_signature_from_json(
    json: *const u8,
    json_len: usize,
    signature_out: *mut *mut PQSignature,
) -> PQSigningError {
    answer!({
        read(json, json_len, signature_out, |bytes| {
            Ok(PQSignature(Signature::from_bytes(set(), Format::Json, bytes)?))
        })
    })
}
