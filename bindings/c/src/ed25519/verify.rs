//! Verification, one at a time and many at once.

use super::profile_of;
use crate::common::{Pool, team};
use crate::ffi::{self, Team, entry};
use crate::status::{PHALANX_ERROR_INVALID_SIGNATURE, PHALANX_OK, Status};
use core::ffi::c_char;
use phalanx::InvalidSignature;
use phalanx::ed25519::{
    Reason, Signature, SignedMessage, VerifyingKey, explain, verify, verify_batch_deterministic,
    verify_batch_on, verify_many_on,
};

/// A signature with what it claims: that the key signed the message.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Ed25519Claim {
    /// The signer's key. Lengths other than 32 do not verify.
    pub verifying_key: *const u8,
    /// Its length in bytes.
    pub verifying_key_len: usize,
    /// The message.
    pub message: *const u8,
    /// Its length in bytes.
    pub message_len: usize,
    /// The signature. Lengths other than 64 do not verify.
    pub signature: *const u8,
    /// Its length in bytes.
    pub signature_len: usize,
}

/// Signatures in packed records, such as rows of a table or of a mapped file: a key, a message and a signature each, at the
/// same place of every record. Each field has where it begins in the first record, and how many bytes on it begins in the
/// next; 0 there is the same key, or the same message, for all.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Ed25519Records {
    /// The signer's key in the first record, 32 bytes.
    pub verifying_keys: *const u8,
    /// From one key to the next, in bytes.
    pub verifying_key_stride: usize,
    /// The message in the first record.
    pub messages: *const u8,
    /// The length of every message in bytes.
    pub message_len: usize,
    /// From one message to the next, in bytes.
    pub message_stride: usize,
    /// The signature in the first record, 64 bytes.
    pub signatures: *const u8,
    /// From one signature to the next, in bytes.
    pub signature_stride: usize,
}

/// Why a signature does not verify: the first check of the profile that fails, in the order of this list. All inputs of
/// verification are public, so saying it gives nothing away.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum Ed25519Reason {
    /// It verifies.
    None = 0,
    /// The public key or the signature has a wrong length.
    InvalidLength = 1,
    /// S is not below the group order.
    NonCanonicalS = 2,
    /// The public key encodes no point.
    InvalidPublicKey = 3,
    /// R encodes no point.
    InvalidR = 4,
    /// The public key or R is not the canonical encoding of its point, and the profile wants it.
    NonCanonicalPoint = 5,
    /// The public key is a point of small order.
    WeakPublicKey = 6,
    /// R (or what it must equal) is a point of small order.
    WeakR = 7,
    /// The verification equation does not hold: another message, another key or a damaged signature.
    EquationFailed = 8,
}

/// The claims, as the library takes them.
///
/// # Safety
/// As [`ffi::slice`] for `claims` and for all that they point at.
unsafe fn elements<'a>(claims: *const Ed25519Claim, count: usize) -> Result<Vec<SignedMessage<'a>>, Status> {
    let element = |claim: &Ed25519Claim| -> Result<SignedMessage<'a>, Status> {
        // SAFETY: as the caller's.
        unsafe {
            Ok(SignedMessage {
                public_key: ffi::slice(claim.verifying_key, claim.verifying_key_len)?,
                message: ffi::slice(claim.message, claim.message_len)?,
                signature: ffi::slice(claim.signature, claim.signature_len)?,
            })
        }
    };
    // SAFETY: as the caller's.
    unsafe { ffi::slice(claims, count) }?.iter().map(element).collect()
}

/// Verifies a signature under `profile` (`PHALANX_ED25519_PROFILE_STRICT` unless you must agree with others). Key and
/// signature may be of any length: other than 32 and 64 bytes they do not verify. `PHALANX_OK` or
/// `PHALANX_ERROR_INVALID_SIGNATURE`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_verify(
    profile: u32,
    verifying_key: *const u8,
    verifying_key_len: usize,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
) -> Status {
    entry!({
        let key = ffi::slice(verifying_key, verifying_key_len)?;
        let message = ffi::slice(message, message_len)?;
        let signature = ffi::slice(signature, signature_len)?;
        Ok(verify(profile_of(profile)?, key, message, signature)?)
    })
}

/// As `phalanx_ed25519_verify`, and writes which check fails first, a `phalanx_ed25519_reason`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_explain(
    reason: *mut u32,
    profile: u32,
    verifying_key: *const u8,
    verifying_key_len: usize,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
) -> Status {
    entry!({
        let key = ffi::slice(verifying_key, verifying_key_len)?;
        let message = ffi::slice(message, message_len)?;
        let signature = ffi::slice(signature, signature_len)?;
        let outcome = explain(profile_of(profile)?, key, message, signature);
        let number = match outcome {
            Ok(()) => Ed25519Reason::None,
            Err(Reason::InvalidLength { .. }) => Ed25519Reason::InvalidLength,
            Err(Reason::NonCanonicalS) => Ed25519Reason::NonCanonicalS,
            Err(Reason::InvalidPublicKey) => Ed25519Reason::InvalidPublicKey,
            Err(Reason::InvalidR) => Ed25519Reason::InvalidR,
            Err(Reason::NonCanonicalPoint) => Ed25519Reason::NonCanonicalPoint,
            Err(Reason::WeakPublicKey) => Ed25519Reason::WeakPublicKey,
            Err(Reason::WeakR) => Ed25519Reason::WeakR,
            // The library's list may grow; what is new there fails no check that this list names.
            Err(_) => Ed25519Reason::EquationFailed,
        };
        ffi::write(reason, number as u32)?;
        outcome.map_err(|_| PHALANX_ERROR_INVALID_SIGNATURE)
    })
}

/// The sentence of a `phalanx_ed25519_reason`, in English, lower case, without a period. Never null.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ed25519_reason_string(reason: u32) -> *const c_char {
    let sentence = match reason {
        0 => c"the signature verifies",
        1 => c"public key or signature has the wrong length",
        2 => c"S is not below the group order",
        3 => c"public key encodes no point of the curve",
        4 => c"R encodes no point of the curve",
        5 => c"a point is not encoded canonically",
        6 => c"public key has small order",
        7 => c"R has small order",
        8 => c"the verification equation does not hold",
        _ => c"unknown reason",
    };
    sentence.as_ptr()
}

/// Verifies an Ed25519ctx signature. `PHALANX_ERROR_INVALID_SIGNATURE` also for a context that cannot be signed under.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_verify_ctx(
    profile: u32,
    verifying_key: *const u8,
    verifying_key_len: usize,
    message: *const u8,
    message_len: usize,
    context: *const u8,
    context_len: usize,
    signature: *const u8,
    signature_len: usize,
) -> Status {
    entry!({
        let (message, context) = (ffi::slice(message, message_len)?, ffi::slice(context, context_len)?);
        let key = ffi::slice(verifying_key, verifying_key_len)?;
        let (key, signature) = decoded(key, ffi::slice(signature, signature_len)?)?;
        Ok(key.verify_ctx(profile_of(profile)?, message, context, &signature)?)
    })
}

/// Verifies an Ed25519ph signature. `PHALANX_ERROR_INVALID_SIGNATURE` also for a context that is too long.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_verify_ph(
    profile: u32,
    verifying_key: *const u8,
    verifying_key_len: usize,
    message: *const u8,
    message_len: usize,
    context: *const u8,
    context_len: usize,
    signature: *const u8,
    signature_len: usize,
) -> Status {
    entry!({
        let (message, context) = (ffi::slice(message, message_len)?, ffi::slice(context, context_len)?);
        let key = ffi::slice(verifying_key, verifying_key_len)?;
        let (key, signature) = decoded(key, ffi::slice(signature, signature_len)?)?;
        Ok(key.verify_ph(profile_of(profile)?, message, context, &signature)?)
    })
}

/// As `phalanx_ed25519_verify_ph`, of a message whose SHA-512 digest, 64 bytes, the caller has computed.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_verify_prehashed(
    profile: u32,
    verifying_key: *const u8,
    verifying_key_len: usize,
    digest: *const u8,
    context: *const u8,
    context_len: usize,
    signature: *const u8,
    signature_len: usize,
) -> Status {
    entry!({
        let (digest, context) = (ffi::array(digest)?, ffi::slice(context, context_len)?);
        let key = ffi::slice(verifying_key, verifying_key_len)?;
        let (key, signature) = decoded(key, ffi::slice(signature, signature_len)?)?;
        Ok(key.verify_prehashed(profile_of(profile)?, digest, context, &signature)?)
    })
}

/// Key and signature; bytes that are none do not verify.
pub(super) fn decoded(key: &[u8], signature: &[u8]) -> Result<(VerifyingKey, Signature), Status> {
    let decoded = VerifyingKey::try_from(key).and_then(|key| Ok((key, Signature::try_from(signature)?)));
    decoded.map_err(|_| PHALANX_ERROR_INVALID_SIGNATURE)
}

/// Verifies `count` claims under `profile`, side by side in lanes and on `threads` threads, and writes a result for each:
/// what `phalanx_ed25519_verify` says about it.
///
/// `PHALANX_OK` only if every result is it; `PHALANX_ERROR_INVALID_SIGNATURE` if the results are written and one is an error.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_verify_many(
    results: *mut Status,
    profile: u32,
    claims: *const Ed25519Claim,
    count: usize,
    threads: u32,
) -> Status {
    entry!({ verify_many_by(results, profile, claims, count, &ffi::threads(threads)) })
}

/// As `phalanx_ed25519_verify_many`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_verify_many_on(
    pool: *const Pool,
    results: *mut Status,
    profile: u32,
    claims: *const Ed25519Claim,
    count: usize,
) -> Status {
    entry!({ verify_many_by(results, profile, claims, count, team(pool)) })
}

/// # Safety
/// As [`ffi::slice`], for all that the pointers lead to.
unsafe fn verify_many_by(
    results: *mut Status,
    profile: u32,
    claims: *const Ed25519Claim,
    count: usize,
    team: &Team,
) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe {
        let (profile, elements) = (profile_of(profile)?, elements(claims, count)?);
        write_results(results, &verify_many_on(team, profile, &elements))
    }
}

/// As `phalanx_ed25519_verify_many`, of `count` packed records.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_verify_records(
    results: *mut Status,
    profile: u32,
    records: *const Ed25519Records,
    count: usize,
    threads: u32,
) -> Status {
    entry!({ verify_records_by(results, profile, records, count, &ffi::threads(threads)) })
}

/// As `phalanx_ed25519_verify_records`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_verify_records_on(
    pool: *const Pool,
    results: *mut Status,
    profile: u32,
    records: *const Ed25519Records,
    count: usize,
) -> Status {
    entry!({ verify_records_by(results, profile, records, count, team(pool)) })
}

/// # Safety
/// As [`ffi::slice`], for all that the pointers lead to.
unsafe fn verify_records_by(
    results: *mut Status,
    profile: u32,
    records: *const Ed25519Records,
    count: usize,
    team: &Team,
) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe {
        let (profile, records) = (profile_of(profile)?, ffi::value(records)?);
        let keys = ffi::strided(records.verifying_keys, 32, records.verifying_key_stride, count)?;
        let messages = ffi::strided(records.messages, records.message_len, records.message_stride, count)?;
        let signatures = ffi::strided(records.signatures, 64, records.signature_stride, count)?;
        let elements: Vec<_> = keys
            .zip(messages)
            .zip(signatures)
            .map(|((public_key, message), signature)| SignedMessage { public_key, message, signature })
            .collect();
        write_results(results, &verify_many_on(team, profile, &elements))
    }
}

/// Writes results, and says whether all are good.
///
/// # Safety
/// `out` is null or has room for as many.
pub(super) unsafe fn write_results(
    out: *mut Status,
    results: &[Result<(), InvalidSignature>],
) -> Result<(), Status> {
    let status =
        |result: &Result<_, _>| if result.is_ok() { PHALANX_OK } else { PHALANX_ERROR_INVALID_SIGNATURE };
    let written: Vec<_> = results.iter().map(status).collect();
    // SAFETY: as the caller's.
    unsafe { ffi::write_slice(out, &written) }?;
    results.iter().copied().collect::<Result<(), _>>().map_err(Status::from)
}

/// Whether all `count` claims hold under `profile`: one answer, on `threads` threads. Under `zip215` and `rfc8032` one
/// equation with random coefficients stands for many signatures; under the other profiles each is verified by itself. The
/// answer is that of `phalanx_ed25519_verify` for every claim, up to a chance of 2^-128. No claims at all hold.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_verify_batch(
    profile: u32,
    claims: *const Ed25519Claim,
    count: usize,
    threads: u32,
) -> Status {
    entry!({ verify_batch_by(profile, claims, count, &ffi::threads(threads)) })
}

/// As `phalanx_ed25519_verify_batch`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_verify_batch_on(
    pool: *const Pool,
    profile: u32,
    claims: *const Ed25519Claim,
    count: usize,
) -> Status {
    entry!({ verify_batch_by(profile, claims, count, team(pool)) })
}

/// # Safety
/// As [`ffi::slice`], for all that the pointers lead to.
unsafe fn verify_batch_by(
    profile: u32,
    claims: *const Ed25519Claim,
    count: usize,
    team: &Team,
) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe {
        let elements = elements(claims, count)?;
        Ok(verify_batch_on(team, profile_of(profile)?, &elements)?)
    }
}

/// As `phalanx_ed25519_verify_batch`, with coefficients from the hash of the batch alone: the same on every machine and in
/// every run. On this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_verify_batch_deterministic(
    profile: u32,
    claims: *const Ed25519Claim,
    count: usize,
) -> Status {
    entry!({ Ok(verify_batch_deterministic(profile_of(profile)?, &elements(claims, count)?)?) })
}

/// Whether single and batch equation agree on every input under this profile, so that a batch is faster than many.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ed25519_profile_is_batch_consistent(profile: u32) -> bool {
    profile_of(profile).is_ok_and(phalanx::ed25519::Profile::is_batch_consistent)
}
