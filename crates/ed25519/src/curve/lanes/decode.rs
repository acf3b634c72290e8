//! Decoding points from bytes, two to each lane.
//!
//! The square root is one long chain of squarings, each waiting for the one before. Two chains side by side take hardly
//! longer than one, so points are decoded in pairs: A and R of the same signatures, or the A of two groups.

use super::point_lanes::{Affine, PointLanes, Stage};
use crate::curve::constants::{D, SQRT_MINUS_1};
use crate::curve::decode::has_small_order;
use crate::fields::p25519::{Element, MAX_LANES, pow_2_250_minus_1};

/// Decoded points. Where `valid` is clear the lane holds numbers without a meaning.
#[derive(Clone, Copy)]
pub(crate) struct Decoded<F> {
    pub(crate) point: Affine<F>,
    /// The bytes encode a point, under the loose decoder.
    pub(crate) valid: u8,
    /// y is below p.
    pub(crate) y_is_canonical: u8,
    /// x = 0 comes without a sign.
    pub(crate) sign_is_canonical: u8,
}

/// What is known about a point before its square root.
#[derive(Clone, Copy)]
struct Begun<F> {
    y: F,
    /// y^2 - 1 and d y^2 + 1: x^2 = u/v.
    u: F,
    v: F,
    uv3: F,
}

/// The loose decoder of [`decode`](crate::curve::decode()) in every lane, for two sets of encodings.
/// Where `negated` is set, the points are the negatives of what the bytes say.
pub(crate) fn decode_x2<L: PointLanes>(
    l: L,
    bytes: [&[[u8; 32]; MAX_LANES]; 2],
    negated: [bool; 2],
) -> [Decoded<L::Fe>; 2] {
    let zero = Begin::fill(l);
    let mut begun = [zero; 2];
    let mut power = [zero.y; 2];
    for i in 0..2 {
        l.enter(Begin { bytes: bytes[i], begun: &mut begun[i], uv7: &mut power[i] });
    }
    pow_p58_x2(l, &mut power);
    let empty =
        Decoded { point: Affine { x: zero.y, y: zero.y }, valid: 0, y_is_canonical: 0, sign_is_canonical: 0 };
    let mut decoded = [empty; 2];
    for i in 0..2 {
        let (begun, power, decoded) = (&begun[i], &power[i], &mut decoded[i]);
        l.enter(Finish { bytes: bytes[i], begun, power, negated: negated[i], decoded });
    }
    decoded
}

/// x^((p - 5) / 8) for both elements, as [`Element::pow_p58`].
fn pow_p58_x2<L: PointLanes>(l: L, x: &mut [L::Fe; 2]) {
    let one = *x;
    let power = |x: &[L::Fe; 2], count: u32, factor: &[L::Fe; 2]| {
        let mut power = *x;
        l.enter(PowerX2 { power: &mut power, count, factor });
        power
    };
    let (p250, _) = pow_2_250_minus_1(&one, &power(&one, 0, &one), power);
    *x = power(&p250, 2, &one);
}

/// power^(2^count) factor, for two elements in step.
struct PowerX2<'a, F> {
    power: &'a mut [F; 2],
    count: u32,
    factor: &'a [F; 2],
}

impl<L: PointLanes> Stage<L> for PowerX2<'_, L::Fe> {
    #[inline(always)]
    fn run(self, l: L) {
        let [mut a, mut b] = *self.power;
        let mut i = 0;
        while i < self.count {
            let wide_a = l.square(&a);
            let wide_b = l.square(&l.after(&b, &wide_a));
            (a, b) = (l.reduce(wide_a), l.reduce(wide_b));
            i += 1;
        }
        *self.power = [l.reduce(l.mul(&a, &self.factor[0])), l.reduce(l.mul(&b, &self.factor[1]))];
    }
}

struct Begin<'a, F> {
    bytes: &'a [[u8; 32]; MAX_LANES],
    begun: &'a mut Begun<F>,
    uv7: &'a mut F,
}

impl<F: Copy> Begin<'_, F> {
    /// Something to be overwritten.
    fn fill<L: PointLanes<Fe = F>>(l: L) -> Begun<F> {
        let zero = zero(l);
        Begun { y: zero, u: zero, v: zero, uv3: zero }
    }
}

/// Zero in every lane, made behind the entry.
pub(super) fn zero<L: PointLanes>(l: L) -> L::Fe {
    struct Zero<'a, F>(&'a mut Option<F>);
    impl<L: PointLanes> Stage<L> for Zero<'_, L::Fe> {
        #[inline(always)]
        fn run(self, l: L) {
            *self.0 = Some(l.splat(&Element::ZERO));
        }
    }
    let mut zero = None;
    l.enter(Zero(&mut zero));
    zero.expect("the stage has run")
}

impl<L: PointLanes> Stage<L> for Begin<'_, L::Fe> {
    #[inline(always)]
    fn run(self, l: L) {
        let one = l.widen(&l.splat(&Element::ONE));
        let y = l.load_bytes(&self.bytes[..L::COUNT]);
        let yy = l.reduce(l.square(&y));
        let u = l.reduce(l.sub(l.widen(&yy), one));
        let v = l.reduce(l.add(l.mul(&yy, &l.splat(&D)), one));
        let v3 = l.reduce(l.mul(&l.reduce(l.square(&v)), &v));
        let uv3 = l.reduce(l.mul(&u, &v3));
        let v4 = l.reduce(l.mul(&v3, &v));
        *self.uv7 = l.reduce(l.mul(&uv3, &v4));
        *self.begun = Begun { y, u, v, uv3 };
    }
}

struct Finish<'a, F> {
    bytes: &'a [[u8; 32]; MAX_LANES],
    begun: &'a Begun<F>,
    /// (u v^7)^((p - 5) / 8)
    power: &'a F,
    negated: bool,
    decoded: &'a mut Decoded<F>,
}

impl<L: PointLanes> Stage<L> for Finish<'_, L::Fe> {
    #[inline(always)]
    fn run(self, l: L) {
        let Begun { y, u, v, uv3 } = self.begun;
        let mut x = l.reduce(l.mul(uv3, self.power));
        let vxx = l.mul(&l.reduce(l.square(&x)), v);
        let u = l.widen(u);
        let is_root = l.zero_mask(&l.reduce(l.sub(vxx, u)));
        let is_other_root = l.zero_mask(&l.reduce(l.add(vxx, u)));
        x = l.select(is_root, &l.reduce(l.mul(&x, &l.splat(&SQRT_MINUS_1))), &x);
        let (mut signs, mut y_is_canonical) = (0, 0);
        let mut lane = 0;
        while lane < L::COUNT {
            signs |= (self.bytes[lane][31] >> 7) << lane;
            y_is_canonical |= u8::from(is_below_p(&self.bytes[lane])) << lane;
            lane += 1;
        }
        let flips = l.odd_mask(&x) ^ signs ^ if self.negated { !0 } else { 0 };
        let minus_x = l.reduce(l.sub(l.widen(&l.splat(&Element::ZERO)), l.widen(&x)));
        *self.decoded = Decoded {
            point: Affine { x: l.select(flips, &x, &minus_x), y: *y },
            valid: is_root | is_other_root,
            y_is_canonical,
            sign_is_canonical: !(signs & l.zero_mask(&x)),
        };
    }
}

/// Whether the low 255 bits are below p: all values from p up share the bytes 1 to 31.
#[inline(always)]
fn is_below_p(bytes: &[u8; 32]) -> bool {
    let words = words(bytes);
    words[0] < u64::MAX - 18 || words[1] & words[2] != u64::MAX || words[3] | 1 << 63 != u64::MAX
}

/// The lanes whose bytes, canonical or not, decode to a point of small order.
pub(crate) fn small_order(bytes: &[[u8; 32]; MAX_LANES]) -> u8 {
    // The first bytes of the five values of y: nearly always all that is looked at.
    mask(bytes, |y| matches!(y[0], 0 | 1 | 0xec | 0x26 | 0xc7) && has_small_order(y))
}

/// The lanes whose bytes decode to a point P with \[2\]P = O: y is 1 or -1.
pub(crate) fn order_2(bytes: &[[u8; 32]; MAX_LANES]) -> u8 {
    mask(bytes, |y| {
        let minus_one = y[0] == 0xec && y[1..31] == [0xff; 30] && y[31] == 0x7f;
        minus_one || y[0] == 1 && y[1..] == [0; 31]
    })
}

/// The lanes whose y, canonical, has a property.
fn mask(bytes: &[[u8; 32]; MAX_LANES], property: impl Fn(&[u8; 32]) -> bool) -> u8 {
    let mut mask = 0;
    for (lane, bytes) in bytes.iter().enumerate() {
        let mut y = *bytes;
        y[31] &= 0x7f;
        if !is_below_p(&y) {
            // p to p + 18 differ from 0 to 18 in this way.
            let low = y[0] - 0xed;
            y = [0; 32];
            y[0] = low;
        }
        mask |= u8::from(property(&y)) << lane;
    }
    mask
}

/// Little-endian words.
#[inline(always)]
fn words(bytes: &[u8; 32]) -> [u64; 4] {
    let mut words = [0; 4];
    let mut i = 0;
    while i < 32 {
        words[i / 8] |= u64::from(bytes[i]) << (8 * (i % 8));
        i += 1;
    }
    words
}
