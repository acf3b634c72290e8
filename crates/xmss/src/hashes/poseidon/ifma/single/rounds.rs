//! The rounds that both permutations are made of.

use super::super::ops::CARRY;
use super::lanes::{Row, StateLanes};
use super::partial::Partial;

/// The rows of constants that full rounds add, in R form.
#[repr(C, align(64))]
pub(super) struct Constants<const N: usize> {
    /// Before the S-boxes of the initial full rounds.
    pub(super) initial: [Row<N>; 4],
    /// Before the S-boxes of the terminal full rounds; the partial rounds have added those of the first one.
    pub(super) terminal: [Row<N>; 3],
    /// After the last layer.
    pub(super) last: Row<N>,
}

/// A permutation of `T` words in `N` vectors.
pub(super) trait Permutation<const T: usize, const N: usize> {
    /// The constants that the layers add.
    const CONSTANTS: &'static Constants<N>;
    /// The partial rounds, the linear layer before them included; computed at first use.
    fn partial() -> &'static Partial<T, N>;

    /// What comes before the first S-boxes.
    fn first<A: StateLanes>(a: A, x: &mut [A::V; N]);

    /// The linear layer of a full round, then its constants.
    fn layer<A: StateLanes>(a: A, x: &mut [A::V; N], constants: &Row<N>);

    /// What makes fresh words of those after the last layer.
    #[inline(always)]
    fn finish<A: StateLanes>(_: A, _: &mut [A::V; N]) {}
}

/// The S-boxes of a full round.
#[inline(always)]
fn cubes<A: StateLanes, const N: usize>(a: A, x: &mut [A::V; N]) {
    let mut i = 0;
    while i < N {
        x[i] = a.cube(a.splat(CARRY), x[i]);
        i += 1;
    }
}

/// The permutation. Input below `2^38`, output below `2^33`.
#[inline(always)]
pub(super) fn permute<A: StateLanes, W: Permutation<T, N>, const T: usize, const N: usize>(
    a: A,
    x: &mut [A::V; N],
) {
    let constants = W::CONSTANTS;
    W::first(a, x);
    let mut r = 1;
    while r < 4 {
        cubes(a, x);
        W::layer(a, x, &constants.initial[r]);
        r += 1;
    }
    cubes(a, x);
    W::partial().apply(a, x);
    r = 0;
    while r < 4 {
        cubes(a, x);
        W::layer(a, x, if r < 3 { &constants.terminal[r] } else { &constants.last });
        r += 1;
    }
    W::finish(a, x);
}
