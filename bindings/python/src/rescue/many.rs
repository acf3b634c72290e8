//! Lists of inputs, and of digests.

use super::arrays::new_array;
use super::digests::digest_of;
use crate::arguments::{Bytes, Column, Words, detached, is_numpy_array, items, tuple_of};
use crate::buffer::Buffer;
use crate::errors;
use phalanx::Threads;
use phalanx::rescue::{self, Digest};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

/// The digests as the caller of `input` wants them: an array for an array, else a list of bytes.
pub(super) fn answer<'py>(
    py: Python<'py>,
    input: &Bound<'py, PyAny>,
    digests: &[Digest],
) -> PyResult<Bound<'py, PyAny>> {
    if !is_numpy_array(input)? {
        let list = PyList::new(py, digests.iter().map(|digest| PyBytes::new(py, &digest.to_bytes())))?;
        return Ok(list.into_any());
    }
    let array = new_array(py, &[digests.len(), 4])?;
    let mut buffer = Buffer::writable(&array)?;
    for (row, digest) in buffer.words_mut::<u64>()?.chunks_exact_mut(4).zip(digests) {
        row.copy_from_slice(&digest.to_elements());
    }
    drop(buffer);
    Ok(array)
}

/// Hashes the rows of an array, or the arrays of a sequence.
pub(super) fn hash_elements<'py>(
    py: Python<'py>,
    function: rescue::Function,
    inputs: &Bound<'py, PyAny>,
    pool: &Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let is_sequence = inputs.is_instance_of::<PyList>() || inputs.is_instance_of::<PyTuple>();
    if is_sequence {
        let held: Vec<_> =
            tuple_of(inputs)?.iter().map(|item| Words::<u64>::of(&item)).collect::<PyResult<_>>()?;
        let slices: Vec<_> = held.iter().map(Words::get).collect();
        let digests = detached(py, || function.hash_elements_many_on(pool, &slices))?;
        return answer(py, inputs, &digests);
    }
    let buffer = Buffer::of(inputs)?;
    let words = buffer.words::<u64>()?;
    let slices: Vec<&[u64]> = match *buffer.shape() {
        [rows, 0, ..] => vec![&[]; rows],
        [rows, _, ..] => words.chunks_exact((words.len() / rows.max(1)).max(1)).collect(),
        _ => return Err(PyValueError::new_err("an array of rows wanted, or a sequence of arrays")),
    };
    let digests = detached(py, || function.hash_elements_many_on(pool, &slices))?;
    answer(py, inputs, &digests)
}

/// Hashes the rows of an array of bytes, or the bytes of a sequence.
pub(super) fn hash_bytes<'py>(
    py: Python<'py>,
    inputs: &Bound<'py, PyAny>,
    work: impl FnOnce(&[&[u8]]) -> Result<Vec<Digest>, rescue::Error> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let column: Column<'_> = inputs.extract()?;
    if matches!(column, Column::Rows { shape: None, .. }) {
        return Err(PyValueError::new_err("an array of rows wanted, or a sequence of bytes"));
    }
    let slices = column.slices(None, None)?;
    let digests = detached(py, || work(&slices))?.map_err(|error| errors::rescue(py, error))?;
    answer(py, inputs, &digests)
}

/// Merges pairs.
pub(super) fn merge_pairs<'py>(
    py: Python<'py>,
    function: rescue::Function,
    pairs: &Bound<'py, PyAny>,
    pool: &Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let is_sequence = pairs.is_instance_of::<PyList>() || pairs.is_instance_of::<PyTuple>();
    let digests: Vec<[Digest; 2]> = if is_sequence {
        let pair = |item: Bound<'py, PyAny>| {
            let [left, right] = items(&item, "left digest, right digest")?;
            Ok([digest_of(py, Bytes::of(&left)?.get())?, digest_of(py, Bytes::of(&right)?.get())?])
        };
        tuple_of(pairs)?.iter().map(pair).collect::<PyResult<_>>()?
    } else {
        let digests: Digests = pairs.extract()?;
        let (pairs, odd) = digests.0.as_chunks();
        if !odd.is_empty() {
            let text = format!("{} digests are no whole number of pairs", digests.0.len());
            return Err(PyValueError::new_err(text));
        }
        pairs.to_vec()
    };
    let merged = detached(py, || function.merge_pairs_on(pool, &digests))?;
    answer(py, pairs, &merged)
}

/// Digests as callers give them: a sequence of 32 bytes each, or one buffer, of bytes or of uint64.
pub(crate) struct Digests(pub(crate) Vec<Digest>);

impl FromPyObject<'_, '_> for Digests {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
            let digest = |item: Bound<'_, PyAny>| digest_of(py, Bytes::of(&item)?.get());
            return Ok(Self(tuple_of(&object)?.iter().map(digest).collect::<PyResult<_>>()?));
        }
        // Elements above p are no digest, in an array as little as in bytes.
        let buffer = Buffer::of(&object)?;
        let (rows, odd) = buffer.bytes().as_chunks::<32>();
        if !odd.is_empty() {
            let len = buffer.len_bytes();
            return Err(PyValueError::new_err(format!("{len} bytes are no whole number of digests")));
        }
        Ok(Self(rows.iter().map(|row| digest_of(py, row)).collect::<PyResult<_>>()?))
    }
}
