//! One or two states of twelve words, spread over the lanes: what a single message, or the end of a list, can use.
//!
//! Vector `a` of four holds words 3a, 3a + 1, 3a + 2 of the first state in lanes 0 to 2 and those of the second in lanes 4
//! to 6. The linear layer works on words three apart, which are in one lane, and then turns three lanes around. Lanes 3 and 7
//! are idle: what is in them goes nowhere.

use super::super::constants::{Constants, RP64, RPO};
use super::super::kernel::{PackedField, power_7, root_chain};
use super::super::names::Permutation;
use super::super::portable::permute_scalar;
use super::lanes::{MASK_52, Products52, X8, canonical_lanes, joined, split_lanes};
use crate::goldilocks::Vartime;
use core::arch::x86_64::*;
use phalanx_core::simd::Ifma;

/// X4 vectors of elements.
type State = [[__m512i; 2]; 4];

/// The constants of a permutation, by half round, vector and lane.
type Spread = [[[u64; 4]; 4]; 14];

const fn spread(constants: &Constants<12>) -> Spread {
    let mut out = [[[0; 4]; 4]; 14];
    let mut half = 0;
    while half < 14 {
        let mut i = 0;
        while i < 12 {
            out[half][i / 3][i % 3] = constants[half / 2][half % 2][i];
            i += 1;
        }
        half += 1;
    }
    out
}

static RP64_SPREAD: Spread = spread(&RP64);
static RPO_SPREAD: Spread = spread(&RPO);

/// Permutes states that stand one after the other, two at a time.
pub(super) fn permute_pairs(witness: Ifma, permutation: Permutation, words: &mut [u64]) {
    for pair in words.chunks_mut(2 * permutation.width()) {
        // SAFETY: the witness proves the features that the entries are compiled for.
        unsafe {
            match permutation {
                Permutation::Rp64 => permute_pair(X8(witness), pair, rp64),
                Permutation::Rpo => permute_pair(X8(witness), pair, rpo),
                Permutation::Jive | Permutation::Rpx => permute_scalar::<Vartime>(permutation, pair),
            }
        }
    }
}

/// Brings one or two states into lanes, permutes them and brings them back, canonical.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn permute_pair(e: X8, words: &mut [u64], permute: unsafe fn(X8, &mut State)) {
    let mut columns = [[0u64; 8]; 4];
    for (half, state) in words.chunks_exact(12).enumerate() {
        for (column, triple) in columns.iter_mut().zip(state.as_chunks::<3>().0) {
            column[4 * half..4 * half + 3].copy_from_slice(triple);
        }
    }
    let mut state = [[_mm512_setzero_si512(); 2]; 4];
    for (word, column) in state.iter_mut().zip(&columns) {
        *word = split_lanes(e, column);
    }
    // SAFETY: this function is compiled for the features that `permute` needs.
    unsafe { permute(e, &mut state) };
    for (word, column) in state.iter().zip(&mut columns) {
        canonical_lanes(e, *word, column);
    }
    for (half, state) in words.chunks_exact_mut(12).enumerate() {
        for (column, triple) in columns.iter().zip(state.as_chunks_mut::<3>().0) {
            triple.copy_from_slice(&column[4 * half..4 * half + 3]);
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline(never)]
fn rp64(e: X8, state: &mut State) {
    for [first, second] in RP64_SPREAD.as_chunks::<2>().0 {
        power_7(e, state);
        linear(e, state, first);
        *state = root_chain(e, *state);
        linear(e, state, second);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
#[inline(never)]
fn rpo(e: X8, state: &mut State) {
    for [first, second] in RPO_SPREAD.as_chunks::<2>().0 {
        linear(e, state, first);
        power_7(e, state);
        linear(e, state, second);
        *state = root_chain(e, *state);
    }
}

/// The circulant matrix, then constants.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn linear(e: X8, state: &mut State, constants: &[[u64; 4]; 4]) {
    let [s0, s1, s2, s3] = [e.split(state[0]), e.split(state[1]), e.split(state[2]), e.split(state[3])];
    let low = circulant(e, [s0[0], s1[0], s2[0], s3[0]]);
    let high = circulant(e, [s0[1], s1[1], s2[1], s3[1]]);
    let mut a = 0;
    while a < 4 {
        // SAFETY: four words of 64 bits are read.
        let constant = unsafe { _mm512_broadcast_i64x4(_mm256_loadu_si256(constants[a].as_ptr().cast())) };
        let low = e.add(low[a], e.and(constant, e.constant(MASK_52)));
        let high = e.add(high[a], e.shr::<52>(constant));
        state[a] = joined(e, low, high);
        a += 1;
    }
}

/// Interleaved halves turned by one lane: lane k receives lane k - 1, of three.
const TURN_1: [u64; 8] = [2, 0, 1, 3, 6, 4, 5, 7];
/// The same by two lanes.
const TURN_2: [u64; 8] = [1, 2, 0, 3, 5, 6, 4, 7];
/// As lane 0 comes around it is multiplied by -i: real parts are then taken from the second operand, the imaginary parts.
const TURN_1_COMPLEX: [u64; 8] = [8 + 2, 0, 1, 3, 8 + 6, 4, 5, 7];
/// Lanes 0 and 1 come around.
const TURN_2_COMPLEX: [u64; 8] = [8 + 1, 8 + 2, 0, 3, 8 + 5, 8 + 6, 4, 7];

#[inline]
#[target_feature(enable = "avx512f")]
fn lanes(index: &[u64; 8]) -> __m512i {
    // SAFETY: eight words of 64 bits are read.
    unsafe { _mm512_loadu_si512(index.as_ptr().cast()) }
}

/// The polynomials of `kernel::circulant_12`, their three coefficients in three lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn circulant(e: X8, [r0, r1, r2, r3]: [__m512i; 4]) -> [__m512i; 4] {
    let zero = _mm512_setzero_si512();
    let (even, odd) = (e.add(r0, r2), e.add(r1, r3));
    let (a, d, u, v) = (e.add(even, odd), e.sub(even, odd), e.sub(r0, r2), e.sub(r3, r1));

    // y = 1: 16, 8, 16.
    let (turn_1, turn_2) = (lanes(&TURN_1), lanes(&TURN_2));
    let outer = e.add(a, _mm512_permutexvar_epi64(turn_2, a));
    let cyclic = e.shl::<3>(e.add(e.add(outer, outer), _mm512_permutexvar_epi64(turn_1, a)));

    // y = -1: -8, 1, 1, and what comes around is negated.
    let (d1, d2) = (_mm512_permutexvar_epi64(turn_1, d), _mm512_permutexvar_epi64(turn_2, d));
    let (sum, difference) = (e.add(d1, d2), e.sub(d1, d2));
    let signed = _mm512_mask_sub_epi64(_mm512_mask_mov_epi64(sum, 0x22, difference), 0x11, zero, sum);
    let alternating = e.sub(signed, e.shl::<3>(d));

    // y = -i: -1 + 2i, -1 + i, 4 + 8i, and what comes around is multiplied by -i, which makes v - iu of u + iv.
    let (turn_1, turn_2, minus_u) = (lanes(&TURN_1_COMPLEX), lanes(&TURN_2_COMPLEX), e.sub(zero, u));
    let (u1, v1) = (_mm512_permutex2var_epi64(u, turn_1, v), _mm512_permutex2var_epi64(v, turn_1, minus_u));
    let (u2, v2) = (_mm512_permutex2var_epi64(u, turn_2, v), _mm512_permutex2var_epi64(v, turn_2, minus_u));
    let near = e.add(e.add(u, e.add(v, v)), e.add(u1, v1));
    let minus_re = e.add(near, e.shl::<2>(e.sub(e.add(v2, v2), u2)));
    let near = e.add(e.sub(e.add(u, u), v), e.sub(u1, v1));
    let im = e.add(near, e.shl::<2>(e.add(e.add(u2, u2), v2)));

    let (even, odd) = (e.add(cyclic, alternating), e.sub(cyclic, alternating));
    [e.sub(even, minus_re), e.sub(odd, im), e.add(even, minus_re), e.add(odd, im)]
}
