//! Refusals as exceptions, with their code.

use crate::errors::{self, Raised};
use phalanx_custody::keystore::file::FileError;
use phalanx_custody::keystore::{Error, Verdict};
use phalanx_custody::ledger::{GuardError, LedgerError, Refused};
use pyo3::prelude::*;

/// A position that was not given.
pub(super) fn refused(py: Python<'_>, refused: Refused) -> PyErr {
    let raised = Raised::new(py, "Refused", refused);
    raised.with("code", refused.code()).with("is_final", refused.is_final()).into()
}

/// A ledger that did not open, or an act that it did not do.
pub(super) fn ledger(py: Python<'_>, error: &LedgerError) -> PyErr {
    let text = format!("{error} ({})", error.code());
    Raised::new(py, "LedgerError", text).with("code", error.code()).with("is_final", false).into()
}

/// What a guarded key did not sign for.
pub(super) fn guard(py: Python<'_>, error: GuardError) -> PyErr {
    match error {
        GuardError::Ledger(error) => ledger(py, &error),
        GuardError::Refused(what) => refused(py, what),
        GuardError::Signing(error) => errors::xmss(py, error),
        GuardError::SelfCheck => Raised::new(py, "SelfCheckFailed", error).into(),
        error => Raised::new(py, "PhalanxError", error).into(),
    }
}

fn keystore_error(py: Python<'_>, code: &'static str, text: impl ToString) -> PyErr {
    Raised::new(py, "KeystoreError", text).with("code", code).with("is_final", false).into()
}

/// A keystore that was refused.
pub(super) fn keystore(py: Python<'_>, error: Error) -> PyErr {
    let code = match error {
        Error::Refused { verdict, .. } => verdict.name(),
        Error::PasswordNotUtf8 => "password_not_utf8",
        Error::PasswordEmpty => "password_empty",
        Error::OutOfMemory { .. } => "out_of_memory",
        Error::NoRandomness => "no_randomness",
        _ => "refused",
    };
    keystore_error(py, code, error)
}

/// An encrypted key file that was refused, by the exceptions that other key files have.
pub(super) fn encrypted(py: Python<'_>, error: Error) -> PyErr {
    match error {
        Error::Refused { verdict: Verdict::WrongPassword, .. } => {
            errors::ed25519(py, phalanx::ed25519::Error::WrongPassword)
        }
        error => keystore(py, error),
    }
}

/// A keystore's file that was not read or written.
pub(super) fn file(py: Python<'_>, error: FileError) -> PyErr {
    match error {
        FileError::Keystore(error) => keystore(py, error),
        FileError::Exists { .. } => keystore_error(py, "exists", error),
        FileError::System { .. } => keystore_error(py, "system", error),
        error => keystore_error(py, "insecure_file", error),
    }
}

/// A key that its file does not let sign.
pub(super) fn recovery_only(py: Python<'_>) -> PyErr {
    let text = "the keystore is for recovery only: nobody signs from it";
    keystore_error(py, "recovery_only", text)
}
