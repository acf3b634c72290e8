//! Keys prepared for many verifications.

use super::keys::{VerifyingKey, signature_of, valid};
use super::profile::profile_of;
use crate::arguments::{Bytes, detached};
use phalanx::ed25519;
use pyo3::prelude::*;

/// A public key with tables of its multiples, for a signer seen often: each verification takes about half the time.
#[pyclass(frozen, module = "phalanx.ed25519")]
pub(crate) struct PreparedKey(ed25519::PreparedKey);

#[pymethods]
impl PreparedKey {
    /// Computes the tables of a key, which take as long as four verifications.
    #[new]
    fn new(py: Python<'_>, key: &VerifyingKey) -> PyResult<Self> {
        let key = key.0;
        detached(py, || ed25519::PreparedKey::new(&key)).map(Self)
    }

    /// The key without its tables.
    #[getter]
    fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey(*self.0.verifying_key())
    }

    /// As `VerifyingKey.verify`.
    #[pyo3(signature = (message, signature, *, profile = "strict"))]
    fn verify(
        &self,
        py: Python<'_>,
        message: Bytes<'_>,
        signature: Bytes<'_>,
        profile: &str,
    ) -> PyResult<()> {
        let (profile, message) = (profile_of(profile)?, message.get());
        let signature = signature_of(py, message, &signature)?;
        valid(py, detached(py, || self.0.verify_with(profile, message, &signature)))
    }

    /// As `VerifyingKey.verify_ctx`.
    #[pyo3(signature = (message, context, signature, *, profile = "strict"))]
    fn verify_ctx(
        &self,
        py: Python<'_>,
        message: Bytes<'_>,
        context: Bytes<'_>,
        signature: Bytes<'_>,
        profile: &str,
    ) -> PyResult<()> {
        let (profile, message, context) = (profile_of(profile)?, message.get(), context.get());
        let signature = signature_of(py, message, &signature)?;
        valid(py, detached(py, || self.0.verify_ctx(profile, message, context, &signature)))
    }

    /// As `VerifyingKey.verify_ph`.
    #[pyo3(signature = (message, context, signature, *, profile = "strict"))]
    fn verify_ph(
        &self,
        py: Python<'_>,
        message: Bytes<'_>,
        context: Bytes<'_>,
        signature: Bytes<'_>,
        profile: &str,
    ) -> PyResult<()> {
        let (profile, message, context) = (profile_of(profile)?, message.get(), context.get());
        let signature = signature_of(py, message, &signature)?;
        valid(py, detached(py, || self.0.verify_ph(profile, message, context, &signature)))
    }

    fn __repr__(&self) -> String {
        format!("PreparedKey({})", self.0.verifying_key().to_hex())
    }
}
