//! The portable field against plain facts.

pub(super) mod engines;

use super::Element;

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
