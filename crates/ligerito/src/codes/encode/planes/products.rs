//! Products of planes with a constant, for every instruction set.
#![allow(unsafe_code, reason = "intrinsics on the strength of a witness")]

use super::super::matrices::{self, Matrix};
use super::super::nibbles::{self, Tables};
use super::Unit;
use crate::binary::Gf32;
use crate::codes::Basis;
use alloc::vec::Vec;
use core::arch::x86_64::*;
use phalanx_core::lanes::ByteLanes;
use phalanx_core::simd::{Avx2, Avx512, Gfni, Witness};

/// What planes are multiplied with: linear in the constant that it stands for.
pub(crate) trait Factor: Copy + Send + Sync {
    /// That of zero.
    const ZERO: Self;

    /// That of a public constant.
    fn of(factor: Gf32) -> Self;

    /// Adds that of another constant.
    fn add(&mut self, other: &Self);

    /// Those of h_j(2^b) for j < d and b < K, at place j K + b; where b is at most j, nobody asks for it.
    fn steps(basis: &Basis<Gf32>, log2_message: usize) -> Vec<Self>;
}

impl Factor for Tables {
    const ZERO: Self = Self::ZERO;

    #[inline(always)]
    fn of(factor: Gf32) -> Self {
        Self::of(factor)
    }

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        self.add(other);
    }

    fn steps(basis: &Basis<Gf32>, log2_message: usize) -> Vec<Self> {
        nibbles::steps(basis, log2_message)
    }
}

impl Factor for Matrix {
    const ZERO: Self = Self([0; 16]);

    #[inline(always)]
    fn of(factor: Gf32) -> Self {
        Self::of(factor)
    }

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        self.add(other);
    }

    fn steps(basis: &Basis<Gf32>, log2_message: usize) -> Vec<Self> {
        matrices::steps(basis, log2_message)
    }
}

/// Vectors of `N` bytes in which planes are multiplied.
pub(crate) trait Products<const N: usize>: ByteLanes<Bytes = [u8; N]> + Witness {
    /// What they are multiplied with.
    type Factor: Factor;

    /// The lower halves of a and b, and the upper ones.
    fn exchange(self, a: Self::Vector, b: Self::Vector) -> [Self::Vector; 2];

    /// u += l w, for the factor of l.
    fn multiply_add(self, factor: &Self::Factor, u: &mut [Self::Vector; 4], w: &[Self::Vector; 4]);

    /// u += l w and then w += u, in two units of each, for the factor of l.
    fn two_butterflies(self, factor: &Self::Factor, u: &mut [Unit<N>; 2], w: &mut [Unit<N>; 2]);

    /// The same in one unit of each.
    #[inline(always)]
    fn butterfly(self, factor: &Self::Factor, u: &mut Unit<N>, w: &mut Unit<N>) {
        let (mut a, mut b) = (load(self, u), load(self, w));
        self.multiply_add(factor, &mut a, &b);
        let mut i = 0;
        while i < 4 {
            b[i] = self.xor(b[i], a[i]);
            i += 1;
        }
        store(self, u, a);
        store(self, w, b);
    }
}

/// The planes of a unit.
#[inline(always)]
pub(super) fn load<B: ByteLanes<Bytes = [u8; N]>, const N: usize>(
    lanes: B,
    unit: &Unit<N>,
) -> [B::Vector; 4] {
    [lanes.load(&unit[0]), lanes.load(&unit[1]), lanes.load(&unit[2]), lanes.load(&unit[3])]
}

/// The planes of a unit, written.
#[inline(always)]
pub(super) fn store<B: ByteLanes<Bytes = [u8; N]>, const N: usize>(
    lanes: B,
    unit: &mut Unit<N>,
    planes: [B::Vector; 4],
) {
    let mut i = 0;
    while i < 4 {
        lanes.store(&mut unit[i], planes[i]);
        i += 1;
    }
}

/// By looking up nibbles.
macro_rules! by_nibbles {
    () => {
        type Factor = Tables;

        #[inline(always)]
        fn multiply_add(self, tables: &Tables, u: &mut [Self::Vector; 4], w: &[Self::Vector; 4]) {
            let mut j = 0;
            while j < 4 {
                let (low, high) = (self.low_nibbles(w[j]), self.high_nibbles(w[j]));
                let mut i = 0;
                while i < 4 {
                    let first = self.lookup(self.splat(&tables.0[8 * j + i]), low);
                    let second = self.lookup(self.splat(&tables.0[8 * j + 4 + i]), high);
                    u[i] = self.xor3(u[i], first, second);
                    i += 1;
                }
                j += 1;
            }
        }

        #[inline(always)]
        fn two_butterflies(
            self,
            tables: &Tables,
            u: &mut [Unit<{ size_of::<Self::Vector>() }>; 2],
            w: &mut [Unit<{ size_of::<Self::Vector>() }>; 2],
        ) {
            let [mut a, mut b] = [load(self, &u[0]), load(self, &u[1])];
            let mut j = 0;
            while j < 4 {
                let (c, d) = (self.load(&w[0][j]), self.load(&w[1][j]));
                let lows = [self.low_nibbles(c), self.low_nibbles(d)];
                let highs = [self.high_nibbles(c), self.high_nibbles(d)];
                let mut i = 0;
                while i < 4 {
                    let low = self.splat(&tables.0[8 * j + i]);
                    let high = self.splat(&tables.0[8 * j + 4 + i]);
                    a[i] = self.xor3(a[i], self.lookup(low, lows[0]), self.lookup(high, highs[0]));
                    b[i] = self.xor3(b[i], self.lookup(low, lows[1]), self.lookup(high, highs[1]));
                    i += 1;
                }
                j += 1;
            }
            let mut i = 0;
            while i < 4 {
                let (c, d) = (self.load(&w[0][i]), self.load(&w[1][i]));
                self.store(&mut w[0][i], self.xor(c, a[i]));
                self.store(&mut w[1][i], self.xor(d, b[i]));
                self.store(&mut u[0][i], a[i]);
                self.store(&mut u[1][i], b[i]);
                i += 1;
            }
        }
    };
}

impl Products<32> for Avx2 {
    by_nibbles!();

    #[inline(always)]
    fn exchange(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        // SAFETY: `self` is the proof of AVX2.
        unsafe { [_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)] }
    }
}

impl Products<64> for Avx512 {
    by_nibbles!();

    #[inline(always)]
    fn exchange(self, a: __m512i, b: __m512i) -> [__m512i; 2] {
        // SAFETY: `self` is the proof of AVX-512 F.
        unsafe { [_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0xee>(a, b)] }
    }
}

/// sum + plane times a block of a matrix.
#[inline(always)]
fn add_times(gfni: Gfni, sum: __m256i, plane: __m256i, block: __m256i) -> __m256i {
    // SAFETY: the witness is the proof of GFNI on 32 bytes.
    gfni.xor(sum, unsafe { _mm256_gf2p8affine_epi64_epi8::<0>(plane, block) })
}

/// A block of a matrix for every eight bytes.
#[inline(always)]
fn block(_: Gfni, block: u64) -> __m256i {
    // SAFETY: the witness is the proof of AVX2.
    unsafe { _mm256_set1_epi64x(block.cast_signed()) }
}

/// By bit matrices: sixteen instructions for a unit.
impl Products<32> for Gfni {
    type Factor = Matrix;

    #[inline(always)]
    fn exchange(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        self.avx2().exchange(a, b)
    }

    #[inline(always)]
    fn multiply_add(self, matrix: &Matrix, u: &mut [__m256i; 4], w: &[__m256i; 4]) {
        let mut place = 0;
        while place < 16 {
            u[place / 4] = add_times(self, u[place / 4], w[place % 4], block(self, matrix.0[place]));
            place += 1;
        }
    }

    /// The planes of w stay in registers, those of u come one after the other.
    #[inline(always)]
    fn two_butterflies(self, matrix: &Matrix, u: &mut [Unit<32>; 2], w: &mut [Unit<32>; 2]) {
        let [c, d] = [load(self, &w[0]), load(self, &w[1])];
        let mut i = 0;
        while i < 4 {
            let (mut a, mut b) = (self.load(&u[0][i]), self.load(&u[1][i]));
            let mut j = 0;
            while j < 4 {
                let block = block(self, matrix.0[4 * i + j]);
                a = add_times(self, a, c[j], block);
                b = add_times(self, b, d[j], block);
                j += 1;
            }
            self.store(&mut u[0][i], a);
            self.store(&mut u[1][i], b);
            self.store(&mut w[0][i], self.xor(c[i], a));
            self.store(&mut w[1][i], self.xor(d[i], b));
            i += 1;
        }
    }
}
