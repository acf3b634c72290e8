//! Vectors over the cube: index bit `j` is coordinate `j` (spec sections 1 and 7).

use super::field::{Field, U};

/// The inner product.
///
/// # Panics
///
/// Panics if the lengths differ.
pub fn dot(field: Field, a: &[u128], b: &[u128]) -> u128 {
    assert_eq!(a.len(), b.len(), "an inner product takes vectors of one length");
    a.iter().zip(b).fold(0, |sum, (&a, &b)| sum ^ field.mul(a, b))
}

/// Entry `i` is the product over `j` of the second of pair `j` if bit `j` of `i` is set, else the first.
pub fn tensor(field: Field, pairs: &[(u128, u128)]) -> Vec<u128> {
    let mut entries = vec![1];
    for &(zero, one) in pairs {
        let upper: Vec<u128> = entries.iter().map(|&entry| field.mul(entry, one)).collect();
        entries.iter_mut().for_each(|entry| *entry = field.mul(*entry, zero));
        entries.extend(upper);
    }
    entries
}

/// `eq(z, x)` for every `x` of the cube; also `eqvec`.
pub fn eq(z: &[u128]) -> Vec<u128> {
    let pairs: Vec<_> = z.iter().map(|&z| (1 ^ z, z)).collect();
    tensor(U, &pairs)
}

/// `F(z) = sum_x f(x) eq(z, x)` for a vector over U.
pub fn evaluate(f: &[u128], z: &[u128]) -> u128 {
    dot(U, f, &eq(z))
}

/// Binds the lowest remaining bit to `r`: `v'[i] = v[2i] + r (v[2i] + v[2i+1])`.
pub fn fold(v: &[u128], r: u128) -> Vec<u128> {
    v.chunks_exact(2).map(|pair| pair[0] ^ U.mul(r, pair[0] ^ pair[1])).collect()
}

/// The weights of all claims together: `W(x) = sum_i gamma^i eq(z_i, x)`.
pub fn eq_weights<'a>(mu: u8, points: impl Iterator<Item = &'a Vec<u128>>, gamma: u128) -> Vec<u128> {
    let mut weights = vec![0; 1 << mu];
    let mut power = 1;
    for point in points {
        add_multiple(&mut weights, power, &eq(point));
        power = U.mul(power, gamma);
    }
    weights
}

/// `total += factor * vector`.
pub(crate) fn add_multiple(total: &mut [u128], factor: u128, vector: &[u128]) {
    for (total, &entry) in total.iter_mut().zip(vector) {
        *total ^= U.mul(factor, entry);
    }
}
