//! The two stages that cost: summing buckets, and weighing their sums.

use super::buckets::Task;
use super::terms::{IDENTITY, NEGATIVE};
use crate::curve::constants::D;
#[cfg(target_arch = "x86_64")]
use crate::curve::lanes::Affine;
use crate::curve::lanes::{PointLanes, Stage};
use crate::curve::point::{Addend, Completed, Extended, Niels, NielsRow, Point, Summable};
use crate::fields::p25519::{Element, FieldLanes, MAX_LANES};

/// 1/2d.
const HALF_INVERSE_D: Element = Element::from_bytes(&[
    0x18, 0xfc, 0xe4, 0x66, 0x3b, 0x79, 0xf0, 0x12, 0x17, 0xaa, 0x3c, 0x21, 0x4c, 0xeb, 0xae, 0x05, 0xb3,
    0xe7, 0xdc, 0x66, 0x8a, 0x10, 0x8b, 0x95, 0x21, 0xe7, 0x6a, 0x0a, 0x69, 0x3f, 0x48, 0x60,
]);

/// Sums the lists of tasks, a task to each lane. Tasks of like length stand together; the shorter of a group are filled
/// up with O.
pub(super) struct Accumulate<'a, L: PointLanes> {
    pub(super) points: &'a [NielsRow],
    pub(super) list: &'a [u32],
    pub(super) tasks: &'a [Task],
    pub(super) rows: &'a mut [L::Row],
}

impl<L: PointLanes> Stage<L> for Accumulate<'_, L> {
    #[inline(always)]
    fn run(self, l: L) {
        let zero = l.splat(&Element::ZERO);
        let (d2, half_inverse_d) = (twice_d(l), l.splat(&HALF_INVERSE_D));
        let two = l.splat(&Element([2, 0, 0, 0, 0]));
        let mut sums = [L::IDENTITY; MAX_LANES];
        let mut first = 0;
        while first < self.tasks.len() {
            let last = self.tasks.len().min(first + L::COUNT);
            let tasks = &self.tasks[first..last];
            let steps = tasks[tasks.len() - 1].len;
            let (point, negative) = pick(l, self.points, self.list, tasks, 0);
            let point = point.negate_if(l, negative, &zero);
            let mut sum =
                Addend { y_plus_x: point.y_plus_x, y_minus_x: point.y_minus_x, z2: two, t2d: point.xy2d };
            if steps > 1 {
                let mut left = Summable {
                    y_plus_x: point.y_plus_x,
                    y_minus_x: point.y_minus_x,
                    z: l.splat(&Element::ONE),
                    t: l.reduce(l.mul(&point.xy2d, &half_inverse_d)),
                };
                let mut step = 1;
                loop {
                    let (point, negative) = pick(l, self.points, self.list, tasks, step);
                    let completed = add_signed(l, &left, &point, negative);
                    step += 1;
                    if step == steps {
                        sum = addend(l, &completed, &d2).1;
                        break;
                    }
                    left = completed.summable(l);
                }
            }
            l.split(&sum, &mut sums[..L::COUNT]);
            let mut lane = 0;
            while lane < tasks.len() {
                self.rows[tasks[lane].row as usize] = sums[lane];
                lane += 1;
            }
            first = last;
        }
    }
}

/// The points at `step` of the tasks' lists, and the lanes where the negative is meant. O where a list has ended.
#[inline(always)]
fn pick<L: PointLanes>(
    l: L,
    points: &[NielsRow],
    list: &[u32],
    tasks: &[Task],
    step: u32,
) -> (Niels<L::Fe>, u8) {
    let mut picked = [&points[IDENTITY]; MAX_LANES];
    let mut negative = 0;
    let mut lane = 0;
    while lane < tasks.len() {
        let task = &tasks[lane];
        if step < task.len {
            let entry = list[(task.start + step) as usize];
            picked[lane] = &points[(entry & !NEGATIVE) as usize];
            negative |= u8::from(entry >= NEGATIVE) << lane;
        }
        lane += 1;
    }
    (l.join_base(&picked[..L::COUNT]), negative)
}

/// P + Q, or P - Q in the lanes of `negative`: y + x and y - x of Q change places, and so do D - C and D + C (see
/// [`Summable::add_niels`]).
#[inline(always)]
fn add_signed<L: FieldLanes>(l: L, p: &Summable<L::Fe>, q: &Niels<L::Fe>, negative: u8) -> Completed<L::Fe> {
    let q = Niels {
        y_plus_x: l.select(negative, &q.y_plus_x, &q.y_minus_x),
        y_minus_x: l.select(negative, &q.y_minus_x, &q.y_plus_x),
        xy2d: q.xy2d,
    };
    let sum = p.add_niels(l, &q);
    Completed {
        e: sum.e,
        f: l.select(negative, &sum.f, &sum.g),
        g: l.select(negative, &sum.g, &sum.f),
        h: sum.h,
    }
}

/// The point as the left and as the right side of an addition.
#[inline(always)]
fn addend<L: FieldLanes>(l: L, p: &Completed<L::Fe>, d2: &L::Fe) -> (Summable<L::Fe>, Addend<L::Fe>) {
    let left = p.summable(l);
    let z = l.widen(&left.z);
    let right = Addend {
        y_plus_x: left.y_plus_x,
        y_minus_x: left.y_minus_x,
        z2: l.reduce(l.add(z, z)),
        t2d: l.reduce(l.mul(&left.t, d2)),
    };
    (left, right)
}

#[inline(always)]
fn twice_d<L: FieldLanes>(l: L) -> L::Fe {
    let d = l.widen(&l.splat(&D));
    l.reduce(l.add(d, d))
}

/// Adds to row `b` the row `a`, for each (a, b) of `parts`. There are few: all lanes do the same.
pub(super) struct Merge<'a, L: PointLanes> {
    pub(super) parts: &'a [(u32, u32)],
    pub(super) rows: &'a mut [L::Row],
}

impl<L: PointLanes> Stage<L> for Merge<'_, L> {
    #[inline(always)]
    fn run(self, l: L) {
        let d2 = twice_d(l);
        let mut sums = [L::IDENTITY; MAX_LANES];
        let mut i = 0;
        while i < self.parts.len() {
            let (part, bucket) = (self.parts[i].0 as usize, self.parts[i].1 as usize);
            let (a, b) = ([&self.rows[part]; MAX_LANES], [&self.rows[bucket]; MAX_LANES]);
            let (a, b) = (l.join(&a[..L::COUNT]), l.join(&b[..L::COUNT]));
            // (2X : 2Y : 2Z) is the same point; times 2Z, with T = XY/Z, it needs no division.
            let (plus, minus) = (l.widen(&a.y_plus_x), l.widen(&a.y_minus_x));
            let (x, y) = (l.reduce(l.sub(plus, minus)), l.reduce(l.add(plus, minus)));
            let left = Extended {
                x: l.reduce(l.mul(&x, &a.z2)),
                y: l.reduce(l.mul(&y, &a.z2)),
                z: l.reduce(l.square(&a.z2)),
                t: l.reduce(l.mul(&x, &y)),
            };
            let sum = addend(l, &left.summable(l).add(l, &b), &d2).1;
            l.split(&sum, &mut sums[..L::COUNT]);
            self.rows[bucket] = sums[0];
            i += 1;
        }
    }
}

/// For as many windows as there are lanes: the sum of j times the bucket of j. Rows are bucket after bucket, `stride`
/// windows each, highest bucket last.
pub(super) struct Weigh<'a, L: PointLanes> {
    pub(super) rows: &'a [L::Row],
    pub(super) stride: usize,
    pub(super) buckets: usize,
    pub(super) totals: &'a mut [Point; MAX_LANES],
}

impl<L: PointLanes> Stage<L> for Weigh<'_, L> {
    #[inline(always)]
    fn run(self, l: L) {
        let (zero, one) = (l.splat(&Element::ZERO), l.splat(&Element::ONE));
        let d2 = twice_d(l);
        let mut running = Summable { y_plus_x: one, y_minus_x: one, z: one, t: zero };
        let mut total = running;
        let mut picked = [&self.rows[0]; MAX_LANES];
        let mut bucket = self.buckets;
        while bucket > 0 {
            bucket -= 1;
            let mut lane = 0;
            while lane < L::COUNT {
                picked[lane] = &self.rows[bucket * self.stride + lane];
                lane += 1;
            }
            let completed = running.add(l, &l.join(&picked[..L::COUNT]));
            let (left, right) = addend(l, &completed, &d2);
            running = left;
            total = total.add(l, &right).summable(l);
        }
        let mut lanes = [[Element::ZERO; MAX_LANES]; 4];
        l.store(&total.y_plus_x, &mut lanes[0][..L::COUNT]);
        l.store(&total.y_minus_x, &mut lanes[1][..L::COUNT]);
        l.store(&total.z, &mut lanes[2][..L::COUNT]);
        l.store(&total.t, &mut lanes[3][..L::COUNT]);
        let mut lane = 0;
        while lane < L::COUNT {
            let [plus, minus, z, t] = [lanes[0][lane], lanes[1][lane], lanes[2][lane], lanes[3][lane]];
            self.totals[lane] =
                Point { x: plus.sub(&minus), y: plus.add(&minus), z: z.add(&z), t: t.add(&t) };
            lane += 1;
        }
    }
}

/// Affine points as they stand in lists.
#[cfg(target_arch = "x86_64")]
pub(super) struct ToRows<'a, L: PointLanes> {
    pub(super) point: &'a Affine<L::Fe>,
    pub(super) rows: &'a mut [NielsRow; MAX_LANES],
}

#[cfg(target_arch = "x86_64")]
impl<L: PointLanes> Stage<L> for ToRows<'_, L> {
    #[inline(always)]
    fn run(self, l: L) {
        let (x, y) = (l.widen(&self.point.x), l.widen(&self.point.y));
        let xy = l.reduce(l.mul(&self.point.x, &self.point.y));
        let niels = Niels {
            y_plus_x: l.reduce(l.add(y, x)),
            y_minus_x: l.reduce(l.sub(y, x)),
            xy2d: l.reduce(l.mul(&xy, &twice_d(l))),
        };
        let mut lanes = [[Element::ZERO; MAX_LANES]; 3];
        l.store(&niels.y_plus_x, &mut lanes[0][..L::COUNT]);
        l.store(&niels.y_minus_x, &mut lanes[1][..L::COUNT]);
        l.store(&niels.xy2d, &mut lanes[2][..L::COUNT]);
        let mut lane = 0;
        while lane < L::COUNT {
            self.rows[lane] = NielsRow::new(&Niels {
                y_plus_x: lanes[0][lane],
                y_minus_x: lanes[1][lane],
                xy2d: lanes[2][lane],
            });
            lane += 1;
        }
    }
}
