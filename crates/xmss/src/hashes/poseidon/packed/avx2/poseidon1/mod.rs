//! One state of Poseidon1 across the lanes of AVX2, a word to 64 bits, of which products read the lower half.
//!
//! **Full rounds.** `X^T - 1 = (X^(T/2) - 1)(X^(T/2) + 1)`: the halves of the product with the matrix are the sum and the
//! difference of two products, of the halves' sum and of their difference. A product is a sum over the words, each
//! in all lanes, times a column. The constants of the next round are where the sums start.
//!
//! **Partial rounds**, as in [`Linear`](super::super::partial::Linear). The lanes hold what is added to the third power of each
//! S-box's input for the next one, as far as it is known; a new input is multiplied by its column and added. Word 0 is a scalar, and
//! what an input adds for the very next one is made beside its cube, so between two S-boxes there is one addition.
#![allow(unsafe_code, reason = "loads and stores of constants")]

mod tables;

use super::word0::{montgomery, scalar_cube};
use super::{Lanes, low_product};
use crate::fields::koala_bear::{KoalaBear, P};
use core::arch::x86_64::*;
use phalanx_core::simd::Avx2;
use tables::{Columns, SYMBOLS, Tables, Words};
pub(super) use tables::{tables_16, tables_24};

/// The permutation of a state in memory (spec section 3.2).
#[inline(never)]
#[target_feature(enable = "avx2")]
pub(super) fn permute<const T: usize, const N: usize, const V: usize, const I: usize>(
    witness: Avx2,
    state: &mut [KoalaBear; T],
    k: &Tables<N, V, I>,
) {
    const { assert!(T == 8 * N) };
    let lanes = Lanes::new(witness);
    let mut x = [[_mm256_setzero_si256(); N]; 2];
    for (i, words) in state.as_chunks().0.iter().enumerate() {
        x[i / N][i % N] = load(&words.map(|word| u64::from(word.montgomery())));
    }
    add_constants(&mut x, &k.first);
    for starts in &k.initial {
        cubes(lanes, &mut x);
        multiply(lanes, &mut x, &k.matrix, starts);
    }
    cubes(lanes, &mut x);
    partial_rounds(lanes, &mut x, k);
    add_constants(&mut x, &k.after);
    for starts in &k.terminal {
        cubes(lanes, &mut x);
        multiply(lanes, &mut x, &k.matrix, starts);
    }
    for (i, words) in state.as_chunks_mut().0.iter_mut().enumerate() {
        *words = stored(reduced(lanes, x[i / N][i % N])).map(element);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(words: &Words) -> __m256i {
    // SAFETY: 32 bytes, unaligned.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn stored(x: __m256i) -> Words {
    let mut words = [0; 4];
    // SAFETY: 32 bytes, unaligned.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), x) };
    words
}

/// The element of a reduced word.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the lower half is the word")]
fn element(word: u64) -> KoalaBear {
    KoalaBear::from_reduced_montgomery(word as u32)
}

/// Less `p`: what is reduced becomes an integer between `-p` and `p`.
#[inline]
#[target_feature(enable = "avx2")]
fn add_constants<const N: usize>(x: &mut [[__m256i; N]; 2], constants: &[[Words; N]; 2]) {
    for (x, constants) in x.iter_mut().zip(constants) {
        for (x, constants) in x.iter_mut().zip(constants) {
            *x = _mm256_add_epi32(*x, load(constants));
        }
    }
}

/// The reduced word of a signed integer in `-p..p`.
#[inline]
#[target_feature(enable = "avx2")]
fn reduced(lanes: Lanes, x: __m256i) -> __m256i {
    _mm256_min_epu32(x, _mm256_add_epi32(x, lanes.p))
}

/// `x` or `x - 2^32 p`, whichever is smaller, of an integer below `2^33 p`.
#[inline]
#[target_feature(enable = "avx2")]
fn fold(lanes: Lanes, x: __m256i) -> __m256i {
    _mm256_min_epu32(x, _mm256_sub_epi32(x, _mm256_slli_epi64::<32>(lanes.p)))
}

/// `x / 2^32 mod p`, between `-p` and `p`, of an integer below `2^32 p`.
#[inline]
#[target_feature(enable = "avx2")]
fn reduce(lanes: Lanes, x: __m256i) -> __m256i {
    let m = _mm256_mul_epu32(low_product(x, lanes.inverse), lanes.p);
    _mm256_srli_epi64::<32>(_mm256_sub_epi64(x, m))
}

/// The third powers, reduced. Bounds: those of [`FieldLanes::cube`](super::super::lanes::FieldLanes::cube); quotients do not wait for products.
#[inline]
#[target_feature(enable = "avx2")]
fn cubes<const N: usize>(lanes: Lanes, x: &mut [[__m256i; N]; 2]) {
    let [lower, upper] = x;
    for (a, b) in lower.iter_mut().zip(upper) {
        *a = cube(lanes, *a);
        *b = cube(lanes, *b);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn cube(lanes: Lanes, x: __m256i) -> __m256i {
    let over_p = low_product(x, lanes.inverse);
    let m = _mm256_mul_epi32(low_product(x, over_p), lanes.p);
    let square = _mm256_srli_epi64::<32>(_mm256_sub_epi64(_mm256_mul_epi32(x, x), m));
    let m = _mm256_mul_epi32(low_product(square, over_p), lanes.p);
    let cube = _mm256_srli_epi64::<32>(_mm256_sub_epi64(_mm256_mul_epi32(square, x), m));
    reduced(lanes, cube)
}

/// The matrix, and constants. Input: reduced. Output: between `-p` and `p`.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply<const N: usize>(
    lanes: Lanes,
    x: &mut [[__m256i; N]; 2],
    matrix: &[Columns<N>; 2],
    starts: &[[Words; N]; 2],
) {
    let mut parts = [[[0; 4]; N]; 2];
    for i in 0..N {
        let (a, b) = (x[0][i], x[1][i]);
        let sum = _mm256_add_epi32(a, b);
        parts[0][i] = stored(_mm256_min_epu32(sum, _mm256_sub_epi32(sum, lanes.p)));
        parts[1][i] = stored(reduced(lanes, _mm256_sub_epi32(a, b)));
    }
    let product = |part: usize| {
        let mut sums = [_mm256_setzero_si256(); N];
        for i in 0..N {
            sums[i] = load(&starts[part][i]);
        }
        for (word, column) in parts[part].as_flattened().iter().zip(&matrix[part].columns) {
            add_product(&mut sums, *word, column);
        }
        sums
    };
    let (sums, differences) = (product(0), product(1));
    for i in 0..N {
        let (a, b) = (fold(lanes, sums[i]), fold(lanes, differences[i]));
        let minus = _mm256_sub_epi64(_mm256_add_epi64(a, _mm256_slli_epi64::<32>(lanes.p)), b);
        x[0][i] = reduce(lanes, fold(lanes, _mm256_add_epi64(a, b)));
        x[1][i] = reduce(lanes, fold(lanes, minus));
    }
}

/// Adds a reduced word times a column.
#[inline]
#[target_feature(enable = "avx2")]
fn add_product<const M: usize>(sums: &mut [__m256i; M], word: u64, column: &[Words; M]) {
    let word = _mm256_set1_epi64x(word.cast_signed());
    for i in 0..M {
        sums[i] = _mm256_add_epi64(sums[i], _mm256_mul_epi32(word, load(&column[i])));
    }
}

/// Rows times as many reduced words as there are columns: below `2^33 p`.
#[inline]
#[target_feature(enable = "avx2")]
fn products<const M: usize>(lanes: Lanes, table: &Columns<M>, words: &[u64]) -> [__m256i; M] {
    let mut sums = [_mm256_setzero_si256(); M];
    let mut start = 0;
    for (count, biases) in &table.groups {
        for i in 0..M {
            sums[i] = _mm256_add_epi64(fold(lanes, sums[i]), load(&biases[i]));
        }
        let end = start + count;
        for (word, column) in words[start..end].iter().zip(&table.columns[start..end]) {
            add_product(&mut sums, *word, column);
        }
        start = end;
    }
    sums
}

/// The last matrix before the partial rounds, and these, on reduced words.
#[inline]
#[target_feature(enable = "avx2")]
fn partial_rounds<const N: usize, const V: usize, const I: usize>(
    lanes: Lanes,
    x: &mut [[__m256i; N]; 2],
    k: &Tables<N, V, I>,
) {
    // The words, the inputs of all S-boxes but the first, and the last output.
    let mut symbols = [0; SYMBOLS];
    for (words, x) in symbols.as_chunks_mut().0.iter_mut().zip(x.as_flattened()) {
        *words = stored(*x);
    }
    let mut count = 8 * N;
    let mut sums = products(lanes, &k.inputs, &symbols[..count]);
    let mut input = signed_word(stored(reduce(lanes, fold(lanes, sums[0])))[0]);
    for (r, later) in k.later.iter().enumerate() {
        // First what is waited for.
        let cube = i64::from(scalar_cube(input).montgomery());
        // What is known of the next input stands in the first vector.
        if r % 4 == 3 {
            sums.copy_within(1.., 0);
        }
        let start = signed_word(stored(reduce(lanes, fold(lanes, sums[0])))[(r + 1) % 4]);
        // Within 1.75 p, then within 0.51 p, then between -p and 0.
        let start = start + montgomery(later.next * input);
        let start = start - ((start + (1 << 30)) >> 31) * i64::from(P);
        let start = if start < 0 { start } else { start - i64::from(P) };
        if r > 0 {
            symbols[count] = unsigned(input);
            // A product is below p^2, which is less than 2^31 p.
            let word = _mm256_set1_epi64x(symbols[count].cast_signed());
            for (sum, others) in sums.iter_mut().zip(&later.others) {
                *sum = _mm256_add_epi64(fold(lanes, *sum), _mm256_mul_epu32(word, load(others)));
            }
            count += 1;
        }
        input = cube + start;
    }
    symbols[count] = unsigned(input);
    symbols[count + 1] = scalar_cube(input).montgomery().into();
    let outputs = products(lanes, &k.outputs, &symbols[..count + 2]);
    for i in 0..V {
        x[i / N][i % N] = reduced(lanes, reduce(lanes, fold(lanes, outputs[i])));
    }
}

/// The lower half, signed.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the lower half is the word")]
fn signed_word(x: u64) -> i64 {
    i64::from((x as u32).cast_signed())
}

/// The reduced word of an integer between `-p` and `p`, as it is after a partial round: below `p`.
#[inline(always)]
fn unsigned(x: i64) -> u64 {
    (if x < 0 { x + i64::from(P) } else { x }).cast_unsigned()
}
