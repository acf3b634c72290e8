//! Vectors over GF(2^128): what sumchecks, openings and their verification do with them.
//!
//! Index bit j is coordinate j. *Binding* a coordinate always takes the lowest one left: v'\[i\] = v\[2i\] + r (v\[2i\] +
//! v\[2i + 1\]). The chosen backend runs wherever a [`Level`] is passed; answers never depend on it.

mod portable;
#[cfg(test)]
mod tests;

use super::{Gf32, Gf128};
use crate::simd::Level;
use alloc::vec::Vec;

/// One coordinate of a tensor: the values of the factor where the coordinate is 0 and where it is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Factor {
    /// (1 + z, z): the Lagrange basis at z.
    Equal(Gf128),
    /// (1, a): a row of a generator matrix.
    Generator(Gf128),
    /// Any two values. No claim of the public interface has it; the seam for other weights does.
    Pair(Gf128, Gf128),
}

impl Factor {
    /// The factor's multilinear extension at `r`: what is left of it when its coordinate is bound.
    pub(crate) fn bind(self, r: Gf128) -> Gf128 {
        match self {
            Self::Equal(z) => Gf128(1) + z + r,
            Self::Generator(a) => Gf128(1) + r + r * a,
            Self::Pair(zero, one) => zero + r * (zero + one),
        }
    }

    /// The two entries of the inner product with the factor.
    pub(crate) fn combine(self, even: Gf128, odd: Gf128) -> Gf128 {
        match self {
            Self::Equal(z) => even + z * (even + odd),
            Self::Generator(a) => even + a * odd,
            Self::Pair(zero, one) => zero * even + one * odd,
        }
    }
}

/// The message of a sumcheck round: the round polynomial's value at 0 and its coefficient of X^2, of the sum of v w.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    /// Sum of v\[2i\] w\[2i\].
    pub(crate) at_zero: Gf128,
    /// Sum of (v\[2i\] + v\[2i+1\]) (w\[2i\] + w\[2i+1\]).
    pub(crate) leading: Gf128,
}

impl Round {
    /// The round polynomial at `r`, where `sum` is what its values at 0 and 1 add up to.
    pub(crate) fn at(self, sum: Gf128, r: Gf128) -> Gf128 {
        self.at_zero + (sum + self.leading) * r + self.leading * r * r
    }
}

/// The message of the next round.
///
/// # Panics
/// If the lengths differ or are odd.
pub(crate) fn round(_level: Level, v: &[Gf128], w: &[Gf128]) -> Round {
    portable::round(v, w)
}

/// Binds the lowest coordinate of `v` and of `w` to `r`, and gives the message of the round after that (zeros if only one
/// entry is left).
///
/// # Panics
/// If the lengths differ or are odd.
pub(crate) fn fold_round(level: Level, v: &mut Vec<Gf128>, w: &mut Vec<Gf128>, r: Gf128) -> Round {
    fold(level, v, r);
    fold(level, w, r);
    if v.len() > 1 { round(level, v, w) } else { Round { at_zero: Gf128(0), leading: Gf128(0) } }
}

/// Binds the lowest coordinate of `v` to `r`.
///
/// # Panics
/// If the length is odd.
pub(crate) fn fold(_level: Level, v: &mut Vec<Gf128>, r: Gf128) {
    portable::fold(v, r);
}

/// The tensor of `factors` times `scale`: entry i is the product over j of factor j at bit j of i.
pub(crate) fn tensor(_level: Level, scale: Gf128, factors: &[Factor]) -> Vec<Gf128> {
    portable::tensor(scale, factors)
}

/// The inner product of `v` with the tensor of `factors`.
///
/// # Panics
/// If `v` has not 2^(number of factors) entries.
pub(crate) fn evaluate(_level: Level, v: &[Gf128], factors: &[Factor]) -> Gf128 {
    portable::evaluate(v, factors)
}

/// The sum of products of entries.
///
/// # Panics
/// If the lengths differ.
pub(crate) fn inner(_level: Level, a: &[Gf128], b: &[Gf128]) -> Gf128 {
    portable::inner(a, b)
}

/// a\[i\] += b\[i\].
///
/// # Panics
/// If the lengths differ.
pub(crate) fn add_assign(a: &mut [Gf128], b: &[Gf128]) {
    assert_eq!(a.len(), b.len(), "vectors of one length");
    for (a, b) in a.iter_mut().zip(b) {
        *a += *b;
    }
}

/// Rows of a matrix over GF(2^32), `out.len()` columns wide, combined: out\[c\] += sum over rows of f\[row\]\[c\]
/// weights\[row\].
///
/// # Panics
/// If `f` has not `weights.len()` rows.
pub(crate) fn combine_rows(_level: Level, f: &[Gf32], weights: &[Gf128], out: &mut [Gf128]) {
    assert_eq!(f.len(), weights.len() * out.len(), "a weight for every row");
    portable::combine_rows(f, weights, out);
}

/// Columns of a matrix over GF(2^32), `weights.len()` columns wide, combined: out\[row\] = sum over c of f\[row\]\[c\]
/// weights\[c\].
///
/// # Panics
/// If `f` has not `out.len()` rows.
pub(crate) fn combine_columns(_level: Level, f: &[Gf32], weights: &[Gf128], out: &mut [Gf128]) {
    assert_eq!(f.len(), weights.len() * out.len(), "a weight for every column");
    portable::combine_columns(f, weights, out);
}
