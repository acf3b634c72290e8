//! Tests of the crate from outside, in one program.

mod callers;
mod inputs;
mod laws;
mod planes;
mod reference;
mod rejects;
mod sums;
mod support;
