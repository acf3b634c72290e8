//! Sums of many products: \[a_1\]P_1 + \[a_2\]P_2 + ..., for points and scalars that are public. Variable time.
//!
//! The bucket method (Pippenger; see Bernstein, Doumen, Lange, Oosterwijk, "Faster batch forgery identification", ePrint
//! 2012/549, section 4): in each window of digits the points of equal digit are summed first, and the sums are weighed by
//! their digit afterwards. Here the buckets are sorted by size, and eight (or as many as there are lanes) of like size
//! are summed side by side, each lane walking through the list of its own bucket; nothing is written before a sum is
//! complete. For the weighing each lane takes a window.

mod buckets;
mod digits;
mod stages;
#[cfg(test)]
mod tests;

use super::lanes::{Affine, BaseRow, Kernel};
#[cfg(target_arch = "x86_64")]
use super::pair;
use super::{D, Point};
#[cfg(target_arch = "x86_64")]
use crate::fields::p25519::{Eight, Four};
use crate::fields::p25519::{Element, Lanes, MAX_LANES, One};
use crate::fields::scalar25519::Scalar;
use alloc::vec::Vec;
use buckets::{Lists, NEGATIVE, index};
use digits::{Digits, Recoder, Shape};
use phalanx_core::first_of;
use phalanx_core::simd::Isa;
use stages::{Accumulate, Merge, ToRows, Weigh};

/// Where O stands among the points of every sum.
pub(crate) const IDENTITY: usize = 0;

/// The products to be summed: scalars, and the indexes of their points.
pub(crate) struct Sum<'a> {
    /// Affine points; the one at [`IDENTITY`] is O.
    pub(crate) points: &'a [BaseRow],
    /// (index of a point, scalar below L)
    pub(crate) long: &'a [(u32, Scalar)],
    /// (index of a point, scalar below 2^128)
    pub(crate) short: &'a [(u32, u128)],
}

/// The scalars of a sum as digits.
struct Terms<'a> {
    points: &'a [BaseRow],
    long_points: Vec<u32>,
    long: Vec<Digits>,
    short_points: Vec<u32>,
    short: Vec<Digits>,
}

impl<'a> Terms<'a> {
    fn new(sum: &Sum<'a>, shape: &Shape) -> Self {
        let recoder = Recoder::new(shape);
        let mut terms = Self {
            points: sum.points,
            long_points: Vec::with_capacity(sum.long.len()),
            long: Vec::with_capacity(sum.long.len()),
            short_points: sum.short.iter().map(|(point, _)| *point).collect(),
            short: sum.short.iter().map(|(_, scalar)| recoder.short(*scalar)).collect(),
        };
        for (point, scalar) in sum.long {
            let (digits, negative) = recoder.long(scalar);
            terms.long.push(digits);
            terms.long_points.push(if negative { point | NEGATIVE } else { *point });
        }
        terms
    }

    fn len(&self) -> usize {
        self.long.len() + self.short.len()
    }
}

impl Sum<'_> {
    /// The sum.
    pub(crate) fn evaluate(&self, isa: Isa) -> Point {
        #[cfg(test)]
        crate::tests::record(isa);
        let lanes = first_of!(isa; avx512(_) => Eight::COUNT, avx2(_) => Four::COUNT, else => One::COUNT,);
        self.evaluate_in(isa, &Shape::new(self.best_width(lanes)))
    }

    fn evaluate_in(&self, isa: Isa, shape: &Shape) -> Point {
        first_of!(isa;
            avx512(witness) => {
                pair::avx512::horner(witness, &self.windows(Eight(witness), shape), shape.width)
            },
            avx2(witness) => horner(&self.windows(Four(witness), shape), shape.width),
            else => horner(&self.windows(One, shape), shape.width),
        )
    }

    /// For each window of digits, lowest first, the sum of the points times their digits.
    fn windows<L: Kernel>(&self, l: L, shape: &Shape) -> Vec<Point> {
        let terms = Terms::new(self, shape);
        let windows = shape.long.max(shape.short);
        // Eight windows at a time keep the buckets in the nearer caches.
        let group = MAX_LANES;
        let mut lists = Lists::default();
        let mut rows: Vec<L::Row> = Vec::new();
        let mut totals = [Point::IDENTITY; MAX_LANES];
        let mut window_sums = Vec::with_capacity(windows.next_multiple_of(group));
        for first in (0..windows).step_by(group) {
            lists.fill(&terms, shape, first, group);
            if rows.len() < lists.rows {
                rows.resize(lists.rows, L::IDENTITY);
            }
            for &row in &lists.empty {
                rows[row as usize] = L::IDENTITY;
            }
            l.enter(Accumulate {
                points: terms.points,
                list: &lists.list,
                tasks: &lists.tasks,
                rows: &mut rows,
            });
            if !lists.parts.is_empty() {
                l.enter(Merge { parts: &lists.parts, rows: &mut rows });
            }
            for lane in (0..group).step_by(L::COUNT) {
                l.enter(Weigh {
                    rows: &rows[lane..],
                    stride: group,
                    buckets: shape.buckets(),
                    totals: &mut totals,
                });
                window_sums.extend_from_slice(&totals[..L::COUNT]);
            }
        }
        window_sums.truncate(windows);
        window_sums
    }

    /// The width of digits that takes the fewest products, counted in products of one lane.
    fn best_width(&self, lanes: usize) -> usize {
        let cost = |width: &usize| {
            let shape = Shape::new(*width);
            let windows = shape.long.next_multiple_of(lanes);
            // An addition into a bucket, with picking and sorting, against weighing a bucket.
            10 * (self.long.len() * shape.long + self.short.len() * shape.short)
                + 14 * windows * shape.buckets()
        };
        (3..=12).min_by_key(cost).unwrap_or(8)
    }
}

/// Sum of 2^(width i) sums\[i\].
fn horner(sums: &[Point], width: usize) -> Point {
    let d2 = D.add(&D);
    let Some((highest, lower)) = sums.split_last() else { return Point::IDENTITY };
    lower.iter().rev().fold(*highest, |total, sum| {
        let mut doubled = total.projective();
        for _ in 1..width {
            doubled = doubled.double(One).projective(One);
        }
        doubled.double(One).summable(One).add(One, &sum.addend(One, &d2)).extended(One)
    })
}

impl BaseRow {
    /// O.
    pub(crate) fn identity() -> Self {
        Self::from_affine(&Element::ZERO, &Element::ONE)
    }

    /// (x, y).
    pub(crate) fn from_affine(x: &Element, y: &Element) -> Self {
        Self::new(&super::law::Niels {
            y_plus_x: y.add(x),
            y_minus_x: y.sub(x),
            xy2d: x.mul(y).mul(&D.add(&D)),
        })
    }
}

/// Writes affine points, as many as there are lanes, as they stand in the lists of sums.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "lanes of its own are for x86-64 so far"))]
pub(crate) fn to_rows<L: Kernel>(l: L, point: &Affine<L::Fe>, rows: &mut [BaseRow; MAX_LANES]) {
    l.enter(ToRows { point, rows });
}

/// Positions in lists of points.
pub(crate) fn point_index(i: usize) -> u32 {
    index(i)
}
