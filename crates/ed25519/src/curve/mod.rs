//! The group of edwards25519: -x^2 + y^2 = 1 + d x^2 y^2 over p = 2^255 - 19.
//!
//! The group law is written once, generic over [`Lanes`]: [`One`] runs it on one point, the vector backends on several.
//! The addition law is complete (a = -1, d is no square): there are no exceptional cases anywhere.
//!
//! Source of the formulas: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited" (ePrint 2008/522), section 3.1
//! (addition, a = -1) and section 3.3 (doubling). Signs are arranged so that every difference has a single product as its
//! subtrahend and no operand of a product needs a carry pass of its own.

mod base_mul;
mod comb;
mod decode;
mod halving;
pub(crate) mod lanes;
mod law;
pub(crate) mod msm;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "lanes of its own are for x86-64 so far"))]
mod pair;
mod scalar_mul;
mod tables;
#[cfg(test)]
mod tests;

pub(crate) use base_mul::{Affine, MANY, base_mul, base_mul_many};
pub(crate) use comb::{KeyTables, double_base_mul as comb_double_base_mul, tables as comb_tables};
pub(crate) use decode::{Decoded, decode, decode_pair, has_small_order};
pub(crate) use halving::{Halves, halves};
pub(crate) use law::Extended;
pub(crate) use scalar_mul::{double_base_mul_vartime, sum_of_products};

use crate::fields::p25519::Element;

/// d = -121665/121666.
pub(crate) const D: Element = Element::from_bytes(&[
    0xa3, 0x78, 0x59, 0x13, 0xca, 0x4d, 0xeb, 0x75, 0xab, 0xd8, 0x41, 0x41, 0x4d, 0x0a, 0x70, 0x00, 0x98,
    0xe8, 0x79, 0x77, 0x79, 0x40, 0xc7, 0x8c, 0x73, 0xfe, 0x6f, 0x2b, 0xee, 0x6c, 0x03, 0x52,
]);

/// 2^((p - 1) / 4), a square root of -1.
pub(crate) const SQRT_MINUS_1: Element = Element::from_bytes(&[
    0xb0, 0xa0, 0x0e, 0x4a, 0x27, 0x1b, 0xee, 0xc4, 0x78, 0xe4, 0x2f, 0xad, 0x06, 0x18, 0x43, 0x2f, 0xa7,
    0xd7, 0xfb, 0x3d, 0x99, 0x00, 0x4d, 0x2b, 0x0b, 0xdf, 0xc1, 0x4f, 0x80, 0x24, 0x83, 0x2b,
]);

/// The encoding of the base point B: y = 4/5, x even.
pub(crate) const BASE_POINT: [u8; 32] = {
    let mut bytes = [0x66; 32];
    bytes[0] = 0x58;
    bytes
};

/// A point, one at a time, for the portable paths and for what is stored in keys.
pub(crate) type Point = Extended<Element>;
