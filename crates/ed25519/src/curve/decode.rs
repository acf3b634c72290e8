//! Decoding a point from 32 bytes (RFC 8032 section 5.1.3, without its canonical checks, which are reported instead).

use super::constants::{D, SQRT_MINUS_1};
use super::point::Point;
use crate::fields::p25519::Element;
#[cfg(target_arch = "x86_64")]
use crate::fields::p25519::{X1, pow_p58_x2};
use phalanx_core::first_of;
use phalanx_core::simd::Isa;

/// A decoded point, and whether the bytes were its one canonical encoding.
#[derive(Clone, Copy)]
pub(crate) struct Decoded {
    pub(crate) point: Point,
    /// y is below p.
    pub(crate) y_is_canonical: bool,
    /// x = 0 comes without a sign.
    pub(crate) sign_is_canonical: bool,
    /// \[8\]P = O.
    pub(crate) is_weak: bool,
}

impl Decoded {
    pub(crate) fn is_canonical(&self) -> bool {
        self.y_is_canonical && self.sign_is_canonical
    }
}

/// The loose decoder: y is taken modulo p; a sign on x = 0 is ignored. `None` if there is no such point. Variable time.
pub(crate) fn decode(bytes: &[u8; 32]) -> Option<Decoded> {
    let fraction = Fraction::of(bytes);
    finish(bytes, &fraction, &fraction.uv7().pow_p58())
}

/// [`decode`] of two, side by side: the vector form takes their square roots in one chain.
pub(crate) fn decode_x2(isa: Isa, bytes: [&[u8; 32]; 2]) -> [Option<Decoded>; 2] {
    let fractions = bytes.map(Fraction::of);
    let mut powers = fractions.each_ref().map(Fraction::uv7);
    first_of!(isa;
        ifma(witness) => pow_p58_x2(witness, &mut powers),
        adx(witness) => X1(witness).pow_p58_x2(&mut powers),
        else => powers = powers.map(|uv7| uv7.pow_p58()),
    );
    core::array::from_fn(|i| finish(bytes[i], &fractions[i], &powers[i]))
}

/// x^2 = u/v for the y of some bytes.
struct Fraction {
    y: Element,
    u: Element,
    v: Element,
    v3: Element,
    uv3: Element,
}

impl Fraction {
    fn of(bytes: &[u8; 32]) -> Self {
        let y = Element::from_bytes(bytes);
        let yy = y.square();
        let (u, v) = (yy.sub(&Element::ONE), yy.mul(&D).add(&Element::ONE));
        let v3 = v.square().mul(&v);
        Self { y, u, v, v3, uv3: u.mul(&v3) }
    }

    fn uv7(&self) -> Element {
        self.uv3.mul(&self.v3).mul(&self.v)
    }
}

/// x = u v^3 (u v^7)^((p-5)/8), with `power` the last factor, or sqrt(-1) times that.
fn finish(bytes: &[u8; 32], fraction: &Fraction, power: &Element) -> Option<Decoded> {
    let Fraction { y, u, v, uv3, .. } = fraction;
    let sign = bytes[31] >> 7 == 1;
    let mut x = uv3.mul(power);
    let vxx = v.mul(&x.square());
    if !vxx.sub(u).is_zero() {
        if !vxx.add(u).is_zero() {
            return None;
        }
        x = x.mul(&SQRT_MINUS_1);
    }
    let canonical_x = x.to_bytes();
    if (canonical_x[0] & 1 == 1) != sign {
        x = x.negate();
    }
    let canonical_y = y.to_bytes();
    let mut canonical = canonical_y;
    canonical[31] |= bytes[31] & 0x80;
    Some(Decoded {
        point: Point { x, y: *y, z: Element::ONE, t: x.mul(y) },
        y_is_canonical: canonical == *bytes,
        sign_is_canonical: !(sign && canonical_x == [0; 32]),
        is_weak: has_small_order(&canonical_y),
    })
}

/// Whether \[8\]P = O for the points P with this y (canonical, bit 255 clear): -P and P have the same order. Variable
/// time.
pub(crate) fn has_small_order(y: &[u8; 32]) -> bool {
    /// y of the points of order 1, 2, 4, 8 and 8 (RFC 8032 gives the curve; the tests compute the list again).
    const SMALL_ORDER_Y: [[u8; 32]; 5] = [
        low_byte(1, 0),
        low_byte(0xec, 0xff),
        low_byte(0, 0),
        [
            0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
            0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
        ],
        [
            0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
            0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
        ],
    ];
    SMALL_ORDER_Y.contains(y)
}

/// The lowest byte, and all others but the top bit.
const fn low_byte(low: u8, rest: u8) -> [u8; 32] {
    let mut bytes = [rest; 32];
    bytes[0] = low;
    bytes[31] = rest & 0x7f;
    bytes
}
