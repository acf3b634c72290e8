//! How a run ends: the exit codes, and the error that carries one.

use phalanx::{ed25519, ligerito, rescue, xmss};
use std::fmt;
use std::process::ExitCode;

/// The exit codes of every command (contract: "Exit codes").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done, and the answer is good.
    Good = 0,
    /// A signature, a proof or a self-test case does not verify.
    DoesNotVerify = 1,
    /// Usage, or malformed input.
    Usage = 2,
    /// Refused: epoch used, not active, passed, or the key exhausted.
    Refused = 3,
    /// Storage or system error.
    System = 4,
    /// Stopped by Ctrl-C or SIGTERM: what a shell says of a program that an interrupt ended.
    Interrupted = 130,
}

impl Exit {
    /// What a program of ours ended with; `None` where a signal ended it.
    pub(crate) fn of_program(code: Option<i32>) -> Self {
        match code {
            Some(0) => Self::Good,
            Some(1) => Self::DoesNotVerify,
            Some(2) => Self::Usage,
            Some(3) => Self::Refused,
            None => Self::Interrupted,
            Some(_) => Self::System,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command failed: an exit code, one line, and perhaps what to do about it.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The exit code.
    pub(crate) exit: Exit,
    /// One line, lower case, without a period.
    pub(crate) message: String,
    /// One line on what to do, in the same form.
    pub(crate) hint: Option<String>,
}

impl Failure {
    /// A failure with this exit code and line.
    pub(crate) fn new(exit: Exit, message: impl fmt::Display) -> Self {
        Self { exit, message: message.to_string(), hint: None }
    }

    /// Usage or malformed input (exit code 2).
    pub(crate) fn usage(message: impl fmt::Display) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// Refused to protect a key (exit code 3).
    pub(crate) fn refused(message: impl fmt::Display) -> Self {
        Self::new(Exit::Refused, message)
    }

    /// Storage or system error (exit code 4).
    pub(crate) fn system(message: impl fmt::Display) -> Self {
        Self::new(Exit::System, message)
    }

    /// A signature that does not verify (exit code 1).
    pub(crate) fn does_not_verify() -> Self {
        Self::new(Exit::DoesNotVerify, phalanx::InvalidSignature)
    }

    /// The same with a hint.
    #[must_use]
    pub(crate) fn hint(self, hint: impl fmt::Display) -> Self {
        Self { hint: Some(hint.to_string()), ..self }
    }
}

impl From<xmss::Error> for Failure {
    fn from(error: xmss::Error) -> Self {
        use xmss::Error as E;
        match error {
            E::NotActive { .. }
            | E::Exhausted { .. }
            | E::Passed { .. }
            | E::EpochUsed { .. }
            | E::OtherInstance { .. }
            | E::Forked => Self::refused(error),
            E::Interval { .. } | E::Malformed(_) => Self::usage(error),
            E::NoEncoding { .. } => Self::usage(error).hint("keys and signatures over BLAKE2s are in SSZ"),
            E::VerificationOnly { .. } => {
                Self::usage(error).hint("xmss-blake2s-l32-d42b8 is the set over BLAKE2s whose keys sign")
            }
            _ => Self::system(error),
        }
    }
}

impl From<ed25519::Error> for Failure {
    fn from(error: ed25519::Error) -> Self {
        use ed25519::Error as E;
        match error {
            E::RngFailed | E::SelfCheckFailed => Self::system(error),
            _ => Self::usage(error),
        }
    }
}

impl From<phalanx_identify::ed25519::EncodeError> for Failure {
    fn from(error: phalanx_identify::ed25519::EncodeError) -> Self {
        match error {
            phalanx_identify::ed25519::EncodeError::Key(error) => error.into(),
            comment @ phalanx_identify::ed25519::EncodeError::Comment => Self::usage(comment),
        }
    }
}

impl From<rescue::Error> for Failure {
    fn from(error: rescue::Error) -> Self {
        let failure = Self::usage(error);
        match error {
            rescue::Error::UndefinedLength { .. } => {
                failure.hint("--padded hashes bytes of any length, not as Winterfell does above 56")
            }
            _ => failure,
        }
    }
}

impl From<ligerito::Error> for Failure {
    fn from(error: ligerito::Error) -> Self {
        match error {
            ligerito::Error::TooLarge => Self::system(error),
            _ => Self::usage(error),
        }
    }
}

impl From<ligerito::ref_v08::Error> for Failure {
    fn from(error: ligerito::ref_v08::Error) -> Self {
        match error {
            ligerito::ref_v08::Error::TooLarge => Self::system(error),
            _ => Self::usage(error),
        }
    }
}

impl From<phalanx::Malformed> for Failure {
    fn from(error: phalanx::Malformed) -> Self {
        Self::usage(error)
    }
}
