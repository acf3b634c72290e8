//! Products in integer registers, with the multiplications and carries of ADX; AVX2 reads the tables.
#![expect(unsafe_code, reason = "intrinsics and the entry into AVX2 code, on the strength of a witness")]

mod entries;
mod many;
mod single;

pub(super) use many::base_mul_many;
pub(super) use single::base_mul;
