//! The transposed encoder on a sparse vector: what opened rows add to the weights of the message.

use super::Basis;
use crate::fields::binary::vectors::{self, Factor};
use crate::fields::binary::{BinaryField, Gf128};
use crate::simd::Level;
use crate::threads::Pool;
use alloc::vec::Vec;

/// `out` += sum over t of `weights[t]` times row `positions[t]` of the generator matrix, embedded in GF(2^128).
///
/// # Panics
/// If there are not as many weights as positions, or `out` has no power of two of entries.
pub(crate) fn induce<F: BinaryField>(
    _pool: &dyn Pool,
    level: Level,
    basis: &Basis<F>,
    positions: &[usize],
    weights: &[Gf128],
    out: &mut [Gf128],
) {
    assert!(positions.len() == weights.len() && out.len().is_power_of_two(), "a weight for every position");
    let log2_message = out.len().ilog2() as usize;
    for (position, weight) in positions.iter().zip(weights) {
        let factors: Vec<Factor> =
            basis.generator_factors(*position, log2_message).map(|a| Factor::Generator(a.into())).collect();
        vectors::add_assign(out, &vectors::tensor(level, *weight, &factors));
    }
}
