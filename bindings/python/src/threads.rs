//! Threads as callers ask for them: a number, or ones that stay.

use phalanx::Pool;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::mem::ManuallyDrop;
use std::sync::{Mutex, PoisonError};

/// Most threads that a call takes.
const MAX_THREADS: usize = 1024;

fn started(count: usize) -> PyResult<phalanx::Threads> {
    match count {
        0 => Ok(phalanx::Threads::available()),
        1..=MAX_THREADS => Ok(phalanx::Threads::new(count)),
        _ => Err(PyValueError::new_err(format!("{count} threads, at most {MAX_THREADS} allowed"))),
    }
}

/// Threads that stay between calls: `threads=workers` in place of a number. A number starts threads for its call and ends
/// them, which takes up to a hundred microseconds for each; these are started once, by the first call that needs them, and
/// end with this object. `count` includes the calling thread; 0 stands for as many as the system can run. Several Python
/// threads may use them at a time. After a fork the child starts its own.
#[pyclass(frozen, module = "phalanx")]
pub(crate) struct Threads(Mutex<Workers>);

#[pymethods]
impl Threads {
    #[new]
    #[pyo3(signature = (count = 0))]
    fn new(count: usize) -> PyResult<Self> {
        started(count).map(|threads| Self(Mutex::new(Workers::new(threads))))
    }

    /// How many threads work on a call, the calling one included.
    #[getter]
    fn count(&self) -> usize {
        self.get().threads()
    }

    fn __repr__(&self) -> String {
        format!("Threads({})", self.count())
    }
}

impl Threads {
    fn get(&self) -> phalanx::Threads {
        let mut workers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if workers.process != std::process::id() {
            *workers = Workers::new(phalanx::Threads::new(workers.threads.count()));
        }
        (*workers.threads).clone()
    }
}

/// Threads, and the process that has them.
struct Workers {
    process: u32,
    threads: ManuallyDrop<phalanx::Threads>,
}

impl Workers {
    fn new(threads: phalanx::Threads) -> Self {
        Self { process: std::process::id(), threads: ManuallyDrop::new(threads) }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        // The threads of a parent are not here: waiting for them to end would take forever.
        if self.process == std::process::id() {
            drop(ManuallyDrop::into_inner(std::mem::replace(
                &mut self.threads,
                ManuallyDrop::new(phalanx::Threads::new(1)),
            )));
        }
    }
}

/// What a call works on.
pub(crate) struct Team(phalanx::Threads);

impl Team {
    /// The calling thread.
    pub(crate) fn one() -> Self {
        Self(phalanx::Threads::new(1))
    }

    pub(crate) fn pool(self) -> phalanx::Threads {
        self.0
    }
}

impl FromPyObject<'_, '_> for Team {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(threads) = object.cast::<Threads>() {
            return Ok(Self(threads.get().get()));
        }
        let count = object.extract::<usize>().map_err(|error| {
            if error.is_instance_of::<PyTypeError>(object.py()) {
                PyTypeError::new_err("threads: a number or phalanx.Threads wanted")
            } else {
                error
            }
        })?;
        started(count).map(Self)
    }
}
