//! The steps on lanes. Ends that fill no vector are padded.

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no CPU but x86-64 has lanes so far"))]
#![allow(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the lanes' instruction set"
)]

use crate::binary::ChallengeField;
use crate::binary::lanes::{Kernel, Lanes, MAX_COUNT};

/// The tensor of (1, factor j) times a weight: as [`super::portable::expand`].
pub(super) struct Expand<'a, E> {
    pub(super) weight: E,
    pub(super) factors: &'a [E],
    pub(super) out: &'a mut [E],
}

impl<E: ChallengeField> Kernel for Expand<'_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        let Self { weight, factors, out } = self;
        // Four entries by two factors, or by as many as there are.
        let (a, b) = match *factors {
            [] => (E::ZERO, E::ZERO),
            [a] => (a, E::ZERO),
            [a, b, ..] => (a, b),
        };
        let mut entries = [E::ZERO; MAX_COUNT];
        lanes.store(lanes.multiply(lanes.splat(&a), lanes.constant(&b)), &mut entries);
        entries = [E::ONE, a, b, entries[0]];
        let weight = lanes.constant(&weight);
        let mut i = 0;
        while i < MAX_COUNT {
            let product = lanes.multiply(lanes.load(&entries[i..]), weight);
            lanes.store(product, &mut entries[i..]);
            i += L::COUNT;
        }
        let first = out.len().min(MAX_COUNT);
        out[..first].copy_from_slice(&entries[..first]);
        let mut j = 2;
        while j < factors.len() {
            let (lower, upper) = out.split_at_mut(1 << j);
            Scale(lower, factors[j], &mut upper[..1 << j]).run(lanes);
            j += 1;
        }
    }
}

/// w = l u, of one length.
pub(super) struct Scale<'a, E>(pub(super) &'a [E], pub(super) E, pub(super) &'a mut [E]);

impl<E: ChallengeField> Kernel for Scale<'_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        let Self(u, l, w) = self;
        let l = lanes.constant(&l);
        let mut i = 0;
        while i + L::COUNT <= u.len() {
            lanes.store(lanes.multiply(lanes.load(&u[i..]), l), &mut w[i..]);
            i += L::COUNT;
        }
        if i < u.len() {
            let mut block = padded(&u[i..]);
            lanes.store(lanes.multiply(lanes.load(&block), l), &mut block);
            put(&block, &mut w[i..]);
        }
    }
}

/// u += w, w += l u, of one length.
pub(super) struct Butterfly<'a, E>(pub(super) &'a mut [E], pub(super) &'a mut [E], pub(super) E);

impl<E: ChallengeField> Kernel for Butterfly<'_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        let Self(u, w, l) = self;
        let l = lanes.constant(&l);
        let mut i = 0;
        while i + L::COUNT <= u.len() {
            let (upper, lower) = butterfly(lanes, &u[i..], &w[i..], l);
            lanes.store(upper, &mut u[i..]);
            lanes.store(lower, &mut w[i..]);
            i += L::COUNT;
        }
        if i < u.len() {
            let (mut first, mut second) = (padded(&u[i..]), padded(&w[i..]));
            let (upper, lower) = butterfly(lanes, &first, &second, l);
            lanes.store(upper, &mut first);
            lanes.store(lower, &mut second);
            put(&first, &mut u[i..]);
            put(&second, &mut w[i..]);
        }
    }
}

/// The results of [`Butterfly`], added to other vectors of the same length.
pub(super) struct ButterflyAdd<'a, E> {
    pub(super) u: &'a [E],
    pub(super) w: &'a [E],
    pub(super) l: E,
    pub(super) out_u: &'a mut [E],
    pub(super) out_w: &'a mut [E],
}

impl<E: ChallengeField> Kernel for ButterflyAdd<'_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        let Self { u, w, l, out_u, out_w } = self;
        let l = lanes.constant(&l);
        let mut i = 0;
        while i + L::COUNT <= u.len() {
            let (upper, lower) = butterfly(lanes, &u[i..], &w[i..], l);
            lanes.store(lanes.add(lanes.load(&out_u[i..]), upper), &mut out_u[i..]);
            lanes.store(lanes.add(lanes.load(&out_w[i..]), lower), &mut out_w[i..]);
            i += L::COUNT;
        }
        if i < u.len() {
            let (mut first, mut second) = (padded(&u[i..]), padded(&w[i..]));
            let (upper, lower) = butterfly(lanes, &first, &second, l);
            lanes.store(lanes.add(lanes.load(&padded(&out_u[i..])), upper), &mut first);
            lanes.store(lanes.add(lanes.load(&padded(&out_w[i..])), lower), &mut second);
            put(&first, &mut out_u[i..]);
            put(&second, &mut out_w[i..]);
        }
    }
}

/// The first entries of u + w, and of w + l (u + w).
#[inline(always)]
fn butterfly<E, L: Lanes<E>>(lanes: L, u: &[E], w: &[E], l: L::Constant) -> (L::Vector, L::Vector) {
    let w = lanes.load(w);
    let sum = lanes.add(lanes.load(u), w);
    (sum, lanes.multiply_add(sum, l, w))
}

/// The beginning of an array, then zeros.
#[inline(always)]
fn padded<E: ChallengeField>(from: &[E]) -> [E; MAX_COUNT] {
    let mut block = [E::ZERO; MAX_COUNT];
    block[..from.len()].copy_from_slice(from);
    block
}

/// As much of a block as there is room for.
#[inline(always)]
fn put<E: Copy>(block: &[E; MAX_COUNT], to: &mut [E]) {
    to.copy_from_slice(&block[..to.len()]);
}
