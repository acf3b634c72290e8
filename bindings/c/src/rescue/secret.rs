//! Secret inputs.

use super::{digest_at, function_of, write_digest};
use crate::ffi::{self, entry};
use crate::status::Status;
use phalanx::rescue::Digest;

/// `phalanx_rescue_permute` for secret states: no branch and no address depends on a word. Scalar, and slower. What comes
/// out is the caller's to wipe.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_permute_secret(function: u32, words: *mut u64, words_len: usize) -> Status {
    entry!({ Ok(function_of(function)?.permute_secret(ffi::slice_mut(words, words_len)?)?) })
}

/// `phalanx_rescue_hash_elements` for secret elements; their number is no secret.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hash_elements_secret(
    function: u32,
    digest: *mut u64,
    elements: *const u64,
    elements_len: usize,
) -> Status {
    entry!({
        write_digest(digest, function_of(function)?.hash_elements_secret(ffi::slice(elements, elements_len)?))
    })
}

/// `phalanx_rescue_hash` for secret bytes; their number is no secret.
///
/// `PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH` where that does.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hash_secret(
    function: u32,
    digest: *mut u64,
    bytes: *const u8,
    bytes_len: usize,
) -> Status {
    entry!({ write_digest(digest, function_of(function)?.hash_secret(ffi::slice(bytes, bytes_len)?)?) })
}

/// `phalanx_rescue_hash_padded` for secret bytes; their number is no secret.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hash_padded_secret(
    function: u32,
    digest: *mut u64,
    bytes: *const u8,
    bytes_len: usize,
) -> Status {
    entry!({ write_digest(digest, function_of(function)?.hash_padded_secret(ffi::slice(bytes, bytes_len)?)) })
}

/// `phalanx_rescue_merge` for secret digests.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_merge_secret(
    function: u32,
    digest: *mut u64,
    left: *const u64,
    right: *const u64,
) -> Status {
    entry!({
        let (mut left, mut right) = (digest_at(left)?, digest_at(right)?);
        let merged = function_of(function)?.merge_secret(&left, &right);
        // Our copies, which are plain memory.
        core::ptr::write_volatile(&raw mut left, Digest::default());
        core::ptr::write_volatile(&raw mut right, Digest::default());
        write_digest(digest, merged)
    })
}
