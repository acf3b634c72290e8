//! Tests of the crate from outside, in one program.

mod openssl;
mod signing;
mod ssh;
mod ssh_random;
