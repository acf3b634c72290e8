//! Sums of many products: \[a_1\]P_1 + \[a_2\]P_2 + ..., for points and scalars that are public. Variable time.
//!
//! The bucket method (Pippenger; see Bernstein, Doumen, Lange, Oosterwijk, "Faster batch forgery identification",
//! ePrint 2012/549, section 4): in each window of digits the points of equal digit are summed first, and the sums are
//! weighed by their digit afterwards. Here the buckets are sorted by size, and eight (or as many as there are lanes) of
//! like size are summed side by side, each lane walking through the list of its own bucket; nothing is written before a
//! sum is complete. For the weighing each lane takes a window.

mod buckets;
mod digits;
mod stages;
mod terms;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
use super::coordinates;
#[cfg(target_arch = "x86_64")]
use super::lanes::Affine;
use super::lanes::PointLanes;
use super::point::{NielsRow, Point};
#[cfg(target_arch = "x86_64")]
use crate::fields::p25519::{Doubles, X4, X8};
use crate::fields::p25519::{FieldLanes, MAX_LANES, Single};
use crate::fields::scalar25519::Scalar;
use alloc::vec::Vec;
use buckets::{Lists, index};
use digits::Shape;
use phalanx_core::first_of;
use phalanx_core::simd::Isa;
#[cfg(target_arch = "x86_64")]
use stages::ToRows;
use stages::{Accumulate, Merge, Weigh};
use terms::Terms;

/// The products to be summed: scalars, and the indexes of their points.
pub(crate) struct Sum<'a> {
    /// Affine points; the one at [`terms::IDENTITY`] is O.
    pub(crate) points: &'a [NielsRow],
    /// (index of a point, scalar below L)
    pub(crate) long: &'a [(u32, Scalar)],
    /// (index of a point, scalar below 2^128)
    pub(crate) short: &'a [(u32, u128)],
}

impl Sum<'_> {
    /// The sum.
    pub(crate) fn evaluate(&self, isa: Isa) -> Point {
        #[cfg(test)]
        crate::recorder::record(isa);
        let lanes = first_of!(isa; avx512(_) => X8::COUNT, avx2(_) => 4, else => Single::COUNT,);
        self.evaluate_in(isa, &Shape::new(self.best_width(lanes)))
    }

    fn evaluate_in(&self, isa: Isa, shape: &Shape) -> Point {
        first_of!(isa;
            ifma(witness) => {
                coordinates::horner(X4(witness), &self.windows(X8(witness), shape), shape.width)
            },
            avx512(witness) => {
                let lanes = Doubles(witness.avx2());
                coordinates::horner(lanes, &self.windows(Doubles(witness), shape), shape.width)
            },
            avx2(witness) => {
                coordinates::horner(Doubles(witness), &self.windows(Doubles(witness), shape), shape.width)
            },
            else => horner(&self.windows(Single, shape), shape.width),
        )
    }

    /// For each window of digits, lowest first, the sum of the points times their digits.
    fn windows<L: PointLanes>(&self, l: L, shape: &Shape) -> Vec<Point> {
        let terms = Terms::new(self.long, self.short, shape);
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
                points: self.points,
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
    let Some((highest, lower)) = sums.split_last() else { return Point::IDENTITY };
    lower.iter().rev().fold(*highest, |total, sum| total.times_power_of_2(width).add(sum))
}

/// Writes affine points, as many as there are lanes, as they stand in the lists of sums.
#[cfg(target_arch = "x86_64")]
pub(crate) fn to_rows<L: PointLanes>(l: L, point: &Affine<L::Fe>, rows: &mut [NielsRow; MAX_LANES]) {
    l.enter(ToRows { point, rows });
}

/// Positions in lists of points.
pub(crate) fn point_index(i: usize) -> u32 {
    index(i)
}
