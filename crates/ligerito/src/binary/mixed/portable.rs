//! The plain version: sums of unreduced products of components.
//!
//! Two products at a time cost three where the third is shared by all components (Winograd 1968, in characteristic
//! two): a b + c d = (a + d)(c + b) + a c + b d, with a, c of the matrix and b, d of the weights. So two elements times
//! two weights of four components take five products of 32 bits, not eight.

use super::components::Components;
use crate::binary::carryless::product32;
use crate::binary::{BinaryField, Gf32};
use alloc::vec;
use alloc::vec::Vec;

/// Two weights: their components, and the products of these.
struct WeightPair<const N: usize> {
    first: [u32; N],
    second: [u32; N],
    products: [u64; N],
}

impl<const N: usize> WeightPair<N> {
    /// The weights `pair`, or one and zero.
    fn new<E: Components<N>>(pair: &[E]) -> Self {
        let first = pair[0].components();
        let second = pair.get(1).map_or([0; N], |weight| weight.components());
        let mut products = [0; N];
        for k in 0..N {
            products[k] = product32(first[k], second[k]);
        }
        Self { first, second, products }
    }

    /// Adds to `sums` `x` times the first and `y` times the second weight, and [`Self::add_constant`].
    #[inline]
    fn multiply(&self, x: Gf32, y: Gf32, sums: &mut [u64; N]) {
        let shared = product32(x.0, y.0);
        for (sum, (first, second)) in sums.iter_mut().zip(self.first.iter().zip(&self.second)) {
            *sum ^= shared ^ product32(x.0 ^ second, y.0 ^ first);
        }
    }

    /// Adds what is too much in every sum of [`Self::multiply`].
    fn add_constant(&self, sums: &mut [u64; N]) {
        for (sum, product) in sums.iter_mut().zip(&self.products) {
            *sum ^= product;
        }
    }
}

/// Sums of products, reduced and put together.
fn finish<const N: usize, E: Components<N>>(sums: &[u64; N], constant: &[u64; N]) -> E {
    let mut reduced = [Gf32(0); N];
    for k in 0..N {
        reduced[k] = Gf32::reduce(sums[k] ^ constant[k]);
    }
    E::assemble(reduced)
}

pub(super) fn combine_rows<const N: usize, E: Components<N>>(f: &[Gf32], weights: &[E], out: &mut [E]) {
    let columns = out.len();
    let mut sums = vec![[0; N]; columns];
    let mut constant = [0; N];
    for (rows, weights) in f.chunks(2 * columns).zip(weights.chunks(2)) {
        let pair = WeightPair::new(weights);
        let (first, second) = rows.split_at(columns);
        for (c, sums) in sums.iter_mut().enumerate() {
            let below = second.get(c).copied().unwrap_or_default();
            pair.multiply(first[c], below, sums);
        }
        pair.add_constant(&mut constant);
    }
    for (out, sums) in out.iter_mut().zip(&sums) {
        *out += finish(sums, &constant);
    }
}

/// A mask for every bit: the time does not depend on the elements.
pub(super) fn combine_rows_of_bits<const N: usize, E: Components<N>>(
    f: &[Gf32],
    weights: &[E],
    out: &mut [[E; 32]],
) {
    for (row, weight) in f.chunks_exact(out.len()).zip(weights) {
        for (element, sums) in row.iter().zip(&mut *out) {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum += weight.masked(u64::from(element.0 >> i & 1).wrapping_neg());
            }
        }
    }
}

pub(super) fn combine_columns<const N: usize, E: Components<N>>(f: &[Gf32], weights: &[E], out: &mut [E]) {
    let pairs: Vec<WeightPair<N>> = weights.chunks(2).map(WeightPair::new).collect();
    let mut constant = [0; N];
    for pair in &pairs {
        pair.add_constant(&mut constant);
    }
    for (row, out) in f.chunks_exact(weights.len()).zip(out) {
        let mut sums = [0; N];
        for (elements, pair) in row.chunks(2).zip(&pairs) {
            pair.multiply(elements[0], elements.get(1).copied().unwrap_or_default(), &mut sums);
        }
        *out = finish(&sums, &constant);
    }
}

/// With tables of all sums of four images: for public data.
pub(super) fn map_columns<E: BinaryField>(f: &[Gf32], images: &[[E; 32]], out: &mut [E]) {
    let mut tables = vec![[[E::ZERO; 16]; 8]; images.len()];
    for (tables, images) in tables.iter_mut().zip(images) {
        for (table, four) in tables.iter_mut().zip(images.as_chunks::<4>().0) {
            for nibble in 1..16usize {
                let top = nibble.ilog2();
                table[nibble] = table[nibble ^ 1 << top] + four[top as usize];
            }
        }
    }
    for (row, out) in f.chunks_exact(images.len()).zip(out) {
        *out = E::ZERO;
        for (word, tables) in row.iter().zip(&tables) {
            for (place, table) in tables.iter().enumerate() {
                *out += table[(word.0 >> (4 * place) & 15) as usize];
            }
        }
    }
}
