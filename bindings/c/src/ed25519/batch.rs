//! Batches that are collected first.

use super::profile_of;
use super::verify::write_results;
use crate::common::{Pool, team};
use crate::ffi::{self, Team, entry};
use crate::status::{PHALANX_ERROR_INVALID_LENGTH, Status};
use phalanx::ed25519::BatchVerifier;

/// Collects signatures and verifies them together; every entry gets its result.
pub struct Ed25519Batch(BatchVerifier);

/// Makes an empty batch under `profile`. End it with `phalanx_ed25519_batch_free`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_batch_new(batch: *mut *mut Ed25519Batch, profile: u32) -> Status {
    entry!({ ffi::give(batch, || Ok(Ed25519Batch(BatchVerifier::new(profile_of(profile)?)))) })
}

/// As `phalanx_ed25519_batch_new`, with coefficients from the hash of the batch alone: see
/// `phalanx_ed25519_verify_batch_deterministic`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_batch_new_deterministic(
    batch: *mut *mut Ed25519Batch,
    profile: u32,
) -> Status {
    entry!({ ffi::give(batch, || Ok(Ed25519Batch(BatchVerifier::deterministic(profile_of(profile)?)))) })
}

/// Ends a batch. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ed25519_batch_free(batch: *mut Ed25519Batch) {
    ffi::free(batch);
}

/// Adds an entry. Key and signature of a wrong length make it invalid; nothing is refused. Nothing of the caller's memory
/// is kept: the entry takes 200 bytes, and up to 64 short messages wait as copies.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_batch_add(
    batch: *mut Ed25519Batch,
    verifying_key: *const u8,
    verifying_key_len: usize,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
) -> Status {
    entry!({
        let key = ffi::slice(verifying_key, verifying_key_len)?;
        let message = ffi::slice(message, message_len)?;
        let signature = ffi::slice(signature, signature_len)?;
        ffi::value_mut(batch)?.0.add(key, signature, message);
        Ok(())
    })
}

/// The number of entries; 0 for null.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ed25519_batch_len(batch: *const Ed25519Batch) -> usize {
    let mut len = 0;
    // Null has no entries.
    let _ = entry!({
        len = ffi::value(batch)?.0.len();
        Ok(())
    });
    len
}

/// Forgets all entries, for the next batch.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_batch_clear(batch: *mut Ed25519Batch) -> Status {
    entry!({
        ffi::value_mut(batch)?.0.clear();
        Ok(())
    })
}

/// Verifies all entries on `threads` threads and writes a result for each, in the order of adding; `results_len` is the
/// number of entries (else `PHALANX_ERROR_INVALID_LENGTH`). `results` may be null with a length of 0 for the answer alone.
/// The entries stay, so that more can be added.
///
/// `PHALANX_OK` only if every entry verifies, else `PHALANX_ERROR_INVALID_SIGNATURE`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_batch_verify(
    batch: *mut Ed25519Batch,
    results: *mut Status,
    results_len: usize,
    threads: u32,
) -> Status {
    entry!({ batch_verify_by(batch, results, results_len, &ffi::threads(threads)) })
}

/// As `phalanx_ed25519_batch_verify`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_batch_verify_on(
    pool: *const Pool,
    batch: *mut Ed25519Batch,
    results: *mut Status,
    results_len: usize,
) -> Status {
    entry!({ batch_verify_by(batch, results, results_len, team(pool)) })
}

/// # Safety
/// As [`ffi::slice`], for all that the pointers lead to.
unsafe fn batch_verify_by(
    batch: *mut Ed25519Batch,
    results: *mut Status,
    results_len: usize,
    team: &Team,
) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe {
        let batch = &mut ffi::value_mut(batch)?.0;
        let wants_results = !results.is_null() || results_len != 0;
        if wants_results && results_len != batch.len() {
            return Err(PHALANX_ERROR_INVALID_LENGTH);
        }
        let report = batch.verify_on(team);
        if wants_results {
            write_results(results, report.results())
        } else {
            report.all_valid().then_some(()).ok_or(phalanx::InvalidSignature.into())
        }
    }
}
