//! The errors of Ed25519.

use core::fmt;

/// What can go wrong with keys, their files and the arguments of calls. A signature that does not verify is
/// [`InvalidSignature`](crate::InvalidSignature), and [`explain`](crate::explain) says why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Bytes of another length than their kind has.
    InvalidLength {
        /// What was read.
        what: &'static str,
        /// Its length in bytes.
        got: usize,
        /// The length it must have.
        wanted: usize,
    },
    /// 32 bytes that encode no point of the curve.
    InvalidPublicKey,
    /// A public key that does not belong to the secret one beside it.
    KeyMismatch,
    /// A key file that is not what its format says; the text names the first problem.
    InvalidKeyFormat(&'static str),
    /// A key file encrypted under a passphrase, where that is not supported or none was given.
    EncryptedKey,
    /// The password does not open the key file, or the file is damaged.
    WrongPassword,
    /// A context of more than 255 bytes.
    ContextTooLong {
        /// Its length in bytes.
        got: usize,
    },
    /// Ed25519ctx with an empty context, which RFC 8032 rules out.
    ContextEmpty,
    /// The operating system gave no randomness.
    RngFailed,
    /// Slices that must be of one length are not.
    LengthMismatch {
        /// The length of the first.
        wanted: usize,
        /// The length of the other.
        got: usize,
    },
    /// A signature just made did not verify: a fault in the machine. Nothing is released.
    SelfCheckFailed,
}

/// [`Error::InvalidKeyFormat`], which every reader of files returns.
pub(crate) const fn invalid(problem: &'static str) -> Error {
    Error::InvalidKeyFormat(problem)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidLength { what, got, wanted } => {
                write!(f, "{what} has {got} bytes, {wanted} wanted")
            }
            Self::InvalidPublicKey => f.write_str("public key encodes no point of the curve"),
            Self::KeyMismatch => f.write_str("public key does not belong to the secret key"),
            Self::InvalidKeyFormat(problem) => write!(f, "invalid key file: {problem}"),
            Self::EncryptedKey => f.write_str("key file is encrypted"),
            Self::WrongPassword => f.write_str("the password does not open the key file"),
            Self::ContextTooLong { got } => write!(f, "context has {got} bytes, at most 255 allowed"),
            Self::ContextEmpty => f.write_str("Ed25519ctx needs a context that is not empty"),
            Self::RngFailed => f.write_str("the operating system gave no randomness"),
            Self::LengthMismatch { wanted, got } => {
                write!(f, "slices of unequal length: {wanted} and {got}")
            }
            Self::SelfCheckFailed => f.write_str("a new signature did not verify: nothing released"),
        }
    }
}

impl core::error::Error for Error {}

/// Why a signature does not verify, from [`explain`](crate::explain): the first check of the profile that fails, in
/// the order of this list. All inputs of verification are public, so saying it gives nothing away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The public key or the signature has a wrong length.
    InvalidLength {
        /// What was read.
        what: &'static str,
        /// Its length in bytes.
        got: usize,
        /// The length it must have.
        wanted: usize,
    },
    /// S is not below the group order L.
    NonCanonicalS,
    /// The public key encodes no point.
    InvalidPublicKey,
    /// R encodes no point.
    InvalidR,
    /// The public key or R is not the canonical encoding of its point, and the profile wants it.
    NonCanonicalPoint,
    /// The public key is a point of small order.
    WeakPublicKey,
    /// R (or what it must equal) is a point of small order.
    WeakR,
    /// The verification equation does not hold: another message, another key or a damaged signature.
    EquationFailed,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidLength { what, got, wanted } => {
                return write!(f, "{what} has {got} bytes, {wanted} wanted");
            }
            Self::NonCanonicalS => "S is not below the group order",
            Self::InvalidPublicKey => "public key encodes no point of the curve",
            Self::InvalidR => "R encodes no point of the curve",
            Self::NonCanonicalPoint => "a point is not encoded canonically",
            Self::WeakPublicKey => "public key has small order",
            Self::WeakR => "R has small order",
            Self::EquationFailed => "the verification equation does not hold",
        })
    }
}

impl core::error::Error for Reason {}
