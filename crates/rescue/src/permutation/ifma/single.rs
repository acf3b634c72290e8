//! One state, or two, spread over the lanes: what a single message, or the end of a list, can use.
//!
//! Of width 12, vector `a` of four holds words 3a, 3a + 1, 3a + 2 in lanes 0 to 2, and the linear layer, which works on words
//! three apart, stays within lanes and then turns three lanes around. For S-boxes the last vector's words fill the idle lanes
//! of the others. Of width 8, vector `a` of two holds words 4a to 4a + 3. One state takes vectors of four lanes; a second one
//! stands in the other half of vectors of eight.
#![allow(unsafe_code, reason = "intrinsics on the strength of a witness")]

use super::super::avx2;
use super::super::constants::{Constants, JIVE, RP64, RPO};
use super::super::kernel::{PackedField, power_chain, root_chain};
use super::super::names::Permutation;
use super::lanes::{MASK_52, Products52, X8, joined};
use super::x4::X4;
use crate::goldilocks::{EPSILON, add, canonical};
use core::arch::x86_64::*;
use phalanx_core::lanes::WordLanes;
use phalanx_core::simd::Ifma;

/// What spread states take beside products: four lanes of one state, or of each of two, `N` in all.
trait Spread<const N: usize>: Products52 {
    fn load(self, words: &[u64; N]) -> Self::V;
    fn store(self, words: &mut [u64; N], a: Self::V);
    /// The same four words for each state.
    fn each(self, words: &[u64; 4]) -> Self::V;
    /// Lane i of four receives the lane that bits 2i and 2i + 1 of `LANES` name.
    fn turned<const LANES: i32>(self, a: Self::V) -> Self::V;
    /// b in the lanes of `MASK`, of four, and a in the others.
    fn either<const MASK: u8>(self, a: Self::V, b: Self::V) -> Self::V;
}

impl Spread<4> for X4 {
    #[inline(always)]
    fn load(self, words: &[u64; 4]) -> __m256i {
        self.words().load(words)
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; 4], a: __m256i) {
        self.words().store(words, a);
    }

    #[inline(always)]
    fn each(self, words: &[u64; 4]) -> __m256i {
        self.words().load(words)
    }

    #[inline(always)]
    fn turned<const LANES: i32>(self, a: __m256i) -> __m256i {
        // SAFETY: the witness proves AVX2.
        unsafe { _mm256_permute4x64_epi64::<LANES>(a) }
    }

    #[inline(always)]
    fn either<const MASK: u8>(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the witness proves AVX-512 F and VL.
        unsafe { _mm256_mask_blend_epi64(MASK, a, b) }
    }
}

impl Spread<8> for X8 {
    #[inline(always)]
    fn load(self, words: &[u64; 8]) -> __m512i {
        self.words().load(words)
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; 8], a: __m512i) {
        self.words().store(words, a);
    }

    #[inline(always)]
    fn each(self, words: &[u64; 4]) -> __m512i {
        // SAFETY: the witness proves AVX-512 F, and four words of 64 bits are read.
        unsafe { _mm512_broadcast_i64x4(_mm256_loadu_si256(words.as_ptr().cast())) }
    }

    #[inline(always)]
    fn turned<const LANES: i32>(self, a: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_permutex_epi64::<LANES>(a) }
    }

    #[inline(always)]
    fn either<const MASK: u8>(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the witness proves AVX-512 F.
        unsafe { _mm512_mask_blend_epi64(MASK | MASK << 4, a, b) }
    }
}

/// The constants of a permutation of `V` vectors, by half round, vector and lane.
type Table<const V: usize> = [[[u64; 4]; V]; 14];

const fn table<const W: usize, const V: usize>(constants: &Constants<W>) -> Table<V> {
    let mut out = [[[0; 4]; V]; 14];
    let mut half = 0;
    while half < 14 {
        let mut i = 0;
        while i < W {
            out[half][i / (W / V)][i % (W / V)] = constants[half / 2][half % 2][i];
            i += 1;
        }
        half += 1;
    }
    out
}

static RP64_TABLE: Table<4> = table(&RP64);
static RPO_TABLE: Table<4> = table(&RPO);
static JIVE_TABLE: Table<2> = table(&JIVE);

/// `V` vectors of `N` lanes in memory, in two parts: a `u64`, and what is to be multiplied by 2^64 and added to it.
type Columns<const N: usize, const V: usize> = [[[u64; N]; 2]; V];

/// Permutes states that stand one after the other, two at a time.
pub(super) fn permute_pairs(witness: Ifma, permutation: Permutation, words: &mut [u64]) {
    for pair in words.chunks_mut(2 * permutation.width()) {
        let alone = pair.len() == permutation.width();
        // SAFETY: the witness proves the features that the entries are compiled for.
        unsafe {
            match (permutation, alone) {
                (Permutation::Rp64, true) => in_columns(pair, 3, |columns| rp64_alone(witness, columns)),
                (Permutation::Rp64, false) => in_columns(pair, 3, |columns| rp64_pair(witness, columns)),
                (Permutation::Rpo, true) => in_columns(pair, 3, |columns| rpo_alone(witness, columns)),
                (Permutation::Rpo, false) => in_columns(pair, 3, |columns| rpo_pair(witness, columns)),
                (Permutation::Jive, true) => in_columns(pair, 4, |columns| jive_alone(witness, columns)),
                (Permutation::Jive, false) => in_columns(pair, 4, |columns| jive_pair(witness, columns)),
                (Permutation::Rpx, _) => avx2::permute_many(witness.avx2(), permutation, pair),
            }
        }
    }
}

/// Brings one or two states into columns, `used` words of each to a vector, and brings them back, canonical.
fn in_columns<const N: usize, const V: usize>(
    words: &mut [u64],
    used: usize,
    permute: impl FnOnce(&mut Columns<N, V>),
) {
    let mut columns = [[[0; N]; 2]; V];
    for (state, words) in words.chunks_exact(V * used).enumerate() {
        for (column, words) in columns.iter_mut().zip(words.chunks_exact(used)) {
            column[0][4 * state..][..used].copy_from_slice(words);
        }
    }
    permute(&mut columns);
    for (state, words) in words.chunks_exact_mut(V * used).enumerate() {
        for ([low, high], words) in columns.iter().zip(words.chunks_exact_mut(used)) {
            for (lane, word) in words.iter_mut().enumerate() {
                // 2^64 = epsilon.
                *word = canonical(add(low[4 * state + lane], high[4 * state + lane] * EPSILON));
            }
        }
    }
}

/// A permutation in a vector type, entered on the strength of the witness.
macro_rules! entry {
    ($name:ident, $lanes:ident, $n:literal, $v:literal, $kernel:ident) => {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
        #[inline(never)]
        fn $name(witness: Ifma, columns: &mut Columns<$n, $v>) {
            let e = $lanes(witness);
            let mut state = loaded(e, columns);
            $kernel(e, &mut state);
            stored(e, columns, &state);
        }
    };
}

entry!(rp64_alone, X4, 4, 4, rp64);
entry!(rp64_pair, X8, 8, 4, rp64);
entry!(rpo_alone, X4, 4, 4, rpo);
entry!(rpo_pair, X8, 8, 4, rpo);
entry!(jive_alone, X4, 4, 2, jive);
entry!(jive_pair, X8, 8, 2, jive);

#[inline(always)]
fn loaded<E: Spread<N>, const N: usize, const V: usize>(e: E, columns: &Columns<N, V>) -> [[E::V; 2]; V] {
    let mut state = [[e.constant(0); 2]; V];
    let mut a = 0;
    while a < V {
        let words = e.load(&columns[a][0]);
        state[a] = [e.and(words, e.constant(MASK_52)), e.shr::<52>(words)];
        a += 1;
    }
    state
}

#[inline(always)]
fn stored<E: Spread<N>, const N: usize, const V: usize>(
    e: E,
    columns: &mut Columns<N, V>,
    state: &[[E::V; 2]; V],
) {
    let mut a = 0;
    while a < V {
        let [l, h] = state[a];
        let [low, high] = &mut columns[a];
        e.store(low, e.add(e.and(l, e.constant(MASK_52)), e.shl::<52>(h)));
        e.store(high, e.shr::<12>(h));
        a += 1;
    }
}

#[inline(always)]
fn rp64<E: Spread<N>, const N: usize>(e: E, state: &mut [[E::V; 2]; 4]) {
    let mut half = 0;
    while half < 14 {
        *state = s_box::<E, N, false>(e, *state);
        linear_12(e, state, &RP64_TABLE[half]);
        *state = s_box::<E, N, true>(e, *state);
        linear_12(e, state, &RP64_TABLE[half + 1]);
        half += 2;
    }
}

#[inline(always)]
fn rpo<E: Spread<N>, const N: usize>(e: E, state: &mut [[E::V; 2]; 4]) {
    let mut half = 0;
    while half < 14 {
        linear_12(e, state, &RPO_TABLE[half]);
        *state = s_box::<E, N, false>(e, *state);
        linear_12(e, state, &RPO_TABLE[half + 1]);
        *state = s_box::<E, N, true>(e, *state);
        half += 2;
    }
}

#[inline(always)]
fn jive<E: Spread<N>, const N: usize>(e: E, state: &mut [[E::V; 2]; 2]) {
    let mut half = 0;
    while half < 14 {
        *state = power_chain(e, *state);
        linear_8(e, state, &JIVE_TABLE[half]);
        *state = root_chain(e, *state);
        linear_8(e, state, &JIVE_TABLE[half + 1]);
        half += 2;
    }
}

/// x^d of twelve words if `ROOT`, else x^7: in three vectors, the words of the last one in the idle lanes of the others.
#[inline(always)]
fn s_box<E: Spread<N>, const N: usize, const ROOT: bool>(
    e: E,
    [s0, s1, s2, s3]: [[E::V; 2]; 4],
) -> [[E::V; 2]; 4] {
    let full = [
        [filled::<E, N, 0x00>(e, s0[0], s3[0]), filled::<E, N, 0x00>(e, s0[1], s3[1])],
        [filled::<E, N, 0x40>(e, s1[0], s3[0]), filled::<E, N, 0x40>(e, s1[1], s3[1])],
        [filled::<E, N, 0x80>(e, s2[0], s3[0]), filled::<E, N, 0x80>(e, s2[1], s3[1])],
    ];
    let [s0, s1, s2] = if ROOT { root_chain(e, full) } else { power_chain(e, full) };
    [s0, s1, s2, [last(e, s0[0], s1[0], s2[0]), last(e, s0[1], s1[1], s2[1])]]
}

/// Three lanes of a, and in the fourth the lane of `last` that is named.
#[inline(always)]
fn filled<E: Spread<N>, const N: usize, const LANES: i32>(e: E, a: E::V, last: E::V) -> E::V {
    e.either::<8>(a, e.turned::<LANES>(last))
}

/// The fourth lanes of three vectors, in the first three lanes of one.
#[inline(always)]
fn last<E: Spread<N>, const N: usize>(e: E, a: E::V, b: E::V, c: E::V) -> E::V {
    let (a, b, c) = (e.turned::<0xff>(a), e.turned::<0xff>(b), e.turned::<0xff>(c));
    e.either::<4>(e.either::<2>(a, b), c)
}

/// The circulant matrix of width 12, then constants.
#[inline(always)]
fn linear_12<E: Spread<N>, const N: usize>(e: E, state: &mut [[E::V; 2]; 4], constants: &[[u64; 4]; 4]) {
    let [s0, s1, s2, s3] = [e.split(state[0]), e.split(state[1]), e.split(state[2]), e.split(state[3])];
    let low = circulant_12(e, [s0[0], s1[0], s2[0], s3[0]]);
    let high = circulant_12(e, [s0[1], s1[1], s2[1], s3[1]]);
    with_constants(e, state, &low, &high, constants);
}

/// The circulant matrix of width 8, then constants.
#[inline(always)]
fn linear_8<E: Spread<N>, const N: usize>(e: E, state: &mut [[E::V; 2]; 2], constants: &[[u64; 4]; 2]) {
    let [s0, s1] = [e.split(state[0]), e.split(state[1])];
    let (low, high) = (circulant_8(e, [s0[0], s1[0]]), circulant_8(e, [s0[1], s1[1]]));
    with_constants(e, state, &low, &high, constants);
}

#[inline(always)]
fn with_constants<E: Spread<N>, const N: usize, const V: usize>(
    e: E,
    state: &mut [[E::V; 2]; V],
    low: &[E::V; V],
    high: &[E::V; V],
    constants: &[[u64; 4]; V],
) {
    let mut a = 0;
    while a < V {
        let constant = e.each(&constants[a]);
        let low = e.add(low[a], e.and(constant, e.constant(MASK_52)));
        let high = e.add(high[a], e.shr::<52>(constant));
        state[a] = joined(e, low, high);
        a += 1;
    }
}

/// Lane k of three receives lane k - 1, lane k - 2.
const TURN_1: i32 = 0b11_01_00_10;
const TURN_2: i32 = 0b11_00_10_01;

/// The polynomials of `kernel::circulant_12`, their three coefficients in three lanes.
#[inline(always)]
fn circulant_12<E: Spread<N>, const N: usize>(e: E, [r0, r1, r2, r3]: [E::V; 4]) -> [E::V; 4] {
    let zero = e.constant(0);
    let (even, odd) = (e.add(r0, r2), e.add(r1, r3));
    let (a, d, u, v) = (e.add(even, odd), e.sub(even, odd), e.sub(r0, r2), e.sub(r3, r1));

    // y = 1: 16, 8, 16.
    let outer = e.add(a, e.turned::<TURN_2>(a));
    let cyclic = e.shl::<3>(e.add(e.add(outer, outer), e.turned::<TURN_1>(a)));

    // y = -1: -8, 1, 1, and what comes around is negated.
    let (d1, d2) = (e.turned::<TURN_1>(d), e.turned::<TURN_2>(d));
    let (sum, difference) = (e.add(d1, d2), e.sub(d1, d2));
    let signed = e.either::<1>(e.either::<2>(sum, difference), e.sub(zero, sum));
    let alternating = e.sub(signed, e.shl::<3>(d));

    // y = -i: -1 + 2i, -1 + i, 4 + 8i, and what comes around is multiplied by -i, which makes v - iu of u + iv.
    let minus_u = e.sub(zero, u);
    let (u1, v1) = (e.turned::<TURN_1>(e.either::<4>(u, v)), e.turned::<TURN_1>(e.either::<4>(v, minus_u)));
    let (u2, v2) = (e.turned::<TURN_2>(e.either::<6>(u, v)), e.turned::<TURN_2>(e.either::<6>(v, minus_u)));
    let near = e.add(e.add(u, e.add(v, v)), e.add(u1, v1));
    let minus_re = e.add(near, e.shl::<2>(e.sub(e.add(v2, v2), u2)));
    let near = e.add(e.sub(e.add(u, u), v), e.sub(u1, v1));
    let im = e.add(near, e.shl::<2>(e.add(e.add(u2, u2), v2)));

    let (even, odd) = (e.add(cyclic, alternating), e.sub(cyclic, alternating));
    [e.sub(even, minus_re), e.sub(odd, im), e.add(even, minus_re), e.add(odd, im)]
}

/// Lane k of four receives lane k + 1, k + 2, k + 3.
const NEXT_1: i32 = 0b00_11_10_01;
const NEXT_2: i32 = 0b01_00_11_10;
const NEXT_3: i32 = 0b10_01_00_11;

/// The polynomials of `kernel::circulant_8`, their coefficients in four lanes.
#[inline(always)]
fn circulant_8<E: Spread<N>, const N: usize>(e: E, [s0, s1]: [E::V; 2]) -> [E::V; 2] {
    let (a, b) = (e.add(s0, s1), e.sub(s0, s1));

    // x^4 = 1: 8 (2 c + c') - (d + d'), for what repeats and what changes its sign two lanes on.
    let across = e.turned::<NEXT_2>(a);
    let (c, d) = (e.add(a, across), e.sub(a, across));
    let even = e.shl::<3>(e.add(e.add(c, c), e.turned::<NEXT_1>(c)));
    let cyclic = e.sub(even, e.add(d, e.turned::<NEXT_1>(d)));

    // x^4 = -1: 8, 1, -4, 1, and what comes around is negated.
    let minus_b = e.sub(e.constant(0), b);
    let b1 = e.turned::<NEXT_1>(e.either::<1>(b, minus_b));
    let b2 = e.turned::<NEXT_2>(e.either::<3>(b, minus_b));
    let b3 = e.turned::<NEXT_3>(e.either::<7>(b, minus_b));
    let alternating = e.add(e.shl::<2>(e.sub(e.add(b, b), b2)), e.add(b1, b3));

    [e.add(cyclic, alternating), e.sub(cyclic, alternating)]
}
