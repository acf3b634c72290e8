//! One product at a time, in integer registers.

use super::digits::Digits;
use super::table::{limbs, odd_multiples};
use super::{first, projective};
use crate::curve::law::{Niels, Projective, Summable};
use crate::fields::p25519::{Element, One};
use crate::fields::scalar25519::Scalar;
use alloc::vec::Vec;
use core::hint::black_box;
use once_cell::race::OnceBox;

/// Digits of 4 bits, 64 of them, eight entries each.
const BITS: u32 = 4;
const POSITIONS: usize = 64;
const ENTRIES: usize = 8;

/// Even positions have a row each: the digits at odd ones are summed first and moved up by four doublings. Rows for all
/// positions would not fit in a first-level cache.
type Table = [[Entry; ENTRIES]; POSITIONS / 2];

/// The limbs of an entry and one of nothing, so that they are scanned in whole vectors.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Entry([u64; 16]);

fn table() -> &'static Table {
    static TABLE: OnceBox<Table> = OnceBox::new();
    TABLE.get_or_init(|| {
        let entries = odd_multiples(2 * BITS, POSITIONS / 2, ENTRIES).into_iter().map(|niels| {
            let mut entry = Entry([0; 16]);
            entry.0.iter_mut().zip(limbs(&niels)).for_each(|(to, limb)| *to = limb);
            entry
        });
        let rows = entries.collect::<Vec<_>>().as_chunks().0.to_vec().into_boxed_slice();
        rows.try_into().map_err(|_| "rows").expect("a row for every even position")
    })
}

/// [s]B.
pub(super) fn base_mul(s: &Scalar) -> Projective<Element> {
    let table = table();
    let digits = Digits::new(s, BITS, 64);
    let [lower @ .., last] = table;
    let mut sum = first(One, &scan(last, digits.radix16(POSITIONS - 1)));
    for (i, row) in lower.iter().enumerate() {
        sum = sum.add_niels(One, &scan(row, digits.radix16(2 * i + 1))).summable(One);
    }
    sum = times_16(&sum);
    for (i, row) in table.iter().enumerate() {
        sum = sum.add_niels(One, &scan(row, digits.radix16(2 * i))).summable(One);
    }
    projective(One, &sum)
}

fn times_16(sum: &Summable<Element>) -> Summable<Element> {
    let mut point = projective(One, sum);
    for _ in 0..3 {
        point = point.double(One).projective(One);
    }
    point.double(One).summable(One)
}

/// The entry with its sign, after reading all of the row.
#[inline(always)]
fn scan(row: &[Entry; ENTRIES], (entry, negative): (u64, u64)) -> Niels<Element> {
    let mut found = [0; 16];
    read_all(row, entry, &mut found);
    let [a0, a1, a2, a3, a4, b0, b1, b2, b3, b4, c0, c1, c2, c3, c4, _] = found;
    let found = Niels {
        y_plus_x: Element([a0, a1, a2, a3, a4]),
        y_minus_x: Element([b0, b1, b2, b3, b4]),
        xy2d: Element([c0, c1, c2, c3, c4]),
    };
    // The sign is one bit.
    #[allow(clippy::cast_possible_truncation)]
    found.negate_if(One, negative as u8, &Element::ZERO)
}

/// `row[entry]`. Out of line, where the sixteen limbs have the registers to themselves.
#[inline(never)]
fn read_all(row: &[Entry; ENTRIES], entry: u64, to: &mut [u64; 16]) {
    let mut found = [0; 16];
    let mut i = 0;
    while i < ENTRIES {
        // All ones if i = entry: only then does the difference borrow. Told what a mask is, the optimiser makes a branch
        // of it that skips the reading (seen by tests/constant_time).
        let mask = black_box(((i as u64 ^ entry).wrapping_sub(1) >> 63).wrapping_neg());
        let mut k = 0;
        while k < 16 {
            found[k] |= mask & row[i].0[k];
            k += 1;
        }
        i += 1;
    }
    *to = found;
}
