//! Verification of one signature, and why one does not verify.

use super::keys::{KeyBytes, SIGNATURE_LEN, valid, wrong_signature_length};
use super::profile::profile_of;
use crate::arguments::{Bytes, detached};
use phalanx::ed25519::{self, KeyFormat, Reason};
use pyo3::prelude::*;

/// Why a signature does not verify: the first check of the profile that fails.
#[pyclass(frozen, eq, module = "phalanx.ed25519", name = "Reason")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct WhyNot(Reason);

#[pymethods]
impl WhyNot {
    /// The name of the check, such as "WeakPublicKey".
    #[getter]
    fn name(&self) -> &'static str {
        match self.0 {
            Reason::InvalidLength { .. } => "InvalidLength",
            Reason::NonCanonicalS => "NonCanonicalS",
            Reason::InvalidPublicKey => "InvalidPublicKey",
            Reason::InvalidR => "InvalidR",
            Reason::NonCanonicalPoint => "NonCanonicalPoint",
            Reason::WeakPublicKey => "WeakPublicKey",
            Reason::WeakR => "WeakR",
            Reason::EquationFailed => "EquationFailed",
            _ => "Reason",
        }
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Reason {}: {}>", self.name(), self.0)
    }
}

/// Verifies one signature given as bytes of any length, under a key or the bytes of one. Raises `InvalidSignature`.
#[pyfunction]
#[pyo3(signature = (public_key, message, signature, *, profile = "strict"))]
pub(super) fn verify(
    py: Python<'_>,
    public_key: KeyBytes<'_>,
    message: Bytes<'_>,
    signature: Bytes<'_>,
    profile: &str,
) -> PyResult<()> {
    let (profile, key, message, signature) =
        (profile_of(profile)?, public_key.get(), message.get(), signature.get());
    if signature.len() != SIGNATURE_LEN {
        return Err(wrong_signature_length(py, message, signature));
    }
    valid(py, detached(py, || ed25519::verify(profile, key, message, signature)))
}

/// Says which check a signature fails first, or `None` if it verifies.
#[pyfunction]
#[pyo3(signature = (public_key, message, signature, *, profile = "strict"))]
pub(super) fn explain(
    py: Python<'_>,
    public_key: KeyBytes<'_>,
    message: Bytes<'_>,
    signature: Bytes<'_>,
    profile: &str,
) -> PyResult<Option<WhyNot>> {
    let (profile, key, message, signature) =
        (profile_of(profile)?, public_key.get(), message.get(), signature.get());
    Ok(detached(py, || ed25519::explain(profile, key, message, signature))?.err().map(WhyNot))
}

/// What kind of key or signature file `data` looks like: "pkcs8-pem", "openssh-private", ...; `None` if like none.
#[pyfunction]
pub(super) fn detect(py: Python<'_>, data: Bytes<'_>) -> PyResult<Option<&'static str>> {
    let data = data.get();
    Ok(detached(py, || KeyFormat::detect(data))?.map(KeyFormat::name))
}
