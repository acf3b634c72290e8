//! Parameter sets, verifying keys and signatures.

use crate::arguments::{Bytes, choice, detached};
use crate::errors::{self, invalid_signature, malformed_signature};
use phalanx::Malformed;
use phalanx::xmss::{Error, Format, any};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The encoding called `name`.
pub(crate) fn format_of(name: &str) -> PyResult<Format> {
    choice("format", name, Format::from_name, || Format::ALL.iter().map(|format| format.name()).collect())
}

/// What pickle makes an object from: a function, and its arguments.
type Remade<'py> = (Bound<'py, PyAny>, (ParameterSet, Bound<'py, PyBytes>));

/// A named, versioned choice of hash family, chains, encoding and lifetime, such as "xmss-poseidon2-l32-d64b8" or
/// "xmss-blake2s-l32-d42b8".
#[pyclass(frozen, eq, hash, module = "phalanx.xmss")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ParameterSet(pub(super) any::ParameterSet);

#[pymethods]
impl ParameterSet {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let names = || any::ParameterSet::ALL.map(any::ParameterSet::name).to_vec();
        choice("parameter set", name, any::ParameterSet::from_name, names).map(Self)
    }

    /// All sets of this version.
    #[staticmethod]
    fn all() -> Vec<Self> {
        any::ParameterSet::ALL.map(Self).to_vec()
    }

    /// The name, as it stands in files and errors.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The name in leanSig's vector files; `None` for the sets over BLAKE2s, which are not in any.
    #[getter]
    fn profile(&self) -> Option<&'static str> {
        match self.0 {
            any::ParameterSet::KoalaBear(set) => Some(set.profile()),
            _ => None,
        }
    }

    /// Number of epochs a key of this set could have.
    #[getter]
    fn lifetime(&self) -> u64 {
        self.0.lifetime()
    }

    /// Leaves of one bottom tree: the unit in which keys are computed and advance. `None` for the sets over BLAKE2s, whose
    /// keys have exactly the epochs asked for, in trees of a size that depends on how many those are.
    #[getter]
    fn tree_leaves(&self) -> Option<u64> {
        self.0.tree_leaves()
    }

    /// Number of hash chains.
    #[getter]
    fn chains(&self) -> usize {
        self.0.chains()
    }

    /// Number of positions of a chain.
    #[getter]
    fn base(&self) -> u8 {
        self.0.base()
    }

    /// Whether keys of the set are made and sign. Else the set is for verification only.
    #[getter]
    fn signs(&self) -> bool {
        self.0.signs()
    }

    /// Whether the set exists for tests only: signatures under it can be forged.
    #[getter]
    fn is_insecure(&self) -> bool {
        self.0.is_insecure()
    }

    fn __repr__(&self) -> String {
        format!("ParameterSet('{}')", self.0.name())
    }

    fn __str__(&self) -> &'static str {
        self.0.name()
    }

    fn __getnewargs__(&self) -> (&'static str,) {
        (self.0.name(),)
    }
}

/// A parameter set, or its name.
#[derive(Clone, Copy)]
pub(crate) struct Set(pub(crate) any::ParameterSet);

impl FromPyObject<'_, '_> for Set {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(set) = object.cast::<ParameterSet>() {
            return Ok(Self(set.get().0));
        }
        match object.cast::<PyString>() {
            Ok(name) => ParameterSet::new(&name.to_cow()?).map(|set| Self(set.0)),
            Err(_) => Err(PyTypeError::new_err("a ParameterSet or the name of one wanted")),
        }
    }
}

/// What verifies signatures.
#[pyclass(frozen, eq, hash, module = "phalanx.xmss")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct VerifyingKey(pub(crate) any::VerifyingKey);

impl core::hash::Hash for VerifyingKey {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        ssz(&self.0).hash(state);
    }
}

/// The key in SSZ, which keys of every set have.
fn ssz(key: &any::VerifyingKey) -> Vec<u8> {
    key.to_bytes(Format::Ssz).unwrap_or_default()
}

#[pymethods]
impl VerifyingKey {
    /// The key of `parameter_set` that `data` holds. Raises `Malformed`.
    #[staticmethod]
    #[pyo3(signature = (parameter_set, data, *, format = "ssz"))]
    fn from_bytes(py: Python<'_>, parameter_set: Set, data: Bytes<'_>, format: &str) -> PyResult<Self> {
        let (format, data) = (format_of(format)?, data.get());
        detached(py, || any::VerifyingKey::from_bytes(parameter_set.0, format, data))?
            .map(Self)
            .map_err(|error| errors::xmss(py, error))
    }

    /// The key in `format`.
    #[pyo3(signature = (*, format = "ssz"))]
    fn to_bytes<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let format = format_of(format)?;
        let bytes = detached(py, || self.0.to_bytes(format))?.map_err(|error| errors::xmss(py, error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The parameter set of the key.
    #[getter]
    fn parameter_set(&self) -> ParameterSet {
        ParameterSet(self.0.parameter_set())
    }

    /// The name of the one-time keys, 32 bytes, by which ledgers know the key: equal for all keys of one seed.
    #[getter]
    fn key_id<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.key_id().as_bytes())
    }

    /// Verifies that this key signed `message` (32 bytes) at `epoch`. Raises `InvalidSignature` if it did not; of
    /// which `MalformedSignature` is for bytes that are no signature of the key's parameter set.
    #[pyo3(signature = (epoch, message, signature, *, format = "ssz"))]
    fn verify(
        &self,
        py: Python<'_>,
        epoch: u64,
        message: Bytes<'_>,
        signature: Given<'_>,
        format: &str,
    ) -> PyResult<()> {
        let (message, format) = (message.array::<32>("message")?, format_of(format)?);
        // No lifetime is longer, so that no signature is for such an epoch.
        let Ok(epoch) = u32::try_from(epoch) else { return Err(invalid_signature(py)) };
        let (set, signature) = (self.0.parameter_set(), signature.get());
        let outcome = detached(py, || match signature {
            Either::Decoded(signature) => Ok(self.0.verify(epoch, message, signature)),
            Either::Bytes(bytes) => any::Signature::from_bytes(set, format, bytes)
                .map(|signature| self.0.verify(epoch, message, &signature)),
        })?;
        outcome
            .map_err(|error| match error {
                Error::Malformed(Malformed { what, got, wanted }) => {
                    malformed_signature(py, error, (what, got, wanted))
                }
                _ => errors::xmss(py, error),
            })?
            .map_err(|_| invalid_signature(py))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.to_bytes(py, Format::Ssz.name())
    }

    fn __repr__(&self) -> String {
        let hex: String = ssz(&self.0).iter().map(|byte| format!("{byte:02x}")).collect();
        format!("VerifyingKey({}, {hex})", self.0.parameter_set())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Remade<'py>> {
        let from_bytes = slf.get_type().getattr("from_bytes")?;
        Ok((from_bytes, (slf.get().parameter_set(), slf.get().__bytes__(slf.py())?)))
    }
}

/// A signature, decoded: always of the right shape. Whether it verifies is another question.
#[pyclass(frozen, eq, module = "phalanx.xmss")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Signature(any::Signature);

#[pymethods]
impl Signature {
    /// The signature under `parameter_set` that `data` holds. Raises `Malformed`.
    #[staticmethod]
    #[pyo3(signature = (parameter_set, data, *, format = "ssz"))]
    fn from_bytes(py: Python<'_>, parameter_set: Set, data: Bytes<'_>, format: &str) -> PyResult<Self> {
        let (format, data) = (format_of(format)?, data.get());
        detached(py, || any::Signature::from_bytes(parameter_set.0, format, data))?
            .map(Self)
            .map_err(|error| errors::xmss(py, error))
    }

    /// The signature in `format`.
    #[pyo3(signature = (*, format = "ssz"))]
    fn to_bytes<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let format = format_of(format)?;
        let bytes = detached(py, || self.0.to_bytes(format))?.map_err(|error| errors::xmss(py, error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The parameter set it was made or decoded for.
    #[getter]
    fn parameter_set(&self) -> ParameterSet {
        ParameterSet(self.0.parameter_set())
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.to_bytes(py, Format::Ssz.name())
    }

    fn __repr__(&self) -> String {
        format!("<Signature of {}>", self.0.parameter_set())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Remade<'py>> {
        let from_bytes = slf.get_type().getattr("from_bytes")?;
        Ok((from_bytes, (slf.get().parameter_set(), slf.get().__bytes__(slf.py())?)))
    }
}

/// A signature as callers give it: decoded, or its bytes.
pub(crate) enum Given<'py> {
    Decoded(Bound<'py, Signature>),
    Bytes(Bytes<'py>),
}

/// [`Given`], borrowed and free to leave the interpreter.
#[derive(Clone, Copy)]
pub(crate) enum Either<'a> {
    Decoded(&'a any::Signature),
    Bytes(&'a [u8]),
}

impl<'py> Given<'py> {
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyBytes>() {
            Ok(bytes) => Ok(Self::Bytes(Bytes::Bytes(bytes.clone()))),
            Err(_) => match object.cast::<Signature>() {
                Ok(signature) => Ok(Self::Decoded(signature.clone())),
                Err(_) => Bytes::of(object).map(Self::Bytes),
            },
        }
    }

    pub(crate) fn get(&self) -> Either<'_> {
        match self {
            Self::Decoded(signature) => Either::Decoded(&signature.get().0),
            Self::Bytes(bytes) => Either::Bytes(bytes.get()),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Given<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Self::of(&object)
    }
}
