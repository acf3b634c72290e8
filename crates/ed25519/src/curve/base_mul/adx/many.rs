//! Many products, position by position. A permutation of 32-bit lanes picks entries for eight of them at a time, which
//! makes digits of 7 bits cheap; the additions follow one by one, in integer registers.

use super::entries::{signed, store};
use crate::curve::base_mul::digits::Digits;
use crate::curve::base_tables::{self, EightRow};
use crate::curve::point::{HalvedNiels, Projective, Summable};
use crate::fields::p25519::{Element, Fe1 as Fe, X1};
use crate::fields::scalar25519::Scalar;
use core::arch::x86_64::{
    __m256i, _mm256_blendv_ps, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_load_si256,
    _mm256_loadu_si256, _mm256_permutevar8x32_epi32, _mm256_setzero_si256, _mm256_slli_epi32,
};
use phalanx_core::lanes::transpose8x32;
use phalanx_core::simd::Adx;

/// 36 digits of 7 bits and one of 4.
const POSITIONS: usize = 37;

/// Position, half word of an entry, eighth of the 64 entries.
type Table = [[[EightRow; 8]; 24]; POSITIONS];

/// How many points are worked on at a time: what fits in the part of the stack that is wiped.
const GROUP: usize = 32;

/// A few products are faster one after the other than with lanes that stand empty.
const MIN_LANES: usize = 3;

const ZERO: Fe = Fe([0; 4]);

/// [`scalars[i]`]B to `points[i]`, but for a few at the end; how many that were.
pub(in super::super) fn base_mul_many(
    witness: Adx,
    scalars: &[Scalar],
    points: &mut [Projective<Element>],
) -> usize {
    let mut done = 0;
    let table = base_tables::signing_eights();
    for (scalars, points) in scalars.chunks(GROUP).zip(points.chunks_mut(GROUP)) {
        if scalars.len() < MIN_LANES {
            break;
        }
        done += scalars.len();
        // SAFETY: the witness proves AVX2, too.
        unsafe { run(X1(witness), table, scalars, points) };
    }
    done
}

#[target_feature(enable = "avx2")]
#[inline(never)]
fn run(l: X1, table: &Table, scalars: &[Scalar], points: &mut [Projective<Element>]) {
    // Lanes that stand empty take the scalar 0, whose digits are as good as any.
    let digits: [Digits; GROUP] =
        core::array::from_fn(|i| Digits::new(scalars.get(i).unwrap_or(&Scalar::ZERO), 4, 64));
    let mut sums = [Summable { y_plus_x: ZERO, y_minus_x: ZERO, z: ZERO, t: ZERO }; GROUP];
    let mut entries = [HalvedNiels { y_plus_x: ZERO, y_minus_x: ZERO, xyd: ZERO }; 8];
    let mut position = 0;
    while position < POSITIONS {
        let mut first = 0;
        while first < scalars.len() {
            pick(&table[position], &digits[first..first + 8], position, &mut entries);
            let end = scalars.len().min(first + 8);
            for (sum, entry) in sums[first..end].iter_mut().zip(&entries) {
                *sum = if position == 0 { entry.summable(l) } else { sum.add_halved(l, entry).summable(l) };
            }
            first += 8;
        }
        position += 1;
    }
    for (sum, point) in sums.iter().zip(points) {
        store(l, sum, point);
    }
}

/// For each of eight scalars the entry, with its sign, that its digit at `position` says.
#[inline]
#[target_feature(enable = "avx2")]
fn pick(rows: &[[EightRow; 8]; 24], digits: &[Digits], position: usize, entries: &mut [HalvedNiels<Fe>; 8]) {
    let (mut indexes, mut negative) = ([0u32; 8], [0; 8]);
    let mut lane = 0;
    while lane < 8 {
        let (entry, sign) = digits[lane].radix128(position);
        #[expect(clippy::cast_possible_truncation, reason = "six bits")]
        let index = entry as u32;
        (indexes[lane], negative[lane]) = (index, sign);
        lane += 1;
    }
    // SAFETY: eight indexes are 32 bytes.
    let index = unsafe { _mm256_loadu_si256(indexes.as_ptr().cast()) };
    // The permutation looks at the low three bits; the others go where a blend looks for them.
    let bits =
        [_mm256_slli_epi32::<28>(index), _mm256_slli_epi32::<27>(index), _mm256_slli_epi32::<26>(index)];
    let mut coordinates = [[_mm256_setzero_si256(); 8]; 3];
    let mut i = 0;
    while i < 24 {
        coordinates[i / 8][i % 8] = choose(&rows[i], index, bits);
        i += 1;
    }
    let [plus, minus, xyd] =
        [transpose8x32(coordinates[0]), transpose8x32(coordinates[1]), transpose8x32(coordinates[2])];
    lane = 0;
    while lane < 8 {
        entries[lane] = signed([plus[lane], minus[lane], xyd[lane]], negative[lane]);
        lane += 1;
    }
}

/// In each lane the number at the lane's index; `bits` are bits 3, 4 and 5 of that, at the top.
#[inline]
#[target_feature(enable = "avx2")]
fn choose(row: &[EightRow; 8], index: __m256i, [b3, b4, b5]: [__m256i; 3]) -> __m256i {
    let eighth = |i: usize| {
        // SAFETY: a row is 32 bytes, aligned.
        let numbers = unsafe { _mm256_load_si256(row[i].0.as_ptr().cast()) };
        _mm256_permutevar8x32_epi32(numbers, index)
    };
    let blend = |clear, set, bit| {
        let [clear, set, bit] =
            [_mm256_castsi256_ps(clear), _mm256_castsi256_ps(set), _mm256_castsi256_ps(bit)];
        _mm256_castps_si256(_mm256_blendv_ps(clear, set, bit))
    };
    let (q0, q1) = (blend(eighth(0), eighth(1), b3), blend(eighth(2), eighth(3), b3));
    let (q2, q3) = (blend(eighth(4), eighth(5), b3), blend(eighth(6), eighth(7), b3));
    blend(blend(q0, q1, b4), blend(q2, q3, b4), b5)
}
