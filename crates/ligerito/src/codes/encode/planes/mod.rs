//! GF(2^32) in planes of bytes, `N` elements at a time: 32 to a vector with AVX2, 64 with AVX-512.
//!
//! A *unit* is `N` consecutive elements, held as four *planes*: plane i has byte i of every element, in an order that
//! is the same for all units. How planes are multiplied by a constant is the affair of the instruction set
//! ([`Products`]): by looking up nibbles, or by bit matrices. Units are turned into planes where a row is first read
//! and back where it is last written; between passes they lie in memory as planes, in the place of their elements.
//!
//! A *tile* of positions of one or two units goes through its layers in a workspace in the first-level cache. The
//! factors of twiddles follow from one another by adding that of one step, since the blocks of a layer are visited in
//! the order of a Gray code. Where a row is half a unit, a unit has two rows, one in each half of the planes.

#![allow(unsafe_code, reason = "a workspace that nobody clears first")]
#![allow(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the lanes' instruction set"
)]

mod products;

use super::{Encoder, Layers, Source};
use crate::binary::{Gf32, bytes, bytes_mut};
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use phalanx_core::lanes::ByteLanes;
use phalanx_core::simd;
use products::{Factor, Products, load, store};

/// Bytes of a tile, at most.
const TILE_LEN_BYTES: usize = 32 << 10;
/// Units of a tile, at most: of the shortest.
const TILE: usize = TILE_LEN_BYTES / (4 * 32);
/// Layers of a tile, at most; one more within units.
const LAYERS: usize = 9;

/// From the bytes of four elements to four bytes for each plane, and back.
const SORTED: [u8; 16] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];

/// Four planes.
type Unit<const N: usize> = [[u8; N]; 4];

/// The twiddles of a code, and the shape.
pub(crate) struct Kernel<P: Products<N>, const N: usize> {
    witness: P,
    log2_columns: usize,
    /// K: the factor of step (j, b) is at place j K + b.
    log2_points: usize,
    steps: Vec<P::Factor>,
}

/// A tile under way: units of one position after the other.
#[repr(C, align(64))]
struct Tile<const N: usize>([MaybeUninit<Unit<N>>; TILE]);

/// The factors of layers low, low + 1, … of a tile at the first row.
type Base<P, const N: usize> = [<P as Products<N>>::Factor; LAYERS];

impl<P: Products<N>, const N: usize> Kernel<P, N> {
    /// Units of a tile, at most.
    const UNITS: usize = TILE_LEN_BYTES / (4 * N);

    /// Whether rows of 2^`log2_columns` elements, `log2_len` of them all, are whole units or halves of units.
    pub(super) fn takes(encoder: &Encoder<'_, Gf32>) -> bool {
        let unit = N.ilog2() as usize;
        encoder.log2_columns + 1 >= unit && encoder.log2_message + encoder.log2_columns >= unit
    }

    /// For matrices that it [`takes`](Self::takes).
    pub(super) fn new(witness: P, encoder: &Encoder<'_, Gf32>) -> Self {
        assert!(Self::takes(encoder), "units of at most two rows");
        let Encoder { basis, log2_message, log2_columns, .. } = *encoder;
        let steps = P::Factor::steps(basis, log2_message);
        Self { witness, log2_columns, log2_points: basis.log2_points(), steps }
    }

    /// As [`super::Transform::group`] says.
    pub(super) fn group(&self, layers: &Layers<'_, Gf32>, rows: &mut [&mut [Gf32]]) {
        self.witness.enter(Group { kernel: self, layers, rows });
    }

    /// As [`super::Transform::block`] says.
    pub(super) fn block(&self, layers: &Layers<'_, Gf32>, rows: &mut [Gf32]) {
        self.witness.enter(Block { kernel: self, layers, rows });
    }

    /// The factors of layers `low`, `low` + 1, … for so many positions.
    #[inline(always)]
    fn base(&self, layers: &Layers<'_, Gf32>, low: usize, positions: usize) -> Base<P, N> {
        let mut base = [P::Factor::ZERO; LAYERS];
        for (t, base) in base[..positions.ilog2() as usize].iter_mut().enumerate() {
            *base = self.twiddle(low + t, layers.start);
        }
        base
    }

    /// The factor of layer j of the code in the block that has domain point `point`.
    #[inline(always)]
    fn twiddle(&self, j: usize, point: usize) -> P::Factor {
        let mut factor = P::Factor::ZERO;
        let mut bits = point >> (j + 1) << (j + 1);
        while bits != 0 {
            factor.add(&self.steps[j * self.log2_points + bits.trailing_zeros() as usize]);
            bits &= bits - 1;
        }
        factor
    }

    /// Units of a row: of the message, `before` elements after the first one's beginning, or, as planes, of `row`.
    #[inline(always)]
    fn read(
        &self,
        source: Option<&Source<'_, Gf32>>,
        before: usize,
        row: &[Gf32],
        units: &mut [MaybeUninit<Unit<N>>],
    ) {
        let Some(Source { message, scales, first }) = source else {
            for (from, unit) in units_of(row).iter().zip(units) {
                unit.write(stored(self.witness, load(self.witness, from)));
            }
            return;
        };
        let element = (first << self.log2_columns) + before;
        let message = units_of(&message[element..][..row.len()]);
        let scales = scales.get(element >> self.log2_columns..).unwrap_or_default();
        match scales {
            [] => {
                for (from, unit) in message.iter().zip(units) {
                    unit.write(stored(self.witness, self.planes(from)));
                }
            }
            // Two rows to a unit.
            _ if self.split() => {
                assert!(scales.len() >= 2 * units.len(), "a factor for every row");
                for ((from, unit), scales) in message.iter().zip(units).zip(scales.as_chunks().0) {
                    unit.write(stored(self.witness, self.halves_scaled(scales, self.planes(from))));
                }
            }
            [scale, ..] => {
                let factor = P::Factor::of(*scale);
                for (from, unit) in message.iter().zip(units) {
                    let mut product = [self.witness.splat(&[0; 16]); 4];
                    self.witness.multiply_add(&factor, &mut product, &self.planes(from));
                    unit.write(stored(self.witness, product));
                }
            }
        }
    }

    /// Elements of a position in a tile: two units, which share what their factor takes to load, if there are, and the
    /// tile has room.
    #[inline(always)]
    fn width(len: usize, positions: usize) -> usize {
        assert!((1..=Self::UNITS).contains(&positions) && positions.ilog2() as usize <= LAYERS, "a tile");
        let width = len.min(N * 2.min(Self::UNITS / positions));
        assert!(len.is_multiple_of(width) && width.is_multiple_of(N), "equal runs of units");
        width
    }

    /// Whether a row is half a unit.
    #[inline(always)]
    fn split(&self) -> bool {
        1 << self.log2_columns < N
    }

    /// The layers of a tile of positions of `width` units, from the uppermost down to layer `low` of the code.
    ///
    /// As one function for groups and blocks it compiled faster, and commitments took 2 to 3 % longer (AVX-512 without
    /// GFNI, Zen 4).
    #[inline(always)]
    fn all_layers(&self, base: &Base<P, N>, units: &mut [Unit<N>], low: usize, width: usize) {
        let layers = (units.len() / width).ilog2() as usize;
        for t in (0..layers).rev() {
            self.layer(low + t, width << t, &base[t], units);
        }
    }

    /// Layer j of the code, whose pairs lie `distance` units apart; `base` is the factor of the first block.
    #[inline(always)]
    fn layer(&self, j: usize, distance: usize, base: &P::Factor, units: &mut [Unit<N>]) {
        let mut factor = *base;
        let blocks = units.len() / (2 * distance);
        let (mut block, mut turn) = (0usize, 0usize);
        loop {
            let (u, w) = units[block * 2 * distance..][..2 * distance].split_at_mut(distance);
            if distance == 1 {
                self.witness.butterfly(&factor, &mut u[0], &mut w[0]);
            }
            for (u, w) in u.as_chunks_mut().0.iter_mut().zip(w.as_chunks_mut().0) {
                self.witness.two_butterflies(&factor, u, w);
            }
            turn += 1;
            if turn == blocks {
                break;
            }
            let bit = turn.trailing_zeros() as usize;
            block ^= 1 << bit;
            factor.add(&self.steps[j * self.log2_points + j + 1 + bit]);
        }
    }

    /// Layer 0 between the two rows of every unit, the first of which is domain point `start`.
    #[inline(always)]
    fn within(&self, start: usize, units: &mut [Unit<N>]) {
        let (witness, zero) = (self.witness, self.witness.splat(&[0; 16]));
        let mut factor = self.twiddle(0, start);
        let (mut place, mut turn) = (0usize, 0usize);
        loop {
            let mut u = load(witness, &units[place]);
            let mut w = u;
            for plane in &mut w {
                *plane = witness.exchange(*plane, zero)[1];
            }
            witness.multiply_add(&factor, &mut u, &w);
            for plane in &mut u {
                *plane = witness.xor(*plane, witness.exchange(zero, *plane)[0]);
            }
            store(witness, &mut units[place], u);
            turn += 1;
            if turn == units.len() {
                break;
            }
            let bit = turn.trailing_zeros() as usize;
            place ^= 1 << bit;
            factor.add(&self.steps[1 + bit]);
        }
    }

    /// The two rows of a unit, each times its own public constant.
    #[inline(always)]
    fn halves_scaled(&self, factors: &[Gf32; 2], planes: [P::Vector; 4]) -> [P::Vector; 4] {
        let (witness, zero) = (self.witness, self.witness.splat(&[0; 16]));
        let (mut first, mut second) = (planes, planes);
        let mut i = 0;
        while i < 4 {
            first[i] = witness.exchange(planes[i], zero)[0];
            second[i] = witness.xor(planes[i], first[i]);
            i += 1;
        }
        let mut product = [zero; 4];
        witness.multiply_add(&P::Factor::of(factors[0]), &mut product, &first);
        witness.multiply_add(&P::Factor::of(factors[1]), &mut product, &second);
        product
    }

    /// Elements, turned into planes: the bytes of four elements are sorted, and four by four words transposed. Two rows
    /// come into the two halves of a unit first.
    #[inline(always)]
    fn planes(&self, elements: &Unit<N>) -> [P::Vector; 4] {
        let witness = self.witness;
        let order = witness.splat(&SORTED);
        let [mut a, mut b, mut c, mut d] = load(witness, elements);
        if self.split() {
            ([a, b], [c, d]) = (witness.exchange(a, c), witness.exchange(b, d));
        }
        witness.transpose4([
            witness.lookup(a, order),
            witness.lookup(b, order),
            witness.lookup(c, order),
            witness.lookup(d, order),
        ])
    }

    /// Planes, turned back into elements.
    #[inline(always)]
    fn write_elements(&self, units: &[Unit<N>], row: &mut [Gf32]) {
        let witness = self.witness;
        let order = witness.splat(&SORTED);
        for (row, unit) in units_of_mut(row).iter_mut().zip(units) {
            let [a, b, c, d] = witness.transpose4(load(witness, unit));
            let mut elements = [
                witness.lookup(a, order),
                witness.lookup(b, order),
                witness.lookup(c, order),
                witness.lookup(d, order),
            ];
            if self.split() {
                let [a, b, c, d] = elements;
                let ([a, c], [b, d]) = (witness.exchange(a, b), witness.exchange(c, d));
                elements = [a, b, c, d];
            }
            store(witness, row, elements);
        }
    }
}

/// A row as units, whatever is in them.
#[inline(always)]
fn units_of<const N: usize>(row: &[Gf32]) -> &[Unit<N>] {
    bytes(row).as_chunks().0.as_chunks().0
}

#[inline(always)]
fn units_of_mut<const N: usize>(row: &mut [Gf32]) -> &mut [Unit<N>] {
    bytes_mut(row).as_chunks_mut().0.as_chunks_mut().0
}

/// A unit with these planes.
#[inline(always)]
fn stored<B: ByteLanes<Bytes = [u8; N]>, const N: usize>(lanes: B, planes: [B::Vector; 4]) -> Unit<N> {
    let mut unit = [[0; N]; 4];
    store(lanes, &mut unit, planes);
    unit
}

/// [`Kernel::group`], to be entered.
struct Group<'a, 'r, P: Products<N>, const N: usize> {
    kernel: &'a Kernel<P, N>,
    layers: &'a Layers<'a, Gf32>,
    rows: &'a mut [&'r mut [Gf32]],
}

impl<P: Products<N>, const N: usize> simd::Kernel<P> for Group<'_, '_, P, N> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: P) {
        let Self { kernel, layers, rows } = self;
        let (count, len) = (rows.len(), rows[0].len());
        assert!(count == 1 << (layers.high - layers.low), "a position for every row of a tile");
        let width = Kernel::<P, N>::width(len, count);
        let base = kernel.base(layers, layers.low, count);
        let mut tile = Tile::<N>([const { MaybeUninit::uninit() }; TILE]);
        let tile = &mut tile.0[..count * width / N];
        for offset in (0..len).step_by(width) {
            for (position, units) in tile.chunks_exact_mut(width / N).enumerate() {
                let before = (position << (layers.low + kernel.log2_columns)) + offset;
                kernel.read(layers.source.as_ref(), before, &rows[position][offset..][..width], units);
            }
            // SAFETY: every unit of every position has just been written.
            let units = unsafe { &mut *(core::ptr::from_mut(tile) as *mut [Unit<N>]) };
            kernel.all_layers(&base, units, layers.low, width / N);
            for (position, units) in units.chunks_exact(width / N).enumerate() {
                let row = &mut rows[position][offset..][..width];
                for (to, unit) in units_of_mut(row).iter_mut().zip(units) {
                    store(kernel.witness, to, load(kernel.witness, unit));
                }
            }
        }
    }
}

/// [`Kernel::block`], to be entered.
struct Block<'a, P: Products<N>, const N: usize> {
    kernel: &'a Kernel<P, N>,
    layers: &'a Layers<'a, Gf32>,
    rows: &'a mut [Gf32],
}

impl<P: Products<N>, const N: usize> simd::Kernel<P> for Block<'_, P, N> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: P) {
        let Self { kernel, layers, rows } = self;
        assert!(
            rows.len() == 1 << (layers.high + kernel.log2_columns) && layers.low == 0,
            "the rows of the layers"
        );
        let distance = N.max(1 << kernel.log2_columns);
        let positions = rows.len() / distance;
        let (width, low) = (Kernel::<P, N>::width(distance, positions), usize::from(kernel.split()));
        let base = kernel.base(layers, low, positions);
        let mut tile = Tile::<N>([const { MaybeUninit::uninit() }; TILE]);
        let tile = &mut tile.0[..positions * width / N];
        for offset in (0..distance).step_by(width) {
            for (position, units) in tile.chunks_exact_mut(width / N).enumerate() {
                let before = position * distance + offset;
                kernel.read(layers.source.as_ref(), before, &rows[before..][..width], units);
            }
            // SAFETY: every unit of every position has just been written.
            let units = unsafe { &mut *(core::ptr::from_mut(tile) as *mut [Unit<N>]) };
            kernel.all_layers(&base, units, low, width / N);
            if kernel.split() {
                kernel.within(layers.start, units);
            }
            for (position, units) in units.chunks_exact(width / N).enumerate() {
                kernel.write_elements(units, &mut rows[position * distance + offset..][..width]);
            }
        }
    }
}
