//! One product at a time, in integer registers.

use super::digits::Digits;
use super::table::odd_multiples;
use super::{first, projective};
use crate::fields::p25519::{Element, One};
use crate::fields::scalar25519::Scalar;
use crate::schemes::ed25519::edwards::law::{Niels, Projective, Summable};
use core::hint::black_box;
use once_cell::race::OnceBox;

/// Digits of 4 bits, 64 of them, eight entries each.
const BITS: u32 = 4;
const POSITIONS: usize = 64;
const ENTRIES: usize = 8;

/// Even positions have a row each: the digits at odd ones are summed first and moved up by four doublings. Rows for all
/// positions would not fit in a first-level cache.
type Table = [[Niels<Element>; ENTRIES]; POSITIONS / 2];

fn table() -> &'static Table {
    static TABLE: OnceBox<Table> = OnceBox::new();
    TABLE.get_or_init(|| {
        let entries = odd_multiples(2 * BITS, POSITIONS / 2, ENTRIES);
        let rows = entries.as_chunks().0.to_vec().into_boxed_slice();
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
fn scan(row: &[Niels<Element>; ENTRIES], (entry, negative): (u64, u64)) -> Niels<Element> {
    let mut found = [Element::ZERO; 3];
    for (i, niels) in (0u64..).zip(row) {
        // All ones if i = entry: only then does the difference borrow. Told what a mask is, the optimiser makes a branch
        // of it that skips the reading (seen by tests/constant_time).
        let mask = black_box(((i ^ entry).wrapping_sub(1) >> 63).wrapping_neg());
        for (found, element) in found.iter_mut().zip([&niels.y_plus_x, &niels.y_minus_x, &niels.xy2d]) {
            for (found, limb) in found.0.iter_mut().zip(element.0) {
                *found |= mask & limb;
            }
        }
    }
    let [y_plus_x, y_minus_x, xy2d] = found;
    // The sign is one bit.
    #[allow(clippy::cast_possible_truncation)]
    Niels { y_plus_x, y_minus_x, xy2d }.negate_if(One, negative as u8, &Element::ZERO)
}
