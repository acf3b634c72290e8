//! The ring `F_p[x] / (x^T - 1)`: splitting and merging, and the constant linear algebra that prepares the tables.
//!
//! A node of the splitting tree is a modulus `x^n - e`; its children are `x^(n/2) - r` and `x^(n/2) + r` with `r^2 =
//! e`. For `T = 16` four levels lead to sixteen linear factors, for `T = 24` three levels to eight factors `x^3 - e`.

use super::super::ops::{CARRY, Factor, P, add_mod, form, inverse_mod, mul_mod, pow_mod, sub_mod};
use super::cube::CubeLanes;

/// A root of one of order 16: 3 is no square, so neither are its odd powers.
pub(super) const ROOT: u64 = pow_mod(3, (P - 1) / 16);

/// For node `i` of any level `x^n - ROOT^e`: the exponent of `r`. At most 8 nodes are split on a level.
const SPLIT: [u64; 8] = [0, 4, 2, 6, 1, 5, 3, 7];

/// Bound, in multiples of `p`, of the words that are split or merged, before offsets.
pub(super) const UNIT: u64 = 4 * P;

/// Constants of splitting and merging.
pub(super) struct Tree {
    /// `r` of node `i`.
    split: [Factor; 8],
    /// `1 / r` of node `i`.
    merge: [Factor; 8],
}

pub(super) static TREE: Tree = {
    let one = Factor::ONE;
    let mut tree = Tree { split: [one; 8], merge: [one; 8] };
    let mut i = 0;
    while i < 8 {
        tree.split[i] = Factor::new(pow_mod(ROOT, SPLIT[i]));
        tree.merge[i] = Factor::new(pow_mod(ROOT, 16 - SPLIT[i]));
        i += 1;
    }
    tree
};

/// `e` of leaf `x^n - e` number `i` below `levels` levels.
pub(super) const fn leaf(levels: u32, i: usize) -> u64 {
    // The last split had exponent SPLIT[i / 2], its second child has the opposite sign.
    let r = pow_mod(ROOT, SPLIT[i / 2]);
    assert!(levels > 0, "the root is no leaf");
    if i.is_multiple_of(2) { r } else { P - r }
}

/// How many [`UNIT`]s to add to piece `i` of `2^levels`, so that all differences on the way down stay positive.
///
/// Piece 0 outweighs all others together, piece 1 all from 2 on that it ever meets, and so on by powers of two.
pub(super) const fn offset(levels: u32, i: usize) -> u64 {
    let length = usize::BITS - i.leading_zeros();
    (1 << (levels - length)) - 1
}

/// The same for the way up: leaf, or inner node, `i` of `2^levels`.
pub(super) const fn offset_up(levels: u32, i: usize) -> u64 {
    offset(levels, if levels == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - levels) })
}

/// One level down: `2^level` nodes of `2 half` coefficients each.
#[inline(always)]
pub(super) fn split<A: CubeLanes, const T: usize>(a: A, x: &mut [A::V; T], nodes: usize) {
    let half = T / nodes / 2;
    let mut i = 0;
    while i < nodes {
        let mut j = 2 * half * i;
        while j < 2 * half * i + half {
            let (low, mut high) = (x[j], x[j + half]);
            if i > 0 {
                high = a.mul_const(a.splat(CARRY), high, &TREE.split[i]);
            }
            x[j] = a.add(low, high);
            x[j + half] = a.sub(low, high);
            j += 1;
        }
        i += 1;
    }
}

/// One level up, times two: the reverse of [`split`].
#[inline(always)]
pub(super) fn merge<A: CubeLanes, const T: usize>(a: A, x: &mut [A::V; T], nodes: usize) {
    let half = T / nodes / 2;
    let mut i = 0;
    while i < nodes {
        let mut j = 2 * half * i;
        while j < 2 * half * i + half {
            let (u, v) = (x[j], x[j + half]);
            x[j] = a.add(u, v);
            x[j + half] = a.sub(u, v);
            if i > 0 {
                let start = a.splat(CARRY + UNIT * offset_up(nodes.trailing_zeros(), i));
                x[j + half] = a.mul_const(start, x[j + half], &TREE.merge[i]);
            }
            j += 1;
        }
        i += 1;
    }
}

/// A square matrix over the field.
pub(super) type Matrix<const N: usize> = [[u64; N]; N];

/// The circulant matrix with this first row: `M[i][j] = row[(j - i) mod T]`.
pub(super) const fn circulant<const T: usize>(row: &[u32; T]) -> Matrix<T> {
    let mut m = [[0; T]; T];
    let mut i = 0;
    while i < T {
        let mut j = 0;
        while j < T {
            m[i][j] = row[(T + j - i) % T] as u64;
            j += 1;
        }
        i += 1;
    }
    m
}

/// Matrix times vector.
pub(super) const fn apply<const N: usize>(m: &Matrix<N>, x: &[u64; N]) -> [u64; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        let mut j = 0;
        while j < N {
            out[i] = add_mod(out[i], mul_mod(m[i][j], x[j]));
            j += 1;
        }
        i += 1;
    }
    out
}

/// The inverse, by Gauss and Jordan. Stops the build if there is none.
pub(super) const fn invert<const N: usize>(m: &Matrix<N>) -> Matrix<N> {
    let mut left = *m;
    let mut right = [[0; N]; N];
    let mut i = 0;
    while i < N {
        right[i][i] = 1;
        i += 1;
    }
    let mut k = 0;
    while k < N {
        let mut pivot = k;
        while left[pivot][k] == 0 {
            pivot += 1;
        }
        (left[k], left[pivot]) = (left[pivot], left[k]);
        (right[k], right[pivot]) = (right[pivot], right[k]);
        let scale = inverse_mod(left[k][k]);
        let mut j = 0;
        while j < N {
            left[k][j] = mul_mod(left[k][j], scale);
            right[k][j] = mul_mod(right[k][j], scale);
            j += 1;
        }
        let mut i = 0;
        while i < N {
            let factor = if i == k { 0 } else { P - left[i][k] };
            let mut j = 0;
            while j < N {
                left[i][j] = add_mod(left[i][j], mul_mod(factor, left[k][j]));
                right[i][j] = add_mod(right[i][j], mul_mod(factor, right[k][j]));
                j += 1;
            }
            i += 1;
        }
        k += 1;
    }
    right
}

/// The number `d` with `(x^d)^e = x`: roots of an order that does not divide `p - 1`.
pub(super) const fn root_exponent(e: u64) -> u64 {
    let mut multiple = 1;
    while multiple % e != 0 {
        multiple += P - 1;
    }
    multiple / e
}

/// Scales of the S-box inputs in four full rounds from scale `first` on: `L -> gain L^3 / R^2`.
pub(super) const fn scales(first: u64, gain: u64) -> [u64; 4] {
    let mut scales = [first; 4];
    let mut i = 1;
    while i < 4 {
        scales[i] = mul_mod(gain, cube_scale(scales[i - 1]));
        i += 1;
    }
    scales
}

/// Scale of an S-box output whose input has scale `x`: `x^3 / R^2`.
pub(super) const fn cube_scale(x: u64) -> u64 {
    mul_mod(pow_mod(x, 3), inverse_mod(form(form(1))))
}

/// Start values of the S-boxes of a round whose matrix product, `scale` times the true one, is to have `constants`
/// added.
pub(super) const fn starts<const T: usize>(
    inverse: &Matrix<T>,
    scale: u64,
    constants: &[u32; T],
) -> [u64; T] {
    let mut wanted = [0; T];
    let mut i = 0;
    while i < T {
        wanted[i] = mul_mod(scale, constants[i] as u64);
        i += 1;
    }
    let mut starts = apply(inverse, &wanted);
    i = 0;
    while i < T {
        starts[i] = add_mod(CARRY, starts[i]);
        i += 1;
    }
    starts
}

/// Start values of the last round: they undo the `-CARRY` of the closing reduction, `gain M k / R = CARRY`.
pub(super) const fn last_starts<const T: usize>(inverse: &Matrix<T>, gain: u64) -> [u64; T] {
    let wanted = [mul_mod(form(CARRY), inverse_mod(gain)); T];
    let mut starts = apply(inverse, &wanted);
    let mut i = 0;
    while i < T {
        starts[i] = add_mod(CARRY, starts[i]);
        i += 1;
    }
    starts
}

/// `constants * scale`.
pub(super) const fn scaled<const T: usize>(constants: &[u32; T], scale: u64) -> [u64; T] {
    let mut out = [0; T];
    let mut i = 0;
    while i < T {
        out[i] = mul_mod(scale, constants[i] as u64);
        i += 1;
    }
    out
}

/// `a + constants`.
pub(super) const fn plus<const T: usize>(a: &[u64; T], constants: &[u32; T]) -> [u64; T] {
    let mut out = *a;
    let mut i = 0;
    while i < T {
        out[i] = add_mod(out[i], constants[i] as u64);
        i += 1;
    }
    out
}

/// `-x`.
pub(super) const fn negate(x: u64) -> u64 {
    sub_mod(0, x)
}
