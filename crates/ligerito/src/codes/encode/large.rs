//! The transform over GF(2^128) or GF(2^192) on lanes, two layers at a time.
//!
//! A *quad* is four rows, or four stretches of rows, at a distance: a, b, c, d. The layer of the larger distance pairs
//! a with c and b with d, under one twiddle; the other pairs a with b and c with d, under two. Every element is loaded
//! and stored once for both.

use super::{Encoder, Layers, Source, Transform, portable};
use crate::binary::ChallengeField;
use crate::binary::lanes::{Kernel, Lanes, MAX_COUNT, run};
use crate::codes::Basis;
use alloc::vec::Vec;

impl<E: ChallengeField> Transform for E {
    type Prepared = Steps<E>;

    fn prepare(encoder: &Encoder<'_, Self>) -> Steps<E> {
        Steps::new(encoder.basis)
    }

    fn group(
        encoder: &Encoder<'_, Self>,
        steps: &Steps<E>,
        layers: &Layers<'_, Self>,
        rows: &mut [&mut [Self]],
    ) {
        let work = Group { encoder, steps, layers, rows };
        if let Err(work) = run(encoder.isa, work) {
            portable::group(encoder, layers, work.rows);
        }
    }

    fn block(encoder: &Encoder<'_, Self>, steps: &Steps<E>, layers: &Layers<'_, Self>, rows: &mut [Self]) {
        if 1 << encoder.log2_columns < MAX_COUNT {
            return portable::block(encoder, layers, rows);
        }
        let work = Block { encoder, steps, layers, rows };
        if let Err(work) = run(encoder.isa, work) {
            portable::block(encoder, layers, work.rows);
        }
    }
}

/// How twiddles change from block to block: the first points of blocks i and i + 1 of layer j differ in the bits j + 1
/// to j + 1 + b, where b is the number of zeros at the end of i + 1, and h_j is linear.
pub(crate) struct Steps<E> {
    /// Of h_j, at place j K + b: the sum of h_j(2^i) for i from j + 1 to j + 1 + b, as long as there are such points.
    sums: Vec<E>,
    /// K.
    log2_points: usize,
}

impl<E: ChallengeField> Steps<E> {
    fn new(basis: &Basis<E>) -> Self {
        let log2_points = basis.log2_points();
        let mut sums = Vec::with_capacity(log2_points * log2_points);
        for j in 0..log2_points {
            let mut sum = E::ZERO;
            for b in 0..log2_points {
                if let Some(value) = basis.row(j).get(j + 1 + b) {
                    sum += *value;
                }
                sums.push(sum);
            }
        }
        Self { sums, log2_points }
    }

    /// From the twiddle of block i of layer j to that of block i + 1 = `next`.
    #[inline(always)]
    fn step(&self, j: usize, next: usize) -> E {
        self.sums[j * self.log2_points + next.trailing_zeros() as usize]
    }
}

/// The elements of a tile at most: 32 KiB of GF(2^128), which the first-level cache holds.
const TILE_LEN: usize = 2048;

/// Runs that any first-level cache has places for, whatever their distance.
const FEW_RUNS: usize = 8;

/// Some layers of rows at a distance, as [`Transform::group`] says.
///
/// The runs lie at a power of two from each other, so that caches find places for few of them at a time: stretches of
/// more are taken into a tile, and put back when their layers are done.
struct Group<'a, 'r, E> {
    encoder: &'a Encoder<'a, E>,
    steps: &'a Steps<E>,
    layers: &'a Layers<'a, E>,
    rows: &'a mut [&'r mut [E]],
}

impl<E: ChallengeField> Kernel for Group<'_, '_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        let Self { encoder, steps, layers, rows } = self;
        let Layers { high, low, source, .. } = *layers;
        let run_len = rows[0].len();
        if rows.len() <= FEW_RUNS {
            let mut run = 0;
            while run < rows.len() {
                if let Some(source) = source {
                    read(lanes, encoder, &source, run << low, 0, rows[run]);
                }
                run += 1;
            }
            return lanes.enter(LayersOf { encoder, steps, layers, rows: Rows::Runs(rows) });
        }
        // A power of two, of as many bytes.
        let tile_len = if E::LEN_BYTES > 16 { TILE_LEN / 2 } else { TILE_LEN };
        let width = (tile_len >> (high - low)).clamp(MAX_COUNT, run_len);
        let mut tile = [E::ZERO; TILE_LEN];
        let tile = &mut tile[..width << (high - low)];
        let mut column = 0;
        while column < run_len {
            let mut run = 0;
            while run < rows.len() {
                let to = &mut tile[run * width..][..width];
                match source {
                    Some(source) => read(lanes, encoder, &source, run << low, column, to),
                    None => copy(lanes, &rows[run][column..], to),
                }
                run += 1;
            }
            let stretch = Rows::InOne { elements: tile, log2_width: width.ilog2() as usize };
            lanes.enter(LayersOf { encoder, steps, layers, rows: stretch });
            let mut run = 0;
            while run < rows.len() {
                copy(lanes, &tile[run * width..], &mut rows[run][column..][..width]);
                run += 1;
            }
            column += width;
        }
    }
}

/// All layers of consecutive rows, as [`Transform::block`] says.
struct Block<'a, E> {
    encoder: &'a Encoder<'a, E>,
    steps: &'a Steps<E>,
    layers: &'a Layers<'a, E>,
    rows: &'a mut [E],
}

impl<E: ChallengeField> Kernel for Block<'_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        let Self { encoder, steps, layers, rows } = self;
        if let Some(source) = layers.source {
            read(lanes, encoder, &source, 0, 0, rows);
        }
        let rows = Rows::InOne { elements: rows, log2_width: encoder.log2_columns };
        lanes.enter(LayersOf { encoder, steps, layers, rows });
    }
}

/// 2^(`high` - `low`) rows, 2^`low` apart, or runs of such rows.
enum Rows<'a, 'r, E> {
    /// 2^`log2_width` elements of each, one row after the other.
    InOne { elements: &'a mut [E], log2_width: usize },
    /// Where they lie.
    Runs(&'a mut [&'r mut [E]]),
}

impl<E> Rows<'_, '_, E> {
    /// How many of `distance` rows from one on are one stretch.
    #[inline(always)]
    fn of_a_stretch(&self, distance: usize) -> usize {
        if let Self::InOne { .. } = self { distance } else { 1 }
    }

    /// The stretch from row `first` on, and that `distance` rows on.
    #[inline(always)]
    fn two(&mut self, first: usize, distance: usize) -> [&mut [E]; 2] {
        match self {
            Self::InOne { elements, log2_width } => {
                let len = distance << *log2_width;
                let (a, rest) = elements[first << *log2_width..].split_at_mut(len);
                [a, &mut rest[..len]]
            }
            Self::Runs(runs) => {
                let (a, rest) = runs[first..].split_at_mut(distance);
                [a[0], rest[0]]
            }
        }
    }

    /// The same of four, at one distance from each other.
    #[inline(always)]
    fn four(&mut self, first: usize, distance: usize) -> [&mut [E]; 4] {
        match self {
            Self::InOne { elements, log2_width } => {
                let len = distance << *log2_width;
                let (a, rest) = elements[first << *log2_width..].split_at_mut(len);
                let (b, rest) = rest.split_at_mut(len);
                let (c, rest) = rest.split_at_mut(len);
                [a, b, c, &mut rest[..len]]
            }
            Self::Runs(runs) => {
                let (a, rest) = runs[first..].split_at_mut(distance);
                let (b, rest) = rest.split_at_mut(distance);
                let (c, rest) = rest.split_at_mut(distance);
                [a[0], b[0], c[0], rest[0]]
            }
        }
    }
}

/// The layers on rows that are here: one function for all that do it, for it is the longest.
struct LayersOf<'a, 'r, E> {
    encoder: &'a Encoder<'a, E>,
    steps: &'a Steps<E>,
    layers: &'a Layers<'a, E>,
    rows: Rows<'a, 'r, E>,
}

impl<E: ChallengeField> Kernel for LayersOf<'_, '_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        let Self { encoder, steps, layers, mut rows } = self;
        let Layers { mut high, low, start, .. } = *layers;
        let count = 1 << (high - low);
        while high >= low + 2 {
            let quarter = 1 << (high - 2 - low);
            let of_a_stretch = rows.of_a_stretch(quarter);
            let mut twiddles = Twiddles::new(encoder.basis, high, start);
            let mut first = 0;
            while first < count {
                let quad = twiddles.constants(lanes);
                let mut row = first;
                while row < first + quarter {
                    let [a, b, c, d] = rows.four(row, quarter);
                    butterflies4(lanes, &quad, a, b, c, d);
                    row += of_a_stretch;
                }
                first += 4 * quarter;
                twiddles.advance(steps, first / (4 * quarter));
            }
            high -= 2;
        }
        if high > low {
            let mut twiddle = encoder.basis.at(low, start);
            let mut first = 0;
            while first < count {
                let [u, w] = rows.two(first, 1);
                butterflies2(lanes, lanes.constant(&twiddle), u, w);
                first += 2;
                twiddle += steps.step(low, first / 2);
            }
        }
    }
}

/// Elements of the message, scaled: from element `column` of row `before`, counted from the source's first, on.
#[inline(always)]
fn read<E: ChallengeField, L: Lanes<E>>(
    lanes: L,
    encoder: &Encoder<'_, E>,
    source: &Source<'_, E>,
    before: usize,
    column: usize,
    out: &mut [E],
) {
    let first = ((source.first + before) << encoder.log2_columns) + column;
    let message = &source.message[first..][..out.len()];
    copy(lanes, message, out);
    if source.scales.is_empty() {
        return;
    }
    let mut i = 0;
    while i < out.len() {
        let row = (first + i) >> encoder.log2_columns;
        if encoder.log2_columns < MAX_COUNT.ilog2() as usize {
            out[i] *= source.scales[row];
            i += 1;
        } else {
            let scaled = lanes.multiply(lanes.load(&out[i..]), lanes.constant(&source.scales[row]));
            lanes.store(scaled, &mut out[i..]);
            i += L::COUNT;
        }
    }
}

/// Fills `to` from the start of `from`.
#[inline(always)]
fn copy<E: ChallengeField, L: Lanes<E>>(lanes: L, from: &[E], to: &mut [E]) {
    let mut i = 0;
    while i < to.len() {
        lanes.store(lanes.load(&from[i..]), &mut to[i..]);
        i += L::COUNT;
    }
}

/// The twiddles of two layers, `high` - 1 and `high` - 2, in a block of 2^`high` rows.
struct Twiddles<E> {
    /// The layer of the larger distance.
    far: usize,
    /// h_far at the first point of the block.
    wide: E,
    /// h_(far - 1) there.
    narrow: E,
    /// What h_(far - 1) adds in the middle of any block.
    middle: E,
}

impl<E: ChallengeField> Twiddles<E> {
    #[inline(always)]
    fn new(basis: &Basis<E>, high: usize, start: usize) -> Self {
        let far = high - 1;
        Self {
            far,
            wide: basis.at(far, start),
            narrow: basis.at(far - 1, start),
            middle: basis.row(far - 1)[far],
        }
    }

    /// On to block `next`.
    #[inline(always)]
    fn advance(&mut self, steps: &Steps<E>, next: usize) {
        self.wide += steps.step(self.far, next);
        // Blocks of two layers: the first of the differing bits is one higher.
        self.narrow += steps.step(self.far - 1, 2 * next) + self.middle;
    }

    #[inline(always)]
    fn constants<L: Lanes<E>>(&self, lanes: L) -> Quad<L::Constant> {
        Quad {
            wide: lanes.constant(&self.wide),
            first: lanes.constant(&self.narrow),
            second: lanes.constant(&(self.narrow + self.middle)),
        }
    }
}

/// The twiddles of a quad: of (a, c) and (b, d), of (a, b), of (c, d).
#[derive(Clone, Copy)]
struct Quad<C> {
    wide: C,
    first: C,
    second: C,
}

/// Two layers on four stretches of one length, a multiple of the lanes.
#[inline(always)]
fn butterflies4<E: ChallengeField, L: Lanes<E>>(
    lanes: L,
    quad: &Quad<L::Constant>,
    a: &mut [E],
    b: &mut [E],
    c: &mut [E],
    d: &mut [E],
) {
    // One length for the compiler, too: no place is asked for twice.
    let (b, c, d) = (&mut b[..a.len()], &mut c[..a.len()], &mut d[..a.len()]);
    let mut i = 0;
    while i + 2 * L::COUNT <= a.len() {
        // Two columns at a time: in the order of the program they would wait for each other's long chains (Zen 5: 0.53
        // instead of 0.62 ns a butterfly).
        let j = i + L::COUNT;
        let (a0, c0) = butterfly(lanes, quad.wide, lanes.load(&a[i..]), lanes.load(&c[i..]));
        let (a1, c1) = butterfly(lanes, quad.wide, lanes.load(&a[j..]), lanes.load(&c[j..]));
        let (b0, d0) = butterfly(lanes, quad.wide, lanes.load(&b[i..]), lanes.load(&d[i..]));
        let (b1, d1) = butterfly(lanes, quad.wide, lanes.load(&b[j..]), lanes.load(&d[j..]));
        let (a0, b0) = butterfly(lanes, quad.first, a0, b0);
        let (a1, b1) = butterfly(lanes, quad.first, a1, b1);
        let (c0, d0) = butterfly(lanes, quad.second, c0, d0);
        let (c1, d1) = butterfly(lanes, quad.second, c1, d1);
        lanes.store(a0, &mut a[i..]);
        lanes.store(a1, &mut a[j..]);
        lanes.store(b0, &mut b[i..]);
        lanes.store(b1, &mut b[j..]);
        lanes.store(c0, &mut c[i..]);
        lanes.store(c1, &mut c[j..]);
        lanes.store(d0, &mut d[i..]);
        lanes.store(d1, &mut d[j..]);
        i += 2 * L::COUNT;
    }
    if i < a.len() {
        let (a0, c0) = butterfly(lanes, quad.wide, lanes.load(&a[i..]), lanes.load(&c[i..]));
        let (b0, d0) = butterfly(lanes, quad.wide, lanes.load(&b[i..]), lanes.load(&d[i..]));
        let (a0, b0) = butterfly(lanes, quad.first, a0, b0);
        let (c0, d0) = butterfly(lanes, quad.second, c0, d0);
        lanes.store(a0, &mut a[i..]);
        lanes.store(b0, &mut b[i..]);
        lanes.store(c0, &mut c[i..]);
        lanes.store(d0, &mut d[i..]);
    }
}

/// One layer on two stretches of one length, a multiple of the lanes.
#[inline(always)]
fn butterflies2<E: ChallengeField, L: Lanes<E>>(lanes: L, twiddle: L::Constant, u: &mut [E], w: &mut [E]) {
    let w = &mut w[..u.len()];
    let mut i = 0;
    while i < u.len() {
        let (u0, w0) = butterfly(lanes, twiddle, lanes.load(&u[i..]), lanes.load(&w[i..]));
        lanes.store(u0, &mut u[i..]);
        lanes.store(w0, &mut w[i..]);
        i += L::COUNT;
    }
}

/// u + l w, and w plus that.
#[inline(always)]
fn butterfly<E, L: Lanes<E>>(
    lanes: L,
    twiddle: L::Constant,
    u: L::Vector,
    w: L::Vector,
) -> (L::Vector, L::Vector) {
    let u = lanes.multiply_add(w, twiddle, u);
    (u, lanes.add(w, u))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::{Gf128, Gf192};
    use crate::codes::encode::tests::elements;
    use crate::codes::scales;
    use phalanx_testing::Random;

    /// Groups of up to seven layers, on runs of any length, from the message or in place.
    fn groups_agree<E: ChallengeField>() {
        let mut random = Random::from_seed(6);
        for (layers, log2_columns, rows) in
            [(7, 4, 1), (7, 2, 2), (5, 3, 4), (4, 0, 4), (3, 4, 8), (2, 2, 16), (1, 3, 1)]
        {
            let low = usize::ilog2(rows) as usize + 2;
            let (high, run_len) = (low + layers, rows << log2_columns);
            let basis = Basis::new(u32::try_from(high + 3).expect("small"));
            let message = elements::<E>(&mut random, 1 << (high + 1 + log2_columns));
            let scales = scales(&basis, 0, high + 1);
            for (isa, scales) in phalanx_testing::isas().flat_map(|isa| [(isa, &[][..]), (isa, &scales[..])])
            {
                let encoder = Encoder { isa, basis: &basis, log2_message: high + 1, log2_columns };
                // The second half of the message, in the third coset, and runs in the second place of their stride.
                let first = (1 << high) + rows;
                let source = Source { message: &message, scales, first };
                let start = (2 << (high + 1)) + first;
                for source in [None, Some(source)] {
                    let layers = Layers { high, low, start, source, ahead: 0 };
                    let mut expected = elements::<E>(&mut random, run_len << (high - low));
                    let mut got = expected.clone();
                    let mut runs: Vec<_> = expected.chunks_exact_mut(run_len).collect();
                    portable::group(&encoder, &layers, &mut runs);
                    let mut runs: Vec<_> = got.chunks_exact_mut(run_len).collect();
                    E::group(&encoder, &E::prepare(&encoder), &layers, &mut runs);
                    assert_eq!(got, expected, "{} {high} {low} {run_len}", isa.backend().name());
                }
            }
        }
    }

    #[test]
    fn groups_agree_with_portable() {
        groups_agree::<Gf128>();
        groups_agree::<Gf192>();
    }
}
