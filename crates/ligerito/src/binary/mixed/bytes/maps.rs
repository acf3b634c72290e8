//! Linear maps from eight bits to a byte, for thirty-two bytes at a time.

use super::super::images::Images;
use core::arch::x86_64::*;
use phalanx_core::lanes::ByteLanes;
use phalanx_core::simd::{Avx2, Gfni, Isa, Witness};

/// What maps bytes. Time does not depend on the values.
pub(crate) trait Maps: ByteLanes<Vector = __m256i, Bytes = [u8; 32]> + Witness + Into<Isa> {
    /// A map.
    type Map: Copy;

    /// The map to zero.
    const NOTHING: Self::Map;

    /// A map for each lane of a vector.
    type Both: Copy;

    /// The map to zero for both.
    const BOTH_NOTHING: Self::Both;

    /// Bytes made ready to be mapped.
    type Operand: Copy;

    /// The maps from bytes whose bit a stands for element a of `eight` to the bytes of the sum.
    fn put_maps<const N: usize, E: Images>(self, eight: &[E; 8], maps: &mut [Self::Map; N]);

    /// Sets the map of lane 0 or 1.
    fn set_lane(both: &mut Self::Both, lane: usize, map: &Self::Map);

    /// Makes bytes ready.
    fn operand(self, x: __m256i) -> Self::Operand;

    /// All bytes, by one map.
    fn mapped(self, x: Self::Operand, map: &Self::Map) -> __m256i;

    /// The bytes of each lane, by its own map.
    fn both_mapped(self, x: Self::Operand, maps: &Self::Both) -> __m256i;

    /// Bit b of byte a of every qword to bit a of byte b.
    fn transpose_bits(self, x: __m256i) -> __m256i;
}

/// Two tables of sixteen bytes, one for each nibble, which `pshufb` looks up. Four lookups an element: carry-less
/// products of components would be two and a half, at two cycles each on Zen 5, where a lookup takes half a cycle.
impl Maps for Avx2 {
    type Map = [[u8; 16]; 2];
    type Both = [[u8; 32]; 2];
    type Operand = [__m256i; 2];

    const NOTHING: Self::Map = [[0; 16]; 2];
    const BOTH_NOTHING: Self::Both = [[0; 32]; 2];

    #[inline(always)]
    fn put_maps<const N: usize, E: Images>(self, eight: &[E; 8], maps: &mut [Self::Map; N]) {
        let [a, b, c, d, e, f, g, h] = *eight;
        // SAFETY: `self` is the proof of AVX2.
        unsafe {
            put_tables([a, b, c, d], maps, 0);
            put_tables([e, f, g, h], maps, 1);
        }
    }

    #[inline(always)]
    fn set_lane(both: &mut Self::Both, lane: usize, map: &Self::Map) {
        for (both, table) in both.iter_mut().zip(map) {
            both[16 * lane..][..16].copy_from_slice(table);
        }
    }

    #[inline(always)]
    fn operand(self, x: __m256i) -> Self::Operand {
        [self.low_nibbles(x), self.high_nibbles(x)]
    }

    #[inline(always)]
    fn mapped(self, x: Self::Operand, map: &Self::Map) -> __m256i {
        self.xor(self.lookup(self.splat(&map[0]), x[0]), self.lookup(self.splat(&map[1]), x[1]))
    }

    #[inline(always)]
    fn both_mapped(self, x: Self::Operand, maps: &Self::Both) -> __m256i {
        self.xor(self.lookup(self.load(&maps[0]), x[0]), self.lookup(self.load(&maps[1]), x[1]))
    }

    /// Blocks of 1, 2 and 4 bits beside the diagonal are exchanged.
    #[inline(always)]
    fn transpose_bits(self, x: __m256i) -> __m256i {
        // SAFETY: `self` is the proof of AVX2.
        unsafe {
            let mask = _mm256_set1_epi64x(0x00aa_00aa_00aa_00aa);
            let t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64::<7>(x)), mask);
            let x = _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64::<7>(t)));
            let mask = _mm256_set1_epi64x(0x0000_cccc_0000_cccc);
            let t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64::<14>(x)), mask);
            let x = _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64::<14>(t)));
            let mask = _mm256_set1_epi64x(0xf0f0_f0f0);
            let t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64::<28>(x)), mask);
            _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64::<28>(t)))
        }
    }
}

/// All sums of four elements, byte o of them in half `half` of table o.
#[target_feature(enable = "avx2")]
#[inline]
fn put_tables<const N: usize, E: Images>(four: [E; 4], tables: &mut [[[u8; 16]; 2]; N], half: usize) {
    const { assert!(size_of::<E>() == N && (N == 16 || N == 24), "elements of as many bytes") };
    let mut sums = [E::ZERO; 16];
    for (bit, element) in four.into_iter().enumerate() {
        for i in 0..1 << bit {
            sums[i + (1 << bit)] = sums[i] + element;
        }
    }
    for first in (0..N).step_by(16) {
        let mut rows = [_mm_setzero_si128(); 16];
        for i in 0..16 {
            let bytes: *const u8 = (&raw const sums[i]).cast();
            // SAFETY: an element has sixteen bytes, or these and eight more.
            rows[i] = unsafe {
                if first == 0 { _mm_loadu_si128(bytes.cast()) } else { _mm_loadl_epi64(bytes.add(16).cast()) }
            };
        }
        for _ in 0..4 {
            let from = rows;
            for i in 0..8 {
                rows[2 * i] = _mm_unpacklo_epi8(from[i], from[i + 8]);
                rows[2 * i + 1] = _mm_unpackhi_epi8(from[i], from[i + 8]);
            }
        }
        for (table, row) in tables[first..].iter_mut().zip(rows) {
            // SAFETY: a table is sixteen bytes.
            unsafe { _mm_storeu_si128(table[half].as_mut_ptr().cast(), row) };
        }
    }
}

/// The matrix with ones on its diagonal, as an operand, and as a matrix: row i is byte 7 - i.
const DIAGONAL: i64 = 0x8040_2010_0804_0201_u64.cast_signed();
const IDENTITY: i64 = 0x0102_0408_1020_4080;

/// An 8x8 matrix over GF(2), one instruction.
impl Maps for Gfni {
    type Map = u64;
    type Both = [u64; 4];
    type Operand = __m256i;

    const NOTHING: u64 = 0;
    const BOTH_NOTHING: [u64; 4] = [0; 4];

    #[inline(always)]
    fn put_maps<const N: usize, E: Images>(self, eight: &[E; 8], maps: &mut [u64; N]) {
        // SAFETY: `self` is the proof of AVX2 and GFNI.
        unsafe { put_matrices(eight, maps) }
    }

    #[inline(always)]
    fn set_lane(both: &mut [u64; 4], lane: usize, map: &u64) {
        both[2 * lane..][..2].fill(*map);
    }

    #[inline(always)]
    fn operand(self, x: __m256i) -> __m256i {
        x
    }

    #[inline(always)]
    fn mapped(self, x: __m256i, map: &u64) -> __m256i {
        // SAFETY: `self` is the proof of GFNI.
        unsafe { _mm256_gf2p8affine_epi64_epi8::<0>(x, _mm256_set1_epi64x(map.cast_signed())) }
    }

    #[inline(always)]
    fn both_mapped(self, x: __m256i, maps: &[u64; 4]) -> __m256i {
        // SAFETY: `self` is the proof of GFNI, and four qwords are read.
        unsafe { _mm256_gf2p8affine_epi64_epi8::<0>(x, _mm256_loadu_si256(maps.as_ptr().cast())) }
    }

    /// The bytes are the rows of a matrix, the last one first, and the diagonal picks its columns.
    #[inline(always)]
    fn transpose_bits(self, x: __m256i) -> __m256i {
        // SAFETY: `self` is the proof of GFNI.
        unsafe {
            let order = _mm256_set_epi64x(
                0x0809_0a0b_0c0d_0e0f,
                0x0001_0203_0405_0607,
                0x0809_0a0b_0c0d_0e0f,
                0x0001_0203_0405_0607,
            );
            let reversed = _mm256_shuffle_epi8(x, order);
            _mm256_gf2p8affine_epi64_epi8::<0>(_mm256_set1_epi64x(DIAGONAL), reversed)
        }
    }
}

/// 8x8 matrices that take a byte whose bit a stands for element a to the bytes of the sum.
#[target_feature(enable = "avx2,gfni")]
#[inline]
fn put_matrices<const N: usize, E: Images>(eight: &[E; 8], matrices: &mut [u64; N]) {
    const { assert!(size_of::<E>() == N && (N == 16 || N == 24), "elements of as many bytes") };
    let identity = _mm_set1_epi64x(IDENTITY);
    for first in (0..N).step_by(16) {
        // The bytes of element a come to byte 7 - a: the seven bits of an index (row, byte) are rotated three times.
        let mut rows = [_mm_setzero_si128(); 8];
        for (row, element) in rows.iter_mut().rev().zip(eight) {
            let bytes: *const u8 = core::ptr::from_ref(element).cast();
            // SAFETY: an element has sixteen bytes, or these and eight more.
            *row = unsafe {
                if first == 0 { _mm_loadu_si128(bytes.cast()) } else { _mm_loadl_epi64(bytes.add(16).cast()) }
            };
        }
        for _ in 0..3 {
            let from = rows;
            for i in 0..4 {
                rows[2 * i] = _mm_unpacklo_epi8(from[i], from[i + 4]);
                rows[2 * i + 1] = _mm_unpackhi_epi8(from[i], from[i + 4]);
            }
        }
        for (row, pair) in rows.into_iter().zip(matrices[first..].as_chunks_mut::<2>().0) {
            // SAFETY: two qwords are written.
            unsafe {
                _mm_storeu_si128(pair.as_mut_ptr().cast(), _mm_gf2p8affine_epi64_epi8::<0>(identity, row));
            }
        }
    }
}
