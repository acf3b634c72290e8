//! The C library of phalanx: the functions of `include/phalanx.h`, which is made from this source.
//!
//! `ffi` is where pointers become slices and where panics stop; `status` is what every function answers; the other
//! modules are the functions, each of a few lines, in the order context, out, in.
//!
//! The functions are not marked `unsafe`, although they believe the caller's pointers: only C calls them, where the mark
//! says nothing, and the rules of pointers stand in the header. No Rust code can name them, for this package is no Rust
//! library.
#![allow(unreachable_pub, reason = "an exported symbol is public, whatever its module is")]
#![allow(dead_code, reason = "constants and choices are for the header; this code takes numbers")]
#![allow(clippy::too_many_arguments, reason = "lengths and buffers are arguments in C")]

mod aggregate;
mod common;
#[cfg(has_custody)]
mod custody;
mod ed25519;
mod family;
mod ffi;
mod ligerito;
mod pq;
mod rescue;
mod status;
mod xmss;
