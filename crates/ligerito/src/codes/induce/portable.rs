//! The plain version of the steps: what the others are compared with.

use crate::binary::ChallengeField;

pub(super) fn expand<E: ChallengeField>(weight: E, factors: &[E], out: &mut [E]) {
    out[0] = weight;
    for (j, factor) in factors.iter().enumerate() {
        let (lower, upper) = out.split_at_mut(1 << j);
        scale(lower, *factor, &mut upper[..1 << j]);
    }
}

pub(super) fn scale<E: ChallengeField>(u: &[E], l: E, w: &mut [E]) {
    for (u, w) in u.iter().zip(w) {
        *w = *u * l;
    }
}

pub(super) fn butterfly<E: ChallengeField>(u: &mut [E], w: &mut [E], l: E) {
    for (u, w) in u.iter_mut().zip(w) {
        *u += *w;
        *w += *u * l;
    }
}

pub(super) fn butterfly_add<E: ChallengeField>(u: &[E], w: &[E], l: E, out_u: &mut [E], out_w: &mut [E]) {
    for ((u, w), (out_u, out_w)) in u.iter().zip(w).zip(out_u.iter_mut().zip(out_w)) {
        let sum = *u + *w;
        *out_u += sum;
        *out_w += *w + sum * l;
    }
}
