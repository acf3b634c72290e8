//! Points and the group law, generic over lanes.
//!
//! A point passes through several shapes. An addition or doubling yields a [`Completed`] point, and what comes next
//! decides what it becomes: [`Projective`] before a doubling (three products), [`Summable`] before an addition (four
//! products, the sums y + x and y - x being taken before the carry), [`Extended`] to be stored (four products).

use super::constants::D;
use crate::fields::p25519::{Element, FieldLanes, Single};
use zeroize::Zeroize;

/// (X : Y : Z), x = X/Z, y = Y/Z.
#[derive(Clone, Copy)]
pub(crate) struct Projective<F> {
    pub(crate) x: F,
    pub(crate) y: F,
    pub(crate) z: F,
}

/// (X : Y : Z : T) with T = XY/Z.
#[derive(Clone, Copy)]
pub(crate) struct Extended<F> {
    pub(crate) x: F,
    pub(crate) y: F,
    pub(crate) z: F,
    pub(crate) t: F,
}

/// The left side of an addition: (Y + X, Y - X, Z, T).
#[derive(Clone, Copy)]
pub(crate) struct Summable<F> {
    pub(crate) y_plus_x: F,
    pub(crate) y_minus_x: F,
    pub(crate) z: F,
    pub(crate) t: F,
}

/// The right side of an addition: (Y + X, Y - X, 2Z, 2dT).
#[derive(Clone, Copy)]
pub(crate) struct Addend<F> {
    pub(crate) y_plus_x: F,
    pub(crate) y_minus_x: F,
    pub(crate) z2: F,
    pub(crate) t2d: F,
}

/// The right side of an addition with Z = 1: (y + x, y - x, 2dxy). For precomputed tables.
#[derive(Clone, Copy)]
pub(crate) struct Niels<F> {
    pub(crate) y_plus_x: F,
    pub(crate) y_minus_x: F,
    pub(crate) xy2d: F,
}

/// The right side of an addition with Z = 1, halved: ((y + x) / 2, (y - x) / 2, dxy), so that 2Z need not be made of Z.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct HalvedNiels<F> {
    pub(crate) y_plus_x: F,
    pub(crate) y_minus_x: F,
    pub(crate) xyd: F,
}

/// A point, one at a time, for the portable paths and for what is stored in keys.
pub(crate) type Point = Extended<Element>;

/// The point (EF : GH : FG) with T = EH.
#[derive(Clone, Copy)]
pub(crate) struct Completed<F> {
    pub(crate) e: F,
    pub(crate) f: F,
    pub(crate) g: F,
    pub(crate) h: F,
}

impl<F: Copy> Completed<F> {
    #[inline(always)]
    pub(crate) fn projective<L: FieldLanes<Fe = F>>(&self, l: L) -> Projective<F> {
        let y = l.mul(&self.g, &self.h);
        let x = l.mul(&l.after(&self.e, &y), &self.f);
        let z = l.mul(&l.after(&self.f, &x), &self.g);
        Projective { x: l.reduce(x), y: l.reduce(y), z: l.reduce(z) }
    }

    #[inline(always)]
    pub(crate) fn extended<L: FieldLanes<Fe = F>>(&self, l: L) -> Extended<F> {
        let y = l.mul(&self.g, &self.h);
        let x = l.mul(&l.after(&self.e, &y), &self.f);
        let z = l.mul(&l.after(&self.f, &x), &self.g);
        let t = l.mul(&l.after(&self.e, &z), &self.h);
        Extended { x: l.reduce(x), y: l.reduce(y), z: l.reduce(z), t: l.reduce(t) }
    }

    #[inline(always)]
    pub(crate) fn summable<L: FieldLanes<Fe = F>>(&self, l: L) -> Summable<F> {
        let y = l.mul(&self.g, &self.h);
        let x = l.mul(&l.after(&self.e, &y), &self.f);
        let z = l.mul(&l.after(&self.f, &x), &self.g);
        let t = l.mul(&l.after(&self.e, &z), &self.h);
        Summable {
            y_plus_x: l.reduce(l.add(y, x)),
            y_minus_x: l.reduce(l.sub(y, x)),
            z: l.reduce(z),
            t: l.reduce(t),
        }
    }
}

impl<F: Copy> Completed<F> {
    /// The sum of [`Summable::sum`] as if 2dT of the right side had the other sign: C goes to -C.
    #[inline(always)]
    fn with_t_negated(self) -> Self {
        Self { f: self.g, g: self.f, ..self }
    }
}

impl<F: Copy> Projective<F> {
    /// 2P. With A = X^2, B = Y^2: E = 2XY, G = B - A, H = A + B, F = 2Z^2 - G, which is (E, -F, G, -H) of the paper and
    /// the same point.
    #[inline(always)]
    pub(crate) fn double<L: FieldLanes<Fe = F>>(&self, l: L) -> Completed<F> {
        let b = l.square(&self.y);
        let a = l.square(&l.after(&self.x, &b));
        let e = l.mul(&l.after(&self.x, &a), &self.y);
        let c = l.square(&l.after(&self.z, &e));
        Completed {
            e: l.reduce(l.add(e, e)),
            f: l.reduce(l.sub(l.add(l.add(c, c), a), b)),
            g: l.reduce(l.sub(b, a)),
            h: l.reduce(l.add(a, b)),
        }
    }
}

impl<F: Copy> Extended<F> {
    #[inline(always)]
    pub(crate) fn projective(&self) -> Projective<F> {
        Projective { x: self.x, y: self.y, z: self.z }
    }

    #[inline(always)]
    pub(crate) fn summable<L: FieldLanes<Fe = F>>(&self, l: L) -> Summable<F> {
        let (x, y) = (l.widen(&self.x), l.widen(&self.y));
        Summable { y_plus_x: l.reduce(l.add(y, x)), y_minus_x: l.reduce(l.sub(y, x)), z: self.z, t: self.t }
    }

    /// `d2` is 2d in every lane.
    #[inline(always)]
    pub(crate) fn addend<L: FieldLanes<Fe = F>>(&self, l: L, d2: &F) -> Addend<F> {
        let (x, y, z) = (l.widen(&self.x), l.widen(&self.y), l.widen(&self.z));
        Addend {
            y_plus_x: l.reduce(l.add(y, x)),
            y_minus_x: l.reduce(l.sub(y, x)),
            z2: l.reduce(l.add(z, z)),
            t2d: l.reduce(l.mul(&self.t, d2)),
        }
    }
}

impl<F: Copy> Summable<F> {
    /// P + Q (8M with the completion).
    #[inline(always)]
    pub(crate) fn add<L: FieldLanes<Fe = F>>(&self, l: L, q: &Addend<F>) -> Completed<F> {
        self.sum(l, &q.y_plus_x, &q.y_minus_x, &q.t2d, l.mul(&self.z, &q.z2))
    }

    /// P + Q for Q with Z = 1 (7M with the completion).
    #[inline(always)]
    pub(crate) fn add_niels<L: FieldLanes<Fe = F>>(&self, l: L, q: &Niels<F>) -> Completed<F> {
        let z = l.widen(&self.z);
        self.sum(l, &q.y_plus_x, &q.y_minus_x, &q.xy2d, l.add(z, z))
    }

    /// P + Q for Q with Z = 1, halved: every factor of the result is half of what it was, and the point is the same.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn add_halved<L: FieldLanes<Fe = F>>(&self, l: L, q: &HalvedNiels<F>) -> Completed<F> {
        self.sum(l, &q.y_plus_x, &q.y_minus_x, &q.xyd, l.widen(&self.z))
    }

    /// P - Q if `negative`, else P + Q. Variable time; one addition for the compiler, too.
    #[inline(always)]
    pub(crate) fn add_signed<L: FieldLanes<Fe = F>>(
        &self,
        l: L,
        q: &Addend<F>,
        negative: bool,
    ) -> Completed<F> {
        let d = l.mul(&self.z, &q.z2);
        self.signed_sum(l, negative, [&q.y_plus_x, &q.y_minus_x], &q.t2d, d)
    }

    /// The same for Q with Z = 1.
    #[inline(always)]
    pub(crate) fn add_signed_niels<L: FieldLanes<Fe = F>>(
        &self,
        l: L,
        q: &Niels<F>,
        negative: bool,
    ) -> Completed<F> {
        let z = l.widen(&self.z);
        self.signed_sum(l, negative, [&q.y_plus_x, &q.y_minus_x], &q.xy2d, l.add(z, z))
    }

    /// [`sum`](Self::sum) with Q or -Q, which has the first two exchanged and T negated.
    #[inline(always)]
    fn signed_sum<L: FieldLanes<Fe = F>>(
        &self,
        l: L,
        negative: bool,
        [plus, minus]: [&F; 2],
        t2d: &F,
        d: L::Wide,
    ) -> Completed<F> {
        let (plus, minus) = if negative { (minus, plus) } else { (plus, minus) };
        let sum = self.sum(l, plus, minus, t2d, d);
        if negative { sum.with_t_negated() } else { sum }
    }

    /// A = (Y1 - X1)(Y2 - X2), B = (Y1 + X1)(Y2 + X2), C = T1 2d T2, D = 2 Z1 Z2;
    /// E = B - A, F = D - C, G = D + C, H = B + A.
    #[inline(always)]
    fn sum<L: FieldLanes<Fe = F>>(&self, l: L, plus: &F, minus: &F, t2d: &F, d: L::Wide) -> Completed<F> {
        let a = l.mul(&self.y_minus_x, minus);
        let b = l.mul(&l.after(&self.y_plus_x, &a), plus);
        let c = l.mul(&l.after(&self.t, &b), t2d);
        Completed {
            e: l.reduce(l.sub(b, a)),
            f: l.reduce(l.sub(d, c)),
            g: l.reduce(l.add(d, c)),
            h: l.reduce(l.add(b, a)),
        }
    }
}

impl<F: Copy> Summable<F> {
    /// The point to be doubled or stored: (2X : 2Y : 2Z).
    #[inline(always)]
    pub(crate) fn projective<L: FieldLanes<Fe = F>>(&self, l: L) -> Projective<F> {
        let (plus, minus, z) = (l.widen(&self.y_plus_x), l.widen(&self.y_minus_x), l.widen(&self.z));
        Projective {
            x: l.reduce(l.sub(plus, minus)),
            y: l.reduce(l.add(plus, minus)),
            z: l.reduce(l.add(z, z)),
        }
    }
}

#[cfg(any(test, target_arch = "x86_64"))]
impl<F: Copy> Addend<F> {
    /// The negatives of the lanes whose bit is set; time independent of the mask.
    #[inline(always)]
    pub(crate) fn negate_if<L: FieldLanes<Fe = F>>(&self, l: L, mask: u8, zero: &F) -> Self {
        let negated = l.reduce(l.sub(l.widen(zero), l.widen(&self.t2d)));
        Self {
            y_plus_x: l.select(mask, &self.y_plus_x, &self.y_minus_x),
            y_minus_x: l.select(mask, &self.y_minus_x, &self.y_plus_x),
            z2: self.z2,
            t2d: l.select(mask, &self.t2d, &negated),
        }
    }
}

impl<F: Copy> Niels<F> {
    /// The point as the left side of an addition. With X = 2x and Y = 2y this is (2X : 2Y : 4 : XY).
    #[inline(always)]
    pub(crate) fn summable<L: FieldLanes<Fe = F>>(&self, l: L) -> Summable<F> {
        let (plus, minus) = (l.widen(&self.y_plus_x), l.widen(&self.y_minus_x));
        let (y, x) = (l.reduce(l.add(plus, minus)), l.reduce(l.sub(plus, minus)));
        let (plus2, minus2) = (l.add(plus, plus), l.add(minus, minus));
        Summable {
            y_plus_x: l.reduce(l.add(plus2, plus2)),
            y_minus_x: l.reduce(l.add(minus2, minus2)),
            z: l.splat(&Element([4, 0, 0, 0, 0])),
            t: l.reduce(l.mul(&x, &y)),
        }
    }

    /// The negatives of the lanes whose bit is set; time independent of the mask.
    #[inline(always)]
    pub(crate) fn negate_if<L: FieldLanes<Fe = F>>(&self, l: L, mask: u8, zero: &F) -> Self {
        let negated = l.reduce(l.sub(l.widen(zero), l.widen(&self.xy2d)));
        Self {
            y_plus_x: l.select(mask, &self.y_plus_x, &self.y_minus_x),
            y_minus_x: l.select(mask, &self.y_minus_x, &self.y_plus_x),
            xy2d: l.select(mask, &self.xy2d, &negated),
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl<F: Copy> HalvedNiels<F> {
    /// The point as the left side of an addition.
    #[inline(always)]
    pub(crate) fn summable<L: FieldLanes<Fe = F>>(&self, l: L) -> Summable<F> {
        let (plus, minus) = (l.widen(&self.y_plus_x), l.widen(&self.y_minus_x));
        let (y, x) = (l.reduce(l.add(plus, minus)), l.reduce(l.sub(plus, minus)));
        Summable {
            y_plus_x: l.reduce(l.add(plus, plus)),
            y_minus_x: l.reduce(l.add(minus, minus)),
            z: l.splat(&Element::ONE),
            t: l.reduce(l.mul(&x, &y)),
        }
    }
}

impl Niels<Element> {
    /// The same with canonical limbs.
    pub(crate) fn canonical(&self) -> Self {
        let canonical = |element: &Element| Element::from_bytes(&element.to_bytes());
        Self {
            y_plus_x: canonical(&self.y_plus_x),
            y_minus_x: canonical(&self.y_minus_x),
            xy2d: canonical(&self.xy2d),
        }
    }
}

/// A point with Z = 1 as it stands in a table: y + x, y - x and 2dxy, in two whole cache lines.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct NielsRow(pub(super) [u64; 16]);

impl NielsRow {
    pub(crate) fn new(point: &Niels<Element>) -> Self {
        let mut words = [0; 16];
        words[..5].copy_from_slice(&point.y_plus_x.0);
        words[5..10].copy_from_slice(&point.y_minus_x.0);
        words[10..15].copy_from_slice(&point.xy2d.0);
        Self(words)
    }

    /// O.
    pub(crate) fn identity() -> Self {
        Self::from_affine(&Element::ZERO, &Element::ONE)
    }

    /// (x, y).
    pub(crate) fn from_affine(x: &Element, y: &Element) -> Self {
        Self::new(&Niels { y_plus_x: y.add(x), y_minus_x: y.sub(x), xy2d: x.mul(y).mul(&D.add(&D)) })
    }

    /// The point.
    #[inline(always)]
    pub(crate) fn niels(&self) -> Niels<Element> {
        let [a0, a1, a2, a3, a4, b0, b1, b2, b3, b4, c0, c1, c2, c3, c4, _] = self.0;
        Niels {
            y_plus_x: Element([a0, a1, a2, a3, a4]),
            y_minus_x: Element([b0, b1, b2, b3, b4]),
            xy2d: Element([c0, c1, c2, c3, c4]),
        }
    }
}

/// A table entry whose coordinates are lanes: limbs of (y - x, y + x, 2dxy, 2), one row for each limb.
pub(crate) type CoordinateRow = [[u64; 4]; 5];

impl Extended<Element> {
    /// O = (0, 1).
    pub(crate) const IDENTITY: Self =
        Self { x: Element::ZERO, y: Element::ONE, z: Element::ONE, t: Element::ZERO };

    /// Whether the point is O: X = 0 and Y = Z.
    pub(crate) fn is_identity(&self) -> bool {
        self.x.is_zero() && self.y.sub(&self.z).is_zero()
    }

    // Out of line, as they are for tables, keys and what ends a sum: what adds one point after the other has loops of its
    // own.

    /// P + Q.
    #[inline(never)]
    pub(crate) fn add(&self, other: &Self) -> Self {
        self.summable(Single).add(Single, &other.addend(Single, &D.add(&D))).extended(Single)
    }

    /// 2P.
    pub(crate) fn double(&self) -> Self {
        self.times_power_of_2(1)
    }

    /// 2^count P, for `count` above 0.
    #[inline(never)]
    pub(crate) fn times_power_of_2(&self, count: usize) -> Self {
        let (mut point, mut left) = (self.projective(), count);
        loop {
            let doubled = point.double(Single);
            left -= 1;
            if left == 0 {
                return doubled.extended(Single);
            }
            point = doubled.projective(Single);
        }
    }

    /// -P.
    pub(crate) fn negate(&self) -> Self {
        Self { x: self.x.negate(), t: self.t.negate(), ..*self }
    }

    #[cfg(test)]
    /// The 32-byte encoding (RFC 8032 section 5.1.2). Time independent of the point.
    pub(crate) fn encode(&self) -> [u8; 32] {
        self.encode_with(&self.z.invert())
    }

    /// The 32-byte encoding of a public point. Variable time.
    pub(crate) fn encode_vartime(&self) -> [u8; 32] {
        self.encode_with(&self.z.invert_vartime())
    }

    fn encode_with(&self, inverse_of_z: &Element) -> [u8; 32] {
        let mut bytes = self.y.mul(inverse_of_z).to_bytes();
        bytes[31] |= u8::from(self.x.mul(inverse_of_z).is_odd()) << 7;
        bytes
    }
}

impl Zeroize for Extended<Element> {
    fn zeroize(&mut self) {
        (self.x, self.y, self.z, self.t).zeroize();
    }
}
