//! The field of integers modulo p = 2^255 - 19.
//!
//! [`Element`] is the portable form, one element at a time. [`FieldLanes`] is the seam for backends: the same
//! operations on several independent elements at once, so that the group law of edwards25519 is written once for all of
//! them.

#[cfg(target_arch = "x86_64")]
mod adx;
#[cfg(target_arch = "x86_64")]
mod doubles;
mod element;
#[cfg(target_arch = "x86_64")]
mod four_lanes;
#[cfg(target_arch = "x86_64")]
mod halves;
#[cfg(target_arch = "x86_64")]
mod ifma;
#[cfg(target_arch = "x86_64")]
mod ifma_x4;
mod inversion;
mod lanes;
mod power;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
pub(crate) use adx::{Fe as Fe1, X1};
#[cfg(target_arch = "x86_64")]
pub(crate) use doubles::{Doubles, Limbs, Vectors};
pub(crate) use element::Element;
#[cfg(target_arch = "x86_64")]
pub(crate) use four_lanes::{Columns, FourLanes};
#[cfg(target_arch = "x86_64")]
pub(crate) use halves::X8Halves;
#[cfg(target_arch = "x86_64")]
pub(crate) use ifma::{Fe as Fe8, Wide as Wide8, X8};
#[cfg(target_arch = "x86_64")]
pub(crate) use ifma_x4::{X4, pow_p58_x2};
pub(crate) use lanes::{FieldLanes, MAX_LANES, Single};
#[cfg(any(test, target_arch = "x86_64"))]
pub(crate) use power::pow_2_250_minus_1;
