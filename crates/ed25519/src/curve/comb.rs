//! Products with points that are known beforehand: tables that take the place of most doublings.
//!
//! Table j of a point P holds 0, 2^(32 j) P, 2 * 2^(32 j) P and so on, for j = 0 to 7 (Lim and Lee, "More Flexible
//! Exponentiation with Precomputation", CRYPTO 1994). All eight parts of a scalar are then worked off in step: 28
//! doublings instead of 252.

#[cfg(target_arch = "x86_64")]
use super::pair::avx512;
use super::pair::{Row4, digits_16, digits_256, row};
use super::tables::niels;
use super::{BASE_POINT, Point, decode};
use crate::curve::law::{Niels, Projective};
use crate::fields::p25519::{Element, One};
use crate::fields::scalar25519::Scalar;
use alloc::boxed::Box;
use alloc::vec::Vec;
use once_cell::race::OnceBox;
use phalanx_core::first_of;
use phalanx_core::simd::Isa;

/// Tables of multiples 0 to `ENTRIES` - 1 of 2^(32 j) P, for digits below `ENTRIES` in size.
pub(crate) type Tables<const ENTRIES: usize> = [[Row4; ENTRIES]; 8];

/// For digits of radix 16: 11 520 bytes for each key.
pub(crate) type KeyTables = Tables<9>;

/// For digits of radix 256.
type BaseTables = Tables<129>;

/// The tables of B, 165 120 bytes; the first call computes them.
fn base_tables() -> &'static BaseTables {
    static TABLES: OnceBox<BaseTables> = OnceBox::new();
    TABLES.get_or_init(|| tables(&decode(&BASE_POINT).expect("B decodes").point))
}

/// The tables of a public point.
pub(crate) fn tables<const ENTRIES: usize>(point: &Point) -> Box<Tables<ENTRIES>> {
    let mut multiples = Vec::with_capacity(8 * (ENTRIES - 1));
    let mut first = *point;
    for _ in 0..8 {
        let mut last = first;
        for _ in 1..ENTRIES {
            multiples.push(last);
            last = last.add(&first);
        }
        let mut doubled = first.projective();
        for _ in 0..31 {
            doubled = doubled.double(One).projective(One);
        }
        first = doubled.double(One).extended(One);
    }
    let niels = niels(&multiples);
    let identity = row(&[Element::ONE, Element::ONE, Element::ZERO]);
    let tables: Vec<[Row4; ENTRIES]> = niels
        .chunks_exact(ENTRIES - 1)
        .map(|niels| {
            let mut table = [identity; ENTRIES];
            for (entry, point) in table[1..].iter_mut().zip(niels) {
                *entry = row(&[point.y_minus_x, point.y_plus_x, point.xy2d]);
            }
            table
        })
        .collect();
    tables.into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("eight tables"))
}

/// \[s\]B + \[k\]P from the tables of P. Variable time.
pub(crate) fn double_base_mul(isa: Isa, s: &Scalar, tables: &KeyTables, k: &Scalar) -> Point {
    let mut words = [0; 4];
    for (word, chunk) in words.iter_mut().zip(k.to_bytes().chunks_exact(8)) {
        *word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
    }
    let mut k = [0; 64];
    digits_16(&words, &mut k);
    let (s, base) = (digits_256(s), base_tables());
    first_of!(isa;
        avx512(witness) => avx512::comb(witness, tables, &k, base, &s),
        else => portable(tables, &k, base, &s),
    )
}

fn portable(tables: &KeyTables, k: &[i8; 64], base: &BaseTables, s: &[i8; 32]) -> Point {
    let mut sum = Point::IDENTITY;
    for i in (0..8).rev() {
        if i != 7 {
            let mut doubled = sum.projective();
            for _ in 0..3 {
                doubled = doubled.double(One).projective(One);
            }
            sum = Projective::double(&doubled, One).extended(One);
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

fn add(sum: &mut Point, table: &[Row4], digit: i8) {
    if digit == 0 {
        return;
    }
    let row = &table[usize::from(digit.unsigned_abs())];
    let column =
        |lane: usize| Element([row[0][lane], row[1][lane], row[2][lane], row[3][lane], row[4][lane]]);
    let point = Niels { y_minus_x: column(0), y_plus_x: column(1), xy2d: column(2) };
    let left = sum.summable(One);
    let next = if digit > 0 { left.add_niels(One, &point) } else { left.sub_niels(One, &point) };
    *sum = next.extended(One);
}
