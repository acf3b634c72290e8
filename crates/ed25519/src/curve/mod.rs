//! The group of edwards25519: -x^2 + y^2 = 1 + d x^2 y^2 over p = 2^255 - 19.
//!
//! The group law ([`point`]) is written once, generic over [`FieldLanes`](crate::fields::p25519::FieldLanes): `Single`
//! runs it on one point, the vector backends on several. The addition law is complete (a = -1, d is no square): there
//! are no exceptional cases anywhere.
//!
//! Source of the formulas: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited" (ePrint 2008/522), section
//! 3.1 (addition, a = -1) and section 3.3 (doubling). Signs are arranged so that every difference has a single product
//! as its subtrahend and no operand of a product needs a carry pass of its own.

mod base_mul;
mod base_tables;
mod comb;
mod constants;
#[cfg(target_arch = "x86_64")]
mod coordinates;
mod decode;
mod digits;
mod halving;
#[cfg(target_arch = "x86_64")]
mod ifma_x2;
pub(crate) mod lanes;
pub(crate) mod msm;
mod point;
mod scalar_mul;
#[cfg(test)]
mod tests;

pub(crate) use base_mul::{Affine, MANY, base_mul, base_mul_many};
pub(crate) use comb::{KeyTables, double_base_mul as comb_double_base_mul, tables as comb_tables};
pub(crate) use constants::BASE_POINT;
pub(crate) use decode::{Decoded, decode, decode_x2, has_small_order};
pub(crate) use halving::{Halves, halves};
pub(crate) use point::{NielsRow, Point};
pub(crate) use scalar_mul::{double_base_mul_vartime, is_torsion_free, sum_of_products};
