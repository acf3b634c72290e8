//! A compression function as products of bits, and the walks over its program.
//!
//! A *block* is one compression: 2^14 bits z (2^15 of SHA-256) in words of 32, of which the first are inputs and outputs, then
//! comes one product for every carry. Row i of two matrices A and B over GF(2) says which bits add up to the factors of bit i:
//! (A z)_i (B z)_i = z_i. The matrices are never stored; walking the program gives what they do to a vector.
//! Source: docs/aggregate.md, sections 2
//! and 8.
#![forbid(unsafe_code)]

mod blake2s;
mod elements;
mod program;
mod sha256;
mod words;

pub(crate) use blake2s::Blake2sCompression;
pub(crate) use elements::{columns, rows};
pub(crate) use program::Circuit;
pub(crate) use sha256::Sha256Compression;
#[cfg(any(test, feature = "hazmat"))]
pub(crate) use words::forms;
pub(crate) use words::{Blocks, LANES, Lanes, put_lanes};

#[cfg(test)]
mod tests;
