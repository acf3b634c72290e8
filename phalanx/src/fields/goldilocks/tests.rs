//! Against 128-bit integers, on edges and on random words.

use super::*;
use std::vec::Vec;

/// Words around every place where a carry or borrow decides.
pub(crate) fn edges() -> Vec<u64> {
    let corners =
        [0, 1 << 32, 1 << 48, 1 << 52, 1 << 63, P, EPSILON, P - EPSILON, 0u64.wrapping_sub(1 << 33)];
    corners
        .iter()
        .flat_map(|&x: &u64| [x.wrapping_sub(2), x.wrapping_sub(1), x, x.wrapping_add(1), x.wrapping_add(2)])
        .collect()
}

fn modulo(x: u128) -> u64 {
    (x % u128::from(P)) as u64
}

#[test]
fn agrees_with_integers() {
    let mut words = edges();
    let mut seed = 7u64;
    words.extend((0..200).map(|_| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        seed ^ seed >> 29
    }));
    for &a in &words {
        assert_eq!(canonical(a), a % P);
        for &b in &words {
            let (wide_a, wide_b, p) = (u128::from(a), u128::from(b), u128::from(P));
            assert_eq!(canonical(add(a, b)), modulo(wide_a + wide_b), "{a} + {b}");
            assert_eq!(canonical(sub(a, b)), modulo(wide_a + 2 * p - wide_b), "{a} - {b}");
            assert_eq!(canonical(Vartime::mul(a, b)), modulo(wide_a * wide_b), "{a} * {b}");
            assert_eq!(canonical(ConstantTime::mul(a, b)), modulo(wide_a * wide_b), "{a} * {b}");
        }
    }
}
