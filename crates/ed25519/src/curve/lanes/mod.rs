//! Verification in lanes: decoding, and [s]B - [k]A, for as many signatures as a backend has lanes.
//!
//! The work is a sequence of [`Stage`]s. Each is written once, generic over [`PointLanes`], and compiled by every
//! backend as one function of its own that works on operands in memory: small enough for the compiler to keep in
//! registers what belongs there, large enough that the calls do not count. The sequence itself is ordinary code without
//! vectors.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(test, target_arch = "x86_64"))]
mod decode;
#[cfg(any(test, target_arch = "x86_64"))]
mod multiply;
mod point_lanes;
mod single;
#[cfg(test)]
mod tests;

#[cfg(any(test, target_arch = "x86_64"))]
pub(crate) use decode::{decode_x2, order_2, small_order};
#[cfg(any(test, target_arch = "x86_64"))]
pub(crate) use multiply::{Scratch, double_base_mul};
#[cfg(any(test, target_arch = "x86_64"))]
pub(crate) use point_lanes::Affine;
pub(crate) use point_lanes::{PointLanes, Stage};
