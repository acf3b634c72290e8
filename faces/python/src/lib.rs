//! The Python package of phalanx.

use pyo3::prelude::*;

#[pymodule]
fn _phalanx(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
