//! A place for what is worked on in steps, and then taken.

use crate::arguments::detached;
use phalanx::xmss::Error;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Holds a value between the steps of work on it. During a step nobody else has it, and nobody waits for it either: the
/// progress callable of the step would wait for itself.
pub(super) struct Slot<T>(Mutex<State<T>>);

enum State<T> {
    Ready(T),
    /// In a step. It stays so if the step panics.
    Busy,
    Taken,
}

impl<T: Send> Slot<T> {
    pub(super) fn new(value: T) -> Self {
        Self(Mutex::new(State::Ready(value)))
    }

    /// Held for moments only.
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does `work`, detached. [`Error::Unfinished`] once the value is taken; `RuntimeError` if another call is at work.
    pub(super) fn with<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut T) -> Result<R, Error> + Send,
    ) -> PyResult<Result<R, Error>> {
        let mut value = match self.begin()? {
            Some(value) => value,
            None => return Ok(Err(Error::Unfinished)),
        };
        let (outcome, value) = detached(py, move || (work(&mut value), value))?;
        *self.lock() = State::Ready(value);
        Ok(outcome)
    }

    /// Takes the value, if it is ready to be. [`Error::Unfinished`] if it is not, or was taken before.
    pub(super) fn take(&self, is_ready: impl FnOnce(&T) -> bool) -> PyResult<Result<T, Error>> {
        Ok(match self.begin()? {
            Some(value) if is_ready(&value) => {
                *self.lock() = State::Taken;
                Ok(value)
            }
            Some(value) => {
                *self.lock() = State::Ready(value);
                Err(Error::Unfinished)
            }
            None => Err(Error::Unfinished),
        })
    }

    /// The value, for a step; `None` if it was taken.
    fn begin(&self) -> PyResult<Option<T>> {
        let mut place = self.lock();
        match core::mem::replace(&mut *place, State::Busy) {
            State::Ready(value) => Ok(Some(value)),
            State::Taken => {
                *place = State::Taken;
                Ok(None)
            }
            State::Busy => {
                Err(PyRuntimeError::new_err("in use by another call, or by the one that calls back"))
            }
        }
    }
}
