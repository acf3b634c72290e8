//! The hypercube `[0, w-1]^v` and its layers, counted exactly (spec section 8.1).
//!
//! A vertex lies in layer `d` if its coordinates sum to `v(w-1) - d`, so layer 0 holds the top vertex alone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use num_bigint::BigUint;

/// A hypercube with the sizes of its layers.
#[derive(Clone, Debug)]
pub struct Hypercube {
    dimension: usize,
    base: u8,
    /// `sizes[r][d]` is `l(r, d)`, the size of layer `d` of the cube of dimension `r`.
    sizes: Vec<Vec<BigUint>>,
}

impl Hypercube {
    /// The cube of `dimension` (`v`) coordinates below `base` (`w`).
    ///
    /// # Panics
    ///
    /// Panics if either is zero.
    pub fn new(dimension: u8, base: u8) -> Self {
        assert!(dimension > 0 && base > 0, "a hypercube has coordinates and values for them");
        let dimension = usize::from(dimension);
        let mut sizes = vec![vec![BigUint::from(1u32)]];
        for r in 0..dimension {
            sizes.push(times_geometric(&sizes[r], usize::from(base)));
        }
        Self { dimension, base, sizes }
    }

    /// The cube of these parameters, built once per process.
    ///
    /// # Panics
    ///
    /// Panics if either is zero.
    pub fn shared(dimension: u8, base: u8) -> Arc<Self> {
        static CUBES: Mutex<BTreeMap<(u8, u8), Arc<Hypercube>>> = Mutex::new(BTreeMap::new());
        let mut cubes = CUBES.lock().expect("nobody panics while holding the table");
        cubes.entry((dimension, base)).or_insert_with(|| Arc::new(Self::new(dimension, base))).clone()
    }

    /// The sizes of all layers, from layer 0 to layer `v(w-1)`.
    pub fn layer_sizes(&self) -> &[BigUint] {
        &self.sizes[self.dimension]
    }

    /// `S`: the number of vertices in layers 0 to `last`, both included.
    ///
    /// # Panics
    ///
    /// Panics if there is no layer `last`.
    pub fn part_size(&self, last: usize) -> BigUint {
        self.layer_sizes()[..=last].iter().sum()
    }

    /// The layer of vertex number `n`, counted from the top, and its index within that layer (step 4).
    ///
    /// # Panics
    ///
    /// Panics unless `n < w^v`.
    pub fn find_layer(&self, n: &BigUint) -> (usize, BigUint) {
        let mut rest = n.clone();
        for (d, size) in self.layer_sizes().iter().enumerate() {
            if rest < *size {
                return (d, rest);
            }
            rest -= size;
        }
        panic!("vertex number {n} is not below w^v");
    }

    /// The vertex with index `x` in layer `d` (step 5).
    ///
    /// Within a layer, vertices descend lexicographically in the coordinates.
    ///
    /// # Panics
    ///
    /// Panics unless `x` is below the size of layer `d`.
    pub fn vertex(&self, d: usize, x: &BigUint) -> Vec<u8> {
        assert!(*x < self.layer_sizes()[d], "index {x} is not below the size of layer {d}");
        let top = usize::from(self.base) - 1;
        let (mut d, mut x) = (d, x.clone());
        let mut vertex = Vec::with_capacity(self.dimension);
        for r in (1..self.dimension).rev() {
            // This coordinate is `top - j`; the other `r` can lose at most `top * r`, which bounds `j` from below.
            let mut j = d.saturating_sub(top * r);
            while x >= self.sizes[r][d - j] {
                x -= &self.sizes[r][d - j];
                j += 1;
            }
            vertex.push(self.coordinate(top - j));
            d -= j;
        }
        let x = usize::try_from(&x).expect("a layer of a line has at most one vertex");
        vertex.push(self.coordinate(top - x - d));
        vertex
    }

    fn coordinate(&self, value: usize) -> u8 {
        let coordinate = u8::try_from(value).expect("coordinates are below w <= 255");
        assert!(coordinate < self.base, "coordinates are below w");
        coordinate
    }
}

/// The polynomial times `1 + X + ... + X^(base-1)`.
fn times_geometric(polynomial: &[BigUint], base: usize) -> Vec<BigUint> {
    let mut product = vec![BigUint::ZERO; polynomial.len() + base - 1];
    for (d, coefficient) in polynomial.iter().enumerate() {
        for j in 0..base {
            product[d + j] += coefficient;
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_of_a_small_cube() {
        let cube = Hypercube::new(2, 3);
        assert_eq!(cube.layer_sizes(), [1u32, 2, 3, 2, 1].map(BigUint::from));
        assert_eq!(cube.find_layer(&BigUint::from(3u32)), (2, BigUint::from(0u32)));
        assert_eq!(cube.vertex(2, &BigUint::from(0u32)), [2, 0]);
        assert_eq!(cube.vertex(2, &BigUint::from(2u32)), [0, 2]);
    }
}
