//! The plain version of every operation: what the others are compared with.

use super::{Factor, Foldable, Round};
use crate::binary::Multiples;
use crate::binary::lanes::OnLanes;

pub(super) fn round<E: OnLanes>(v: &[E], w: &[E]) -> Round<E> {
    let mut message = Round { at_zero: E::ZERO, leading: E::ZERO };
    for (v, w) in v.as_chunks::<2>().0.iter().zip(w.as_chunks::<2>().0) {
        message.at_zero += v[0] * w[0];
        message.leading += (v[0] + v[1]) * (w[0] + w[1]);
    }
    message
}

pub(super) fn fold<E: OnLanes>(v: &mut Foldable<'_, E>, r: E) {
    for i in 0..v.source().len() / 2 {
        let (even, odd) = (v.source()[2 * i], v.source()[2 * i + 1]);
        v.target()[i] = even + r * (even + odd);
    }
}

pub(super) fn weighted_round<E: OnLanes>(a: &[E], b: &[E], weights: &[E]) -> [E; 2] {
    let (mut sum, mut leading) = (E::ZERO, E::ZERO);
    let pairs = a.as_chunks::<2>().0.iter().zip(b.as_chunks::<2>().0);
    for ((a, b), weight) in pairs.zip(weights) {
        let [even, odd] = a.map(|entry| entry * *weight);
        sum += even * b[0] + odd * b[1];
        leading += (even + odd) * (b[0] + b[1]);
    }
    [sum, leading]
}

pub(super) fn tensor<E: OnLanes>(scale: E, factors: &[Factor<E>], out: &mut [E]) {
    out[0] = scale;
    for (j, factor) in factors.iter().enumerate() {
        let (zeros, ones) = out.split_at_mut(1 << j);
        for (entry, above) in zeros.iter_mut().zip(ones) {
            let (zero, one) = match *factor {
                Factor::Equal(z) => {
                    let one = z * *entry;
                    (*entry + one, one)
                }
                Factor::Generator(a) => (*entry, a * *entry),
                Factor::Pair(zero, one) => (zero * *entry, one * *entry),
            };
            *entry = zero;
            *above = one;
        }
    }
}

pub(super) fn extension<E: OnLanes>(factors: &[Factor<E>], point: &[E]) -> E {
    factors.iter().zip(point).fold(E::ONE, |product, (factor, r)| product * factor.bind(*r))
}

pub(super) fn evaluate<E: OnLanes>(v: &[E], factors: &[Factor<E>]) -> E {
    let mut left = v.to_vec();
    for factor in factors {
        for i in 0..left.len() / 2 {
            left[i] = factor.combine(left[2 * i], left[2 * i + 1]);
        }
        left.truncate(left.len() / 2);
    }
    left[0]
}

/// With tables if there are enough rows: for public data.
pub(super) fn combine_columns<E: OnLanes>(f: &[E], weights: &[E], out: &mut [E]) {
    if out.len() < Multiples::<E>::MIN_PRODUCTS {
        for (row, out) in f.chunks_exact(weights.len()).zip(out) {
            *out = inner(row, weights);
        }
        return;
    }
    let mut multiples = Multiples::new();
    out.fill(E::ZERO);
    for (c, weight) in weights.iter().enumerate() {
        multiples.set(*weight);
        for (row, out) in f.chunks_exact(weights.len()).zip(&mut *out) {
            *out += multiples.times(row[c]);
        }
    }
}

pub(super) fn add_products<E: OnLanes>(out: &mut [E], a: &[E], b: &[E]) {
    for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
        *out += *a * *b;
    }
}

pub(super) fn inner<E: OnLanes>(a: &[E], b: &[E]) -> E {
    a.iter().zip(b).fold(E::ZERO, |sum, (a, b)| sum + *a * *b)
}
