//! Tests of the crate from outside, in one program.

mod functions;
#[cfg(feature = "digest")]
mod hashers;
