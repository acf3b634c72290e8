//! One body for every backend of four lanes: sums of products and complements, as the group law on one point takes
//! them, against the portable field.
#![expect(unsafe_code, reason = "columns as integers")]

use super::engines::edges;
use crate::fields::p25519::four_lanes::Offsets;
use crate::fields::p25519::{Columns, Doubles, Element, FourLanes, X4};
use phalanx_core::simd::{Avx2, Ifma};
use std::eprintln;

type Integers = [[i64; 4]; 5];

fn integers(columns: &Columns) -> Integers {
    // SAFETY: five vectors of four integers, and any bits are an integer.
    unsafe { core::mem::transmute(*columns) }
}

fn columns(integers: &Integers) -> Columns {
    // SAFETY: as above.
    unsafe { core::mem::transmute(*integers) }
}

/// x, n times, and the complement of y, c times.
fn sum(x: &Columns, n: i64, y: &Columns, c: i64) -> Columns {
    let (x, y, mut sum) = (integers(x), integers(y), [[0i64; 4]; 5]);
    for (limb, sums) in sum.iter_mut().enumerate() {
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum = x[limb][lane].wrapping_mul(n).wrapping_add((!y[limb][lane]).wrapping_mul(c));
        }
    }
    columns(&sum)
}

fn check<L: FourLanes>(l: L, columns: &Columns, offsets: &Offsets, wanted: [Element; 4], what: &str) {
    let got = l.store(&l.reduce(columns, offsets));
    for (got, wanted) in got.iter().zip(wanted) {
        assert!(got.0.iter().all(|&limb| limb < (1 << 51) + (1 << 15)), "{what}: {:x?}", got.0);
        assert_eq!(got.to_bytes(), wanted.to_bytes(), "{what}");
    }
}

fn times(n: i64, x: &Element) -> Element {
    (0..n).fold(Element::ZERO, |sum, _| sum.add(x))
}

fn agrees_with_portable<L: FourLanes>(l: L, mut elements: std::vec::Vec<Element>) {
    elements.extend(edges());
    let count = elements.len();
    let at = |i: usize| core::array::from_fn::<_, 4, _>(|lane| elements[(i + lane * lane) % count]);
    for i in 0..count {
        for j in 0..count {
            let (x, y) = (at(i), at(j));
            let (a, b) = (l.load(&x), l.load(&y));
            let (product, square) = (l.mul(&a, &b), l.square(&a));
            let products: [_; 4] = core::array::from_fn(|lane| x[lane].mul(&y[lane]));
            let squares = x.map(|x| x.square());
            let other = l.square(&b);
            let others = y.map(|y| y.square());
            for [n, c] in [[1, 0], [2, 0], [1, 1], [2, 1], [3, 1]] {
                let wanted = |lane: usize, added: &[Element; 4], subtracted: &[Element; 4]| {
                    times(n, &added[lane]).sub(&times(c, &subtracted[lane]))
                };
                let offsets = L::SQUARES.offsets([[n, c]; 4]);
                let lanes = core::array::from_fn(|lane| wanted(lane, &squares, &others));
                check(l, &sum(&square, n, &other, c), &offsets, lanes, "squares");
                if n < 3 {
                    let offsets = L::PRODUCTS.offsets([[n, c]; 4]);
                    let swapped = l.mul(&b, &a);
                    let lanes = core::array::from_fn(|lane| wanted(lane, &products, &products));
                    check(l, &sum(&product, n, &swapped, c), &offsets, lanes, "products");
                    let widened = l.widen(&y);
                    let lanes = core::array::from_fn(|lane| wanted(lane, &products, &y));
                    check(l, &sum(&product, n, &widened, c), &offsets, lanes, "columns of elements");
                }
            }
        }
    }
}

#[test]
fn ifma() {
    let Some(witness) = Ifma::detect() else { return eprintln!("not run: ifma") };
    // The largest limbs that may stand in a product.
    const TOP: u64 = (1 << 51) + (1 << 15) - 1;
    let mut elements = std::vec![Element([TOP; 5])];
    for limb in 0..5 {
        let mut limbs = [0; 5];
        limbs[limb] = TOP;
        elements.extend([Element(limbs), Element(limbs.map(|limb| TOP - limb))]);
    }
    agrees_with_portable(X4(witness), elements);
}

#[test]
fn avx2() {
    let Some(witness) = Avx2::detect() else { return eprintln!("not run: avx2") };
    agrees_with_portable(Doubles(witness), std::vec![]);
}
