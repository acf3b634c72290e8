//! Signing keys, and the trees by which they move on.

use super::begin::begin;
use super::keys::{ParameterSet, Set, VerifyingKey, format_of};
use super::slot::Slot;
use crate::arguments::{Bytes, Secret, detached};
use crate::errors;
use crate::progress::Watch;
use crate::threads::Team;
use phalanx::xmss::{Error, Progress, any};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What signs: one message an epoch, for the epochs of its activation interval. It holds a secret: it is not shown, not
/// pickled, not copied, and wiped when the object goes.
#[pyclass(frozen, module = "phalanx.xmss")]
pub(crate) struct SigningKey(Mutex<Option<any::SigningKey>>);

impl SigningKey {
    pub(crate) fn new(key: any::SigningKey) -> Self {
        Self(Mutex::new(Some(key)))
    }

    /// Only called while detached from the interpreter: who waits here with the lock of the interpreter would stop the
    /// thread that it waits for.
    fn lock(&self) -> MutexGuard<'_, Option<any::SigningKey>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does `work` with the key, detached. `RuntimeError` once the key was taken over.
    pub(crate) fn with<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut any::SigningKey) -> R + Send,
    ) -> PyResult<R> {
        detached(py, || self.lock().as_mut().map(work))?.ok_or_else(taken_over)
    }

    /// Takes the key over if `check` lets it go.
    #[cfg(unix)]
    pub(crate) fn take_if<E: Send>(
        &self,
        py: Python<'_>,
        check: impl FnOnce(&any::SigningKey) -> Result<(), E> + Send,
    ) -> PyResult<Result<any::SigningKey, E>> {
        let taken = detached(py, || {
            let mut place = self.lock();
            let key = place.take()?;
            match check(&key) {
                Ok(()) => Some(Ok(key)),
                Err(refused) => {
                    *place = Some(key);
                    Some(Err(refused))
                }
            }
        })?;
        taken.ok_or_else(taken_over)
    }
}

fn taken_over() -> PyErr {
    PyRuntimeError::new_err("the key was taken over by a GuardedKey: it signs through its ledger")
}

#[pymethods]
impl SigningKey {
    /// Generates a key for `count` epochs from `start` on, rounded outwards to bottom trees, at least two (over BLAKE2s for
    /// exactly these). Without a `seed` of 32 bytes, from the system's randomness. `progress(done, total)` is called every 50 ms or so and may
    /// raise an exception to stop. `threads` = 0 takes as many as the system can run.
    #[staticmethod]
    #[pyo3(signature = (parameter_set, start, count, *, seed = None, threads = Team::one(), progress = None))]
    fn generate(
        py: Python<'_>,
        parameter_set: Set,
        start: u64,
        count: u64,
        seed: Option<Secret>,
        threads: Team,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let mut generation = begin(py, parameter_set, start, count, seed)?;
        let (pool, watch) = (threads.pool(), Watch::new(progress));
        let tell = |progress: Progress| watch.tell(progress.leaves_done, progress.leaves_total);
        let outcome = detached(py, || {
            while generation.step_on(&pool, &tell)?.is_some() {}
            let total = generation.progress().leaves_total;
            generation.finish().map(|key| (key, total))
        })?;
        watch.finish(py, outcome.as_ref().ok().map(|(_, total)| *total))?;
        outcome.map(|(key, _)| Self::new(key)).map_err(|error| errors::xmss(py, error))
    }

    /// The key of `parameter_set` that `data` holds, secret part included, after checking all that can be checked.
    /// Raises `Malformed`.
    #[staticmethod]
    #[pyo3(signature = (parameter_set, data, *, format = "ssz"))]
    fn from_bytes(py: Python<'_>, parameter_set: Set, data: Bytes<'_>, format: &str) -> PyResult<Self> {
        let (format, data) = (format_of(format)?, data.get());
        detached(py, || any::SigningKey::from_bytes(parameter_set.0, format, data))?
            .map(Self::new)
            .map_err(|error| errors::xmss(py, error))
    }

    /// The key in `format`, secret part included. Python cannot wipe the `bytes` that this returns.
    #[pyo3(signature = (*, format = "ssz"))]
    fn to_bytes<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let format = format_of(format)?;
        let bytes = self.with(py, |key| key.to_bytes(format))?.map_err(|error| errors::xmss(py, error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The parameter set of the key.
    #[getter]
    fn parameter_set(&self, py: Python<'_>) -> PyResult<ParameterSet> {
        self.with(py, |key| ParameterSet(key.parameter_set()))
    }

    /// The key that verifies what this one signs.
    #[getter]
    fn verifying_key(&self, py: Python<'_>) -> PyResult<VerifyingKey> {
        self.with(py, |key| VerifyingKey(key.verifying_key()))
    }

    /// First epoch that the key can ever sign, and the first after the last.
    #[getter]
    fn activation_interval(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        let interval = self.with(py, |key| key.activation_interval())?;
        Ok((interval.start, interval.end))
    }

    /// First epoch that the key can sign without computing a bottom tree, and the first after the last.
    #[getter]
    fn prepared_interval(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        let interval = self.with(py, |key| key.prepared_interval())?;
        Ok((interval.start, interval.end))
    }

    /// For keys that must not sign an epoch twice across restarts: `phalanx.GuardedKey`. This forgets: it signs `message`
    /// (32 bytes) at `epoch`, noting it in a record that ends with the process. Moves the prepared interval on if it has to. Raises `NotActive`, `Exhausted`, `Passed`, `EpochUsed`,
    /// `OtherInstance` if another key of the same seed has signed, `Forked` in a fork of the process that loaded the key.
    #[pyo3(signature = (epoch, message, *, format = "ssz"))]
    fn sign<'py>(
        &self,
        py: Python<'py>,
        epoch: u64,
        message: Bytes<'_>,
        format: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        // A copy: what is signed must not change while it is.
        let (message, format) = (*message.array::<32>("message")?, format_of(format)?);
        let signed = self.with(py, |key| match u32::try_from(epoch) {
            Ok(epoch) => key.sign_to_bytes(format, epoch, &message),
            // No lifetime is longer.
            Err(_) => Err(Error::Exhausted { epoch, end: key.activation_interval().end }),
        })?;
        signed.map(|bytes| PyBytes::new(py, &bytes)).map_err(|error| errors::xmss(py, error))
    }

    /// Moves the prepared interval on by one bottom tree, which is computed now. False at the end of the activation
    /// interval.
    fn advance(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |key| key.advance())?.map_err(|error| errors::xmss(py, error))
    }

    /// The bottom tree by which the prepared interval moves on, to be computed in another thread while this key goes on
    /// signing. `None` at the end of the activation interval.
    fn next_tree(&self, py: Python<'_>) -> PyResult<Option<NextTree>> {
        self.with(py, |key| key.next_tree().map(|tree| NextTree(Slot::new(tree))))
    }

    /// Moves the prepared interval on by a tree that was computed before, and takes it. Raises `Unfinished` or
    /// `WrongTree`; the key is then unchanged.
    fn advance_with(&self, py: Python<'_>, tree: &NextTree) -> PyResult<()> {
        let taken = tree.0.take(|_| true)?.map_err(|error| errors::xmss(py, error))?;
        self.with(py, |key| key.advance_with(taken))?.map_err(|error| errors::xmss(py, error))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (set, active) = self.with(py, |key| (key.parameter_set(), key.activation_interval()))?;
        Ok(format!("<SigningKey of {set}, epochs {}..{}>", active.start, active.end))
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a signing key is secret and signs each epoch once: it is not pickled or copied",
        ))
    }
}

/// A bottom tree on its way to a key; see `SigningKey.next_tree`. Holds a copy of the key's secret.
#[pyclass(frozen, module = "phalanx.xmss")]
pub(crate) struct NextTree(Slot<any::NextTree>);

#[pymethods]
impl NextTree {
    /// First epoch of the tree, and the first after it; `None` once a key has taken it.
    #[getter]
    fn epochs(&self, py: Python<'_>) -> PyResult<Option<(u64, u64)>> {
        let epochs = self.0.with(py, |tree| Ok(tree.epochs()))?;
        Ok(epochs.ok().map(|epochs| (epochs.start, epochs.end)))
    }

    /// Computes the tree. `progress(done, total)` may raise an exception to stop.
    #[pyo3(signature = (*, threads = Team::one(), progress = None))]
    fn compute(&self, py: Python<'_>, threads: Team, progress: Option<Py<PyAny>>) -> PyResult<()> {
        let (pool, watch) = (threads.pool(), Watch::new(progress));
        let tell = |progress: Progress| watch.tell(progress.leaves_done, progress.leaves_total);
        let outcome = self.0.with(py, |tree| {
            let total = tree.epochs().end - tree.epochs().start;
            tree.compute_on(&pool, &tell).map(|()| total)
        })?;
        watch.finish(py, outcome.as_ref().ok().copied())?;
        outcome.map(|_| ()).map_err(|error| errors::xmss(py, error))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(match self.epochs(py)? {
            Some((start, end)) => format!("<NextTree of epochs {start}..{end}>"),
            None => "<NextTree, taken>".to_owned(),
        })
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a tree on its way holds a secret: it is not pickled or copied"))
    }
}
