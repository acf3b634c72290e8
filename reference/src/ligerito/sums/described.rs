//! Weights that the vectors describe (spec section A.3): from the bytes of a description to the table of the weight. Each begins
//! with a name of its own and has one encoding.

use super::super::field::{Large, large_bytes};
use super::super::multilinear::eq;

/// W(x) = eq(z, x + 1), where 1 follows the largest x by 0: the sum is the value at z of the polynomial rotated by one. The
/// coordinates of z follow the name.
pub const SUCCESSOR: &str = "phalanx vectors: successor";

/// W(x) = 1 for x below a bound, which follows the name as eight bytes, and 0 from there on.
pub const BELOW: &str = "phalanx vectors: below";

/// The description of [`SUCCESSOR`] at z.
pub fn successor<N: Large>(z: &[N]) -> Vec<u8> {
    [SUCCESSOR.as_bytes(), &large_bytes(z)].concat()
}

/// The description of [`BELOW`].
pub fn below(bound: u64) -> Vec<u8> {
    [BELOW.as_bytes(), &bound.to_le_bytes()].concat()
}

/// The weight of so many variables that a description stands for; `None` if it stands for none.
pub fn described<N: Large>(description: &[u8], mu: u8) -> Option<Vec<N>> {
    if let Some(z) = description.strip_prefix(SUCCESSOR.as_bytes()) {
        let size = N::FIELD.bytes();
        if z.len() != size * usize::from(mu) {
            return None;
        }
        let mut table = eq(&z.chunks_exact(size).map(N::of_le).collect::<Vec<N>>());
        table.rotate_left(1);
        return Some(table);
    }
    let bound = description.strip_prefix(BELOW.as_bytes())?;
    let bound = u64::from_le_bytes(bound.try_into().ok()?);
    let weight = |x: u64| if x < bound { N::one() } else { N::default() };
    (bound <= 1 << mu).then(|| (0..1 << mu).map(weight).collect())
}
