//! Vectors over GF(2^128) or GF(2^192): what sumchecks, openings and their verification do with them.
//!
//! Index bit j is coordinate j. *Binding* a coordinate always takes the lowest one left: v'\[i\] = v\[2i\] + r (v\[2i\] +
//! v\[2i + 1\]). The chosen backend runs wherever a [`Level`] is passed; answers never depend on it.

mod kernel;
mod portable;
#[cfg(test)]
mod tests;

use super::lanes::run;
use super::{ChallengeField, zeros};
use crate::simd::Level;
use alloc::vec::Vec;

/// One coordinate of a tensor: the values of the factor where the coordinate is 0 and where it is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Factor<E> {
    /// (1 + z, z): the Lagrange basis at z.
    Equal(E),
    /// (1, a): a row of a generator matrix.
    Generator(E),
    /// Any two values. No claim of the public interface has it; the seam for other weights does.
    #[cfg_attr(not(test), expect(dead_code, reason = "the seam of weights is tested with it"))]
    Pair(E, E),
}

impl<E: ChallengeField> Factor<E> {
    /// The factor's multilinear extension at `r`: what is left of it when its coordinate is bound.
    pub(crate) fn bind(self, r: E) -> E {
        match self {
            Self::Equal(z) => E::ONE + z + r,
            Self::Generator(a) => E::ONE + r + r * a,
            Self::Pair(zero, one) => zero + r * (zero + one),
        }
    }

    /// The two entries of the inner product with the factor.
    pub(crate) fn combine(self, even: E, odd: E) -> E {
        match self {
            Self::Equal(z) => even + z * (even + odd),
            Self::Generator(a) => even + a * odd,
            Self::Pair(zero, one) => zero * even + one * odd,
        }
    }
}

/// The message of a sumcheck round: the round polynomial's value at 0 and its coefficient of X^2, of the sum of v w.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Round<E> {
    /// Sum of v\[2i\] w\[2i\].
    pub(crate) at_zero: E,
    /// Sum of (v\[2i\] + v\[2i+1\]) (w\[2i\] + w\[2i+1\]).
    pub(crate) leading: E,
}

impl<E: ChallengeField> Round<E> {
    /// The round polynomial at `r`, where `sum` is what its values at 0 and 1 add up to.
    pub(crate) fn at(self, sum: E, r: E) -> E {
        self.at_zero + (sum + self.leading) * r + self.leading * r * r
    }
}

/// The message of the next round.
///
/// # Panics
/// If the lengths differ or are odd.
pub(crate) fn round<E: ChallengeField>(level: Level, v: &[E], w: &[E]) -> Round<E> {
    assert!(v.len() == w.len() && v.len().is_multiple_of(2), "vectors of one even length");
    run(level, kernel::NextRound(v, w)).unwrap_or_else(|_| portable::round(v, w))
}

/// Binds the lowest coordinate of `v` and of `w` to `r`, and gives the message of the round after that (zeros if only one
/// entry is left).
///
/// # Panics
/// If the lengths differ, or are no multiple of four and not two.
pub(crate) fn fold_round<E: ChallengeField>(level: Level, v: &mut Vec<E>, w: &mut Vec<E>, r: E) -> Round<E> {
    assert_eq!(v.len(), w.len(), "vectors of one length");
    if v.len() == 2 {
        fold(level, v, r);
        fold(level, w, r);
        return Round { at_zero: E::ZERO, leading: E::ZERO };
    }
    assert!(v.len().is_multiple_of(4), "vectors of even length also after the fold");
    let half = v.len() / 2;
    if let Ok(message) = run(level, kernel::FoldRound { v, w, r }) {
        v.truncate(half);
        w.truncate(half);
        return message;
    }
    portable::fold(v, r);
    portable::fold(w, r);
    portable::round(v, w)
}

/// Binds the lowest coordinate of `v` to `r`.
///
/// # Panics
/// If the length is odd.
pub(crate) fn fold<E: ChallengeField>(level: Level, v: &mut Vec<E>, r: E) {
    assert!(v.len().is_multiple_of(2), "a vector of even length");
    match run(level, kernel::Fold(v, r)) {
        Ok(()) => v.truncate(v.len() / 2),
        Err(_) => portable::fold(v, r),
    }
}

/// The tensor of `factors` times `scale`: entry i is the product over j of factor j at bit j of i.
pub(crate) fn tensor<E: ChallengeField>(level: Level, scale: E, factors: &[Factor<E>]) -> Vec<E> {
    let mut out = zeros(1 << factors.len());
    match run(level, kernel::Tensor { scale, factors, out: &mut out }) {
        Ok(()) => out,
        Err(_) => portable::tensor(scale, factors),
    }
}

/// The multilinear extension of the tensor of `factors` at `point`: the product of what is left of each when it is bound.
///
/// # Panics
/// If there are not as many coordinates as factors.
pub(crate) fn extension<E: ChallengeField>(level: Level, factors: &[Factor<E>], point: &[E]) -> E {
    assert_eq!(factors.len(), point.len(), "a coordinate for every factor");
    run(level, kernel::Extension(factors, point)).unwrap_or_else(|_| portable::extension(factors, point))
}

/// The inner product of `v` with the tensor of `factors`.
///
/// # Panics
/// If `v` has not 2^(number of factors) entries.
pub(crate) fn evaluate<E: ChallengeField>(level: Level, v: &[E], factors: &[Factor<E>]) -> E {
    assert_eq!(v.len(), 1 << factors.len(), "an entry for every index");
    if matches!(level, Level::Portable) {
        return portable::evaluate(v, factors);
    }
    let lower = kernel::Evaluate::<E>::LOWER_FACTORS.max(factors.len() / 2);
    if factors.len() < lower {
        return inner(level, v, &tensor(level, E::ONE, factors));
    }
    let mut room = zeros((1 << lower) + (1 << (factors.len() - lower)));
    let (lower, upper) = room.split_at_mut(1 << lower);
    run(level, kernel::Evaluate { v, factors, lower, upper })
        .unwrap_or_else(|_| portable::evaluate(v, factors))
}

/// The sum of products of entries.
///
/// # Panics
/// If the lengths differ.
pub(crate) fn inner<E: ChallengeField>(level: Level, a: &[E], b: &[E]) -> E {
    assert_eq!(a.len(), b.len(), "vectors of one length");
    run(level, kernel::Inner(a, b)).unwrap_or_else(|_| portable::inner(a, b))
}

/// out\[i\] += a\[i\] b\[i\].
///
/// # Panics
/// If the lengths differ.
pub(crate) fn add_products<E: ChallengeField>(level: Level, out: &mut [E], a: &[E], b: &[E]) {
    assert!(out.len() == a.len() && a.len() == b.len(), "vectors of one length");
    if run(level, kernel::AddProducts { out, a, b }).is_err() {
        portable::add_products(out, a, b);
    }
}

/// a\[i\] += b\[i\].
///
/// # Panics
/// If the lengths differ.
pub(crate) fn add_assign<E: ChallengeField>(a: &mut [E], b: &[E]) {
    assert_eq!(a.len(), b.len(), "vectors of one length");
    for (a, b) in a.iter_mut().zip(b) {
        *a += *b;
    }
}
