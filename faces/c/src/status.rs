//! What every function answers, and which error of the library becomes which.

use core::ffi::{CStr, c_char};
use phalanx::{ed25519, xmss};

/// What a function answers. 0 is success; every other value names one kind of error. The numbers never change.
/// cbindgen:rename-all=None
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    non_camel_case_types,
    clippy::upper_case_acronyms,
    reason = "named as in C, where they have no scope"
)]
pub enum Status {
    /// Done.
    PHALANX_OK = 0,
    /// A signature does not verify. No reason is given: nobody honest needs it.
    PHALANX_ERROR_INVALID_SIGNATURE = 1,
    /// A proof does not verify.
    PHALANX_ERROR_INVALID_PROOF = 2,
    /// A pointer is null that must not be.
    PHALANX_ERROR_NULL_POINTER = 3,
    /// An argument has a value that it cannot have, such as a number that names no format.
    PHALANX_ERROR_INVALID_ARGUMENT = 4,
    /// No parameter set, profile or backend has this name.
    PHALANX_ERROR_UNKNOWN_NAME = 5,
    /// An input has another length than its kind has, or two inputs differ in length.
    PHALANX_ERROR_INVALID_LENGTH = 6,
    /// The output does not fit the buffer. The length that it needs was written; nothing else was.
    PHALANX_ERROR_BUFFER_TOO_SMALL = 7,
    /// Bytes from outside are not what they should be.
    PHALANX_ERROR_MALFORMED = 8,
    /// The operating system gave no randomness.
    PHALANX_ERROR_RANDOMNESS = 9,
    /// The progress callback asked to stop.
    PHALANX_ERROR_STOPPED = 10,
    /// A fault inside the library; its message is on standard error. The objects of the call can only be freed.
    PHALANX_ERROR_INTERNAL = 11,
    /// This build or this computer does not have it.
    PHALANX_ERROR_UNAVAILABLE = 12,

    /// The wanted activation interval is empty or does not fit the lifetime.
    PHALANX_ERROR_XMSS_INTERVAL = 20,
    /// The epoch lies before the activation interval.
    PHALANX_ERROR_XMSS_NOT_ACTIVE = 21,
    /// The epoch lies after the activation interval: the key is exhausted there.
    PHALANX_ERROR_XMSS_EXHAUSTED = 22,
    /// The key has moved on and no longer holds what this epoch needs.
    PHALANX_ERROR_XMSS_PASSED = 23,
    /// The epoch lies after the prepared interval, and the key was not to move on.
    PHALANX_ERROR_XMSS_NOT_PREPARED = 24,
    /// The epoch has signed another message already.
    PHALANX_ERROR_XMSS_EPOCH_USED = 25,
    /// No randomness tried gave a valid encoding of the message.
    PHALANX_ERROR_XMSS_ENCODING_ATTEMPTS = 26,
    /// A prepared tree is not computed yet.
    PHALANX_ERROR_XMSS_UNFINISHED = 27,
    /// A prepared tree belongs to another key or to another place of this one.
    PHALANX_ERROR_XMSS_WRONG_TREE = 28,

    /// The bytes of a public key encode no point of the curve.
    PHALANX_ERROR_ED25519_INVALID_KEY = 40,
    /// A public key does not belong to the secret one beside it.
    PHALANX_ERROR_ED25519_KEY_MISMATCH = 41,
    /// A key or signature file is not what its format says.
    PHALANX_ERROR_ED25519_KEY_FORMAT = 42,
    /// A key file is encrypted, and no password was given or that encryption is not supported.
    PHALANX_ERROR_ED25519_ENCRYPTED_KEY = 43,
    /// The password does not open the key file, or the file is damaged.
    PHALANX_ERROR_ED25519_WRONG_PASSWORD = 44,
    /// A context of more than 255 bytes.
    PHALANX_ERROR_ED25519_CONTEXT_TOO_LONG = 45,
    /// Ed25519ctx with an empty context, which RFC 8032 rules out.
    PHALANX_ERROR_ED25519_CONTEXT_EMPTY = 46,
    /// A new signature did not verify: a fault in the machine. Nothing was released.
    PHALANX_ERROR_ED25519_SELF_CHECK = 47,
}

pub use Status::*;

/// Every status with its sentence.
const SENTENCES: &[(Status, &CStr)] = &[
    (PHALANX_OK, c"success"),
    (PHALANX_ERROR_INVALID_SIGNATURE, c"signature does not verify"),
    (PHALANX_ERROR_INVALID_PROOF, c"proof does not verify"),
    (PHALANX_ERROR_NULL_POINTER, c"a pointer is null that must not be"),
    (PHALANX_ERROR_INVALID_ARGUMENT, c"an argument has a value that it cannot have"),
    (PHALANX_ERROR_UNKNOWN_NAME, c"nothing has this name"),
    (PHALANX_ERROR_INVALID_LENGTH, c"an input has the wrong length"),
    (PHALANX_ERROR_BUFFER_TOO_SMALL, c"the output does not fit the buffer"),
    (PHALANX_ERROR_MALFORMED, c"malformed input"),
    (PHALANX_ERROR_RANDOMNESS, c"the operating system gave no randomness"),
    (PHALANX_ERROR_STOPPED, c"stopped by the progress callback"),
    (PHALANX_ERROR_INTERNAL, c"internal fault of the library"),
    (PHALANX_ERROR_UNAVAILABLE, c"this build or this computer does not have it"),
    (PHALANX_ERROR_XMSS_INTERVAL, c"activation interval does not fit the lifetime"),
    (PHALANX_ERROR_XMSS_NOT_ACTIVE, c"epoch is before the activation interval"),
    (PHALANX_ERROR_XMSS_EXHAUSTED, c"epoch is after the last epoch of the key"),
    (PHALANX_ERROR_XMSS_PASSED, c"epoch has passed: the key has moved on"),
    (PHALANX_ERROR_XMSS_NOT_PREPARED, c"epoch is after the prepared interval"),
    (PHALANX_ERROR_XMSS_EPOCH_USED, c"epoch has already signed another message"),
    (PHALANX_ERROR_XMSS_ENCODING_ATTEMPTS, c"no encoding of the message was found"),
    (PHALANX_ERROR_XMSS_UNFINISHED, c"the prepared tree is not computed"),
    (PHALANX_ERROR_XMSS_WRONG_TREE, c"prepared tree does not belong here"),
    (PHALANX_ERROR_ED25519_INVALID_KEY, c"public key encodes no point of the curve"),
    (PHALANX_ERROR_ED25519_KEY_MISMATCH, c"public key does not belong to the secret key"),
    (PHALANX_ERROR_ED25519_KEY_FORMAT, c"invalid key file"),
    (PHALANX_ERROR_ED25519_ENCRYPTED_KEY, c"key file is encrypted"),
    (PHALANX_ERROR_ED25519_WRONG_PASSWORD, c"the password does not open the key file"),
    (PHALANX_ERROR_ED25519_CONTEXT_TOO_LONG, c"context has more than 255 bytes"),
    (PHALANX_ERROR_ED25519_CONTEXT_EMPTY, c"Ed25519ctx needs a context that is not empty"),
    (PHALANX_ERROR_ED25519_SELF_CHECK, c"a new signature did not verify: nothing released"),
];

/// The sentence of a status, in English, lower case, without a period. Never null; lives as long as the program.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_status_string(status: u32) -> *const c_char {
    let known = SENTENCES.iter().find(|(known, _)| *known as u32 == status);
    known.map_or(c"unknown status", |(_, sentence)| sentence).as_ptr()
}

impl From<phalanx::InvalidSignature> for Status {
    fn from(_: phalanx::InvalidSignature) -> Self {
        PHALANX_ERROR_INVALID_SIGNATURE
    }
}

impl From<phalanx::Malformed> for Status {
    fn from(_: phalanx::Malformed) -> Self {
        PHALANX_ERROR_MALFORMED
    }
}

impl From<xmss::Error> for Status {
    fn from(error: xmss::Error) -> Self {
        use xmss::Error;
        match error {
            Error::Interval { .. } => PHALANX_ERROR_XMSS_INTERVAL,
            Error::NotActive { .. } => PHALANX_ERROR_XMSS_NOT_ACTIVE,
            Error::Exhausted { .. } => PHALANX_ERROR_XMSS_EXHAUSTED,
            Error::Passed { .. } => PHALANX_ERROR_XMSS_PASSED,
            Error::NotPrepared { .. } => PHALANX_ERROR_XMSS_NOT_PREPARED,
            Error::EpochUsed { .. } => PHALANX_ERROR_XMSS_EPOCH_USED,
            Error::EncodingAttempts { .. } => PHALANX_ERROR_XMSS_ENCODING_ATTEMPTS,
            Error::Unfinished => PHALANX_ERROR_XMSS_UNFINISHED,
            Error::WrongTree { .. } => PHALANX_ERROR_XMSS_WRONG_TREE,
            Error::Malformed(_) => PHALANX_ERROR_MALFORMED,
            // The library's list may grow: a variant that this face does not know is a fault of this face.
            _ => PHALANX_ERROR_INTERNAL,
        }
    }
}

impl From<ed25519::Error> for Status {
    fn from(error: ed25519::Error) -> Self {
        use ed25519::Error;
        match error {
            Error::InvalidLength { .. } | Error::LengthMismatch { .. } => PHALANX_ERROR_INVALID_LENGTH,
            Error::InvalidPublicKey => PHALANX_ERROR_ED25519_INVALID_KEY,
            Error::KeyMismatch => PHALANX_ERROR_ED25519_KEY_MISMATCH,
            Error::InvalidKeyFormat(_) => PHALANX_ERROR_ED25519_KEY_FORMAT,
            Error::EncryptedKey => PHALANX_ERROR_ED25519_ENCRYPTED_KEY,
            Error::WrongPassword => PHALANX_ERROR_ED25519_WRONG_PASSWORD,
            Error::ContextTooLong { .. } => PHALANX_ERROR_ED25519_CONTEXT_TOO_LONG,
            Error::ContextEmpty => PHALANX_ERROR_ED25519_CONTEXT_EMPTY,
            Error::RngFailed => PHALANX_ERROR_RANDOMNESS,
            Error::SelfCheckFailed => PHALANX_ERROR_ED25519_SELF_CHECK,
            _ => PHALANX_ERROR_INTERNAL,
        }
    }
}
