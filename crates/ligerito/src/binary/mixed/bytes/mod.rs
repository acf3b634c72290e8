//! Matrices of bytes, thirty-two at a time: with AVX2, by what the CPU has to map them ([`Maps`]).
//!
//! * Columns: sixteen rows are brought together, a byte of each into a lane; a map for every byte of a column and every
//!   byte of the result.
//! * Rows: of eight rows, bits at the same place are brought into one byte; a map from it to the sum of the weights of
//!   these rows, for every byte of the result. What comes out is, for each of the 32 bits of each column, the sum of
//!   the weights of the rows that have it; at the end these are multiplied by the images of the bits and added.
#![allow(unsafe_code, reason = "intrinsics, on the strength of a witness")]
#![allow(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the lanes' instruction set"
)]

mod maps;

use super::images::{Images, add_parts, images, sum_of_bits};
use crate::binary::Gf32;
use alloc::vec;
use core::arch::x86_64::*;
use maps::Maps;
use phalanx_core::simd;

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

/// As [`super::combine_rows`], `f` not empty, elements of `N` bytes.
pub(super) fn combine_rows<const N: usize, E: Images>(
    cpu: impl Maps,
    f: &[Gf32],
    weights: &[E],
    out: &mut [E],
) {
    let columns = out.len();
    let mut put = |c: usize, parts: &[E; 32]| out[c] += sum_of_bits(cpu.into(), parts);
    cpu.enter(Rows::<N, _> { f, weights, columns, put: &mut put });
}

/// As [`super::combine_rows_of_bits`], `f` not empty, elements of `N` bytes.
pub(super) fn combine_rows_of_bits<const N: usize, E: Images>(
    cpu: impl Maps,
    f: &[Gf32],
    weights: &[E],
    out: &mut [[E; 32]],
) {
    let columns = out.len();
    let mut put = |c: usize, parts: &[E; 32]| add_parts(&mut out[c], parts);
    cpu.enter(Rows::<N, _> { f, weights, columns, put: &mut put });
}

/// As [`super::combine_columns`], `f` not empty, elements of `N` bytes.
pub(super) fn combine_columns<const N: usize, E: Images>(
    cpu: impl Maps,
    f: &[Gf32],
    weights: &[E],
    out: &mut [E],
) {
    let images = |c: usize| images(cpu.into(), weights[c]);
    cpu.enter(Columns::<N, _> { f, columns: weights.len(), images: &images, out });
}

/// As [`super::map_columns`], `f` not empty, elements of `N` bytes.
pub(super) fn map_columns<const N: usize, E: Images>(
    cpu: impl Maps,
    f: &[Gf32],
    images: &[[E; 32]],
    out: &mut [E],
) {
    cpu.enter(Columns::<N, _> { f, columns: images.len(), images: &|c: usize| images[c], out });
}

/// Products of rows, to be entered. `put` takes what belongs to a column: a sum for each bit.
struct Rows<'a, const N: usize, E> {
    f: &'a [Gf32],
    weights: &'a [E],
    columns: usize,
    put: &'a mut dyn FnMut(usize, &[E; 32]),
}

impl<const N: usize, E: Images, M: Maps> simd::Kernel<M> for Rows<'_, N, E> {
    type Output = ();

    #[inline(always)]
    fn run(self, cpu: M) {
        rows::<N, E, M>(cpu, self.f, self.weights, self.columns, self.put);
    }
}

/// Products of columns, to be entered. `images` has what the bits of a column's elements stand for.
struct Columns<'a, const N: usize, E> {
    f: &'a [Gf32],
    columns: usize,
    images: &'a dyn Fn(usize) -> [E; 32],
    out: &'a mut [E],
}

impl<const N: usize, E: Images, M: Maps> simd::Kernel<M> for Columns<'_, N, E> {
    type Output = ();

    #[inline(always)]
    fn run(self, cpu: M) {
        columns::<N, E, M>(cpu, self.f, self.columns, self.images, self.out);
    }
}

#[inline(always)]
fn rows<const N: usize, E: Images, M: Maps>(
    cpu: M,
    f: &[Gf32],
    weights: &[E],
    columns: usize,
    put: &mut dyn FnMut(usize, &[E; 32]),
) {
    // For every line of a strip accumulators, one for a byte of an element.
    let mut sums = vec![[[ZERO; N]; ROWS]; columns.div_ceil(STRIP)];
    let mut bits = [[ZERO; ROW_BLOCKS]; ROWS];
    let mut maps = [[M::NOTHING; N]; ROW_BLOCKS];
    let chunks = f.chunks(columns * ROWS * ROW_BLOCKS).zip(weights.chunks(ROWS * ROW_BLOCKS));
    for (f, weights) in chunks {
        for (weights, maps) in weights.chunks(ROWS).zip(&mut maps) {
            let mut eight = [E::ZERO; ROWS];
            eight[..weights.len()].copy_from_slice(weights);
            cpu.put_maps(&eight, maps);
        }
        let maps = &maps[..weights.len().div_ceil(ROWS)];
        for (strip, sums) in sums.iter_mut().enumerate() {
            for (block, f) in f.chunks(columns * ROWS).enumerate() {
                put_bits(cpu, f, columns, strip, &mut bits, block);
            }
            for (sums, bits) in sums.iter_mut().zip(&bits) {
                accumulate::<0, N, M>(cpu, sums, bits, maps);
                accumulate::<8, N, M>(cpu, sums, bits, maps);
                if N == 24 {
                    accumulate::<16, N, M>(cpu, sums, bits, maps);
                }
            }
        }
    }
    for (strip, sums) in sums.iter().enumerate() {
        for (t, sums) in sums.as_chunks::<2>().0.iter().enumerate() {
            let mut parts = [[E::ZERO; 32]; 2];
            // SAFETY: the witness proves AVX2.
            unsafe { transpose_sums(sums, &mut parts) };
            for (lane, parts) in parts.iter().enumerate() {
                let c = strip * STRIP + 4 * lane + t;
                if c < columns {
                    put(c, parts);
                }
            }
        }
    }
}

/// The bits of a strip of a block: qword 2 l + h of line t has those at place 16 l + 2 t + h, byte b of it bit b of the
/// rows.
#[inline(always)]
fn put_bits<M: Maps>(
    cpu: M,
    f: &[Gf32],
    columns: usize,
    strip: usize,
    bits: &mut [[Line; ROW_BLOCKS]; ROWS],
    block: usize,
) {
    // SAFETY: the witness proves AVX2.
    let rows = unsafe { gathered(f, columns, strip) };
    for t in 0..ROWS {
        cpu.store(&mut bits[t][block].0, cpu.transpose_bits(rows[t]));
    }
}

/// A strip of eight rows: qword 2 l + h of line t has the bytes at place 16 l + 2 t + h, byte r of it from row r.
#[target_feature(enable = "avx2")]
#[inline]
fn gathered(f: &[Gf32], columns: usize, strip: usize) -> [__m256i; ROWS] {
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
    rows
}

/// Adds to accumulators `FIRST` … `FIRST` + 7 of a line what the blocks give.
#[inline(always)]
fn accumulate<const FIRST: usize, const N: usize, M: Maps>(
    cpu: M,
    sums: &mut [Line; N],
    bits: &[Line],
    maps: &[[M::Map; N]],
) {
    let mut acc = [cpu.load(&ZERO.0); 8];
    for o in 0..8 {
        acc[o] = cpu.load(&sums[FIRST + o].0);
    }
    for (bits, maps) in bits.iter().zip(maps) {
        let x = cpu.operand(cpu.load(&bits.0));
        for o in 0..8 {
            acc[o] = cpu.xor(acc[o], cpu.mapped(x, &maps[FIRST + o]));
        }
    }
    for o in 0..8 {
        cpu.store(&mut sums[FIRST + o].0, acc[o]);
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

#[inline(always)]
fn columns<const N: usize, E: Images, M: Maps>(
    cpu: M,
    f: &[Gf32],
    columns: usize,
    images: &dyn Fn(usize) -> [E; 32],
    out: &mut [E],
) {
    let strips = columns.div_ceil(STRIP);
    // For every line maps for every byte of an element, of the place of the lower lane and of the upper one.
    let mut maps = vec![[[M::BOTH_NOTHING; N]; COLUMN_ROWS]; strips];
    for c in 0..columns {
        for (byte, eight) in images(c).as_chunks::<8>().0.iter().enumerate() {
            let mut made = [M::NOTHING; N];
            cpu.put_maps(eight, &mut made);
            let place = c % STRIP * 4 + byte;
            let to = &mut maps[c / STRIP][place % 16];
            for (to, map) in to.iter_mut().zip(&made) {
                M::set_lane(to, place / 16, map);
            }
        }
    }
    let mut bytes = [[ZERO; COLUMN_BLOCKS]; COLUMN_ROWS];
    let chunk = COLUMN_ROWS * COLUMN_BLOCKS;
    for (f, out) in f.chunks(columns * chunk).zip(out.chunks_mut(chunk)) {
        let mut sums = [[ZERO; N]; COLUMN_BLOCKS];
        for (strip, maps) in maps.iter().enumerate() {
            for (block, f) in f.chunks(columns * COLUMN_ROWS).enumerate() {
                // SAFETY: the witness proves AVX2.
                unsafe { put_bytes(f, columns, strip, &mut bytes, block) };
            }
            for o in (0..N).step_by(4) {
                for first in (0..out.len().div_ceil(COLUMN_ROWS)).step_by(2) {
                    apply(cpu, maps, &bytes, &mut sums, o, first);
                }
            }
        }
        for (out, sums) in out.chunks_mut(COLUMN_ROWS).zip(&sums) {
            // SAFETY: the witness proves AVX2.
            unsafe { put_rows(sums, out) };
        }
    }
}

/// The bytes of a strip of a block: lane l of line m has those at place 16 l + m, byte r of it from row r.
#[target_feature(enable = "avx2")]
#[inline]
fn put_bytes(
    f: &[Gf32],
    columns: usize,
    strip: usize,
    bytes: &mut [[Line; COLUMN_BLOCKS]; COLUMN_ROWS],
    block: usize,
) {
    let mut rows = [_mm256_setzero_si256(); COLUMN_ROWS];
    load_strip(f, columns, strip, &mut rows);
    transpose16(&mut rows);
    for m in 0..COLUMN_ROWS {
        store(&mut bytes[m][block], rows[m]);
    }
}

/// Adds to the sums of bytes `o` … `o` + 3 of blocks `first` and `first` + 1 what the maps give.
#[inline(always)]
fn apply<const N: usize, M: Maps>(
    cpu: M,
    maps: &[[M::Both; N]; COLUMN_ROWS],
    bytes: &[[Line; COLUMN_BLOCKS]; COLUMN_ROWS],
    sums: &mut [[Line; N]; COLUMN_BLOCKS],
    o: usize,
    first: usize,
) {
    let mut acc = [[cpu.load(&ZERO.0); 4]; 2];
    for block in 0..2 {
        for i in 0..4 {
            acc[block][i] = cpu.load(&sums[first + block][o + i].0);
        }
    }
    for (maps, bytes) in maps.iter().zip(bytes) {
        let x = cpu.operand(cpu.load(&bytes[first].0));
        let y = cpu.operand(cpu.load(&bytes[first + 1].0));
        for i in 0..4 {
            acc[0][i] = cpu.xor(acc[0][i], cpu.both_mapped(x, &maps[o + i]));
            acc[1][i] = cpu.xor(acc[1][i], cpu.both_mapped(y, &maps[o + i]));
        }
    }
    for block in 0..2 {
        for i in 0..4 {
            cpu.store(&mut sums[first + block][o + i].0, acc[block][i]);
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
