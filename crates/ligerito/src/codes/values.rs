//! Single entries of a codeword of one column, for the verifier.
//!
//! The message is transformed as encoding does it ([`super::encode()`]), coset by coset, but only those blocks that
//! hold a wanted entry, down to blocks of four entries. Entry after entry by its tensor would take as many products as
//! the message is long; 121 entries of 1024 each take a seventh of that here.

use super::Basis;
use crate::binary::lanes::{Kernel, Lanes, MAX_COUNT, OnLanes, run};
use crate::binary::vectors::{self, Factor};
use crate::binary::{ChallengeField, Multiples};
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// log2 of the length of the blocks that are combined entry by entry.
const LOG2_LAST: usize = 2;
const _: () = assert!(1 << LOG2_LAST == MAX_COUNT);

/// For every one of `points`, the inner product of `message` with the tensor of (1, h_j) at the point, for the j from
/// `bound` on, as many as the message has variables. With `bound` = 0 that is the codeword's entry there.
///
/// h_j is zero on the integers below 2^j and linear, so the lowest `bound` bits of a point do not count.
///
/// # Panics
/// If a point is none of the domain, or one is smaller than that before it.
pub(crate) fn values_at<E: ChallengeField>(
    isa: Isa,
    basis: &Basis<E>,
    bound: usize,
    message: &[E],
    points: &[usize],
) -> Vec<E> {
    assert!(points.is_sorted(), "ascending points");
    let log2_message = message.len().ilog2() as usize;
    if log2_message < LOG2_LAST {
        let factors = |point: usize| -> Vec<_> {
            (bound..bound + log2_message).map(|j| Factor::Generator(basis.at(j, point))).collect()
        };
        return points.iter().map(|point| vectors::evaluate(isa, message, &factors(*point))).collect();
    }
    let mut buffer = vec![E::ZERO; message.len()];
    let mut out = Vec::with_capacity(points.len());
    let work = Values { basis, bound, message, points, buffer: &mut buffer, out: &mut out };
    if let Err(work) = run(isa, work) {
        work.with(&mut Tables(Multiples::new()));
    }
    out
}

/// What is wanted, and room for it.
struct Values<'a, E> {
    basis: &'a Basis<E>,
    bound: usize,
    message: &'a [E],
    points: &'a [usize],
    /// As long as the message.
    buffer: &'a mut [E],
    out: &'a mut Vec<E>,
}

impl<E: ChallengeField> Kernel for Values<'_, E> {
    type Field = E;
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<E>>(self, lanes: L) {
        self.with(&mut OfLanes(lanes));
    }
}

impl<E: ChallengeField> Values<'_, E> {
    #[inline(always)]
    fn with(self, steps: &mut impl Steps<E>) {
        let Self { basis, bound, message, points, buffer, out } = self;
        let log2_message = message.len().ilog2() as usize;
        for coset in points.chunk_by(|a, b| a >> (bound + log2_message) == b >> (bound + log2_message)) {
            buffer.copy_from_slice(message);
            for layer in (LOG2_LAST..log2_message).rev() {
                let shift = bound + layer + 1;
                for block in coset.chunk_by(|a, b| a >> shift == b >> shift) {
                    let start = block[0] >> shift << (layer + 1) & (message.len() - 1);
                    let (u, w) = buffer[start..start + (2 << layer)].split_at_mut(1 << layer);
                    steps.layer(&basis.at(bound + layer, block[0] >> shift << shift), u, w);
                }
            }
            for point in coset {
                let start = point >> (bound + LOG2_LAST) << LOG2_LAST & (message.len() - 1);
                let block = &buffer[start..start + (1 << LOG2_LAST)];
                out.push(steps.last(block, basis.at(bound, *point), basis.at(bound + 1, *point)));
            }
        }
    }
}

/// What the transform does with its entries.
trait Steps<E> {
    /// u += twiddle w, and then w += u, for slices of one length.
    fn layer(&mut self, twiddle: &E, u: &mut [E], w: &mut [E]);

    /// The inner product of four entries with the tensor of (1, a) and (1, b).
    fn last(&mut self, block: &[E], a: E, b: E) -> E;
}

struct OfLanes<L>(L);

impl<E: OnLanes, L: Lanes<E>> Steps<E> for OfLanes<L> {
    #[inline(always)]
    fn layer(&mut self, twiddle: &E, u: &mut [E], w: &mut [E]) {
        let lanes = self.0;
        let twiddle = lanes.constant(twiddle);
        let mut i = 0;
        while i < u.len() {
            let (u, w) = (&mut u[i..], &mut w[i..]);
            let below = lanes.load(w);
            let sum = lanes.multiply_add(below, twiddle, lanes.load(u));
            lanes.store(sum, u);
            lanes.store(lanes.add(below, sum), w);
            i += L::COUNT;
        }
    }

    #[inline(always)]
    fn last(&mut self, block: &[E], a: E, b: E) -> E {
        let lanes = self.0;
        let mut tensor = [E::ZERO; MAX_COUNT];
        lanes.store(lanes.product(lanes.splat(&a), lanes.splat(&b)), &mut tensor);
        tensor = [E::ONE, a, b, tensor[0]];
        let mut sum = lanes.nothing();
        let mut i = 0;
        while i < MAX_COUNT {
            sum = lanes.accumulate(sum, lanes.load(&block[i..]), lanes.weight(lanes.load(&tensor[i..])));
            i += L::COUNT;
        }
        lanes.sum_of_lanes(lanes.reduce(sum))
    }
}

/// Plain products, and tables where one factor has many.
struct Tables<E>(Multiples<E>);

impl<E: OnLanes> Steps<E> for Tables<E> {
    fn layer(&mut self, twiddle: &E, u: &mut [E], w: &mut [E]) {
        if *twiddle == E::ZERO {
            vectors::add_assign(w, u);
            return;
        }
        let tables = u.len() >= Multiples::<E>::MIN_PRODUCTS;
        if tables {
            self.0.set(*twiddle);
        }
        for (u, w) in u.iter_mut().zip(w) {
            *u += if tables { self.0.times(*w) } else { *twiddle * *w };
            *w += *u;
        }
    }

    fn last(&mut self, block: &[E], a: E, b: E) -> E {
        block[0] + a * block[1] + b * (block[2] + a * block[3])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::{Gf32, Gf128, Gf192};
    use crate::codes::encode::tests::elements;
    use phalanx_testing::Random;

    /// Every entry, and those of a few points, are inner products with rows of the generator matrix.
    fn agree<E: ChallengeField>(basis: &Basis<E>) {
        let mut random = Random::from_seed(5);
        let all = 1usize << basis.log2_points();
        for (bound, log2_message) in
            [(0, 0), (0, 1), (2, 1), (0, 2), (3, 2), (0, 3), (1, 4), (4, 3), (0, 7), (2, 6)]
        {
            let message = elements::<E>(&mut random, 1 << log2_message);
            let few = [0, 1, 1, 3, all / 4, all / 4 + 5, all / 2 - 1, all - 9, all - 1];
            for points in [&few[..], &(0..all).collect::<Vec<_>>(), &[all - 1], &[]] {
                let want: Vec<E> = points
                    .iter()
                    .map(|point| {
                        let factors =
                            (bound..bound + log2_message).map(|j| Factor::Generator(basis.at(j, *point)));
                        vectors::evaluate(Isa::PORTABLE, &message, &factors.collect::<Vec<_>>())
                    })
                    .collect();
                for isa in phalanx_testing::isas() {
                    let values = values_at(isa, basis, bound, &message, points);
                    assert_eq!(values, want, "{} {bound} {log2_message}", isa.backend().name());
                }
            }
        }
    }

    #[test]
    fn values_are_inner_products_with_generator_rows() {
        agree(&Basis::<Gf128>::new(8));
        agree(&Basis::<Gf192>::new(8));
        agree::<Gf128>(&Basis::<Gf32>::new(9).embedded());
    }

    #[test]
    #[should_panic(expected = "ascending points")]
    fn points_out_of_order_are_refused() {
        values_at(Isa::PORTABLE, &Basis::<Gf128>::new(4), 0, &[Gf128(1); 8], &[3, 2]);
    }
}
