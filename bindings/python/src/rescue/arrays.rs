//! numpy's arrays, without a dependency on numpy.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A new array of numpy of uint64.
pub(super) fn new_array<'py>(py: Python<'py>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    py.import("numpy")?.call_method1("empty", (PyTuple::new(py, shape)?, "uint64"))
}
