//! The names that lean clients call (`include/phalanx_pq.h`), so that one can try this library by linking it.
//!
//! Names, structs, argument lists and answers are those of the bindings that Lantern links (`c-hash-sig`, later
//! `c-leanvm-xmss`; its `pq-bindings-c-rust.h`): an interface, carried over; the code is this library's. Those bindings
//! were bound to one parameter set; here it is `xmss-poseidon1-l32-d46b8` (leanSig of 2026-04, devnet 4), unless
//! `phalanx_pq_use_parameter_set` says otherwise.

mod bytes;
mod keeper;
#[cfg(has_custody)]
mod kept;
mod refusals;

use crate::ffi::{self, Team, guard_value};
use crate::status::Status;
use crate::xmss::keys::{XmssSigningKey, generate};
use crate::xmss::{self, PHALANX_XMSS_SIGNATURE_BYTES_MAX};
use core::ffi::{c_char, c_int};
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicU32, Ordering};
use phalanx::Malformed;
use phalanx::xmss::any::{KeyGeneration, ParameterSet, Signature, VerifyingKey};
use phalanx::xmss::{Error, Format};
use std::ffi::CString;
use zeroize::Zeroizing;

/// Length of a public key in SSZ, in bytes.
pub const PUBLIC_KEY_SIZE: usize = 52;
/// Length of a signature of `xmss-poseidon1-l32-d46b8` in SSZ, in bytes; of other sets: `pq_get_signature_size`.
pub const SIGNATURE_SIZE: usize = 2536;

/// Error codes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PQSigningError {
    /// Done.
    Success = 0,
    /// No encoding of the message was found.
    EncodingAttemptsExceeded = 1,
    /// A pointer is null that must not be.
    InvalidPointer = 2,
    /// The message is not 32 bytes.
    InvalidMessageLength = 3,
    /// The epoch does not fit the lifetime, is not active, is not prepared, or has signed another message.
    InvalidEpoch = 4,
    /// Anything else: malformed bytes, a buffer that is too small.
    UnknownError = 99,
}

/// A secret key.
pub struct PQSignatureSchemeSecretKey(pub(super) XmssSigningKey);

/// A public key.
pub struct PQSignatureSchemePublicKey(pub(super) VerifyingKey);

/// A signature.
pub struct PQSignature(pub(super) Signature);

/// Epochs: the first, and the first after them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PQRange {
    /// The first.
    pub start: u64,
    /// The first after them.
    pub end: u64,
}

/// The set that keys are made of and bytes are read as, by its number.
static PARAMETER_SET: AtomicU32 = AtomicU32::new(6);

/// The set at first.
const FIRST_SET: ParameterSet = ParameterSet::KoalaBear(phalanx::xmss::ParameterSet::POSEIDON1_L32_D46B8);

/// The set that keys are made of and bytes are read as.
fn set() -> ParameterSet {
    xmss::parameter_set(PARAMETER_SET.load(Ordering::Relaxed)).unwrap_or(FIRST_SET)
}

/// A signature in SSZ, which zeros may follow: clients keep signatures in buffers of a fixed size.
fn signature_of(bytes: &[u8]) -> Result<Signature, PQSigningError> {
    let len = pq_get_signature_size();
    let (bytes, padding) = bytes.split_at_checked(len).ok_or(PQSigningError::UnknownError)?;
    if len + padding.len() > PHALANX_XMSS_SIGNATURE_BYTES_MAX || padding.iter().any(|byte| *byte != 0) {
        return Err(PQSigningError::UnknownError);
    }
    Ok(Signature::from_bytes(set(), Format::Ssz, bytes)?)
}

impl From<Status> for PQSigningError {
    fn from(status: Status) -> Self {
        use crate::status::*;
        match status {
            PHALANX_OK => Self::Success,
            PHALANX_ERROR_NULL_POINTER => Self::InvalidPointer,
            PHALANX_ERROR_XMSS_ENCODING_ATTEMPTS => Self::EncodingAttemptsExceeded,
            PHALANX_ERROR_XMSS_INTERVAL
            | PHALANX_ERROR_XMSS_NOT_ACTIVE
            | PHALANX_ERROR_XMSS_EXHAUSTED
            | PHALANX_ERROR_XMSS_PASSED
            | PHALANX_ERROR_XMSS_NOT_PREPARED
            | PHALANX_ERROR_XMSS_EPOCH_USED
            // The lean clients' list has no better word: no epoch of this key can be signed here.
            | PHALANX_ERROR_XMSS_OTHER_INSTANCE
            | PHALANX_ERROR_XMSS_FORKED
            | PHALANX_ERROR_LEDGER_NO_STATE
            | PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS => Self::InvalidEpoch,
            refusal if is_refusal(refusal) => Self::InvalidEpoch,
            _ => Self::UnknownError,
        }
    }
}

/// Whether a status is a ledger's answer about an epoch.
fn is_refusal(status: Status) -> bool {
    use crate::status::*;
    (PHALANX_ERROR_LEDGER_EPOCH_USED as u32..PHALANX_ERROR_LEDGER_UNAVAILABLE as u32)
        .contains(&(status as u32))
}

impl From<Error> for PQSigningError {
    fn from(error: Error) -> Self {
        Status::from(error).into()
    }
}

impl From<Malformed> for PQSigningError {
    fn from(_: Malformed) -> Self {
        Self::UnknownError
    }
}

/// The body of a function that answers an error code; see [`ffi::entry`].
macro_rules! answer {
    ($body:block) => {
        $crate::pq::answered(|| {
            // SAFETY: the caller keeps the header's rules of pointers, which are what the functions of `ffi` ask for.
            unsafe { $body }
        })
    };
}
use answer;

/// Runs `body`; a panic is an unknown error.
fn answered(body: impl FnOnce() -> Result<(), PQSigningError>) -> PQSigningError {
    guard_value(PQSigningError::UnknownError, || body().err().unwrap_or(PQSigningError::Success))
}

/// Chooses the parameter set of all keys and signatures that are made or read from now on, in the whole process, by its
/// number in phalanx.h: `PHALANX_XMSS_POSEIDON1_L32_D46B8` (6) at first. Call it once, before anything else.
/// `UnknownError` if the number names no set.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_pq_use_parameter_set(set: u32) -> PQSigningError {
    match xmss::parameter_set(set) {
        Ok(_) => {
            PARAMETER_SET.store(set, Ordering::Relaxed);
            PQSigningError::Success
        }
        Err(_) => PQSigningError::UnknownError,
    }
}

/// Ends a secret key and wipes it. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn pq_secret_key_free(key: *mut PQSignatureSchemeSecretKey) {
    ffi::free(key);
}

/// Ends a public key. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn pq_public_key_free(key: *mut PQSignatureSchemePublicKey) {
    ffi::free(key);
}

/// Ends a signature. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn pq_signature_free(signature: *mut PQSignature) {
    ffi::free(signature);
}

/// Ends a text that `pq_error_description` gave. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn pq_string_free(s: *mut c_char) {
    ffi::free_text(s);
}

/// The sentence of an error code, to be ended with `pq_string_free`.
#[unsafe(no_mangle)]
pub extern "C" fn pq_error_description(error: u32) -> *mut c_char {
    let sentence = match error {
        0 => c"success",
        1 => c"no encoding of the message was found",
        2 => c"a pointer is null that must not be",
        3 => c"the message is not 32 bytes",
        4 => c"the epoch is not active, not prepared, or has signed another message",
        _ => c"unknown error: malformed bytes, or a buffer that is too small",
    };
    CString::from(sentence).into_raw()
}

/// The epochs that the key can ever sign; `{0, 0}` for null.
#[unsafe(no_mangle)]
pub extern "C" fn pq_get_activation_interval(key: *const PQSignatureSchemeSecretKey) -> PQRange {
    let mut range = PQRange { start: 0, end: 0 };
    // Any refusal leaves the empty range.
    let _ = answer!({
        let active = ffi::value(key)?.0.lock()?.activation_interval();
        range = PQRange { start: active.start, end: active.end };
        Ok(())
    });
    range
}

/// The epochs that the key can sign now; `{0, 0}` for null.
#[unsafe(no_mangle)]
pub extern "C" fn pq_get_prepared_interval(key: *const PQSignatureSchemeSecretKey) -> PQRange {
    let mut range = PQRange { start: 0, end: 0 };
    // Any refusal leaves the empty range.
    let _ = answer!({
        let prepared = ffi::value(key)?.0.lock()?.prepared_interval();
        range = PQRange { start: prepared.start, end: prepared.end };
        Ok(())
    });
    range
}

/// Moves the prepared interval on by one bottom tree, which is computed now; changes nothing at the end of the activation
/// interval.
#[unsafe(no_mangle)]
pub extern "C" fn pq_advance_preparation(key: *mut PQSignatureSchemeSecretKey) {
    // The interface has no way to say that it failed: callers look at the prepared interval.
    let _ = answer!({
        ffi::value(key.cast_const())?.0.lock()?.advance()?;
        Ok(())
    });
}

/// Number of epochs that a key could have.
#[unsafe(no_mangle)]
pub extern "C" fn pq_get_lifetime() -> u64 {
    set().lifetime()
}

/// Length of a signature in SSZ, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn pq_get_signature_size() -> usize {
    xmss::phalanx_xmss_signature_size(PARAMETER_SET.load(Ordering::Relaxed), 0)
}

/// Length of a public key in SSZ, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn pq_get_public_key_size() -> usize {
    xmss::phalanx_xmss_verifying_key_size(PARAMETER_SET.load(Ordering::Relaxed), 0)
}

/// Makes a key pair from the system's randomness, on this thread. The activation interval is rounded outwards to bottom
/// trees, at least two. The key is registered with the ledger in use, if there is one.
#[unsafe(no_mangle)]
pub extern "C" fn pq_key_gen(
    activation_epoch: usize,
    num_active_epochs: usize,
    pk_out: *mut *mut PQSignatureSchemePublicKey,
    sk_out: *mut *mut PQSignatureSchemeSecretKey,
) -> PQSigningError {
    answer!({
        if pk_out.is_null() || sk_out.is_null() {
            return Err(PQSigningError::InvalidPointer);
        }
        let start = activation_epoch as u64;
        let end = start.checked_add(num_active_epochs as u64).ok_or(PQSigningError::InvalidEpoch)?;
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *seed).map_err(|_| PQSigningError::UnknownError)?;
        let generation = KeyGeneration::from_seed(set(), &seed, start..end)?;
        let key = generate(generation, Team::ALONE, &|_| ControlFlow::Continue(()))?;
        keeper::register(&key)?;
        let public = key.verifying_key();
        ffi::give(pk_out, || Ok(PQSignatureSchemePublicKey(public)))?;
        ffi::give(sk_out, || Ok(PQSignatureSchemeSecretKey(XmssSigningKey::new(key))))?;
        Ok(())
    })
}

/// A message: 32 bytes.
///
/// # Safety
/// As [`ffi::slice`].
unsafe fn message<'a>(message: *const u8, message_len: usize) -> Result<&'a [u8; 32], PQSigningError> {
    if message.is_null() {
        return Err(PQSigningError::InvalidPointer);
    }
    if message_len != 32 {
        return Err(PQSigningError::InvalidMessageLength);
    }
    // SAFETY: as the caller's.
    Ok(unsafe { ffi::array(message) }?)
}

/// Signs a message of 32 bytes through the ledger that `phalanx_pq_use_ledger` named; without one `UnknownError`. The epoch
/// must be prepared (`pq_advance_preparation`), and an epoch signs one message, for ever: else `InvalidEpoch`, as for keys
/// that the ledger does not know. The same message again gives the same signature.
#[unsafe(no_mangle)]
pub extern "C" fn pq_sign(
    sk: *const PQSignatureSchemeSecretKey,
    epoch: u64,
    message: *const u8,
    message_len: usize,
    signature_out: *mut *mut PQSignature,
) -> PQSigningError {
    answer!({
        let key = ffi::value(sk)?;
        if signature_out.is_null() {
            return Err(PQSigningError::InvalidPointer);
        }
        let message = self::message(message, message_len)?;
        let epoch32 = u32::try_from(epoch).map_err(|_| PQSigningError::InvalidEpoch)?;
        let mut key = key.0.lock()?;
        if !key.prepared_interval().contains(&epoch) {
            return Err(PQSigningError::InvalidEpoch);
        }
        let signature = keeper::sign(&mut key, epoch32, message)?;
        Ok(ffi::give(signature_out, || Ok(PQSignature(signature)))?)
    })
}

/// Runs `body`, whose answer is whether a signature verifies: 1 or 0; or a negative number: -1 for a null pointer, -2 for a
/// message of another length, -3 for an epoch that no key has, -99 for anything else.
fn result(body: impl FnOnce() -> Result<bool, PQSigningError>) -> c_int {
    match guard_value(Err(PQSigningError::UnknownError), body) {
        Ok(verifies) => c_int::from(verifies),
        Err(PQSigningError::InvalidPointer) => -1,
        Err(PQSigningError::InvalidMessageLength) => -2,
        Err(PQSigningError::InvalidEpoch) => -3,
        Err(_) => -99,
    }
}

/// Verifies a signature: 1 if it does, 0 if it does not, negative for a null pointer (-1), a message that is not 32 bytes
/// (-2) or an epoch of more than 32 bits (-3).
#[unsafe(no_mangle)]
pub extern "C" fn pq_verify(
    pk: *const PQSignatureSchemePublicKey,
    epoch: u64,
    message: *const u8,
    message_len: usize,
    signature: *const PQSignature,
) -> c_int {
    result(|| {
        // SAFETY: the caller keeps the header's rules of pointers, which are what the functions of `ffi` ask for.
        let (key, signature, message) =
            unsafe { (ffi::value(pk)?, ffi::value(signature)?, self::message(message, message_len)?) };
        let epoch = u32::try_from(epoch).map_err(|_| PQSigningError::InvalidEpoch)?;
        Ok(key.0.verify(epoch, message, &signature.0).is_ok())
    })
}

/// As `pq_verify`, of a key and a signature in SSZ. A signature may be followed by zeros, up to 3116 bytes. Bytes that are
/// no key or no signature: -99.
#[unsafe(no_mangle)]
pub extern "C" fn pq_verify_ssz(
    pubkey_bytes: *const u8,
    pubkey_len: usize,
    epoch: u64,
    message: *const u8,
    message_len: usize,
    signature_bytes: *const u8,
    signature_len: usize,
) -> c_int {
    result(|| {
        if pubkey_bytes.is_null() || signature_bytes.is_null() {
            return Err(PQSigningError::InvalidPointer);
        }
        // SAFETY: the caller keeps the header's rules of pointers, which are what the functions of `ffi` ask for.
        let (key, signature, message) = unsafe {
            let key = ffi::slice(pubkey_bytes, pubkey_len)?;
            let signature = ffi::slice(signature_bytes, signature_len)?;
            (key, signature, self::message(message, message_len)?)
        };
        let epoch = u32::try_from(epoch).map_err(|_| PQSigningError::InvalidEpoch)?;
        let key = VerifyingKey::from_bytes(set(), Format::Ssz, key)?;
        let signature = signature_of(signature)?;
        Ok(key.verify(epoch, message, &signature).is_ok())
    })
}
