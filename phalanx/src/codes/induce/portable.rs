//! The plain version of the steps: the law the others obey.

use crate::fields::binary::Gf128;

pub(super) fn expand(weight: Gf128, factors: &[Gf128], out: &mut [Gf128]) {
    out[0] = weight;
    for (j, factor) in factors.iter().enumerate() {
        let (lower, upper) = out.split_at_mut(1 << j);
        scale(lower, *factor, &mut upper[..1 << j]);
    }
}

pub(super) fn scale(u: &[Gf128], l: Gf128, w: &mut [Gf128]) {
    for (u, w) in u.iter().zip(w) {
        *w = *u * l;
    }
}

pub(super) fn butterfly(u: &mut [Gf128], w: &mut [Gf128], l: Gf128) {
    for (u, w) in u.iter_mut().zip(w) {
        *u += *w;
        *w += *u * l;
    }
}

pub(super) fn butterfly_add(u: &[Gf128], w: &[Gf128], l: Gf128, out_u: &mut [Gf128], out_w: &mut [Gf128]) {
    for ((u, w), (out_u, out_w)) in u.iter().zip(w).zip(out_u.iter_mut().zip(out_w)) {
        let sum = *u + *w;
        *out_u += sum;
        *out_w += *w + sum * l;
    }
}
