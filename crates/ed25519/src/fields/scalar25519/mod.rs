//! Integers modulo L = 2^252 + 27742317777372353535851937790883648493, the order of the base point of edwards25519.
//!
//! A [`Scalar`] is always the canonical value below L. Time is independent of values unless a name says `vartime`.

#[cfg(target_arch = "x86_64")]
mod ifma;
mod portable;
mod scalar;
#[cfg(test)]
mod tests;

pub(crate) use scalar::{Scalar, WeightedSum};

use phalanx_core::first_of;
use phalanx_core::simd::Isa;

/// [`Scalar::from_wide`] of `wide[i]` to `scalars[i]`, eight side by side where the CPU has AVX-512.
///
/// # Panics
/// If the slices differ in length.
pub(crate) fn from_wide_many(isa: Isa, wide: &[[u8; 64]], scalars: &mut [Scalar]) {
    assert_eq!(wide.len(), scalars.len(), "a scalar for every integer");
    let done = first_of!(isa;
        ifma(witness) => {
            let (groups, rest) = wide.as_chunks();
            for (wide, scalars) in groups.iter().zip(scalars.as_chunks_mut().0) {
                ifma::from_wide(witness, wide, scalars);
            }
            wide.len() - rest.len()
        },
        else => 0,
    );
    for (wide, scalar) in wide[done..].iter().zip(&mut scalars[done..]) {
        *scalar = Scalar::from_wide(wide);
    }
}

/// [`Scalar::mul_add`]: `a[i]` * `b[i]` + `terms[i]` to `sums[i]`, eight side by side where the CPU has AVX-512.
///
/// # Panics
/// If the slices differ in length.
pub(crate) fn mul_add_many(isa: Isa, a: &[Scalar], b: &[Scalar], terms: &[Scalar], sums: &mut [Scalar]) {
    let n = sums.len();
    assert!([a.len(), b.len(), terms.len()] == [n; 3], "as many factors and terms as sums");
    let done = first_of!(isa;
        ifma(witness) => {
            let groups = a.as_chunks().0.iter().zip(b.as_chunks().0).zip(terms.as_chunks().0);
            for (((a, b), terms), sums) in groups.zip(sums.as_chunks_mut().0) {
                ifma::mul_add(witness, a, b, terms, sums);
            }
            n - n % ifma::LANES
        },
        else => 0,
    );
    for i in done..n {
        sums[i] = a[i].mul_add(&b[i], &terms[i]);
    }
}
