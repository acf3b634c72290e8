//! The verifier of compressions: the checks of aggregates, without randomizers.
#![forbid(unsafe_code)]

use super::function::{Function, Rules};
use super::statement::{StatementOf, log2_blocks};
use crate::error::ProofError;
use crate::profile::{Limits, Profile};
use crate::verify::{About, profile_of};
use core::marker::PhantomData;
use phalanx_ligerito::Gf128;
use phalanx_ligerito::provable128::Gf192;

/// Verifies that for every compression of the statement somebody knows the hidden slots.
pub(crate) fn verify<F: Function, const SLOTS: usize, const MOST: usize>(
    limits: &Limits,
    statement: &StatementOf<SLOTS, MOST>,
    context: &[u8],
    proof: &[u8],
) -> Result<(), ProofError> {
    if statement.len() > limits.blocks() {
        return Err(ProofError::TooManyBlocks);
    }
    let bytes = statement.to_bytes();
    let is_about = About { statement: &bytes, context, n: log2_blocks(statement.len()), randomizers_len: 0 };
    let wiring = |_: &[u8]| Ok(Rules { statement, of: PhantomData::<F> });
    // Both profiles have the same magic.
    let profile = profile_of(limits, F::names(Profile::Provable100).magic, proof)?;
    let names = F::names(profile);
    match profile {
        Profile::Provable100 => is_about.verify::<F::Circuit, Gf128, _>(names, wiring, proof),
        Profile::Provable128 => is_about.verify::<F::Circuit, Gf192, _>(names, wiring, proof),
    }
}
