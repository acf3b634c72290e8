//! The field under Rescue, for tests and checks: scalar, one operation at a time, and for public data.
//!
//! Words may be any `u64` and are taken modulo p; results are canonical.
//!
//! ```
//! use phalanx_rescue::hazmat;
//!
//! assert_eq!(hazmat::mul(3, hazmat::inverse(3)), 1);
//! assert_eq!(hazmat::add(hazmat::MODULUS - 1, 2), 1);
//! ```

use crate::goldilocks::{self, P, Reduction, Vartime};

/// p = 2^64 - 2^32 + 1.
pub const MODULUS: u64 = P;

/// The representative below p.
#[must_use]
pub const fn canonical(a: u64) -> u64 {
    goldilocks::canonical(a)
}

/// a + b.
#[must_use]
pub const fn add(a: u64, b: u64) -> u64 {
    canonical(goldilocks::add(a, b))
}

/// a - b.
#[must_use]
pub const fn sub(a: u64, b: u64) -> u64 {
    canonical(goldilocks::sub(a, b))
}

/// a b.
#[must_use]
pub fn mul(a: u64, b: u64) -> u64 {
    canonical(Vartime::mul(a, b))
}

/// a to the power of `exponent`. 0^0 is 1.
#[must_use]
pub fn pow(a: u64, exponent: u64) -> u64 {
    let (mut power, mut result) = (a, 1);
    for bit in 0..u64::BITS {
        if exponent >> bit & 1 == 1 {
            result = Vartime::mul(result, power);
        }
        power = Vartime::mul(power, power);
    }
    canonical(result)
}

/// The inverse of a, and 0 for 0.
#[must_use]
pub fn inverse(a: u64) -> u64 {
    pow(a, P - 2)
}
