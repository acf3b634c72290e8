//! Many signatures, a result for each.

use super::keys::{Either, Given, Set, VerifyingKey, format_of};
use crate::arguments::{Bytes, Column, Words, answers, detached, items, tuple_of, unequal};
use crate::threads::Team;
use phalanx::Threads;
use phalanx::xmss::{Format, any};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

/// Signatures that are decoded before any of them is verified: enough for all lanes of many threads, and some megabytes.
const CHUNK: usize = 1024;

/// What a signature claims, free to leave the interpreter.
struct Row<'a> {
    /// `None` for bytes that are no key.
    key: Option<&'a any::VerifyingKey>,
    /// `None` for an epoch that no lifetime has.
    epoch: Option<u32>,
    /// Of any length: only 32 bytes can verify.
    message: &'a [u8],
    signature: Either<'a>,
}

/// A result for every row. Bytes that are no signature are not valid.
fn results(pool: &Threads, format: Format, rows: &[Row<'_>]) -> Vec<bool> {
    let mut results = vec![false; rows.len()];
    for (rows, results) in rows.chunks(CHUNK).zip(results.chunks_mut(CHUNK)) {
        let decoded: Vec<_> = rows
            .iter()
            .map(|row| match (row.key, row.signature) {
                (Some(key), Either::Bytes(bytes)) => {
                    any::Signature::from_bytes(key.parameter_set(), format, bytes).ok()
                }
                _ => None,
            })
            .collect();
        let (mut claims, mut places) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
        for ((row, decoded), result) in rows.iter().zip(&decoded).zip(results) {
            let signature = match row.signature {
                Either::Decoded(signature) => Some(signature),
                Either::Bytes(_) => decoded.as_ref(),
            };
            if let (Some(key), Some(epoch), Ok(message), Some(signature)) =
                (row.key, row.epoch, row.message.try_into(), signature)
            {
                claims.push(any::SignedMessage { key, epoch, message, signature });
                places.push(result);
            }
        }
        for (place, outcome) in places.into_iter().zip(any::verify_many_on(pool, &claims)) {
            *place = outcome.is_ok();
        }
    }
    results
}

/// An epoch as callers give it; one beyond 32 bits is no error, but verifies nothing.
fn epoch_of(object: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    Ok(u32::try_from(object.extract::<u64>()?).ok())
}

/// Verifies many signatures, given as tuples (verifying key, epoch, message, signature), of any keys and parameter sets;
/// a signature is bytes in `format`, or a `Signature`; a key a `VerifyingKey`, or bytes in `format` if `parameter_set` says of
/// which. Returns a list of bool.
#[pyfunction]
#[pyo3(signature = (claims, *, parameter_set = None, format = "ssz", threads = Team::one()))]
pub(super) fn verify_many<'py>(
    py: Python<'py>,
    claims: &Bound<'py, PyAny>,
    parameter_set: Option<Set>,
    format: &str,
    threads: Team,
) -> PyResult<Bound<'py, PyList>> {
    let (format, pool) = (format_of(format)?, threads.pool());
    let claims = tuple_of(claims)?;
    let mut held = Vec::with_capacity(claims.len());
    for claim in claims.iter() {
        let [key, epoch, message, signature] = items(&claim, "verifying key, epoch, message, signature")?;
        held.push((
            Key::of(&key, parameter_set, format)?,
            epoch_of(&epoch)?,
            Bytes::of(&message)?,
            Given::of(&signature)?,
        ));
    }
    let rows: Vec<_> = held
        .iter()
        .map(|(key, epoch, message, signature)| Row {
            key: key.get(),
            epoch: *epoch,
            message: message.get(),
            signature: signature.get(),
        })
        .collect();
    PyList::new(py, detached(py, || results(&pool, format, &rows))?)
}

/// A key as callers give it.
enum Key<'py> {
    Object(Bound<'py, VerifyingKey>),
    /// Of bytes; `None` if they are none.
    Read(Option<any::VerifyingKey>),
}

impl<'py> Key<'py> {
    fn of(object: &Bound<'py, PyAny>, set: Option<Set>, format: Format) -> PyResult<Self> {
        if let Ok(key) = object.cast::<VerifyingKey>() {
            return Ok(Self::Object(key.clone()));
        }
        match set {
            Some(set) => Ok(Self::read(set, format, Bytes::of(object)?.get())),
            None => Err(wanted()),
        }
    }

    fn read(set: Set, format: Format, bytes: &[u8]) -> Self {
        Self::Read(any::VerifyingKey::from_bytes(set.0, format, bytes).ok())
    }

    fn get(&self) -> Option<&any::VerifyingKey> {
        match self {
            Self::Object(key) => Some(&key.get().0),
            Self::Read(key) => key.as_ref(),
        }
    }
}

fn wanted() -> PyErr {
    PyTypeError::new_err("a VerifyingKey of phalanx.xmss wanted, or the bytes of one and its parameter_set")
}

/// Whether `object` is a sequence of values, each for a row.
fn is_sequence(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>()
}

/// `verify_many` of columns: keys, epochs (a sequence or an array of uint32), messages and signatures, each a sequence or the
/// rows of one buffer, which may lie apart, as `table[:, :32]` does. One `VerifyingKey` is for all. Keys of bytes want their
/// `parameter_set`. Returns a list of bool, or an array of numpy if keys, messages or signatures are one.
#[pyfunction]
#[pyo3(signature = (keys, epochs, messages, signatures, *, parameter_set = None, format = "ssz", threads = Team::one()))]
#[allow(clippy::too_many_arguments, reason = "they have names in Python")]
pub(super) fn verify_columns<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    epochs: Words<u32>,
    messages: Column<'py>,
    signatures: &Bound<'py, PyAny>,
    parameter_set: Option<Set>,
    format: &str,
    threads: Team,
) -> PyResult<Bound<'py, PyAny>> {
    let (format, pool) = (format_of(format)?, threads.pool());
    let epochs = epochs.get();
    let count = epochs.len();
    let mut is_array = messages.is_array();
    let mut one = None;
    let keys: Vec<Key<'_>> = if keys.cast::<VerifyingKey>().is_ok() {
        one = Some(Key::of(keys, None, format)?);
        Vec::new()
    } else if let (false, Some(set)) = (is_sequence(keys), parameter_set) {
        let column: Column<'_> = keys.extract()?;
        is_array |= column.is_array();
        column.slices(Some(count), None)?.into_iter().map(|key| Key::read(set, format, key)).collect()
    } else if is_sequence(keys) || Bytes::of(keys).is_err() {
        tuple_of(keys)?.iter().map(|key| Key::of(&key, parameter_set, format)).collect::<PyResult<_>>()?
    } else {
        return Err(wanted());
    };
    if one.is_none() && keys.len() != count {
        return Err(unequal(count, keys.len()));
    }
    let messages = messages.slices(Some(count), Some(32))?;
    let (objects, column): (Vec<Given<'_>>, Option<Column<'_>>) = if is_sequence(signatures) {
        let objects = tuple_of(signatures)?.iter().map(|item| Given::of(&item)).collect::<PyResult<_>>()?;
        (objects, None)
    } else {
        (Vec::new(), Some(signatures.extract()?))
    };
    let signatures: Vec<Either<'_>> = match &column {
        Some(column) => {
            is_array |= column.is_array();
            column.slices(Some(count), None)?.into_iter().map(Either::Bytes).collect()
        }
        None => objects.iter().map(Given::get).collect(),
    };
    if signatures.len() != count {
        return Err(unequal(count, signatures.len()));
    }
    let mut rows = Vec::with_capacity(count);
    for (i, ((epoch, message), signature)) in epochs.iter().zip(messages).zip(signatures).enumerate() {
        let key = one.as_ref().or_else(|| keys.get(i)).and_then(Key::get);
        rows.push(Row { key, epoch: Some(*epoch), message, signature });
    }
    answers(py, is_array, &detached(py, || results(&pool, format, &rows))?)
}
