//! Tests of the crate from outside, in one program.

mod functions;
mod peers;
