//! Multiples of the base point, for all backends.

use super::super::law::Niels;
use super::super::{BASE_POINT, D, Point, decode};
use super::BaseRow;
use super::multiply::BASE_WIDTH;
use crate::fields::p25519::Element;
use alloc::boxed::Box;
use alloc::vec::Vec;
use once_cell::race::OnceBox;

/// Rows 0 to 2^([`BASE_WIDTH`] - 1): row `i` is \[i\]B.
pub(super) fn table() -> &'static [BaseRow] {
    static TABLE: OnceBox<Vec<BaseRow>> = OnceBox::new();
    TABLE.get_or_init(|| Box::new(build((1 << (BASE_WIDTH - 1)) + 1)))
}

/// \[0\]B to \[count - 1\]B, with one inversion for all.
fn build(count: usize) -> Vec<BaseRow> {
    let base = decode(&BASE_POINT).expect("B decodes").point;
    let mut points = Vec::with_capacity(count);
    let mut prefixes = Vec::with_capacity(count);
    let (mut point, mut product) = (Point::IDENTITY, Element::ONE);
    for _ in 0..count {
        prefixes.push(product);
        points.push(point);
        product = product.mul(&point.z);
        point = point.add(&base);
    }
    let (mut inverse, d2) = (product.invert(), D.add(&D));
    let canonical = |element: Element| Element::from_bytes(&element.to_bytes());
    let mut rows: Vec<BaseRow> = points
        .iter()
        .zip(&prefixes)
        .rev()
        .map(|(point, prefix)| {
            let z_inverse = inverse.mul(prefix);
            inverse = inverse.mul(&point.z);
            let (x, y) = (point.x.mul(&z_inverse), point.y.mul(&z_inverse));
            BaseRow::new(&Niels {
                y_plus_x: canonical(y.add(&x)),
                y_minus_x: canonical(y.sub(&x)),
                xy2d: canonical(x.mul(&y).mul(&d2)),
            })
        })
        .collect();
    rows.reverse();
    rows
}
