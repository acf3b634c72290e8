//! GF(2^32) in vectors of sixteen bytes: products by looking up nibbles, sixteen elements at a time.
//!
//! A *unit* is 16 consecutive elements, held as four *planes*: plane i has byte i of every element. A product with a
//! constant is 32 lookups in tables of sixteen bytes ([`super::nibbles`]), two for each element; a carry-less product
//! would take one element at a time and two more to be reduced. Units are turned into planes where a row is first read
//! and back where it is last written; between passes they lie in memory as planes, in the place of their elements.
//!
//! A *tile* of positions of one or two units goes through its layers in a workspace in the first-level cache. The
//! tables of twiddles follow from one another by adding the tables of one step, since the blocks of a layer are visited
//! in the order of a Gray code.

use super::nibbles::{self, Tables};
use super::{Encoder, Layers, Source};
use crate::binary::{Gf32, bytes, bytes_mut};
use alloc::vec::Vec;
use phalanx_core::lanes::ByteLanes;

/// Elements of a unit.
const UNIT: usize = 16;
/// Units of a tile, at most: 32 KiB.
const TILE: usize = 512;
/// Layers of a tile, at most.
const LAYERS: usize = 9;

/// From the bytes of four elements to four bytes for each plane.
const SORTED: [u8; 16] = order(true);
/// And back.
const UNSORTED: [u8; 16] = order(false);

const fn order(sorted: bool) -> [u8; 16] {
    let mut order = [0; 16];
    let mut place = 0;
    while place < 16 {
        let (element, byte) = (place / 4, place % 4);
        let plane = if cfg!(target_endian = "little") { byte } else { 3 - byte };
        let (from, to) = if sorted { (place, 4 * plane + element) } else { (4 * plane + element, place) };
        order[to as usize] = from;
        place += 1;
    }
    order
}

/// Four planes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Unit([[u8; 16]; 4]);

/// The twiddles of a code, and the shape.
pub(crate) struct Kernel<B> {
    bytes: B,
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

impl<B: ByteLanes<Bytes = [u8; 16]>> Kernel<B> {
    /// For matrices of at least 16 columns.
    pub(super) fn new(bytes: B, encoder: &Encoder<'_, Gf32>) -> Self {
        let Encoder { basis, log2_message, log2_columns, .. } = *encoder;
        assert!(1 << log2_columns >= UNIT, "rows of whole units");
        let steps = nibbles::steps(basis, log2_message);
        Self { bytes, log2_columns, log2_points: basis.log2_points(), steps }
    }

    /// As [`super::Transform::group`] says.
    pub(super) fn group(&self, layers: &Layers<'_, Gf32>, rows: &mut [&mut [Gf32]]) {
        let len = rows[0].len();
        assert!(rows.len() == 1 << (layers.high - layers.low), "a position for every row of a tile");
        let width = width(len, rows.len());
        let mut work = self.work(layers, rows.len());
        for offset in (0..len).step_by(width * UNIT) {
            let units = work.units.chunks_exact_mut(width);
            for ((position, run), units) in rows.iter().enumerate().zip(units) {
                let before = (position << (layers.low + self.log2_columns)) + offset;
                self.read(layers.source.as_ref(), before, &run[offset..][..width * UNIT], units);
            }
            self.all_layers(&mut work, layers.low, rows.len(), width);
            for (run, units) in rows.iter_mut().zip(work.units.chunks_exact(width)) {
                self.write_planes(units, &mut run[offset..][..width * UNIT]);
            }
        }
    }

    /// As [`super::Transform::block`] says.
    pub(super) fn block(&self, layers: &Layers<'_, Gf32>, rows: &mut [Gf32]) {
        let columns = 1 << self.log2_columns;
        assert!(rows.len() == columns << layers.high && layers.low == 0, "the rows of the layers");
        let positions = 1 << layers.high;
        let width = width(columns, positions);
        let mut work = self.work(layers, positions);
        for offset in (0..columns).step_by(width * UNIT) {
            let units = work.units.chunks_exact_mut(width);
            for ((position, row), units) in rows.chunks_exact(columns).enumerate().zip(units) {
                let before = position * columns + offset;
                self.read(layers.source.as_ref(), before, &row[offset..][..width * UNIT], units);
            }
            self.all_layers(&mut work, 0, positions, width);
            for (row, units) in rows.chunks_exact_mut(columns).zip(work.units.chunks_exact(width)) {
                self.write_elements(units, &mut row[offset..][..width * UNIT]);
            }
        }
    }

    /// A workspace with the tables of layers `layers.low`, `layers.low` + 1, … for so many positions.
    fn work(&self, layers: &Layers<'_, Gf32>, positions: usize) -> Work {
        let mut work = Work { units: [Unit([[0; 16]; 4]); TILE], base: [Tables::ZERO; LAYERS] };
        for (t, base) in work.base[..positions.ilog2() as usize].iter_mut().enumerate() {
            let j = layers.low + t;
            let mut bits = layers.start >> (j + 1) << (j + 1);
            while bits != 0 {
                base.add(&self.steps[j * self.log2_points + bits.trailing_zeros() as usize]);
                bits &= bits - 1;
            }
        }
        work
    }

    /// Units of a row: of the message, `before` elements after the first one's beginning, or, as planes, of `row`.
    fn read(&self, source: Option<&Source<'_, Gf32>>, before: usize, row: &[Gf32], units: &mut [Unit]) {
        let Some(Source { message, scales, first }) = source else {
            return self.read_planes(row, units);
        };
        let element = (first << self.log2_columns) + before;
        self.read_elements(&message[element..][..row.len()], units);
        if !scales.is_empty() {
            self.scale(scales[element >> self.log2_columns], units);
        }
    }

    /// The layers of a tile of so many positions of `width` units, from the uppermost down to layer `low` of the code.
    fn all_layers(&self, work: &mut Work, low: usize, positions: usize, width: usize) {
        for t in (0..positions.ilog2() as usize).rev() {
            self.layer(low + t, width << t, &work.base[t], &mut work.units[..positions * width]);
        }
    }

    /// Layer j of the code, whose pairs lie `distance` units apart; `base` are the tables of the first block.
    #[inline(never)]
    fn layer(&self, j: usize, distance: usize, base: &Tables, units: &mut [Unit]) {
        let mut tables = *base;
        let blocks = units.len() / (2 * distance);
        let (mut block, mut turn) = (0usize, 0usize);
        loop {
            let (u, w) = units[block * 2 * distance..][..2 * distance].split_at_mut(distance);
            for (u, w) in u.iter_mut().zip(w) {
                self.butterfly(&tables, u, w);
            }
            turn += 1;
            if turn == blocks {
                break;
            }
            let bit = turn.trailing_zeros() as usize;
            block ^= 1 << bit;
            tables.add(&self.steps[j * self.log2_points + j + 1 + bit]);
        }
    }

    /// u += l w and then w += u, for the tables of l.
    #[inline(always)]
    fn butterfly(&self, tables: &Tables, u: &mut Unit, w: &mut Unit) {
        let (mut a, mut b) = (self.load(u), self.load(w));
        self.multiply_add(tables, &mut a, &b);
        let mut i = 0;
        while i < 4 {
            b[i] = self.bytes.xor(b[i], a[i]);
            i += 1;
        }
        self.store(u, a);
        self.store(w, b);
    }

    /// u += l w, for the tables of l.
    #[inline(always)]
    fn multiply_add(&self, tables: &Tables, u: &mut [B::Vector; 4], w: &[B::Vector; 4]) {
        let bytes = self.bytes;
        let mut j = 0;
        while j < 4 {
            let (low, high) = (bytes.low_nibbles(w[j]), bytes.high_nibbles(w[j]));
            let mut i = 0;
            while i < 4 {
                let first = bytes.lookup(bytes.load(&tables.0[8 * j + i]), low);
                let second = bytes.lookup(bytes.load(&tables.0[8 * j + 4 + i]), high);
                u[i] = bytes.xor(u[i], bytes.xor(first, second));
                i += 1;
            }
            j += 1;
        }
    }

    /// Units times a public constant.
    fn scale(&self, factor: Gf32, units: &mut [Unit]) {
        let tables = Tables::of(factor);
        for unit in units {
            let mut product = [self.bytes.load(&[0; 16]); 4];
            self.multiply_add(&tables, &mut product, &self.load(unit));
            self.store(unit, product);
        }
    }

    #[inline(always)]
    fn load(&self, Unit(planes): &Unit) -> [B::Vector; 4] {
        [0, 1, 2, 3].map(|i| self.bytes.load(&planes[i]))
    }

    #[inline(always)]
    fn store(&self, Unit(planes): &mut Unit, vectors: [B::Vector; 4]) {
        for (plane, vector) in planes.iter_mut().zip(vectors) {
            self.bytes.store(plane, vector);
        }
    }

    /// Sixteen elements of a row, four to a vector.
    #[inline(always)]
    fn quarters(&self, row: &[Gf32; UNIT]) -> [B::Vector; 4] {
        let (quarters, _) = bytes(row).as_chunks();
        [0, 1, 2, 3].map(|i| self.bytes.load(&quarters[i]))
    }

    #[inline(always)]
    fn set_quarters(&self, row: &mut [Gf32; UNIT], vectors: [B::Vector; 4]) {
        for (quarter, vector) in bytes_mut(row).as_chunks_mut().0.iter_mut().zip(vectors) {
            self.bytes.store(quarter, vector);
        }
    }

    /// Planes from a row.
    fn read_planes(&self, row: &[Gf32], units: &mut [Unit]) {
        for (row, unit) in row.as_chunks().0.iter().zip(units) {
            self.store(unit, self.quarters(row));
        }
    }

    /// Planes into a row.
    fn write_planes(&self, units: &[Unit], row: &mut [Gf32]) {
        for (row, unit) in row.as_chunks_mut().0.iter_mut().zip(units) {
            self.set_quarters(row, self.load(unit));
        }
    }

    /// Elements of a row, turned into planes: the bytes of four elements are sorted, and four by four words transposed.
    #[inline(never)]
    fn read_elements(&self, row: &[Gf32], units: &mut [Unit]) {
        let order = self.bytes.load(&SORTED);
        for (row, unit) in row.as_chunks().0.iter().zip(units) {
            let sorted = self.quarters(row).map(|vector| self.bytes.lookup(vector, order));
            self.store(unit, self.bytes.transpose4(sorted));
        }
    }

    /// Planes, turned back into elements.
    #[inline(never)]
    fn write_elements(&self, units: &[Unit], row: &mut [Gf32]) {
        let order = self.bytes.load(&UNSORTED);
        for (row, unit) in row.as_chunks_mut().0.iter_mut().zip(units) {
            let sorted = self.bytes.transpose4(self.load(unit));
            self.set_quarters(row, sorted.map(|vector| self.bytes.lookup(vector, order)));
        }
    }
}

/// Units of a position: two if there are, and the tile has room.
fn width(len: usize, positions: usize) -> usize {
    assert!(len.is_multiple_of(UNIT) && (1..=TILE).contains(&positions), "a tile of equal runs of units");
    let width = (len / UNIT).min(2).min(TILE / positions);
    assert!((len / UNIT).is_multiple_of(width), "whole positions");
    width
}
