//! Many signatures, a result for each.

use super::keys::{Either, Given, VerifyingKey, format_of};
use crate::arguments::{Bytes, Column, Words, detached, items, pool, tuple_of, unequal};
use phalanx::Threads;
use phalanx::xmss::{Format, any};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// Signatures that are decoded before any of them is verified: enough for all lanes of many threads, and some megabytes.
const CHUNK: usize = 1024;

/// What a signature claims, free to leave the interpreter.
struct Row<'a> {
    key: &'a any::VerifyingKey,
    /// `None` for an epoch that no lifetime has.
    epoch: Option<u32>,
    /// Of any length: only 32 bytes can verify.
    message: &'a [u8],
    signature: Either<'a>,
}

impl<'a> Row<'a> {
    /// Of bytes.
    fn of_bytes(key: &'a any::VerifyingKey, epoch: u32, message: &'a [u8], signature: &'a [u8]) -> Self {
        Self { key, epoch: Some(epoch), message, signature: Either::Bytes(signature) }
    }
}

/// A result for every row. Bytes that are no signature are not valid.
fn results(pool: &Threads, format: Format, rows: &[Row<'_>]) -> Vec<bool> {
    let mut results = vec![false; rows.len()];
    for (rows, results) in rows.chunks(CHUNK).zip(results.chunks_mut(CHUNK)) {
        let decoded: Vec<_> = rows
            .iter()
            .map(|row| match row.signature {
                Either::Bytes(bytes) => {
                    any::Signature::from_bytes(row.key.parameter_set(), format, bytes).ok()
                }
                Either::Decoded(_) => None,
            })
            .collect();
        let (mut claims, mut places) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
        for ((row, decoded), result) in rows.iter().zip(&decoded).zip(results) {
            let signature = match row.signature {
                Either::Decoded(signature) => Some(signature),
                Either::Bytes(_) => decoded.as_ref(),
            };
            if let (Some(epoch), Ok(message), Some(signature)) =
                (row.epoch, row.message.try_into(), signature)
            {
                claims.push(any::SignedMessage { key: row.key, epoch, message, signature });
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
/// a signature is bytes in `format`, or a `Signature`. Returns a list of bool. `threads` = 0 takes as many as the system can
/// run.
#[pyfunction]
#[pyo3(signature = (claims, *, format = "ssz", threads = 1))]
pub(super) fn verify_many<'py>(
    py: Python<'py>,
    claims: &Bound<'py, PyAny>,
    format: &str,
    threads: usize,
) -> PyResult<Bound<'py, PyList>> {
    let (format, pool) = (format_of(format)?, pool(threads)?);
    let claims = tuple_of(claims)?;
    let mut held = Vec::with_capacity(claims.len());
    for claim in claims.iter() {
        let [key, epoch, message, signature] = items(&claim, "verifying key, epoch, message, signature")?;
        held.push((key_of(&key)?, epoch_of(&epoch)?, Bytes::of(&message)?, Given::of(&signature)?));
    }
    let rows: Vec<_> = held
        .iter()
        .map(|(key, epoch, message, signature)| Row {
            key: &key.get().0,
            epoch: *epoch,
            message: message.get(),
            signature: signature.get(),
        })
        .collect();
    PyList::new(py, detached(py, || results(&pool, format, &rows))?)
}

fn key_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, VerifyingKey>> {
    object
        .cast::<VerifyingKey>()
        .cloned()
        .map_err(|_| PyTypeError::new_err("a VerifyingKey of phalanx.xmss wanted"))
}

/// `verify_many` of columns: one verifying key or a sequence of them, epochs (a sequence or an array of uint32), and
/// messages and signatures as sequences of bytes or as the rows of one buffer each.
#[pyfunction]
#[pyo3(signature = (keys, epochs, messages, signatures, *, format = "ssz", threads = 1))]
pub(super) fn verify_columns<'py>(
    py: Python<'py>,
    keys: &Bound<'py, PyAny>,
    epochs: Words<u32>,
    messages: Column<'py>,
    signatures: Column<'py>,
    format: &str,
    threads: usize,
) -> PyResult<Bound<'py, PyList>> {
    let (format, pool) = (format_of(format)?, pool(threads)?);
    let epochs = epochs.get();
    let count = epochs.len();
    let keys = match key_of(keys) {
        Ok(key) => vec![key; count],
        Err(_) => tuple_of(keys)?.iter().map(|key| key_of(&key)).collect::<PyResult<_>>()?,
    };
    if keys.len() != count {
        return Err(unequal(count, keys.len()));
    }
    let messages = messages.slices(Some(count), Some(32))?;
    let signatures = signatures.slices(Some(count), None)?;
    let rows: Vec<_> = keys
        .iter()
        .zip(epochs)
        .zip(messages.iter().zip(&signatures))
        .map(|((key, epoch), (message, signature))| Row::of_bytes(&key.get().0, *epoch, message, signature))
        .collect();
    PyList::new(py, detached(py, || results(&pool, format, &rows))?)
}
