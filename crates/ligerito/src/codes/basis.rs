//! The normalised novel basis: h_j, linear over GF(2), zero on the integers below 2^j, and h_j(2^j) = 1.
//!
//! Source: S.-J. Lin, W.-H. Chung, Y. S. Han, "Novel polynomial basis and its application to Reed-Solomon erasure
//! codes", FOCS 2014: s_0(X) = X, c_j = s_j(2^j), s_{j+1}(X) = s_j(X)^2 + c_j s_j(X), h_j = s_j / c_j.

use crate::binary::BinaryField;
use alloc::vec::Vec;

/// The values h_j(2^b) for j, b below K: everything that encoding needs to know of a domain of 2^K points.
#[derive(Clone)]
pub(crate) struct Basis<F> {
    /// `rows[j][b]` = h_j(2^b).
    rows: Vec<Vec<F>>,
    /// c_j = s_j(2^j).
    norms: Vec<F>,
}

impl<F: BinaryField> Basis<F> {
    /// The basis of the domain of 2^`log2_points` points.
    ///
    /// # Panics
    /// If the domain does not lie in the field: `log2_points` above its degree. Points beyond the field would repeat,
    /// and a word with repeated points is no codeword of the distance that is claimed.
    pub(crate) fn new(log2_points: u32) -> Self {
        assert!(log2_points <= F::BITS && log2_points < 64, "the domain lies in the field");
        // s_j(2^b), for the j of the turn: zero for b below j.
        let mut values: Vec<F> = (0..log2_points).map(|b| F::from_integer(1 << b)).collect();
        let mut rows = Vec::with_capacity(values.len());
        let mut norms = Vec::with_capacity(values.len());
        for j in 0..values.len() {
            let norm = values[j];
            rows.push(values.clone());
            norms.push(norm);
            values[j] = F::ZERO;
            for value in &mut values[j + 1..] {
                *value = value.square() + norm * *value;
            }
        }
        for (j, (row, inverse)) in rows.iter_mut().zip(inverses(&norms)).enumerate() {
            row[j..].iter_mut().for_each(|value| *value *= inverse);
        }
        Self { rows, norms }
    }

    /// The same basis in a larger field: what is linear over GF(2) is embedded entry by entry.
    pub(crate) fn embedded<E: From<F>>(&self) -> Basis<E> {
        let embed = |row: &Vec<F>| row.iter().map(|value| E::from(*value)).collect();
        Basis { rows: self.rows.iter().map(embed).collect(), norms: embed(&self.norms) }
    }

    /// A domain of four points and one layer, whose twiddle at the points 2 and 3 is `twiddle`: what a transform does there is a
    /// product, of many elements at once.
    pub(crate) fn of_twiddle(twiddle: F) -> Self {
        let rows = [[F::ONE, twiddle], [F::ZERO, F::ONE]].map(Vec::from);
        Self { rows: rows.into(), norms: [F::ONE; 2].into() }
    }

    /// K.
    pub(crate) fn log2_points(&self) -> usize {
        self.rows.len()
    }

    /// h_j at the integers 1, 2, 4, …
    pub(crate) fn row(&self, j: usize) -> &[F] {
        &self.rows[j]
    }

    /// c_j, by which the unnormalised s_j exceeds h_j.
    #[cfg(any(feature = "hazmat", feature = "ref-v08"))]
    pub(crate) fn norm(&self, j: usize) -> F {
        self.norms[j]
    }

    /// h_j at the point `q`: the sum over the bits of `q` from bit j on.
    ///
    /// # Panics
    /// If `q` is no point of the domain.
    pub(crate) fn at(&self, j: usize, q: usize) -> F {
        assert!(q >> self.log2_points() == 0, "a point of the domain");
        let mut sum = F::ZERO;
        let mut bits = q >> j << j;
        while bits != 0 {
            sum += self.rows[j][bits.trailing_zeros() as usize];
            bits &= bits - 1;
        }
        sum
    }

    /// The factors a_0, …, a_{d-1} of row `q` of the generator matrix: the row is the tensor of (1, a_j), a_j on index
    /// bit j.
    pub(crate) fn generator_factors(&self, q: usize, log2_message: usize) -> impl Iterator<Item = F> {
        (0..log2_message).map(move |j| self.at(j, q))
    }
}

/// The inverse of each, by one inversion (Montgomery's trick). None of them is zero.
fn inverses<F: BinaryField>(elements: &[F]) -> Vec<F> {
    let mut product = F::ONE;
    let mut before: Vec<F> = Vec::with_capacity(elements.len());
    for element in elements {
        before.push(product);
        product *= *element;
    }
    let mut inverse = product.invert();
    for (before, element) in before.iter_mut().zip(elements).rev() {
        *before *= inverse;
        inverse *= *element;
    }
    before
}
