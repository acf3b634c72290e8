//! Tests of the crate from outside, in one program.

mod constant_time;
mod functions;
mod peers;
