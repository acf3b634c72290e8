//! The plain version of every operation: the law the others obey.

use super::{Factor, Round};
use crate::fields::binary::ChallengeField;
use alloc::vec;
use alloc::vec::Vec;

pub(super) fn round<E: ChallengeField>(v: &[E], w: &[E]) -> Round<E> {
    let mut message = Round { at_zero: E::ZERO, leading: E::ZERO };
    for (v, w) in v.as_chunks::<2>().0.iter().zip(w.as_chunks::<2>().0) {
        message.at_zero += v[0] * w[0];
        message.leading += (v[0] + v[1]) * (w[0] + w[1]);
    }
    message
}

pub(super) fn fold<E: ChallengeField>(v: &mut Vec<E>, r: E) {
    for i in 0..v.len() / 2 {
        v[i] = v[2 * i] + r * (v[2 * i] + v[2 * i + 1]);
    }
    v.truncate(v.len() / 2);
}

pub(super) fn tensor<E: ChallengeField>(scale: E, factors: &[Factor<E>]) -> Vec<E> {
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

pub(super) fn extension<E: ChallengeField>(factors: &[Factor<E>], point: &[E]) -> E {
    factors.iter().zip(point).fold(E::ONE, |product, (factor, r)| product * factor.bind(*r))
}

pub(super) fn evaluate<E: ChallengeField>(v: &[E], factors: &[Factor<E>]) -> E {
    let mut left = v.to_vec();
    for factor in factors {
        for i in 0..left.len() / 2 {
            left[i] = factor.combine(left[2 * i], left[2 * i + 1]);
        }
        left.truncate(left.len() / 2);
    }
    left[0]
}

pub(super) fn add_products<E: ChallengeField>(out: &mut [E], a: &[E], b: &[E]) {
    for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
        *out += *a * *b;
    }
}

pub(super) fn inner<E: ChallengeField>(a: &[E], b: &[E]) -> E {
    a.iter().zip(b).fold(E::ZERO, |sum, (a, b)| sum + *a * *b)
}
