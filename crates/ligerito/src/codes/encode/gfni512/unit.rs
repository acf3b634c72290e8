//! A unit in the registers.

use super::Matrix;
use crate::binary::Gf32;
use crate::codes::encode::matrices::POWERS;
use core::arch::x86_64::*;
use phalanx_core::simd::opaque_pointer;

/// Four planes.
pub(super) type Unit = [__m512i; 4];

/// The same pointer. Otherwise the compiler takes the blocks of a matrix that it has just stored from the register, by shuffles,
/// of which there are fewer in a cycle than loads.
#[inline(always)]
pub(super) fn in_memory(matrices: *mut __m512i) -> *const i64 {
    opaque_pointer(matrices.cast::<i64>())
}

/// Two registers as a matrix in memory.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn stored(registers: [__m512i; 2]) -> Matrix {
    let mut matrix = Matrix([0; 16]);
    let to = matrix.0.as_mut_ptr().cast::<__m512i>();
    // SAFETY: a matrix is two registers long.
    unsafe {
        _mm512_store_si512(to, registers[0]);
        _mm512_store_si512(to.add(1), registers[1]);
    }
    matrix
}

/// The matrix of multiplication by a public constant.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn matrix(factor: Gf32) -> Matrix {
    let mut sum = [_mm512_setzero_si512(); 2];
    let mut bits = factor.0;
    while bits != 0 {
        let power = POWERS[bits.trailing_zeros() as usize].0.as_ptr().cast::<__m512i>();
        // SAFETY: a matrix is two registers long.
        unsafe {
            sum[0] = _mm512_xor_si512(sum[0], _mm512_load_si512(power));
            sum[1] = _mm512_xor_si512(sum[1], _mm512_load_si512(power.add(1)));
        }
        bits &= bits - 1;
    }
    stored(sum)
}

/// u += w.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn add(u: &mut Unit, w: &Unit) {
    for i in 0..4 {
        u[i] = _mm512_xor_si512(u[i], w[i]);
    }
}

/// a ^ b ^ c.
#[inline]
#[target_feature(enable = "avx512f")]
fn sum(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

/// A plane times a block.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn times(plane: __m512i, block: __m512i) -> __m512i {
    _mm512_gf2p8affine_epi64_epi8::<0>(plane, block)
}

/// u += l w, for the sixteen blocks of the matrix of l.
///
/// # Safety
/// `blocks` points to sixteen of them.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
pub(super) unsafe fn multiply_add(blocks: *const i64, u: &mut Unit, w: &Unit) {
    for i in 0..4 {
        // SAFETY: sixteen blocks, says the caller.
        unsafe {
            let block = blocks.add(4 * i);
            let first = times(w[0], _mm512_set1_epi64(*block));
            let second = times(w[1], _mm512_set1_epi64(*block.add(1)));
            u[i] = sum(u[i], first, second);
            let first = times(w[2], _mm512_set1_epi64(*block.add(2)));
            let second = times(w[3], _mm512_set1_epi64(*block.add(3)));
            u[i] = sum(u[i], first, second);
        }
    }
}

/// a += l c and b += l d.
///
/// # Safety
/// `blocks` points to sixteen of them.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
pub(super) unsafe fn multiply_add_two(blocks: *const i64, a: &mut Unit, b: &mut Unit, c: &Unit, d: &Unit) {
    for i in 0..4 {
        for j in [0, 2] {
            // SAFETY: sixteen blocks, says the caller.
            unsafe {
                let first = _mm512_set1_epi64(*blocks.add(4 * i + j));
                let second = _mm512_set1_epi64(*blocks.add(4 * i + j + 1));
                a[i] = sum(a[i], times(c[j], first), times(c[j + 1], second));
                b[i] = sum(b[i], times(d[j], first), times(d[j + 1], second));
            }
        }
    }
}

/// A unit, as planes or turned into them.
///
/// # Safety
/// `from` may be read for 256 bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) unsafe fn load<const ELEMENTS: bool>(from: *const __m512i) -> Unit {
    // SAFETY: four registers, says the caller.
    let z = unsafe {
        [
            _mm512_loadu_si512(from),
            _mm512_loadu_si512(from.add(1)),
            _mm512_loadu_si512(from.add(2)),
            _mm512_loadu_si512(from.add(3)),
        ]
    };
    if ELEMENTS { planes(z) } else { z }
}

/// Writes a unit as planes, past the caches.
///
/// # Safety
/// `to` may be written to for 256 bytes and is a multiple of 64.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn stream(to: *mut __m512i, unit: Unit) {
    // SAFETY: four registers, aligned, says the caller.
    unsafe {
        _mm512_stream_si512(to, unit[0]);
        _mm512_stream_si512(to.add(1), unit[1]);
        _mm512_stream_si512(to.add(2), unit[2]);
        _mm512_stream_si512(to.add(3), unit[3]);
    }
}

/// Writes a unit, as planes or turned back into elements.
///
/// # Safety
/// `to` may be written to for 256 bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) unsafe fn store<const ELEMENTS: bool>(to: *mut __m512i, unit: Unit) {
    let z = if ELEMENTS { elements(unit) } else { unit };
    // SAFETY: four registers, says the caller.
    unsafe {
        _mm512_storeu_si512(to, z[0]);
        _mm512_storeu_si512(to.add(1), z[1]);
        _mm512_storeu_si512(to.add(2), z[2]);
        _mm512_storeu_si512(to.add(3), z[3]);
    }
}

/// Bytes `byte` and `byte` + 1 of 32 elements in two registers, one after the other.
const fn gather(byte: u8) -> [u8; 64] {
    let mut index = [0; 64];
    let mut i = 0;
    while i < 64 {
        // Element i % 32; bit 6 chooses the second register.
        #[expect(clippy::cast_possible_truncation, reason = "below 128")]
        let place = (i % 32 * 4 + i / 32) as u8 + byte;
        index[i] = place;
        i += 1;
    }
    index
}

/// Sixteen elements, from `first` on, of two registers of which each has two halves of planes.
const fn scatter(first: u8) -> [u8; 64] {
    let mut index = [0; 64];
    let mut i = 0;
    while i < 64 {
        #[expect(clippy::cast_possible_truncation, reason = "below 128")]
        let place = (i / 4 + i % 4 * 32) as u8 + first;
        index[i] = place;
        i += 1;
    }
    index
}

/// A constant in a register.
#[inline]
#[target_feature(enable = "avx512f")]
fn constant(bytes: &'static [u8; 64]) -> __m512i {
    // SAFETY: 64 bytes.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// From elements to planes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn planes(z: [__m512i; 4]) -> Unit {
    static LOW: [u8; 64] = gather(0);
    static HIGH: [u8; 64] = gather(2);
    let (low, high) = (constant(&LOW), constant(&HIGH));
    let a = _mm512_permutex2var_epi8(z[0], low, z[1]);
    let b = _mm512_permutex2var_epi8(z[2], low, z[3]);
    let c = _mm512_permutex2var_epi8(z[0], high, z[1]);
    let d = _mm512_permutex2var_epi8(z[2], high, z[3]);
    [
        _mm512_shuffle_i64x2::<0x44>(a, b),
        _mm512_shuffle_i64x2::<0xee>(a, b),
        _mm512_shuffle_i64x2::<0x44>(c, d),
        _mm512_shuffle_i64x2::<0xee>(c, d),
    ]
}

/// From planes to elements.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn elements(unit: Unit) -> [__m512i; 4] {
    static FIRST: [u8; 64] = scatter(0);
    static SECOND: [u8; 64] = scatter(16);
    let (first, second) = (constant(&FIRST), constant(&SECOND));
    let a = _mm512_shuffle_i64x2::<0x44>(unit[0], unit[1]);
    let b = _mm512_shuffle_i64x2::<0x44>(unit[2], unit[3]);
    let c = _mm512_shuffle_i64x2::<0xee>(unit[0], unit[1]);
    let d = _mm512_shuffle_i64x2::<0xee>(unit[2], unit[3]);
    [
        _mm512_permutex2var_epi8(a, first, b),
        _mm512_permutex2var_epi8(a, second, b),
        _mm512_permutex2var_epi8(c, first, d),
        _mm512_permutex2var_epi8(c, second, d),
    ]
}
