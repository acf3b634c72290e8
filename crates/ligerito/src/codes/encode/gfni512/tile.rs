//! The layers of a tile.
//!
//! Rows come and go by pointer: the units of a tile lie at a distance and belong to as many slices, and what is written
//! may be memory that was never written. Why that is sound (docs/unsafe.md, section 5, has it with what would notice a
//! mistake):
//!
//! *Bounds.* [`Rows`] has 2^`layers` pointers that count, with as many units behind each as [`Tile::run`] is told.
//! Every loop over positions is bounded by `layers`, so no other pointer is followed; the rest are null. The caller in
//! `mod.rs` asserts that there are 2^`layers` runs, at most [`TILE`], all equally long and whole units, and that the
//! message reaches to the end of the last one. The workspace has a place for [`TILE`] units and eight layers, and there
//! are at most seven. Step matrices are taken by indexing, which checks. Prefetches alone may be given any address;
//! their pointers are made by wrapping.
//!
//! *Aliasing.* What `to` points to is disjoint: distinct mutable slices, or the runs of a `StridedRuns`. `from` is the
//! message or the buffer of planes, which nobody writes to meanwhile, or the same places as `to`. The latter is sound
//! because of the order in [`Tile::unit`]: a unit of every position is read into the workspace by the first step, every
//! step but the last works there, and only the last writes to `to`. Nothing is read at this distance again.
//!
//! *Uninitialised memory.* The workspace, the buffer of planes and the rows of the first work begin uninitialised, and
//! are reached through raw pointers only. [`Tile::bases`] writes the matrices of all layers before the first unit; the
//! first step of a unit writes positions 0 to 2^`layers` - 1 of the workspace; [`Tile::bring`] writes the units of the
//! buffer that the runs after it read. The last step writes every unit of every position, which is what lets `mod.rs`
//! say that the rows were written.
//!
//! *Alignment and order.* Rows are read and written by unaligned instructions. The workspace and the matrices are
//! aligned by their types; streamed rows are, because `mod.rs` looks at every pointer before it asks for streaming.
//! Streamed stores are outside of the usual order of memory, so [`Tile::run`] ends with a fence.

use super::Matrix;
use super::unit::{
    Unit, add, in_memory, load, matrix, multiply_add, multiply_add_two, store, stored, stream,
};
use crate::binary::Gf32;
use core::arch::x86_64::*;
use core::ops::Range;
use phalanx_core::simd::Gfni512;

/// Elements of a unit.
pub(super) const UNIT: usize = 64;
/// Units of a tile, at most.
pub(super) const TILE: usize = 128;
/// Units of a run that are brought at a time, for several cosets: 256 KiB for a whole tile.
pub(super) const STRETCH: usize = 8;
/// From position to position in the buffer for them, in units: not a power of two.
pub(super) const PITCH: usize = STRETCH + 1;

/// What a tile needs beside its rows.
#[repr(C, align(64))]
pub(super) struct Workspace {
    units: [Unit; TILE],
    /// The matrices of every layer at the first row.
    base: [Matrix; 8],
    /// Those of a quad: upper layer, and lower layer in the upper and in the lower pair.
    quad: [Matrix; 3],
}

/// Where the rows come from and go to.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) from: &'a [*mut Gf32; TILE],
    pub(super) to: &'a [*mut Gf32; TILE],
    /// Factors of the rows from the first on, or nothing.
    pub(super) scales: &'a [Gf32],
    /// From position to position, in elements of the message.
    pub(super) distance: usize,
    /// From a unit that is read to one that is likely to be read later, in elements, or 0; and the same for writing.
    pub(super) ahead_from: usize,
    pub(super) ahead_to: usize,
    /// Whether they come as elements.
    pub(super) first: bool,
    /// Whether they go as elements, through with all layers.
    pub(super) last: bool,
    /// Whether they go past the caches. Pointers of `to` are then multiples of 64, and the rows do not go as elements.
    pub(super) streamed: bool,
}

/// The shape of a tile.
pub(super) struct Tile<'a> {
    pub(super) steps: &'a [Matrix],
    pub(super) log2_points: usize,
    pub(super) log2_columns: usize,
    /// The code's layer that is layer 0 here.
    pub(super) low: usize,
    /// Layers: 2^layers positions.
    pub(super) layers: usize,
    pub(super) workspace: *mut Workspace,
}

/// Where unit p lies.
trait Place: Copy {
    /// Whether what is written goes past the caches.
    const STREAMED: bool = false;

    fn at(self, position: usize) -> *mut __m512i;
}

#[derive(Clone, Copy)]
struct Local(*mut Unit);

impl Place for Local {
    #[inline(always)]
    fn at(self, position: usize) -> *mut __m512i {
        self.0.wrapping_add(position).cast()
    }
}

/// A unit of each row.
#[derive(Clone, Copy)]
struct Far<'a>(&'a [*mut Gf32; TILE], usize);

impl Place for Far<'_> {
    #[inline(always)]
    fn at(self, position: usize) -> *mut __m512i {
        self.0[position % TILE].wrapping_add(self.1).cast()
    }
}

/// The same, written past the caches: what does not fit in them is not read to be overwritten.
#[derive(Clone, Copy)]
struct Streamed<'a>(Far<'a>);

impl Place for Streamed<'_> {
    const STREAMED: bool = true;

    #[inline(always)]
    fn at(self, position: usize) -> *mut __m512i {
        self.0.at(position)
    }
}

/// What is asked for ahead of its time, while other units are worked on.
trait Ahead: Copy {
    fn ask(self, quad: usize);
}

/// Nothing.
impl Ahead for () {
    #[inline(always)]
    fn ask(self, _: usize) {}
}

/// The next unit of each row, into the second-level cache: the first is full of the tile.
impl Ahead for Far<'_> {
    #[inline(always)]
    fn ask(self, quad: usize) {
        for position in 0..4 {
            let unit = self.at(4 * quad + position).cast::<i8>();
            for line in 0..4 {
                // SAFETY: a prefetch may be given any address.
                unsafe { _mm_prefetch::<_MM_HINT_T1>(unit.wrapping_add(64 * line)) };
            }
        }
    }
}

/// Writes a unit.
///
/// # Safety
/// As of [`store`]; if the place is streamed, `to` is a multiple of 64.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
unsafe fn put<T: Place, const LAST: bool>(to: *mut __m512i, unit: Unit) {
    // SAFETY: as the caller says.
    unsafe { if T::STREAMED { stream(to, unit) } else { store::<LAST>(to, unit) } }
}

impl Tile<'_> {
    /// The step matrix of h_j(2^b).
    #[inline(always)]
    fn step(&self, j: usize, b: usize) -> *const __m512i {
        self.steps[j * self.log2_points + b].0.as_ptr().cast()
    }

    /// All layers, for each of `units` units of the positions. `start` is the domain point of the first row.
    ///
    /// # Safety
    /// Pointers of `rows` have so many units each, 2^layers of them; those of `to` may be written to, and no others lie
    /// in the same memory except `from` if it is the same. The workspace may be written to.
    pub(super) unsafe fn run(&self, _: Gfni512, start: usize, rows: Rows<'_>, units: usize) {
        // SAFETY: the witness proves the instructions; the caller answers for the pointers.
        unsafe {
            self.bases(start);
            for unit in 0..units {
                self.unit(start, rows, unit);
            }
            if rows.streamed {
                // Other threads may read the rows next.
                _mm_sfence();
            }
        }
    }

    /// Turns units of the message into planes, times their factors if there are some, and puts those of position p in
    /// the buffer from `p PITCH` on.
    ///
    /// # Safety
    /// `message` has these units for each of 2^layers positions, `distance` elements apart, and the buffer has so many.
    pub(super) unsafe fn bring(
        &self,
        _: Gfni512,
        message: *const Gf32,
        distance: usize,
        scales: &[Gf32],
        units: Range<usize>,
        buffer: *mut Unit,
    ) {
        // SAFETY: the witness proves the instructions; the caller answers for the pointers.
        unsafe { self.brought(message, distance, scales, units, buffer) };
    }

    /// [`bring`](Self::bring).
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    unsafe fn brought(
        &self,
        message: *const Gf32,
        distance: usize,
        scales: &[Gf32],
        units: Range<usize>,
        buffer: *mut Unit,
    ) {
        /// Positions between the one that is read and the one that is asked for.
        const AHEAD: usize = 2;
        for position in 0..1 << self.layers {
            for (place, unit) in units.clone().enumerate() {
                let element = position * distance + unit * UNIT;
                let from = message.wrapping_add(element);
                for line in 0..4 {
                    let later = from.wrapping_add(AHEAD * distance + 16 * line);
                    #[allow(unused_unsafe, reason = "a safe function from Rust 1.90 on")]
                    // SAFETY: a prefetch may be given any address.
                    unsafe {
                        _mm_prefetch::<_MM_HINT_T0>(later.cast());
                    }
                }
                // SAFETY: the caller answers for the message and for the buffer.
                unsafe {
                    let mut x = load::<true>(from.cast());
                    if !scales.is_empty() {
                        x = self.scaled(scales, element, &x);
                    }
                    store::<false>(buffer.add(position * PITCH + place).cast(), x);
                }
            }
        }
    }

    /// The matrices of every layer at the first row.
    ///
    /// # Safety
    /// The workspace may be written to.
    #[inline(never)]
    #[target_feature(enable = "avx512f")]
    unsafe fn bases(&self, start: usize) {
        for t in 0..self.layers {
            let base = self.twiddle(self.low + t, start);
            // SAFETY: the workspace is ours, and there are at most eight layers.
            unsafe { (*self.workspace).base[t] = base };
        }
    }

    /// One unit of every position.
    ///
    /// # Safety
    /// As [`run`](Self::run) says of pointers, and the bases are there.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    unsafe fn unit(&self, start: usize, rows: Rows<'_>, unit: usize) {
        let from = Far(rows.from, unit * UNIT);
        let to = Far(rows.to, unit * UNIT);
        // SAFETY: as the caller says of all pointers.
        unsafe {
            let local = Local((&raw mut (*self.workspace).units).cast());
            let mut left = self.layers;
            let split = self.log2_columns < 6 && rows.last;
            if !rows.scales.is_empty() {
                self.read_scaled(rows, unit, from, local);
                if left % 2 == 1 {
                    left -= 1;
                    self.pairs::<_, _, false>(left, local, local);
                }
            } else if left % 2 == 1 {
                left -= 1;
                if rows.first {
                    self.pairs::<_, _, true>(left, from, local);
                } else {
                    self.pairs::<_, _, false>(left, from, local);
                }
            } else if left > 2 || left == 2 && split {
                left -= 2;
                if rows.first {
                    self.quads::<_, _, _, true, false>(left, from, local, ());
                } else {
                    self.quads::<_, _, _, false, false>(left, from, local, ());
                }
            } else {
                self.read(rows.first, from, local);
            }
            let next = |pointers, ahead| (ahead > 0).then_some(Far(pointers, unit * UNIT + ahead));
            let wanted = [next(rows.from, rows.ahead_from), next(rows.to, rows.ahead_to)];
            let mut wanted = wanted.into_iter().flatten();
            while left > 2 || left == 2 && split {
                left -= 2;
                match wanted.next() {
                    Some(next) => self.quads::<_, _, _, false, false>(left, local, local, next),
                    None => self.quads::<_, _, _, false, false>(left, local, local, ()),
                }
            }
            match (left, rows.last) {
                (2, true) => self.quads::<_, _, _, false, true>(0, local, to, ()),
                (2, false) if rows.streamed => {
                    self.quads::<_, _, _, false, false>(0, local, Streamed(to), ());
                }
                (2, false) => self.quads::<_, _, _, false, false>(0, local, to, ()),
                _ => self.write(start, rows.last, split, local, to),
            }
        }
    }

    /// Layers t + 1 and t of all positions.
    ///
    /// # Safety
    /// As [`unit`](Self::unit) says; there are more layers than t + 1.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    unsafe fn quads<F: Place, T: Place, A: Ahead, const FIRST: bool, const LAST: bool>(
        &self,
        t: usize,
        from: F,
        to: T,
        ahead: A,
    ) {
        let j = self.low + t;
        let nodes = 1usize << (self.layers - 2 - t);
        let stride = 1usize << t;
        // SAFETY: positions are below 2^layers; the workspace is ours.
        unsafe {
            let quad = (&raw mut (*self.workspace).quad).cast::<__m512i>();
            let base = (&raw const (*self.workspace).base).cast::<__m512i>();
            // From the upper pair of a quad to the lower.
            let last = self.step(j, j + 1);
            let mut upper = [_mm512_load_si512(base.add(2 * t + 2)), _mm512_load_si512(base.add(2 * t + 3))];
            let mut lower = [_mm512_load_si512(base.add(2 * t)), _mm512_load_si512(base.add(2 * t + 1))];
            let (mut block, mut turn, mut count) = (0, 0, 0);
            loop {
                for half in 0..2 {
                    _mm512_store_si512(quad.add(half), upper[half]);
                    _mm512_store_si512(quad.add(2 + half), lower[half]);
                    let other = _mm512_xor_si512(lower[half], _mm512_load_si512(last.add(half)));
                    _mm512_store_si512(quad.add(4 + half), other);
                }
                let blocks = in_memory(quad);
                let first = block << (t + 2);
                for position in first..first + stride {
                    let mut a = load::<FIRST>(from.at(position));
                    let mut b = load::<FIRST>(from.at(position + stride));
                    let mut c = load::<FIRST>(from.at(position + 2 * stride));
                    let mut d = load::<FIRST>(from.at(position + 3 * stride));
                    multiply_add_two(blocks, &mut a, &mut b, &c, &d);
                    add(&mut c, &a);
                    add(&mut d, &b);
                    multiply_add(blocks.add(16), &mut a, &b);
                    add(&mut b, &a);
                    put::<T, LAST>(to.at(position), a);
                    put::<T, LAST>(to.at(position + stride), b);
                    multiply_add(blocks.add(32), &mut c, &d);
                    add(&mut d, &c);
                    put::<T, LAST>(to.at(position + 2 * stride), c);
                    put::<T, LAST>(to.at(position + 3 * stride), d);
                    ahead.ask(count);
                    count += 1;
                }
                turn += 1;
                if turn == nodes {
                    break;
                }
                let bit = turn.trailing_zeros() as usize;
                block ^= 1 << bit;
                let (up, low) = (self.step(j + 1, j + 2 + bit), self.step(j, j + 2 + bit));
                for half in 0..2 {
                    upper[half] = _mm512_xor_si512(upper[half], _mm512_load_si512(up.add(half)));
                    lower[half] = _mm512_xor_si512(lower[half], _mm512_load_si512(low.add(half)));
                }
            }
        }
    }

    /// Layer t, the tile's uppermost: one block.
    ///
    /// # Safety
    /// As [`unit`](Self::unit) says.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    unsafe fn pairs<F: Place, T: Place, const FIRST: bool>(&self, t: usize, from: F, to: T) {
        let stride = 1usize << t;
        // SAFETY: positions are below 2^layers; the workspace is ours.
        unsafe {
            let blocks = (&raw const (*self.workspace).base[t]).cast::<i64>();
            for position in 0..stride {
                let mut u = load::<FIRST>(from.at(position));
                let mut w = load::<FIRST>(from.at(position + stride));
                multiply_add(blocks, &mut u, &w);
                add(&mut w, &u);
                store::<false>(to.at(position), u);
                store::<false>(to.at(position + stride), w);
            }
        }
    }

    /// No layer: from where the rows come from into the workspace.
    ///
    /// # Safety
    /// As [`unit`](Self::unit) says.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    unsafe fn read(&self, first: bool, from: Far<'_>, to: Local) {
        for position in 0..1 << self.layers {
            // SAFETY: positions are below 2^layers.
            unsafe {
                let unit = from.at(position);
                let unit = if first { load::<true>(unit) } else { load::<false>(unit) };
                store::<false>(to.at(position), unit);
            }
        }
    }

    /// No layer: elements of the message, every row times its factor. A unit of several rows takes one product for
    /// each.
    ///
    /// # Safety
    /// As [`unit`](Self::unit) says.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    unsafe fn read_scaled(&self, rows: Rows<'_>, unit: usize, from: Far<'_>, to: Local) {
        for position in 0..1 << self.layers {
            // SAFETY: positions are below 2^layers.
            unsafe {
                let x = load::<true>(from.at(position));
                let product = self.scaled(rows.scales, position * rows.distance + unit * UNIT, &x);
                store::<false>(to.at(position), product);
            }
        }
    }

    /// A unit, whose first element is this one of those that have factors, every row times its factor.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    fn scaled(&self, scales: &[Gf32], element: usize, x: &Unit) -> Unit {
        let columns = (1usize << self.log2_columns).min(UNIT);
        let mask = u64::MAX >> (64 - columns);
        let row = element >> self.log2_columns;
        let mut product = [_mm512_setzero_si512(); 4];
        for part in 0..UNIT / columns {
            let matrix = matrix(scales[row + part]);
            let mut only = *x;
            for plane in &mut only {
                *plane = _mm512_maskz_mov_epi8(mask << (part * columns), *plane);
            }
            // SAFETY: a matrix has sixteen blocks.
            unsafe { multiply_add(matrix.0.as_ptr().cast(), &mut product, &only) };
        }
        product
    }

    /// The layers within a unit, if `split`, and from the workspace to where the rows go.
    ///
    /// # Safety
    /// As [`unit`](Self::unit) says.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    unsafe fn write(&self, start: usize, last: bool, split: bool, from: Local, to: Far<'_>) {
        for position in 0..1usize << self.layers {
            // SAFETY: positions are below 2^layers.
            unsafe {
                let mut unit = load::<false>(from.at(position));
                if split {
                    self.within(start + (position << (6 - self.log2_columns)), &mut unit);
                }
                if last {
                    store::<true>(to.at(position), unit);
                } else {
                    store::<false>(to.at(position), unit);
                }
            }
        }
    }

    /// The layers between the two or four rows of a unit, whose first row is domain point `start`: pairs of halves of
    /// the planes, then (with four rows) of quarters.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    fn within(&self, start: usize, unit: &mut Unit) {
        if self.log2_columns == 4 {
            let mut w = *unit;
            for plane in &mut w {
                *plane = _mm512_maskz_shuffle_i64x2::<0xee>(0x0f, *plane, *plane);
            }
            let halves = self.twiddle(1, start);
            // SAFETY: a matrix has sixteen blocks.
            unsafe { multiply_add(halves.0.as_ptr().cast(), unit, &w) };
            for plane in unit.iter_mut() {
                let u = _mm512_maskz_shuffle_i64x2::<0x44>(0xf0, *plane, *plane);
                *plane = _mm512_xor_si512(*plane, u);
            }
            for (w, plane) in w.iter_mut().zip(unit.iter()) {
                *w = _mm512_maskz_shuffle_i64x2::<0xf5>(0x33, *plane, *plane);
            }
            let quarters = self.twiddle(0, start);
            // SAFETY: a matrix has sixteen blocks.
            unsafe { multiply_add(quarters.0.as_ptr().cast(), unit, &w) };
            // The second pair of rows has one more bit in its point.
            for w in &mut w {
                *w = _mm512_maskz_mov_epi64(0xf0, *w);
            }
            // SAFETY: a matrix has sixteen blocks.
            unsafe { multiply_add(self.step(0, 1).cast(), unit, &w) };
            for plane in unit.iter_mut() {
                let u = _mm512_maskz_shuffle_i64x2::<0xa0>(0xcc, *plane, *plane);
                *plane = _mm512_xor_si512(*plane, u);
            }
        } else {
            let mut w = *unit;
            for plane in &mut w {
                *plane = _mm512_maskz_shuffle_i64x2::<0xee>(0x0f, *plane, *plane);
            }
            let halves = self.twiddle(0, start);
            // SAFETY: a matrix has sixteen blocks.
            unsafe { multiply_add(halves.0.as_ptr().cast(), unit, &w) };
            for plane in unit.iter_mut() {
                let u = _mm512_maskz_shuffle_i64x2::<0x44>(0xf0, *plane, *plane);
                *plane = _mm512_xor_si512(*plane, u);
            }
        }
    }

    /// The matrix of layer j of the code in the block that has domain point `point`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn twiddle(&self, j: usize, point: usize) -> Matrix {
        let mut sum = [_mm512_setzero_si512(); 2];
        let mut bits = point >> (j + 1) << (j + 1);
        while bits != 0 {
            let step = self.step(j, bits.trailing_zeros() as usize);
            // SAFETY: a matrix is two registers long.
            unsafe {
                sum[0] = _mm512_xor_si512(sum[0], _mm512_load_si512(step));
                sum[1] = _mm512_xor_si512(sum[1], _mm512_load_si512(step.add(1)));
            }
            bits &= bits - 1;
        }
        stored(sum)
    }
}
