//! Tests of the crate from outside, in one program.

mod openssl;
mod peers;
mod reasons;
mod signing;
mod ssh;
