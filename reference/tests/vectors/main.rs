//! Runs every stored vector of Generalized XMSS through the reference.
//!
//! The expected values come from the published Rust code (see `vectors/xmss/README.md`), never from this crate. The
//! variable `PHALANX_VECTORS` names another folder of the same file names and structure.

#![allow(clippy::unwrap_used, reason = "a malformed vector file is a failed test")]

mod end_to_end;
mod intermediate;
mod json;
mod primitives;
mod rejects;
