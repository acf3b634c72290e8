//! [s]B in constant time, for signing and key derivation.

use super::{BASE_POINT, Point, decode};
use crate::fields::p25519::{Element, Lanes, One};
use crate::fields::scalar25519::Scalar;

/// [s]B. Time independent of s.
pub(crate) fn base_mul(s: &Scalar) -> Point {
    let base = decode(&BASE_POINT).expect("B decodes").point;
    let bytes = s.to_bytes();
    let mut sum = Point::IDENTITY;
    for i in (0..256).rev() {
        sum = sum.double();
        let with = sum.add(&base);
        let bit = bytes[i / 8] >> (i % 8) & 1;
        let pick = |a: &Element, b: &Element| One.select(bit, a, b);
        sum = Point {
            x: pick(&sum.x, &with.x),
            y: pick(&sum.y, &with.y),
            z: pick(&sum.z, &with.z),
            t: pick(&sum.t, &with.t),
        };
    }
    sum
}
