//! Keys that sign only what their ledger has reserved.

use super::ledger::Ledger;
use super::refusals;
use crate::arguments::{Bytes, detached, items, tuple_of};
use crate::errors;
use crate::threads::Team;
use crate::xmss::{SigningKey, VerifyingKey, format_of};
use phalanx::xmss::{Error, Format, any};
use phalanx_custody::ledger::sqlite::SqliteLedger;
use phalanx_custody::ledger::{GuardError, Guarded, Signed, check_known};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use std::sync::{Arc, Mutex, PoisonError};

/// An XMSS key and the ledger that every signature of it goes through. Takes `key` over, which signs by itself no more; if
/// the ledger does not know it (`LedgerError`, "no_state"), the key is still there. Usable by several threads, and as a
/// context manager.
#[pyclass(frozen, module = "phalanx")]
pub(crate) struct GuardedKey(Mutex<Option<Arc<Guarded<SqliteLedger, any::SigningKey>>>>);

impl GuardedKey {
    fn get(&self) -> PyResult<Arc<Guarded<SqliteLedger, any::SigningKey>>> {
        let place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        place.clone().ok_or_else(|| PyValueError::new_err("the key was closed"))
    }
}

/// An epoch that the library knows. No lifetime is longer.
fn epoch_of(py: Python<'_>, epoch: u64) -> PyResult<u32> {
    u32::try_from(epoch).map_err(|_| errors::xmss(py, Error::Exhausted { epoch, end: 1 << 32 }))
}

/// No epoch is used for a signature that cannot be written: keys and signatures have the same encodings.
fn check_format(
    py: Python<'_>,
    key: &Guarded<SqliteLedger, any::SigningKey>,
    format: Format,
) -> PyResult<()> {
    key.verifying_key().to_bytes(format).map(drop).map_err(|error| errors::xmss(py, error))
}

#[pymethods]
impl GuardedKey {
    #[new]
    fn new(py: Python<'_>, ledger: &Ledger, key: &SigningKey) -> PyResult<Self> {
        let ledger = ledger.get()?;
        let checked = key.take_if(py, |key| check_known(&*ledger, key).map(drop))?;
        let key = checked.map_err(|error| refusals::guard(py, error))?;
        let guarded =
            detached(py, || Guarded::new(key, ledger))?.map_err(|error| refusals::guard(py, error))?;
        Ok(Self(Mutex::new(Some(Arc::new(guarded)))))
    }

    /// Signs `message` (32 bytes) at `epoch`, if the ledger gives the epoch to it: when this returns, both are on the disk.
    /// The same message again gives the identical signature. Raises `Refused`, whose `code` says why ("epoch_used",
    /// "passed", "forked", "unavailable", ...) and whose `is_final` whether to ask again is pointless.
    #[pyo3(signature = (epoch, message, *, format = "ssz"))]
    fn sign<'py>(
        &self,
        py: Python<'py>,
        epoch: u64,
        message: Bytes<'_>,
        format: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.answer(py, epoch, message, format).map(|(signature, _)| signature)
    }

    /// As `sign`, and says whether the signature was given before.
    #[pyo3(signature = (epoch, message, *, format = "ssz"))]
    fn answer<'py>(
        &self,
        py: Python<'py>,
        epoch: u64,
        message: Bytes<'_>,
        format: &str,
    ) -> PyResult<(Bound<'py, PyBytes>, bool)> {
        // A copy: what is signed must not change while it is.
        let (message, format) = (*message.array::<32>("message")?, format_of(format)?);
        let (key, epoch) = (self.get()?, epoch_of(py, epoch)?);
        check_format(py, &key, format)?;
        let signed =
            detached(py, || key.answer(epoch, &message))?.map_err(|error| refusals::guard(py, error))?;
        let bytes = signed.signature.to_bytes(format).map_err(|error| errors::xmss(py, error))?;
        Ok((PyBytes::new(py, &bytes), signed.repeated))
    }

    /// Signs many: of (key, epoch, message) each, whose epochs are made durable together where the keys are of one ledger.
    /// Returns a list with a signature for each, or the exception that `sign` would have raised.
    #[staticmethod]
    #[pyo3(signature = (wanted, *, threads = Team::one(), format = "ssz"))]
    fn sign_many<'py>(
        py: Python<'py>,
        wanted: &Bound<'py, PyAny>,
        threads: Team,
        format: &str,
    ) -> PyResult<Bound<'py, PyList>> {
        let (pool, format) = (threads.pool(), format_of(format)?);
        let mut asked = Vec::new();
        for item in tuple_of(wanted)?.iter() {
            let [key, epoch, message] = items::<3>(&item, "key, epoch, message")?;
            let key =
                key.cast::<Self>().map_err(|_| PyTypeError::new_err("a GuardedKey wanted"))?.get().get()?;
            check_format(py, &key, format)?;
            let message = *Bytes::of(&message)?.array::<32>("message")?;
            asked.push((key, epoch_of(py, epoch.extract()?)?, message));
        }
        let wanted: Vec<_> = asked.iter().map(|(key, epoch, message)| (&**key, *epoch, message)).collect();
        let answers: Vec<Result<Signed<any::Signature>, GuardError>> =
            detached(py, || Guarded::answer_many(&wanted, &pool))?;
        let list = PyList::empty(py);
        for answer in answers {
            match answer {
                Ok(signed) => match signed.signature.to_bytes(format) {
                    Ok(bytes) => list.append(PyBytes::new(py, &bytes))?,
                    Err(error) => list.append(errors::xmss(py, error).value(py))?,
                },
                Err(error) => list.append(refusals::guard(py, error).value(py))?,
            }
        }
        Ok(list)
    }

    /// The key that verifies what this one signs.
    #[getter]
    fn verifying_key(&self) -> PyResult<VerifyingKey> {
        Ok(VerifyingKey(*self.get()?.verifying_key()))
    }

    /// The name of the key, 32 bytes.
    #[getter]
    fn key_id<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.get()?.key_id().0))
    }

    /// First epoch that the key can sign without computing a bottom tree, and the first after the last.
    #[getter]
    fn prepared_interval(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        let key = self.get()?;
        let interval = detached(py, || key.prepared())?;
        Ok((interval.start, interval.end))
    }

    /// Lets go of the key, which is wiped, and of its ledger.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let key = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        detached(py, || drop(key))
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        match self.get() {
            Ok(key) => format!("<GuardedKey {}>", key.key_id()),
            Err(_) => "<GuardedKey, closed>".to_owned(),
        }
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a signing key is secret and signs each epoch once: it is not pickled or copied",
        ))
    }
}
