//! Products with points that are known beforehand: tables that take the place of most doublings.
//!
//! Table j of a point P holds 0, 2^(32 j) P, 2 * 2^(32 j) P and so on, for j = 0 to 7 (Lim and Lee, "More Flexible
//! Exponentiation with Precomputation", CRYPTO 1994). All eight parts of a scalar are then worked off in step: 28
//! doublings instead of 252.

use super::base_tables::{self, coordinate_rows};
use super::digits::{radix_16, radix_256};
use super::point::{CoordinateRow, Niels, Point};
#[cfg(target_arch = "x86_64")]
use super::{coordinates, ifma_x2};
#[cfg(target_arch = "x86_64")]
use crate::fields::p25519::Doubles;
use crate::fields::p25519::{Element, Single};
use crate::fields::scalar25519::Scalar;
use alloc::boxed::Box;
use phalanx_core::first_of;
use phalanx_core::simd::Isa;

/// Tables of multiples 0 to 8 of 2^(32 j) P, for digits of radix 16: 11 520 bytes for each key.
pub(crate) type KeyTables = [[CoordinateRow; 9]; 8];

/// For digits of radix 256.
type BaseTables = [[CoordinateRow; 129]; 8];

/// The tables of a public point.
pub(crate) fn tables(point: &Point) -> Box<KeyTables> {
    coordinate_rows(point, 32)
}

/// \[s\]B + \[k\]P from the tables of P. Variable time.
pub(crate) fn double_base_mul(isa: Isa, s: &Scalar, tables: &KeyTables, k: &Scalar) -> Point {
    let mut digits = [0; 64];
    radix_16(k.words(), &mut digits);
    let (k, s, base) = (digits, radix_256(s), base_tables::comb());
    first_of!(isa;
        ifma(witness) => ifma_x2::comb(witness, tables, &k, base, &s),
        avx2(witness) => coordinates::comb(Doubles(witness), tables, &k, base, &s),
        else => portable(tables, &k, base, &s),
    )
}

fn portable(tables: &KeyTables, k: &[i8; 64], base: &BaseTables, s: &[i8; 32]) -> Point {
    let mut sum = Point::IDENTITY;
    for i in (0..8).rev() {
        if i != 7 {
            sum = sum.times_power_of_2(4);
        }
        for (j, table) in tables.iter().enumerate() {
            add(&mut sum, table, k[8 * j + i]);
        }
        if i % 2 == 0 {
            for (j, table) in base.iter().enumerate() {
                add(&mut sum, table, s[4 * j + i / 2]);
            }
        }
    }
    sum
}

fn add(sum: &mut Point, table: &[CoordinateRow], digit: i8) {
    if digit == 0 {
        return;
    }
    let row = &table[usize::from(digit.unsigned_abs())];
    let column =
        |lane: usize| Element([row[0][lane], row[1][lane], row[2][lane], row[3][lane], row[4][lane]]);
    let point = Niels { y_minus_x: column(0), y_plus_x: column(1), xy2d: column(2) };
    *sum = sum.summable(Single).add_signed_niels(Single, &point, digit < 0).extended(Single);
}
