//! The four functions.

use super::arrays::new_array;
use super::digests::{bytes_of, digest_of};
use super::many;
use crate::arguments::{Bytes, Words, choice, detached, is_numpy_array};
use crate::buffer::Buffer;
use crate::errors;
use crate::threads::Team;
use phalanx::rescue::{self, Digest};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

/// A hash function over Goldilocks elements and over bytes: "rescue-rp64-256", "rescue-jive-256", "rpo-256" or "rpx-256".
/// Elements are integers below 2^64, taken modulo p; a digest is 32 bytes.
#[pyclass(frozen, eq, hash, module = "phalanx.rescue")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Function(pub(crate) rescue::Function);

/// A function, or its name.
#[derive(Clone, Copy)]
pub(crate) struct Named(pub(crate) rescue::Function);

impl FromPyObject<'_, '_> for Named {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(function) = object.cast::<Function>() {
            return Ok(Self(function.get().0));
        }
        match object.cast::<PyString>() {
            Ok(name) => Function::new(&name.to_cow()?).map(|function| Self(function.0)),
            Err(_) => Err(PyTypeError::new_err("a Function or the name of one wanted")),
        }
    }
}

#[pymethods]
impl Function {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let names = || rescue::Function::ALL.map(rescue::Function::name).to_vec();
        choice("function", name, rescue::Function::from_name, names).map(Self)
    }

    /// All four.
    #[staticmethod]
    fn all() -> Vec<Self> {
        rescue::Function::ALL.map(Self).to_vec()
    }

    /// The name, as on the command line and in files.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Words in a state of the permutation.
    #[getter]
    fn width(&self) -> usize {
        self.0.width()
    }

    /// Permutes the states that stand one after the other in `states`. An array of numpy gives a new one of the same shape,
    /// anything else a list of int; or `out`, a writable array of uint64 that may be `states` itself, is filled and returned.
    /// Raises `PartialState`.
    #[pyo3(signature = (states, *, out = None, threads = Team::one()))]
    fn permute<'py>(
        &self,
        py: Python<'py>,
        states: &Bound<'py, PyAny>,
        out: Option<Bound<'py, PyAny>>,
        threads: Team,
    ) -> PyResult<Bound<'py, PyAny>> {
        let pool = threads.pool();
        self.permute_with(py, states, out, |function, words| function.permute_on(&pool, words))
    }

    /// `permute` for secret states: in constant time, and slower. What comes out is the caller's to wipe.
    #[pyo3(signature = (states, *, out = None))]
    fn permute_secret<'py>(
        &self,
        py: Python<'py>,
        states: &Bound<'py, PyAny>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.permute_with(py, states, out, rescue::Function::permute_secret)
    }

    /// Hashes elements. By the references' rules a digest of elements can also be one of bytes (Rp64_256 and Jive) or of a
    /// merge (all but Jive): use one form in one domain.
    fn hash_elements<'py>(&self, py: Python<'py>, elements: Words<u64>) -> PyResult<Bound<'py, PyBytes>> {
        let elements = elements.get();
        self.digest(py, |function| Ok(function.hash_elements(elements)))
    }

    /// Hashes elements in a domain. Raises `NoDomain` unless the function is RPO or RPX.
    fn hash_elements_in_domain<'py>(
        &self,
        py: Python<'py>,
        elements: Words<u64>,
        domain: u64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let elements = elements.get();
        self.digest(py, |function| function.hash_elements_in_domain(elements, domain))
    }

    /// Hashes secret elements: in constant time, and slower.
    fn hash_elements_secret<'py>(
        &self,
        py: Python<'py>,
        elements: Words<u64>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let elements = elements.get();
        self.digest(py, |function| Ok(function.hash_elements_secret(elements)))
    }

    /// Hashes bytes as the reference does. Raises `UndefinedLength` where it has no answer: Rp64_256, above 56 bytes, no
    /// multiple of 7.
    fn hash<'py>(&self, py: Python<'py>, data: Bytes<'_>) -> PyResult<Bound<'py, PyBytes>> {
        let data = data.get();
        self.digest(py, |function| function.hash(data))
    }

    /// Hashes secret bytes: in constant time, and slower. Their number is no secret.
    fn hash_secret<'py>(&self, py: Python<'py>, data: Bytes<'_>) -> PyResult<Bound<'py, PyBytes>> {
        let data = data.get();
        self.digest(py, |function| function.hash_secret(data))
    }

    /// Hashes bytes of any length with the terminator at every length. Rp64_256 shares digests between this form and
    /// others: of 62 bytes it is `hash` of these and a byte 1. Use one form in one domain.
    fn hash_padded<'py>(&self, py: Python<'py>, data: Bytes<'_>) -> PyResult<Bound<'py, PyBytes>> {
        let data = data.get();
        self.digest(py, |function| Ok(function.hash_padded(data)))
    }

    /// `hash_padded` of secret bytes: in constant time, and slower.
    fn hash_padded_secret<'py>(&self, py: Python<'py>, data: Bytes<'_>) -> PyResult<Bound<'py, PyBytes>> {
        let data = data.get();
        self.digest(py, |function| Ok(function.hash_padded_secret(data)))
    }

    /// The digest of two digests.
    fn merge<'py>(
        &self,
        py: Python<'py>,
        left: Bytes<'_>,
        right: Bytes<'_>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (left, right) = (digest_of(py, left.get())?, digest_of(py, right.get())?);
        self.digest(py, |function| Ok(function.merge(&left, &right)))
    }

    /// The digest of two secret digests: in constant time, and slower.
    fn merge_secret<'py>(
        &self,
        py: Python<'py>,
        left: Bytes<'_>,
        right: Bytes<'_>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (left, right) = (digest_of(py, left.get())?, digest_of(py, right.get())?);
        self.digest(py, |function| Ok(function.merge_secret(&left, &right)))
    }

    /// The digest of two digests in a domain. Raises `NoDomain` unless the function is RPO or RPX.
    fn merge_in_domain<'py>(
        &self,
        py: Python<'py>,
        left: Bytes<'_>,
        right: Bytes<'_>,
        domain: u64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (left, right) = (digest_of(py, left.get())?, digest_of(py, right.get())?);
        self.digest(py, |function| function.merge_in_domain(&left, &right, domain))
    }

    /// The digest of a digest and an integer below 2^64.
    fn merge_with_int<'py>(
        &self,
        py: Python<'py>,
        seed: Bytes<'_>,
        value: u64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let seed = digest_of(py, seed.get())?;
        self.digest(py, |function| Ok(function.merge_with_int(&seed, value)))
    }

    /// The digest of any number of digests: a sequence of 32 bytes each, or one buffer of them.
    fn merge_many<'py>(&self, py: Python<'py>, digests: many::Digests) -> PyResult<Bound<'py, PyBytes>> {
        self.digest(py, |function| Ok(function.merge_many(&digests.0)))
    }

    /// `hash_elements` of each input, side by side in lanes: a sequence of arrays, or the rows of one array of uint64. An
    /// array gives an array with a row of four elements for each digest; a sequence gives a list of bytes.
    #[pyo3(signature = (inputs, *, threads = Team::one()))]
    fn hash_elements_many<'py>(
        &self,
        py: Python<'py>,
        inputs: &Bound<'py, PyAny>,
        threads: Team,
    ) -> PyResult<Bound<'py, PyAny>> {
        many::hash_elements(py, self.0, inputs, &threads.pool())
    }

    /// `hash` of each input, side by side in lanes: a sequence of bytes, or the rows of an array of uint8. Gives what
    /// `hash_elements_many` gives. Raises `UndefinedLength`.
    #[pyo3(signature = (inputs, *, threads = Team::one()))]
    fn hash_many<'py>(
        &self,
        py: Python<'py>,
        inputs: &Bound<'py, PyAny>,
        threads: Team,
    ) -> PyResult<Bound<'py, PyAny>> {
        let pool = threads.pool();
        many::hash_bytes(py, inputs, |slices| self.0.hash_many_on(&pool, slices))
    }

    /// `hash_padded` of each input, side by side in lanes; see `hash_many`.
    #[pyo3(signature = (inputs, *, threads = Team::one()))]
    fn hash_padded_many<'py>(
        &self,
        py: Python<'py>,
        inputs: &Bound<'py, PyAny>,
        threads: Team,
    ) -> PyResult<Bound<'py, PyAny>> {
        let pool = threads.pool();
        many::hash_bytes(py, inputs, |slices| Ok(self.0.hash_padded_many_on(&pool, slices)))
    }

    /// `merge` of each pair, side by side in lanes: a sequence of pairs of 32 bytes, or one buffer of digests, two and two.
    /// Gives what `hash_elements_many` gives.
    #[pyo3(signature = (pairs, *, threads = Team::one()))]
    fn merge_pairs<'py>(
        &self,
        py: Python<'py>,
        pairs: &Bound<'py, PyAny>,
        threads: Team,
    ) -> PyResult<Bound<'py, PyAny>> {
        many::merge_pairs(py, self.0, pairs, &threads.pool())
    }

    /// `merge_with_int` of one digest and each value, side by side in lanes. Gives what `hash_elements_many` gives.
    #[pyo3(signature = (seed, values, *, threads = Team::one()))]
    fn merge_with_ints<'py>(
        &self,
        py: Python<'py>,
        seed: Bytes<'_>,
        values: &Bound<'py, PyAny>,
        threads: Team,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (pool, seed) = (threads.pool(), digest_of(py, seed.get())?);
        let words = Words::<u64>::of(values)?;
        let words = words.get();
        let digests = detached(py, || self.0.merge_with_ints_on(&pool, &seed, words))?;
        many::answer(py, values, &digests)
    }

    fn __repr__(&self) -> String {
        format!("Function('{}')", self.0.name())
    }

    fn __str__(&self) -> &'static str {
        self.0.name()
    }

    fn __getnewargs__(&self) -> (&'static str,) {
        (self.0.name(),)
    }
}

impl Function {
    /// Calls `work` detached and gives its digest.
    fn digest<'py>(
        &self,
        py: Python<'py>,
        work: impl FnOnce(rescue::Function) -> Result<Digest, rescue::Error> + Send,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let digest = detached(py, || work(self.0))?.map_err(|error| errors::rescue(py, error))?;
        Ok(bytes_of(py, &digest))
    }

    /// Permutes `states` with `work`, into what the caller wants.
    fn permute_with<'py>(
        &self,
        py: Python<'py>,
        states: &Bound<'py, PyAny>,
        out: Option<Bound<'py, PyAny>>,
        work: impl FnOnce(rescue::Function, &mut [u64]) -> Result<(), rescue::Error> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let error = |error| errors::rescue(py, error);
        let out = match out {
            None if is_numpy_array(states)? => Some(new_array(py, &Buffer::of(states)?.shape())?),
            out => out,
        };
        let Some(out) = out else {
            let mut words = Words::<u64>::of(states)?.get().to_vec();
            detached(py, || work(self.0, &mut words))?.map_err(error)?;
            return Ok(PyList::new(py, words)?.into_any());
        };
        // The length first, so that nothing is written if it is wrong.
        let words = Words::<u64>::of(states)?;
        let len = words.get().len();
        if !len.is_multiple_of(self.0.width()) {
            return Err(error(rescue::Error::PartialState { got: len, width: self.0.width() }));
        }
        let mut target = Buffer::writable(&out)?;
        match &words {
            Words::View(source) => target.copy_words::<u64>(source)?,
            Words::Copied(source) => {
                let place = target.words_mut::<u64>()?;
                if place.len() != source.len() {
                    let (got, wanted) = (place.len(), source.len());
                    return Err(PyValueError::new_err(format!("out has {got} words, wanted {wanted}")));
                }
                place.copy_from_slice(source);
            }
        }
        drop(words);
        let place = target.words_mut::<u64>()?;
        detached(py, || work(self.0, place))?.map_err(error)?;
        drop(target);
        Ok(out)
    }
}
