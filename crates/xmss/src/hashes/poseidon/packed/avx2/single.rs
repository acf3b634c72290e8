//! One state across the lanes of AVX2: for hashes that wait for one another, as those of a lone verification do.
//! Poseidon1 is in a file of its own.
//!
//! The words lie in order, eight to a vector, so that a block of `M4` is half a vector. In the internal rounds word 0
//! is a scalar: with `t` the sum of the other words, `y` the output of the S-box and `s = t + y`,
//!
//! * word 0 becomes `t - y`, and the others `s + D_i x_i`,
//! * so the next `t` is `sum D_i x_i + (T - 1) s`, where the first sum does not wait for `y`.
//!
//! All that is left between two S-boxes is one subtraction, and the products and the sum across lanes run beside them.
#![allow(unsafe_code, reason = "intrinsics and the entry into AVX2 code, on the strength of a witness")]

use super::super::super::engine::{Engine, Version};
use super::super::super::portable::Scalar;
use super::super::super::portable::poseidon2::{self as portable, Poseidon2};
use super::super::lanes::{FieldLanes, P_INVERSE, round_constant};
use super::word0::{montgomery, scalar_cube};
use super::{Lanes, low_product, poseidon1};
use crate::fields::koala_bear::{KoalaBear, P};
use core::arch::x86_64::*;
use phalanx_core::simd::Avx2;

/// One state at a time.
#[derive(Clone, Copy)]
pub(crate) struct Single(Avx2);

impl Single {
    /// The engine, given the proof that the CPU has the instructions.
    pub(crate) fn new(witness: Avx2) -> Self {
        Self(witness)
    }
}

impl Engine for Single {
    const LANES: usize = 1;
    type Word = KoalaBear;
    type Single = Self;

    #[inline(always)]
    fn single(self) -> Self {
        self
    }

    #[inline(always)]
    fn splat(self, x: KoalaBear) -> KoalaBear {
        x
    }

    #[inline(always)]
    fn load(self, xs: &[KoalaBear]) -> KoalaBear {
        Scalar.load(xs)
    }

    #[inline(always)]
    fn store(self, word: &KoalaBear, out: &mut [KoalaBear]) {
        Scalar.store(word, out);
    }

    #[inline(always)]
    fn add(self, a: &KoalaBear, b: &KoalaBear) -> KoalaBear {
        Scalar.add(a, b)
    }

    #[inline(always)]
    fn select(self, lanes: u32, a: &KoalaBear, b: &KoalaBear) -> KoalaBear {
        Scalar.select(lanes, a, b)
    }

    #[inline(always)]
    fn permute16(self, version: Version, state: &mut [KoalaBear; 16]) {
        match version {
            // SAFETY: `self` holds the proof that this CPU has AVX2.
            Version::One => unsafe { poseidon1::permute(self.0, state, poseidon1::tables_16()) },
            // SAFETY: `self` holds the proof that this CPU has AVX2.
            Version::Two => unsafe { permute(self.0, state, &TABLES_16) },
        }
    }

    #[inline(always)]
    fn permute24(self, version: Version, state: &mut [KoalaBear; 24]) {
        match version {
            // SAFETY: `self` holds the proof that this CPU has AVX2.
            Version::One => unsafe { poseidon1::permute(self.0, state, poseidon1::tables_24()) },
            // SAFETY: `self` holds the proof that this CPU has AVX2.
            Version::Two => unsafe { permute(self.0, state, &TABLES_24) },
        }
    }
}

/// A row of words, eight to a vector.
type Row<const N: usize> = [[u32; 8]; N];

/// Constants for each word: for products, which exist for every other lane, those of the even lanes and of the odd ones
/// where a product finds them.
struct Factors<const N: usize>([Row<N>; 2]);

/// Constants of Poseidon2 with `N` vectors and `R` internal rounds.
struct Tables<const N: usize, const R: usize> {
    /// As [`round_constant`].
    initial: [Row<N>; 4],
    terminal: [Row<N>; 4],
    /// Reduced.
    internal: [KoalaBear; R],
    /// The diagonal's Montgomery words, 0 for word 0.
    diagonal: Factors<N>,
    /// The same over `p`, modulo `2^32`.
    quotients: Factors<N>,
    /// `2^27` times the diagonal, as integers between `-2^29` and `2^29`, 0 for word 0.
    integers: Factors<N>,
}

/// What makes the sum that becomes the next `t` positive, in multiples of `p`.
const OFFSET: u64 = 36;

/// `words` in vectors.
const fn row<const T: usize, const N: usize>(words: &[u32; T]) -> Row<N> {
    let mut out = [[0; 8]; N];
    let mut i = 0;
    while i < T {
        out[i / 8][i % 8] = words[i];
        i += 1;
    }
    out
}

/// `words` as factors.
const fn factors<const T: usize, const N: usize>(words: &[u32; T]) -> Factors<N> {
    let mut swapped = [0; T];
    let mut i = 0;
    while i < T {
        swapped[i] = words[i ^ 1];
        i += 1;
    }
    Factors([row(words), row(&swapped)])
}

/// The tables of `k`.
const fn tables<const T: usize, const N: usize, const R: usize>(k: &Poseidon2<T, R>) -> Tables<N, R> {
    assert!(T == 8 * N);
    let (mut initial, mut terminal) = ([[[0; 8]; N]; 4], [[[0; 8]; N]; 4]);
    let (mut diagonal, mut quotients, mut integers) = ([0; T], [0; T], [0; T]);
    let shift = KoalaBear::new(1 << 27);
    // Of the integers, so that the sum of products is at most p times that.
    let mut size = 0;
    let mut i = 0;
    while i < T {
        let mut r = 0;
        while r < 4 {
            initial[r][i / 8][i % 8] = round_constant(k.initial[r][i]);
            terminal[r][i / 8][i % 8] = round_constant(k.terminal[r][i]);
            r += 1;
        }
        if i > 0 {
            diagonal[i] = k.diagonal[i].montgomery();
            quotients[i] = diagonal[i].wrapping_mul(P_INVERSE);
            let integer = k.diagonal[i].mul(shift).canonical();
            let negative = integer > P / 2;
            integers[i] = if negative { integer.wrapping_sub(P) } else { integer };
            size += if negative { P - integer } else { integer } as u64;
        }
        i += 1;
    }
    // The bounds of `internal_rounds`: `rest` in absolute value, and `sum`.
    let p = P as u64;
    assert!(32 * (size * p / (1 << 32) + p / 2 + 1) <= OFFSET * p);
    assert!((2 * OFFSET + T as u64 - 1) * p < (1 << 37) + (1 << 36));
    Tables {
        initial,
        terminal,
        internal: k.internal,
        diagonal: factors(&diagonal),
        quotients: factors(&quotients),
        integers: factors(&integers),
    }
}

static TABLES_16: Tables<2, 20> = tables(&portable::P2_16);
static TABLES_24: Tables<3, 23> = tables(&portable::P2_24);

/// The permutation of a state in memory (spec section 3.1).
#[inline(never)]
#[target_feature(enable = "avx2")]
fn permute<const T: usize, const N: usize, const R: usize>(
    witness: Avx2,
    state: &mut [KoalaBear; T],
    k: &Tables<N, R>,
) {
    const { assert!(T == 8 * N) };
    let lanes = Lanes::new(witness);
    let mut x = [_mm256_setzero_si256(); N];
    for (i, x) in x.iter_mut().enumerate() {
        // SAFETY: eight of the `8 N` elements (`KoalaBear` is a transparent u32), unaligned load.
        *x = unsafe { _mm256_loadu_si256(state.as_ptr().add(8 * i).cast()) };
    }
    external_layer(lanes, &mut x);
    for constants in &k.initial {
        full_round(lanes, &mut x, constants);
    }
    internal_rounds(lanes, &mut x, k);
    for constants in &k.terminal {
        full_round(lanes, &mut x, constants);
    }
    for (i, &x) in x.iter().enumerate() {
        // SAFETY: eight of the `8 N` elements (`KoalaBear` is a transparent u32), unaligned store of reduced words.
        unsafe { _mm256_storeu_si256(state.as_mut_ptr().add(8 * i).cast(), x) };
    }
}

/// Constants in memory.
#[inline]
#[target_feature(enable = "avx2")]
fn load(words: &[u32; 8]) -> __m256i {
    // SAFETY: 32 bytes, unaligned.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

/// A full round on reduced words.
#[inline]
#[target_feature(enable = "avx2")]
fn full_round<const N: usize>(lanes: Lanes, x: &mut [__m256i; N], constants: &Row<N>) {
    for (x, constants) in x.iter_mut().zip(constants) {
        *x = lanes.reduced(cube(lanes, _mm256_add_epi32(*x, load(constants))));
    }
    external_layer(lanes, x);
}

/// [`FieldLanes::cube`](super::super::lanes::FieldLanes::cube) with two more products and a shorter chain: the second quotient
/// does not wait for its product.
#[inline]
#[target_feature(enable = "avx2")]
fn cube(lanes: Lanes, x: __m256i) -> __m256i {
    let (p, inverse) = (lanes.p, lanes.inverse);
    let half = |x: __m256i| {
        let over_p = low_product(x, inverse);
        let m = _mm256_mul_epi32(low_product(x, over_p), p);
        let square = _mm256_shuffle_epi32::<0xf5>(_mm256_sub_epi64(_mm256_mul_epi32(x, x), m));
        let m = _mm256_mul_epi32(low_product(square, over_p), p);
        _mm256_sub_epi64(_mm256_mul_epi32(square, x), m)
    };
    let (even, odd) = (half(x), half(_mm256_shuffle_epi32::<0xf5>(x)));
    _mm256_blend_epi32::<0b1010_1010>(_mm256_shuffle_epi32::<0xf5>(even), odd)
}

/// The external linear layer: `M4` on each block, then the sum of all blocks added to each.
#[inline]
#[target_feature(enable = "avx2")]
fn external_layer<const N: usize>(lanes: Lanes, x: &mut [__m256i; N]) {
    for x in x.iter_mut() {
        // Words i, i + 1 and the sum of all, within blocks: 2 x_i + 3 x_(i+1) + x_(i+2) + x_(i+3).
        let next = _mm256_shuffle_epi32::<0b00_11_10_01>(*x);
        let two = lanes.add(*x, next);
        let all = lanes.add(two, _mm256_shuffle_epi32::<0b01_00_11_10>(two));
        *x = lanes.add(all, lanes.add(two, next));
    }
    let mut sum = lanes.add(x[0], x[1]);
    if N == 3 {
        sum = lanes.add(sum, x[N - 1]);
    }
    sum = lanes.add(sum, _mm256_permute2x128_si256::<1>(sum, sum));
    for x in x.iter_mut() {
        *x = lanes.add(*x, sum);
    }
}

/// All internal rounds on reduced words.
#[inline]
#[target_feature(enable = "avx2")]
fn internal_rounds<const N: usize, const R: usize>(lanes: Lanes, x: &mut [__m256i; N], k: &Tables<N, R>) {
    let others = const { (8 * N as u64 - 1).cast_signed() };
    let ones = _mm256_set1_epi32(1);
    let first = KoalaBear::from_reduced_montgomery(_mm256_extract_epi32::<0>(x[0]).cast_unsigned());
    // The sum of the other words, reduced.
    x[0] = _mm256_blend_epi32::<1>(x[0], _mm256_setzero_si256());
    let mut sums = _mm256_setzero_si256();
    for &x in x.iter() {
        let both = _mm256_add_epi64(
            _mm256_mul_epu32(x, ones),
            _mm256_mul_epu32(_mm256_shuffle_epi32::<0xf5>(x), ones),
        );
        sums = _mm256_add_epi64(sums, both);
    }
    let mut t = KoalaBear::from_sum(sum_of_lanes(sums).cast_unsigned());
    // Word 0 with its constant, between -p and p.
    let mut input = i64::from(first.montgomery()) + i64::from(k.internal[0].montgomery()) - i64::from(P);
    for r in 0..R {
        let mut products = _mm256_setzero_si256();
        for (i, x) in x.iter_mut().enumerate() {
            let halves = [*x, _mm256_shuffle_epi32::<0xf5>(*x)];
            let times = |k: &Factors<N>, half: usize| _mm256_mul_epi32(halves[half], load(&k.0[half][i]));
            products =
                _mm256_add_epi64(products, _mm256_add_epi64(times(&k.integers, 0), times(&k.integers, 1)));
            let half = |half: usize| {
                let m = _mm256_mul_epu32(low_product(halves[half], load(&k.quotients.0[half][i])), lanes.p);
                _mm256_sub_epi64(_mm256_mul_epu32(halves[half], load(&k.diagonal.0[half][i])), m)
            };
            let (even, odd) = (half(0), half(1));
            *x = lanes.reduced(_mm256_blend_epi32::<0b1010_1010>(_mm256_shuffle_epi32::<0xf5>(even), odd));
        }
        // The sum of D_i x_i over 2^5.
        let rest = montgomery(sum_of_lanes(products));
        let next = k.internal.get(r + 1).map_or(0, |constant| constant.montgomery());
        let with_constant = i64::from(t.add(KoalaBear::from_reduced_montgomery(next)).montgomery());
        let y = scalar_cube(input);
        let s = t.add(y);
        input = with_constant - i64::from(y.montgomery());
        // Not negative, and below 2^37 + 2^36: asserted where the tables are made.
        let sum = 32 * rest + (OFFSET * u64::from(P)).cast_signed() + others * i64::from(s.montgomery());
        t = KoalaBear::from_sum(sum.cast_unsigned());
        let s = _mm256_set1_epi32(s.montgomery().cast_signed());
        for x in x.iter_mut() {
            *x = lanes.add(*x, s);
        }
    }
    let word = if input < 0 { input + i64::from(P) } else { input };
    #[expect(clippy::cast_possible_truncation, reason = "below p")]
    let word = _mm256_set1_epi32(word as i32);
    x[0] = _mm256_blend_epi32::<1>(x[0], word);
}

/// The sum of the four integers.
#[inline]
#[target_feature(enable = "avx2")]
fn sum_of_lanes(x: __m256i) -> i64 {
    let two = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x));
    _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)))
}
