//! Digests of digests, and digests as bytes.

use super::{digest_at, digests_at, function_of, write_digest, write_digests};
use crate::common::{Pool, team};
use crate::ffi::{self, Team, entry};
use crate::status::{PHALANX_ERROR_INVALID_ARGUMENT, Status};
use phalanx::rescue::Digest;

/// The digest of two digests: what a Merkle tree is made of.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_merge(
    function: u32,
    digest: *mut u64,
    left: *const u64,
    right: *const u64,
) -> Status {
    entry!({ write_digest(digest, function_of(function)?.merge(&digest_at(left)?, &digest_at(right)?)) })
}

/// `phalanx_rescue_merge` of `count` pairs side by side, on `threads` threads: a pair is eight words of `pairs` and gives
/// four words of `digests`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_merge_pairs(
    function: u32,
    digests: *mut u64,
    pairs: *const u64,
    count: usize,
    threads: u32,
) -> Status {
    entry!({ merge_pairs_by(function, digests, pairs, count, &ffi::threads(threads)) })
}

/// As `phalanx_rescue_merge_pairs`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_merge_pairs_on(
    pool: *const Pool,
    function: u32,
    digests: *mut u64,
    pairs: *const u64,
    count: usize,
) -> Status {
    entry!({ merge_pairs_by(function, digests, pairs, count, team(pool)) })
}

/// # Safety
/// As [`ffi::slice`], for all that the pointers lead to.
unsafe fn merge_pairs_by(
    function: u32,
    digests: *mut u64,
    pairs: *const u64,
    count: usize,
    team: &Team,
) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe {
        let function = function_of(function)?;
        let length = count.checked_mul(2).ok_or(PHALANX_ERROR_INVALID_ARGUMENT)?;
        let children = digests_at(pairs, length)?;
        let pairs = children.as_chunks().0;
        let merged =
            if team.is_alone() { function.merge_pairs(pairs) } else { function.merge_pairs_on(team, pairs) };
        write_digests(digests, &merged)
    }
}

/// `phalanx_rescue_merge` in a domain.
///
/// `PHALANX_ERROR_RESCUE_NO_DOMAIN` unless the function is RPO or RPX.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_merge_in_domain(
    function: u32,
    digest: *mut u64,
    left: *const u64,
    right: *const u64,
    domain: u64,
) -> Status {
    entry!({
        let (left, right) = (digest_at(left)?, digest_at(right)?);
        write_digest(digest, function_of(function)?.merge_in_domain(&left, &right, domain)?)
    })
}

/// The digest of any number of digests, one after the other. For two, Rp64_256, RPO and RPX give what `phalanx_rescue_merge`
/// gives, and Jive does not.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_merge_many(
    function: u32,
    digest: *mut u64,
    digests: *const u64,
    count: usize,
) -> Status {
    entry!({ write_digest(digest, function_of(function)?.merge_many(&digests_at(digests, count)?)) })
}

/// The digest of a digest and an integer.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_merge_with_int(
    function: u32,
    digest: *mut u64,
    seed: *const u64,
    value: u64,
) -> Status {
    entry!({ write_digest(digest, function_of(function)?.merge_with_int(&digest_at(seed)?, value)) })
}

/// `phalanx_rescue_merge_with_int` for each of `count` values, side by side, on `threads` threads: for grinding. `digests`
/// has room for four words for each.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_merge_with_ints(
    function: u32,
    digests: *mut u64,
    seed: *const u64,
    values: *const u64,
    count: usize,
    threads: u32,
) -> Status {
    entry!({ merge_with_ints_by(function, digests, seed, values, count, &ffi::threads(threads)) })
}

/// As `phalanx_rescue_merge_with_ints`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_merge_with_ints_on(
    pool: *const Pool,
    function: u32,
    digests: *mut u64,
    seed: *const u64,
    values: *const u64,
    count: usize,
) -> Status {
    entry!({ merge_with_ints_by(function, digests, seed, values, count, team(pool)) })
}

/// # Safety
/// As [`ffi::slice`], for all that the pointers lead to.
unsafe fn merge_with_ints_by(
    function: u32,
    digests: *mut u64,
    seed: *const u64,
    values: *const u64,
    count: usize,
    team: &Team,
) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe {
        let (function, seed, values) = (function_of(function)?, digest_at(seed)?, ffi::slice(values, count)?);
        let merged = if team.is_alone() {
            function.merge_with_ints(&seed, values)
        } else {
            function.merge_with_ints_on(team, &seed, values)
        };
        write_digests(digests, &merged)
    }
}

// ---- a digest as bytes ----

/// The 32 bytes of a digest: each word as eight, little-endian. A word of p or more is reduced first.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_digest_to_bytes(bytes: *mut u8, digest: *const u64) -> Status {
    entry!({ ffi::write_slice(bytes, &digest_at(digest)?.to_bytes()) })
}

/// The digest that 32 bytes are.
///
/// `PHALANX_ERROR_MALFORMED` if a word is p or more: then other bytes encode the same digest.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_digest_from_bytes(digest: *mut u64, bytes: *const u8) -> Status {
    entry!({ write_digest(digest, Digest::from_bytes(ffi::array(bytes)?)?) })
}

/// The digest that any 32 bytes are, each word reduced modulo p as the reference does: two inputs may give one digest.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_digest_from_bytes_lenient(digest: *mut u64, bytes: *const u8) -> Status {
    entry!({ write_digest(digest, Digest::from_bytes_lenient(ffi::array(bytes)?)) })
}
