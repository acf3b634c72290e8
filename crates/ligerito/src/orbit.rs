//! Planes: the 32 bits of the coefficients as polynomials of their own, and the point claims that they are worth.
//!
//! f(x) = sum of b_i(x) x^i with bits b_i(x). At a point z the *planes* are s_i = sum over x of eq(z, x) b_i(x), elements
//! of the large field, and the *orbit* are the 32 points z^(2^k), coordinate by coordinate. Squaring is additive and fixes
//! bits, so the polynomial's value at z^(2^k) is t_k = sum of g^i s_i^(2^k), with g the image of x: true planes give true
//! claims. And the map from s to t is a bijection: if t_k is right for every k, then the polynomial whose coefficients are
//! the errors of the planes vanishes at all 32 conjugates of g, and has degree 31 at most. So "the planes are right" is the
//! same statement as "the 32 values are right", with no challenge and no error of its own; 31 of them would not do.
//! Source: section 13 of docs/ligerito.md.
#![forbid(unsafe_code)]

use crate::binary::vectors::{self, Factor};
use crate::binary::{ChallengeField, Gf32};
use crate::error::Error;
use crate::tower::PLANES;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// A value of small coefficients that were committed as words of 32 bits, from the planes at a point.
///
/// A word holds 2^n coefficients, n = `low.len()`, the first one in its lowest bits; `basis` has, for every bit of a
/// coefficient, the element that the bit stands for. The value is that of the coefficients' multilinear extension at
/// `low`, followed by the planes' point:
///
/// | coefficients | `low` | `basis` |
/// |---|---|---|
/// | bits | 5 coordinates | 1 |
/// | bytes, GF(2^8) in any basis | 2 | images of the 8 basis elements |
/// | GF(2^16) in any basis | 1 | images of the 16 |
/// | GF(2^32) in any basis | none | images of the 32 |
///
/// The images are those under one embedding of the small field into `E`, the same everywhere.
///
/// # Errors
/// [`Error::BasisLength`] unless 2^n coefficients of `basis.len()` bits are 32 bits.
#[expect(private_bounds, reason = "sealed: only this crate knows what a field is")]
pub fn value_of_planes<E: ChallengeField>(low: &[E], basis: &[E], planes: &[E; PLANES]) -> Result<E, Error> {
    let wanted = u32::try_from(low.len()).ok().and_then(|n| PLANES.checked_shr(n)).unwrap_or(0);
    if basis.len() != wanted || wanted == 0 {
        return Err(Error::BasisLength { got: basis.len(), wanted });
    }
    let isa = Isa::current();
    let factors: Vec<_> = low.iter().copied().map(Factor::Equal).collect();
    let mut sum = E::ZERO;
    for (scale, planes) in vectors::tensor(isa, E::ONE, &factors).iter().zip(planes.chunks(wanted)) {
        sum += *scale * vectors::inner(isa, basis, planes);
    }
    Ok(sum)
}

/// The `basis` that [`value_of_planes`] takes for bytes that are elements of the field of AES, GF(2^8) modulo
/// x^8 + x^4 + x^3 + x + 1: the images of 1, x, … x^7 under the embedding whose image of x has the smallest integer.
#[expect(private_bounds, reason = "sealed: only this crate knows what a field is")]
#[must_use]
pub fn aes_basis<E: ChallengeField>() -> [E; 8] {
    let mut basis = [E::ONE; 8];
    for i in 1..basis.len() {
        basis[i] = basis[i - 1] * E::ROOT_OF_AES;
    }
    basis
}

/// The points z^(2^k), one after the other.
pub(crate) fn conjugates<E: ChallengeField>(isa: Isa, point: &[E]) -> Vec<E> {
    let mut points = Vec::with_capacity(PLANES * point.len());
    let mut power = point.to_vec();
    for _ in 0..PLANES {
        points.extend_from_slice(&power);
        vectors::square(isa, &mut power);
    }
    points
}

/// The values t_k that planes stand for: as they are written, which a verifier has time for.
pub(crate) fn values<E: ChallengeField>(isa: Isa, planes: &[E; PLANES]) -> Vec<E> {
    let powers: [E; PLANES] = core::array::from_fn(|i| E::from(Gf32(1 << i)));
    let mut planes = *planes;
    let value = |_| {
        let value = vectors::inner(isa, &planes, &powers);
        vectors::square(isa, &mut planes);
        value
    };
    (0..PLANES).map(value).collect()
}
