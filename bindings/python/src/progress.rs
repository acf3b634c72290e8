//! Progress of long calls, told to a Python callable, which can stop them.

use core::ops::ControlFlow;
use core::time::Duration;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::Instant;

/// Time between two calls of the callable.
const PERIOD: Duration = Duration::from_millis(50);

/// Tells a callable how far a call is, from the thread that made it, and looks whether the user wants to interrupt.
pub(crate) struct Watch {
    callable: Option<Py<PyAny>>,
    caller: ThreadId,
    stopped: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    last: Option<Instant>,
    error: Option<PyErr>,
}

impl Watch {
    /// A watch for a call that this thread makes.
    pub(crate) fn new(callable: Option<Py<PyAny>>) -> Self {
        let caller = std::thread::current().id();
        Self { callable, caller, stopped: AtomicBool::new(false), state: Mutex::default() }
    }

    /// `done` of `total`; every 50 ms the callable hears of it. `Break` once it has raised an exception, or the user
    /// interrupted. On any thread.
    pub(crate) fn tell(&self, done: u64, total: u64) -> ControlFlow<()> {
        if self.stopped.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        if std::thread::current().id() != self.caller {
            return ControlFlow::Continue(());
        }
        // Only the caller's thread takes this lock, and the callable is called without it.
        let due = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            let due = state.last.is_none_or(|last| now.duration_since(last) >= PERIOD);
            if due {
                state.last = Some(now);
            }
            due
        };
        if due { self.call(done, total) } else { ControlFlow::Continue(()) }
    }

    fn call(&self, done: u64, total: u64) -> ControlFlow<()> {
        let outcome = Python::attach(|py| {
            py.check_signals()?;
            self.callable.as_ref().map_or(Ok(()), |callable| callable.call1(py, (done, total)).map(|_| ()))
        });
        match outcome {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.state.lock().unwrap_or_else(PoisonError::into_inner).error = Some(error);
                self.stopped.store(true, Ordering::Relaxed);
                ControlFlow::Break(())
            }
        }
    }

    /// All is done: tells the callable so. The exception, if one stopped the call.
    pub(crate) fn finish(self, py: Python<'_>, total: Option<u64>) -> PyResult<()> {
        if let Some(error) = self.state.into_inner().unwrap_or_else(PoisonError::into_inner).error {
            return Err(error);
        }
        match (self.callable, total) {
            (Some(callable), Some(total)) => callable.call1(py, (total, total)).map(|_| ()),
            _ => Ok(()),
        }
    }
}
