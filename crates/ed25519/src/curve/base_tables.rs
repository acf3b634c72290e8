//! Tables of multiples of the base point B: one for each way of taking products with it, all made by one generator.
//!
//! The first call of each function computes its table. Everything here is public: variable time.

use super::constants::{BASE_POINT, D};
use super::decode::decode;
use super::point::{CoordinateRow, Niels, NielsRow, Point};
use crate::fields::p25519::Element;
use alloc::boxed::Box;
use alloc::vec::Vec;
use once_cell::race::OnceBox;

macro_rules! tables {
    ($($(#[$attribute:meta])* fn $name:ident() -> $table:ty $make:block)*) => {$(
        $(#[$attribute])*
        pub(super) fn $name() -> &'static $table {
            static TABLE: OnceBox<$table> = OnceBox::new();
            TABLE.get_or_init(|| $make)
        }
    )*};
}

tables! {
    /// B, 3B, 5B, ... and the same of 2^128 B, for non-adjacent forms of width [`NAF_WIDTH`].
    fn naf() -> [NafTable; 2] {
        boxed(parts(&multiples(&base_point(), 2, 128, Which::Odd, NAF_ENTRIES)))
    }

    /// 0 to 128 times 2^(32 j) B, for digits of radix 256 in eight parts of a scalar: 165 120 bytes.
    fn comb() -> [[CoordinateRow; 129]; 8] {
        coordinate_rows(&base_point(), 32)
    }

    /// For signing: rows of odd multiples of 2^(8 i) B, for digits of radix 16 at even positions.
    fn signing() -> [[NielsRow; SIGNING_ENTRIES]; 32] {
        let rows = multiples(&base_point(), 32, 8, Which::Odd, SIGNING_ENTRIES);
        boxed(parts(&rows.iter().map(|point| NielsRow::new(&point.canonical())).collect::<Vec<_>>()))
    }
}

#[cfg(any(test, target_arch = "x86_64"))]
tables! {
    /// Row `i` is \[i\]B: for digits of [`LANES_WIDTH`] bits, with a row for every lane.
    fn lanes() -> [NielsRow; LANES_ENTRIES] {
        let multiples = multiples(&base_point(), 1, 0, Which::All, LANES_ENTRIES - 1);
        let rows = multiples.iter().map(|point| NielsRow::new(&point.canonical()));
        boxed(core::iter::once(NielsRow::identity()).chain(rows).collect())
    }
}

#[cfg(target_arch = "x86_64")]
tables! {
    /// [`naf`] with coordinates in lanes.
    fn naf_in_lanes() -> [[LaneRow; NAF_ENTRIES]; 2] {
        let row = |entry: &Niels<Element>| {
            let Niels { y_plus_x, y_minus_x, xy2d } = entry.canonical();
            LaneRow(core::array::from_fn(|i| {
                [y_minus_x.0[i], y_plus_x.0[i], xy2d.0[i], if i == 0 { 2 } else { 0 }]
            }))
        };
        Box::new(naf().each_ref().map(|table| table.each_ref().map(row)))
    }

    /// [`naf_in_lanes`] in doubles.
    fn naf_in_doubles() -> [[LaneRow; NAF_ENTRIES]; 2] {
        #[expect(clippy::cast_precision_loss, reason = "limbs are below 2^51")]
        let row = |LaneRow(limbs): &LaneRow| LaneRow(limbs.map(|limb| limb.map(|x| (x as f64).to_bits())));
        Box::new(naf_in_lanes().each_ref().map(|table| table.each_ref().map(row)))
    }

    /// For signing in integer registers, digits of radix 32: position, entry.
    fn signing_words() -> [[WordsRow; 16]; 51] {
        let entries = multiples(&base_point(), 51, 5, Which::Odd, 16);
        boxed(parts(&entries.iter().map(WordsRow::new).collect::<Vec<_>>()))
    }

    /// For signing many in integer registers, 36 digits of radix 128 and one of radix 16: position, half word of an
    /// entry, eighth of the entries. Of the last position eight entries are looked at.
    fn signing_eights() -> [[[EightRow; 8]; 24]; 37] {
        let entries = multiples(&base_point(), 37, 7, Which::Odd, 64);
        let mut rows = alloc::vec![[[EightRow([0; 8]); 8]; 24]; 37];
        for (rows, of_position) in rows.iter_mut().zip(entries.chunks_exact(64)) {
            for (entry, niels) in of_position.iter().enumerate() {
                let words = WordsRow::new(niels).0;
                for (row, word) in rows.chunks_exact_mut(2).zip(words.as_flattened()) {
                    #[expect(clippy::cast_possible_truncation, reason = "half words")]
                    let halves = [*word as u32, (word >> 32) as u32];
                    row[0][entry / 8].0[entry % 8] = halves[0];
                    row[1][entry / 8].0[entry % 8] = halves[1];
                }
            }
        }
        boxed(rows)
    }

    /// For one signature in eight lanes, digits of radix 16: step, entry, limb. Lane l is position 8 step + l.
    fn signing_single() -> [[[LimbRow; NIELS_LIMBS]; SIGNING_ENTRIES]; 8] {
        let entries = multiples(&base_point(), 64, 4, Which::Odd, SIGNING_ENTRIES);
        let mut rows = alloc::vec![[[LimbRow([0; 8]); NIELS_LIMBS]; SIGNING_ENTRIES]; 8];
        for (position, of_position) in entries.chunks_exact(SIGNING_ENTRIES).enumerate() {
            for (entry, niels) in of_position.iter().enumerate() {
                for (row, limb) in rows[position / 8][entry].iter_mut().zip(limbs(niels)) {
                    row.0[position % 8] = limb;
                }
            }
        }
        boxed(rows)
    }

    /// For a signature in each of eight lanes, digits of radix 32: position, limb, half of the sixteen entries.
    fn signing_batch8() -> [[[LimbRow; 2]; NIELS_LIMBS]; 51] {
        let entries = multiples(&base_point(), 51, 5, Which::Odd, 16);
        let mut rows = alloc::vec![[[LimbRow([0; 8]); 2]; NIELS_LIMBS]; 51];
        for (rows, of_position) in rows.iter_mut().zip(entries.chunks_exact(16)) {
            for (entry, niels) in of_position.iter().enumerate() {
                for (row, limb) in rows.iter_mut().zip(limbs(niels)) {
                    row[entry / 8].0[entry % 8] = limb;
                }
            }
        }
        boxed(rows)
    }
}

/// The window of [`naf`]: odd digits below 2^(`NAF_WIDTH` - 1) in size.
pub(super) const NAF_WIDTH: u32 = 8;
/// One for each digit above 0.
pub(super) const NAF_ENTRIES: usize = 1 << (NAF_WIDTH - 2);
/// P, 3P, 5P, ...
pub(super) type NafTable = [Niels<Element>; NAF_ENTRIES];

/// Bits in a digit of [`lanes`]. Digits are -512 to 511, the highest is 0 to 9.
#[cfg(any(test, target_arch = "x86_64"))]
pub(super) const LANES_WIDTH: usize = 10;
#[cfg(any(test, target_arch = "x86_64"))]
const LANES_ENTRIES: usize = (1 << (LANES_WIDTH - 1)) + 1;

/// Entries for a digit of radix 16 that is odd.
pub(super) const SIGNING_ENTRIES: usize = 8;

/// The limbs of y + x, y - x and 2dxy.
#[cfg(target_arch = "x86_64")]
pub(super) const NIELS_LIMBS: usize = 15;

/// Half of y + x, y - x and 2dxy, below p, in words of 64 bits.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct WordsRow(pub(super) [[u64; 4]; 3]);

/// A point ready to be added, limb by limb with the coordinates in lanes.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct LaneRow(pub(super) CoordinateRow);

#[cfg(target_arch = "x86_64")]
impl LaneRow {
    pub(super) const ZERO: Self = Self([[0; 4]; 5]);
}

/// A half word of eight entries of a position.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct EightRow(pub(super) [u32; 8]);

/// (p + 1) / 2 = 2^254 - 9.
#[cfg(target_arch = "x86_64")]
const HALF: Element = Element([(1 << 51) - 9, (1 << 51) - 1, (1 << 51) - 1, (1 << 51) - 1, (1 << 50) - 1]);

#[cfg(target_arch = "x86_64")]
impl WordsRow {
    fn new(entry: &Niels<Element>) -> Self {
        Self([entry.y_plus_x, entry.y_minus_x, entry.xy2d].map(|element| {
            let bytes = element.mul(&HALF).to_bytes();
            core::array::from_fn(|i| u64::from_le_bytes(bytes.as_chunks().0[i]))
        }))
    }
}

/// One limb of eight elements, or of the eight entries of a position.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct LimbRow(pub(super) [u64; 8]);

fn base_point() -> Point {
    decode(&BASE_POINT).expect("B decodes").point
}

/// Which multiples a table has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    All,
    Odd,
}

/// The first `count` multiples, from 1 on, of P, 2^distance P, 2^(2 distance) P, and so on for `parts` points: with Z =
/// 1, ready to be added, by one inversion for all (Montgomery's trick).
fn multiples(
    point: &Point,
    parts: usize,
    distance: usize,
    which: Which,
    count: usize,
) -> Vec<Niels<Element>> {
    let mut points = Vec::with_capacity(parts * count);
    // products[i] = Z_0 Z_1 ... Z_{i-1}.
    let mut products = Vec::with_capacity(parts * count);
    let (mut first, mut product) = (*point, Element::ONE);
    for part in 0..parts {
        if part > 0 {
            first = first.times_power_of_2(distance);
        }
        let step = if which == Which::Odd { first.double() } else { first };
        let mut multiple = first;
        for _ in 0..count {
            products.push(product);
            product = product.mul(&multiple.z);
            points.push(multiple);
            multiple = multiple.add(&step);
        }
    }
    let (mut inverse, d2) = (product.invert_vartime(), D.add(&D));
    let mut multiples = Vec::with_capacity(points.len());
    for (point, before) in points.iter().zip(&products).rev() {
        let one_over_z = inverse.mul(before);
        inverse = inverse.mul(&point.z);
        let (x, y) = (point.x.mul(&one_over_z), point.y.mul(&one_over_z));
        multiples.push(Niels { y_plus_x: y.add(&x), y_minus_x: y.sub(&x), xy2d: x.mul(&y).mul(&d2) });
    }
    multiples.reverse();
    multiples
}

/// Multiples 0 to `ENTRIES` - 1 of 2^(distance j) P, j below `PARTS`.
pub(super) fn coordinate_rows<const ENTRIES: usize, const PARTS: usize>(
    point: &Point,
    distance: usize,
) -> Box<[[CoordinateRow; ENTRIES]; PARTS]> {
    let row = |[minus, plus, xy2d]: [Element; 3]| -> CoordinateRow {
        core::array::from_fn(|i| [minus.0[i], plus.0[i], xy2d.0[i], if i == 0 { 2 } else { 0 }])
    };
    let identity = row([Element::ONE, Element::ONE, Element::ZERO]);
    let multiples = multiples(point, PARTS, distance, Which::All, ENTRIES - 1);
    let tables = multiples.chunks_exact(ENTRIES - 1).map(|multiples| {
        let mut table = [identity; ENTRIES];
        for (entry, niels) in table[1..].iter_mut().zip(multiples) {
            *entry = row([niels.y_minus_x, niels.y_plus_x, niels.xy2d]);
        }
        table
    });
    boxed(tables.collect())
}

/// The parts of a table, one after the other.
fn parts<T: Copy, const N: usize>(entries: &[T]) -> Vec<[T; N]> {
    entries.as_chunks().0.to_vec()
}

fn boxed<T, const N: usize>(parts: Vec<T>) -> Box<[T; N]> {
    parts.into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("as many as asked for"))
}

/// The canonical limbs of an entry in the order of the lane tables.
#[cfg(target_arch = "x86_64")]
fn limbs(entry: &Niels<Element>) -> impl Iterator<Item = u64> {
    let Niels { y_plus_x, y_minus_x, xy2d } = entry.canonical();
    [y_plus_x, y_minus_x, xy2d].into_iter().flat_map(|element| element.0)
}
