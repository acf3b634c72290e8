//! Multiples of B, from which each backend makes the table it scans. Public values: variable time.

use super::super::{BASE_POINT, D, Point, decode};
use crate::curve::law::Niels;
use crate::fields::p25519::Element;
use alloc::vec::Vec;

/// (2 e + 1) [2^(bits i)]B for i below `positions` and e below `entries`, as `[i * entries + e]`. Limbs are below 2^51.
pub(super) fn odd_multiples(bits: u32, positions: usize, entries: usize) -> Vec<Niels<Element>> {
    let mut points = Vec::with_capacity(positions * entries);
    let mut base = decode(&BASE_POINT).expect("B decodes").point;
    for _ in 0..positions {
        let twice = base.double();
        let mut multiple = base;
        for _ in 0..entries {
            points.push(multiple);
            multiple = multiple.add(&twice);
        }
        for _ in 0..bits {
            base = base.double();
        }
    }
    affine(&points)
}

/// Montgomery's trick.
fn affine(points: &[Point]) -> Vec<Niels<Element>> {
    let mut products = Vec::with_capacity(points.len());
    let mut product = Element::ONE;
    for point in points {
        products.push(product);
        product = product.mul(&point.z);
    }
    let mut inverse = product.invert();
    let d2 = D.add(&D);
    let mut table = Vec::with_capacity(points.len());
    for (point, before) in points.iter().zip(products).rev() {
        let this = inverse.mul(&before);
        inverse = inverse.mul(&point.z);
        let (x, y) = (point.x.mul(&this), point.y.mul(&this));
        table.push(Niels {
            y_plus_x: canonical(&y.add(&x)),
            y_minus_x: canonical(&y.sub(&x)),
            xy2d: canonical(&x.mul(&y).mul(&d2)),
        });
    }
    table.reverse();
    table
}

fn canonical(element: &Element) -> Element {
    Element::from_bytes(&element.to_bytes())
}

/// The limbs of an entry in the order of the lane tables.
pub(super) fn limbs(entry: &Niels<Element>) -> impl Iterator<Item = u64> {
    [entry.y_plus_x, entry.y_minus_x, entry.xy2d].into_iter().flat_map(|element| element.0)
}
