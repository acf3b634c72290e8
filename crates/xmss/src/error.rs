//! What can go wrong with keys and signing. (A signature that does not verify is [`crate::InvalidSignature`].)
#![forbid(unsafe_code)]

use core::fmt;
use phalanx_core::Malformed;

/// An operation on a key was refused or its input was malformed. Each variant has what was got and what was wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Key generation: the wanted activation interval is empty or does not fit the lifetime.
    Interval {
        /// First epoch asked for.
        start: u64,
        /// Number of epochs asked for.
        count: u64,
        /// Number of epochs of the parameter set.
        lifetime: u64,
    },
    /// Signing: the epoch lies before the activation interval.
    NotActive {
        /// The epoch asked for.
        epoch: u64,
        /// First epoch of the activation interval.
        start: u64,
        /// First epoch after it.
        end: u64,
    },
    /// Signing: the epoch lies after the activation interval: the key is exhausted there.
    Exhausted {
        /// The epoch asked for.
        epoch: u64,
        /// First epoch after the activation interval.
        end: u64,
    },
    /// Signing: the key has moved on and no longer holds what this epoch needs.
    Passed {
        /// The epoch asked for.
        epoch: u64,
        /// First epoch the key can still sign.
        prepared: u64,
    },
    /// Signing with a key that does not move on by itself: the epoch lies after the prepared interval.
    NotPrepared {
        /// The epoch asked for.
        epoch: u64,
        /// First epoch after the prepared interval.
        end: u64,
    },
    /// Signing: the epoch has signed another message already.
    EpochUsed {
        /// The epoch asked for.
        epoch: u64,
    },
    /// Signing: another key with the same one-time keys has signed: one of the same seed in another parameter set or for
    /// another interval. Two keys that share them must not both sign.
    OtherInstance {
        /// Name of the other key's parameter set.
        scheme: &'static str,
        /// First epoch of the other key's activation interval.
        start: u64,
        /// First epoch after it.
        end: u64,
    },
    /// Signing: the process is a fork of the one that loaded the key, and has a copy of its record of used epochs. Load
    /// keys in the process that signs.
    Forked,
    /// Signing: no randomness tried gave a valid encoding of the message.
    EncodingAttempts {
        /// How many were tried.
        attempts: u32,
    },
    /// Key generation was stopped by its progress callback, or asked for its key before all trees were done.
    Unfinished,
    /// A prepared tree belongs to another key or to another place of this one.
    WrongTree {
        /// Index of the bottom tree offered.
        got: u64,
        /// Index of the bottom tree wanted.
        wanted: u64,
    },
    /// Key generation: the parameter set is for verification only.
    VerificationOnly {
        /// Its name.
        scheme: &'static str,
    },
    /// Keys or signatures of the parameter set are not written in the wanted format; see [`any`](crate::any).
    NoEncoding {
        /// Name of the set.
        scheme: &'static str,
        /// What was to be written or read, in the plural.
        what: &'static str,
        /// Name of the format.
        format: &'static str,
    },
    /// Bytes from outside are not what they should be.
    Malformed(Malformed),
}

impl From<Malformed> for Error {
    fn from(error: Malformed) -> Self {
        Self::Malformed(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interval { start, count, lifetime } => {
                write!(
                    f,
                    "activation interval of {count} epochs from {start} does not fit the lifetime of {lifetime}"
                )
            }
            Self::NotActive { epoch, start, end } => {
                write!(f, "epoch {epoch} is before the activation interval {start}..{end}")
            }
            Self::Exhausted { epoch, end } => {
                write!(f, "epoch {epoch} is after the last epoch of the key, which ends before {end}")
            }
            Self::Passed { epoch, prepared } => {
                write!(f, "epoch {epoch} has passed: the key signs from epoch {prepared} on")
            }
            Self::NotPrepared { epoch, end } => {
                write!(f, "epoch {epoch} is after the prepared interval, which ends before {end}")
            }
            Self::EpochUsed { epoch } => write!(f, "epoch {epoch} has already signed another message"),
            Self::OtherInstance { scheme, start, end } => {
                write!(
                    f,
                    "another key with the same one-time keys has signed: {scheme} for epochs {start}..{end}"
                )
            }
            Self::Forked => f.write_str("this process is a fork of the one that loaded the key"),
            Self::EncodingAttempts { attempts } => {
                write!(f, "no encoding of the message was found in {attempts} attempts")
            }
            Self::Unfinished => f.write_str("key generation is not finished"),
            Self::WrongTree { got, wanted } => {
                write!(
                    f,
                    "prepared tree does not belong here: got tree {got}, wanted tree {wanted} of this key"
                )
            }
            Self::VerificationOnly { scheme } => {
                write!(f, "{scheme} is for verification only: no key is made of it")
            }
            Self::NoEncoding { scheme, what, format } => {
                write!(f, "{what} of {scheme} have no encoding {format}")
            }
            Self::Malformed(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn texts_are_pinned() {
        let cases = [
            (
                Error::Interval { start: 250, count: 7, lifetime: 256 },
                "activation interval of 7 epochs from 250 does not fit the lifetime of 256",
            ),
            (
                Error::NotActive { epoch: 1, start: 16, end: 48 },
                "epoch 1 is before the activation interval 16..48",
            ),
            (
                Error::Exhausted { epoch: 48, end: 48 },
                "epoch 48 is after the last epoch of the key, which ends before 48",
            ),
            (Error::Passed { epoch: 3, prepared: 16 }, "epoch 3 has passed: the key signs from epoch 16 on"),
            (
                Error::NotPrepared { epoch: 32, end: 32 },
                "epoch 32 is after the prepared interval, which ends before 32",
            ),
            (Error::EpochUsed { epoch: 9 }, "epoch 9 has already signed another message"),
            (
                Error::OtherInstance { scheme: "xmss-poseidon2-l8-d64b8", start: 0, end: 32 },
                "another key with the same one-time keys has signed: xmss-poseidon2-l8-d64b8 for epochs 0..32",
            ),
            (Error::Forked, "this process is a fork of the one that loaded the key"),
            (
                Error::EncodingAttempts { attempts: 100_000 },
                "no encoding of the message was found in 100000 attempts",
            ),
            (Error::Unfinished, "key generation is not finished"),
            (
                Error::WrongTree { got: 3, wanted: 4 },
                "prepared tree does not belong here: got tree 3, wanted tree 4 of this key",
            ),
            (
                Error::VerificationOnly { scheme: "xmss-blake2s-a-l32-d42b8" },
                "xmss-blake2s-a-l32-d42b8 is for verification only: no key is made of it",
            ),
            (
                Error::NoEncoding { scheme: "xmss-blake2s-l32-d42b8", what: "signatures", format: "json" },
                "signatures of xmss-blake2s-l32-d42b8 have no encoding json",
            ),
            (
                Malformed { what: "length in bytes", got: 1, wanted: 2 }.into(),
                "malformed input: length in bytes: got 1, wanted 2",
            ),
        ];
        for (error, text) in cases {
            assert_eq!(error.to_string(), text);
        }
    }
}
