//! What Poseidon1 needs of arithmetic beyond [`ResidueLanes`].

use super::super::ops::{NEGATED_INVERSE, P, ResidueLanes, Vector, cube_from, formulas};
use core::arch::x86_64::__m512i;

/// What Poseidon1 needs beyond [`ResidueLanes`].
pub(super) trait CubeLanes: ResidueLanes {
    /// `start - CARRY + r x / R` with `r = first - CARRY + x^2 / R`, that is
    /// `start - CARRY + x^3 / R^2 + (first - CARRY) x / R (mod p)`. Input: below `2^48`.
    ///
    /// With `r' = first + floor(x^2 / 2^52) + p` at most `start + floor(r' x / 2^52) + p`.
    #[inline(always)]
    fn cube_from(self, first: Self::V, start: Self::V, x: Self::V) -> Self::V {
        cube_from(self, first, start, x)
    }

    /// `acc + x / R - CARRY`, at most `acc + p`. Input: below `2^52`, with or without garbage above bit 51.
    #[inline(always)]
    fn divide(self, acc: Self::V, x: Self::V) -> Self::V {
        divide(self, acc, x)
    }

    /// Step `STEP` of the five dependent ones of [`CubeLanes::cube_from`], so that other work can be written between them.
    #[inline(always)]
    fn step<const STEP: usize>(self, cube: &mut Cube<Self::V>) {
        let (ni, p) = (self.splat(NEGATED_INVERSE), self.splat(P));
        if const { STEP == 0 } {
            cube.n = self.lo(self.splat(0), cube.x, ni);
            cube.r = self.hi(cube.first, cube.x, cube.x);
        } else if const { STEP == 1 } {
            cube.q = self.lo(ni, cube.x, cube.n);
        } else if const { STEP == 2 } {
            cube.r = self.hi(cube.r, cube.q, p);
        } else if const { STEP == 3 } {
            cube.q = self.lo(ni, cube.r, cube.n);
            cube.out = self.hi(cube.out, cube.r, cube.x);
        } else {
            cube.out = self.hi(cube.out, cube.q, p);
        }
    }
}

/// The formula of [`CubeLanes::divide`].
#[inline(always)]
fn divide<A: CubeLanes>(a: A, acc: A::V, x: A::V) -> A::V {
    let ni = a.splat(NEGATED_INVERSE);
    a.hi(acc, a.lo(ni, x, ni), a.splat(P))
}

/// A third power on the way.
#[derive(Clone, Copy)]
pub(super) struct Cube<V> {
    x: V,
    first: V,
    n: V,
    q: V,
    r: V,
    /// The start value at first, the result in the end.
    pub(super) out: V,
}

impl<V: Copy> Cube<V> {
    /// Of `x`, with start values as in [`CubeLanes::cube_from`].
    #[inline(always)]
    pub(super) fn new(first: V, start: V, x: V) -> Self {
        Self { x, first, n: x, q: x, r: x, out: start }
    }
}

/// The first full round's constants are added before the first S-box, all others ride in start values.
#[inline(always)]
pub(super) fn add_constants<A: CubeLanes, const T: usize>(a: A, x: &mut [A::V; T], constants: &[u64; T]) {
    let mut i = 0;
    while i < T {
        x[i] = a.add(x[i], a.splat(constants[i]));
        i += 1;
    }
}

impl CubeLanes for Vector {
    formulas! {
        cube_from(first: __m512i, start: __m512i, x: __m512i);
        divide(acc: __m512i, x: __m512i);
    }
}
