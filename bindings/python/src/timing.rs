//! What the same work takes without Python, for `bench/verify_many.py`: hidden functions that measure in Rust.

use crate::arguments::{Column, Words, detached};
use crate::ed25519::{judge, profile_of};
use crate::xmss::VerifyingKey;
use phalanx::Threads;
use phalanx::ed25519;
use phalanx::xmss::Format;
use phalanx::xmss::any::{Signature, SignedMessage, verify_many};
use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_time_ed25519, module)?)?;
    module.add_function(wrap_pyfunction!(_time_xmss, module)?)
}

/// What `work` gives, and the nanoseconds that it takes by the caller's clock.
fn timed(
    py: Python<'_>,
    clock: &Bound<'_, PyAny>,
    work: impl FnOnce() -> usize + Send,
) -> PyResult<(u64, usize)> {
    let begun: u64 = clock.call0()?.extract()?;
    let valid = detached(py, work)?;
    Ok((clock.call0()?.extract::<u64>()?.saturating_sub(begun), valid))
}

/// Nanoseconds that Rust takes to judge signatures that lie ready in its memory, and how many are valid.
#[pyfunction]
fn _time_ed25519(
    py: Python<'_>,
    public_keys: Column<'_>,
    messages: Column<'_>,
    signatures: Column<'_>,
    profile: &str,
    clock: &Bound<'_, PyAny>,
) -> PyResult<(u64, usize)> {
    let profile = profile_of(profile)?;
    let (keys, messages) = (public_keys.slices(None, Some(32))?, messages.slices(None, None)?);
    let signatures = signatures.slices(None, Some(64))?;
    let elements: Vec<_> = keys
        .iter()
        .zip(messages)
        .zip(signatures)
        .map(|((public_key, message), signature)| ed25519::SignedMessage { public_key, message, signature })
        .collect();
    timed(py, clock, || judge(&Threads::new(1), profile, &elements).iter().filter(|&&valid| valid).count())
}

/// The same for XMSS: signatures as bytes in SSZ, decoded and verified.
#[pyfunction]
fn _time_xmss(
    py: Python<'_>,
    key: &VerifyingKey,
    epochs: Words<u32>,
    messages: Column<'_>,
    signatures: Column<'_>,
    clock: &Bound<'_, PyAny>,
) -> PyResult<(u64, usize)> {
    let (messages, signatures) = (messages.slices(None, Some(32))?, signatures.slices(None, None)?);
    let (epochs, key) = (epochs.get(), &key.0);
    timed(py, clock, || {
        let decode = |bytes: &&[u8]| Signature::from_bytes(key.parameter_set(), Format::Ssz, bytes).ok();
        let decoded: Vec<_> = signatures.iter().filter_map(decode).collect();
        let claims: Vec<_> = epochs
            .iter()
            .zip(&messages)
            .zip(&decoded)
            .filter_map(|((epoch, message), signature)| {
                let message = (*message).try_into().ok()?;
                Some(SignedMessage { key, epoch: *epoch, message, signature })
            })
            .collect();
        let results = verify_many(&claims);
        results.iter().filter(|result| result.is_ok()).count()
    })
}
