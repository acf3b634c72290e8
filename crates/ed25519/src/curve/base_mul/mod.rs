//! [s]B in constant time, for signing and key derivation.
//!
//! s is written with digits that are odd and never zero (see [`digits`]), so that a sum over positions needs no neutral
//! element and a table holds odd multiples only: [s]B = sum of `d_i` [2^(w i)]B. Which entry is added is decided by
//! masks over all entries, or by a permutation inside registers; no address depends on s. docs/ed25519-constant-time.md
//! says how that was tested.

#[cfg(target_arch = "x86_64")]
mod adx;
#[cfg(target_arch = "x86_64")]
mod batch8;
mod digits;
#[cfg(target_arch = "x86_64")]
mod ifma;
mod portable;
#[cfg(target_arch = "x86_64")]
mod registers;
#[cfg(test)]
mod tests;

use super::point::{Point, Projective};
use crate::fields::p25519::Element;
use crate::fields::scalar25519::Scalar;
use crate::wiped::wiped;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::first_of;
use phalanx_core::simd::Isa;
use zeroize::optimization_barrier;

/// A point by its affine coordinates. Unlike projective ones they tell nothing about how the point was computed, so
/// only they leave this module.
#[derive(Clone, Copy)]
pub(crate) struct Affine {
    x: Element,
    y: Element,
}

impl Affine {
    /// O = (0, 1).
    pub(crate) const IDENTITY: Self = Self { x: Element::ZERO, y: Element::ONE };

    /// The 32-byte encoding (RFC 8032 section 5.1.2).
    pub(crate) fn encode(&self) -> [u8; 32] {
        let mut bytes = self.y.to_bytes();
        bytes[31] |= u8::from(self.x.is_odd()) << 7;
        bytes
    }

    /// The point with Z = 1.
    pub(crate) fn to_point(self) -> Point {
        Point { x: self.x, y: self.y, z: Element::ONE, t: self.x.mul(&self.y) }
    }
}

/// The bytes of stack that the functions below may leave points, digits and table entries in, for one product and for
/// many.
const STACK_BYTES: usize = 8192;
const STACK_BYTES_MANY: usize = 16384;

/// [s]B. Time independent of s; what it leaves in memory is wiped.
pub(crate) fn base_mul(isa: Isa, s: &Scalar) -> Affine {
    wiped::<STACK_BYTES, _>(|| single(isa, s))
}

fn single(isa: Isa, s: &Scalar) -> Affine {
    #[cfg(test)]
    crate::recorder::record(isa);
    let point = one(isa, s);
    let inverse = point.z.invert();
    Affine { x: point.x.mul(&inverse), y: point.y.mul(&inverse) }
}

/// [s]B.
fn one(isa: Isa, s: &Scalar) -> Projective<Element> {
    first_of!(isa;
        ifma(witness) => ifma::base_mul(witness, s),
        adx(witness) => adx::base_mul(witness, s),
        else => portable::base_mul(s),
    )
}

const IDENTITY: Projective<Element> = Projective { x: Element::ZERO, y: Element::ONE, z: Element::ONE };

/// How many products [`base_mul_many`] takes at once.
pub(crate) const MANY: usize = 64;

/// A few products are faster one after the other than in eight lanes that stand empty: with IFMA, and without.
#[cfg(target_arch = "x86_64")]
const MIN_IFMA: usize = 3;
#[cfg(target_arch = "x86_64")]
const MIN_AVX512: usize = 5;

/// What is wiped after [`base_mul_many`].
struct Scratch {
    points: Vec<Projective<Element>>,
    /// `products[i]` is the product of Z of the points up to i.
    products: Vec<Element>,
    inverse: Element,
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.points.fill(IDENTITY);
        self.products.fill(Element::ZERO);
        self.inverse = Element::ZERO;
        optimization_barrier(&*self.points);
        optimization_barrier(&*self.products);
        optimization_barrier(&self.inverse);
    }
}

/// [`scalars[i]`]B to `results[i]`, with one inversion for all. At most [`MANY`]. Time depends on the number only.
pub(crate) fn base_mul_many(isa: Isa, scalars: &[Scalar], results: &mut [Affine]) {
    assert!(
        scalars.len() <= MANY && scalars.len() == results.len(),
        "as many results as scalars, at most MANY"
    );
    if scalars.is_empty() {
        return;
    }
    let mut scratch = Scratch {
        points: vec![IDENTITY; scalars.len()],
        products: vec![Element::ZERO; scalars.len()],
        inverse: Element::ZERO,
    };
    wiped::<STACK_BYTES_MANY, _>(|| batch(isa, scalars, &mut scratch, results));
}

fn batch(isa: Isa, scalars: &[Scalar], scratch: &mut Scratch, results: &mut [Affine]) {
    #[cfg(test)]
    crate::recorder::record(isa);
    many(isa, scalars, &mut scratch.points);
    normalise(scratch, results);
}

/// [`scalars[i]`]B to `points[i]`. What is left over by kernels for many goes to those for fewer.
fn many(isa: Isa, scalars: &[Scalar], points: &mut [Projective<Element>]) {
    let done = first_of!(isa;
        ifma(witness) => batch8::base_mul_many(witness, MIN_IFMA, scalars, points),
        avx512(witness) if scalars.len() >= MIN_AVX512 => {
            batch8::base_mul_many(witness, MIN_AVX512, scalars, points)
        },
        adx(witness) => adx::base_mul_many(witness, scalars, points),
        else => 0,
    );
    let (scalars, points) = (&scalars[done..], &mut points[done..]);
    if done > 0 && !scalars.is_empty() {
        return many(isa, scalars, points);
    }
    for (s, point) in scalars.iter().zip(points) {
        *point = one(isa, s);
    }
}

/// Montgomery's trick. No Z is zero: the law is complete.
fn normalise(Scratch { points, products, inverse }: &mut Scratch, results: &mut [Affine]) {
    products[0] = points[0].z;
    for i in 1..results.len() {
        products[i] = products[i - 1].mul(&points[i].z);
    }
    *inverse = products[results.len() - 1].invert();
    for i in (0..results.len()).rev() {
        let this = if i == 0 { *inverse } else { inverse.mul(&products[i - 1]) };
        *inverse = inverse.mul(&points[i].z);
        results[i] = Affine { x: points[i].x.mul(&this), y: points[i].y.mul(&this) };
    }
}
