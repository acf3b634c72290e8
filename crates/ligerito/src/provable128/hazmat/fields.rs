//! GF(2^192) and the code over it, for those who check them against vectors. What is of GF(2^32) is in
//! [`ligerito::hazmat::fields`](super::super::super::hazmat::fields).
//!
//! Functions give `None` where a length is no power of two, or a domain is larger than the module's limit.

use super::super::super::hazmat::fields::MAX_LOG2_POINTS;
use crate::binary::vectors::{self, Factor};
use crate::binary::{BinaryField, Gf32, gf32s};
use crate::codes::{self, Basis, Encoder};
use crate::provable128::Gf192;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::memory::UninitBuf;
use phalanx_core::simd::Isa;
use phalanx_core::threads::Inline;

/// phi: the image of an element of GF(2^32).
#[must_use]
pub fn embed(element: u32) -> Gf192 {
    Gf32(element).into()
}

/// 1 / a, and 0 for 0.
#[must_use]
pub fn invert(a: Gf192) -> Gf192 {
    a.invert()
}

/// The table of h_j(2^b), row j and column b, for a domain of 2^`log2_points` points.
#[must_use]
pub fn basis(log2_points: u32) -> Option<Vec<Vec<Gf192>>> {
    let basis = domain(log2_points)?;
    Some((0..basis.log2_points()).map(|j| basis.row(j).to_vec()).collect())
}

/// a_j = h_j(`position`) for j below `log2_message`: row `position` of the generator matrix is the tensor of (1, a_j).
#[must_use]
pub fn generator_factors(log2_points: u32, log2_message: u32, position: usize) -> Option<Vec<Gf192>> {
    let basis = domain(log2_points)?;
    let inside = log2_message <= log2_points && position >> log2_points == 0;
    inside.then(|| basis.generator_factors(position, log2_message as usize).collect())
}

/// Encodes the columns of a matrix of 2^`log2_columns` columns, given row after row, to 2^`log2_inverse_rate` times as
/// many rows.
#[must_use]
pub fn encode(message: &[Gf192], log2_columns: u32, log2_inverse_rate: u32) -> Option<Vec<Gf192>> {
    if !message.len().is_power_of_two() {
        return None;
    }
    let log2_message = message.len().ilog2().checked_sub(log2_columns)?;
    let basis = domain(log2_message.checked_add(log2_inverse_rate)?)?;
    let (log2_message, log2_columns) = (log2_message as usize, log2_columns as usize);
    let encoder = Encoder { isa: Isa::current(), basis: &basis, log2_message, log2_columns };
    let buffer = UninitBuf::new(message.len() << log2_inverse_rate);
    let mut nodes = vec![(); buffer.len() >> log2_columns];
    Some(codes::encode(&Inline, encoder, message, &[], 0, buffer, &mut nodes, 1, &|_, _| ()).to_vec())
}

/// eq(z, x) for every x of the Boolean cube, coordinate j of x being bit j of the index.
#[must_use]
pub fn equal(point: &[Gf192]) -> Vec<Gf192> {
    vectors::tensor(Isa::current(), Gf192::ONE, &factors(point))
}

/// The value of the multilinear extension of `polynomial`, elements of GF(2^32), at a point; `None` unless there are
/// 2^(coordinates) elements.
#[must_use]
pub fn evaluate(polynomial: &[u32], point: &[Gf192]) -> Option<Gf192> {
    let fits = point.len() < 32 && polynomial.len() == 1 << point.len();
    let embedded: Vec<Gf192> = gf32s(polynomial).iter().map(|x| (*x).into()).collect();
    fits.then(|| vectors::evaluate(Isa::current(), &embedded, &factors(point)))
}

fn factors(point: &[Gf192]) -> Vec<Factor<Gf192>> {
    point.iter().copied().map(Factor::Equal).collect()
}

fn domain(log2_points: u32) -> Option<Basis<Gf192>> {
    (log2_points <= MAX_LOG2_POINTS).then(|| Basis::new(log2_points))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What they give is checked by `cargo xtask vectors`, on every backend.
    #[test]
    fn what_is_refused() {
        assert_eq!(invert(Gf192::ZERO), Gf192::ZERO);
        assert_eq!(generator_factors(6, 4, 1 << 6), None, "no point of the domain");
        assert_eq!(evaluate(&[7; 3], &[Gf192::ONE; 2]), None, "a value is missing");
        assert_eq!(encode(&[Gf192::ONE; 3], 0, 1), None, "no power of two");
        assert_eq!(basis(MAX_LOG2_POINTS + 1), None, "too large a domain");
    }
}
