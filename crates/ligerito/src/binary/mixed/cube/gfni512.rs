//! Products at the points of {0, 1, infinity}^6, sixty-four rows at a time.
//!
//! A row's bytes are the upper three coordinates, a byte's bits the lower three. Sixty-four rows are brought into eight
//! registers, one for a byte: qword k has those of rows 8 k … 8 k + 7. So the upper coordinates are extended by XORs of
//! registers, and the lower ones by 8x8 matrices; a byte's 27 points are three bytes and three bits, which two of the upper
//! points have in one byte. After the AND, bits of the same point of eight rows come into one byte, and a product with
//! the matrix of these rows' weights adds them up, as for the rows of a matrix.
#![allow(unsafe_code, reason = "intrinsics, on the strength of a witness")]

use super::super::gfni512::{
    Line, TRANSPOSE, TRANSPOSED_REVERSED, ZERO, load, load_bytes, put_rows, store, transpose_qwords,
    transpose_weights, xor3,
};
use super::super::images::Images;
use super::{POINTS, add_scaled};
use alloc::vec;
use alloc::vec::Vec;
use core::arch::x86_64::*;
use phalanx_core::simd::Gfni512;

/// Rows that are taken at a time: a *block*.
const BLOCK: usize = 64;
/// Blocks between two turns of the accumulators.
const BLOCKS: usize = 16;
/// Lines between the bits of a register and those of the next: one more than there are, or the registers of a block would all
/// be in the same few places of the cache.
const STRIDE: usize = BLOCKS + 1;
/// Points of three coordinates.
const THIRD: usize = 27;
/// Bytes of a block and an upper point: three, and half of one that it shares.
const WHOLE: usize = 3 * THIRD;
/// Registers that a block becomes; two are summed side by side.
const PLANES: usize = WHOLE + THIRD.div_ceil(2);

/// The lower points in the order of their bits.
const LOWER: [u8; THIRD] =
    [0, 1, 3, 4, 9, 10, 12, 13, 2, 5, 11, 14, 6, 7, 15, 16, 18, 19, 21, 22, 8, 17, 20, 23, 24, 25, 26];

/// Every upper point with an infinite coordinate, and those with 0 and 1 in its place, a coordinate after the other: those
/// before it have three digits, those behind it two. The steps are known when this is compiled: found while it runs, they took a
/// tenth of the time.
const STEPS: [[usize; 3]; THIRD - 8] = {
    let mut steps = [[0; 3]; THIRD - 8];
    let (mut len, mut stride) = (0, 1);
    while stride < THIRD {
        let mut point = 0;
        while point < THIRD {
            let (digit, mut behind, mut finite) = (point / stride % 3, point / stride / 3, true);
            while behind > 0 {
                finite &= behind % 3 < 2;
                behind /= 3;
            }
            if digit == 2 && finite {
                steps[len] = [point, point - 2 * stride, point - stride];
                len += 1;
            }
            point += 1;
        }
        stride *= 3;
    }
    assert!(len == steps.len(), "every point with an infinite coordinate");
    steps
};

/// The matrix that takes a byte to the bits of points `LOWER[first]` and so on, `count` of them, from bit `to` on.
const fn matrix(first: usize, count: usize, to: usize) -> i64 {
    let mut rows = [0; 8];
    let mut i = 0;
    while i < count {
        let mut x = 0;
        while x < 8 {
            let (mut agrees, mut point, mut j) = (true, LOWER[first + i], 0);
            while j < 3 {
                agrees &= point % 3 == 2 || point % 3 == x >> j & 1;
                point /= 3;
                j += 1;
            }
            if agrees {
                rows[7 - to - i] |= 1 << x;
            }
            x += 1;
        }
        i += 1;
    }
    i64::from_le_bytes(rows)
}

/// Where the eight bits of every register are; its last ones may be none.
fn place(plane: usize, bit: usize) -> Option<usize> {
    let (upper, lower) = if plane < WHOLE {
        (plane / 3, 8 * (plane % 3) + bit)
    } else {
        (2 * (plane - WHOLE) + bit / 3, 24 + bit % 3)
    };
    (upper < THIRD && bit < if plane < WHOLE { 8 } else { 6 })
        .then(|| THIRD * upper + usize::from(LOWER[lower]))
}

/// As [`super::super::combine_products`], elements of `N` bytes.
pub(in super::super) fn combine_products<const N: usize, E: Images>(
    cpu: Gfni512,
    [a, b]: [&[[u32; 2]]; 2],
    weights: &[E],
    scales: &[E],
    out: &mut [E; POINTS],
) {
    let mut totals = vec![E::ZERO; 8 * PLANES.next_multiple_of(2)];
    let mut sums = totals.clone();
    // SAFETY: the witness proves the instruction sets.
    let matrices = unsafe { matrices_of::<N, E>(weights) };
    let mut room = Room::new();
    for ((a, b), scale) in a.chunks(weights.len()).zip(b.chunks(weights.len())).zip(scales) {
        // SAFETY: as above.
        unsafe { sum::<N, E>(a, b, &matrices, &mut room, &mut sums) };
        add_scaled(cpu.into(), &mut totals, &sums, *scale);
    }
    for (plane, totals) in totals.chunks(8).enumerate().take(PLANES) {
        for (bit, total) in totals.iter().enumerate() {
            if let Some(place) = place(plane, bit) {
                out[place] += *total;
            }
        }
    }
}

/// The matrices of the weights of every block, an even number of blocks.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn matrices_of<const N: usize, E: Images>(weights: &[E]) -> Vec<[Line; N]> {
    let mut matrices = vec![[ZERO; N]; weights.len().div_ceil(BLOCK).next_multiple_of(2)];
    for (weights, lines) in weights.chunks(BLOCK).zip(&mut matrices) {
        for (k, weights) in weights.chunks(8).enumerate() {
            let mut eight = [E::ZERO; 8];
            eight[..weights.len()].copy_from_slice(weights);
            let mut planes = [0; N];
            transpose_weights(&eight, &mut planes);
            for (line, plane) in lines.iter_mut().zip(planes) {
                line.0[k] = plane.cast_unsigned();
            }
        }
    }
    matrices
}

/// What [`sum`] works in.
struct Room<const N: usize> {
    /// For every two registers accumulators, one for a byte of an element.
    sums: Vec<[[Line; N]; 2]>,
    bits: Vec<[[Line; STRIDE]; 2]>,
}

impl<const N: usize> Room<N> {
    fn new() -> Self {
        let pairs = PLANES.div_ceil(2);
        Self { sums: vec![[[ZERO; N]; 2]; pairs], bits: vec![[[ZERO; STRIDE]; 2]; pairs] }
    }
}

/// The sums of the products of rows, eight for a register, by the matrices of their weights.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline(never)]
fn sum<const N: usize, E: Images>(
    a: &[[u32; 2]],
    b: &[[u32; 2]],
    matrices: &[[Line; N]],
    room: &mut Room<N>,
    out: &mut [E],
) {
    room.sums.as_flattened_mut().fill([ZERO; N]);
    let rows = a.chunks(BLOCK * BLOCKS).zip(b.chunks(BLOCK * BLOCKS));
    for ((a, b), matrices) in rows.zip(matrices.chunks(BLOCKS)) {
        let blocks = a.len().div_ceil(BLOCK).next_multiple_of(2);
        for block in 0..blocks {
            let first = (BLOCK * block).min(a.len());
            put_products(&a[first..], &b[first..], room.bits.as_flattened_mut(), block);
        }
        for (sums, bits) in room.sums.iter_mut().zip(&room.bits) {
            accumulate::<0, N>(sums, bits, &matrices[..blocks]);
            accumulate::<8, N>(sums, bits, &matrices[..blocks]);
            if N == 24 {
                accumulate::<16, N>(sums, bits, &matrices[..blocks]);
            }
        }
    }
    for (sums, out) in room.sums.as_flattened().iter().zip(out.chunks_mut(8)) {
        put_rows(sums, out);
    }
}

/// The products of a block, whose missing rows are zero.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn put_products(a: &[[u32; 2]], b: &[[u32; 2]], bits: &mut [[Line; STRIDE]], block: usize) {
    // Of eight points at a time the first are the bits as they are; three are left over, and two such make six.
    const NEXT: [i64; 2] = [matrix(8, 8, 0), matrix(16, 8, 0)];
    const LEFT: [i64; 2] = [matrix(24, 3, 0), matrix(24, 3, 3)];
    let (a, b) = (extended(a), extended(b));
    let diagonal = _mm512_set1_epi64(TRANSPOSE);
    let mut put = |plane: usize, a, b| {
        let product = _mm512_and_si512(a, b);
        store(&mut bits[plane][block], _mm512_gf2p8affine_epi64_epi8::<0>(diagonal, product));
    };
    for upper in 0..THIRD {
        let (a, b) = (load(&a[upper]), load(&b[upper]));
        put(3 * upper, a, b);
        for (q, matrix) in (1..).zip(NEXT) {
            let matrix = _mm512_set1_epi64(matrix);
            put(
                3 * upper + q,
                _mm512_gf2p8affine_epi64_epi8::<0>(a, matrix),
                _mm512_gf2p8affine_epi64_epi8::<0>(b, matrix),
            );
        }
    }
    let [even, odd] = LEFT.map(|matrix| _mm512_set1_epi64(matrix));
    for pair in 0..THIRD.div_ceil(2) {
        let both = |x: &[Line; THIRD + 1]| {
            let first = _mm512_gf2p8affine_epi64_epi8::<0>(load(&x[2 * pair]), even);
            let second = _mm512_gf2p8affine_epi64_epi8::<0>(load(&x[2 * pair + 1]), odd);
            _mm512_xor_si512(first, second)
        };
        put(WHOLE + pair, both(&a), both(&b));
    }
}

/// Up to sixty-four rows at all upper points: byte 7 - r of qword k is of row 8 k + r. The last register is zero.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn extended(rows: &[[u32; 2]]) -> [Line; THIRD + 1] {
    let order = load_bytes(&TRANSPOSED_REVERSED);
    let mut bytes = [_mm512_setzero_si512(); 8];
    for k in 0..8 {
        let eight = &rows[rows.len().min(8 * k)..];
        let mask = if eight.len() >= 8 { u8::MAX } else { (1 << eight.len()) - 1 };
        // SAFETY: the mask leaves out what lies behind the end of the rows, of eight bytes each.
        let eight = unsafe { _mm512_maskz_loadu_epi64(mask, eight.as_ptr().cast()) };
        bytes[k] = _mm512_permutexvar_epi8(order, eight);
    }
    let bytes = transpose_qwords(bytes);
    let mut points = [ZERO; THIRD + 1];
    for byte in 0..8 {
        store(&mut points[byte % 2 + 3 * (byte / 2 % 2) + 9 * (byte / 4)], bytes[byte]);
    }
    for [point, zero, one] in STEPS {
        let sum = _mm512_xor_si512(load(&points[zero]), load(&points[one]));
        store(&mut points[point], sum);
    }
    points
}

/// Adds to eight accumulators of two registers, those of bytes `FIRST` … `FIRST` + 7, what an even number of blocks
/// gives.
#[target_feature(enable = "avx512f,avx512bw,gfni")]
#[inline]
fn accumulate<const FIRST: usize, const N: usize>(
    sums: &mut [[Line; N]; 2],
    bits: &[[Line; STRIDE]; 2],
    matrices: &[[Line; N]],
) {
    let mut acc = [[_mm512_setzero_si512(); 8]; 2];
    for plane in 0..2 {
        for o in 0..8 {
            acc[plane][o] = load(&sums[plane][FIRST + o]);
        }
    }
    for (pair, [first, second]) in matrices.as_chunks().0.iter().enumerate() {
        let x = [load(&bits[0][2 * pair]), load(&bits[1][2 * pair])];
        let y = [load(&bits[0][2 * pair + 1]), load(&bits[1][2 * pair + 1])];
        for o in 0..8 {
            let (a, b) = (load(&first[FIRST + o]), load(&second[FIRST + o]));
            for plane in 0..2 {
                acc[plane][o] = xor3(
                    acc[plane][o],
                    _mm512_gf2p8affine_epi64_epi8::<0>(x[plane], a),
                    _mm512_gf2p8affine_epi64_epi8::<0>(y[plane], b),
                );
            }
        }
    }
    for plane in 0..2 {
        for o in 0..8 {
            store(&mut sums[plane][FIRST + o], acc[plane][o]);
        }
    }
}
