//! Aggregates: one proof for many signatures of XMSS over BLAKE2s. Statements below.

mod statement;

use crate::common::{Bytes, Pool, team, terminated};
use crate::ffi::{self, Team, entry};
use crate::status::{
    PHALANX_ERROR_AGGREGATE_LENGTH, PHALANX_ERROR_AGGREGATE_LINCHECK, PHALANX_ERROR_AGGREGATE_NO_ENCODING,
    PHALANX_ERROR_AGGREGATE_OPENING, PHALANX_ERROR_AGGREGATE_TOO_MANY_SIGNATURES,
    PHALANX_ERROR_AGGREGATE_UNACCEPTED_PROFILE, PHALANX_ERROR_AGGREGATE_WIRING,
    PHALANX_ERROR_AGGREGATE_ZEROCHECK, PHALANX_ERROR_INTERNAL, PHALANX_ERROR_INVALID_ARGUMENT,
    PHALANX_ERROR_INVALID_LENGTH, PHALANX_ERROR_MALFORMED, PHALANX_ERROR_UNKNOWN_NAME, Status,
};
use core::ffi::c_char;
use phalanx::aggregate::{self, Error, Limits, Profile, ProofError};
use phalanx::xmss::blake2s::{ParameterSet, Signature};
use statement::AggregateStatement;

/// Length of a verifying key in a statement, in bytes.
pub const PHALANX_AGGREGATE_KEY_BYTES: usize = 32;
/// The most signatures of any statement.
pub const PHALANX_AGGREGATE_SIGNATURES_MAX: usize = 14768;
/// The most signatures that a verifier should accept unless it knows better.
pub const PHALANX_AGGREGATE_SIGNATURES_DEFAULT: usize = 1846;
/// The memory that a prover should allow unless it knows better, in bytes: 8 GiB.
pub const PHALANX_AGGREGATE_MEMORY_DEFAULT: u64 = 8_589_934_592;

const _: () = {
    assert!(PHALANX_AGGREGATE_SIGNATURES_MAX == aggregate::MAX_SIGNATURES);
    assert!(PHALANX_AGGREGATE_SIGNATURES_DEFAULT == Limits::DEFAULT_SIGNATURES);
    assert!(PHALANX_AGGREGATE_MEMORY_DEFAULT == aggregate::DEFAULT_MEMORY_LIMIT);
};

/// How many bits of security an aggregate has: what `profile` arguments take. There is no default: 100 bits are fewer than
/// the signatures have themselves.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum AggregateProfile {
    /// `aggregate-v1-provable100`: 100 provable bits, weaker than what it aggregates.
    Provable100 = 1,
    /// `aggregate-v1-provable128`: 128 provable bits.
    Provable128 = 3,
}

/// Which profile each number means.
const PROFILES: [(AggregateProfile, Profile); 2] = [
    (AggregateProfile::Provable100, Profile::Provable100),
    (AggregateProfile::Provable128, Profile::Provable128),
];

/// What a verifier accepts.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AggregateLimits {
    /// Whether aggregates with 100 provable bits are accepted.
    pub provable100: bool,
    /// Whether aggregates with 128 provable bits are accepted.
    pub provable128: bool,
    /// The most signatures, such as `PHALANX_AGGREGATE_SIGNATURES_DEFAULT`. Time and memory grow with their number.
    pub signatures_max: usize,
}

/// The profile of a number.
fn profile_of(number: u32) -> Result<Profile, Status> {
    let known = PROFILES.iter().find(|(known, _)| *known as u32 == number);
    known.map(|(_, profile)| *profile).ok_or(PHALANX_ERROR_INVALID_ARGUMENT)
}

/// The name of a profile, such as `"aggregate-v1-provable100"`; null if the number names none.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_aggregate_profile_name(profile: u32) -> *const c_char {
    ffi::guard_value(core::ptr::null(), || {
        profile_of(profile).map_or(core::ptr::null(), |profile| terminated(profile.name()))
    })
}

/// Writes the number of the profile called `name`. `PHALANX_ERROR_UNKNOWN_NAME` if there is none.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_aggregate_profile_from_name(profile: *mut u32, name: *const c_char) -> Status {
    entry!({
        let wanted = Profile::from_name(ffi::text(name)?).ok_or(PHALANX_ERROR_UNKNOWN_NAME)?;
        let known = PROFILES.iter().find(|(_, profile)| *profile == wanted);
        ffi::write(profile, known.map(|(known, _)| *known as u32).ok_or(PHALANX_ERROR_UNKNOWN_NAME)?)
    })
}

/// What `length` says of a profile and a number of signatures that a statement can have; 0 of others.
fn of_size<T: Default>(profile: u32, signatures: usize, length: impl FnOnce(Profile, usize) -> T) -> T {
    ffi::guard_value(T::default(), || match profile_of(profile) {
        Ok(profile) if (1..=PHALANX_AGGREGATE_SIGNATURES_MAX).contains(&signatures) => {
            length(profile, signatures)
        }
        _ => T::default(),
    })
}

/// Length in bytes of the longest aggregate of so many signatures; 0 if the profile names none or no statement has so many.
/// Aggregates differ in length.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_aggregate_size(profile: u32, signatures: usize) -> usize {
    of_size(profile, signatures, aggregate::max_len_bytes)
}

/// The memory that proving takes, in bytes, without what the caller holds; 0 if the profile names none or no statement has so
/// many signatures.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_aggregate_memory(profile: u32, signatures: usize) -> u64 {
    of_size(profile, signatures, aggregate::memory_len)
}

/// Proves that the signatures of a statement verify. They stand in its order, groups and their keys as
/// `phalanx_aggregate_statement_group` gives them, `signatures_len` of them, each of 1208 bytes. `context` is bound to the
/// aggregate, of any length: who verifies has to name the same. The same input gives the same aggregate. Works on `threads`
/// threads (0: one for each core; 1: the caller's).
///
/// An aggregate saves bytes, not verifier time: on average it is shorter than the signatures from 199 on with 100 bits, from
/// 307 with 128. It is not zero-knowledge, and two of them cannot be merged.
///
/// `aggregate_capacity` is at least `phalanx_aggregate_size`; else that is the length written, and nothing is computed.
///
/// Fails before it computes anything with `PHALANX_ERROR_INVALID_LENGTH` (not a signature for every key),
/// `PHALANX_ERROR_AGGREGATE_MEMORY` (`phalanx_aggregate_memory` is above `memory_limit`), `PHALANX_ERROR_BUFFER_TOO_SMALL`.
/// `PHALANX_ERROR_MALFORMED`, of another length, and `PHALANX_ERROR_INVALID_SIGNATURE` are about the first signature that is
/// not good: `place`, which may be null, learns its number in the statement, and is written for these two only.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_aggregate(
    statement: *const AggregateStatement,
    aggregate: *mut u8,
    aggregate_capacity: usize,
    aggregate_len: *mut usize,
    place: *mut u64,
    profile: u32,
    signatures: *const Bytes,
    signatures_len: usize,
    context: *const u8,
    context_len: usize,
    memory_limit: u64,
    threads: u32,
) -> Status {
    entry!({
        aggregate_by(
            &ffi::threads(threads),
            Out { aggregate, capacity: aggregate_capacity, len: aggregate_len, place },
            statement,
            profile,
            ffi::slice(signatures, signatures_len)?,
            ffi::slice(context, context_len)?,
            memory_limit,
        )
    })
}

/// As `phalanx_aggregate`, on a pool; null: on this thread.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_aggregate_on(
    pool: *const Pool,
    statement: *const AggregateStatement,
    aggregate: *mut u8,
    aggregate_capacity: usize,
    aggregate_len: *mut usize,
    place: *mut u64,
    profile: u32,
    signatures: *const Bytes,
    signatures_len: usize,
    context: *const u8,
    context_len: usize,
    memory_limit: u64,
) -> Status {
    entry!({
        aggregate_by(
            team(pool),
            Out { aggregate, capacity: aggregate_capacity, len: aggregate_len, place },
            statement,
            profile,
            ffi::slice(signatures, signatures_len)?,
            ffi::slice(context, context_len)?,
            memory_limit,
        )
    })
}

/// Where the answer goes.
struct Out {
    aggregate: *mut u8,
    capacity: usize,
    len: *mut usize,
    place: *mut u64,
}

/// # Safety
/// As [`ffi::slice`], for all that the pointers lead to.
unsafe fn aggregate_by(
    team: &Team,
    out: Out,
    statement: *const AggregateStatement,
    profile: u32,
    signatures: &[Bytes],
    context: &[u8],
    memory_limit: u64,
) -> Result<(), Status> {
    // SAFETY: as the caller's.
    unsafe {
        let statement = &ffi::value(statement)?.0;
        let profile = profile_of(profile)?;
        let count = statement.signatures();
        if signatures.len() != count {
            return Err(PHALANX_ERROR_INVALID_LENGTH);
        }
        let longest = aggregate::max_len_bytes(profile, count);
        ffi::check_room(out.aggregate, out.capacity, out.len, longest)?;
        let told = |status, index: usize| {
            // A null output does not ask for it.
            let _ = ffi::write(out.place, index as u64);
            status
        };
        let mut decoded = Vec::with_capacity(count);
        for (index, signature) in signatures.iter().enumerate() {
            let bytes = ffi::slice(signature.data, signature.len)?;
            let signature = Signature::from_bytes(ParameterSet::L32_D42B8, bytes);
            decoded.push(signature.map_err(|_| told(PHALANX_ERROR_MALFORMED, index))?);
        }
        let made = aggregate::aggregate_watched_on(
            team,
            profile,
            statement,
            &decoded,
            context,
            memory_limit,
            &|_| (),
        );
        let made = made.map_err(|error| match error {
            Error::InvalidSignature { index } => told(error.into(), index),
            _ => error.into(),
        })?;
        ffi::write_bytes(out.aggregate, out.capacity, out.len, &made)
    }
}

/// Verifies that for every group and every key of the statement somebody knows a signature. `context` is what the prover
/// bound the aggregate to. One thread.
///
/// The answer names the first check that failed: `PHALANX_ERROR_AGGREGATE_TOO_MANY_SIGNATURES` (more than `limits` has),
/// `PHALANX_ERROR_AGGREGATE_UNACCEPTED_PROFILE` (nor is it any, if the bytes are no aggregate),
/// `PHALANX_ERROR_AGGREGATE_LENGTH`, `PHALANX_ERROR_AGGREGATE_NO_ENCODING`, `PHALANX_ERROR_AGGREGATE_ZEROCHECK`,
/// `PHALANX_ERROR_AGGREGATE_LINCHECK`, `PHALANX_ERROR_AGGREGATE_WIRING` or `PHALANX_ERROR_AGGREGATE_OPENING`. `place`, which
/// may be null, learns which signature has no encoding, and which check of `phalanx_ligerito_verify` the opening failed, a
/// `phalanx_status`; it is written for these two only.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_aggregate_verify(
    limits: *const AggregateLimits,
    place: *mut u64,
    statement: *const AggregateStatement,
    context: *const u8,
    context_len: usize,
    aggregate: *const u8,
    aggregate_len: usize,
) -> Status {
    entry!({
        let limits = *ffi::value(limits)?;
        let statement = &ffi::value(statement)?.0;
        let context = ffi::slice(context, context_len)?;
        let aggregate = ffi::slice(aggregate, aggregate_len)?;
        let profiles =
            [(limits.provable100, Profile::Provable100), (limits.provable128, Profile::Provable128)];
        let profiles: Vec<_> =
            profiles.into_iter().filter_map(|(is_in, profile)| is_in.then_some(profile)).collect();
        let limits = Limits::new(&profiles).with_signatures(limits.signatures_max);
        aggregate::verify(&limits, statement, context, aggregate).map_err(|error| {
            let (status, at) = status_of(error);
            if let Some(at) = at {
                // A null output does not ask for it.
                let _ = ffi::write(place, at);
            }
            status
        })
    })
}

/// What a failed check is called, and where it failed.
fn status_of(error: ProofError) -> (Status, Option<u64>) {
    match error {
        ProofError::TooManySignatures => (PHALANX_ERROR_AGGREGATE_TOO_MANY_SIGNATURES, None),
        ProofError::UnacceptedProfile => (PHALANX_ERROR_AGGREGATE_UNACCEPTED_PROFILE, None),
        ProofError::Length => (PHALANX_ERROR_AGGREGATE_LENGTH, None),
        ProofError::NoEncoding { index } => (PHALANX_ERROR_AGGREGATE_NO_ENCODING, Some(index as u64)),
        ProofError::Zerocheck => (PHALANX_ERROR_AGGREGATE_ZEROCHECK, None),
        ProofError::Lincheck => (PHALANX_ERROR_AGGREGATE_LINCHECK, None),
        ProofError::Wiring => (PHALANX_ERROR_AGGREGATE_WIRING, None),
        ProofError::Opening(error) => {
            let (reason, _) = crate::ligerito::status_of(error);
            (PHALANX_ERROR_AGGREGATE_OPENING, Some(reason as u64))
        }
        // The library's list may grow: a variant that this binding does not know is a fault of this binding.
        _ => (PHALANX_ERROR_INTERNAL, None),
    }
}
