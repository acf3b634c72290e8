//! What lean clients link but this library does not have: aggregation into a succinct proof.
//!
//! The names are here so that a client links; they refuse, and say so.

use super::{PQSignature, PQSignatureSchemePublicKey, PQSigningError};
use core::ffi::c_int;

/// Does nothing: there is no prover here.
#[unsafe(no_mangle)]
pub extern "C" fn pq_xmss_aggregation_setup_prover() {}

/// Does nothing: there is no verifier of aggregates here.
#[unsafe(no_mangle)]
pub extern "C" fn pq_xmss_aggregation_setup_verifier() {}

/// Always `UnknownError`: this library does not aggregate.
#[unsafe(no_mangle)]
pub extern "C" fn pq_aggregate_signatures(
    _pubkeys: *const *const PQSignatureSchemePublicKey,
    _signatures: *const *const PQSignature,
    _count: usize,
    _message: *const u8,
    _message_len: usize,
    _epoch: u64,
    _buffer: *mut u8,
    _buffer_len: usize,
    _written_len: *mut usize,
) -> PQSigningError {
    PQSigningError::UnknownError
}

/// Always -99: this library verifies no aggregates.
#[unsafe(no_mangle)]
pub extern "C" fn pq_verify_aggregated_signatures(
    _pubkeys: *const *const PQSignatureSchemePublicKey,
    _count: usize,
    _message: *const u8,
    _message_len: usize,
    _agg_bytes: *const u8,
    _agg_len: usize,
    _epoch: u64,
) -> c_int {
    -99
}
