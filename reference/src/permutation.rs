//! The permutation of a family, and compression by it (spec section 3).

use crate::field::add;
use crate::params::Family;
use crate::{poseidon1, poseidon2};

/// Applies the family's permutation; the width is the length of `state`.
///
/// # Panics
///
/// Panics unless the width is 16 or 24.
pub fn permute(family: Family, state: &mut [u32]) {
    match family {
        Family::Poseidon2 => poseidon2::permute(state),
        Family::Poseidon1 => poseidon1::permute(state),
    }
}

/// Compresses `input`, padded with zeros to `width` words, to the first `k` words of `Perm(s) + s` (spec section 3.3).
///
/// # Panics
///
/// Panics if the input is longer than `width`, `k` exceeds `width`, or `width` is neither 16 nor 24.
pub fn compress(family: Family, width: usize, input: &[u32], k: usize) -> Vec<u32> {
    assert!(input.len() <= width, "a compression of width {width} cannot take {} words", input.len());
    let mut padded = input.to_vec();
    padded.resize(width, 0);
    let mut permuted = padded.clone();
    permute(family, &mut permuted);
    let sums: Vec<u32> = permuted.iter().zip(&padded).map(|(&y, &s)| add(y, s)).collect();
    sums[..k].to_vec()
}
