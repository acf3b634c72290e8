//! Many signatures: made, judged one by one, or as a batch.

use super::keys::{KeyBytes, SigningKey, VerifyingKey};
use super::profile::profile_of;
use crate::arguments::{Bytes, Column, Frozen, answers, detached, items, tuple_of, unequal};
use crate::errors::{self, invalid_signature};
use crate::threads::Team;
use phalanx::Threads;
use phalanx::ed25519::{self, Profile, SignedMessage};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Signs `messages[i]` with `keys[i]`, or with one key for all, side by side in lanes. Returns a list of bytes.
#[pyfunction]
#[pyo3(signature = (keys, messages, *, threads = Team::one()))]
pub(super) fn sign_many<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    threads: Team,
) -> PyResult<Bound<'py, PyList>> {
    let pool = threads.pool();
    let messages: Vec<_> =
        tuple_of(messages)?.iter().map(|item| Frozen::of(&item)).collect::<PyResult<_>>()?;
    let keys = match keys.cast::<SigningKey>() {
        Ok(key) => vec![key.clone(); messages.len()],
        Err(_) => tuple_of(keys)?.iter().map(|key| key_of(&key)).collect::<PyResult<_>>()?,
    };
    let keys: Vec<_> = keys.iter().map(|key| &key.get().0).collect();
    let messages: Vec<_> = messages.iter().map(Frozen::get).collect();
    let signatures = detached(py, || ed25519::sign_many_on(&pool, &keys, &messages))?;
    let signatures = signatures.map_err(|error| errors::ed25519(py, error))?;
    PyList::new(py, signatures.iter().map(|signature| PyBytes::new(py, signature.as_ref())))
}

fn key_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, SigningKey>> {
    object
        .cast::<SigningKey>()
        .cloned()
        .map_err(|_| PyTypeError::new_err("a SigningKey of phalanx.ed25519 wanted"))
}

/// Whether each signature verifies.
pub(crate) fn judge(pool: &Threads, profile: Profile, messages: &[SignedMessage<'_>]) -> Vec<bool> {
    ed25519::verify_many_on(pool, profile, messages).iter().map(Result::is_ok).collect()
}

/// The claims of a list, held.
struct Claims<'py>(Vec<(KeyBytes<'py>, Bytes<'py>, Bytes<'py>)>);

impl<'py> Claims<'py> {
    fn of(claims: &Bound<'py, PyAny>) -> PyResult<Self> {
        let claims = tuple_of(claims)?;
        let mut held = Vec::with_capacity(claims.len());
        for claim in claims.iter() {
            let [key, message, signature] = items(&claim, "public key, message, signature")?;
            held.push((KeyBytes::of(&key)?, Bytes::of(&message)?, Bytes::of(&signature)?));
        }
        Ok(Self(held))
    }

    fn elements(&self) -> Vec<SignedMessage<'_>> {
        let mut elements = Vec::with_capacity(self.0.len());
        for (key, message, signature) in &self.0 {
            let (public_key, message, signature) = (key.get(), message.get(), signature.get());
            elements.push(SignedMessage { public_key, message, signature });
        }
        elements
    }
}

/// Verifies many signatures, given as tuples (public key, message, signature): a list of bool, each what `verify` would
/// say. A public key is a `VerifyingKey` or its bytes.
#[pyfunction]
#[pyo3(signature = (claims, *, profile = "strict", threads = Team::one()))]
pub(super) fn verify_many<'py>(
    py: Python<'py>,
    claims: &Bound<'py, PyAny>,
    profile: &str,
    threads: Team,
) -> PyResult<Bound<'py, PyList>> {
    let (profile, pool) = (profile_of(profile)?, threads.pool());
    let claims = Claims::of(claims)?;
    let elements = claims.elements();
    PyList::new(py, detached(py, || judge(&pool, profile, &elements))?)
}

/// `verify_many` of columns: public keys, messages and signatures, each a sequence of bytes or the rows of one buffer (keys
/// of 32 bytes, signatures of 64, messages of an equal length), which may lie apart, as `table[:, :32]` does. One key is for
/// all: a `VerifyingKey`, or 32 bytes. Returns a list of bool, or an array of numpy if any column is one.
#[pyfunction]
#[pyo3(signature = (public_keys, messages, signatures, *, profile = "strict", threads = Team::one()))]
pub(super) fn verify_columns<'py>(
    py: Python<'py>,
    public_keys: Keys<'py>,
    messages: Column<'py>,
    signatures: Column<'py>,
    profile: &str,
    threads: Team,
) -> PyResult<Bound<'py, PyAny>> {
    let (profile, pool) = (profile_of(profile)?, threads.pool());
    let is_array = public_keys.is_array() || messages.is_array() || signatures.is_array();
    let signatures = signatures.slices(None, Some(64))?;
    let public_keys = public_keys.slices(signatures.len())?;
    let messages = messages.slices(Some(signatures.len()), None)?;
    if messages.len() != signatures.len() {
        return Err(unequal(signatures.len(), messages.len()));
    }
    let elements: Vec<_> = public_keys
        .into_iter()
        .zip(messages)
        .zip(signatures)
        .map(|((public_key, message), signature)| SignedMessage { public_key, message, signature })
        .collect();
    answers(py, is_array, &detached(py, || judge(&pool, profile, &elements))?)
}

/// The public keys of columns: bytes, key objects, or one for all.
pub(super) enum Keys<'py> {
    Objects(Vec<KeyBytes<'py>>),
    One([u8; 32]),
    Column(Column<'py>),
}

impl Keys<'_> {
    fn is_array(&self) -> bool {
        matches!(self, Self::Column(column) if column.is_array())
    }

    /// `count` keys.
    fn slices(&self, count: usize) -> PyResult<Vec<&[u8]>> {
        match self {
            Self::One(key) => Ok(vec![key; count]),
            Self::Objects(keys) if keys.len() == count => Ok(keys.iter().map(KeyBytes::get).collect()),
            Self::Objects(keys) => Err(unequal(count, keys.len())),
            Self::Column(column) => column.slices(Some(count), Some(32)),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Keys<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(key) = object.cast::<VerifyingKey>() {
            return Ok(Self::One(key.get().0.to_bytes()));
        }
        if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
            let keys = tuple_of(&object)?;
            return Ok(Self::Objects(keys.iter().map(|key| KeyBytes::of(&key)).collect::<PyResult<_>>()?));
        }
        let column: Column<'_> = object.extract()?;
        Ok(match column.flat().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok()) {
            Some(key) => Self::One(key),
            None => Self::Column(column),
        })
    }
}

/// Whether all signatures are valid, given as for `verify_many`; profiles "zip215" and "rfc8032" check one equation for
/// many. Raises `InvalidSignature` if any is not.
#[pyfunction]
#[pyo3(signature = (claims, *, profile = "zip215", threads = Team::one(), deterministic = false))]
pub(super) fn verify_batch(
    py: Python<'_>,
    claims: &Bound<'_, PyAny>,
    profile: &str,
    threads: Team,
    deterministic: bool,
) -> PyResult<()> {
    let (profile, pool) = (profile_of(profile)?, threads.pool());
    let claims = Claims::of(claims)?;
    let elements = claims.elements();
    let outcome = detached(py, || {
        if deterministic {
            ed25519::verify_batch_deterministic(profile, &elements)
        } else {
            ed25519::verify_batch_on(&pool, profile, &elements)
        }
    })?;
    outcome.map_err(|_| invalid_signature(py))
}

/// Collects signatures and verifies them together; every entry has a result of its own.
#[pyclass(frozen, module = "phalanx.ed25519")]
pub(crate) struct BatchVerifier(Mutex<ed25519::BatchVerifier>);

impl BatchVerifier {
    /// Only called while detached from the interpreter.
    fn lock(&self) -> MutexGuard<'_, ed25519::BatchVerifier> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl BatchVerifier {
    /// An empty batch.
    #[new]
    #[pyo3(signature = (*, profile = "zip215", deterministic = false))]
    fn new(profile: &str, deterministic: bool) -> PyResult<Self> {
        let profile = profile_of(profile)?;
        let make =
            if deterministic { ed25519::BatchVerifier::deterministic } else { ed25519::BatchVerifier::new };
        Ok(Self(Mutex::new(make(profile))))
    }

    /// Adds an entry, which keeps 200 bytes of it. Key and signature of a wrong length make it invalid.
    fn add(
        &self,
        py: Python<'_>,
        public_key: KeyBytes<'_>,
        message: Bytes<'_>,
        signature: Bytes<'_>,
    ) -> PyResult<()> {
        let (key, message, signature) = (public_key.get(), message.get(), signature.get());
        detached(py, || self.lock().add(key, signature, message))
    }

    /// Verifies all entries: a list of bool, in the order of adding. The entries stay.
    #[pyo3(signature = (*, threads = Team::one()))]
    fn verify<'py>(&self, py: Python<'py>, threads: Team) -> PyResult<Bound<'py, PyList>> {
        let pool = threads.pool();
        let report = detached(py, || self.lock().verify_on(&pool))?;
        PyList::new(py, report.results().iter().map(Result::is_ok))
    }

    /// Forgets all entries.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.lock().clear())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        detached(py, || self.lock().len())
    }
}
