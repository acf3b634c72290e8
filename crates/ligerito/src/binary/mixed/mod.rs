//! Matrices over GF(2^32) times vectors over GF(2^128) or GF(2^192).
//!
//! A matrix lies row after row. The products work on any run of rows, so that threads can share one: [`combine_rows`]
//! adds to what is there, [`combine_columns`] writes an entry for every row. Each has a form that looks at the 32 bits of
//! an element one by one: [`combine_rows_of_bits`] keeps their sums apart, and [`map_columns`] takes what each bit stands
//! for from a table. [`combine_products`] sums products of bits, of rows that are functions on a cube ([`cube`]). Answers
//! never depend on the backend.
//!
//! Three methods. *Components* (portable): weights are written in a basis over GF(2^32) and everything becomes
//! carry-less products of 32 bits, added up before they are reduced. *Tables* (AVX2): nibbles are looked up in sixteen
//! bytes. *Bit matrices* (GFNI): bytes of eight rows times an 8x8 matrix over GF(2), one instruction for an element and
//! a weight on 64 bytes.

#[cfg(target_arch = "x86_64")]
mod bytes;
mod components;
mod cube;
#[cfg(target_arch = "x86_64")]
mod gfni512;
#[cfg(target_arch = "x86_64")]
mod images;
mod portable;
#[cfg(test)]
mod tests;

use super::{BinaryField, Gf32, Gf128, Gf192, words_of_bits};
use alloc::borrow::Cow;
pub use cube::POINTS;
use phalanx_core::first_of;
#[cfg(target_arch = "x86_64")]
use phalanx_core::simd::Witness;
use phalanx_core::simd::{Isa, Kernel};

/// Fields whose vectors are multiplied with matrices over GF(2^32), by the kernels of any backend. Callers have checked
/// lengths; `f` is not empty.
pub(crate) trait Mixed: Sized {
    /// See [`combine_rows`].
    fn rows(isa: Isa, f: &[Gf32], weights: &[Self], out: &mut [Self]);

    /// See [`combine_rows_of_bits`].
    fn rows_of_bits(isa: Isa, f: &[Gf32], weights: &[Self], out: &mut [[Self; 32]]);

    /// See [`combine_products`].
    fn products(
        isa: Isa,
        factors: [&[[u32; 2]]; 2],
        weights: &[Self],
        scales: &[Self],
        out: &mut [Self; POINTS],
    );

    /// See [`combine_columns`].
    fn columns(isa: Isa, f: &[Gf32], weights: &[Self], out: &mut [Self]);

    /// See [`map_columns`].
    fn mapped_columns(isa: Isa, f: &[Gf32], images: &[[Self; 32]], out: &mut [Self]);

    /// What 1, x, x^2, … are sums of: of products of elements of GF(2^32), as many to each, with 1, x, x^2, ….
    fn components_of_powers() -> Cow<'static, [Gf32]>;
}

/// A field of elements of so many bytes and as many components of 32 bits.
macro_rules! mixed {
    ($field:ty, $bytes:literal, $components:ident) => {
        impl Mixed for $field {
            fn rows(isa: Isa, f: &[Gf32], weights: &[Self], out: &mut [Self]) {
                first_of!(isa;
                    gfni512(cpu) => gfni512::combine_rows::<$bytes, _>(cpu, f, weights, out),
                    gfni(cpu) => bytes::combine_rows::<$bytes, _>(cpu, f, weights, out),
                    avx2(cpu) => bytes::combine_rows::<$bytes, _>(cpu, f, weights, out),
                    else => portable::combine_rows::<{ $bytes / 4 }, _>(f, weights, out),
                )
            }

            fn rows_of_bits(isa: Isa, f: &[Gf32], weights: &[Self], out: &mut [[Self; 32]]) {
                first_of!(isa;
                    gfni512(cpu) => gfni512::combine_rows_of_bits::<$bytes, _>(cpu, f, weights, out),
                    gfni(cpu) => bytes::combine_rows_of_bits::<$bytes, _>(cpu, f, weights, out),
                    avx2(cpu) => bytes::combine_rows_of_bits::<$bytes, _>(cpu, f, weights, out),
                    else => portable::combine_rows_of_bits::<{ $bytes / 4 }, _>(f, weights, out),
                )
            }

            fn products(
                isa: Isa,
                factors: [&[[u32; 2]]; 2],
                weights: &[Self],
                scales: &[Self],
                out: &mut [Self; POINTS],
            ) {
                let rows = Self::rows_of_bits;
                first_of!(isa;
                    gfni512(cpu) => cube::gfni512::combine_products::<$bytes, _>(cpu, factors, weights, scales, out),
                    gfni(cpu) => cube::combine_products(isa, |k| cpu.enter(k), rows, factors, weights, scales, out),
                    avx2(cpu) => cube::combine_products(isa, |k| cpu.enter(k), rows, factors, weights, scales, out),
                    else => cube::combine_products(isa, |k| k.run(()), rows, factors, weights, scales, out),
                )
            }

            fn columns(isa: Isa, f: &[Gf32], weights: &[Self], out: &mut [Self]) {
                first_of!(isa;
                    gfni512(cpu) => gfni512::combine_columns::<$bytes, _>(cpu, f, weights, out),
                    gfni(cpu) => bytes::combine_columns::<$bytes, _>(cpu, f, weights, out),
                    avx2(cpu) => bytes::combine_columns::<$bytes, _>(cpu, f, weights, out),
                    else => portable::combine_columns::<{ $bytes / 4 }, _>(f, weights, out),
                )
            }

            fn mapped_columns(isa: Isa, f: &[Gf32], images: &[[Self; 32]], out: &mut [Self]) {
                first_of!(isa;
                    gfni512(cpu) => gfni512::map_columns::<$bytes, _>(cpu, f, images, out),
                    gfni(cpu) => bytes::map_columns::<$bytes, _>(cpu, f, images, out),
                    avx2(cpu) => bytes::map_columns::<$bytes, _>(cpu, f, images, out),
                    else => portable::map_columns(f, images, out),
                )
            }

            fn components_of_powers() -> Cow<'static, [Gf32]> {
                words_of_bits(components::$components.as_flattened())
            }
        }
    };
}

mixed!(Gf128, 16, TO_COMPONENTS_128);
mixed!(Gf192, 24, TO_COMPONENTS_192);

/// Rows of a matrix over GF(2^32), `out.len()` columns wide, combined: out\[c\] += sum over rows of f\[row\]\[c\]
/// weights\[row\].
///
/// # Panics
/// If `f` has not `weights.len()` rows.
pub(crate) fn combine_rows<E: BinaryField + Mixed>(isa: Isa, f: &[Gf32], weights: &[E], out: &mut [E]) {
    assert_eq!(f.len(), weights.len() * out.len(), "a weight for every row");
    if f.is_empty() {
        return;
    }
    E::rows(isa, f, weights, out);
}

/// As [`combine_rows`], the bits of the elements apart: out\[c\]\[i\] += sum of weights\[row\] over those rows where
/// f\[row\]\[c\] has bit i.
///
/// # Panics
/// If `f` has not `weights.len()` rows.
pub(crate) fn combine_rows_of_bits<E: BinaryField + Mixed>(
    isa: Isa,
    f: &[Gf32],
    weights: &[E],
    out: &mut [[E; 32]],
) {
    assert_eq!(f.len(), weights.len() * out.len(), "a weight for every row");
    if f.is_empty() {
        return;
    }
    E::rows_of_bits(isa, f, weights, out);
}

/// Rows of two words as functions on {0, 1}^6, extended to {0, 1, infinity}^6 and multiplied: to `out` at a point, the sum
/// over all rows of the products of `factors` there, weighted. The weights of the first `weights.len()` rows are `weights`
/// times the first of `scales`, those of the next as many rows times the second one, and so on. A point's number has
/// base-3 digits, that of the lowest coordinate first, where 2 is infinity: the coefficient of that coordinate.
///
/// # Panics
/// If the factors differ in length, or there are more rows than weights.
pub(crate) fn combine_products<E: BinaryField + Mixed>(
    isa: Isa,
    factors: [&[u32]; 2],
    weights: &[E],
    scales: &[E],
    out: &mut [E; POINTS],
) {
    let factors = factors.map(|words| {
        assert!(words.len().is_multiple_of(2), "rows of two words");
        words.as_chunks().0
    });
    let [a, b] = factors.map(<[_]>::len);
    assert!(a == b && a <= weights.len() * scales.len(), "factors of one length, and weights for all rows");
    if a > 0 {
        E::products(isa, factors, weights, scales, out);
    }
}

/// Columns of a matrix over GF(2^32), `weights.len()` columns wide, combined: out\[row\] = sum over c of f\[row\]\[c\]
/// weights\[c\].
///
/// # Panics
/// If `f` has not `out.len()` rows.
pub(crate) fn combine_columns<E: BinaryField + Mixed>(isa: Isa, f: &[Gf32], weights: &[E], out: &mut [E]) {
    assert_eq!(f.len(), weights.len() * out.len(), "a weight for every column");
    if f.is_empty() {
        out.fill(E::ZERO);
        return;
    }
    E::columns(isa, f, weights, out);
}

/// A linear map over GF(2) of each row of a matrix of 32-bit words, `images.len()` columns wide: out\[row\] = sum of
/// images\[c\]\[i\] over the bits i of f\[row\]\[c\] that are set, and over all c. The matrix is public: portable code
/// looks its nibbles up.
///
/// # Panics
/// If `f` has not `out.len()` rows.
pub(crate) fn map_columns<E: BinaryField + Mixed>(isa: Isa, f: &[Gf32], images: &[[E; 32]], out: &mut [E]) {
    assert_eq!(f.len(), images.len() * out.len(), "images for every column");
    if f.is_empty() {
        out.fill(E::ZERO);
        return;
    }
    E::mapped_columns(isa, f, images, out);
}
