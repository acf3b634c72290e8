//! Vectors over GF(2^128) or GF(2^192): what sumchecks, openings and their verification do with them.
//!
//! Index bit j is coordinate j. *Binding* a coordinate always takes the lowest one left: v'\[i\] = v\[2i\] + r (v\[2i\]
//! + v\[2i + 1\]). The chosen backend runs wherever an [`Isa`] is passed; answers never depend on it.
//!
//! They are functions of their own, `#[inline(never)]`: the compiler would take the portable version into every caller
//! and every turn of its loops, which was 40 KB of code. Where kernels take whole blocks, a last one that is not whole is
//! padded with zeros, which fold to zeros and add nothing, and the kernel entered once more.

mod kernel;
mod operands;
mod portable;
#[cfg(test)]
mod tests;

pub(crate) use operands::{Factor, Foldable, Round};

use super::lanes::{MAX_COUNT, OnLanes, run};
use alloc::vec::Vec;
use kernel::{BLOCK, padded};
use phalanx_core::memory::zeros;
use phalanx_core::simd::{Backend, Isa};

/// The message of the next round.
///
/// # Panics
/// If the lengths differ or are odd.
#[inline(never)]
pub(crate) fn round<E: OnLanes>(isa: Isa, v: &[E], w: &[E]) -> Round<E> {
    assert!(v.len() == w.len() && v.len().is_multiple_of(2), "vectors of one even length");
    let (v, v_rest) = v.split_at(v.len() - v.len() % BLOCK);
    let (w, w_rest) = w.split_at(v.len());
    let mut message = round_of_blocks(isa, v, w);
    if !v_rest.is_empty() {
        message += round_of_blocks(isa, &padded::<BLOCK, E>(v_rest), &padded::<BLOCK, E>(w_rest));
    }
    message
}

#[inline(never)]
fn round_of_blocks<E: OnLanes>(isa: Isa, v: &[E], w: &[E]) -> Round<E> {
    run(isa, kernel::NextRound(v, w)).unwrap_or_else(|_| portable::round(v, w))
}

/// Binds the lowest coordinate of `v` and of `w` to `r`, and gives the message of the round after that (zeros if only
/// one entry is left).
///
/// # Panics
/// If the lengths differ, or are no multiple of four and not two, or a target is too short for half of them.
#[inline]
pub(crate) fn fold_round<'a, E: OnLanes>(
    isa: Isa,
    v: impl Into<Foldable<'a, E>>,
    w: impl Into<Foldable<'a, E>>,
    r: E,
) -> Round<E> {
    fold_round_of(isa, v.into(), w.into(), r)
}

#[inline(never)]
fn fold_round_of<E: OnLanes>(isa: Isa, mut v: Foldable<'_, E>, mut w: Foldable<'_, E>, r: E) -> Round<E> {
    let len = v.source().len();
    assert_eq!(len, w.source().len(), "vectors of one length");
    assert!(v.target().len() >= len / 2 && w.target().len() >= len / 2, "targets as long as the halves");
    if len == 2 {
        fold_of(isa, v, r);
        fold_of(isa, w, r);
        return Round::ZERO;
    }
    assert!(len.is_multiple_of(4), "vectors of even length also after the fold");
    let whole = len - len % BLOCK;
    let mut message = fold_round_of_blocks(isa, v.first(whole), w.first(whole), r);
    if whole < len {
        let mut v_block = padded::<BLOCK, E>(&v.source()[whole..]);
        let mut w_block = padded::<BLOCK, E>(&w.source()[whole..]);
        message += fold_round_of_blocks(isa, (&mut v_block[..]).into(), (&mut w_block[..]).into(), r);
        let left = whole / 2..len / 2;
        v.target()[left.clone()].copy_from_slice(&v_block[..left.len()]);
        w.target()[left.clone()].copy_from_slice(&w_block[..left.len()]);
    }
    message
}

#[inline(never)]
fn fold_round_of_blocks<E: OnLanes>(isa: Isa, v: Foldable<'_, E>, w: Foldable<'_, E>, r: E) -> Round<E> {
    run(isa, kernel::FoldRound { v, w, r }).unwrap_or_else(|kernel::FoldRound { mut v, mut w, r }| {
        let left = v.source().len() / 2;
        portable::fold(&mut v, r);
        portable::fold(&mut w, r);
        portable::round(&v.target()[..left], &w.target()[..left])
    })
}

/// The message of a round about the sum over x of weights\[x\] a(X, x) b(X, x): with q(X) that sum, q(0) + q(1) and the
/// coefficient of X^2.
///
/// # Panics
/// Unless `a` and `b` have two entries for each weight.
#[inline(never)]
pub(crate) fn weighted_round<E: OnLanes>(isa: Isa, a: &[E], b: &[E], weights: &[E]) -> [E; 2] {
    assert!(a.len() == 2 * weights.len() && a.len() == b.len(), "a weight for every pair");
    let whole = weights.len() - weights.len() % MAX_COUNT;
    let ((a, a_rest), (b, b_rest)) = (a.split_at(2 * whole), b.split_at(2 * whole));
    let (weights, rest) = weights.split_at(whole);
    let mut message = weighted_round_of_blocks(isa, a, b, weights);
    if !rest.is_empty() {
        let (a, b) = (padded::<{ 2 * MAX_COUNT }, E>(a_rest), padded::<{ 2 * MAX_COUNT }, E>(b_rest));
        let of_rest = weighted_round_of_blocks(isa, &a, &b, &padded::<MAX_COUNT, E>(rest));
        add_assign(&mut message, &of_rest);
    }
    message
}

#[inline(never)]
fn weighted_round_of_blocks<E: OnLanes>(isa: Isa, a: &[E], b: &[E], weights: &[E]) -> [E; 2] {
    run(isa, kernel::WeightedRound { a, b, weights })
        .unwrap_or_else(|_| portable::weighted_round(a, b, weights))
}

/// Binds the lowest coordinate of `a` and of `b` to `r`, in place, and gives the message of [`weighted_round`] about the
/// halves that are left.
///
/// # Panics
/// Unless `a` and `b` have four entries for each weight.
#[inline(never)]
pub(crate) fn fold_weighted_round<E: OnLanes>(
    isa: Isa,
    a: &mut [E],
    b: &mut [E],
    r: E,
    weights: &[E],
) -> [E; 2] {
    assert!(a.len() == 4 * weights.len() && a.len() == b.len(), "a weight for every four");
    let whole = weights.len() - weights.len() % MAX_COUNT;
    let (weights, rest) = weights.split_at(whole);
    let mut message =
        fold_weighted_round_of_blocks(isa, &mut a[..4 * whole], &mut b[..4 * whole], r, weights);
    if !rest.is_empty() {
        let mut a_block = padded::<BLOCK, E>(&a[4 * whole..]);
        let mut b_block = padded::<BLOCK, E>(&b[4 * whole..]);
        let weights = padded::<MAX_COUNT, E>(rest);
        let of_rest = fold_weighted_round_of_blocks(isa, &mut a_block, &mut b_block, r, &weights);
        add_assign(&mut message, &of_rest);
        let left = 2 * rest.len();
        a[2 * whole..][..left].copy_from_slice(&a_block[..left]);
        b[2 * whole..][..left].copy_from_slice(&b_block[..left]);
    }
    message
}

#[inline(never)]
fn fold_weighted_round_of_blocks<E: OnLanes>(
    isa: Isa,
    a: &mut [E],
    b: &mut [E],
    r: E,
    weights: &[E],
) -> [E; 2] {
    run(isa, kernel::FoldWeightedRound { a, b, r, weights }).unwrap_or_else(|kernel| {
        let kernel::FoldWeightedRound { a, b, r, weights } = kernel;
        portable::fold(&mut (&mut *a).into(), r);
        portable::fold(&mut (&mut *b).into(), r);
        let left = 2 * weights.len();
        portable::weighted_round(&a[..left], &b[..left], weights)
    })
}

/// Binds the lowest coordinate of `v` to `r`.
///
/// # Panics
/// If the length is odd, or the target is too short for half of it.
#[inline]
pub(crate) fn fold<'a, E: OnLanes>(isa: Isa, v: impl Into<Foldable<'a, E>>, r: E) {
    fold_of(isa, v.into(), r);
}

#[inline(never)]
fn fold_of<E: OnLanes>(isa: Isa, mut v: Foldable<'_, E>, r: E) {
    let len = v.source().len();
    assert!(len.is_multiple_of(2), "a vector of even length");
    assert!(v.target().len() >= len / 2, "a target as long as the half");
    let whole = len - len % BLOCK;
    fold_blocks(isa, v.first(whole), r);
    if whole < len {
        let mut block = padded::<BLOCK, E>(&v.source()[whole..]);
        fold_blocks(isa, (&mut block[..]).into(), r);
        let left = whole / 2..len / 2;
        v.target()[left.clone()].copy_from_slice(&block[..left.len()]);
    }
}

#[inline(never)]
fn fold_blocks<E: OnLanes>(isa: Isa, v: Foldable<'_, E>, r: E) {
    run(isa, kernel::Fold { v, r }).unwrap_or_else(|kernel::Fold { mut v, r }| portable::fold(&mut v, r));
}

/// The tensor of `factors` times `scale`: entry i is the product over j of factor j at bit j of i.
#[inline(never)]
pub(crate) fn tensor<E: OnLanes>(isa: Isa, scale: E, factors: &[Factor<E>]) -> Vec<E> {
    let mut out = zeros(1 << factors.len());
    fill_tensor(isa, scale, factors, &mut out);
    out
}

/// Overwrites `out` with [`tensor`].
///
/// # Panics
/// If `out` has not 2^(number of factors) entries.
#[inline(never)]
pub(crate) fn fill_tensor<E: OnLanes>(isa: Isa, scale: E, factors: &[Factor<E>], out: &mut [E]) {
    assert_eq!(out.len(), 1 << factors.len(), "an entry for every index");
    run(isa, kernel::Tensor { scale, factors, out })
        .unwrap_or_else(|k| portable::tensor(k.scale, k.factors, k.out));
}

/// The multilinear extension of the tensor of `factors` at `point`: the product of what is left of each when it is
/// bound.
///
/// # Panics
/// If there are not as many coordinates as factors.
#[inline(never)]
pub(crate) fn extension<E: OnLanes>(isa: Isa, factors: &[Factor<E>], point: &[E]) -> E {
    assert_eq!(factors.len(), point.len(), "a coordinate for every factor");
    run(isa, kernel::Extension(factors, point)).unwrap_or_else(|_| portable::extension(factors, point))
}

/// The inner product of `v` with the tensor of `factors`.
///
/// # Panics
/// If `v` has not 2^(number of factors) entries.
#[inline(never)]
pub(crate) fn evaluate<E: OnLanes>(isa: Isa, v: &[E], factors: &[Factor<E>]) -> E {
    assert_eq!(v.len(), 1 << factors.len(), "an entry for every index");
    if isa.backend() == Backend::Portable {
        return portable::evaluate(v, factors);
    }
    let lower = kernel::Evaluate::<E>::LOWER_FACTORS.max(factors.len() / 2);
    if factors.len() < lower {
        return inner(isa, v, &tensor(isa, E::ONE, factors));
    }
    let mut buffer = zeros((1 << lower) + (1 << (factors.len() - lower)));
    let (lower, upper) = buffer.split_at_mut(1 << lower);
    run(isa, kernel::Evaluate { v, factors, lower, upper }).unwrap_or_else(|_| portable::evaluate(v, factors))
}

/// The sum of products of entries.
///
/// # Panics
/// If the lengths differ.
#[inline(never)]
pub(crate) fn inner<E: OnLanes>(isa: Isa, a: &[E], b: &[E]) -> E {
    assert_eq!(a.len(), b.len(), "vectors of one length");
    run(isa, kernel::Inner(a, b)).unwrap_or_else(|_| portable::inner(a, b))
}

/// Columns of a public matrix combined: out\[row\] = sum over c of f\[row\]\[c\] weights\[c\], for rows of
/// `weights.len()` entries, one after the other.
///
/// # Panics
/// If `f` has not `out.len()` rows.
#[inline(never)]
pub(crate) fn combine_columns<E: OnLanes>(isa: Isa, f: &[E], weights: &[E], out: &mut [E]) {
    assert_eq!(f.len(), weights.len() * out.len(), "a weight for every column");
    if run(isa, kernel::CombineColumns { f, weights, out }).is_err() {
        portable::combine_columns(f, weights, out);
    }
}

/// out\[i\] += a\[i\] b\[i\].
///
/// # Panics
/// If the lengths differ.
#[inline(never)]
pub(crate) fn add_products<E: OnLanes>(isa: Isa, out: &mut [E], a: &[E], b: &[E]) {
    assert!(out.len() == a.len() && a.len() == b.len(), "vectors of one length");
    if run(isa, kernel::AddProducts { out, a, b }).is_err() {
        portable::add_products(out, a, b);
    }
}

/// Every entry squared: a map that is linear over GF(2).
#[inline(never)]
pub(crate) fn square<E: OnLanes>(isa: Isa, v: &mut [E]) {
    if let Err(kernel::Square(v)) = run(isa, kernel::Square(v)) {
        v.iter_mut().for_each(|x| *x = x.square());
    }
}

/// a\[i\] += b\[i\].
///
/// # Panics
/// If the lengths differ.
pub(crate) fn add_assign<E: OnLanes>(a: &mut [E], b: &[E]) {
    assert_eq!(a.len(), b.len(), "vectors of one length");
    for (a, b) in a.iter_mut().zip(b) {
        *a += *b;
    }
}
