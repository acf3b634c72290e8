//! Four computations to be proved, each an AIR with its trace, and one prover for all, with Winterfell's commitments or
//! with ours.
#![allow(dead_code, reason = "the example and the tests need different parts")]

pub(crate) mod chain;
mod fibonacci;
mod prover;
mod rounds;
mod shuffle;

pub(crate) use chain::Chain;
pub(crate) use fibonacci::Fibonacci;
pub(crate) use prover::{Commitments, Computation, Ours, ProverOf, Table, Theirs};
pub(crate) use rounds::Rounds;
pub(crate) use shuffle::Shuffle;
