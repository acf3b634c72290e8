//! Why a keystore was refused.

use core::fmt;

/// The stable names of refusals (specification, section 2.8). Every implementation gives a file the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Longer than 65,536 bytes.
    TooLarge,
    /// Not of the form that the rules ask for.
    Malformed,
    /// Another version of the format, or of our extension.
    UnsupportedVersion,
    /// A cipher, derivation or checksum that is not offered.
    UnsupportedFunction,
    /// A signature scheme that is not known.
    UnsupportedScheme,
    /// Members that must agree about the key do not.
    SchemeMismatch,
    /// The ciphertext has not the length of the secret that it should hold.
    WrongSecretLength,
    /// The derivation costs more than is ever spent on a file.
    KdfBounds,
    /// The derivation costs so little that guessing passwords is cheap.
    WeakKdf,
    /// The password is wrong, or the file is damaged.
    WrongPassword,
    /// The password is right and the ciphertext is damaged.
    Damaged,
    /// The password is right and the header is not what was written.
    HeaderChanged,
    /// The secret is not that of the public key.
    KeyMismatch,
}

impl Verdict {
    /// The name, as in test vectors and in other languages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::TooLarge => "too_large",
            Self::Malformed => "malformed",
            Self::UnsupportedVersion => "unsupported_version",
            Self::UnsupportedFunction => "unsupported_function",
            Self::UnsupportedScheme => "unsupported_scheme",
            Self::SchemeMismatch => "scheme_mismatch",
            Self::WrongSecretLength => "wrong_secret_length",
            Self::KdfBounds => "kdf_bounds",
            Self::WeakKdf => "weak_kdf",
            Self::WrongPassword => "wrong_password",
            Self::Damaged => "damaged",
            Self::HeaderChanged => "header_changed",
            Self::KeyMismatch => "key_mismatch",
        }
    }
}

/// What can go wrong with a keystore. Holds no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The file is refused.
    Refused {
        /// The stable name of the reason.
        verdict: Verdict,
        /// What it was noticed at.
        what: &'static str,
    },
    /// A password that is not UTF-8.
    PasswordNotUtf8,
    /// A new password of which nothing is left after normalisation.
    PasswordEmpty,
    /// Nothing binds the header of the file, so that it cannot be made into one that is bound.
    Unbound,
    /// The memory that the derivation asks for cannot be had.
    OutOfMemory {
        /// How much it is.
        bytes: u64,
    },
    /// The operating system gives no randomness.
    NoRandomness,
}

impl Error {
    /// The stable name, if the file was refused.
    #[must_use]
    pub fn verdict(self) -> Option<Verdict> {
        if let Self::Refused { verdict, .. } = self { Some(verdict) } else { None }
    }
}

/// A refusal.
pub(super) fn refused(verdict: Verdict, what: &'static str) -> Error {
    Error::Refused { verdict, what }
}

/// The refusal of a file that is not of the right form.
pub(super) fn malformed(what: &'static str) -> Error {
    refused(Verdict::Malformed, what)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { verdict: Verdict::WrongPassword, .. } => {
                f.write_str("wrong password, or the file is damaged")
            }
            Self::Refused { verdict, what } => write!(f, "keystore refused ({}): {what}", verdict.name()),
            Self::PasswordNotUtf8 => f.write_str("the password is not UTF-8"),
            Self::PasswordEmpty => f.write_str("the password is empty"),
            Self::Unbound => f.write_str("nothing binds the header of the keystore to its password"),
            Self::OutOfMemory { bytes } => {
                write!(f, "no memory for the key derivation, which needs {bytes} bytes")
            }
            Self::NoRandomness => f.write_str("no randomness from the operating system"),
        }
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_pinned() {
        let cases = [
            (refused(Verdict::WrongPassword, "checksum"), "wrong password, or the file is damaged"),
            (malformed("uuid"), "keystore refused (malformed): uuid"),
            (Error::PasswordNotUtf8, "the password is not UTF-8"),
            (Error::PasswordEmpty, "the password is empty"),
            (
                Error::OutOfMemory { bytes: 268_435_456 },
                "no memory for the key derivation, which needs 268435456 bytes",
            ),
            (Error::Unbound, "nothing binds the header of the keystore to its password"),
            (Error::NoRandomness, "no randomness from the operating system"),
        ];
        for (error, text) in cases {
            assert_eq!(error.to_string(), text);
        }
    }
}
