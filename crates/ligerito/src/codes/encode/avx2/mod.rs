//! GF(2^32) with AVX2: 32 elements at a time, products by looking up nibbles.
//!
//! A *unit* is 32 consecutive elements, held as four *planes*: plane i has byte i of every element. A product with a
//! constant is 32 shuffles, one for each nibble of the factor and byte of the product, in tables of sixteen bytes.
//! Units are turned into planes where a row is first read and back where it is last written; between passes they lie in
//! memory as planes, in the place of their elements.
//!
//! A *tile* of up to 128 positions of one or two units goes through its layers in a workspace in the first-level cache.
//! The tables of twiddles follow from one another by adding the tables of one step, since the blocks of a layer are
//! visited in the order of a Gray code. With 16 columns a unit has two rows, one in each half of the planes.
#![allow(unsafe_code, reason = "intrinsics, on the strength of a witness")]
#![allow(
    clippy::needless_range_loop,
    reason = "planes are registers, named by their place in several arrays"
)]

use super::nibbles::{self, Tables};
use super::{Encoder, Layers, Source};
use crate::binary::Gf32;
use alloc::vec::Vec;
use core::arch::x86_64::*;
use phalanx_core::simd::Avx2;

/// Elements of a unit.
const UNIT: usize = 32;
/// Units of a tile, at most.
const TILE: usize = 256;
/// Layers of a tile, at most; one more within units.
const LAYERS: usize = 9;

/// Four planes.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Unit([[u8; 32]; 4]);

/// The twiddles of a code, and the shape.
pub(crate) struct Kernel {
    witness: Avx2,
    log2_columns: usize,
    /// K: the tables of step (j, b) are at place j K + b.
    log2_points: usize,
    steps: Vec<Tables>,
}

/// A tile under way.
struct Work {
    /// Units of one position after the other.
    units: [Unit; TILE],
    /// The tables of layers low, low + 1, … at the first row.
    base: [Tables; LAYERS],
}

impl Kernel {
    /// For matrices of at least 16 columns and 32 elements.
    pub(super) fn new(witness: Avx2, encoder: &Encoder<'_, Gf32>) -> Self {
        let Encoder { basis, log2_message, log2_columns, .. } = *encoder;
        assert!(log2_columns >= 4 && log2_message + log2_columns >= 5, "units of at most two rows");
        let steps = nibbles::steps(basis, log2_message);
        Self { witness, log2_columns, log2_points: basis.log2_points(), steps }
    }

    /// As [`super::Transform::group`] says.
    pub(super) fn group(&self, layers: &Layers<'_, Gf32>, rows: &mut [&mut [Gf32]]) {
        let len = rows[0].len();
        assert!(rows.len() == 1 << (layers.high - layers.low), "a position for every row of a tile");
        // Two units share the tables.
        let width = len.min(2 * UNIT);
        assert!(
            len.is_multiple_of(width) && rows.len() * width <= TILE * UNIT,
            "a tile of equal runs of units"
        );
        let mut work = self.work(layers, layers.low, rows.len());
        for offset in (0..len).step_by(width) {
            let units = work.units.chunks_exact_mut(width / UNIT);
            for ((position, run), units) in rows.iter().enumerate().zip(units) {
                let before = (position << (layers.low + self.log2_columns)) + offset;
                self.read(layers.source.as_ref(), before, &run[offset..][..width], units);
            }
            self.all_layers(&mut work, layers.low, rows.len(), width / UNIT);
            let units = work.units.chunks_exact(width / UNIT);
            for (run, units) in rows.iter_mut().zip(units) {
                // SAFETY: the witness proves the instructions.
                unsafe { write_planes(units, &mut run[offset..][..width], self.witness) };
            }
        }
    }

    /// As [`super::Transform::block`] says.
    pub(super) fn block(&self, layers: &Layers<'_, Gf32>, rows: &mut [Gf32]) {
        assert!(
            rows.len() == 1 << (layers.high + self.log2_columns) && layers.low == 0,
            "the rows of the layers"
        );
        let distance = UNIT.max(1 << self.log2_columns);
        let (width, split) = (distance.min(2 * UNIT), self.log2_columns < 5);
        let low = usize::from(split);
        let positions = rows.len() / distance;
        assert!((1..=TILE * UNIT / width).contains(&positions), "a tile");
        let mut work = self.work(layers, low, positions);
        for offset in (0..distance).step_by(width) {
            let units = work.units.chunks_exact_mut(width / UNIT);
            for ((position, row), units) in rows.chunks_exact(distance).enumerate().zip(units) {
                self.read(
                    layers.source.as_ref(),
                    position * distance + offset,
                    &row[offset..][..width],
                    units,
                );
            }
            self.all_layers(&mut work, low, positions, width / UNIT);
            if split {
                // SAFETY: the witness proves the instructions.
                unsafe { self.within(layers.start, &mut work.units[..positions], self.witness) };
            }
            let units = work.units.chunks_exact(width / UNIT);
            for (row, units) in rows.chunks_exact_mut(distance).zip(units) {
                // SAFETY: the witness proves the instructions.
                unsafe { write_elements(units, &mut row[offset..][..width], self.witness) };
            }
        }
    }

    /// A workspace with the tables of layers `low`, `low` + 1, … for so many positions.
    fn work(&self, layers: &Layers<'_, Gf32>, low: usize, positions: usize) -> Work {
        let mut work = Work { units: [Unit([[0; 32]; 4]); TILE], base: [Tables::ZERO; LAYERS] };
        for (t, base) in work.base[..positions.ilog2() as usize].iter_mut().enumerate() {
            // SAFETY: the witness proves the instructions.
            unsafe { self.twiddle(low + t, layers.start, base, self.witness) };
        }
        work
    }

    /// Units of a row: of the message, `before` elements after the first one's beginning, or, as planes, of `row`.
    fn read(&self, source: Option<&Source<'_, Gf32>>, before: usize, row: &[Gf32], units: &mut [Unit]) {
        let Some(Source { message, scales, first }) = source else {
            // SAFETY: the witness proves the instructions.
            return unsafe { read_planes(row, units, self.witness) };
        };
        let element = (first << self.log2_columns) + before;
        let message = &message[element..][..row.len()];
        // SAFETY: the witness proves the instructions.
        unsafe {
            read_elements(message, units, self.witness);
            if !scales.is_empty() {
                let scales = &scales[element >> self.log2_columns..];
                if self.log2_columns < 5 {
                    for (unit, scales) in units.iter_mut().zip(scales.as_chunks::<2>().0) {
                        scale_halves(scales, unit, self.witness);
                    }
                } else {
                    scale(scales[0], units, self.witness);
                }
            }
        }
    }

    /// The layers of a tile of so many positions of `width` units, from the uppermost down to layer `low` of the code.
    fn all_layers(&self, work: &mut Work, low: usize, positions: usize, width: usize) {
        for t in (0..positions.ilog2() as usize).rev() {
            let units = &mut work.units[..positions * width];
            // SAFETY: the witness proves the instructions.
            unsafe { self.layer(low + t, width << t, &work.base[t], units, self.witness) };
        }
    }

    /// Layer j of the code, whose pairs lie `distance` units apart; `base` are the tables of the first block.
    #[inline(never)]
    #[target_feature(enable = "avx2")]
    fn layer(&self, j: usize, distance: usize, base: &Tables, units: &mut [Unit], _: Avx2) {
        let mut tables = *base;
        let blocks = units.len() / (2 * distance);
        let (mut block, mut turn) = (0usize, 0usize);
        loop {
            let (u, w) = units[block * 2 * distance..][..2 * distance].split_at_mut(distance);
            if distance == 1 {
                butterfly(&tables, &mut u[0], &mut w[0]);
            }
            for (u, w) in u.as_chunks_mut::<2>().0.iter_mut().zip(w.as_chunks_mut::<2>().0) {
                two_butterflies(&tables, u, w);
            }
            turn += 1;
            if turn == blocks {
                break;
            }
            let bit = turn.trailing_zeros() as usize;
            block ^= 1 << bit;
            add(&mut tables, &self.steps[j * self.log2_points + j + 1 + bit]);
        }
    }

    /// Layer 0 between the two rows of every unit, the first of which is domain point `start`.
    #[inline(never)]
    #[target_feature(enable = "avx2")]
    fn within(&self, start: usize, units: &mut [Unit], witness: Avx2) {
        let mut tables = Tables::ZERO;
        self.twiddle(0, start, &mut tables, witness);
        let (mut place, mut turn) = (0usize, 0usize);
        loop {
            let unit = &mut units[place];
            let mut planes = load(unit);
            let mut w = planes;
            for plane in &mut w {
                *plane = _mm256_permute2x128_si256::<0x81>(*plane, *plane);
            }
            multiply_add(&tables, &mut planes, &w);
            for plane in &mut planes {
                *plane = _mm256_xor_si256(*plane, _mm256_permute2x128_si256::<0x08>(*plane, *plane));
            }
            store(unit, planes);
            turn += 1;
            if turn == units.len() {
                break;
            }
            let bit = turn.trailing_zeros() as usize;
            place ^= 1 << bit;
            add(&mut tables, &self.steps[1 + bit]);
        }
    }

    /// Sets `tables` to those of layer j of the code in the block that has domain point `point`.
    #[inline(never)]
    #[target_feature(enable = "avx2")]
    fn twiddle(&self, j: usize, point: usize, tables: &mut Tables, _: Avx2) {
        *tables = Tables::ZERO;
        let mut bits = point >> (j + 1) << (j + 1);
        while bits != 0 {
            add(tables, &self.steps[j * self.log2_points + bits.trailing_zeros() as usize]);
            bits &= bits - 1;
        }
    }
}

/// The planes of a unit.
#[inline]
#[target_feature(enable = "avx2")]
fn load(unit: &Unit) -> [__m256i; 4] {
    let from = unit.0.as_ptr().cast::<__m256i>();
    // SAFETY: a unit is four registers long and aligned.
    unsafe {
        [
            _mm256_load_si256(from),
            _mm256_load_si256(from.add(1)),
            _mm256_load_si256(from.add(2)),
            _mm256_load_si256(from.add(3)),
        ]
    }
}

/// The planes of a unit, written.
#[inline]
#[target_feature(enable = "avx2")]
fn store(unit: &mut Unit, planes: [__m256i; 4]) {
    let to = unit.0.as_mut_ptr().cast::<__m256i>();
    for (i, plane) in planes.into_iter().enumerate() {
        // SAFETY: a unit is four registers long and aligned.
        unsafe { _mm256_store_si256(to.add(i), plane) };
    }
}

/// Adds the tables of another factor.
#[inline]
#[target_feature(enable = "avx2")]
fn add(tables: &mut Tables, other: &Tables) {
    let (to, from) = (tables.0.as_mut_ptr().cast::<__m256i>(), other.0.as_ptr().cast::<__m256i>());
    for i in 0..16 {
        // SAFETY: tables are sixteen registers long and aligned.
        unsafe {
            let sum = _mm256_xor_si256(_mm256_load_si256(to.add(i)), _mm256_load_si256(from.add(i)));
            _mm256_store_si256(to.add(i), sum);
        }
    }
}

/// A table in both halves of a register.
#[inline]
#[target_feature(enable = "avx2")]
fn table(tables: &Tables, place: usize) -> __m256i {
    // SAFETY: a table has sixteen bytes.
    _mm256_broadcastsi128_si256(unsafe { _mm_load_si128(tables.0[place].as_ptr().cast()) })
}

/// u += l w, for the tables of l.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply_add(tables: &Tables, u: &mut [__m256i; 4], w: &[__m256i; 4]) {
    let mask = _mm256_set1_epi8(15);
    for j in 0..4 {
        let low = _mm256_and_si256(w[j], mask);
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(w[j]), mask);
        for i in 0..4 {
            u[i] = _mm256_xor_si256(u[i], _mm256_shuffle_epi8(table(tables, 8 * j + i), low));
            u[i] = _mm256_xor_si256(u[i], _mm256_shuffle_epi8(table(tables, 8 * j + 4 + i), high));
        }
    }
}

/// u += l w and then w += u.
#[inline]
#[target_feature(enable = "avx2")]
fn butterfly(tables: &Tables, u: &mut Unit, w: &mut Unit) {
    let (mut a, mut b) = (load(u), load(w));
    multiply_add(tables, &mut a, &b);
    for i in 0..4 {
        b[i] = _mm256_xor_si256(b[i], a[i]);
    }
    store(u, a);
    store(w, b);
}

/// The same for two units of each, which share the tables that are loaded.
#[inline]
#[target_feature(enable = "avx2")]
fn two_butterflies(tables: &Tables, u: &mut [Unit; 2], w: &mut [Unit; 2]) {
    let mask = _mm256_set1_epi8(15);
    let [mut a, mut b] = [load(&u[0]), load(&u[1])];
    let [c, d] = [load(&w[0]), load(&w[1])];
    for j in 0..4 {
        let lows = [_mm256_and_si256(c[j], mask), _mm256_and_si256(d[j], mask)];
        for i in 0..4 {
            let table = table(tables, 8 * j + i);
            a[i] = _mm256_xor_si256(a[i], _mm256_shuffle_epi8(table, lows[0]));
            b[i] = _mm256_xor_si256(b[i], _mm256_shuffle_epi8(table, lows[1]));
        }
        let shifted = [_mm256_srli_epi16::<4>(c[j]), _mm256_srli_epi16::<4>(d[j])];
        let highs = [_mm256_and_si256(shifted[0], mask), _mm256_and_si256(shifted[1], mask)];
        for i in 0..4 {
            let table = table(tables, 8 * j + 4 + i);
            a[i] = _mm256_xor_si256(a[i], _mm256_shuffle_epi8(table, highs[0]));
            b[i] = _mm256_xor_si256(b[i], _mm256_shuffle_epi8(table, highs[1]));
        }
    }
    store(&mut u[0], a);
    store(&mut u[1], b);
    let [mut c, mut d] = [load(&w[0]), load(&w[1])];
    for i in 0..4 {
        c[i] = _mm256_xor_si256(c[i], a[i]);
        d[i] = _mm256_xor_si256(d[i], b[i]);
    }
    store(&mut w[0], c);
    store(&mut w[1], d);
}

/// Units times a public constant.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn scale(factor: Gf32, units: &mut [Unit], _: Avx2) {
    let tables = tables_of(factor);
    for unit in units {
        let mut product = [_mm256_setzero_si256(); 4];
        multiply_add(&tables, &mut product, &load(unit));
        store(unit, product);
    }
}

/// The two rows of a unit, each times its own public constant.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn scale_halves(factors: &[Gf32; 2], unit: &mut Unit, _: Avx2) {
    let planes = load(unit);
    let mut product = [_mm256_setzero_si256(); 4];
    let (mut first, mut second) = (planes, planes);
    for plane in 0..4 {
        first[plane] = _mm256_permute2x128_si256::<0x80>(planes[plane], planes[plane]);
        second[plane] = _mm256_xor_si256(planes[plane], first[plane]);
    }
    multiply_add(&tables_of(factors[0]), &mut product, &first);
    multiply_add(&tables_of(factors[1]), &mut product, &second);
    store(unit, product);
}

/// The tables of multiplication by a public constant.
#[inline]
#[target_feature(enable = "avx2")]
fn tables_of(factor: Gf32) -> Tables {
    let mut tables = Tables::ZERO;
    let mut bits = factor.0;
    while bits != 0 {
        add(&mut tables, &nibbles::POWERS[bits.trailing_zeros() as usize]);
        bits &= bits - 1;
    }
    tables
}

/// Four registers of a row.
#[inline]
#[target_feature(enable = "avx2")]
fn registers(row: &[Gf32; UNIT]) -> [__m256i; 4] {
    let from = row.as_ptr().cast::<__m256i>();
    // SAFETY: 32 elements are four registers long.
    unsafe {
        [
            _mm256_loadu_si256(from),
            _mm256_loadu_si256(from.add(1)),
            _mm256_loadu_si256(from.add(2)),
            _mm256_loadu_si256(from.add(3)),
        ]
    }
}

/// Four registers into a row.
#[inline]
#[target_feature(enable = "avx2")]
fn set_registers(row: &mut [Gf32; UNIT], registers: [__m256i; 4]) {
    let to = row.as_mut_ptr().cast::<__m256i>();
    for (i, register) in registers.into_iter().enumerate() {
        // SAFETY: 32 elements are four registers long.
        unsafe { _mm256_storeu_si256(to.add(i), register) };
    }
}

/// Planes from a row.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn read_planes(row: &[Gf32], units: &mut [Unit], _: Avx2) {
    for (row, unit) in row.as_chunks().0.iter().zip(units) {
        store(unit, registers(row));
    }
}

/// Planes into a row.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn write_planes(units: &[Unit], row: &mut [Gf32], _: Avx2) {
    for (row, unit) in row.as_chunks_mut().0.iter_mut().zip(units) {
        set_registers(row, load(unit));
    }
}

/// Elements of a row, turned into planes.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn read_elements(row: &[Gf32], units: &mut [Unit], _: Avx2) {
    for (row, unit) in row.as_chunks().0.iter().zip(units) {
        let z = registers(row);
        // Sixteen elements to each half, the bytes of four elements sorted, and four by four words transposed.
        let sorted = [
            sort(_mm256_permute2x128_si256::<0x20>(z[0], z[2])),
            sort(_mm256_permute2x128_si256::<0x31>(z[0], z[2])),
            sort(_mm256_permute2x128_si256::<0x20>(z[1], z[3])),
            sort(_mm256_permute2x128_si256::<0x31>(z[1], z[3])),
        ];
        store(unit, transpose(sorted));
    }
}

/// Planes, turned back into elements.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn write_elements(units: &[Unit], row: &mut [Gf32], _: Avx2) {
    for (row, unit) in row.as_chunks_mut().0.iter_mut().zip(units) {
        let sorted = transpose(load(unit));
        let z = [sort(sorted[0]), sort(sorted[1]), sort(sorted[2]), sort(sorted[3])];
        let elements = [
            _mm256_permute2x128_si256::<0x20>(z[0], z[1]),
            _mm256_permute2x128_si256::<0x20>(z[2], z[3]),
            _mm256_permute2x128_si256::<0x31>(z[0], z[1]),
            _mm256_permute2x128_si256::<0x31>(z[2], z[3]),
        ];
        set_registers(row, elements);
    }
}

/// Byte i of word j to byte j of word i, in each half.
#[inline]
#[target_feature(enable = "avx2")]
fn sort(register: __m256i) -> __m256i {
    let order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm256_shuffle_epi8(register, _mm256_broadcastsi128_si256(order))
}

/// Word i of register j to word j of register i, in each half.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose(r: [__m256i; 4]) -> [__m256i; 4] {
    let (a, b) = (_mm256_unpacklo_epi32(r[0], r[1]), _mm256_unpackhi_epi32(r[0], r[1]));
    let (c, d) = (_mm256_unpacklo_epi32(r[2], r[3]), _mm256_unpackhi_epi32(r[2], r[3]));
    [
        _mm256_unpacklo_epi64(a, c),
        _mm256_unpackhi_epi64(a, c),
        _mm256_unpacklo_epi64(b, d),
        _mm256_unpackhi_epi64(b, d),
    ]
}
