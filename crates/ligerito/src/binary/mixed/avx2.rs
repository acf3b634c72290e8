//! Tables of sixteen bytes, looked up thirty-two at a time.
//!
//! A nibble times weights, one byte of it, is a table of sixteen bytes, and `pshufb` looks up a vector of nibbles. Time
//! is independent of the values: the tables lie in registers.
//!
//! * Columns: sixteen rows are brought together, a byte of each into a lane; a table for every nibble of a column and
//!   every byte of the result.
//! * Rows: of eight rows, bits at the same place are brought into one byte, whose nibbles stand for four rows each; a
//!   table of all sums of the weights of four rows, for every byte of the result. What comes out is, for each of the 32
//!   bits of each column, the sum of the weights of the rows that have it; at the end these are multiplied by the
//!   images of the bits and added.
//!
//! Both take four lookups an element. Carry-less products of components would be two and a half, at two cycles each on
//! Zen 5, where a lookup takes half a cycle.
#![allow(unsafe_code, reason = "intrinsics, on the strength of a witness")]

use super::images::{Images, images, sum_of_bits};
use crate::binary::Gf32;
use alloc::vec;
use core::arch::x86_64::*;
use phalanx_core::simd::Avx2;

/// Thirty-two bytes.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Line([u8; 32]);

const ZERO: Line = Line([0; 32]);

/// Columns that lie in thirty-two bytes of a row: a *strip*.
const STRIP: usize = 8;
/// Rows in a block of [`rows`], and lines that a strip of it becomes.
const ROWS: usize = 8;
/// Blocks of rows between two turns of the accumulators.
const ROW_BLOCKS: usize = 16;
/// Rows in a block of [`columns`], and lines that a strip of it becomes.
const COLUMN_ROWS: usize = 16;
/// Blocks of rows for one turn of the tables, whose 128 KiB (64 columns) come from the second cache.
const COLUMN_BLOCKS: usize = 8;

/// Rows between the one that is read and the one that is asked for: what comes from memory comes in time.
const AHEAD: usize = 128;

/// Sums of four elements, chosen by the bits of an index: byte o of them in table o.
type Tables<const N: usize> = [[u8; 16]; N];

/// As [`super::combine_rows`], `f` not empty, elements of `N` bytes.
pub(super) fn combine_rows<const N: usize, E: Images>(cpu: Avx2, f: &[Gf32], weights: &[E], out: &mut [E]) {
    // SAFETY: the witness proves the instruction set.
    unsafe { rows::<N, E>(cpu, f, weights, out) }
}

/// As [`super::combine_columns`], `f` not empty, elements of `N` bytes.
pub(super) fn combine_columns<const N: usize, E: Images>(
    cpu: Avx2,
    f: &[Gf32],
    weights: &[E],
    out: &mut [E],
) {
    // SAFETY: the witness proves the instruction set.
    unsafe { columns::<N, E>(cpu, f, weights, out) }
}

#[target_feature(enable = "avx2")]
#[inline(never)]
fn rows<const N: usize, E: Images>(cpu: Avx2, f: &[Gf32], weights: &[E], out: &mut [E]) {
    let columns = out.len();
    // For every line of a strip accumulators, one for a byte of an element.
    let mut sums = vec![[[ZERO; N]; ROWS]; columns.div_ceil(STRIP)];
    let mut bits = [[ZERO; ROW_BLOCKS]; ROWS];
    let mut tables = [[[[0; 16]; N]; 2]; ROW_BLOCKS];
    let chunks = f.chunks(columns * ROWS * ROW_BLOCKS).zip(weights.chunks(ROWS * ROW_BLOCKS));
    for (f, weights) in chunks {
        for (weights, tables) in weights.chunks(ROWS).zip(&mut tables) {
            let mut eight = [E::ZERO; ROWS];
            eight[..weights.len()].copy_from_slice(weights);
            for half in 0..2 {
                let four = [eight[4 * half], eight[4 * half + 1], eight[4 * half + 2], eight[4 * half + 3]];
                put_tables(four, &mut tables[half]);
            }
        }
        let tables = &tables[..weights.len().div_ceil(ROWS)];
        for (strip, sums) in sums.iter_mut().enumerate() {
            for (block, f) in f.chunks(columns * ROWS).enumerate() {
                put_bits(f, columns, strip, &mut bits, block);
            }
            for (sums, bits) in sums.iter_mut().zip(&bits) {
                accumulate::<0, N>(sums, bits, tables);
                accumulate::<8, N>(sums, bits, tables);
                if N == 24 {
                    accumulate::<16, N>(sums, bits, tables);
                }
            }
        }
    }
    for (strip, sums) in sums.iter().enumerate() {
        for (t, sums) in sums.as_chunks::<2>().0.iter().enumerate() {
            let mut parts = [[E::ZERO; 32]; 2];
            transpose_sums(sums, &mut parts);
            for (lane, parts) in parts.iter().enumerate() {
                if let Some(out) = out.get_mut(strip * STRIP + 4 * lane + t) {
                    *out += sum_of_bits(cpu.into(), parts);
                }
            }
        }
    }
}

/// The bits of a strip of a block: qword 2 l + h of line t has those at place 16 l + 2 t + h, byte b of it bit b of the
/// rows.
#[target_feature(enable = "avx2")]
#[inline]
fn put_bits(f: &[Gf32], columns: usize, strip: usize, bits: &mut [[Line; ROW_BLOCKS]; ROWS], block: usize) {
    let mut rows = [_mm256_setzero_si256(); ROWS];
    load_strip(f, columns, strip, &mut rows);
    // The seven bits of an index (row, byte of a lane) are rotated three times.
    for _ in 0..3 {
        let from = rows;
        for i in 0..4 {
            rows[2 * i] = _mm256_unpacklo_epi8(from[i], from[i + 4]);
            rows[2 * i + 1] = _mm256_unpackhi_epi8(from[i], from[i + 4]);
        }
    }
    for t in 0..ROWS {
        store(&mut bits[t][block], transpose_bits(rows[t]));
    }
}

/// Bit b of byte a of every qword to bit a of byte b.
#[target_feature(enable = "avx2")]
#[inline]
fn transpose_bits(x: __m256i) -> __m256i {
    // Blocks of 1, 2 and 4 bits beside the diagonal are exchanged.
    let mask = _mm256_set1_epi64x(0x00aa_00aa_00aa_00aa);
    let t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64::<7>(x)), mask);
    let x = _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64::<7>(t)));
    let mask = _mm256_set1_epi64x(0x0000_cccc_0000_cccc);
    let t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64::<14>(x)), mask);
    let x = _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64::<14>(t)));
    let mask = _mm256_set1_epi64x(0xf0f0_f0f0);
    let t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64::<28>(x)), mask);
    _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64::<28>(t)))
}

/// Adds to accumulators `FIRST` … `FIRST` + 7 of a line what the blocks give.
#[target_feature(enable = "avx2")]
#[inline]
fn accumulate<const FIRST: usize, const N: usize>(
    sums: &mut [Line; N],
    bits: &[Line],
    tables: &[[Tables<N>; 2]],
) {
    let low = _mm256_set1_epi8(15);
    let mut acc = [_mm256_setzero_si256(); 8];
    for o in 0..8 {
        acc[o] = load(&sums[FIRST + o]);
    }
    for (bits, tables) in bits.iter().zip(tables) {
        let x = load(bits);
        let first = _mm256_and_si256(x, low);
        let second = _mm256_and_si256(_mm256_srli_epi64::<4>(x), low);
        for o in 0..8 {
            let found = _mm256_shuffle_epi8(load_twice(&tables[0][FIRST + o]), first);
            let too = _mm256_shuffle_epi8(load_twice(&tables[1][FIRST + o]), second);
            acc[o] = _mm256_xor_si256(acc[o], _mm256_xor_si256(found, too));
        }
    }
    for o in 0..8 {
        store(&mut sums[FIRST + o], acc[o]);
    }
}

/// The accumulators of two lines as elements: sixteen of the first, then sixteen of the second, for either lane.
#[target_feature(enable = "avx2")]
#[inline]
fn transpose_sums<const N: usize, E: Images>(sums: &[[Line; N]; 2], parts: &mut [[E; 32]; 2]) {
    for half in 0..2 {
        for (m, lanes) in transposed(&sums[half]).into_iter().enumerate() {
            for (parts, limbs) in parts.iter_mut().zip(lanes) {
                parts[16 * half + m] = E::from_limbs(limbs);
            }
        }
    }
}

/// Byte m of every line, from either lane, as the limbs of an element, for m below sixteen.
#[target_feature(enable = "avx2")]
#[inline]
fn transposed<const N: usize>(lines: &[Line; N]) -> [[[u64; 3]; 2]; 16] {
    let mut limbs = [[[0; 3]; 2]; 16];
    for first in (0..N).step_by(16) {
        let mut rows = [_mm256_setzero_si256(); 16];
        for o in 0..16.min(N - first) {
            rows[o] = load(&lines[first + o]);
        }
        transpose16(&mut rows);
        for (limbs, row) in limbs.iter_mut().zip(rows) {
            let mut line = ZERO;
            store(&mut line, row);
            let words = line.0.as_chunks().0;
            for lane in 0..2 {
                limbs[lane][first / 8] = u64::from_le_bytes(words[2 * lane]);
                if first == 0 {
                    limbs[lane][1] = u64::from_le_bytes(words[2 * lane + 1]);
                }
            }
        }
    }
    limbs
}

#[target_feature(enable = "avx2")]
#[inline(never)]
fn columns<const N: usize, E: Images>(cpu: Avx2, f: &[Gf32], weights: &[E], out: &mut [E]) {
    let columns = weights.len();
    let strips = columns.div_ceil(STRIP);
    // For every line and nibble, tables for every byte of an element, of the place of the lower lane and of the upper
    // one.
    let mut tables = vec![[[[ZERO; N]; 2]; COLUMN_ROWS]; strips];
    for (c, weight) in weights.iter().enumerate() {
        let images = images(cpu.into(), *weight);
        for (nibble, four) in images.as_chunks::<4>().0.iter().enumerate() {
            let mut made = [[0; 16]; N];
            put_tables(*four, &mut made);
            let place = c % STRIP * 4 + nibble / 2;
            let to = &mut tables[c / STRIP][place % 16][nibble % 2];
            for (to, table) in to.iter_mut().zip(&made) {
                to.0[place / 16 * 16..][..16].copy_from_slice(table);
            }
        }
    }
    let mut bytes = [[ZERO; COLUMN_BLOCKS]; COLUMN_ROWS];
    let chunk = COLUMN_ROWS * COLUMN_BLOCKS;
    for (f, out) in f.chunks(columns * chunk).zip(out.chunks_mut(chunk)) {
        let mut sums = [[ZERO; N]; COLUMN_BLOCKS];
        for (strip, tables) in tables.iter().enumerate() {
            for (block, f) in f.chunks(columns * COLUMN_ROWS).enumerate() {
                let mut rows = [_mm256_setzero_si256(); COLUMN_ROWS];
                load_strip(f, columns, strip, &mut rows);
                transpose16(&mut rows);
                for m in 0..COLUMN_ROWS {
                    store(&mut bytes[m][block], rows[m]);
                }
            }
            for o in (0..N).step_by(4) {
                for first in (0..out.len().div_ceil(COLUMN_ROWS)).step_by(2) {
                    look_up(tables, &bytes, &mut sums, o, first);
                }
            }
        }
        for (out, sums) in out.chunks_mut(COLUMN_ROWS).zip(&sums) {
            put_rows(sums, out);
        }
    }
}

/// Adds to the sums of bytes `o` … `o` + 3 of blocks `first` and `first` + 1 what the tables have.
#[target_feature(enable = "avx2")]
#[inline]
fn look_up<const N: usize>(
    tables: &[[[Line; N]; 2]; COLUMN_ROWS],
    bytes: &[[Line; COLUMN_BLOCKS]; COLUMN_ROWS],
    sums: &mut [[Line; N]; COLUMN_BLOCKS],
    o: usize,
    first: usize,
) {
    let low = _mm256_set1_epi8(15);
    let mut acc = [[_mm256_setzero_si256(); 4]; 2];
    for block in 0..2 {
        for i in 0..4 {
            acc[block][i] = load(&sums[first + block][o + i]);
        }
    }
    for (tables, bytes) in tables.iter().zip(bytes) {
        let (x, y) = (load(&bytes[first]), load(&bytes[first + 1]));
        let nibbles = [
            [_mm256_and_si256(x, low), _mm256_and_si256(y, low)],
            [
                _mm256_and_si256(_mm256_srli_epi64::<4>(x), low),
                _mm256_and_si256(_mm256_srli_epi64::<4>(y), low),
            ],
        ];
        for half in 0..2 {
            for i in 0..4 {
                let table = load(&tables[half][o + i]);
                for block in 0..2 {
                    let found = _mm256_shuffle_epi8(table, nibbles[half][block]);
                    acc[block][i] = _mm256_xor_si256(acc[block][i], found);
                }
            }
        }
    }
    for block in 0..2 {
        for i in 0..4 {
            store(&mut sums[first + block][o + i], acc[block][i]);
        }
    }
}

/// Both lanes of each line added, and their bytes as elements.
#[target_feature(enable = "avx2")]
#[inline]
fn put_rows<const N: usize, E: Images>(sums: &[Line; N], out: &mut [E]) {
    let add = |[a, b]: [[u64; 3]; 2]| [a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2]];
    for (out, lanes) in out.iter_mut().zip(transposed(sums)) {
        *out = E::from_limbs(add(lanes));
    }
}

/// A strip of up to as many rows as there is room for; missing columns are zero, missing rows repeat the first one.
#[target_feature(enable = "avx2")]
#[inline]
fn load_strip<const N: usize>(f: &[Gf32], columns: usize, strip: usize, rows: &mut [__m256i; N]) {
    let left = i32::try_from((columns - strip * STRIP).min(STRIP)).expect("small");
    let mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(left), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    let have = f.len() / columns;
    for (r, to) in rows.iter_mut().enumerate() {
        let row = if r < have { r } else { 0 };
        let place = &f[row * columns + strip * STRIP..(row + 1) * columns];
        #[allow(unused_unsafe, reason = "a safe function from Rust 1.90 on")]
        // SAFETY: a prefetch may be given any address.
        unsafe {
            _mm_prefetch::<_MM_HINT_T1>(place.as_ptr().wrapping_add(columns * AHEAD).cast());
        }
        // SAFETY: the mask leaves out what lies behind the end of the row.
        *to = unsafe { _mm256_maskload_epi32(place.as_ptr().cast(), mask) };
    }
}

/// Byte m of row r to byte r of row m, in each lane: the eight bits of an index (row, byte) are rotated four times.
#[target_feature(enable = "avx2")]
#[inline]
fn transpose16(rows: &mut [__m256i; 16]) {
    for _ in 0..4 {
        let from = *rows;
        for i in 0..8 {
            rows[2 * i] = _mm256_unpacklo_epi8(from[i], from[i + 8]);
            rows[2 * i + 1] = _mm256_unpackhi_epi8(from[i], from[i + 8]);
        }
    }
}

/// All sums of four elements.
#[target_feature(enable = "avx2")]
#[inline]
fn put_tables<const N: usize, E: Images>(four: [E; 4], tables: &mut Tables<N>) {
    const { assert!(size_of::<E>() == N && (N == 16 || N == 24), "elements of as many bytes") };
    let mut sums = [E::ZERO; 16];
    for (bit, element) in four.into_iter().enumerate() {
        for i in 0..1 << bit {
            sums[i + (1 << bit)] = sums[i] + element;
        }
    }
    for first in (0..N).step_by(16) {
        let mut rows = [_mm_setzero_si128(); 16];
        for i in 0..16 {
            let bytes: *const u8 = (&raw const sums[i]).cast();
            // SAFETY: an element has sixteen bytes, or these and eight more.
            rows[i] = unsafe {
                if first == 0 { _mm_loadu_si128(bytes.cast()) } else { _mm_loadl_epi64(bytes.add(16).cast()) }
            };
        }
        for _ in 0..4 {
            let from = rows;
            for i in 0..8 {
                rows[2 * i] = _mm_unpacklo_epi8(from[i], from[i + 8]);
                rows[2 * i + 1] = _mm_unpackhi_epi8(from[i], from[i + 8]);
            }
        }
        for (table, row) in tables[first..].iter_mut().zip(rows) {
            // SAFETY: a table is sixteen bytes.
            unsafe { _mm_storeu_si128(table.as_mut_ptr().cast(), row) };
        }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn load(line: &Line) -> __m256i {
    // SAFETY: a line is thirty-two bytes, aligned.
    unsafe { _mm256_load_si256(line.0.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn store(line: &mut Line, value: __m256i) {
    // SAFETY: a line is thirty-two bytes, aligned.
    unsafe { _mm256_store_si256(line.0.as_mut_ptr().cast(), value) }
}

/// A table in both lanes.
#[target_feature(enable = "avx2")]
#[inline]
fn load_twice(table: &[u8; 16]) -> __m256i {
    // SAFETY: a table is sixteen bytes.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}
