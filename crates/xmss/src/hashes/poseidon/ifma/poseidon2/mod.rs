//! Poseidon2 on vectors of eight lanes: docs/koalabear.md sections 4 and 5.
//!
//! Full rounds add no constants (they ride in the start values of the S-boxes before), and the partial rounds keep sums
//! of pairs of words whose diagonal entries differ only in sign. Loops over words are unrolled by [`each_word`], so
//! that the state lives in registers; what the compiler makes of `for` leaves 24 words in memory.

/// Repeats the body with `$i` a constant.
macro_rules! each {
    ($i:ident in $($n:literal)* => $body:block) => {
        $({
            const $i: usize = $n;
            $body
        })*
    };
}

/// Repeats the body for every word index there can be.
macro_rules! each_word {
    ($i:ident => $body:block) => {
        each!($i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 => $body)
    };
}

mod rounds;
mod tables;
#[cfg(test)]
mod tests;

use super::ops::{Factor, ResidueLanes, Vector};
use super::word::Lanes;
use core::arch::x86_64::__m512i;
use core::mem::MaybeUninit;
use phalanx_core::simd::Ifma;
use rounds::{begin, end, enter, leave, middle};
use tables::{Width, Width16, Width24};

/// Eight states in memory.
type Eight<const T: usize> = [[u64; 8]; T];

/// Words from memory.
#[inline(always)]
fn gather<const T: usize>(v: Vector, memory: &Eight<T>) -> [__m512i; T] {
    let mut x = [v.splat(0); T];
    each_word!(I => {
        if const { I < T } {
            x[I] = v.load(&memory[I]);
        }
    });
    x
}

/// Words to memory.
#[inline(always)]
fn scatter<const T: usize>(v: Vector, x: &[__m512i; T]) -> Eight<T> {
    let mut memory = [[0; 8]; T];
    each_word!(I => {
        if const { I < T } {
            v.store(x[I], &mut memory[I]);
        }
    });
    memory
}

// The stages are functions of their own, not inlined, on states in memory: one code for both vectors and for
// permutation and compression. In one piece, with both vectors unrolled (2900 instructions), the same code took 31 or
// 52 ns a lane depending on what else was in the program (Zen 5, 2026-11-21); we suppose that it outgrows the cache of
// decoded instructions.

/// Everything before the partial rounds, for vector `half`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn begin_stage<W: Width<T>, const T: usize, const BLOCKS: usize>(
    witness: Ifma,
    state: &[Lanes; T],
    half: usize,
) -> Eight<T> {
    let v = Vector(witness);
    let mut x = [v.splat(0); T];
    each_word!(I => {
        if const { I < T } {
            x[I] = v.load(&state[I].halves()[half]);
        }
    });
    begin::<Vector, W, T, BLOCKS>(v, &mut x);
    scatter(v, &x)
}

/// The partial rounds of width 16. Both vectors go through together: one alone waits for its S-boxes.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn middle_stage16(witness: Ifma, left: &mut Eight<16>, right: &mut Eight<16>) {
    let v = Vector(witness);
    let mut inner = [
        enter::<Vector, Width16, 16>(v, &gather(v, left)),
        enter::<Vector, Width16, 16>(v, &gather(v, right)),
    ];
    middle::<Vector, Width16, 16, 2>(v, &mut inner);
    *left = scatter(v, &leave::<Vector, Width16, 16>(v, &inner[0]));
    *right = scatter(v, &leave::<Vector, Width16, 16>(v, &inner[1]));
}

/// The partial rounds of width 24: the words of one vector fill the registers, and its rounds the pipeline.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn middle_stage24(witness: Ifma, state: &mut Eight<24>) {
    let v = Vector(witness);
    let mut inner = [enter::<Vector, Width24, 24>(v, &gather(v, state))];
    middle::<Vector, Width24, 24, 1>(v, &mut inner);
    *state = scatter(v, &leave::<Vector, Width24, 24>(v, &inner[0]));
}

/// Everything after the partial rounds, for vector `half`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn end_stage<W: Width<T>, const T: usize, const BLOCKS: usize>(
    witness: Ifma,
    memory: &Eight<T>,
    state: &mut [Lanes; T],
    half: usize,
) {
    let v = Vector(witness);
    let mut x = gather(v, memory);
    end::<Vector, W, T, BLOCKS, BLOCKS>(v, &mut x);
    each_word!(I => {
        if const { I < T } {
            v.store(v.mul_const(v.splat(0), x[I], &Factor::ONE), &mut state[I].halves_mut()[half]);
        }
    });
}

/// Everything after the partial rounds and the feed-forward, for vector `half`.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn compress_stage(
    witness: Ifma,
    memory: &Eight<16>,
    input: &[Lanes; 16],
    out: &mut [[MaybeUninit<[u64; 8]>; 2]; 8],
    half: usize,
) {
    let v = Vector(witness);
    let mut x = gather(v, memory);
    end::<Vector, Width16, 16, 4, 2>(v, &mut x);
    each!(I in 0 1 2 3 4 5 6 7 => {
        let fed = v.load(&input[I].halves()[half]);
        v.store(v.mul_const(fed, x[I], &Factor::ONE), out[I][half].write([0; 8]));
    });
}

/// The permutation of width 16.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
pub(super) fn permute16(witness: Ifma, state: &mut [Lanes; 16]) {
    let mut left = begin_stage::<Width16, 16, 4>(witness, state, 0);
    let mut right = begin_stage::<Width16, 16, 4>(witness, state, 1);
    middle_stage16(witness, &mut left, &mut right);
    end_stage::<Width16, 16, 4>(witness, &left, state, 0);
    end_stage::<Width16, 16, 4>(witness, &right, state, 1);
}

/// The first eight words of the permutation plus the input. Writes all of `out`, vectors of a [`Lanes`] each: returned
/// by value the words would be copied once more, and zeroing them first costs 4 % (2026-11-21).
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
pub(super) fn compress16(witness: Ifma, input: &[Lanes; 16], out: &mut [[MaybeUninit<[u64; 8]>; 2]; 8]) {
    let mut left = begin_stage::<Width16, 16, 4>(witness, input, 0);
    let mut right = begin_stage::<Width16, 16, 4>(witness, input, 1);
    middle_stage16(witness, &mut left, &mut right);
    compress_stage(witness, &left, input, out, 0);
    compress_stage(witness, &right, input, out, 1);
}

/// The permutation of width 24.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
pub(super) fn permute24(witness: Ifma, state: &mut [Lanes; 24]) {
    for half in 0..2 {
        let mut memory = begin_stage::<Width24, 24, 6>(witness, state, half);
        middle_stage24(witness, &mut memory);
        end_stage::<Width24, 24, 6>(witness, &memory, state, half);
    }
}
