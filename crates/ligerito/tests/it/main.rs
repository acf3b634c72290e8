//! Tests of the crate from outside, in one program.

mod callers;
mod described;
mod inputs;
mod johnson;
mod laws;
mod planes;
mod reference;
mod rejects;
mod stacks;
mod streaming;
mod sums;
mod support;
mod together;
