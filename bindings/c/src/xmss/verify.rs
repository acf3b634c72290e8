//! Verification, and keys and signatures from one format to another.

use super::{format_of, parameter_set};
use crate::common::{Pool, team};
use crate::ffi::{self, Team, entry};
use crate::status::{PHALANX_ERROR_INVALID_SIGNATURE, PHALANX_OK, Status};
use std::rc::Rc;

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
    entry!({ verify_many_by(results, claims, count, &ffi::threads(threads)) })
}

/// As `phalanx_xmss_verify_many`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_verify_many_on(
    pool: *const Pool,
    results: *mut Status,
    claims: *const XmssClaim,
    count: usize,
) -> Status {
    entry!({ verify_many_by(results, claims, count, team(pool)) })
}

/// # Safety
/// As [`ffi::slice`], for all that the pointers lead to.
unsafe fn verify_many_by(
    results: *mut Status,
    claims: *const XmssClaim,
    count: usize,
    team: &Team,
) -> Result<(), Status> {
    // SAFETY: as the caller's, here and for what the claims point at.
    let decode = |claim: &XmssClaim| unsafe {
        let (set, format) = (parameter_set(claim.set)?, format_of(claim.format)?);
        let key = ffi::slice(claim.verifying_key, claim.verifying_key_len)?;
        let signature = ffi::slice(claim.signature, claim.signature_len)?;
        Ok(Decoded {
            key: Rc::new(VerifyingKey::from_bytes(set, format, key)?),
            signature: Signature::from_bytes(set, format, signature)?,
            message: ffi::array(claim.message)?,
            epoch: claim.epoch,
        })
    };
    // SAFETY: as the caller's.
    unsafe {
        let decoded: Vec<_> = ffi::slice(claims, count)?.iter().map(decode).collect();
        judge(results, &decoded, team)
    }
}

/// Signatures in packed records, such as rows of a table or of a mapped file: a key, an epoch, a message and a signature
/// each, at the same place of every record, all of one parameter set and one format, whose lengths do not vary. Each field
/// has where it begins in the first record, and how many bytes on it begins in the next; 0 there is the same key, epoch or
/// message for all.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct XmssRecords {
    /// The parameter set of keys and signatures.
    pub set: u32,
    /// The format of keys and signatures.
    pub format: u32,
    /// The signer's key in the first record.
    pub verifying_keys: *const u8,
    /// The length of every key in bytes.
    pub verifying_key_len: usize,
    /// From one key to the next, in bytes.
    pub verifying_key_stride: usize,
    /// The epoch in the first record: four bytes, little-endian, at any address.
    pub epochs: *const u8,
    /// From one epoch to the next, in bytes.
    pub epoch_stride: usize,
    /// The message in the first record, 32 bytes.
    pub messages: *const u8,
    /// From one message to the next, in bytes.
    pub message_stride: usize,
    /// The signature in the first record.
    pub signatures: *const u8,
    /// The length of every signature in bytes.
    pub signature_len: usize,
    /// From one signature to the next, in bytes.
    pub signature_stride: usize,
}

/// As `phalanx_xmss_verify_many`, of `count` packed records. One key for all is read once.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_verify_records(
    results: *mut Status,
    records: *const XmssRecords,
    count: usize,
    threads: u32,
) -> Status {
    entry!({ verify_records_by(results, records, count, &ffi::threads(threads)) })
}

/// As `phalanx_xmss_verify_records`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_xmss_verify_records_on(
    pool: *const Pool,
    results: *mut Status,
    records: *const XmssRecords,
    count: usize,
) -> Status {
    entry!({ verify_records_by(results, records, count, team(pool)) })
}

/// # Safety
/// As [`ffi::slice`], for all that the pointers lead to.
unsafe fn verify_records_by(
    results: *mut Status,
    records: *const XmssRecords,
    count: usize,
    team: &Team,
) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe {
        let all = ffi::value(records)?;
        let (set, format) = (parameter_set(all.set)?, format_of(all.format)?);
        let key =
            |bytes: &[u8]| VerifyingKey::from_bytes(set, format, bytes).map(Rc::new).map_err(Status::from);
        let keys = ffi::strided(all.verifying_keys, all.verifying_key_len, all.verifying_key_stride, count)?;
        let mut shared = None;
        let keys = keys.map(|bytes| match all.verifying_key_stride {
            0 => shared.get_or_insert_with(|| key(bytes)).clone(),
            _ => key(bytes),
        });
        let epochs = ffi::strided(all.epochs, 4, all.epoch_stride, count)?;
        let messages = ffi::strided(all.messages, 32, all.message_stride, count)?;
        let signatures = ffi::strided(all.signatures, all.signature_len, all.signature_stride, count)?;
        let decoded: Vec<_> = keys
            .zip(epochs)
            .zip(messages)
            .zip(signatures)
            .map(|(((key, epoch), message), signature)| {
                Ok(Decoded {
                    key: key?,
                    signature: Signature::from_bytes(set, format, signature)?,
                    message: message.try_into().expect("32 bytes"),
                    epoch: u32::from_le_bytes(epoch.try_into().expect("4 bytes")),
                })
            })
            .collect();
        judge(results, &decoded, team)
    }
}

/// A claim, decoded.
struct Decoded<'a> {
    key: Rc<VerifyingKey>,
    signature: Signature,
    message: &'a [u8; 32],
    epoch: u32,
}

/// Verifies what could be decoded, and writes a result for each.
///
/// # Safety
/// `results` is null or has room for as many.
unsafe fn judge(
    results: *mut Status,
    decoded: &[Result<Decoded<'_>, Status>],
    team: &Team,
) -> Result<(), Status> {
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
    let mut answers = verify_many_on(team, &claims).into_iter();
    let written: Vec<_> = decoded
        .iter()
        .map(|claim| match claim {
            Ok(_) => answers.next().map_or(PHALANX_ERROR_INVALID_SIGNATURE, |answer| {
                answer.map_or_else(Status::from, |()| PHALANX_OK)
            }),
            Err(status) => *status,
        })
        .collect();
    // SAFETY: as the caller's.
    unsafe { ffi::write_slice(results, &written) }?;
    if written.iter().all(|result| *result == PHALANX_OK) {
        Ok(())
    } else {
        Err(PHALANX_ERROR_INVALID_SIGNATURE)
    }
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
