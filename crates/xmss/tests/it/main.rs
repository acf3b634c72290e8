//! Tests of the crate from outside, in one program.

mod any;
mod blake2s;
mod blake2s_keys;
mod key_files;
mod laws;
mod reference;
mod rejects_verify;
mod rejects_wire;
mod signing;
mod support;
mod wire;
