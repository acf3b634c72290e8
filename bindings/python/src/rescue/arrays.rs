//! numpy's arrays, without a dependency on numpy.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Whether `object` is an array of numpy, without importing numpy: who has one has imported it.
pub(super) fn is_numpy_array(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    let modules = py.import("sys")?.getattr("modules")?;
    match modules.get_item("numpy") {
        Ok(numpy) => object.is_instance(&numpy.getattr("ndarray")?),
        Err(_) => Ok(false),
    }
}

/// A new array of numpy of uint64.
pub(super) fn new_array<'py>(py: Python<'py>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    py.import("numpy")?.call_method1("empty", (PyTuple::new(py, shape)?, "uint64"))
}
