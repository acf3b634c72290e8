//! The plain version of every operation: the law the others obey.

use super::{Factor, Round};
use crate::fields::binary::Gf128;
use alloc::vec;
use alloc::vec::Vec;

pub(super) fn round(v: &[Gf128], w: &[Gf128]) -> Round {
    let mut message = Round { at_zero: Gf128(0), leading: Gf128(0) };
    for (v, w) in v.as_chunks::<2>().0.iter().zip(w.as_chunks::<2>().0) {
        message.at_zero += v[0] * w[0];
        message.leading += (v[0] + v[1]) * (w[0] + w[1]);
    }
    message
}

pub(super) fn fold(v: &mut Vec<Gf128>, r: Gf128) {
    for i in 0..v.len() / 2 {
        v[i] = v[2 * i] + r * (v[2 * i] + v[2 * i + 1]);
    }
    v.truncate(v.len() / 2);
}

pub(super) fn tensor(scale: Gf128, factors: &[Factor]) -> Vec<Gf128> {
    let mut entries = vec![scale];
    entries.reserve_exact((1 << factors.len()) - 1);
    for factor in factors {
        for i in 0..entries.len() {
            let entry = entries[i];
            let (zero, one) = match *factor {
                Factor::Equal(z) => {
                    let one = z * entry;
                    (entry + one, one)
                }
                Factor::Generator(a) => (entry, a * entry),
                Factor::Pair(zero, one) => (zero * entry, one * entry),
            };
            entries[i] = zero;
            entries.push(one);
        }
    }
    entries
}

pub(super) fn evaluate(v: &[Gf128], factors: &[Factor]) -> Gf128 {
    let mut left = v.to_vec();
    for factor in factors {
        for i in 0..left.len() / 2 {
            left[i] = factor.combine(left[2 * i], left[2 * i + 1]);
        }
        left.truncate(left.len() / 2);
    }
    left[0]
}

pub(super) fn add_products(out: &mut [Gf128], a: &[Gf128], b: &[Gf128]) {
    for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
        *out += *a * *b;
    }
}

pub(super) fn inner(a: &[Gf128], b: &[Gf128]) -> Gf128 {
    a.iter().zip(b).fold(Gf128(0), |sum, (a, b)| sum + *a * *b)
}
