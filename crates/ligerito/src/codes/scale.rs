//! The unnormalised basis, which the published crate encodes in.

use super::Basis;
use crate::binary::BinaryField;
use alloc::vec::Vec;

/// For every i below 2^`log2_message` the product of c_(`bound` + j) over the bits j of i: a coefficient of the basis made
/// of s_j from `bound` on, times this, is the coefficient of the normalised basis.
pub(crate) fn scales<F: BinaryField>(basis: &Basis<F>, bound: usize, log2_message: usize) -> Vec<F> {
    let mut scales = Vec::with_capacity(1 << log2_message);
    scales.push(F::ONE);
    for j in 0..log2_message {
        let norm = basis.norm(bound + j);
        for i in 0..scales.len() {
            scales.push(scales[i] * norm);
        }
    }
    scales
}
