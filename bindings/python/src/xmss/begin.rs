//! What a key begins with: a seed, and an interval of epochs.

use super::keys::Set;
use crate::arguments::{Secret, detached};
use crate::errors::{self, Raised};
use phalanx::xmss::{Error, any};
use pyo3::prelude::*;
use zeroize::Zeroizing;

/// Begins a key, from `seed` or from the system's randomness.
pub(super) fn begin(
    py: Python<'_>,
    set: Set,
    start: u64,
    count: u64,
    seed: Option<Secret>,
) -> PyResult<any::KeyGeneration> {
    let seed = match seed {
        Some(seed) => seed.array::<32>("seed")?,
        None => {
            let mut seed = Zeroizing::new([0; 32]);
            if getrandom::fill(&mut *seed).is_err() {
                return Err(Raised::new(py, "RngFailed", phalanx::ed25519::Error::RngFailed).into());
            }
            seed
        }
    };
    let lifetime = set.0.lifetime();
    let interval = || errors::xmss(py, Error::Interval { start, count, lifetime });
    let end = start.checked_add(count).ok_or_else(interval)?;
    detached(py, || any::KeyGeneration::from_seed(set.0, &seed, start..end))?
        .map_err(|error| errors::xmss(py, error))
}
