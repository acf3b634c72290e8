//! One body for every engine of lanes: each operation against the portable one.

use crate::fields::p25519::{Element, FieldLanes, Single};
use alloc::vec;
use alloc::vec::Vec;
use phalanx_testing::Random;

fn random_element(random: &mut Random) -> Element {
    let mut bytes = [0; 32];
    bytes.fill_with(|| random.u8());
    Element::from_bytes(&bytes)
}

/// Where carries, signs and representatives change: around 0, p, 2^255 and each limb's bounds, dense and sparse limbs,
/// and the largest limbs that the portable `reduce` may leave.
pub(super) fn edges() -> Vec<Element> {
    const TOP: u64 = (1 << 51) - 1;
    let mut edges = vec![
        Element::ZERO,
        Element::ONE,
        Element([TOP; 5]),
        Element([TOP - 18, TOP, TOP, TOP, TOP]),
        Element([TOP - 19, TOP, TOP, TOP, TOP]),
        Element([TOP - 17, TOP, TOP, TOP, TOP]),
        Element([TOP - 20, TOP, TOP, TOP, TOP]),
        Element([TOP + (1 << 13); 5]),
        Element([1 << 50; 5]),
        Element([(1 << 50) - 1; 5]),
        Element([(1 << 50) + 1; 5]),
        Element([0, 1 << 50, TOP, 1 << 50, TOP]),
    ];
    for k in 0..5 {
        for limb in [1, 19, (1 << 50) - 1, 1 << 50, TOP] {
            let (mut sparse, mut dense) = ([0; 5], [TOP; 5]);
            sparse[k] = limb;
            dense[k] -= limb;
            edges.extend([Element(sparse), Element(dense)]);
        }
    }
    edges
}

/// The elements of all lanes.
fn lanes_of<L: FieldLanes>(l: L, value: &L::Fe) -> Vec<Element> {
    let mut elements = vec![Element::ZERO; L::COUNT];
    l.store(value, &mut elements);
    elements
}

#[track_caller]
fn assert_same<L: FieldLanes>(l: L, value: &L::Fe, expected: &[Element], what: &str) {
    for (lane, (got, expected)) in lanes_of(l, value).iter().zip(expected).enumerate() {
        assert_eq!(got.to_bytes(), expected.to_bytes(), "{what}, lane {lane}");
    }
}

/// The lane by lane result of the portable engine.
fn portable(a: &[Element], b: &[Element], f: impl Fn(&Element, &Element) -> Element) -> Vec<Element> {
    a.iter().zip(b).map(|(a, b)| f(a, b)).collect()
}

/// Every operation, and every sum of weight 4 that the group law uses, on `a` and `b`.
pub(in crate::fields::p25519) fn operations_agree<L: FieldLanes>(l: L, a: &L::Fe, b: &L::Fe) {
    let (x, y) = (&lanes_of(l, a), &lanes_of(l, b));
    assert_same(l, &l.reduce(l.mul(a, b)), &portable(x, y, Element::mul), "mul");
    assert_same(l, &l.reduce(l.square(a)), &portable(x, y, |x, _| x.square()), "square");
    assert_same(l, &l.reduce(l.widen(a)), x, "widen");
    let (wide_a, wide_b) = (l.widen(a), l.widen(b));
    assert_same(l, &l.reduce(l.add(wide_a, wide_b)), &portable(x, y, Element::add), "add");
    assert_same(l, &l.reduce(l.sub(wide_a, wide_b)), &portable(x, y, Element::sub), "sub");

    let (s, m, t) = (l.square(a), l.mul(a, b), l.square(b));
    let doubling = l.reduce(l.sub(l.add(l.add(s, s), t), m));
    let expected = portable(x, y, |x, y| x.square().add(&x.square()).add(&y.square()).sub(&x.mul(y)));
    assert_same(l, &doubling, &expected, "2 a a + b b - a b");
    let four = l.reduce(l.add(l.add(m, m), l.add(m, m)));
    let expected = portable(x, y, |x, y| x.mul(y).add(&x.mul(y)).add(&x.mul(y).add(&x.mul(y))));
    assert_same(l, &four, &expected, "4 a b");
    let negative = l.reduce(l.sub(l.sub(l.sub(wide_b, m), m), m));
    let expected = portable(x, y, |x, y| y.sub(&x.mul(y)).sub(&x.mul(y)).sub(&x.mul(y)));
    assert_same(l, &negative, &expected, "b - 3 a b");
    let zero = l.splat(&Element::ZERO);
    let zero = l.widen(&zero);
    let negative = l.reduce(l.sub(l.sub(l.sub(zero, s), s), s));
    let expected = portable(x, y, |x, _| Element::ZERO.sub(&x.square()).sub(&x.square()).sub(&x.square()));
    assert_same(l, &negative, &expected, "0 - 3 a a");

    for mask in [0, 0xff, 0x55, 0xaa, 0x0f, 1, 0x80, 8, 6] {
        let chosen: Vec<_> =
            (0..L::COUNT).map(|lane| if mask >> lane & 1 == 1 { y[lane] } else { x[lane] }).collect();
        assert_same(l, &l.select(mask, a, b), &chosen, "select");
    }
}

/// The whole body: edges against edges, then long chains of mixed operations.
pub(in crate::fields::p25519) fn agrees_with_portable<L: FieldLanes>(l: L) {
    let edges = edges();
    for element in &edges {
        assert_same(l, &l.splat(element), &vec![*element; L::COUNT], "splat");
        masks_agree(l, element);
    }
    // Pairs of edges, a different pair in every lane; the lanes of the second factor run at another pace.
    for shift in 0..edges.len() {
        for start in (0..edges.len()).step_by(L::COUNT) {
            let x: Vec<_> = (0..L::COUNT).map(|lane| edges[(start + lane) % edges.len()]).collect();
            let y: Vec<_> = (0..L::COUNT).map(|lane| edges[(start + shift + lane) % edges.len()]).collect();
            let (a, b) = (l.load(&x), l.load(&y));
            assert_same(l, &a, &x, "load");
            operations_agree(l, &a, &b);
        }
    }
    chains_agree(l, &edges);
}

/// What is asked of single lanes: one lane holds `element`, each lane in turn, the others hold 2.
fn masks_agree<L: FieldLanes>(l: L, element: &Element) {
    let two = Element([2, 0, 0, 0, 0]);
    for lane in 0..L::COUNT {
        let mut elements = vec![two; L::COUNT];
        elements[lane] = *element;
        let value = l.load(&elements);
        assert_eq!(l.zero_mask(&value), u8::from(element.is_zero()) << lane, "zero, lane {lane}");
        assert_eq!(l.odd_mask(&value), u8::from(element.is_odd()) << lane, "odd, lane {lane}");
        let mut bytes: Vec<_> = elements.iter().map(|x| x.to_bytes()).collect();
        assert_same(l, &l.load_bytes(&bytes), &elements, "load_bytes");
        // Bit 255 is not looked at.
        bytes[lane][31] |= 0x80;
        assert_same(l, &l.load_bytes(&bytes), &elements, "load_bytes");
    }
    // From p up: the residue.
    assert_same(
        l,
        &l.load_bytes(&vec![[0xff; 32]; L::COUNT]),
        &vec![Element([18, 0, 0, 0, 0]); L::COUNT],
        "2^255 - 1",
    );
}

/// Thousands of operations on a few values that are never stored in between: what `reduce` leaves is what products get.
fn chains_agree<L: FieldLanes>(l: L, edges: &[Element]) {
    let mut random = Random::from_seed(1);
    for round in 0..20 {
        let mut shadow: [Vec<Element>; 4] = core::array::from_fn(|_| {
            (0..L::COUNT)
                .map(|_| {
                    if round % 2 == 0 {
                        random_element(&mut random)
                    } else {
                        edges[random.below(edges.len())]
                    }
                })
                .collect()
        });
        let mut values: [L::Fe; 4] = core::array::from_fn(|k| l.load(&shadow[k]));
        for step in 0..1000 {
            let (i, j, k) = (random.below(4), random.below(4), random.below(4));
            let (a, b, x, y) = (values[i], values[j], shadow[i].clone(), shadow[j].clone());
            (values[k], shadow[k]) = match random.below(7) {
                0 => (l.reduce(l.mul(&a, &b)), portable(&x, &y, Element::mul)),
                1 => (l.reduce(l.square(&a)), portable(&x, &y, |x, _| x.square())),
                2 => (l.reduce(l.add(l.widen(&a), l.widen(&b))), portable(&x, &y, Element::add)),
                3 => (l.reduce(l.sub(l.widen(&a), l.widen(&b))), portable(&x, &y, Element::sub)),
                4 => (
                    l.reduce(l.sub(l.mul(&a, &b), l.square(&b))),
                    portable(&x, &y, |x, y| x.mul(y).sub(&y.square())),
                ),
                5 => (l.reduce(l.sub(l.widen(&a), l.mul(&a, &b))), portable(&x, &y, |x, y| x.sub(&x.mul(y)))),
                _ => {
                    let mask = random.u8();
                    let chosen = (0..L::COUNT).map(|n| if mask >> n & 1 == 1 { y[n] } else { x[n] });
                    (l.select(mask, &a, &b), chosen.collect())
                }
            };
            // Stored rarely, so that nothing is tidied up on the way.
            if step % 100 == 99 {
                for k in 0..4 {
                    assert_same(l, &values[k], &shadow[k], "chain");
                }
            }
        }
    }
}

#[test]
fn portable_is_an_engine() {
    agrees_with_portable(Single);
}

/// The operations are called here one by one from plain code: slow, and the same instructions.
#[cfg(target_arch = "x86_64")]
#[test]
#[expect(clippy::print_stdout, reason = "a backend that did not run is reported by name")]
fn eight_agree_with_portable() {
    match phalanx_core::simd::Ifma::detect() {
        Some(witness) => agrees_with_portable(crate::fields::p25519::X8(witness)),
        None => std::println!("not run: ifma"),
    }
}
