//! Runs every stored vector of `ligerito-v1` through the reference.
//!
//! The expected values come from two earlier implementations that agreed (see `vectors/ligerito-own/README.md`), never from
//! this crate. The variable `PHALANX_LIGERITO_VECTORS` names another folder of the same file names and structure.

#![allow(clippy::unwrap_used, reason = "a malformed vector file is a failed test")]

mod basics;
mod json;
mod proofs;
mod rejects;
