//! One product at a time, in integer registers.

use super::digits::Digits;
use crate::curve::base_tables::{self, SIGNING_ENTRIES};
use crate::curve::point::{Niels, NielsRow, Projective, Summable};
use crate::fields::p25519::{Element, Single};
use crate::fields::scalar25519::Scalar;
use core::hint::black_box;

/// Digits of 4 bits, 64 of them. Even positions have a row of the table each: the digits at odd ones are summed first
/// and moved up by four doublings. Rows for all positions would not fit in a first-level cache.
const BITS: u32 = 4;
const POSITIONS: usize = 64;

/// [s]B.
pub(super) fn base_mul(s: &Scalar) -> Projective<Element> {
    let table = base_tables::signing();
    let digits = Digits::new(s, BITS, 64);
    let [lower @ .., last] = table;
    let mut sum = scan(last, digits.radix16(POSITIONS - 1)).summable(Single);
    for (i, row) in lower.iter().enumerate() {
        sum = sum.add_niels(Single, &scan(row, digits.radix16(2 * i + 1))).summable(Single);
    }
    sum = times_16(&sum);
    for (i, row) in table.iter().enumerate() {
        sum = sum.add_niels(Single, &scan(row, digits.radix16(2 * i))).summable(Single);
    }
    sum.projective(Single)
}

fn times_16(sum: &Summable<Element>) -> Summable<Element> {
    let mut point = sum.projective(Single);
    for _ in 0..3 {
        point = point.double(Single).projective(Single);
    }
    point.double(Single).summable(Single)
}

/// The entry with its sign, after reading all of the row.
#[inline(always)]
fn scan(row: &[NielsRow; SIGNING_ENTRIES], (entry, negative): (u64, u64)) -> Niels<Element> {
    let mut found = NielsRow([0; 16]);
    read_all(row, entry, &mut found.0);
    #[expect(clippy::cast_possible_truncation, reason = "the sign is one bit")]
    found.niels().negate_if(Single, negative as u8, &Element::ZERO)
}

/// `row[entry]`. Out of line, where the sixteen limbs have the registers to themselves.
#[inline(never)]
fn read_all(row: &[NielsRow; SIGNING_ENTRIES], entry: u64, to: &mut [u64; 16]) {
    let mut found = [0; 16];
    let mut i = 0;
    while i < SIGNING_ENTRIES {
        // All ones if i = entry: only then does the difference borrow. Told what a mask is, the optimiser makes a
        // branch of it that skips the reading (seen by tests/constant_time).
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
