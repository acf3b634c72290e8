//! What the operations are about: factors of tensors, messages of rounds, vectors to fold.

use crate::binary::lanes::OnLanes;
use core::ops::AddAssign;

/// One coordinate of a tensor: the values of the factor where the coordinate is 0 and where it is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Factor<E> {
    /// (1 + z, z): the Lagrange basis at z.
    Equal(E),
    /// (1, a): a row of a generator matrix.
    Generator(E),
    /// Any two values.
    Pair(E, E),
}

impl<E: OnLanes> Factor<E> {
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

impl<E: OnLanes> Round<E> {
    /// The message about nothing.
    pub(crate) const ZERO: Self = Self { at_zero: E::ZERO, leading: E::ZERO };

    /// The round polynomial at `r`, where `sum` is what its values at 0 and 1 add up to.
    pub(crate) fn at(self, sum: E, r: E) -> E {
        self.at_zero + (sum + self.leading) * r + self.leading * r * r
    }
}

/// The message about all that the two are about.
impl<E: OnLanes> AddAssign for Round<E> {
    fn add_assign(&mut self, other: Self) {
        self.at_zero += other.at_zero;
        self.leading += other.leading;
    }
}

/// A vector to fold: where it is, and where the half that is left of it goes.
///
/// One type, not a trait of two, so that there is one kernel for both.
pub(crate) struct Foldable<'a, E> {
    /// The vector, unless it is the target.
    source: Option<&'a [E]>,
    /// The place whose first entries are what is left.
    target: &'a mut [E],
}

impl<E> Foldable<'_, E> {
    /// The vector.
    #[inline(always)]
    pub(super) fn source(&self) -> &[E] {
        self.source.unwrap_or(self.target)
    }

    /// The place whose first entries are what is left.
    #[inline(always)]
    pub(super) fn target(&mut self) -> &mut [E] {
        self.target
    }

    /// The first `len` entries, to the same place.
    pub(super) fn first(&mut self, len: usize) -> Foldable<'_, E> {
        match self.source {
            Some(source) => Foldable { source: Some(&source[..len]), target: self.target },
            None => Foldable { source: None, target: &mut self.target[..len] },
        }
    }
}

/// In place.
impl<'a, E> From<&'a mut [E]> for Foldable<'a, E> {
    fn from(target: &'a mut [E]) -> Self {
        Self { source: None, target }
    }
}

/// From one place to another.
impl<'a, E> From<(&'a [E], &'a mut [E])> for Foldable<'a, E> {
    fn from((source, target): (&'a [E], &'a mut [E])) -> Self {
        Self { source: Some(source), target }
    }
}
