//! Decoding a point from 32 bytes (RFC 8032 section 5.1.3, without its canonical checks, which are reported instead).

use super::{D, Point, SQRT_MINUS_1};
use crate::fields::p25519::Element;

/// A decoded point, and whether the bytes were its one canonical encoding.
#[derive(Clone, Copy)]
pub(crate) struct Decoded {
    pub(crate) point: Point,
    /// y is below p.
    pub(crate) y_is_canonical: bool,
    /// x = 0 comes without a sign.
    pub(crate) sign_is_canonical: bool,
}

impl Decoded {
    pub(crate) fn is_canonical(&self) -> bool {
        self.y_is_canonical && self.sign_is_canonical
    }
}

/// The loose decoder: y is taken modulo p; a sign on x = 0 is ignored. `None` if there is no such point. Variable time.
pub(crate) fn decode(bytes: &[u8; 32]) -> Option<Decoded> {
    let y = Element::from_bytes(bytes);
    let sign = bytes[31] >> 7 == 1;
    let yy = y.square();
    let (u, v) = (yy.sub(&Element::ONE), yy.mul(&D).add(&Element::ONE));
    // x = u v^3 (u v^7)^((p-5)/8)
    let v3 = v.square().mul(&v);
    let uv3 = u.mul(&v3);
    let mut x = uv3.mul(&uv3.mul(&v3).mul(&v).pow_p58());
    let vxx = v.mul(&x.square());
    if !vxx.sub(&u).is_zero() {
        if !vxx.add(&u).is_zero() {
            return None;
        }
        x = x.mul(&SQRT_MINUS_1);
    }
    if x.is_odd() != sign {
        x = x.negate();
    }
    let mut canonical = y.to_bytes();
    canonical[31] |= bytes[31] & 0x80;
    Some(Decoded {
        point: Point { x, y, z: Element::ONE, t: x.mul(&y) },
        y_is_canonical: canonical == *bytes,
        sign_is_canonical: !(sign && x.is_zero()),
    })
}
