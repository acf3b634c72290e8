//! Sums of g^i S_i^(2^k) for all 32 conjugates of g, the image of x, in 80 products instead of 1,024; and the same the other way
//! round, for the map of bits that a sum of conjugates is.
//!
//! The sum is (Q_m)^(2^k), m = -k mod 32, where Q_m is the sum of (g^i)^(2^m) S_i. GF(2^32) is the top of a tower of quadratic extensions
//! T_0 = GF(2), T_1, … T_5. In each there is an a_j of T_(j+1) whose conjugate over T_j, its power with 2^(2^j), is a_j + 1. In the
//! basis of products of these, that of b_l over the bits j of l, an upper half of the sums is a_j times what a lower one is, and
//! conjugates by 2^j steps differ in the conjugate of a_j alone:
//!
//! ```text
//! Q_m = A_m + a_j^(2^m) B_m,      Q_(m + 2^j) = Q_m + B_m,      m < 2^j,
//! ```
//!
//! where A and B are what the halves have by themselves: the butterflies of an additive transform. Transposed, they give the sums
//! of c_m b_l^(2^m) over m for every l.
#![forbid(unsafe_code)]
#![allow(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the lanes' instruction set"
)]

use crate::binary::lanes::{Kernel, Lanes, MAX_COUNT, run};
use crate::binary::{BinaryField, ChallengeField, Gf32, mixed, vectors};
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// Planes, and points of an orbit: the degree of GF(2^32) over GF(2).
pub const PLANES: usize = 32;

/// Bits of sums of 32 rows: entry l says which of them are added up to row l.
type Matrix = [u32; PLANES];

/// a_0 to a_4.
const GENERATORS: [Gf32; 5] =
    [Gf32(0x613e_437a), Gf32(0x02c0_9609), Gf32(0x1a22_7a62), Gf32(0x0911_5c6e), Gf32(0xebfa_60a9)];

/// x^i in the basis of the tower: bit i of entry l says whether b_l is in it.
#[rustfmt::skip]
const POWERS_OF_X: Matrix = [
    0xde3d_8e99, 0xc823_5d00, 0xef73_1c98, 0x5d11_fee6, 0xff8c_af58, 0xd190_b97c, 0xe1f5_2064, 0x9df6_c562,
    0x858d_b85c, 0x7bbc_ae8e, 0x55b3_ab4e, 0xdb00_96fa, 0x9be0_db14, 0x5879_00cc, 0xf175_fffe, 0xe208_6274,
    0x8531_7a90, 0x7cae_eb08, 0xe257_4428, 0x23db_7d88, 0xfb43_888a, 0xb9f8_b27c, 0x8798_1b10, 0x7bdb_eee4,
    0x3f4a_db68, 0x5584_d4f6, 0x8d1e_0ade, 0xee23_8dfa, 0x8e72_fabc, 0xc173_d67a, 0x1acf_4b96, 0x2282_0000,
];

/// [`POWERS_OF_X`], transposed: b_l and x^i change places.
const TRANSPOSED: Matrix = {
    let mut transposed = [0; PLANES];
    let mut i = 0;
    while i < PLANES * PLANES {
        transposed[i % PLANES] |= (POWERS_OF_X[i / PLANES] >> (i % PLANES) & 1) << (i / PLANES);
        i += 1;
    }
    transposed
};

/// For every column, of sums S_0 … S_31, the 2^k-th roots of the sums of g^i S_i^(2^k), k = 0 … 31: that is Q_m, m = -k mod 32.
#[inline(never)]
pub(crate) fn at_conjugates<E: ChallengeField>(isa: Isa, sums: &[[E; PLANES]]) -> Vec<[E; PLANES]> {
    let width = sums.len().next_multiple_of(MAX_COUNT);
    let mut rows = vec![E::ZERO; PLANES * width];
    for (c, column) in sums.iter().enumerate() {
        column.iter().enumerate().for_each(|(i, sum)| rows[i * width + c] = *sum);
    }
    transform(isa, &mut rows, width, Direction::Sums);
    let column = |c| core::array::from_fn(|k| rows[(PLANES - k) % PLANES * width + c]);
    (0..sums.len()).map(column).collect()
}

/// Entry k to the power of 2^k.
#[inline(never)]
pub(crate) fn raise<E: ChallengeField>(isa: Isa, roots: &mut [E]) {
    for k in 1..roots.len() {
        vectors::square(isa, &mut roots[k..]);
    }
}

/// The map x -> sum of scales\[k\] x^(2^k), linear over GF(2): the images of the bits of x, 32 at a time.
///
/// x is a sum of products of powers of X, which is x of the large field, and elements of GF(2^32). The map is found at
/// the products with b_l, then at those with powers of g, and of these every power of X is a sum.
#[inline(never)]
pub(crate) fn map_of<E: ChallengeField>(isa: Isa, scales: &[E; PLANES]) -> Vec<[E; 32]> {
    let basis = E::BITS as usize / PLANES;
    // Powers of X, and zeros up to whole vectors.
    let width = basis.next_multiple_of(MAX_COUNT);
    let mut powers_of_x = vec![E::ZERO; width];
    let mut power = E::ONE;
    for entry in &mut powers_of_x[..basis] {
        *entry = power;
        power = power.times_x();
    }
    let (mut factors, mut conjugates) = (Vec::new(), Vec::new());
    for scale in scales {
        factors.resize(factors.len() + width, *scale);
        conjugates.extend_from_slice(&powers_of_x);
        vectors::square(isa, &mut powers_of_x);
    }
    let mut rows = vec![E::ZERO; factors.len()];
    vectors::add_products(isa, &mut rows, &factors, &conjugates);
    transform(isa, &mut rows, width, Direction::Transposed);
    let images: Vec<[E; 32]> = (0..basis).map(|c| core::array::from_fn(|i| rows[i * width + c])).collect();
    let mut bits = vec![E::ZERO; E::BITS as usize];
    mixed::map_columns(isa, &E::components_of_powers(), &images, &mut bits);
    bits.as_chunks().0.to_vec()
}

/// Which way the butterflies go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// From the sums S_i to all Q_m.
    Sums,
    /// From c_m to the sums over m of c_m (g^i)^(2^m), for every i.
    Transposed,
}

/// Does to every column of 32 rows of whole vectors, which lie one after the other, what `direction` says.
fn transform<E: ChallengeField>(isa: Isa, rows: &mut [E], width: usize, direction: Direction) {
    let powers = powers::<E>();
    let kernel = Columns { rows, width, powers: &powers, direction };
    run(isa, kernel).unwrap_or_else(|Columns { rows, width, powers, direction }| {
        for c in 0..width {
            let mut column: [E; PLANES] = core::array::from_fn(|i| rows[i * width + c]);
            if direction == Direction::Sums {
                column = combined(&column, &POWERS_OF_X);
                for Butterfly { lower, upper, power } in &BUTTERFLIES {
                    let sum = column[*lower] + powers[*power] * column[*upper];
                    column[*lower] = sum;
                    column[*upper] += sum;
                }
            } else {
                for Butterfly { lower, upper, power } in BUTTERFLIES.iter().rev() {
                    let sum = column[*lower] + column[*upper];
                    column[*lower] = sum;
                    column[*upper] += powers[*power] * sum;
                }
                column = combined(&column, &TRANSPOSED);
            }
            column.iter().enumerate().for_each(|(i, x)| rows[i * width + c] = *x);
        }
    });
}

/// Two rows that differ in bit j alone, and where a_j^(2^m) is among [`powers`], m the bits of either below j.
#[derive(Clone, Copy)]
struct Butterfly {
    lower: usize,
    upper: usize,
    power: usize,
}

/// Those of every j, from the lowest: a list, so that 80 products are a loop.
static BUTTERFLIES: [Butterfly; 5 * PLANES / 2] = {
    let mut all = [Butterfly { lower: 0, upper: 0, power: 0 }; 5 * PLANES / 2];
    let mut i = 0;
    while i < all.len() {
        let (j, rank) = (i / (PLANES / 2), i % (PLANES / 2));
        let lower = ((rank >> j) << (j + 1)) | (rank % (1 << j));
        all[i] = Butterfly { lower, upper: lower | 1 << j, power: step(j, lower) };
        i += 1;
    }
    all
};

/// Where a_j^(2^m) is among [`powers`], m the bits of `row` below `j`.
const fn step(j: usize, row: usize) -> usize {
    (1 << j) + row % (1 << j) - 1
}

/// a_j^(2^m) for m < 2^j, for every j.
fn powers<E: ChallengeField>() -> [E; PLANES - 1] {
    let mut powers = [E::ZERO; PLANES - 1];
    for (j, generator) in GENERATORS.iter().enumerate() {
        let mut power = *generator;
        for m in 0..1 << j {
            powers[step(j, m)] = E::from(power);
            power = power.square();
        }
    }
    powers
}

/// The sums of rows that a matrix says.
#[inline(never)]
fn combined<E: ChallengeField>(rows: &[E; PLANES], matrix: &Matrix) -> [E; PLANES] {
    let sum = |bits: &u32| {
        let own = rows.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
        own.fold(E::ZERO, |sum, (_, row)| sum + *row)
    };
    matrix.each_ref().map(sum)
}

/// [`transform`].
struct Columns<'a, E> {
    rows: &'a mut [E],
    width: usize,
    powers: &'a [E; PLANES - 1],
    direction: Direction,
}

impl<E: ChallengeField> Kernel for Columns<'_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        let Self { rows: all, width, powers, direction } = self;
        let mut constants = [lanes.constant(&E::ZERO); PLANES - 1];
        let mut i = 0;
        while i < constants.len() {
            constants[i] = lanes.constant(&powers[i]);
            i += 1;
        }
        let nothing = lanes.splat(&E::ZERO);
        let (mut rows, mut choices) = ([nothing; PLANES], [[nothing; 16]; PLANES / 4]);
        let mut first = 0;
        while first < width {
            let mut i = 0;
            while i < PLANES {
                rows[i] = lanes.load(&all[i * width + first..]);
                i += 1;
            }
            if matches!(direction, Direction::Sums) {
                combined_in_lanes(lanes, &mut rows, &mut choices, &POWERS_OF_X);
                let mut i = 0;
                while i < BUTTERFLIES.len() {
                    let Butterfly { lower, upper, power } = BUTTERFLIES[i];
                    rows[lower] = lanes.multiply_add(rows[upper], constants[power], rows[lower]);
                    rows[upper] = lanes.add(rows[upper], rows[lower]);
                    i += 1;
                }
            } else {
                let mut i = BUTTERFLIES.len();
                while i > 0 {
                    i -= 1;
                    let Butterfly { lower, upper, power } = BUTTERFLIES[i];
                    rows[lower] = lanes.add(rows[lower], rows[upper]);
                    rows[upper] = lanes.multiply_add(rows[lower], constants[power], rows[upper]);
                }
                combined_in_lanes(lanes, &mut rows, &mut choices, &TRANSPOSED);
            }
            let mut i = 0;
            while i < PLANES {
                lanes.store(rows[i], &mut all[i * width + first..]);
                i += 1;
            }
            first += L::COUNT;
        }
    }
}

/// [`combined`], of vectors: from the sums of all choices of each four rows, for which there is room, eight are added up.
#[inline(always)]
fn combined_in_lanes<E: ChallengeField, L: Lanes<E>>(
    lanes: L,
    rows: &mut [L::Vector; PLANES],
    choices: &mut [[L::Vector; 16]; PLANES / 4],
    matrix: &Matrix,
) {
    let mut four = 0;
    while four < choices.len() {
        let mut bit = 0;
        while bit < 4 {
            // Choice 0 is nothing.
            choices[four][1 << bit] = rows[4 * four + bit];
            let mut i = 1;
            while i < 1 << bit {
                choices[four][1 << bit | i] = lanes.add(choices[four][i], rows[4 * four + bit]);
                i += 1;
            }
            bit += 1;
        }
        four += 1;
    }
    let mut l = 0;
    while l < PLANES {
        let mut sum = choices[0][(matrix[l] & 15) as usize];
        let mut four = 1;
        while four < choices.len() {
            sum = lanes.add(sum, choices[four][(matrix[l] >> (4 * four) & 15) as usize]);
            four += 1;
        }
        rows[l] = sum;
        l += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let wanted = |c: usize, k: usize| {
                let own = sums[PLANES * c..][..PLANES].iter().enumerate();
                own.fold(E::ZERO, |sum, (i, s)| sum + E::from(Gf32(1 << i)) * power(*s, k))
            };
            let wanted: Vec<E> = (0..PLANES * columns).map(|i| wanted(i / PLANES, i % PLANES)).collect();
            on_every_backend(|backend| {
                let isa = Isa::current();
                let mut got = at_conjugates(isa, sums.as_chunks().0);
                got.iter_mut().for_each(|column| raise(isa, column));
                assert!(got.as_flattened() == wanted, "{} {columns}", backend.name());
            });
        }
    }

    /// Against the map as it is written, at the powers of x.
    fn map_of_all_conjugates<E: FromLimbs>() {
        for seed in 0..4 {
            let scales: [E; PLANES] = E::mixture(PLANES, seed).try_into().expect("32");
            let mut x = E::ONE;
            let images = (0..E::BITS).map(|_| {
                let image = scales.iter().enumerate();
                let image = image.fold(E::ZERO, |sum, (k, scale)| sum + *scale * power(x, k));
                x = x.times_x();
                image
            });
            let wanted: Vec<E> = images.collect();
            on_every_backend(|backend| {
                let got = map_of(Isa::current(), &scales);
                assert!(got.as_flattened() == wanted, "{}", backend.name());
            });
        }
    }

    over_both_fields!(sums_at_all_conjugates, map_of_all_conjugates);
}
