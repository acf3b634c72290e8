//! Verification, and keys and signatures from one format to another.

use super::{format_of, parameter_set};
use crate::ffi::{self, entry};
use crate::status::{PHALANX_ERROR_INVALID_SIGNATURE, PHALANX_OK, Status};
use phalanx::xmss::any::{Signature, SignedMessage, VerifyingKey, verify_many_on};

/// A signature with what it claims: that the key signed the message at the epoch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct XmssClaim {
    /// The parameter set of key and signature.
    pub set: u32,
    /// The format of key and signature.
    pub format: u32,
    /// The signer's key.
    pub verifying_key: *const u8,
    /// Its length in bytes.
    pub verifying_key_len: usize,
    /// The message, 32 bytes.
    pub message: *const u8,
    /// The signature.
    pub signature: *const u8,
    /// Its length in bytes.
    pub signature_len: usize,
    /// The epoch.
    pub epoch: u32,
}

/// Verifies that the key signed the message of 32 bytes at `epoch`; key and signature are of `set`, in `format`.
///
/// `PHALANX_OK`, `PHALANX_ERROR_INVALID_SIGNATURE`, or `PHALANX_ERROR_MALFORMED` if key or signature are not even that;
/// `PHALANX_ERROR_XMSS_NO_ENCODING` if those of the set have no such format.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_verify(
    set: u32,
    format: u32,
    verifying_key: *const u8,
    verifying_key_len: usize,
    epoch: u32,
    message: *const u8,
    signature: *const u8,
    signature_len: usize,
) -> Status {
    entry!({
        let (set, format) = (parameter_set(set)?, format_of(format)?);
        let key = VerifyingKey::from_bytes(set, format, ffi::slice(verifying_key, verifying_key_len)?)?;
        let signature = Signature::from_bytes(set, format, ffi::slice(signature, signature_len)?)?;
        Ok(key.verify(epoch, ffi::array(message)?, &signature)?)
    })
}

/// Verifies `count` claims, of any keys and parameter sets, side by side and on `threads` threads, and writes a result for
/// each: what `phalanx_xmss_verify` says about it. Much faster per signature than one at a time.
///
/// `PHALANX_OK` only if every result is it; `PHALANX_ERROR_INVALID_SIGNATURE` if the results are written and one is an error.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_verify_many(
    results: *mut Status,
    claims: *const XmssClaim,
    count: usize,
    threads: u32,
) -> Status {
    /// A claim, decoded.
    struct Decoded<'a> {
        key: VerifyingKey,
        signature: Signature,
        message: &'a [u8; 32],
        epoch: u32,
    }
    entry!({
        let decode = |claim: &XmssClaim| -> Result<Decoded<'_>, Status> {
            let (set, format) = (parameter_set(claim.set)?, format_of(claim.format)?);
            let key = ffi::slice(claim.verifying_key, claim.verifying_key_len)?;
            let signature = ffi::slice(claim.signature, claim.signature_len)?;
            Ok(Decoded {
                key: VerifyingKey::from_bytes(set, format, key)?,
                signature: Signature::from_bytes(set, format, signature)?,
                message: ffi::array(claim.message)?,
                epoch: claim.epoch,
            })
        };
        let decoded: Vec<_> = ffi::slice(claims, count)?.iter().map(decode).collect();
        let claims: Vec<_> = decoded
            .iter()
            .flatten()
            .map(|Decoded { key, signature, message, epoch }| SignedMessage {
                key,
                epoch: *epoch,
                message,
                signature,
            })
            .collect();
        let mut answers = verify_many_on(&ffi::threads(threads), &claims).into_iter();
        let written: Vec<_> = decoded
            .iter()
            .map(|claim| match claim {
                Ok(_) => answers.next().map_or(PHALANX_ERROR_INVALID_SIGNATURE, |answer| {
                    answer.map_or_else(Status::from, |()| PHALANX_OK)
                }),
                Err(status) => *status,
            })
            .collect();
        ffi::write_slice(results, &written)?;
        if written.iter().all(|result| *result == PHALANX_OK) {
            Ok(())
        } else {
            Err(PHALANX_ERROR_INVALID_SIGNATURE)
        }
    })
}

/// Writes a verifying key of `set` in another format.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_verifying_key_convert(
    converted: *mut u8,
    converted_capacity: usize,
    converted_len: *mut usize,
    converted_format: u32,
    set: u32,
    format: u32,
    verifying_key: *const u8,
    verifying_key_len: usize,
) -> Status {
    entry!({
        let bytes = ffi::slice(verifying_key, verifying_key_len)?;
        let key = VerifyingKey::from_bytes(parameter_set(set)?, format_of(format)?, bytes)?;
        let encoded = key.to_bytes(format_of(converted_format)?)?;
        ffi::write_bytes(converted, converted_capacity, converted_len, &encoded)
    })
}

/// Writes a signature of `set` in another format.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_signature_convert(
    converted: *mut u8,
    converted_capacity: usize,
    converted_len: *mut usize,
    converted_format: u32,
    set: u32,
    format: u32,
    signature: *const u8,
    signature_len: usize,
) -> Status {
    entry!({
        let bytes = ffi::slice(signature, signature_len)?;
        let signature = Signature::from_bytes(parameter_set(set)?, format_of(format)?, bytes)?;
        let encoded = signature.to_bytes(format_of(converted_format)?)?;
        ffi::write_bytes(converted, converted_capacity, converted_len, &encoded)
    })
}
