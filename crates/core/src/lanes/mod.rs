//! One vocabulary of vectors for the kernels of all crates.
//!
//! The value that has these methods is a witness that the instructions exist ([`simd`](crate::simd)), or [`Scalar`],
//! which needs none. A kernel is written once, generic over it, and compiled once for every witness, in a function
//! that carries the witness's `#[target_feature]`. So that it stays inlined there, everything on the way from that
//! function to the methods below is `#[inline(always)]`.
//!
//! An instruction set that computes an operation better than from the others says so in its own file; the bodies in
//! the traits are what all others do.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod bytes;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
mod intrinsics;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod transpose;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm128;
mod words;

pub use bytes::ByteLanes;
pub use scalar::Scalar;
#[cfg(target_arch = "x86_64")]
pub use transpose::{transpose8, transpose8x32, transpose16};
pub use words::{MinLanes, Transpose, WordLanes};
