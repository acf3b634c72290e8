//! The field of integers modulo p = 2^255 - 19.
//!
//! [`Element`] is the portable form, one element at a time. [`Lanes`] is the seam for backends: the same operations on
//! several independent elements at once, so that the group law of edwards25519 is written once for all of them.

mod lanes;
mod portable;
#[cfg(test)]
mod tests;

pub(crate) use lanes::Lanes;
pub(crate) use portable::{Element, One};
