//! Tables of multiples of a point.

use super::law::{Addend, Niels};
use super::{BASE_POINT, D, Point, decode};
use crate::fields::p25519::{Element, One};
use alloc::boxed::Box;
use alloc::vec::Vec;
use once_cell::race::OnceBox;

/// The window of the digits of S: odd digits below 2^(`BASE_WINDOW` - 1) in size.
pub(super) const BASE_WINDOW: u32 = 8;

/// One for each digit above 0.
pub(super) const BASE_ENTRIES: usize = 1 << (BASE_WINDOW - 2);

/// P, 3P, 5P, ...
pub(super) type BaseTable = [Niels<Element>; BASE_ENTRIES];

/// The tables of B and of 2^128 B; the first call computes them.
pub(super) fn base_tables() -> &'static [BaseTable; 2] {
    static TABLES: OnceBox<[BaseTable; 2]> = OnceBox::new();
    TABLES.get_or_init(|| {
        let base = decode(&BASE_POINT).expect("B decodes").point;
        let high = (0..128).fold(base, |point, _| point.double());
        Box::new([base, high].map(|point| {
            niels(&odd_multiples(&point, BASE_ENTRIES)).try_into().ok().expect("as many as asked for")
        }))
    })
}

/// P, 3P, 5P, ..., `count` of them.
pub(super) fn odd_multiples(point: &Point, count: usize) -> Vec<Point> {
    let double = point.double();
    let mut multiples = Vec::with_capacity(count);
    let mut last = *point;
    for _ in 0..count {
        multiples.push(last);
        last = last.add(&double);
    }
    multiples
}

/// P, 3P, ..., 15P, each ready to be added.
pub(super) fn odd_addends(point: &Point) -> [Addend<Element>; 8] {
    let d2 = D.add(&D);
    let double = point.double().addend(One, &d2);
    let mut addends = [point.addend(One, &d2); 8];
    let mut last = point.summable(One);
    for addend in &mut addends[1..] {
        let next = last.add(One, &double).extended(One);
        *addend = next.addend(One, &d2);
        last = next.summable(One);
    }
    addends
}

/// The points with Z = 1, ready to be added: one inversion for all (Montgomery's trick). Variable time.
pub(super) fn niels(points: &[Point]) -> Vec<Niels<Element>> {
    let d2 = D.add(&D);
    // products[i] = Z_0 Z_1 ... Z_{i-1}.
    let mut products = Vec::with_capacity(points.len());
    let mut product = Element::ONE;
    for point in points {
        products.push(product);
        product = product.mul(&point.z);
    }
    let mut inverse = product.invert_vartime();
    let mut niels = Vec::with_capacity(points.len());
    for (point, before) in points.iter().zip(&products).rev() {
        let one_over_z = inverse.mul(before);
        inverse = inverse.mul(&point.z);
        let (x, y) = (point.x.mul(&one_over_z), point.y.mul(&one_over_z));
        niels.push(Niels { y_plus_x: y.add(&x), y_minus_x: y.sub(&x), xy2d: x.mul(&y).mul(&d2) });
    }
    niels.reverse();
    niels
}
