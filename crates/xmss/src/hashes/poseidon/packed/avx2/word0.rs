//! Word 0 of a state across the lanes: a scalar, since only it has an S-box in the partial rounds.

use super::super::lanes::P_INVERSE;
use crate::fields::koala_bear::{KoalaBear, P};

/// `x / 2^32 mod p` as an integer with `|result| <= |x| / 2^32 + p / 2`.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the quotient is one modulo 2^32")]
pub(super) fn montgomery(x: i64) -> i64 {
    let quotient = (x.cast_unsigned() as u32).wrapping_mul(P_INVERSE).cast_signed();
    (x - i64::from(quotient) * i64::from(P)) >> 32
}

/// The third power of an integer between `-p` and `p`, which stands for `x / 2^32`.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "quotients are modulo 2^32, the result is below p")]
pub(super) fn scalar_cube(x: i64) -> KoalaBear {
    // The bounds are those of `FieldLanes::cube`; the quotients do not wait for the products.
    let over_p = (x.cast_unsigned() as u32).wrapping_mul(P_INVERSE);
    let by = |y: i64| {
        let quotient = (y.cast_unsigned() as u32).wrapping_mul(over_p).cast_signed();
        (y * x - i64::from(quotient) * i64::from(P)) >> 32
    };
    let y = by(by(x));
    let reduced = if y < 0 { y + i64::from(P) } else { y };
    KoalaBear::from_reduced_montgomery(reduced.cast_unsigned() as u32)
}
