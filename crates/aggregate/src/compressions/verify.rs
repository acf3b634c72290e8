//! The verifier of compressions: the checks of aggregates, without randomizers.
#![forbid(unsafe_code)]

use super::statement::{Statement, log2_blocks};
use crate::error::ProofError;
use crate::profile::{Limits, Profile};
use crate::suites;
use crate::verify::{About, profile_of};
use phalanx_ligerito::Gf128;
use phalanx_ligerito::provable128::Gf192;

/// Verifies that for every compression of the statement somebody knows the hidden slots. `context` is what the prover
/// bound the proof to, of any length.
///
/// # Errors
/// [`ProofError`] names the first check that failed, in the order of its variants.
pub fn verify(
    limits: &Limits,
    statement: &Statement,
    context: &[u8],
    proof: &[u8],
) -> Result<(), ProofError> {
    if statement.len() > limits.blocks() {
        return Err(ProofError::TooManyBlocks);
    }
    let bytes = statement.to_bytes();
    let is_about = About { statement: &bytes, context, n: log2_blocks(statement.len()), randomizers_len: 0 };
    let wiring = |_: &[u8]| Ok(statement);
    match profile_of(limits, suites::COMPRESSIONS100.magic, proof)? {
        Profile::Provable100 => is_about.verify::<Gf128, _>(&suites::COMPRESSIONS100, wiring, proof),
        Profile::Provable128 => is_about.verify::<Gf192, _>(&suites::COMPRESSIONS128, wiring, proof),
    }
}
