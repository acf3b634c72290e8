//! Bytes in pieces.

use super::digests::bytes_of;
use super::function::Named;
use crate::arguments::{Bytes, detached};
use crate::errors;
use phalanx::rescue;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Hashes bytes that come in pieces, of a length known before: these functions absorb the length first.
#[pyclass(frozen, module = "phalanx.rescue")]
pub(crate) struct Hasher(Mutex<rescue::Hasher>);

impl Hasher {
    /// Only called while detached from the interpreter.
    fn lock(&self) -> MutexGuard<'_, rescue::Hasher> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Hasher {
    /// For `len_bytes` bytes: gives what `Function.hash` gives, or `hash_padded` if `padded`. Raises `UndefinedLength`.
    #[new]
    #[pyo3(signature = (function, len_bytes, *, padded = false))]
    fn new(py: Python<'_>, function: Named, len_bytes: u64, padded: bool) -> PyResult<Self> {
        if padded {
            return Ok(Self(Mutex::new(rescue::Hasher::new_padded(function.0, len_bytes))));
        }
        let hasher = rescue::Hasher::new(function.0, len_bytes).map_err(|error| errors::rescue(py, error))?;
        Ok(Self(Mutex::new(hasher)))
    }

    /// Takes the next bytes.
    fn update(&self, py: Python<'_>, data: Bytes<'_>) -> PyResult<()> {
        let data = data.get();
        detached(py, || self.lock().update(data))
    }

    /// The digest of what came so far, if it is as long as announced. Raises `Length`.
    fn finalize<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let digest = detached(py, || self.lock().clone().finalize())?;
        Ok(bytes_of(py, &digest.map_err(|error| errors::rescue(py, error))?))
    }
}
