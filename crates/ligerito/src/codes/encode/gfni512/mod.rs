//! GF(2^32) with AVX-512 and GFNI: 64 elements at a time, products as bit matrices.
//!
//! A *unit* is 64 consecutive elements, held as four *planes*: plane i has byte i of every element. A product with a
//! constant is sixteen affine instructions, one for each 8 x 8 block of the constant's matrix, and no reduction. Units
//! are turned into planes where a row is first read and back where it is last written; between passes they lie in
//! memory as planes, in the place of their elements.
//!
//! A *tile* of up to 128 units goes through its layers in a workspace in the first-level cache, two layers at a time
//! (the four units of a quad fill half of the registers, and their twelve products need no more loads than affine
//! instructions). The first step reads from where the rows come from and the last writes to where they go, so strides
//! and alignment matter only there. The matrices of twiddles follow from one another by adding one step matrix, since
//! the blocks of a layer are visited in the order of a Gray code.
//!
//! With fewer than 64 columns a unit has two or four rows; the layers between them are done in the registers before a
//! unit is written out.
#![allow(unsafe_code, reason = "intrinsics, on the strength of a witness, and rows by pointer")]
#![allow(
    clippy::needless_range_loop,
    reason = "planes are registers, named by their place in several arrays"
)]

mod tile;
mod unit;

use super::matrices::{self, Matrix};
use super::{Encoder, Layers, Source};
use crate::binary::Gf32;
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use phalanx_core::memory::StridedRuns;
use phalanx_core::simd::Gfni512;
use tile::{PITCH, Rows, STRETCH, TILE, Tile, UNIT, Workspace};
use unit::Unit;

/// Of messages from this length on, the encoded rows do not stay in the caches until they are needed again: the matrix
/// is twice as long, or more.
const STREAMED_LEN_BYTES: usize = 16 << 20;

/// What a streamed register wants to be aligned to.
#[repr(align(64))]
struct Line(#[allow(dead_code, reason = "its alignment is wanted")] [u8; 64]);

/// The twiddles of a code, and the shape.
pub(crate) struct Kernel {
    witness: Gfni512,
    log2_columns: usize,
    /// K: step matrix (j, b) is at place j K + b.
    log2_points: usize,
    steps: Vec<Matrix>,
}

impl Kernel {
    /// For matrices of at least 16 columns and 64 elements.
    pub(super) fn new(witness: Gfni512, encoder: &Encoder<'_, Gf32>) -> Self {
        let Encoder { basis, log2_message, log2_columns, .. } = *encoder;
        assert!(log2_columns >= 4 && log2_message + log2_columns >= 6, "units of at most four rows");
        let steps = matrices::steps(basis, log2_message);
        Self { witness, log2_columns, log2_points: basis.log2_points(), steps }
    }

    /// As [`super::Transform::group`] says.
    pub(super) fn group(&self, layers: &Layers<'_, Gf32>, rows: &mut [&mut [Gf32]]) {
        let (count, len) = (rows.len(), rows[0].len());
        assert!(
            count == 1 << (layers.high - layers.low) && count <= TILE,
            "a position for every row of a tile"
        );
        assert!(len.is_multiple_of(UNIT) && rows.iter().all(|run| run.len() == len), "equal runs of units");
        assert!((1 << (layers.low + self.log2_columns)) >= len, "positions lie a run apart");
        let mut to = [core::ptr::null_mut(); TILE];
        for (to, run) in to.iter_mut().zip(rows) {
            *to = run.as_mut_ptr();
        }
        let distance = 1 << (layers.low + self.log2_columns);
        self.tiles(layers, layers.low, count, &to, distance, len / UNIT, false);
    }

    /// As [`super::Transform::first_groups`] says.
    ///
    /// Stretches of the message's runs are turned into planes first, in a buffer from which every coset takes them. The
    /// runs lie at a power of two from each other, so that caches find places for few of their lines; in the buffer
    /// they have places of their own.
    pub(super) fn first_groups(
        &self,
        layers: &Layers<'_, Gf32>,
        mut cosets: Vec<(usize, StridedRuns<'_, Gf32>)>,
    ) {
        let source = &layers.source.expect("the first work has a source");
        let (count, len) = (1 << (layers.high - layers.low), cosets[0].1.len());
        assert!(count <= TILE, "a position for every row of a tile");
        assert!(len.is_multiple_of(UNIT), "runs of units");
        assert!(cosets.iter().all(|(_, rows)| rows.count() == count && rows.len() == len), "equal runs");
        let distance = 1 << (layers.low + self.log2_columns);
        assert!(distance >= len, "positions lie a run apart");
        let (message, scales) = self.message(source, count, distance, len);
        let mut buffer: Vec<Unit> = Vec::with_capacity(count * PITCH);
        let mut planes = [core::ptr::null_mut(); TILE];
        for (position, planes) in planes[..count].iter_mut().enumerate() {
            *planes = buffer.as_mut_ptr().wrapping_add(position * PITCH).cast();
        }
        let mut workspace = MaybeUninit::uninit();
        let tile = self.tile(layers.low, count, &mut workspace);
        let streamed = size_of_val(source.message) >= STREAMED_LEN_BYTES
            && cosets.iter_mut().all(|(_, rows)| (0..count).all(|i| rows.run(i).cast::<Line>().is_aligned()));
        for first in (0..len / UNIT).step_by(STRETCH) {
            let units = first..(first + STRETCH).min(len / UNIT);
            for (place, (start, runs)) in cosets.iter_mut().enumerate() {
                let mut to = [core::ptr::null_mut(); TILE];
                for (i, to) in to[..count].iter_mut().enumerate() {
                    *to = runs.run(i).wrapping_add(first * UNIT);
                }
                let rows = Rows {
                    from: &planes,
                    to: &to,
                    scales: &[],
                    distance,
                    ahead_from: 0,
                    ahead_to: if streamed { 0 } else { UNIT },
                    first: false,
                    last: false,
                    streamed,
                };
                // SAFETY: the witness proves the instructions. In the message, position p has `len` elements from p
                // `distance` on, which nobody writes to; in the buffer, STRETCH units from p PITCH on, which are
                // written before they are read; every run has `len` elements, borrowed for this call. The workspace is
                // a local.
                unsafe {
                    if place == 0 {
                        tile.bring(
                            self.witness,
                            message,
                            distance,
                            scales,
                            units.clone(),
                            buffer.as_mut_ptr(),
                        );
                    }
                    tile.run(self.witness, *start, rows, units.len());
                }
            }
        }
        // SAFETY: the tile has written all units of all runs.
        cosets.into_iter().for_each(|(_, runs)| unsafe { runs.was_written() });
    }

    /// As [`super::Transform::block`] says.
    pub(super) fn block(&self, layers: &Layers<'_, Gf32>, rows: &mut [Gf32]) {
        assert!(
            rows.len() == 1 << (layers.high + self.log2_columns) && layers.low == 0,
            "the rows of the layers"
        );
        // Positions of a tile are rows, or units of several rows.
        let distance = UNIT.max(1 << self.log2_columns);
        let count = rows.len() / distance;
        assert!((1..=TILE).contains(&count), "a tile");
        let mut to = [core::ptr::null_mut(); TILE];
        for (to, row) in to.iter_mut().zip(rows.chunks_exact_mut(distance)) {
            *to = row.as_mut_ptr();
        }
        let low = 6usize.saturating_sub(self.log2_columns);
        self.tiles(layers, low, count, &to, distance, distance / UNIT, true);
    }

    /// Tiles of `count` positions, one for each of the `units` units that every position has from its pointer in `to`
    /// on. In the message, positions lie `distance` elements apart. Layer 0 of a tile is the code's layer `low`.
    #[allow(
        clippy::too_many_arguments,
        reason = "what differs between rows at a distance and consecutive ones"
    )]
    fn tiles(
        &self,
        layers: &Layers<'_, Gf32>,
        low: usize,
        count: usize,
        to: &[*mut Gf32; TILE],
        distance: usize,
        units: usize,
        last: bool,
    ) {
        let mut from = *to;
        let mut scales: &[Gf32] = &[];
        if let Some(source) = layers.source {
            let message;
            (message, scales) = self.message(&source, count, distance, units * UNIT);
            for (position, from) in from[..count].iter_mut().enumerate() {
                *from = message.wrapping_add(position * distance).cast_mut();
            }
        }
        let mut workspace = MaybeUninit::uninit();
        let tile = self.tile(low, count, &mut workspace);
        let streamed = !last
            && layers.source.is_some_and(|source| size_of_val(source.message) >= STREAMED_LEN_BYTES)
            && to[..count].iter().all(|run| run.cast::<Line>().is_aligned());
        let first = layers.source.is_some();
        let rows = Rows {
            from: &from,
            to,
            scales,
            distance,
            ahead_from: if last { layers.ahead } else { UNIT },
            ahead_to: if first && !streamed { UNIT } else { 0 },
            first,
            last,
            streamed,
        };
        // SAFETY: the witness proves the instructions; every pointer has `units` units (that of `from` in the message,
        // which nobody writes to, or the same as in `to`, whose rows are borrowed for this call), and the workspace is
        // a local.
        unsafe { tile.run(self.witness, layers.start, rows, units) };
    }

    /// From the source's first row on: the message, which has `count` times `len` elements there, `distance` apart, and
    /// the factors of its rows, as many, or none.
    fn message<'a>(
        &self,
        source: &Source<'a, Gf32>,
        count: usize,
        distance: usize,
        len: usize,
    ) -> (*const Gf32, &'a [Gf32]) {
        let first = source.first << self.log2_columns;
        let end = first + (count - 1) * distance + len;
        assert!(source.message.len() >= end, "in the message");
        let scales = source.scales.get(source.first..).unwrap_or_default();
        assert!(source.scales.is_empty() || source.scales.len() << self.log2_columns >= end, "scales");
        (source.message[first..].as_ptr(), scales)
    }

    /// A tile of `count` positions, whose layer 0 is the code's layer `low`.
    fn tile<'a>(&'a self, low: usize, count: usize, workspace: &'a mut MaybeUninit<Workspace>) -> Tile<'a> {
        Tile {
            steps: &self.steps,
            log2_points: self.log2_points,
            log2_columns: self.log2_columns,
            low,
            layers: count.ilog2() as usize,
            workspace: workspace.as_mut_ptr(),
        }
    }
}
