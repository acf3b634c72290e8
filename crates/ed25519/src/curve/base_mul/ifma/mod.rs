//! AVX-512 with IFMA: one product across the lanes.
#![expect(unsafe_code, reason = "intrinsics and loads, on the strength of a witness")]

mod single;

pub(super) use single::base_mul;
