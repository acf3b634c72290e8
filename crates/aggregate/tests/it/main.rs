//! Tests of the public functions, and of the prover's forgeries.

mod prover;
mod rejects;
mod support;
mod vectors;
