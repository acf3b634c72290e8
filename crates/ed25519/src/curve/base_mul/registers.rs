//! Elements and points between registers and memory.
#![expect(unsafe_code, reason = "stores, on the strength of a witness")]

use crate::curve::base_tables::NIELS_LIMBS as LIMBS;
use crate::curve::point::{Niels, Projective};
use crate::fields::p25519::{Element, Fe8 as Fe};
use core::arch::x86_64::{__m512i, _mm512_storeu_si512};

#[inline(always)]
pub(super) fn niels(limbs: &[__m512i; LIMBS]) -> Niels<Fe> {
    let fe = |i: usize| Fe([limbs[i], limbs[i + 1], limbs[i + 2], limbs[i + 3], limbs[i + 4]]);
    Niels { y_plus_x: fe(0), y_minus_x: fe(5), xy2d: fe(10) }
}

/// Lanes of X, Y, Z.
pub(super) type Stored = [[u64; 8]; LIMBS];

/// # Safety
/// The CPU has AVX-512 F.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn store(point: &Projective<Fe>, to: &mut Stored) {
    // SAFETY: as the caller says.
    unsafe { store_limbs([point.x.0, point.y.0, point.z.0], to) };
}

/// The limbs of X, Y and Z.
///
/// # Safety
/// The CPU has AVX-512 F.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn store_limbs(coordinates: [[__m512i; 5]; 3], to: &mut Stored) {
    for (i, limbs) in coordinates.into_iter().enumerate() {
        for (row, limb) in to[5 * i..5 * i + 5].iter_mut().zip(limbs) {
            // SAFETY: a row is 64 bytes.
            unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), limb) };
        }
    }
}

/// The point of one lane.
pub(super) fn lane(stored: &Stored, lane: usize) -> Projective<Element> {
    let element = |i: usize| Element(core::array::from_fn(|limb| stored[5 * i + limb][lane]));
    Projective { x: element(0), y: element(1), z: element(2) }
}
