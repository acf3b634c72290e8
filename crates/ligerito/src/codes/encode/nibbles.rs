//! Multiplication by a constant of GF(2^32) as tables of sixteen entries.
//!
//! l x is the sum over the eight nibbles of x of l times the nibble in its place, and each byte of that is an entry of
//! a table of sixteen bytes. Tables are linear in l, as the matrices of [`super::matrices`] are.

use crate::binary::Gf32;
use crate::codes::Basis;
use alloc::vec::Vec;

/// The table for nibble n and byte i of the product at place 4 n + i.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Tables(pub(super) [[u8; 16]; 32]);

/// The tables of 1, x, x^2, …, x^31.
pub(super) static POWERS: [Tables; 32] = powers();

const fn powers() -> [Tables; 32] {
    // Of x^s, s up to 59, with the lowest nibble: that is x^e with nibble n for s = e + 4 n.
    let mut lowest = [[[0; 16]; 4]; 60];
    let (mut s, mut image) = (0, 1u32);
    while s < lowest.len() {
        let images = [image, times_x(image), times_x(times_x(image)), times_x(times_x(times_x(image)))];
        let mut products = [0u32; 16];
        let mut v = 1usize;
        while v < 16 {
            products[v] = products[v & (v - 1)] ^ images[v.trailing_zeros() as usize];
            let bytes = products[v].to_le_bytes();
            (lowest[s][0][v], lowest[s][1][v]) = (bytes[0], bytes[1]);
            (lowest[s][2][v], lowest[s][3][v]) = (bytes[2], bytes[3]);
            v += 1;
        }
        image = images[1];
        s += 1;
    }
    let mut all = [Tables([[0; 16]; 32]); 32];
    let mut place = 0;
    // Every power e, nibble n and byte i.
    while place < 32 * 8 * 4 {
        let (e, n, i) = (place >> 5, place >> 2 & 7, place & 3);
        all[e].0[4 * n + i] = lowest[e + 4 * n][i];
        place += 1;
    }
    all
}

/// An element times x.
const fn times_x(element: u32) -> u32 {
    (element << 1) ^ ((element >> 31) * 0x8299)
}

impl Tables {
    /// Those of zero.
    pub(super) const ZERO: Self = Self([[0; 16]; 32]);

    /// The tables of multiplication by `factor`, a public constant.
    pub(super) fn of(factor: Gf32) -> Self {
        let mut sum = Self::ZERO;
        for (power, tables) in POWERS.iter().enumerate() {
            if factor.0 >> power & 1 == 1 {
                sum.add(tables);
            }
        }
        sum
    }

    /// Adds the tables of another factor.
    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        for (sum, table) in self.0.as_flattened_mut().iter_mut().zip(other.0.as_flattened()) {
            *sum ^= table;
        }
    }
}

/// The tables of h_j(2^b) for j < d and b < K, at place j K + b; zeros for b up to j, which nobody asks for.
pub(super) fn steps(basis: &Basis<Gf32>, log2_message: usize) -> Vec<Tables> {
    let rows = (0..log2_message).flat_map(|j| basis.row(j).iter().enumerate().map(move |(b, x)| (b > j, *x)));
    rows.map(|(asked, value)| if asked { Tables::of(value) } else { Tables::ZERO }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::elements;
    use super::*;
    use phalanx_testing::Random;

    #[test]
    fn tables_multiply() {
        for pair in elements::<Gf32>(&mut Random::from_seed(98), 400).as_chunks::<2>().0 {
            let tables = Tables::of(pair[0]);
            let nibble = |n: usize| (pair[1].0 >> (4 * n) & 15) as usize;
            let byte = |i: usize| (0..8).fold(0, |sum, n| sum ^ tables.0[4 * n + i][nibble(n)]);
            assert_eq!(Gf32(u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])), pair[0] * pair[1]);
        }
    }
}
