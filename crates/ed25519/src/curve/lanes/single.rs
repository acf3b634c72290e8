//! One lane: the kernel's stages on the portable field. A backend that every machine has; single
//! verification is faster, so it serves where claims are at hand and no lanes, and in tests.

use super::point_lanes::{PointLanes, Stage};
use crate::curve::point::{Addend, Niels, NielsRow};
use crate::fields::p25519::{Element, Single};

impl PointLanes for Single {
    type Row = Addend<Element>;
    const IDENTITY: Self::Row = Addend {
        y_plus_x: Element::ONE,
        y_minus_x: Element::ONE,
        z2: Element([2, 0, 0, 0, 0]),
        t2d: Element::ZERO,
    };

    #[inline(never)]
    fn enter<S: Stage<Self>>(self, stage: S) {
        stage.run(self);
    }

    fn split(self, point: &Addend<Element>, rows: &mut [Self::Row]) {
        rows[0] = *point;
    }

    fn join(self, rows: &[&Self::Row]) -> Addend<Element> {
        *rows[0]
    }

    fn join_base(self, rows: &[&NielsRow]) -> Niels<Element> {
        rows[0].niels()
    }
}
