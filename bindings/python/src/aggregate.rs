//! `phalanx.aggregate`: one proof for many signatures of XMSS over BLAKE2s.

use crate::arguments::{Bytes, choice, detached, items, tuple_of};
use crate::errors;
use crate::threads::Team;
use crate::xmss::{Either, Given, VerifyingKey};
use phalanx::aggregate::{self as library, Profile};
use phalanx::xmss::{any, blake2s};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

/// Keys and signatures that aggregates are of.
const SET: blake2s::ParameterSet = blake2s::ParameterSet::L32_D42B8;

/// A group as Python has it: epoch, message, keys.
type Group<'py> = (u32, Bound<'py, PyBytes>, Vec<Bound<'py, PyBytes>>);

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("PROFILES", PyTuple::new(py, Profile::ALL.map(Profile::name))?)?;
    module.add("MAX_SIGNATURES", library::MAX_SIGNATURES)?;
    module.add("DEFAULT_SIGNATURES", library::Limits::DEFAULT_SIGNATURES)?;
    module.add("DEFAULT_MEMORY_LIMIT", library::DEFAULT_MEMORY_LIMIT)?;
    module.add_class::<Statement>()?;
    module.add_class::<Limits>()?;
    module.add_function(wrap_pyfunction!(aggregate, module)?)?;
    module.add_function(wrap_pyfunction!(verify, module)?)?;
    module.add_function(wrap_pyfunction!(max_len_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(memory_len, module)?)
}

/// The profile called `name`.
fn profile_of(name: &str) -> PyResult<Profile> {
    choice("profile", name, Profile::from_name, || Profile::ALL.map(Profile::name).to_vec())
}

/// A key of a statement: a `VerifyingKey`, or its bytes.
fn key_of(object: &Bound<'_, PyAny>) -> PyResult<blake2s::VerifyingKey> {
    if let Ok(key) = object.cast::<VerifyingKey>() {
        return match &key.get().0 {
            any::VerifyingKey::Blake2s(key) => Ok(*key),
            _ => Err(errors::aggregate(object.py(), library::Error::ParameterSet)),
        };
    }
    let bytes = Bytes::of(object)?;
    blake2s::VerifyingKey::from_bytes(SET, bytes.get()).map_err(|error| errors::malformed(object.py(), error))
}

/// What an aggregate says, of `groups`: tuples (epoch, message of 32 bytes, keys), in any order, where keys are `VerifyingKey`
/// of "xmss-blake2s-l32-d42b8" or their bytes. For every group and every key of it somebody knows a signature that verifies.
/// Signatures are numbered in the statement's order: by epoch, message, key. A key counts once for an epoch and a message.
/// Raises `NoGroups`, `EmptyGroup`, `KeyOrder` (a key is there twice), `ParameterSet`, `TooManySignatures`.
#[pyclass(frozen, eq, module = "phalanx.aggregate")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Statement(library::Statement);

#[pymethods]
impl Statement {
    #[new]
    fn new(py: Python<'_>, groups: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut signers = Vec::new();
        for group in tuple_of(groups)?.iter() {
            let [epoch, message, keys] = items(&group, "epoch, message, keys")?;
            let (epoch, message) = (epoch.extract::<u32>()?, Bytes::of(&message)?);
            let message = *message.array::<32>("message")?;
            let keys = tuple_of(&keys)?;
            if keys.is_empty() {
                return Err(errors::aggregate(py, library::Error::EmptyGroup));
            }
            for key in keys.iter() {
                signers.push((key_of(&key)?, epoch, message));
            }
        }
        detached(py, || library::Statement::of(&signers))?
            .map(Self)
            .map_err(|error| errors::aggregate(py, error))
    }

    /// The statement of these bytes, strictly. Raises `NoGroups`, `EmptyGroup`, `GroupOrder`, `KeyOrder`, `TooManySignatures`
    /// or `StatementLength`.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: Bytes<'_>) -> PyResult<Self> {
        let data = data.get();
        detached(py, || library::Statement::from_bytes(data))?
            .map(Self)
            .map_err(|error| errors::aggregate(py, error))
    }

    /// The bytes that aggregates are bound to.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// Tuples (epoch, message, keys) in the statement's order, keys as bytes.
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> Vec<Group<'py>> {
        let group = |group: &library::Group| {
            let keys = group.keys().iter().map(|key| PyBytes::new(py, key)).collect();
            (group.epoch(), PyBytes::new(py, group.message()), keys)
        };
        self.0.groups().iter().map(group).collect()
    }

    /// Tuples (epoch, message, key) in the statement's order, one for each signature: the order in which `aggregate` takes them.
    fn signers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let signers: Vec<_> = self
            .0
            .signers()
            .map(|signer| (signer.epoch, PyBytes::new(py, signer.message), PyBytes::new(py, signer.key)))
            .collect();
        PyList::new(py, signers)
    }

    /// Pairs of signatures, by their numbers, of one key at one epoch for different messages: the signer has broken its key. The
    /// statement is true all the same.
    fn equivocations(&self, py: Python<'_>) -> PyResult<Vec<(usize, usize)>> {
        detached(py, || self.0.equivocations())
    }

    fn __len__(&self) -> usize {
        self.0.signatures()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.to_bytes(py)
    }

    fn __repr__(&self) -> String {
        format!("<Statement of {} groups, {} signatures>", self.0.groups().len(), self.0.signatures())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((slf.get_type().getattr("from_bytes")?, (slf.get().to_bytes(slf.py()),)))
    }
}

/// What a verifier accepts: any of `profiles`, names of `PROFILES`, at most so many signatures. Time and memory grow with their
/// number.
#[pyclass(frozen, eq, module = "phalanx.aggregate")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits(library::Limits);

#[pymethods]
impl Limits {
    #[new]
    #[pyo3(signature = (profiles, *, signatures = library::Limits::DEFAULT_SIGNATURES))]
    fn new(profiles: &Bound<'_, PyAny>, signatures: usize) -> PyResult<Self> {
        // A name alone is no sequence of names.
        let profiles: Vec<Profile> = match profiles.extract::<String>() {
            Ok(name) => vec![profile_of(&name)?],
            Err(_) => tuple_of(profiles)?
                .iter()
                .map(|name| profile_of(&name.extract::<String>()?))
                .collect::<PyResult<_>>()?,
        };
        Ok(Self(library::Limits::new(&profiles).with_signatures(signatures)))
    }
}

/// One aggregate for the signatures of `statement`, in its order: bytes, or `Signature`s. `profile` is
/// "aggregate-v1-provable100", which is weaker than what it aggregates, or "aggregate-v1-provable128"; there is no default.
/// `context` is bound to it: who verifies has to name the same. The same input gives the same bytes. Shorter than the signatures
/// from 199 on with 100 bits, from 307 with 128, and no faster to check. Raises `SignatureCount`; `MalformedSignature` or
/// `InvalidSignature`, whose `index` is the first that is not good; `Memory` above `memory_limit`, in bytes, before it computes
/// anything.
#[pyfunction]
#[pyo3(signature = (profile, statement, signatures, *, context = None, memory_limit = library::DEFAULT_MEMORY_LIMIT, threads = Team::one()))]
fn aggregate<'py>(
    py: Python<'py>,
    profile: &str,
    statement: &Statement,
    signatures: &Bound<'py, PyAny>,
    context: Option<Bytes<'py>>,
    memory_limit: u64,
    threads: Team,
) -> PyResult<Bound<'py, PyBytes>> {
    let (profile, pool) = (profile_of(profile)?, threads.pool());
    let signatures = tuple_of(signatures)?;
    let mut decoded = Vec::with_capacity(signatures.len());
    for (index, signature) in signatures.iter().enumerate() {
        decoded.push(match Given::of(&signature)?.get() {
            Either::Decoded(any::Signature::Blake2s(signature)) => blake2s::Signature::clone(signature),
            Either::Decoded(_) => return Err(errors::aggregate(py, library::Error::ParameterSet)),
            Either::Bytes(bytes) => blake2s::Signature::from_bytes(SET, bytes)
                .map_err(|error| errors::aggregated_signature(py, error, index))?,
        });
    }
    let context = context.as_ref().map_or(&[][..], Bytes::get);
    let made = detached(py, || {
        library::aggregate_watched_on(&pool, profile, &statement.0, &decoded, context, memory_limit, &|_| ())
    })?;
    Ok(PyBytes::new(py, &made.map_err(|error| errors::aggregate(py, error))?))
}

/// Verifies that for every group and every key of `statement` somebody knows a signature. `context` is what the prover bound the
/// aggregate to. Raises `ProofError`, whose `name` is the check that failed.
#[pyfunction]
#[pyo3(signature = (limits, statement, aggregate, *, context = None))]
fn verify(
    py: Python<'_>,
    limits: &Limits,
    statement: &Statement,
    aggregate: Bytes<'_>,
    context: Option<Bytes<'_>>,
) -> PyResult<()> {
    let (aggregate, context) = (aggregate.get(), context.as_ref().map_or(&[][..], Bytes::get));
    detached(py, || library::verify(&limits.0, &statement.0, context, aggregate))?
        .map_err(|error| errors::aggregate_proof(py, error))
}

/// The profile called `name`, if a statement has so many signatures.
fn sized(name: &str, signatures: usize) -> PyResult<Profile> {
    if (1..=library::MAX_SIGNATURES).contains(&signatures) {
        return profile_of(name);
    }
    let most = library::MAX_SIGNATURES;
    Err(PyValueError::new_err(format!("a statement has 1 to {most} signatures, not {signatures}")))
}

/// The length of the longest aggregate of so many signatures, in bytes.
#[pyfunction]
fn max_len_bytes(profile: &str, signatures: usize) -> PyResult<usize> {
    Ok(library::max_len_bytes(sized(profile, signatures)?, signatures))
}

/// The memory that `aggregate` takes for so many signatures, in bytes.
#[pyfunction]
fn memory_len(profile: &str, signatures: usize) -> PyResult<u64> {
    Ok(library::memory_len(sized(profile, signatures)?, signatures))
}
