//! The portable field against plain facts.

pub(super) mod engines;
#[cfg(target_arch = "x86_64")]
mod four_lanes;

use super::{Element, FieldLanes, Single};
use std::{vec, vec::Vec};

fn element(byte: u8) -> Element {
    Element::from_bytes(&[byte; 32])
}

#[test]
fn inverse_and_edges() {
    let p_minus_1 = Element::ZERO.sub(&Element::ONE);
    for x in [Element::ONE, p_minus_1, element(1), element(0x7f), element(0xfe)] {
        assert_eq!(x.mul(&x.invert()).to_bytes(), Element::ONE.to_bytes());
        assert_eq!(x.add(&x.negate()).to_bytes(), [0; 32]);
    }
    // 2^255 - 1 = p + 18.
    assert_eq!(element(0xff).to_bytes()[..2], [18, 0]);
    assert!(Element::ZERO.invert().is_zero());
}

/// Limbs that are as large as they may be, values around p, and random ones.
fn edge_elements() -> Vec<Element> {
    let top = (1 << 51) + (1 << 15) - 1;
    let mut elements = vec![Element([top; 5]), Element([0, 0, 0, 0, top]), Element([top, 0, 0, 0, 0])];
    for low in [0, 1, 2, 18, 19, 20, 0xec, 0xed, 0xee, 0xff] {
        for rest in [0, 0xff] {
            let mut bytes = [rest; 32];
            bytes[0] = low;
            elements.push(Element::from_bytes(&bytes));
            bytes[31] = 0x7f;
            elements.push(Element::from_bytes(&bytes));
        }
    }
    for i in 0..255 {
        let mut bytes = [0; 32];
        bytes[i / 8] = 1 << (i % 8);
        elements.push(Element::from_bytes(&bytes));
    }
    let mut x = Element::from_bytes(&[0x39; 32]);
    for _ in 0..500 {
        x = x.square().add(&Element::from_bytes(&[0x15; 32]));
        elements.push(x);
    }
    elements
}

#[test]
fn both_inversions_agree() {
    for x in edge_elements() {
        assert_eq!(x.invert_vartime().to_bytes(), x.invert().to_bytes(), "{:x?}", x.0);
    }
}

/// a b by doubling and adding, most significant bit first.
fn slow_product(a: &Element, b: &Element) -> Element {
    let bytes = b.to_bytes();
    (0..255).rev().fold(Element::ZERO, |sum, i| {
        let twice = sum.add(&sum);
        if bytes[i / 8] >> (i % 8) & 1 == 1 { twice.add(a) } else { twice }
    })
}

/// Products, squares and the heaviest sum of them that one carry pass takes, at the largest limbs.
#[test]
fn operations_at_the_bounds() {
    let elements: Vec<_> = edge_elements().into_iter().take(24).collect();
    for a in &elements {
        for b in &elements {
            let product = slow_product(a, b);
            let square = slow_product(a, a);
            assert_eq!(a.mul(b).to_bytes(), product.to_bytes(), "{:x?} {:x?}", a.0, b.0);
            assert_eq!(a.square().to_bytes(), square.to_bytes(), "{:x?}", a.0);
            // Weight 4: 2 a^2 + a b - b a, and the other way round.
            let (wide_product, wide_square) = (Single.mul(a, b), Single.square(a));
            let sum =
                Single.sub(Single.add(Single.add(wide_square, wide_square), wide_product), Single.mul(b, a));
            assert_eq!(Single.reduce(sum).to_bytes(), square.add(&square).to_bytes());
            let difference = Single.sub(Single.widen(b), wide_square);
            assert_eq!(Single.reduce(difference).to_bytes(), b.sub(&square).to_bytes());
            for x in [Single.reduce(sum), Single.reduce(difference), a.add(b), a.sub(b), a.negate()] {
                assert!(x.0.iter().all(|limb| *limb < (1 << 51) + (1 << 15)), "{:x?}", x.0);
            }
            assert_eq!(a.sub(b).add(b).to_bytes(), a.to_bytes());
        }
    }
}
