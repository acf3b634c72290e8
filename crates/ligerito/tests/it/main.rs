//! Tests of the crate from outside, in one program.

mod inputs;
mod johnson;
mod laws;
mod planes;
mod reference;
mod rejects;
mod sums;
mod support;
