//! Vectors over the cube: index bit `j` is coordinate `j` (spec sections 1 and 7).

use super::field::{Field, Large};

/// The inner product.
///
/// # Panics
///
/// Panics if the lengths differ.
pub fn dot<N: Large>(field: Field, a: &[N], b: &[N]) -> N {
    assert_eq!(a.len(), b.len(), "an inner product takes vectors of one length");
    a.iter().zip(b).fold(N::default(), |sum, (&a, &b)| sum ^ field.mul(a, b))
}

/// Entry `i` is the product over `j` of the second of pair `j` if bit `j` of `i` is set, else the first.
pub fn tensor<N: Large>(field: Field, pairs: &[(N, N)]) -> Vec<N> {
    let mut entries = vec![N::one()];
    for &(zero, one) in pairs {
        let upper: Vec<N> = entries.iter().map(|&entry| field.mul(entry, one)).collect();
        entries.iter_mut().for_each(|entry| *entry = field.mul(*entry, zero));
        entries.extend(upper);
    }
    entries
}

/// `eq(z, x)` for every `x` of the cube; also `eqvec`. The tensor of `(1 + z_j, z_j)`, with one product an entry.
pub fn eq<N: Large>(z: &[N]) -> Vec<N> {
    multiple_of_eq(N::one(), z)
}

/// `factor * eq(z, x)` for every `x`.
fn multiple_of_eq<N: Large>(factor: N, z: &[N]) -> Vec<N> {
    let mut entries = vec![factor];
    for &z in z {
        let upper: Vec<N> = entries.iter().map(|&entry| z.times(entry)).collect();
        entries.iter_mut().zip(&upper).for_each(|(lower, &upper)| *lower ^= upper);
        entries.extend(upper);
    }
    entries
}

/// `F(z) = sum_x f(x) eq(z, x)` for a vector over the large field, by binding one coordinate after the other.
///
/// # Panics
///
/// Panics unless there is an entry for every point of the cube.
pub fn evaluate<N: Large>(f: &[N], z: &[N]) -> N {
    assert_eq!(f.len(), 1 << z.len(), "an entry for every point");
    z.iter().fold(f.to_vec(), |f, &z| fold(&f, z))[0]
}

/// Binds the lowest remaining bit to `r`: `v'[i] = v[2i] + r (v[2i] + v[2i+1])`.
pub fn fold<N: Large>(v: &[N], r: N) -> Vec<N> {
    v.chunks_exact(2).map(|pair| pair[0] ^ r.times(pair[0] ^ pair[1])).collect()
}

/// The weights of all claims together: `W(x) = sum_i gamma^i eq(z_i, x)`.
pub fn eq_weights<'a, N: Large>(mu: u8, points: impl Iterator<Item = &'a Vec<N>>, gamma: N) -> Vec<N> {
    let mut weights = vec![N::default(); 1 << mu];
    let mut power = N::one();
    for point in points {
        weights.iter_mut().zip(multiple_of_eq(power, point)).for_each(|(weight, entry)| *weight ^= entry);
        power = power.times(gamma);
    }
    weights
}

/// `total += factor * vector`.
pub(crate) fn add_multiple<N: Large>(total: &mut [N], factor: N, vector: &[N]) {
    for (total, &entry) in total.iter_mut().zip(vector) {
        *total ^= factor.times(entry);
    }
}
