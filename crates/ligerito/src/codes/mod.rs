//! Reed-Solomon codes over binary fields, encoded by the additive number-theoretic transform.
//!
//! A code of K = d + r bits takes 2^d field elements to 2^K: the values, at the points 0, 1, …, 2^K - 1 (integers as
//! elements), of the polynomial that they are coefficients of in the *normalised novel basis*. docs/ligerito.md section
//! 2 has the mathematics.

mod basis;
mod encode;
mod induce;
#[cfg(any(feature = "hazmat", feature = "ref-v08"))]
mod scale;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use basis::Basis;
pub(crate) use encode::{Encoder, Transform, encode, encode_some};
pub(crate) use induce::induce;
#[cfg(any(feature = "hazmat", feature = "ref-v08"))]
pub(crate) use scale::scales;
pub(crate) use values::values_at;
