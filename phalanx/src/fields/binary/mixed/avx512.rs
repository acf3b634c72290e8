//! Bit matrices: sixty-four bytes times 8x8 matrices over GF(2), one instruction.
//!
//! Both kernels bring eight rows of the matrix into qwords: byte r of a qword is the byte of row r at one place. What is
//! then done with a qword and sixteen 8x8 matrices, one for every byte of GF(2^128), is a matter of one XOR and one
//! `gf2p8affineqb` each:
//!
//! * Columns: the matrices are x -> phi(x t^(8 j)) weight\[c\] for byte j of column c (t generates GF(2^32)). The sum over
//!   the places is the result, for eight rows at a time.
//! * Rows: bits of the same place of eight rows are brought into one byte (again a product with a matrix), and the
//!   matrices are the weights of these rows, transposed. The result is, for each of the 32 bits of each column, the sum of
//!   the weights of the rows that have it; at the end these are multiplied by phi(t^bit) and added.
//!
//! Measured on Zen 5: the instruction runs twice a cycle, so half a cycle an element is the bound.
#![allow(unsafe_code, reason = "intrinsics, on the strength of a witness")]

use super::images::{images, sum_of_bits};
use crate::fields::binary::{Gf32, Gf128};
use crate::simd::{Avx512, Level};
use alloc::vec;
use core::arch::x86_64::*;

/// Sixty-four bytes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u64; 8]);

const ZERO: Line = Line([0; 8]);

/// Blocks of rows between the one that is read and the one that is asked for: what comes from memory comes in time.
const AHEAD: usize = 16;

/// Columns that lie in sixty-four bytes of a row: a *strip*.
const STRIP: usize = 16;
/// Rows that are taken at a time: a *block*.
const BLOCK: usize = 8;
/// Lines that a block of a strip becomes. Qword 2 l + h of line t has the bytes at place 16 l + 2 t + h of the strip.
const LINES: usize = 8;
/// Blocks of rows between two turns of [`rows`]' accumulators.
const ROW_BLOCKS: usize = 32;
/// Blocks of rows for one turn of the matrices in [`columns`].
const COLUMN_BLOCKS: usize = 8;
/// Every second byte is exchanged with its transposed place: matrix row i is byte 7 - i of a qword.
const TRANSPOSE: i64 = 0x8040_2010_0804_0201_u64.cast_signed();
const TRANSPOSE_REVERSED: i64 = 0x0102_0408_1020_4080;

/// Where the bytes of four rows of sixteen come from, if byte r of qword o is byte o of row r.
const QWORDS_TO_ROWS: [u8; 64] = {
    let mut order = [0; 64];
    let mut i = 0u8;
    while i < 64 {
        order[i as usize] = 8 * (i % 16) + i / 16;
        i += 1;
    }
    order
};

/// Where the bytes of qwords 0 … 7 come from, if byte o of element a goes to byte 7 - a of qword o.
const WEIGHTS_TO_QWORDS: [u8; 64] = {
    let mut order = [0; 64];
    let mut i = 0u8;
    while i < 64 {
        order[i as usize] = (7 - i % 8) * 16 + i / 8;
        i += 1;
    }
    order
};

/// As [`super::combine_rows`], `f` not empty.
pub(super) fn combine_rows(cpu: Avx512, f: &[Gf32], weights: &[Gf128], out: &mut [Gf128]) {
    // SAFETY: the witness proves the instruction sets.
    unsafe { rows(cpu, f, weights, out) }
}

/// As [`super::combine_columns`], `f` not empty.
pub(super) fn combine_columns(cpu: Avx512, f: &[Gf32], weights: &[Gf128], out: &mut [Gf128]) {
    // SAFETY: the witness proves the instruction sets.
    unsafe { columns(cpu, f, weights, out) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline(never)]
fn rows(cpu: Avx512, f: &[Gf32], weights: &[Gf128], out: &mut [Gf128]) {
    let columns = out.len();
    // For every line of a strip sixteen accumulators, one for a byte of GF(2^128).
    let mut sums = vec![[[ZERO; 16]; LINES]; columns.div_ceil(STRIP)];
    let mut bits = [[ZERO; ROW_BLOCKS]; LINES];
    let mut planes;
    let identity = _mm512_set1_epi64(TRANSPOSE);
    let chunks = f.chunks(columns * BLOCK * ROW_BLOCKS).zip(weights.chunks(BLOCK * ROW_BLOCKS));
    for (f, weights) in chunks {
        // Blocks are taken by two; the weights of a second one that is missing are zero.
        planes = [[0; 16]; ROW_BLOCKS];
        for (weights, planes) in weights.chunks(BLOCK).zip(&mut planes) {
            let mut eight = [Gf128(0); BLOCK];
            eight[..weights.len()].copy_from_slice(weights);
            transpose_weights(&eight, planes);
        }
        let blocks = weights.len().div_ceil(BLOCK);
        for (strip, sums) in sums.iter_mut().enumerate() {
            for (block, f) in f.chunks(columns * BLOCK).enumerate() {
                let bytes = load_block::<true>(f, columns, strip);
                for t in 0..LINES {
                    store(&mut bits[t][block], _mm512_gf2p8affine_epi64_epi8::<0>(identity, bytes[t]));
                }
            }
            for (sums, bits) in sums.as_chunks_mut::<2>().0.iter_mut().zip(bits.as_chunks::<2>().0) {
                accumulate::<0>(sums, bits, &planes, blocks);
                accumulate::<8>(sums, bits, &planes, blocks);
            }
        }
    }
    for (strip, sums) in sums.iter().enumerate() {
        for (q, pair) in sums.as_chunks::<2>().0.iter().enumerate() {
            let mut parts = [[Gf128(0); 32]; 4];
            transpose_sums(pair, &mut parts);
            for (lane, parts) in parts.iter().enumerate() {
                if let Some(out) = out.get_mut(strip * STRIP + 4 * lane + q) {
                    *out += sum_of_bits(Level::Avx512(cpu), parts);
                }
            }
        }
    }
}

/// Adds to eight accumulators of two lines, those of bytes `FIRST` … `FIRST` + 7, what `blocks` blocks give.
#[target_feature(enable = "avx512f,avx512bw,gfni")]
#[inline]
fn accumulate<const FIRST: usize>(
    sums: &mut [[Line; 16]; 2],
    bits: &[[Line; ROW_BLOCKS]; 2],
    planes: &[[i64; 16]; ROW_BLOCKS],
    blocks: usize,
) {
    let mut acc = [[_mm512_setzero_si512(); 8]; 2];
    for line in 0..2 {
        for o in 0..8 {
            acc[line][o] = load(&sums[line][FIRST + o]);
        }
    }
    for pair in 0..blocks.div_ceil(2) {
        let (first, second) = (&planes[2 * pair], &planes[2 * pair + 1]);
        let x = [load(&bits[0][2 * pair]), load(&bits[1][2 * pair])];
        let y = [load(&bits[0][2 * pair + 1]), load(&bits[1][2 * pair + 1])];
        for o in 0..8 {
            let a = _mm512_set1_epi64(first[FIRST + o]);
            let b = _mm512_set1_epi64(second[FIRST + o]);
            for line in 0..2 {
                acc[line][o] = xor3(
                    acc[line][o],
                    _mm512_gf2p8affine_epi64_epi8::<0>(x[line], a),
                    _mm512_gf2p8affine_epi64_epi8::<0>(y[line], b),
                );
            }
        }
    }
    for line in 0..2 {
        for o in 0..8 {
            store(&mut sums[line][FIRST + o], acc[line][o]);
        }
    }
}

/// The accumulators of lines 2 q and 2 q + 1 of a strip as elements, sixteen of each line: parts of the columns q, 4 + q,
/// 8 + q, 12 + q.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn transpose_sums(sums: &[[Line; 16]; 2], parts: &mut [[Gf128; 32]; 4]) {
    for half in 0..2 {
        let mut rows = [_mm512_setzero_si512(); 16];
        for o in 0..16 {
            rows[o] = load(&sums[half][o]);
        }
        // Sixteen by sixteen bytes in every lane: the eight bits of an index (row, byte) are rotated four times.
        for _ in 0..4 {
            let from = rows;
            for i in 0..8 {
                rows[2 * i] = _mm512_unpacklo_epi8(from[i], from[i + 8]);
                rows[2 * i + 1] = _mm512_unpackhi_epi8(from[i], from[i + 8]);
            }
        }
        for m in 0..16 {
            let lanes = elements(rows[m]);
            for lane in 0..4 {
                parts[lane][16 * half + m] = lanes[lane];
            }
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline(never)]
fn columns(cpu: Avx512, f: &[Gf32], weights: &[Gf128], out: &mut [Gf128]) {
    let columns = weights.len();
    let lines = columns.div_ceil(STRIP) * LINES;
    let mut matrices = vec![[ZERO; 16]; lines];
    for (c, weight) in weights.iter().enumerate() {
        let images = images(Level::Avx512(cpu), *weight);
        put_matrices(&images, &mut matrices[c / STRIP * LINES..][..LINES], c % STRIP);
    }
    let mut bytes = vec![[ZERO; COLUMN_BLOCKS]; lines];
    let mut sums = [[ZERO; 16]; COLUMN_BLOCKS];
    let chunks = f.chunks(columns * BLOCK * COLUMN_BLOCKS).zip(out.chunks_mut(BLOCK * COLUMN_BLOCKS));
    for (f, out) in chunks {
        for (block, f) in f.chunks(columns * BLOCK).enumerate() {
            for (strip, bytes) in bytes.chunks_exact_mut(LINES).enumerate() {
                let rows = load_block::<false>(f, columns, strip);
                for t in 0..LINES {
                    store(&mut bytes[t][block], rows[t]);
                }
            }
        }
        let blocks = out.len().div_ceil(BLOCK);
        for quarter in 0..4 {
            for first in (0..blocks).step_by(4) {
                apply(&matrices, &bytes, &mut sums, 4 * quarter, first);
            }
        }
        for (out, sums) in out.chunks_mut(BLOCK).zip(&sums) {
            put_rows(sums, out);
        }
    }
}

/// The sixteen matrices of each byte of column `c` of a strip.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn put_matrices(images: &[Gf128; 32], matrices: &mut [[Line; 16]], c: usize) {
    for (j, images) in images.as_chunks::<8>().0.iter().enumerate() {
        let mut planes = [0; 16];
        transpose_weights(images, &mut planes);
        let place = 4 * c + j;
        for o in 0..16 {
            matrices[place % 16 / 2][o].0[place / 16 * 2 + place % 2] = planes[o].cast_unsigned();
        }
    }
}

/// Sums over all places of matrices `o` … `o` + 3 times the bytes of blocks `first` … `first` + 3.
#[target_feature(enable = "avx512f,avx512bw,gfni")]
#[inline]
fn apply(
    matrices: &[[Line; 16]],
    bytes: &[[Line; COLUMN_BLOCKS]],
    sums: &mut [[Line; 16]; COLUMN_BLOCKS],
    o: usize,
    first: usize,
) {
    let mut acc = [[_mm512_setzero_si512(); 4]; 4];
    for (matrices, bytes) in matrices.as_chunks::<2>().0.iter().zip(bytes.as_chunks::<2>().0) {
        let mut x = [_mm512_setzero_si512(); 4];
        let mut y = [_mm512_setzero_si512(); 4];
        for block in 0..4 {
            x[block] = load(&bytes[0][first + block]);
            y[block] = load(&bytes[1][first + block]);
        }
        for i in 0..4 {
            let (a, b) = (load(&matrices[0][o + i]), load(&matrices[1][o + i]));
            for block in 0..4 {
                acc[block][i] = xor3(
                    acc[block][i],
                    _mm512_gf2p8affine_epi64_epi8::<0>(x[block], a),
                    _mm512_gf2p8affine_epi64_epi8::<0>(y[block], b),
                );
            }
        }
    }
    for block in 0..4 {
        for i in 0..4 {
            store(&mut sums[first + block][o + i], acc[block][i]);
        }
    }
}

/// The sums of the eight qwords of each line, and their bytes as elements.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn put_rows(sums: &[Line; 16], out: &mut [Gf128]) {
    let mut halves = [_mm512_setzero_si512(); 2];
    for half in 0..2 {
        let mut pairs = [_mm512_setzero_si512(); 4];
        for i in 0..4 {
            let (even, odd) = (load(&sums[8 * half + 2 * i]), load(&sums[8 * half + 2 * i + 1]));
            pairs[i] = _mm512_xor_si512(_mm512_unpacklo_epi64(even, odd), _mm512_unpackhi_epi64(even, odd));
        }
        halves[half] = add_lanes(add_lanes(pairs[0], pairs[1]), add_lanes(pairs[2], pairs[3]));
    }
    let order = load_bytes(&QWORDS_TO_ROWS);
    let first = _mm512_permutex2var_epi8(halves[0], order, halves[1]);
    let order = _mm512_add_epi8(order, _mm512_set1_epi8(4));
    let second = _mm512_permutex2var_epi8(halves[0], order, halves[1]);
    let mut rows = [Gf128(0); BLOCK];
    rows[..4].copy_from_slice(&elements(first));
    rows[4..].copy_from_slice(&elements(second));
    out.copy_from_slice(&rows[..out.len()]);
}

/// Lanes 0 and 1, 2 and 3 of `a`, then of `b`, added.
#[target_feature(enable = "avx512f")]
#[inline]
fn add_lanes(a: __m512i, b: __m512i) -> __m512i {
    _mm512_xor_si512(_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0xdd>(a, b))
}

/// A strip of up to eight rows, byte r of a qword from row r, or from row 7 - r if `REVERSED`; missing columns are zero,
/// missing rows repeat the first one. See [`LINES`] for the order.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load_block<const REVERSED: bool>(f: &[Gf32], columns: usize, strip: usize) -> [__m512i; LINES] {
    let left = columns - strip * STRIP;
    let mask = if left >= STRIP { u16::MAX } else { (1 << left) - 1 };
    let have = f.len() / columns;
    let mut rows = [_mm512_setzero_si512(); BLOCK];
    for r in 0..BLOCK {
        let row = if r < have { r } else { 0 };
        let place = &f[row * columns + strip * STRIP..(row + 1) * columns];
        #[allow(unused_unsafe, reason = "a safe function from Rust 1.90 on")]
        // SAFETY: a prefetch may be given any address.
        unsafe {
            _mm_prefetch::<_MM_HINT_T1>(place.as_ptr().wrapping_add(columns * BLOCK * AHEAD).cast());
        }
        // SAFETY: the mask leaves out what lies behind the end of the row.
        rows[if REVERSED { BLOCK - 1 - r } else { r }] =
            unsafe { _mm512_maskz_loadu_epi32(mask, place.as_ptr().cast()) };
    }
    // The seven bits of an index (row, byte of a lane) are rotated three times.
    for _ in 0..3 {
        let from = rows;
        for i in 0..4 {
            rows[2 * i] = _mm512_unpacklo_epi8(from[i], from[i + 4]);
            rows[2 * i + 1] = _mm512_unpackhi_epi8(from[i], from[i + 4]);
        }
    }
    rows
}

/// Sixteen 8x8 matrices that take a byte whose bit a stands for weight a to the bytes of the sum.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn transpose_weights(weights: &[Gf128; 8], matrices: &mut [i64; 16]) {
    let order = load_bytes(&WEIGHTS_TO_QWORDS);
    let (first, second) = weights.split_at(4);
    let first = load_elements(first.try_into().expect("four"));
    let second = load_elements(second.try_into().expect("four"));
    let identity = _mm512_set1_epi64(TRANSPOSE_REVERSED);
    for half in 0..2u8 {
        let order = _mm512_add_epi8(order, _mm512_set1_epi8((8 * half).cast_signed()));
        let bytes = _mm512_permutex2var_epi8(first, order, second);
        let mut line = ZERO;
        store(&mut line, _mm512_gf2p8affine_epi64_epi8::<0>(identity, bytes));
        for i in 0..8 {
            matrices[8 * usize::from(half) + i] = line.0[i].cast_signed();
        }
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

#[target_feature(enable = "avx512f")]
#[inline]
fn load(line: &Line) -> __m512i {
    // SAFETY: a line is sixty-four bytes, aligned.
    unsafe { _mm512_load_si512(line.0.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn store(line: &mut Line, value: __m512i) {
    // SAFETY: a line is sixty-four bytes, aligned.
    unsafe { _mm512_store_si512(line.0.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn load_bytes(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: sixty-four bytes are there.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn load_elements(elements: &[Gf128; 4]) -> __m512i {
    // SAFETY: four elements are sixty-four bytes.
    unsafe { _mm512_loadu_si512(elements.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn elements(lanes: __m512i) -> [Gf128; 4] {
    let mut elements = [Gf128(0); 4];
    // SAFETY: four elements are sixty-four bytes.
    unsafe { _mm512_storeu_si512(elements.as_mut_ptr().cast(), lanes) };
    elements
}
