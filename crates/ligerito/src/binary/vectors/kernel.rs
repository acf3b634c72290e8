//! The operations on lanes. Those that fold or say messages take whole blocks ([`BLOCK`]).

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no CPU but x86-64 has lanes so far"))]
#![allow(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the lanes' instruction set"
)]

use super::{Factor, Foldable, Round};
use crate::binary::lanes::{Kernel, Lanes, MAX_COUNT, OnLanes};

/// Entries that lanes of any width take at once.
pub(super) const BLOCK: usize = 4 * MAX_COUNT;

/// The sum of products of entries of two vectors of one length.
pub(super) struct Inner<'a, E>(pub(super) &'a [E], pub(super) &'a [E]);

impl<E: OnLanes> Kernel for Inner<'_, E> {
    type Field = E;
    type Output = E;

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) -> E {
        let Self(a, b) = self;
        let mut sum = lanes.nothing();
        let mut i = 0;
        while i + L::COUNT <= a.len() {
            sum = lanes.accumulate(sum, lanes.load(&a[i..]), lanes.weight(lanes.load(&b[i..])));
            i += L::COUNT;
        }
        if i < a.len() {
            let (a, b) = (padded::<MAX_COUNT, E>(&a[i..]), padded::<MAX_COUNT, E>(&b[i..]));
            sum = lanes.accumulate(sum, lanes.load(&a), lanes.weight(lanes.load(&b)));
        }
        lanes.sum_of_lanes(lanes.reduce(sum))
    }
}

/// Columns of a matrix, combined.
pub(super) struct CombineColumns<'a, E> {
    pub(super) f: &'a [E],
    pub(super) weights: &'a [E],
    pub(super) out: &'a mut [E],
}

impl<E: OnLanes> Kernel for CombineColumns<'_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        let Self { f, weights, out } = self;
        let mut row = 0;
        while row < out.len() {
            out[row] = Inner(&f[row * weights.len()..][..weights.len()], weights).run(lanes);
            row += 1;
        }
    }
}

/// Products of entries added to entries, of vectors of one length.
pub(super) struct AddProducts<'a, E> {
    pub(super) out: &'a mut [E],
    pub(super) a: &'a [E],
    pub(super) b: &'a [E],
}

impl<E: OnLanes> Kernel for AddProducts<'_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        let Self { out, a, b } = self;
        let mut i = 0;
        while i + L::COUNT <= out.len() {
            let product = lanes.product(lanes.load(&a[i..]), lanes.load(&b[i..]));
            lanes.store(lanes.add(lanes.load(&out[i..]), product), &mut out[i..]);
            i += L::COUNT;
        }
        while i < out.len() {
            out[i] += a[i] * b[i];
            i += 1;
        }
    }
}

/// Entries squared.
pub(super) struct Square<'a, E>(pub(super) &'a mut [E]);

impl<E: OnLanes> Kernel for Square<'_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        let Self(v) = self;
        let mut i = 0;
        while i + L::COUNT <= v.len() {
            let entries = lanes.load(&v[i..]);
            lanes.store(lanes.square(entries), &mut v[i..]);
            i += L::COUNT;
        }
        while i < v.len() {
            v[i] = v[i].square();
            i += 1;
        }
    }
}

/// The message of the next round, of two vectors of one length, whole blocks.
pub(super) struct NextRound<'a, E>(pub(super) &'a [E], pub(super) &'a [E]);

impl<E: OnLanes> Kernel for NextRound<'_, E> {
    type Field = E;
    type Output = Round<E>;

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) -> Round<E> {
        let Self(v, w) = self;
        let mut message = Message::new(lanes);
        let mut i = 0;
        while i < v.len() {
            message = message.with(
                lanes,
                lanes.load(&v[i..]),
                lanes.load(&v[i + L::COUNT..]),
                lanes.load(&w[i..]),
                lanes.load(&w[i + L::COUNT..]),
            );
            i += 2 * L::COUNT;
        }
        message.reduce(lanes)
    }
}

/// Binds the lowest coordinate of a vector, whole blocks.
pub(super) struct Fold<'a, E> {
    pub(super) v: Foldable<'a, E>,
    pub(super) r: E,
}

impl<E: OnLanes> Kernel for Fold<'_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        let Self { mut v, r } = self;
        let r = lanes.constant(&r);
        let half = v.source().len() / 2;
        let mut i = 0;
        while i < half {
            let folded = folded(lanes, &v.source()[2 * i..], r);
            lanes.store(folded, &mut v.target()[i..]);
            i += L::COUNT;
        }
    }
}

/// Binds the lowest coordinate of two vectors of one length, whole blocks, and gives the message of the round after
/// that.
pub(super) struct FoldRound<'a, E> {
    pub(super) v: Foldable<'a, E>,
    pub(super) w: Foldable<'a, E>,
    pub(super) r: E,
}

impl<E: OnLanes> Kernel for FoldRound<'_, E> {
    type Field = E;
    type Output = Round<E>;

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) -> Round<E> {
        let Self { mut v, mut w, r } = self;
        let r = lanes.constant(&r);
        let half = v.source().len() / 2;
        let mut message = Message::new(lanes);
        let mut i = 0;
        while i < half {
            let v0 = folded(lanes, &v.source()[2 * i..], r);
            let v1 = folded(lanes, &v.source()[2 * (i + L::COUNT)..], r);
            let w0 = folded(lanes, &w.source()[2 * i..], r);
            let w1 = folded(lanes, &w.source()[2 * (i + L::COUNT)..], r);
            lanes.store(v0, &mut v.target()[i..]);
            lanes.store(v1, &mut v.target()[i + L::COUNT..]);
            lanes.store(w0, &mut w.target()[i..]);
            lanes.store(w1, &mut w.target()[i + L::COUNT..]);
            message = message.with(lanes, v0, v1, w0, w1);
            i += 2 * L::COUNT;
        }
        message.reduce(lanes)
    }
}

/// The message of a round about the weighted sum of products, of two vectors of one length, with [`MAX_COUNT`] weights
/// or a multiple of that.
pub(super) struct WeightedRound<'a, E> {
    pub(super) a: &'a [E],
    pub(super) b: &'a [E],
    /// One for every pair of entries.
    pub(super) weights: &'a [E],
}

impl<E: OnLanes> Kernel for WeightedRound<'_, E> {
    type Field = E;
    type Output = [E; 2];

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) -> [E; 2] {
        let Self { a, b, weights } = self;
        let mut message = WeightedMessage::new(lanes);
        let mut i = 0;
        while i < weights.len() {
            message = message.with(
                lanes,
                [lanes.load(&a[2 * i..]), lanes.load(&a[2 * i + L::COUNT..])],
                [lanes.load(&b[2 * i..]), lanes.load(&b[2 * i + L::COUNT..])],
                lanes.load(&weights[i..]),
            );
            i += L::COUNT;
        }
        message.reduce(lanes)
    }
}

/// Binds the lowest coordinate of two vectors of one length, and gives the message of [`WeightedRound`] about what is
/// left.
pub(super) struct FoldWeightedRound<'a, E> {
    pub(super) a: &'a mut [E],
    pub(super) b: &'a mut [E],
    pub(super) r: E,
    /// One for every four entries.
    pub(super) weights: &'a [E],
}

impl<E: OnLanes> Kernel for FoldWeightedRound<'_, E> {
    type Field = E;
    type Output = [E; 2];

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) -> [E; 2] {
        let Self { a, b, r, weights } = self;
        let r = lanes.constant(&r);
        let mut message = WeightedMessage::new(lanes);
        let mut i = 0;
        while i < weights.len() {
            let from = 4 * i;
            let a_folded = [folded(lanes, &a[from..], r), folded(lanes, &a[from + 2 * L::COUNT..], r)];
            let b_folded = [folded(lanes, &b[from..], r), folded(lanes, &b[from + 2 * L::COUNT..], r)];
            lanes.store(a_folded[0], &mut a[2 * i..]);
            lanes.store(a_folded[1], &mut a[2 * i + L::COUNT..]);
            lanes.store(b_folded[0], &mut b[2 * i..]);
            lanes.store(b_folded[1], &mut b[2 * i + L::COUNT..]);
            message = message.with(lanes, a_folded, b_folded, lanes.load(&weights[i..]));
            i += L::COUNT;
        }
        message.reduce(lanes)
    }
}

/// Fills `out`, of 2^(number of factors) entries, with the tensor of the factors times `scale`.
pub(super) struct Tensor<'a, E> {
    pub(super) scale: E,
    pub(super) factors: &'a [Factor<E>],
    pub(super) out: &'a mut [E],
}

impl<E: OnLanes> Kernel for Tensor<'_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        let Self { scale, factors, out } = self;
        // As long as there are fewer entries than lanes, they are at the start of a block with room for one more vector.
        let mut block = [E::ZERO; 2 * MAX_COUNT];
        block[0] = scale;
        let mut len = 1;
        let mut next = 0;
        while len < L::COUNT && next < factors.len() {
            let (zero, one) = doubled(lanes, lanes.load(&block), &Doubling::new(lanes, factors[next]));
            lanes.store(zero, &mut block);
            lanes.store(one, &mut block[len..]);
            len *= 2;
            next += 1;
        }
        out[..len].copy_from_slice(&block[..len]);
        while next < factors.len() {
            let factor = Doubling::new(lanes, factors[next]);
            let (zeros, ones) = out.split_at_mut(len);
            let mut i = 0;
            while i < len {
                let (zero, one) = doubled(lanes, lanes.load(&zeros[i..]), &factor);
                lanes.store(zero, &mut zeros[i..]);
                lanes.store(one, &mut ones[i..]);
                i += L::COUNT;
            }
            len *= 2;
            next += 1;
        }
    }
}

/// The multilinear extension of the tensor of factors at a point, the same in all lanes.
pub(super) struct Extension<'a, E>(pub(super) &'a [Factor<E>], pub(super) &'a [E]);

impl<E: OnLanes> Kernel for Extension<'_, E> {
    type Field = E;
    type Output = E;

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) -> E {
        let Self(factors, point) = self;
        let mut product = lanes.splat(&E::ONE);
        let mut j = 0;
        while j < factors.len() {
            let r = point[j];
            // The factor's value at 0, and how much it grows.
            let (zero, growth) = match factors[j] {
                Factor::Equal(z) => (E::ONE + z, E::ONE),
                Factor::Generator(a) => (E::ONE, E::ONE + a),
                Factor::Pair(zero, one) => (zero, zero + one),
            };
            let bound = lanes.multiply_add(lanes.splat(&growth), lanes.constant(&r), lanes.splat(&zero));
            product = lanes.product(product, bound);
            j += 1;
        }
        let mut block = [E::ZERO; MAX_COUNT];
        lanes.store(product, &mut block);
        block[0]
    }
}

/// The inner product of `v` with the tensor of `factors`. `lower` and `upper` are room for the tensors of the first and
/// of the other factors.
///
/// `v` is a matrix with a row for every entry of `upper`. Its columns are combined by `upper`, and the row that comes
/// of it by `lower`: two short tensors and sums of products, instead of half as many reduced products.
pub(super) struct Evaluate<'a, E> {
    pub(super) v: &'a [E],
    pub(super) factors: &'a [Factor<E>],
    pub(super) lower: &'a mut [E],
    pub(super) upper: &'a mut [E],
}

impl<E> Evaluate<'_, E> {
    /// The least number of lower factors: two vectors of columns are done at a time.
    pub(super) const LOWER_FACTORS: usize = (2 * MAX_COUNT).ilog2() as usize;
}

impl<E: OnLanes> Kernel for Evaluate<'_, E> {
    type Field = E;
    type Output = E;

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) -> E {
        let Self { v, factors, lower, upper } = self;
        let (lower_factors, upper_factors) = factors.split_at(lower.len().ilog2() as usize);
        lanes.enter(Tensor { scale: E::ONE, factors: lower_factors, out: &mut *lower });
        lanes.enter(Tensor { scale: E::ONE, factors: upper_factors, out: &mut *upper });
        let mut total = lanes.nothing();
        let mut column = 0;
        while column < lower.len() {
            let mut first = lanes.nothing();
            let mut second = lanes.nothing();
            let mut place = column;
            let mut row = 0;
            while row < upper.len() {
                let weight = lanes.weight(lanes.splat(&upper[row]));
                first = lanes.accumulate(first, lanes.load(&v[place..]), weight);
                second = lanes.accumulate(second, lanes.load(&v[place + L::COUNT..]), weight);
                place += lower.len();
                row += 1;
            }
            let weight = lanes.weight(lanes.load(&lower[column..]));
            total = lanes.accumulate(total, lanes.reduce(first), weight);
            let weight = lanes.weight(lanes.load(&lower[column + L::COUNT..]));
            total = lanes.accumulate(total, lanes.reduce(second), weight);
            column += 2 * L::COUNT;
        }
        lanes.sum_of_lanes(lanes.reduce(total))
    }
}

/// The sums of a round's message.
#[derive(Clone, Copy)]
struct Message<S> {
    at_zero: S,
    leading: S,
}

impl<S: Copy> Message<S> {
    #[inline(always)]
    fn new<E, L: Lanes<E, Sum = S>>(lanes: L) -> Self {
        Self { at_zero: lanes.nothing(), leading: lanes.nothing() }
    }

    /// Takes in the entries of `v0` and then `v1`, and of `w0` and then `w1`.
    #[inline(always)]
    fn with<E, L: Lanes<E, Sum = S>>(
        self,
        lanes: L,
        v0: L::Vector,
        v1: L::Vector,
        w0: L::Vector,
        w1: L::Vector,
    ) -> Self {
        let (v_even, v_odd) = (lanes.evens(v0, v1), lanes.odds(v0, v1));
        let (w_even, w_odd) = (lanes.evens(w0, w1), lanes.odds(w0, w1));
        let (v_sum, w_sum) = (lanes.add(v_even, v_odd), lanes.add(w_even, w_odd));
        Self {
            at_zero: lanes.accumulate(self.at_zero, v_even, lanes.weight(w_even)),
            leading: lanes.accumulate(self.leading, v_sum, lanes.weight(w_sum)),
        }
    }

    #[inline(always)]
    fn reduce<E, L: Lanes<E, Sum = S>>(self, lanes: L) -> Round<E> {
        Round {
            at_zero: lanes.sum_of_lanes(lanes.reduce(self.at_zero)),
            leading: lanes.sum_of_lanes(lanes.reduce(self.leading)),
        }
    }
}

/// The sums of a message about weighted products.
#[derive(Clone, Copy)]
struct WeightedMessage<S> {
    sum: S,
    leading: S,
}

impl<S: Copy> WeightedMessage<S> {
    #[inline(always)]
    fn new<E, L: Lanes<E, Sum = S>>(lanes: L) -> Self {
        Self { sum: lanes.nothing(), leading: lanes.nothing() }
    }

    /// Takes in pairs of entries, those of the first vectors and then of the second ones, and a weight for each pair.
    #[inline(always)]
    fn with<E, L: Lanes<E, Sum = S>>(
        self,
        lanes: L,
        [a0, a1]: [L::Vector; 2],
        [b0, b1]: [L::Vector; 2],
        weights: L::Vector,
    ) -> Self {
        let weights = lanes.weight(weights);
        let a_even = lanes.reduce(lanes.accumulate(lanes.nothing(), lanes.evens(a0, a1), weights));
        let a_odd = lanes.reduce(lanes.accumulate(lanes.nothing(), lanes.odds(a0, a1), weights));
        let (b_even, b_odd) = (lanes.evens(b0, b1), lanes.odds(b0, b1));
        let (a_sum, b_sum) = (lanes.add(a_even, a_odd), lanes.add(b_even, b_odd));
        let sum = lanes.accumulate(self.sum, a_even, lanes.weight(b_even));
        Self {
            sum: lanes.accumulate(sum, a_odd, lanes.weight(b_odd)),
            leading: lanes.accumulate(self.leading, a_sum, lanes.weight(b_sum)),
        }
    }

    #[inline(always)]
    fn reduce<E, L: Lanes<E, Sum = S>>(self, lanes: L) -> [E; 2] {
        [lanes.sum_of_lanes(lanes.reduce(self.sum)), lanes.sum_of_lanes(lanes.reduce(self.leading))]
    }
}

/// The first 2 `COUNT` entries with the lowest coordinate bound to `r`.
#[inline(always)]
fn folded<E, L: Lanes<E>>(lanes: L, v: &[E], r: L::Constant) -> L::Vector {
    let (first, second) = (lanes.load(v), lanes.load(&v[L::COUNT..]));
    let (even, odd) = (lanes.evens(first, second), lanes.odds(first, second));
    lanes.multiply_add(lanes.add(even, odd), r, even)
}

/// The entries, and zeros after them.
#[inline(always)]
pub(super) fn padded<const LEN: usize, E: OnLanes>(entries: &[E]) -> [E; LEN] {
    let mut block = [E::ZERO; LEN];
    block[..entries.len()].copy_from_slice(entries);
    block
}

/// A factor, prepared.
enum Doubling<C> {
    Equal(C),
    Generator(C),
    Pair(C, C),
}

impl<C: Copy> Doubling<C> {
    #[inline(always)]
    fn new<E, L: Lanes<E, Constant = C>>(lanes: L, factor: Factor<E>) -> Self {
        match factor {
            Factor::Equal(z) => Self::Equal(lanes.constant(&z)),
            Factor::Generator(a) => Self::Generator(lanes.constant(&a)),
            Factor::Pair(zero, one) => Self::Pair(lanes.constant(&zero), lanes.constant(&one)),
        }
    }
}

/// The entries times the factor at 0 and at 1.
#[inline(always)]
fn doubled<E: OnLanes, L: Lanes<E>>(
    lanes: L,
    entries: L::Vector,
    factor: &Doubling<L::Constant>,
) -> (L::Vector, L::Vector) {
    match factor {
        Doubling::Equal(z) => {
            let one = lanes.multiply(entries, *z);
            (lanes.add(entries, one), one)
        }
        Doubling::Generator(a) => (entries, lanes.multiply(entries, *a)),
        Doubling::Pair(zero, one) => (lanes.multiply(entries, *zero), lanes.multiply(entries, *one)),
    }
}
