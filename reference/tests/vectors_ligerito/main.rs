//! Runs every stored vector of the suites `ligerito-v1-provable100`, `ligerito-v1-provable128` and `ligerito-v2-johnson128`
//! through the reference.
//!
//! The expected values of the first come from two earlier implementations that agreed (`vectors/ligerito-own/README.md`), never
//! from this crate; those of the second from this crate, for others to agree with (`vectors/ligerito-128/README.md`); those of
//! `ligerito-v2` from a model (`vectors/ligerito-v2/README.md`). The variables `PHALANX_LIGERITO_VECTORS` and
//! `PHALANX_LIGERITO_128_VECTORS` name other folders of the same file names and structure as the first two.

#![allow(clippy::unwrap_used, reason = "a malformed vector file is a failed test")]

mod basics;
mod callers;
mod johnson;
mod json;
mod planes;
mod proofs;
mod rejects;
mod sums;
