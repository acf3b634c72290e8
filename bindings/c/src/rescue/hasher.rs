//! Bytes in pieces.

use super::{function_of, write_digest};
use crate::ffi::{self, entry};
use crate::status::Status;
use phalanx::rescue::Hasher;

/// The hash of bytes that come in pieces, of a length known before: these functions absorb the length first.
pub struct RescueHasher(Hasher);

/// For `total_len` bytes: gives what `phalanx_rescue_hash` gives. End it with `phalanx_rescue_hasher_free`.
///
/// `PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH` where that does.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hasher_new(
    hasher: *mut *mut RescueHasher,
    function: u32,
    total_len: u64,
) -> Status {
    entry!({ ffi::give(hasher, || Ok(RescueHasher(Hasher::new(function_of(function)?, total_len)?))) })
}

/// For `total_len` bytes: gives what `phalanx_rescue_hash_padded` gives. End it with `phalanx_rescue_hasher_free`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hasher_new_padded(
    hasher: *mut *mut RescueHasher,
    function: u32,
    total_len: u64,
) -> Status {
    entry!({ ffi::give(hasher, || Ok(RescueHasher(Hasher::new_padded(function_of(function)?, total_len)))) })
}

/// Ends a hasher. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_rescue_hasher_free(hasher: *mut RescueHasher) {
    ffi::free(hasher);
}

/// Takes the next bytes.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hasher_update(
    hasher: *mut RescueHasher,
    bytes: *const u8,
    bytes_len: usize,
) -> Status {
    entry!({
        ffi::value_mut(hasher)?.0.update(ffi::slice(bytes, bytes_len)?);
        Ok(())
    })
}

/// Writes the digest, four words. The hasher remains as it is.
///
/// `PHALANX_ERROR_RESCUE_LENGTH` if fewer or more bytes came than were announced.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hasher_finalize(hasher: *const RescueHasher, digest: *mut u64) -> Status {
    entry!({ write_digest(digest, ffi::value(hasher)?.0.clone().finalize()?) })
}
