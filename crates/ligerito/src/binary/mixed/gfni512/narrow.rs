//! The columns of rows of two, four, six or eight words: sixty-four rows at a time, none of whose bytes are missing.
//!
//! The byte at one place of all rows is brought into a register, so that every product is one for all of them, and sums
//! never cross a register. What eight rows at a time take is four times as many exchanges of bytes.

use super::{
    BLOCK, Images, STRIP, TRANSPOSED, load_bytes, store_limbs, transpose_qwords, transpose_weights, xor3,
};
use crate::binary::Gf32;
use core::arch::x86_64::*;

/// Rows that are taken at a time: blocks of eight.
const ROWS: usize = 8 * BLOCK;
/// Words of these at most.
const MOST_WORDS: usize = 8 * ROWS;

/// The matrices of every byte of a row of 8 `WIDTH` bytes, one for a byte of an element.
type Matrices<const N: usize, const WIDTH: usize> = [[[i64; N]; 8]; WIDTH];

/// As [`super::map_columns`], rows of 8 `WIDTH` bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline(never)]
pub(super) fn map<const N: usize, const WIDTH: usize, E: Images>(
    f: &[Gf32],
    images: &[[E; 32]],
    out: &mut [E],
) {
    let mut matrices: Matrices<N, WIDTH> = [[[0; N]; 8]; WIDTH];
    let images = images.as_flattened().as_chunks().0;
    for (images, planes) in images.iter().zip(matrices.as_flattened_mut()) {
        transpose_weights(images, planes);
    }
    let whole = f.chunks_exact(2 * WIDTH * ROWS);
    let (last, (out, last_out)) = (whole.remainder(), out.as_chunks_mut());
    for (f, out) in whole.zip(out) {
        put::<N, WIDTH, E>(f, &matrices, out);
    }
    if !last.is_empty() {
        let (mut f, mut out) = ([Gf32(0); MOST_WORDS], [E::ZERO; ROWS]);
        f[..last.len()].copy_from_slice(last);
        put::<N, WIDTH, E>(&f[..2 * WIDTH * ROWS], &matrices, &mut out);
        last_out.copy_from_slice(&out[..last_out.len()]);
    }
}

/// All rows of `f`, mapped.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn put<const N: usize, const WIDTH: usize, E: Images>(
    f: &[Gf32],
    matrices: &Matrices<N, WIDTH>,
    out: &mut [E; ROWS],
) {
    // Register o of a part has byte o of all rows; qword k those of block k.
    let mut parts = [[_mm512_setzero_si512(); 8]; WIDTH];
    for (k, block) in f.chunks_exact(2 * WIDTH * BLOCK).enumerate() {
        let bytes = load::<WIDTH>(block);
        for l in 0..WIDTH {
            parts[l][k] = bytes[l];
        }
    }
    for part in &mut parts {
        *part = transpose_qwords(*part);
    }
    let mut limbs = [[_mm512_setzero_si512(); 3]; 8];
    for limb in 0..N / 8 {
        let mut sums = [_mm512_setzero_si512(); 8];
        for l in 0..WIDTH {
            for o in (0..8).step_by(2) {
                let (x, y) = (parts[l][o], parts[l][o + 1]);
                for i in 0..8 {
                    let a = _mm512_set1_epi64(matrices[l][o][8 * limb + i]);
                    let b = _mm512_set1_epi64(matrices[l][o + 1][8 * limb + i]);
                    sums[i] = xor3(
                        sums[i],
                        _mm512_gf2p8affine_epi64_epi8::<0>(x, a),
                        _mm512_gf2p8affine_epi64_epi8::<0>(y, b),
                    );
                }
            }
        }
        for (k, bytes) in transpose_qwords(sums).into_iter().enumerate() {
            limbs[k][limb] = _mm512_permutexvar_epi8(load_bytes(&TRANSPOSED), bytes);
        }
    }
    for (limbs, out) in limbs.into_iter().zip(out.as_chunks_mut().0) {
        store_limbs::<N, E>(limbs, out);
    }
}

/// Eight rows of 8 `WIDTH` bytes: byte r of qword o of register l is byte 8 l + o of row r.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn load<const WIDTH: usize>(f: &[Gf32]) -> [__m512i; WIDTH] {
    const { assert!(matches!(WIDTH, 1..=4), "rows of two, four, six or eight words") };
    let mut lines = [_mm512_setzero_si512(); WIDTH];
    for (line, sixteen) in lines.iter_mut().zip(f.as_chunks::<STRIP>().0) {
        // SAFETY: sixteen words are sixty-four bytes.
        *line = unsafe { _mm512_loadu_si512(sixteen.as_ptr().cast()) };
    }
    let mut bytes = [_mm512_setzero_si512(); WIDTH];
    for l in 0..WIDTH {
        bytes[l] = match WIDTH {
            1 => _mm512_permutexvar_epi8(load_bytes(&TRANSPOSED), lines[0]),
            2 => _mm512_permutex2var_epi8(lines[0], load_bytes(&NARROW[l]), lines[1]),
            3 => {
                let (order, third) = &WIDE[l];
                let first = _mm512_permutex2var_epi8(lines[0], load_bytes(order), lines[1]);
                _mm512_mask_permutexvar_epi8(first, *third, load_bytes(order), lines[WIDTH - 1])
            }
            _ => {
                let order = load_bytes(&WIDER[l]);
                let first = _mm512_permutex2var_epi8(lines[0], order, lines[1]);
                let second = _mm512_permutex2var_epi8(lines[WIDTH - 2], order, lines[WIDTH - 1]);
                _mm512_mask_blend_epi32(0xaaaa, first, second)
            }
        };
    }
    bytes
}

/// Of eight rows of sixteen bytes: where byte r of qword o comes from, byte o or 8 + o of row r.
const NARROW: [[u8; 64]; 2] = {
    let mut orders = [[0; 64]; 2];
    let mut i = 0u8;
    while i < 64 {
        orders[0][i as usize] = 16 * (i % 8) + i / 8;
        orders[1][i as usize] = 16 * (i % 8) + i / 8 + 8;
        i += 1;
    }
    orders
};

/// Of eight rows of twenty-four bytes: where byte r of qword o comes from, byte 8 l + o of row r, in the third line for those
/// of the mask.
const WIDE: [([u8; 64], u64); 3] = {
    let mut orders = [([0; 64], 0); 3];
    let mut i = 0u8;
    while i < 64 {
        let mut l = 0u8;
        while l < 3 {
            let from = 24 * (i % 8) + 8 * l + i / 8;
            let (order, third) = &mut orders[l as usize];
            order[i as usize] = from;
            *third |= ((from >= 128) as u64) << i;
            l += 1;
        }
        i += 1;
    }
    orders
};

/// Of four rows of thirty-two bytes, twice in a qword: where byte r of qword o comes from, byte 8 l + o of row r.
const WIDER: [[u8; 64]; 4] = {
    let mut orders = [[0; 64]; 4];
    let mut i = 0u8;
    while i < 64 {
        let mut l = 0u8;
        while l < 4 {
            orders[l as usize][i as usize] = 32 * (i % 4) + 8 * l + i / 8;
            l += 1;
        }
        i += 1;
    }
    orders
};
