//! Multiplication by a constant of GF(2^32) as a matrix of bits.
//!
//! x -> l x is linear over GF(2), so it is a 32 x 32 matrix, which is 4 x 4 blocks of 8 x 8: block (i, j) takes byte j
//! of x to its share in byte i of l x. The matrix is linear in l as well, so the matrices of all twiddles are sums of
//! those of h_j(2^b), of which there are few.

use crate::binary::Gf32;
use crate::codes::Basis;
use alloc::vec::Vec;

/// Block (i, j) at place 4 i + j, as the affine instruction takes it: output bit o in byte 7 - o, input bit b in bit b
/// of it.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Matrix(pub(super) [u64; 16]);

/// The matrices of 1, x, x^2, …, x^31.
pub(super) static POWERS: [Matrix; 32] = powers();

const fn powers() -> [Matrix; 32] {
    // x^(e + s), e + s up to 62.
    let mut images = [0u32; 63];
    images[0] = 1;
    let mut n = 1;
    while n < images.len() {
        images[n] = (images[n - 1] << 1) ^ ((images[n - 1] >> 31) * 0x8299);
        n += 1;
    }
    // The bytes of each with bit o in byte 7 - o: what one input bit gives.
    let mut columns = [[0u64; 4]; 63];
    let mut n = 0;
    while n < columns.len() {
        let mut t = 0;
        while t < 32 {
            columns[n][t / 8] |= ((images[n] >> t & 1) as u64) << (8 * (7 - t % 8));
            t += 1;
        }
        n += 1;
    }
    let mut matrices = [Matrix([0; 16]); 32];
    let mut place = 0;
    // Every power e, input bit s and byte i.
    while place < 32 * 32 * 4 {
        let (e, s, i) = (place >> 7, place >> 2 & 31, place & 3);
        matrices[e].0[4 * i + s / 8] |= columns[e + s][i] << (s % 8);
        place += 1;
    }
    matrices
}

impl Matrix {
    /// The matrix of multiplication by `factor`, a public constant.
    pub(super) fn of(factor: Gf32) -> Self {
        let mut sum = Self([0; 16]);
        let mut bits = factor.0;
        while bits != 0 {
            sum.add(&POWERS[bits.trailing_zeros() as usize]);
            bits &= bits - 1;
        }
        sum
    }

    /// Adds the matrix of another factor.
    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        for (sum, block) in self.0.iter_mut().zip(other.0) {
            *sum ^= block;
        }
    }
}

/// The matrices of h_j(2^b) for j < d and b < K, at place j K + b.
pub(super) fn steps(basis: &Basis<Gf32>, log2_message: usize) -> Vec<Matrix> {
    let rows = (0..log2_message).flat_map(|j| basis.row(j));
    rows.map(|value| Matrix::of(*value)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::elements;
    use super::*;
    use phalanx_testing::Random;

    /// What the affine instruction does to a byte, by its definition.
    fn affine(x: u8, block: u64) -> u8 {
        (0..8).map(|bit| (((block.to_le_bytes()[7 - bit] & x).count_ones() & 1) as u8) << bit).sum()
    }

    #[test]
    fn matrices_multiply() {
        for pair in elements::<Gf32>(&mut Random::from_seed(99), 400).as_chunks::<2>().0 {
            let (matrix, x) = (Matrix::of(pair[0]), pair[1].0.to_le_bytes());
            let byte = |i: usize| (0..4).fold(0, |sum, j| sum ^ affine(x[j], matrix.0[4 * i + j]));
            assert_eq!(Gf32(u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])), pair[0] * pair[1]);
        }
    }
}
