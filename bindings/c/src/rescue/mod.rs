//! Rescue: permutations, hashes of elements and of bytes; one at a time and many.

mod digests;
mod field;
mod hasher;
mod secret;
mod tree;

use crate::common::{Bytes, Pool, team, terminated};
use crate::ffi::{self, Team, entry};
use crate::status::{
    PHALANX_ERROR_INTERNAL, PHALANX_ERROR_INVALID_ARGUMENT, PHALANX_ERROR_RESCUE_LEAF_COUNT,
    PHALANX_ERROR_RESCUE_LEAF_INDEX, PHALANX_ERROR_RESCUE_LENGTH, PHALANX_ERROR_RESCUE_NO_DOMAIN,
    PHALANX_ERROR_RESCUE_PARTIAL_STATE, PHALANX_ERROR_RESCUE_PATH_LENGTH,
    PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH, PHALANX_ERROR_RESCUE_WRONG_ROOT, PHALANX_ERROR_UNKNOWN_NAME,
    Status,
};
use core::ffi::c_char;
use phalanx::rescue::{Digest, Error, Function};

/// Words of a digest.
pub const PHALANX_RESCUE_DIGEST_WORDS: usize = 4;
/// Bytes of a digest.
pub const PHALANX_RESCUE_DIGEST_BYTES: usize = 32;

/// The hash functions over the field of p = 2^64 - 2^32 + 1 elements: what `function` arguments take.
///
/// Words that go in may be any 64 bits and are taken modulo p; words that come out are below p. A digest is four words.
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(non_camel_case_types, reason = "named like the functions")]
pub enum RescueFunction {
    /// Rescue-Prime as winter-crypto 0.13.1 has it; states of 12 words.
    Rp64_256 = 0,
    /// Its sibling with the Jive compression for merging; states of 8 words.
    Jive256 = 1,
    /// RPO-256 as miden-crypto has it up to 0.28, whose next version drops it; states of 12 words.
    Rpo256 = 2,
    /// RPX-256 as miden-crypto has it up to 0.28, whose next version drops it; states of 12 words.
    Rpx256 = 3,
}

/// Elements somewhere in the caller's memory.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Words {
    /// The first one. Null if there are none.
    pub data: *const u64,
    /// How many.
    pub len: usize,
}

/// Which function each number means.
const FUNCTIONS: [(RescueFunction, Function); 4] = [
    (RescueFunction::Rp64_256, Function::Rp64_256),
    (RescueFunction::Jive256, Function::RpJive64_256),
    (RescueFunction::Rpo256, Function::Rpo256),
    (RescueFunction::Rpx256, Function::Rpx256),
];

/// The function of a number.
fn function_of(number: u32) -> Result<Function, Status> {
    let known = FUNCTIONS.iter().find(|(known, _)| *known as u32 == number);
    known.map(|(_, function)| *function).ok_or(PHALANX_ERROR_INVALID_ARGUMENT)
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error {
            Error::UndefinedLength { .. } => PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH,
            Error::PartialState { .. } => PHALANX_ERROR_RESCUE_PARTIAL_STATE,
            Error::NoDomain => PHALANX_ERROR_RESCUE_NO_DOMAIN,
            Error::Length { .. } => PHALANX_ERROR_RESCUE_LENGTH,
            Error::LeafCount { .. } => PHALANX_ERROR_RESCUE_LEAF_COUNT,
            Error::LeafIndex { .. } => PHALANX_ERROR_RESCUE_LEAF_INDEX,
            Error::PathLength { .. } => PHALANX_ERROR_RESCUE_PATH_LENGTH,
            Error::WrongRoot => PHALANX_ERROR_RESCUE_WRONG_ROOT,
            // The library's list may grow: a variant that this binding does not know is a fault of this binding.
            _ => PHALANX_ERROR_INTERNAL,
        }
    }
}

/// The digest that four words are.
///
/// # Safety
/// As `ffi::array`.
unsafe fn digest_at(words: *const u64) -> Result<Digest, Status> {
    // SAFETY: as the caller's.
    Ok(Digest::from_elements(*unsafe { ffi::array::<u64, 4>(words) }?))
}

/// `count` times four words.
///
/// # Safety
/// As `ffi::slice`.
unsafe fn words_at<'a>(words: *const u64, count: usize) -> Result<&'a [[u64; 4]], Status> {
    let words_len = count.checked_mul(4).ok_or(PHALANX_ERROR_INVALID_ARGUMENT)?;
    // SAFETY: as the caller's.
    Ok(unsafe { ffi::slice(words, words_len) }?.as_chunks().0)
}

/// The digests that `count` times four words are.
///
/// # Safety
/// As `ffi::slice`.
unsafe fn digests_at(words: *const u64, count: usize) -> Result<Vec<Digest>, Status> {
    // SAFETY: as the caller's.
    let words = unsafe { words_at(words, count) }?;
    Ok(words.iter().map(|&words| Digest::from_elements(words)).collect())
}

/// Writes a digest.
///
/// # Safety
/// As `ffi::write_slice`.
unsafe fn write_digest(out: *mut u64, digest: Digest) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe { ffi::write_slice(out, &digest.to_elements()) }
}

/// Writes digests one after the other.
///
/// # Safety
/// As `ffi::write_slice`.
unsafe fn write_digests(out: *mut u64, digests: &[Digest]) -> Result<(), Status> {
    for (i, digest) in digests.iter().enumerate() {
        // SAFETY: as the caller's; an address is not changed by a null or misaligned beginning, which is found at once.
        unsafe { ffi::write_slice(out.wrapping_add(4 * i), &digest.to_elements()) }?;
    }
    Ok(())
}

// ---- the functions themselves ----

/// The name of a function, such as `"rescue-rp64-256"`; null if there is no such function.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_rescue_function_name(function: u32) -> *const c_char {
    ffi::guard_value(core::ptr::null(), || {
        function_of(function).map_or(core::ptr::null(), |function| terminated(function.name()))
    })
}

/// Writes the number of the function called `name`. `PHALANX_ERROR_UNKNOWN_NAME` if there is none.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_function_from_name(function: *mut u32, name: *const c_char) -> Status {
    entry!({
        let wanted = Function::from_name(ffi::text(name)?).ok_or(PHALANX_ERROR_UNKNOWN_NAME)?;
        let known = FUNCTIONS.iter().find(|(_, function)| *function == wanted);
        ffi::write(function, known.ok_or(PHALANX_ERROR_UNKNOWN_NAME)?.0 as u32)
    })
}

/// Words of a state: 12, or 8 for Jive; 0 if there is no such function.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_rescue_width(function: u32) -> usize {
    ffi::guard_value(0, || function_of(function).map_or(0, Function::width))
}

/// Permutes the states that stand one after the other in `words`, in place, on `threads` threads (0: one for each
/// core; 1: the calling one).
///
/// `PHALANX_ERROR_RESCUE_PARTIAL_STATE` if `words_len` is no multiple of the width. The time may depend on the data:
/// for secret states there is `phalanx_rescue_permute_secret`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_permute(
    function: u32,
    words: *mut u64,
    words_len: usize,
    threads: u32,
) -> Status {
    entry!({ permute_by(function, words, words_len, &ffi::threads(threads)) })
}

/// As `phalanx_rescue_permute`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_permute_on(
    pool: *const Pool,
    function: u32,
    words: *mut u64,
    words_len: usize,
) -> Status {
    entry!({ permute_by(function, words, words_len, team(pool)) })
}

/// # Safety
/// As [`ffi::slice`], for all that the pointers lead to.
unsafe fn permute_by(function: u32, words: *mut u64, words_len: usize, team: &Team) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe {
        let (function, words) = (function_of(function)?, ffi::slice_mut(words, words_len)?);
        if team.is_alone() {
            function.permute(words)?;
        } else {
            function.permute_on(team, words)?;
        }
        Ok(())
    }
}

// ---- elements ----

/// Hashes `elements_len` elements; `digest` has room for four words. No element at all gives the digest of four zeros.
///
/// By the references' rules a digest of elements can also be one of bytes (Rp64_256 and Jive) or of a merge (all but Jive):
/// use one form in one domain.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hash_elements(
    function: u32,
    digest: *mut u64,
    elements: *const u64,
    elements_len: usize,
) -> Status {
    entry!({
        write_digest(digest, function_of(function)?.hash_elements(ffi::slice(elements, elements_len)?))
    })
}

/// Hashes `count` lists of elements side by side, on `threads` threads; `digests` has room for four words for each.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hash_elements_many(
    function: u32,
    digests: *mut u64,
    inputs: *const Words,
    count: usize,
    threads: u32,
) -> Status {
    entry!({ hash_elements_many_by(function, digests, inputs, count, &ffi::threads(threads)) })
}

/// As `phalanx_rescue_hash_elements_many`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hash_elements_many_on(
    pool: *const Pool,
    function: u32,
    digests: *mut u64,
    inputs: *const Words,
    count: usize,
) -> Status {
    entry!({ hash_elements_many_by(function, digests, inputs, count, team(pool)) })
}

/// # Safety
/// As [`ffi::slice`], for all that the pointers lead to.
unsafe fn hash_elements_many_by(
    function: u32,
    digests: *mut u64,
    inputs: *const Words,
    count: usize,
    team: &Team,
) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe {
        let function = function_of(function)?;
        let inputs = ffi::slice(inputs, count)?.iter();
        let inputs: Vec<&[u64]> =
            inputs.map(|input| ffi::slice(input.data, input.len)).collect::<Result<_, _>>()?;
        let hashed = if team.is_alone() {
            function.hash_elements_many(&inputs)
        } else {
            function.hash_elements_many_on(team, &inputs)
        };
        write_digests(digests, &hashed)
    }
}

/// Hashes elements in a domain.
///
/// `PHALANX_ERROR_RESCUE_NO_DOMAIN` unless the function is RPO or RPX.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hash_elements_in_domain(
    function: u32,
    digest: *mut u64,
    elements: *const u64,
    elements_len: usize,
    domain: u64,
) -> Status {
    entry!({
        let function = function_of(function)?;
        write_digest(digest, function.hash_elements_in_domain(ffi::slice(elements, elements_len)?, domain)?)
    })
}

// ---- bytes ----

/// Hashes bytes as the reference does.
///
/// `PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH` where the reference panics: Rp64_256, above 56 bytes, no multiple of 7.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hash(
    function: u32,
    digest: *mut u64,
    bytes: *const u8,
    bytes_len: usize,
) -> Status {
    entry!({ write_digest(digest, function_of(function)?.hash(ffi::slice(bytes, bytes_len)?)?) })
}

/// `phalanx_rescue_hash` of `count` inputs side by side, on `threads` threads; `digests` has room for four words for each.
/// If any input has no hash, none is written.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hash_many(
    function: u32,
    digests: *mut u64,
    inputs: *const Bytes,
    count: usize,
    threads: u32,
) -> Status {
    entry!({ hash_many_by(function, digests, inputs, count, &ffi::threads(threads)) })
}

/// As `phalanx_rescue_hash_many`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hash_many_on(
    pool: *const Pool,
    function: u32,
    digests: *mut u64,
    inputs: *const Bytes,
    count: usize,
) -> Status {
    entry!({ hash_many_by(function, digests, inputs, count, team(pool)) })
}

/// # Safety
/// As [`ffi::slice`], for all that the pointers lead to.
unsafe fn hash_many_by(
    function: u32,
    digests: *mut u64,
    inputs: *const Bytes,
    count: usize,
    team: &Team,
) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe {
        let function = function_of(function)?;
        let inputs = byte_slices(inputs, count)?;
        let hashed = if team.is_alone() {
            function.hash_many(&inputs)?
        } else {
            function.hash_many_on(team, &inputs)?
        };
        write_digests(digests, &hashed)
    }
}

/// Hashes bytes of any length, with the end marked at every length. For Rp64_256 this is not what Winterfell computes above
/// 56 bytes; for the other three it equals `phalanx_rescue_hash`.
///
/// By the reference's rules Rp64_256 shares digests between this form and others: of 62 bytes it is
/// `phalanx_rescue_hash` of these and a byte 1. Use one form in one domain.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hash_padded(
    function: u32,
    digest: *mut u64,
    bytes: *const u8,
    bytes_len: usize,
) -> Status {
    entry!({ write_digest(digest, function_of(function)?.hash_padded(ffi::slice(bytes, bytes_len)?)) })
}

/// `phalanx_rescue_hash_padded` of `count` inputs side by side, on `threads` threads; `digests` has room for four words for
/// each.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hash_padded_many(
    function: u32,
    digests: *mut u64,
    inputs: *const Bytes,
    count: usize,
    threads: u32,
) -> Status {
    entry!({ hash_padded_many_by(function, digests, inputs, count, &ffi::threads(threads)) })
}

/// As `phalanx_rescue_hash_padded_many`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_rescue_hash_padded_many_on(
    pool: *const Pool,
    function: u32,
    digests: *mut u64,
    inputs: *const Bytes,
    count: usize,
) -> Status {
    entry!({ hash_padded_many_by(function, digests, inputs, count, team(pool)) })
}

/// # Safety
/// As [`ffi::slice`], for all that the pointers lead to.
unsafe fn hash_padded_many_by(
    function: u32,
    digests: *mut u64,
    inputs: *const Bytes,
    count: usize,
    team: &Team,
) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe {
        let function = function_of(function)?;
        let inputs = byte_slices(inputs, count)?;
        let hashed = if team.is_alone() {
            function.hash_padded_many(&inputs)
        } else {
            function.hash_padded_many_on(team, &inputs)
        };
        write_digests(digests, &hashed)
    }
}

/// What a list of inputs points at.
///
/// # Safety
/// As `ffi::slice`, for the list and for each input.
unsafe fn byte_slices<'a>(inputs: *const Bytes, count: usize) -> Result<Vec<&'a [u8]>, Status> {
    // SAFETY: as the caller's.
    let inputs: &[Bytes] = unsafe { ffi::slice(inputs, count) }?;
    // SAFETY: as the caller's.
    inputs.iter().map(|input| unsafe { ffi::slice(input.data, input.len) }).collect()
}
