//! The field under Rescue, one operation at a time.

use phalanx::rescue::hazmat;

/// a + b modulo p = 2^64 - 2^32 + 1, like all below. Words may be any 64 bits; what comes out is below p. For public data.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_rescue_field_add(a: u64, b: u64) -> u64 {
    hazmat::add(a, b)
}

/// a - b.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_rescue_field_sub(a: u64, b: u64) -> u64 {
    hazmat::sub(a, b)
}

/// a b.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_rescue_field_mul(a: u64, b: u64) -> u64 {
    hazmat::mul(a, b)
}

/// a to the power of `exponent`. 0^0 is 1.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_rescue_field_pow(a: u64, exponent: u64) -> u64 {
    hazmat::pow(a, exponent)
}

/// The inverse of a, and 0 for 0.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_rescue_field_inverse(a: u64) -> u64 {
    hazmat::inverse(a)
}
