//! The Python package of phalanx: the extension module `phalanx._phalanx`, whose parts the modules in `python/phalanx`
//! hand out under their names.
//!
//! Every call into the library goes through [`arguments::detached`]: other Python threads run meanwhile, and no panic
//! reaches Python.
#![allow(clippy::wrong_self_convention, reason = "methods of Python's objects borrow them")]
#![deny(unsafe_code, clippy::indexing_slicing, clippy::expect_used, clippy::panic)]

mod aggregate;
mod arguments;
mod buffer;
mod bulk;
#[cfg(unix)]
mod custody;
mod ed25519;
mod errors;
mod ligerito;
mod load;
mod progress;
mod rescue;
mod threads;
mod timing;
mod xmss;

use phalanx::Backend;
use pyo3::prelude::*;

/// The kernels that are chosen on this machine: "portable", "avx2", "avx512", ...
#[pyfunction]
fn backend() -> &'static str {
    Backend::current().name()
}

/// The names of all kernels that this machine can run.
#[pyfunction]
fn available_backends() -> Vec<&'static str> {
    Backend::ALL.into_iter().filter(|backend| backend.is_available()).map(Backend::name).collect()
}

/// Panics inside a call into the library, for the test that no panic reaches Python.
#[pyfunction]
fn _fault(py: Python<'_>) -> PyResult<()> {
    arguments::detached(py, || std::panic::resume_unwind(Box::new("on purpose")))
}

/// The extension module. It needs no interpreter lock: its classes are frozen, or guarded by locks of their own.
#[pymodule(gil_used = false)]
fn _phalanx(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(backend, module)?)?;
    module.add_function(wrap_pyfunction!(available_backends, module)?)?;
    module.add_function(wrap_pyfunction!(_fault, module)?)?;
    module.add_class::<threads::Threads>()?;
    module.add_function(wrap_pyfunction!(load::load, module)?)?;
    timing::register(module)?;
    for (name, register) in [
        ("xmss", xmss::register as fn(&Bound<'_, PyModule>) -> PyResult<()>),
        ("ed25519", ed25519::register),
        ("rescue", rescue::register),
        ("ligerito", ligerito::register),
        ("aggregate", aggregate::register),
        ("bulk", bulk::register),
        #[cfg(unix)]
        ("custody", custody::register),
    ] {
        let part = PyModule::new(module.py(), name)?;
        register(&part)?;
        module.add_submodule(&part)?;
    }
    Ok(())
}
