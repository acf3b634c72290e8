//! The field of integers modulo p = 2^255 - 19.
//!
//! [`Element`] is the portable form, one element at a time. [`Lanes`] is the seam for backends: the same operations on
//! several independent elements at once, so that the group law of edwards25519 is written once for all of them.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod inversion;
mod lanes;
mod portable;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::{Four, Limbs as Fe4};
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::{Eight, Fe as Fe8, Wide as Wide8};
pub(crate) use lanes::{Lanes, MAX_LANES};
pub(crate) use portable::{Element, One};
