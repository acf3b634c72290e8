//! AVX-512: one product across the lanes, or eight products side by side.
#![expect(unsafe_code, reason = "intrinsics and loads, on the strength of a witness")]

mod batch8;
mod registers;
mod single;

pub(super) use batch8::base_mul_many;
pub(super) use single::base_mul;
