//! Runs every stored vector of XMSS over BLAKE2s through the reference.
//!
//! The expected values come from elsewhere (see `vectors/xmss-blake2s/README.md`), never from this crate. The variable
//! `PHALANX_XMSS_BLAKE2S_VECTORS` names another folder of the same file names and structure.

#![allow(clippy::unwrap_used, reason = "a malformed vector file is a failed test")]

mod hashes;
mod json;
mod signatures;
