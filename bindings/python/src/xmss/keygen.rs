//! Key generation in steps that can be watched, stopped and taken up again.

use super::begin::begin;
use super::keys::Set;
use super::signing::SigningKey;
use super::slot::Slot;
use crate::arguments::{Bytes, Secret, detached};
use crate::errors;
use crate::progress::Watch;
use crate::threads::Team;
use phalanx::xmss::{Error, Progress, any};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A key being generated: one bottom tree after another. The roots of finished trees can be kept elsewhere, and given back
/// to a generation that has the same `commitment`.
#[pyclass(frozen, module = "phalanx.xmss")]
pub(crate) struct KeyGeneration(Slot<any::KeyGeneration>);

impl KeyGeneration {
    /// What `work`, detached, finds; the error as an exception.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut any::KeyGeneration) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        self.0.with(py, work)?.map_err(|error| errors::xmss(py, error))
    }
}

#[pymethods]
impl KeyGeneration {
    /// Begins a key for `count` epochs from `start` on; arguments as for `SigningKey.generate`.
    #[new]
    #[pyo3(signature = (parameter_set, start, count, *, seed = None))]
    fn new(
        py: Python<'_>,
        parameter_set: Set,
        start: u64,
        count: u64,
        seed: Option<Secret>,
    ) -> PyResult<Self> {
        begin(py, parameter_set, start, count, seed).map(|generation| Self(Slot::new(generation)))
    }

    /// First epoch that the key will be able to sign, and the first after the last.
    #[getter]
    fn activation_interval(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        let interval = self.ask(py, |generation| Ok(generation.activation_interval()))?;
        Ok((interval.start, interval.end))
    }

    /// Index of the key's first bottom tree, and the first after its last.
    #[getter]
    fn trees(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        let trees = self.ask(py, |generation| Ok(generation.trees()))?;
        Ok((trees.start, trees.end))
    }

    /// 32 bytes that tell generations of other secrets, sets or intervals apart, and reveal nothing of the secret.
    #[getter]
    fn commitment<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.ask(py, |generation| Ok(generation.commitment()))?))
    }

    /// Leaves computed, and leaves to compute in all.
    #[getter]
    fn progress(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        let progress = self.ask(py, |generation| Ok(generation.progress()))?;
        Ok((progress.leaves_done, progress.leaves_total))
    }

    /// The root of finished bottom tree `index`; `None` if it is not finished.
    fn root<'py>(&self, py: Python<'py>, index: u64) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let root = self.ask(py, |generation| Ok(generation.root(index)))?;
        Ok(root.map(|root| PyBytes::new(py, &root)))
    }

    /// Computes bottom tree `index` and returns its root, for `restore` of another generation of the same `commitment`; this
    /// one is as before. Raises `WrongTree`.
    #[pyo3(signature = (index, *, threads = Team::one()))]
    fn compute_root<'py>(&self, py: Python<'py>, index: u64, threads: Team) -> PyResult<Bound<'py, PyBytes>> {
        let pool = threads.pool();
        let root = self.ask(py, |generation| generation.compute_root_on(&pool, index))?;
        Ok(PyBytes::new(py, &root))
    }

    /// Takes the root of bottom tree `index` from an earlier run with the same `commitment`. Raises `WrongTree` or
    /// `Malformed`.
    fn restore(&self, py: Python<'_>, index: u64, root: Bytes<'_>) -> PyResult<()> {
        let root = root.get();
        self.ask(py, |generation| generation.restore(index, root))
    }

    /// Computes the next missing bottom tree and returns its index, or `None` if all are done. An exception of
    /// `progress(done, total)` stops it; the step can be taken again.
    #[pyo3(signature = (*, threads = Team::one(), progress = None))]
    fn step(&self, py: Python<'_>, threads: Team, progress: Option<Py<PyAny>>) -> PyResult<Option<u64>> {
        let (pool, watch) = (threads.pool(), Watch::new(progress));
        let tell = |progress: Progress| watch.tell(progress.leaves_done, progress.leaves_total);
        let outcome = self.0.with(py, |generation| generation.step_on(&pool, &tell))?;
        watch.finish(py, None)?;
        outcome.map_err(|error| errors::xmss(py, error))
    }

    /// The key, once all steps are done; the generation is over then. Raises `Unfinished` if they are not.
    fn finish(&self, py: Python<'_>) -> PyResult<SigningKey> {
        // It is done when no step is left, which costs nothing to ask.
        let key = match self.0.take(is_done)? {
            Ok(generation) => detached(py, || generation.finish())?,
            Err(error) => Err(error),
        };
        key.map(SigningKey::new).map_err(|error| errors::xmss(py, error))
    }

    fn __repr__(&self) -> &'static str {
        "<KeyGeneration>"
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a key in the making is secret: it is not pickled or copied"))
    }
}

/// Whether every leaf is computed that no restored tree has.
fn is_done(generation: &any::KeyGeneration) -> bool {
    let progress = generation.progress();
    progress.leaves_done == progress.leaves_total
}
