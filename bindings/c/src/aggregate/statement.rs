//! What an aggregate says.

use super::PHALANX_AGGREGATE_KEY_BYTES;
use crate::ffi::{self, entry};
use crate::status::{
    PHALANX_ERROR_AGGREGATE_EMPTY_GROUP, PHALANX_ERROR_AGGREGATE_GROUP_ORDER,
    PHALANX_ERROR_AGGREGATE_KEY_ORDER, PHALANX_ERROR_AGGREGATE_MEMORY, PHALANX_ERROR_AGGREGATE_NO_GROUPS,
    PHALANX_ERROR_AGGREGATE_STATEMENT_LENGTH, PHALANX_ERROR_AGGREGATE_STATEMENT_SIGNATURES,
    PHALANX_ERROR_BUFFER_TOO_SMALL, PHALANX_ERROR_INTERNAL, PHALANX_ERROR_INVALID_ARGUMENT,
    PHALANX_ERROR_INVALID_LENGTH, PHALANX_ERROR_INVALID_SIGNATURE, Status,
};
use phalanx::aggregate::{Error, Statement};
use phalanx::xmss::blake2s::{ParameterSet, VerifyingKey};

/// What an aggregate says: groups, strictly increasing by epoch and then message as bytes, and the keys of each, strictly
/// increasing as bytes. *For every group and every key of it somebody knows a signature that verifies.* Signatures are numbered
/// in this order, from 0.
///
/// A key counts once for an epoch and a message. The same message at another epoch is another group: who counts the signers
/// of a message takes care of keys that are in both.
pub struct AggregateStatement(pub(super) Statement);

/// Keys that signed one message at one epoch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AggregateGroup {
    /// The epoch.
    pub epoch: u32,
    /// The message, 32 bytes.
    pub message: *const u8,
    /// The verifying keys of `xmss-blake2s-l32-d42b8`, one behind the other, 32 bytes each.
    pub keys: *const u8,
    /// How many keys.
    pub keys_count: usize,
}

/// Two signatures of a statement, by their numbers.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AggregatePair {
    /// The one that stands first.
    pub first: usize,
    /// The other.
    pub second: usize,
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error {
            Error::NoGroups => PHALANX_ERROR_AGGREGATE_NO_GROUPS,
            Error::EmptyGroup => PHALANX_ERROR_AGGREGATE_EMPTY_GROUP,
            Error::GroupOrder => PHALANX_ERROR_AGGREGATE_GROUP_ORDER,
            Error::KeyOrder => PHALANX_ERROR_AGGREGATE_KEY_ORDER,
            Error::TooManySignatures => PHALANX_ERROR_AGGREGATE_STATEMENT_SIGNATURES,
            Error::StatementLength => PHALANX_ERROR_AGGREGATE_STATEMENT_LENGTH,
            Error::SignatureCount { .. } => PHALANX_ERROR_INVALID_LENGTH,
            Error::InvalidSignature { .. } => PHALANX_ERROR_INVALID_SIGNATURE,
            Error::Memory { .. } | Error::TooLarge => PHALANX_ERROR_AGGREGATE_MEMORY,
            // Of keys and signatures of another set, which are none here; and what the library may add.
            _ => PHALANX_ERROR_INTERNAL,
        }
    }
}

/// The statement about these groups, in any order; groups of one epoch and message become one, and keys are sorted. End it
/// with `phalanx_aggregate_statement_free`.
///
/// Fails with `PHALANX_ERROR_AGGREGATE_NO_GROUPS`, `PHALANX_ERROR_AGGREGATE_EMPTY_GROUP`, `PHALANX_ERROR_AGGREGATE_KEY_ORDER` (a
/// key is there twice for one epoch and message), `PHALANX_ERROR_AGGREGATE_STATEMENT_SIGNATURES`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_aggregate_statement_new(
    statement: *mut *mut AggregateStatement,
    groups: *const AggregateGroup,
    groups_count: usize,
) -> Status {
    entry!({
        ffi::give(statement, || {
            let mut signers = Vec::new();
            for group in ffi::slice(groups, groups_count)? {
                let message: &[u8; 32] = ffi::array(group.message)?;
                let keys =
                    ffi::slice(group.keys.cast::<[u8; PHALANX_AGGREGATE_KEY_BYTES]>(), group.keys_count)?;
                if keys.is_empty() {
                    return Err(PHALANX_ERROR_AGGREGATE_EMPTY_GROUP);
                }
                for key in keys {
                    let key = VerifyingKey::from_bytes(ParameterSet::L32_D42B8, key)?;
                    signers.push((key, group.epoch, *message));
                }
            }
            Ok(AggregateStatement(Statement::of(&signers)?))
        })
    })
}

/// The statement of these bytes, strictly: `PHALANX_ERROR_AGGREGATE_NO_GROUPS`, `PHALANX_ERROR_AGGREGATE_EMPTY_GROUP`,
/// `PHALANX_ERROR_AGGREGATE_GROUP_ORDER`, `PHALANX_ERROR_AGGREGATE_KEY_ORDER`,
/// `PHALANX_ERROR_AGGREGATE_STATEMENT_SIGNATURES`, `PHALANX_ERROR_AGGREGATE_STATEMENT_LENGTH`.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_aggregate_statement_from_bytes(
    statement: *mut *mut AggregateStatement,
    bytes: *const u8,
    bytes_len: usize,
) -> Status {
    entry!({
        ffi::give(statement, || Ok(AggregateStatement(Statement::from_bytes(ffi::slice(bytes, bytes_len)?)?)))
    })
}

/// Ends a statement. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_aggregate_statement_free(statement: *mut AggregateStatement) {
    ffi::free(statement);
}

/// Writes the statement's bytes, which aggregates are bound to: 4, then 40 for each group and 32 for each key.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_aggregate_statement_to_bytes(
    statement: *const AggregateStatement,
    bytes: *mut u8,
    bytes_capacity: usize,
    bytes_len: *mut usize,
) -> Status {
    entry!({ ffi::write_bytes(bytes, bytes_capacity, bytes_len, &ffi::value(statement)?.0.to_bytes()) })
}

/// Writes how many groups the statement has and how many signatures, which is how many keys. Either may be null.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_aggregate_statement_counts(
    statement: *const AggregateStatement,
    groups: *mut usize,
    signatures: *mut usize,
) -> Status {
    entry!({
        let statement = &ffi::value(statement)?.0;
        // A null output does not ask for it.
        let _ = ffi::write(groups, statement.groups().len());
        let _ = ffi::write(signatures, statement.signatures());
        Ok(())
    })
}

/// Writes group `index`, in the statement's order. Its message and keys belong to the statement, and are there as long as it
/// is. `PHALANX_ERROR_INVALID_ARGUMENT` if there is no such group.
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_aggregate_statement_group(
    statement: *const AggregateStatement,
    group: *mut AggregateGroup,
    index: usize,
) -> Status {
    entry!({
        let groups = ffi::value(statement)?.0.groups();
        let found = groups.get(index).ok_or(PHALANX_ERROR_INVALID_ARGUMENT)?;
        let (message, keys) = (found.message().as_ptr(), found.keys());
        let group_of = AggregateGroup {
            epoch: found.epoch(),
            message,
            keys: keys.as_ptr().cast(),
            keys_count: keys.len(),
        };
        ffi::write(group, group_of)
    })
}

/// Writes the pairs of signatures of one key at one epoch for different messages: the signer has broken its key. The statement is
/// true all the same. There are fewer pairs than signatures; if there are more than `pairs_capacity`, only their number is
/// written (`PHALANX_ERROR_BUFFER_TOO_SMALL`).
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn phalanx_aggregate_statement_equivocations(
    statement: *const AggregateStatement,
    pairs: *mut AggregatePair,
    pairs_capacity: usize,
    pairs_count: *mut usize,
) -> Status {
    entry!({
        let found = ffi::value(statement)?.0.equivocations();
        ffi::write(pairs_count, found.len())?;
        if found.len() > pairs_capacity {
            return Err(PHALANX_ERROR_BUFFER_TOO_SMALL);
        }
        let found: Vec<_> =
            found.into_iter().map(|(first, second)| AggregatePair { first, second }).collect();
        ffi::write_slice(pairs, &found)
    })
}
