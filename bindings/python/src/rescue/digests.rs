//! Digests as bytes, and as elements.

use crate::arguments::{Bytes, Words};
use crate::errors;
use phalanx::rescue::Digest;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// 32 bytes that are a digest.
pub(super) fn digest_of(py: Python<'_>, bytes: &[u8]) -> PyResult<Digest> {
    let bytes: &[u8; 32] =
        bytes.try_into().map_err(|_| crate::arguments::wrong_length("digest", bytes.len(), 32))?;
    Digest::from_bytes(bytes).map_err(|error| errors::malformed(py, error))
}

/// A digest as Python's bytes.
pub(super) fn bytes_of<'py>(py: Python<'py>, digest: &Digest) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &digest.to_bytes())
}

/// The four elements of a digest.
#[pyfunction]
pub(super) fn digest_elements(py: Python<'_>, digest: Bytes<'_>) -> PyResult<(u64, u64, u64, u64)> {
    let [a, b, c, d] = digest_of(py, digest.get())?.to_elements();
    Ok((a, b, c, d))
}

/// The digest of four elements, reduced modulo p.
#[pyfunction]
pub(super) fn digest_from_elements<'py>(
    py: Python<'py>,
    elements: Words<u64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let elements: &[u64; 4] = elements
        .get()
        .try_into()
        .map_err(|_| PyValueError::new_err(format!("got {} elements, wanted 4", elements.get().len())))?;
    Ok(bytes_of(py, &Digest::from_elements(*elements)))
}

/// The digest that any 32 bytes stand for, each element reduced modulo p as the reference does: two inputs may give one.
#[pyfunction]
pub(super) fn digest_from_bytes_lenient<'py>(
    py: Python<'py>,
    data: Bytes<'_>,
) -> PyResult<Bound<'py, PyBytes>> {
    Ok(bytes_of(py, &Digest::from_bytes_lenient(data.array::<32>("digest")?)))
}
