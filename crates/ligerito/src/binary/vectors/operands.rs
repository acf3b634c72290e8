//! What the operations are about: factors of tensors, messages of rounds, vectors to fold.

use crate::binary::lanes::OnLanes;

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
    /// The round polynomial at `r`, where `sum` is what its values at 0 and 1 add up to.
    pub(crate) fn at(self, sum: E, r: E) -> E {
        self.at_zero + (sum + self.leading) * r + self.leading * r * r
    }
}

/// A vector to fold: where it is, and where the half that is left of it goes.
pub(crate) trait Foldable<E> {
    /// The vector.
    fn source(&self) -> &[E];
    /// The place whose first entries are what is left.
    fn target(&mut self) -> &mut [E];
}

/// In place.
impl<E> Foldable<E> for &mut [E] {
    #[inline(always)]
    fn source(&self) -> &[E] {
        self
    }

    #[inline(always)]
    fn target(&mut self) -> &mut [E] {
        self
    }
}

/// From one place to another.
impl<E> Foldable<E> for (&[E], &mut [E]) {
    #[inline(always)]
    fn source(&self) -> &[E] {
        self.0
    }

    #[inline(always)]
    fn target(&mut self) -> &mut [E] {
        self.1
    }
}
