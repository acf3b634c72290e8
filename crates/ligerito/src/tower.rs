//! Sums of g^i S_i^(2^k) for all 32 conjugates of g, the image of x, in 80 products instead of 1,024.
//!
//! It is (Q_m)^(2^k), m = -k mod 32, where Q_m is the sum of (g^i)^(2^m) S_i. GF(2^32) is the top of a tower of quadratic extensions
//! T_0 = GF(2), T_1, … T_5. In each there is an a_j of T_(j+1) whose conjugate over T_j, its power with 2^(2^j), is a_j + 1. In the
//! basis of products of these, that of b_l over the bits j of l, an upper half of the sums is a_j times what a lower one is, and
//! conjugates by 2^j steps differ in the conjugate of a_j alone:
//!
//! ```text
//! Q_m = A_m + a_j^(2^m) B_m,      Q_(m + 2^j) = Q_m + B_m,      m < 2^j,
//! ```
//!
//! where A and B are what the halves have by themselves: the butterflies of an additive transform.
#![forbid(unsafe_code)]

use crate::binary::vectors;
use crate::binary::{ChallengeField, Gf32};
use crate::orbit::PLANES;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// a_0 to a_4.
const GENERATORS: [Gf32; 5] =
    [Gf32(0x613e_437a), Gf32(0x02c0_9609), Gf32(0x1a22_7a62), Gf32(0x0911_5c6e), Gf32(0xebfa_60a9)];

/// x^i in the basis of the tower: bit i of entry l says whether b_l is in it.
#[rustfmt::skip]
const POWERS_OF_X: [u32; PLANES] = [
    0xde3d_8e99, 0xc823_5d00, 0xef73_1c98, 0x5d11_fee6, 0xff8c_af58, 0xd190_b97c, 0xe1f5_2064, 0x9df6_c562,
    0x858d_b85c, 0x7bbc_ae8e, 0x55b3_ab4e, 0xdb00_96fa, 0x9be0_db14, 0x5879_00cc, 0xf175_fffe, 0xe208_6274,
    0x8531_7a90, 0x7cae_eb08, 0xe257_4428, 0x23db_7d88, 0xfb43_888a, 0xb9f8_b27c, 0x8798_1b10, 0x7bdb_eee4,
    0x3f4a_db68, 0x5584_d4f6, 0x8d1e_0ade, 0xee23_8dfa, 0x8e72_fabc, 0xc173_d67a, 0x1acf_4b96, 0x2282_0000,
];

/// Of sums S_0 … S_31 for every column, one column's after the other's: 32 tables, one after the other, of which number k has for
/// every column the sum of g^i S_i^(2^k).
pub(crate) fn conjugates<E: ChallengeField>(isa: Isa, sums: &[E]) -> Vec<E> {
    let (columns, len) = (sums.as_chunks::<PLANES>().0, sums.len() / PLANES);
    let mut rows = vec![E::ZERO; sums.len()];
    for (i, row) in rows.chunks_mut(len).enumerate() {
        row.iter_mut().zip(columns).for_each(|(entry, column)| *entry = column[i]);
    }
    let mut rows = in_tower(isa, &rows, len);
    let mut factors = vec![E::ZERO; len];
    for (j, generator) in GENERATORS.iter().enumerate() {
        let mut power = E::from(*generator);
        for m in 0..1 << j {
            factors.fill(power);
            for pair in rows.chunks_mut(2 * (len << j)) {
                let (lower, upper) = pair.split_at_mut(len << j);
                let (lower, upper) = (&mut lower[m * len..][..len], &mut upper[m * len..][..len]);
                vectors::add_products(isa, lower, upper, &factors);
                vectors::add(isa, upper, lower);
            }
            power = power.square();
        }
    }
    // Row m is Q_m, which is to be squared PLANES - m times, and to stand at place PLANES - m; row 0 stays.
    for m in (1..PLANES).rev() {
        vectors::square(isa, &mut rows[len..(m + 1) * len]);
    }
    for m in 1..PLANES / 2 {
        let (lower, upper) = rows.split_at_mut((PLANES - m) * len);
        lower[m * len..][..len].swap_with_slice(&mut upper[..len]);
    }
    rows
}

/// Sums in the basis of the tower, from those in that of powers of x.
fn in_tower<E: ChallengeField>(isa: Isa, rows: &[E], len: usize) -> Vec<E> {
    let mut sums = vec![E::ZERO; rows.len()];
    for (bits, sum) in POWERS_OF_X.iter().zip(sums.chunks_mut(len)) {
        let own = rows.chunks(len).enumerate().filter(|(i, _)| bits >> i & 1 == 1);
        own.for_each(|(_, row)| vectors::add(isa, sum, row));
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::BinaryField;
    use crate::binary::tests::{FromLimbs, over_both_fields};
    use phalanx_testing::on_every_backend;

    fn power<E: BinaryField>(x: E, log2: usize) -> E {
        (0..log2).fold(x, |x, _| x.square())
    }

    #[test]
    fn generators_have_their_conjugates() {
        for (j, a) in GENERATORS.iter().enumerate() {
            assert_eq!(power(*a, 2 << j), *a, "of T_{}", j + 1);
            assert_eq!(power(*a, 1 << j), *a + Gf32::ONE);
        }
    }

    #[test]
    fn powers_of_x_in_the_basis_of_the_tower() {
        let basis = |l: usize| {
            let own = GENERATORS.iter().enumerate().filter(|(j, _)| l >> j & 1 == 1);
            own.fold(Gf32::ONE, |product, (_, a)| product * *a)
        };
        for i in 0..PLANES {
            let own = (0..PLANES).filter(|l| POWERS_OF_X[*l] >> i & 1 == 1);
            assert_eq!(own.fold(Gf32::ZERO, |sum, l| sum + basis(l)), Gf32(1 << i), "x^{i}");
        }
    }

    /// Against the sums as they are written, at lengths around those of lanes.
    fn sums_at_all_conjugates<E: FromLimbs>() {
        for columns in [1, 2, 3, 4, 8, 9, 64] {
            let sums = E::mixture(PLANES * columns, columns as u64);
            let wanted = |k: usize, c: usize| {
                let own = sums[PLANES * c..][..PLANES].iter().enumerate();
                own.fold(E::ZERO, |sum, (i, s)| sum + E::from(Gf32(1 << i)) * power(*s, k))
            };
            on_every_backend(|backend| {
                let got = conjugates(Isa::current(), &sums);
                assert_eq!(got.len(), PLANES * columns);
                for (k, table) in got.chunks(columns).enumerate() {
                    let wanted: Vec<E> = (0..columns).map(|c| wanted(k, c)).collect();
                    assert!(table == wanted, "{} {columns} {k}", backend.name());
                }
            });
        }
    }

    over_both_fields!(sums_at_all_conjugates);
}
