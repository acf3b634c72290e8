//! The rounds of Poseidon2, once, for vectors and for intervals.
//!
//! What a width or a class of rounds has not is left out by `if const`: the compiler then never sees it.

use super::super::ops::{CARRY, Factor, P, ResidueLanes};
use super::tables::*;

/// The S-boxes of a full round.
#[inline(always)]
pub(super) fn cubes<A: ResidueLanes, const T: usize>(a: A, x: &mut [A::V; T], starts: &[u64; T]) {
    each_word!(I => {
        if const { I < T } {
            x[I] = a.cube(a.splat(starts[I]), x[I]);
        }
    });
}

/// The first `4 * BLOCKS` words of the external layer. Rows of the layer sum to 35 (width 16) or 49 (width 24).
#[inline(always)]
pub(super) fn external<A: ResidueLanes, const T: usize, const BLOCKS: usize>(a: A, x: &mut [A::V; T]) {
    let mut sums = [x[0], x[1], x[2], x[3]];
    each!(B in 1 2 3 4 5 => {
        if const { 4 * B < T } {
            each!(I in 0 1 2 3 => { sums[I] = a.add(sums[I], x[4 * B + I]); });
        }
    });
    let two = a.splat(2);
    each!(B in 0 1 2 3 4 5 => {
        if const { B < BLOCKS } {
            let z0 = a.add(x[4 * B], sums[0]);
            let z1 = a.add(x[4 * B + 1], sums[1]);
            let z2 = a.add(x[4 * B + 2], sums[2]);
            let z3 = a.add(x[4 * B + 3], sums[3]);
            let (left, right) = (a.add(z0, z1), a.add(z2, z3));
            let all = a.add(left, right);
            let (u, v) = (a.add(all, z1), a.add(all, z3));
            x[4 * B] = a.add(u, left);
            x[4 * B + 1] = a.lo(u, z2, two);
            x[4 * B + 2] = a.add(v, right);
            x[4 * B + 3] = a.lo(v, z0, two);
        }
    });
}

/// The state during the partial rounds.
#[derive(Clone, Copy)]
pub(super) struct Internal<V> {
    /// Word 0.
    pub(super) x0: V,
    /// Half the sums of the pairs: those of round `r` in `pairs[r % 2]`, and those of the round before in the other. At
    /// the entry the full sums and the full differences.
    pub(super) pairs: [[V; PAIRS]; 2],
    /// The other words.
    pub(super) singles: [V; SINGLES],
}

/// From words to the state of the partial rounds.
#[inline(always)]
pub(super) fn enter<A: ResidueLanes, W: Width<T>, const T: usize>(a: A, x: &[A::V; T]) -> Internal<A::V> {
    let zero = a.splat(0);
    let mut state = Internal { x0: x[0], pairs: [[zero; PAIRS]; 2], singles: [zero; SINGLES] };
    each!(I in 0 1 2 3 4 5 6 7 8 => {
        if const { I < W::TABLE.pair_count } {
            let pair = &W::TABLE.pairs[I];
            state.pairs[0][I] = a.add(x[pair.a], x[pair.b]);
            // A multiple of p above the largest word keeps the difference positive.
            state.pairs[1][I] = a.sub(a.add(x[pair.a], a.splat(256 * P)), x[pair.b]);
        }
    });
    each!(I in 0 1 2 3 4 => {
        if const { I < W::TABLE.single_count } {
            state.singles[I] = x[W::TABLE.singles[I].index];
        }
    });
    state
}

/// From the state of the partial rounds to words.
#[inline(always)]
pub(super) fn leave<A: ResidueLanes, W: Width<T>, const T: usize>(a: A, state: &Internal<A::V>) -> [A::V; T] {
    let table = W::TABLE;
    let (now, before) = (table.rounds % 2, 1 - table.rounds % 2);
    let mut x = [state.x0; T];
    each!(I in 0 1 2 3 4 5 6 7 8 => {
        if const { I < W::TABLE.pair_count } {
            let pair = &table.pairs[I];
            let half = state.pairs[now][I];
            let difference = a.mul_const(a.splat(CARRY), state.pairs[before][I], &pair.by_d);
            x[pair.a] = a.add(half, difference);
            x[pair.b] = a.sub(half, difference);
        }
    });
    each!(I in 0 1 2 3 4 => {
        if const { I < W::TABLE.single_count } {
            x[table.singles[I].index] = state.singles[I];
        }
    });
    x
}

/// The part of a partial round that later rounds wait for: the S-box, started at `start`, and the sum of all words.
#[inline(always)]
pub(super) fn internal_sum<A: ResidueLanes, W: Width<T>, const T: usize, const CLASS: usize>(
    a: A,
    state: &mut Internal<A::V>,
    start: u64,
) -> A::V {
    let now = CLASS % 2;
    // The sum of all words but word 0: independent of the S-box, so it runs beside it.
    let mut sums = state.pairs[now][0];
    each!(I in 1 2 3 4 5 6 7 8 => {
        if const { I < W::TABLE.pair_count } {
            sums = a.add(sums, state.pairs[now][I]);
        }
    });
    let mut rest = state.singles[0];
    each!(I in 1 2 3 4 => {
        if const { I < W::TABLE.single_count } {
            rest = a.add(rest, state.singles[I]);
        }
    });
    let rest = if const { CLASS == 0 } { a.add(rest, sums) } else { a.lo(rest, sums, a.splat(2)) };

    let y = a.cube(a.splat(start), state.x0);
    let sum = a.mul_const(y, rest, &Factor::ONE);
    state.x0 = a.sub(rest, y);
    sum
}

/// The rest of a partial round: the words other than word 0.
#[inline(always)]
pub(super) fn internal_words<A: ResidueLanes, W: Width<T>, const T: usize, const CLASS: usize>(
    a: A,
    state: &mut Internal<A::V>,
    sum: A::V,
) {
    let table = W::TABLE;
    let next = 1 - CLASS % 2;
    each!(I in 0 1 2 3 4 5 6 7 8 => {
        if const { I < W::TABLE.pair_count } {
            let pair = &table.pairs[I];
            let old = state.pairs[next][I];
            state.pairs[next][I] = if const { CLASS == 0 } {
                a.mul_const(sum, old, &pair.by_half_d)
            } else if const { CLASS == 1 } {
                a.mul_const(sum, old, &pair.by_half_square)
            } else if const { W::TABLE.pairs[I].form(CLASS).is(Product::Integer) } {
                a.lo(sum, old, a.splat(pair.square))
            } else if const { W::TABLE.pairs[I].form(CLASS).is(Product::Small) } {
                a.mul_small_const(sum, old, &pair.by_square)
            } else {
                a.mul_const(sum, old, &pair.by_square)
            };
        }
    });
    each!(I in 0 1 2 3 4 => {
        if const { I < W::TABLE.single_count } {
            let single = &table.singles[I];
            let old = state.singles[I];
            state.singles[I] = if const { W::TABLE.singles[I].form(CLASS).is(Product::One) } {
                a.add(sum, old)
            } else if const { W::TABLE.singles[I].form(CLASS).is(Product::Integer) } {
                a.lo(sum, old, a.splat(single.d))
            } else {
                a.mul_const(sum, old, &single.by_d)
            };
        }
    });
}

/// All partial rounds of `N` independent vectors, interleaved.
#[inline(always)]
pub(super) fn middle<A: ResidueLanes, W: Width<T>, const T: usize, const N: usize>(
    a: A,
    states: &mut [Internal<A::V>; N],
) {
    /// One round of each vector.
    macro_rules! round {
        ($class:literal, $r:expr) => {{
            let mut sums = [a.splat(0); N];
            each!(I in 0 1 => {
                if const { I < N } {
                    sums[I] = internal_sum::<A, W, T, $class>(a, &mut states[I], W::TABLE.internal[$r]);
                }
            });
            each!(I in 0 1 => {
                if const { I < N } {
                    internal_words::<A, W, T, $class>(a, &mut states[I], sums[I]);
                }
            });
        }};
    }
    round!(0, 0);
    round!(1, 1);
    let mut r = 2;
    loop {
        round!(2, r);
        round!(3, r + 1);
        round!(4, r + 2);
        // Width 24 ends here, width 16 below.
        if r + 3 >= W::TABLE.rounds {
            break;
        }
        round!(5, r + 3);
        round!(6, r + 4);
        round!(7, r + 5);
        r += 6;
        if r >= W::TABLE.rounds {
            break;
        }
    }
}

/// Everything before the partial rounds.
#[inline(always)]
pub(super) fn begin<A: ResidueLanes, W: Width<T>, const T: usize, const BLOCKS: usize>(
    a: A,
    x: &mut [A::V; T],
) {
    each_word!(I => {
        if const { I < T } {
            x[I] = a.add(x[I], a.splat(W::TABLE.first[I]));
        }
    });
    external::<A, T, BLOCKS>(a, x);
    for starts in &W::TABLE.initial {
        cubes(a, x, starts);
        external::<A, T, BLOCKS>(a, x);
    }
}

/// Everything after the partial rounds. Of the last layer come `4 * LAST` words; they are not reduced.
#[inline(always)]
pub(super) fn end<A: ResidueLanes, W: Width<T>, const T: usize, const BLOCKS: usize, const LAST: usize>(
    a: A,
    x: &mut [A::V; T],
) {
    let whole = if LAST == BLOCKS { 4 } else { 3 };
    for starts in &W::TABLE.terminal[..whole] {
        cubes(a, x, starts);
        external::<A, T, BLOCKS>(a, x);
    }
    if whole == 3 {
        cubes(a, x, &W::TABLE.terminal[3]);
        external::<A, T, LAST>(a, x);
    }
}
