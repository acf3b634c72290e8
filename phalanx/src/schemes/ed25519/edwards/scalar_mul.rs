//! Products of points and scalars, one at a time.

use super::{BASE_POINT, D, Point, decode};
use crate::fields::p25519::One;
use crate::fields::scalar25519::Scalar;

impl Point {
    pub(crate) fn add(&self, other: &Self) -> Self {
        self.summable(One).add(One, &other.addend(One, &D.add(&D))).extended(One)
    }

    pub(crate) fn double(&self) -> Self {
        self.projective().double(One).extended(One)
    }
}

/// [s]B + [k]A. Variable time: for verification, where all inputs are public.
pub(crate) fn double_base_mul_vartime(s: &Scalar, a: &Point, k: &Scalar) -> Point {
    let base = decode(&BASE_POINT).expect("B decodes").point;
    let (s, k) = (s.to_bytes(), k.to_bytes());
    let bit = |bytes: &[u8; 32], i: usize| bytes[i / 8] >> (i % 8) & 1 == 1;
    (0..256).rev().fold(Point::IDENTITY, |mut sum, i| {
        sum = sum.double();
        if bit(&s, i) {
            sum = sum.add(&base);
        }
        if bit(&k, i) {
            sum = sum.add(a);
        }
        sum
    })
}
