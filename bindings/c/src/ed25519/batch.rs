//! Batches that are collected first.

use super::profile_of;
use super::verify::write_verdicts;
use crate::border::{self, entry};
use crate::status::{PHALANX_ERROR_INVALID_LENGTH, Status};
use phalanx::ed25519::BatchVerifier;

/// Collects signatures and verifies them together; every entry gets its verdict.
pub struct Ed25519Batch(BatchVerifier);

/// Makes an empty batch under `profile`. End it with `phalanx_ed25519_batch_free`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_batch_new(batch: *mut *mut Ed25519Batch, profile: u32) -> Status {
    entry!({ border::give(batch, || Ok(Ed25519Batch(BatchVerifier::new(profile_of(profile)?)))) })
}

/// As `phalanx_ed25519_batch_new`, with coefficients from the hash of the batch alone: see
/// `phalanx_ed25519_verify_batch_deterministic`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_batch_new_deterministic(
    batch: *mut *mut Ed25519Batch,
    profile: u32,
) -> Status {
    entry!({ border::give(batch, || Ok(Ed25519Batch(BatchVerifier::deterministic(profile_of(profile)?)))) })
}

/// Ends a batch. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ed25519_batch_free(batch: *mut Ed25519Batch) {
    border::free(batch);
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
        let key = border::slice(verifying_key, verifying_key_len)?;
        let message = border::slice(message, message_len)?;
        let signature = border::slice(signature, signature_len)?;
        border::value_mut(batch)?.0.add(key, signature, message);
        Ok(())
    })
}

/// The number of entries; 0 for null.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_ed25519_batch_len(batch: *const Ed25519Batch) -> usize {
    let mut len = 0;
    // Null has no entries.
    let _ = entry!({
        len = border::value(batch)?.0.len();
        Ok(())
    });
    len
}

/// Forgets all entries, for the next batch.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_batch_clear(batch: *mut Ed25519Batch) -> Status {
    entry!({
        border::value_mut(batch)?.0.clear();
        Ok(())
    })
}

/// Verifies all entries on `threads` threads and writes a verdict for each, in the order of adding; `verdicts_len` is the
/// number of entries (else `PHALANX_ERROR_INVALID_LENGTH`). `verdicts` may be null with a length of 0 for the answer alone.
/// The entries stay, so that more can be added.
///
/// `PHALANX_OK` only if every entry verifies, else `PHALANX_ERROR_INVALID_SIGNATURE`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_ed25519_batch_verify(
    batch: *mut Ed25519Batch,
    verdicts: *mut Status,
    verdicts_len: usize,
    threads: u32,
) -> Status {
    entry!({
        let batch = &mut border::value_mut(batch)?.0;
        let wants_verdicts = !verdicts.is_null() || verdicts_len != 0;
        if wants_verdicts && verdicts_len != batch.len() {
            return Err(PHALANX_ERROR_INVALID_LENGTH);
        }
        let report = batch.verify_on(&border::threads(threads));
        if wants_verdicts {
            write_verdicts(verdicts, report.results())
        } else {
            report.all_valid().then_some(()).ok_or(phalanx::InvalidSignature.into())
        }
    })
}
