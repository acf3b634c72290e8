//! Bit matrices: sixty-four bytes times 8x8 matrices over GF(2), one instruction.
//!
//! Both kernels bring eight rows of the matrix into qwords: byte r of a qword is the byte of row r at one place. What
//! is then done with a qword and `N` 8x8 matrices, one for every byte of an element of the large field, is a matter of
//! one XOR and one `gf2p8affineqb` each:
//!
//! * Columns: the matrices are x -> phi(x t^(8 j)) weight\[c\] for byte j of column c (t generates GF(2^32)). The sum
//!   over the places is the result, for eight rows at a time.
//! * Rows: bits of the same place of eight rows are brought into one byte (again a product with a matrix), and the
//!   matrices are the weights of these rows, transposed. The result is, for each of the 32 bits of each column, the sum
//!   of the weights of the rows that have it; at the end these are multiplied by phi(t^bit) and added.
//!
//! Measured on Zen 5: the instruction runs twice a cycle, so half a cycle an element is the bound.
#![allow(unsafe_code, reason = "intrinsics, on the strength of a witness")]

mod narrow;

use super::images::{Images, add_parts, images, sum_of_bits};
use crate::binary::Gf32;
use alloc::vec;
use core::arch::x86_64::*;
use phalanx_core::simd::Gfni512;

/// Sixty-four bytes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Line(pub(super) [u64; 8]);

pub(super) const ZERO: Line = Line([0; 8]);

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
pub(super) const TRANSPOSE: i64 = 0x8040_2010_0804_0201_u64.cast_signed();
const TRANSPOSE_REVERSED: i64 = 0x0102_0408_1020_4080;

/// Where bytes come from, if byte o of qword r goes to byte r of qword o.
const TRANSPOSED: [u8; 64] = transposed(0);
/// Where they come from, if byte o of qword r goes to byte 7 - r of qword o.
pub(super) const TRANSPOSED_REVERSED: [u8; 64] = transposed(7);

const fn transposed(flipped: u8) -> [u8; 64] {
    let mut order = [0; 64];
    let mut i = 0u8;
    while i < 64 {
        order[i as usize] = ((i % 8) ^ flipped) * 8 + i / 8;
        i += 1;
    }
    order
}

/// As [`super::combine_rows`], `f` not empty, elements of `N` bytes.
pub(super) fn combine_rows<const N: usize, E: Images>(
    cpu: Gfni512,
    f: &[Gf32],
    weights: &[E],
    out: &mut [E],
) {
    let columns = out.len();
    let mut put = |c: usize, parts: &[E; 32]| out[c] += sum_of_bits(cpu.into(), parts);
    // SAFETY: the witness proves the instruction sets.
    unsafe { rows::<N, E>(f, weights, columns, &mut put) }
}

/// As [`super::combine_rows_of_bits`], `f` not empty, elements of `N` bytes.
pub(super) fn combine_rows_of_bits<const N: usize, E: Images>(
    _cpu: Gfni512,
    f: &[Gf32],
    weights: &[E],
    out: &mut [[E; 32]],
) {
    let columns = out.len();
    let mut put = |c: usize, parts: &[E; 32]| add_parts(&mut out[c], parts);
    // SAFETY: the witness proves the instruction sets.
    unsafe { rows::<N, E>(f, weights, columns, &mut put) }
}

/// As [`super::combine_columns`], `f` not empty, elements of `N` bytes.
pub(super) fn combine_columns<const N: usize, E: Images>(
    cpu: Gfni512,
    f: &[Gf32],
    weights: &[E],
    out: &mut [E],
) {
    // SAFETY: the witness proves the instruction sets.
    unsafe { columns::<N, E>(f, weights.len(), &|c| images(cpu.into(), weights[c]), out) }
}

/// As [`super::map_columns`], `f` not empty, elements of `N` bytes.
pub(super) fn map_columns<const N: usize, E: Images>(
    _cpu: Gfni512,
    f: &[Gf32],
    images: &[[E; 32]],
    out: &mut [E],
) {
    // SAFETY: the witness proves the instruction sets.
    unsafe {
        match images {
            [_, _] => narrow::map::<N, 1, E>(f, images, out),
            [_, _, _, _] => narrow::map::<N, 2, E>(f, images, out),
            [_, _, _, _, _, _] => narrow::map::<N, 3, E>(f, images, out),
            [_, _, _, _, _, _, _, _] => narrow::map::<N, 4, E>(f, images, out),
            _ => columns::<N, E>(f, images.len(), &|c| images[c], out),
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline(never)]
fn rows<const N: usize, E: Images>(
    f: &[Gf32],
    weights: &[E],
    columns: usize,
    put: &mut dyn FnMut(usize, &[E; 32]),
) {
    // For every line of a strip accumulators, one for a byte of an element.
    let mut sums = vec![[[ZERO; N]; LINES]; columns.div_ceil(STRIP)];
    let mut bits = [[ZERO; ROW_BLOCKS]; LINES];
    let mut planes;
    let identity = _mm512_set1_epi64(TRANSPOSE);
    let chunks = f.chunks(columns * BLOCK * ROW_BLOCKS).zip(weights.chunks(BLOCK * ROW_BLOCKS));
    for (f, weights) in chunks {
        // Blocks are taken by two; the weights of a second one that is missing are zero.
        planes = [[0; N]; ROW_BLOCKS];
        for (weights, planes) in weights.chunks(BLOCK).zip(&mut planes) {
            let mut eight = [E::ZERO; BLOCK];
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
                accumulate::<0, N>(sums, bits, &planes, blocks);
                accumulate::<8, N>(sums, bits, &planes, blocks);
                if N == 24 {
                    accumulate::<16, N>(sums, bits, &planes, blocks);
                }
            }
        }
    }
    for (strip, sums) in sums.iter().enumerate() {
        for (q, pair) in sums.as_chunks::<2>().0.iter().enumerate() {
            let mut parts = [[E::ZERO; 32]; 4];
            transpose_sums(pair, &mut parts);
            for (lane, parts) in parts.iter().enumerate() {
                let c = strip * STRIP + 4 * lane + q;
                if c < columns {
                    put(c, parts);
                }
            }
        }
    }
}

/// Adds to eight accumulators of two lines, those of bytes `FIRST` … `FIRST` + 7, what `blocks` blocks give.
#[target_feature(enable = "avx512f,avx512bw,gfni")]
#[inline]
fn accumulate<const FIRST: usize, const N: usize>(
    sums: &mut [[Line; N]; 2],
    bits: &[[Line; ROW_BLOCKS]; 2],
    planes: &[[i64; N]; ROW_BLOCKS],
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

/// The accumulators of lines 2 q and 2 q + 1 of a strip as elements, sixteen of each line: parts of the columns q, 4 +
/// q, 8 + q, 12 + q.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn transpose_sums<const N: usize, E: Images>(sums: &[[Line; N]; 2], parts: &mut [[E; 32]; 4]) {
    for half in 0..2 {
        let mut limbs = [[[0; 3]; 16]; 4];
        for first in (0..N).step_by(16) {
            // Sixteen by sixteen bytes in every lane: the eight bits of an index (row, byte) are rotated four times.
            let mut rows = [_mm512_setzero_si512(); 16];
            for o in 0..16.min(N - first) {
                rows[o] = load(&sums[half][first + o]);
            }
            for _ in 0..4 {
                let from = rows;
                for i in 0..8 {
                    rows[2 * i] = _mm512_unpacklo_epi8(from[i], from[i + 8]);
                    rows[2 * i + 1] = _mm512_unpackhi_epi8(from[i], from[i + 8]);
                }
            }
            for m in 0..16 {
                let mut line = ZERO;
                store(&mut line, rows[m]);
                for (limbs, words) in limbs.iter_mut().zip(line.0.as_chunks::<2>().0) {
                    limbs[m][first / 8] = words[0];
                    if first == 0 {
                        limbs[m][1] = words[1];
                    }
                }
            }
        }
        for (parts, limbs) in parts.iter_mut().zip(&limbs) {
            for (part, limbs) in parts[16 * half..].iter_mut().zip(limbs) {
                *part = E::from_limbs(*limbs);
            }
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline(never)]
fn columns<const N: usize, E: Images>(
    f: &[Gf32],
    columns: usize,
    images: &dyn Fn(usize) -> [E; 32],
    out: &mut [E],
) {
    let lines = columns.div_ceil(STRIP) * LINES;
    let mut matrices = vec![[ZERO; N]; lines];
    for c in 0..columns {
        put_matrices(&images(c), &mut matrices[c / STRIP * LINES..][..LINES], c % STRIP);
    }
    let mut bytes = vec![[ZERO; COLUMN_BLOCKS]; lines];
    let mut sums = [[ZERO; N]; COLUMN_BLOCKS];
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
        for o in (0..N).step_by(4) {
            for first in (0..blocks).step_by(4) {
                apply(&matrices, &bytes, &mut sums, o, first);
            }
        }
        for (out, sums) in out.chunks_mut(BLOCK).zip(&sums) {
            put_rows(sums, out);
        }
    }
}

/// The matrices of each byte of column `c` of a strip.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn put_matrices<const N: usize, E: Images>(images: &[E; 32], matrices: &mut [[Line; N]], c: usize) {
    for (j, images) in images.as_chunks::<8>().0.iter().enumerate() {
        let mut planes = [0; N];
        transpose_weights(images, &mut planes);
        let place = 4 * c + j;
        for o in 0..N {
            matrices[place % 16 / 2][o].0[place / 16 * 2 + place % 2] = planes[o].cast_unsigned();
        }
    }
}

/// Sums over all places of matrices `o` … `o` + 3 times the bytes of blocks `first` … `first` + 3.
#[target_feature(enable = "avx512f,avx512bw,gfni")]
#[inline]
fn apply<const N: usize>(
    matrices: &[[Line; N]],
    bytes: &[[Line; COLUMN_BLOCKS]],
    sums: &mut [[Line; N]; COLUMN_BLOCKS],
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
pub(super) fn put_rows<const N: usize, E: Images>(sums: &[Line; N], out: &mut [E]) {
    let order = load_bytes(&TRANSPOSED);
    let mut limbs = [_mm512_setzero_si512(); 3];
    for limb in 0..N / 8 {
        let mut pairs = [_mm512_setzero_si512(); 4];
        for i in 0..4 {
            let (even, odd) = (load(&sums[8 * limb + 2 * i]), load(&sums[8 * limb + 2 * i + 1]));
            pairs[i] = _mm512_xor_si512(_mm512_unpacklo_epi64(even, odd), _mm512_unpackhi_epi64(even, odd));
        }
        let bytes = add_lanes(add_lanes(pairs[0], pairs[1]), add_lanes(pairs[2], pairs[3]));
        limbs[limb] = _mm512_permutexvar_epi8(order, bytes);
    }
    let mut rows = [E::ZERO; BLOCK];
    store_limbs::<N, E>(limbs, &mut rows);
    out.copy_from_slice(&rows[..out.len()]);
}

/// Eight by eight qwords, transposed: the six bits of an index (register, qword) are rotated three times.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn transpose_qwords(mut rows: [__m512i; 8]) -> [__m512i; 8] {
    let low = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
    let high = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
    for _ in 0..3 {
        let from = rows;
        for i in 0..4 {
            rows[2 * i] = _mm512_permutex2var_epi64(from[i], low, from[i + 4]);
            rows[2 * i + 1] = _mm512_permutex2var_epi64(from[i], high, from[i + 4]);
        }
    }
    rows
}

/// Lanes 0 and 1, 2 and 3 of `a`, then of `b`, added.
#[target_feature(enable = "avx512f")]
#[inline]
fn add_lanes(a: __m512i, b: __m512i) -> __m512i {
    _mm512_xor_si512(_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0xdd>(a, b))
}

/// A strip of up to eight rows, byte r of a qword from row r, or from row 7 - r if `REVERSED`; missing columns are
/// zero, missing rows repeat the first one. See [`LINES`] for the order.
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

/// 8x8 matrices that take a byte whose bit a stands for weight a to the bytes of the sum.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
pub(super) fn transpose_weights<const N: usize, E: Images>(weights: &[E; 8], matrices: &mut [i64; N]) {
    let order = load_bytes(&TRANSPOSED_REVERSED);
    let identity = _mm512_set1_epi64(TRANSPOSE_REVERSED);
    let limbs = load_limbs::<N, E>(weights);
    for limb in 0..N / 8 {
        let bytes = _mm512_permutexvar_epi8(order, limbs[limb]);
        let mut line = ZERO;
        store(&mut line, _mm512_gf2p8affine_epi64_epi8::<0>(identity, bytes));
        for i in 0..8 {
            matrices[8 * limb + i] = line.0[i].cast_signed();
        }
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn load(line: &Line) -> __m512i {
    // SAFETY: a line is sixty-four bytes, aligned.
    unsafe { _mm512_load_si512(line.0.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn store(line: &mut Line, value: __m512i) {
    // SAFETY: a line is sixty-four bytes, aligned.
    unsafe { _mm512_store_si512(line.0.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn load_bytes(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: sixty-four bytes are there.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// The limbs of eight elements of `N` bytes: the lowest ones, those above them, and so on.
#[target_feature(enable = "avx512f")]
#[inline]
fn load_limbs<const N: usize, E: Images>(elements: &[E; 8]) -> [__m512i; 3] {
    const { assert!(size_of::<E>() == N && (N == 16 || N == 24), "two or three limbs") };
    let limbs: *const u64 = elements.as_ptr().cast();
    // SAFETY: eight elements are two or three times sixty-four bytes, which is as many as are read.
    let (first, second, third) = unsafe {
        let third = if N == 24 { _mm512_loadu_si512(limbs.add(16).cast()) } else { _mm512_setzero_si512() };
        (_mm512_loadu_si512(limbs.cast()), _mm512_loadu_si512(limbs.add(8).cast()), third)
    };
    if N == 16 {
        let low = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
        let high = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
        let low = _mm512_permutex2var_epi64(first, low, second);
        return [low, _mm512_permutex2var_epi64(first, high, second), third];
    }
    // Limb k of element i is qword 3 i + k: the first six or five come from the first two registers.
    let low = _mm512_permutex2var_epi64(first, _mm512_set_epi64(0, 0, 15, 12, 9, 6, 3, 0), second);
    let middle = _mm512_permutex2var_epi64(first, _mm512_set_epi64(0, 0, 0, 13, 10, 7, 4, 1), second);
    let high = _mm512_permutex2var_epi64(first, _mm512_set_epi64(0, 0, 0, 14, 11, 8, 5, 2), second);
    [
        _mm512_permutex2var_epi64(low, _mm512_set_epi64(13, 10, 5, 4, 3, 2, 1, 0), third),
        _mm512_permutex2var_epi64(middle, _mm512_set_epi64(14, 11, 8, 4, 3, 2, 1, 0), third),
        _mm512_permutex2var_epi64(high, _mm512_set_epi64(15, 12, 9, 4, 3, 2, 1, 0), third),
    ]
}

/// The inverse of [`load_limbs`].
#[target_feature(enable = "avx512f")]
#[inline]
fn store_limbs<const N: usize, E: Images>([low, middle, high]: [__m512i; 3], elements: &mut [E; 8]) {
    const { assert!(size_of::<E>() == N && (N == 16 || N == 24), "two or three limbs") };
    let limbs: *mut u64 = elements.as_mut_ptr().cast();
    if N == 16 {
        let first = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
        let second = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
        // SAFETY: eight elements are twice sixty-four bytes, any of which are elements.
        unsafe {
            _mm512_storeu_si512(limbs.cast(), _mm512_permutex2var_epi64(low, first, middle));
            _mm512_storeu_si512(limbs.add(8).cast(), _mm512_permutex2var_epi64(low, second, middle));
        }
        return;
    }
    // Qword 3 i + k is limb k of element i: low and middle ones first, and then high ones between them.
    let first = _mm512_permutex2var_epi64(low, _mm512_set_epi64(10, 2, 0, 9, 1, 0, 8, 0), middle);
    let second = _mm512_permutex2var_epi64(low, _mm512_set_epi64(5, 0, 12, 4, 0, 11, 3, 0), middle);
    let third = _mm512_permutex2var_epi64(low, _mm512_set_epi64(0, 15, 7, 0, 14, 6, 0, 13), middle);
    let first = _mm512_permutex2var_epi64(first, _mm512_set_epi64(7, 6, 9, 4, 3, 8, 1, 0), high);
    let second = _mm512_permutex2var_epi64(second, _mm512_set_epi64(7, 12, 5, 4, 11, 2, 1, 10), high);
    let third = _mm512_permutex2var_epi64(third, _mm512_set_epi64(15, 6, 5, 14, 3, 2, 13, 0), high);
    // SAFETY: eight elements are three times sixty-four bytes, any of which are elements.
    unsafe {
        _mm512_storeu_si512(limbs.cast(), first);
        _mm512_storeu_si512(limbs.add(8).cast(), second);
        _mm512_storeu_si512(limbs.add(16).cast(), third);
    }
}
