//! \[s\]B - \[k\]A in lanes, and what is asked of the result.
//!
//! One chain of 250 doublings carries both products: the digits of k, base 32, pick from a table that each lane has of
//! its own A; those of s, base 1024, from one table of B. Digits are signed. Adding 16 (or 512) at every position
//! beforehand makes them: each digit of the sum, less 16, stands for itself, so that a digit needs no knowledge of its
//! neighbours.

use super::decode::zero;
use super::point_lanes::{Affine, PointLanes, Stage};
use crate::curve::base_tables::{self, LANES_WIDTH as BASE_WIDTH};
use crate::curve::constants::D;
use crate::curve::point::{Addend, Completed, Extended, Niels, NielsRow};
use crate::fields::p25519::{Element, MAX_LANES};
use crate::fields::scalar25519::Scalar;
use alloc::vec::Vec;

/// Bits in a digit of k. Digits are -16 to 15.
const WIDTH: usize = 5;
/// Rows of a lane: its multiples 0 to 16.
const ROWS: usize = (1 << (WIDTH - 1)) + 1;
/// Digits of k: with the bias it is below 2^255.
const DIGITS: usize = 51;

/// 2^(width - 1) at every position below `bits`.
const fn bias(width: usize, bits: usize) -> [u64; 4] {
    let (mut words, mut at) = ([0u64; 4], 0);
    while at < bits {
        let bit = at + width - 1;
        words[bit / 64] |= 1 << (bit % 64);
        at += width;
    }
    words
}

/// For k: every digit, the highest too.
const BIAS: [u64; 4] = bias(WIDTH, WIDTH * DIGITS);
/// For s: not the highest digit, of bits 250 to 255.
const BASE_BIAS: [u64; 4] = bias(BASE_WIDTH, 250);

/// Scalars with their bias, a lane each, ready for digits to be read at any bit.
#[derive(Clone, Copy)]
struct Digits([[u8; 34]; MAX_LANES]);

impl Digits {
    fn new(scalars: &[Scalar; MAX_LANES], bias: &[u64; 4]) -> Self {
        let mut lanes = [[0; 34]; MAX_LANES];
        for (lane, scalar) in lanes.iter_mut().zip(scalars) {
            let mut carry = false;
            for (i, word) in scalar.to_bytes().chunks_exact(8).enumerate() {
                let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
                let (sum, c1) = word.overflowing_add(bias[i]);
                let (sum, c2) = sum.overflowing_add(u64::from(carry));
                lane[8 * i..8 * i + 8].copy_from_slice(&sum.to_le_bytes());
                carry = c1 | c2;
            }
        }
        Self(lanes)
    }

    /// The `width` bits of a lane from bit `at` on; at most 10.
    #[inline(always)]
    fn at(&self, lane: usize, at: usize, width: usize) -> usize {
        let bytes = &self.0[lane];
        usize::from(u16::from_le_bytes([bytes[at / 8], bytes[at / 8 + 1]]) >> (at % 8)) & ((1 << width) - 1)
    }
}

/// Memory for the tables of one group, used again for the next.
pub(crate) struct Scratch<L: PointLanes> {
    /// Row `i`, lane by lane, then row `i + 1`.
    rows: Vec<L::Row>,
}

impl<L: PointLanes> Scratch<L> {
    pub(crate) fn new() -> Self {
        Self { rows: alloc::vec![L::IDENTITY; ROWS * L::COUNT] }
    }
}

/// \[s\]B + \[k\]P in every lane, not yet multiplied out.
pub(crate) struct Quotient<F>(Completed<F>);

/// \[s\]B + \[k\]P in every lane.
pub(crate) fn double_base_mul<L: PointLanes>(
    l: L,
    scratch: &mut Scratch<L>,
    s: &[Scalar; MAX_LANES],
    point: &Affine<L::Fe>,
    k: &[Scalar; MAX_LANES],
) -> Quotient<L::Fe> {
    let (s, k) = (Digits::new(s, &BASE_BIAS), Digits::new(k, &BIAS));
    l.enter(Multiples { point, rows: &mut scratch.rows });
    let rows = &scratch.rows;
    let base = base_tables::lanes();
    let zero = zero(l);
    let mut sum = Completed { e: zero, f: zero, g: zero, h: zero };
    l.enter(Identity { sum: &mut sum });
    let mut at = WIDTH * (DIGITS - 1);
    loop {
        l.enter(AddMultiple { sum: &mut sum, rows, digits: &k, at });
        if at.is_multiple_of(BASE_WIDTH) {
            l.enter(AddBase { sum: &mut sum, rows: base, digits: &s, at });
        }
        if at == 0 {
            return Quotient(sum);
        }
        l.enter(Double { sum: &mut sum, count: WIDTH });
        at -= WIDTH;
    }
}

struct Identity<'a, F> {
    sum: &'a mut Completed<F>,
}

impl<L: PointLanes> Stage<L> for Identity<'_, L::Fe> {
    #[inline(always)]
    fn run(self, l: L) {
        let (zero, one) = (l.splat(&Element::ZERO), l.splat(&Element::ONE));
        *self.sum = Completed { e: zero, f: one, g: one, h: one };
    }
}

/// Rows 1 to 16 of the table. Row 0 is there.
struct Multiples<'a, L: PointLanes> {
    point: &'a Affine<L::Fe>,
    rows: &'a mut [L::Row],
}

impl<L: PointLanes> Stage<L> for Multiples<'_, L> {
    #[inline(always)]
    fn run(self, l: L) {
        let Affine { x, y } = self.point;
        let one = l.splat(&Element::ONE);
        let d2 = l.splat(&D);
        let d2 = l.reduce(l.add(l.widen(&d2), l.widen(&d2)));
        let mut multiple = Extended { x: *x, y: *y, z: one, t: l.reduce(l.mul(x, y)) };
        let first = multiple.addend(l, &d2);
        let niels = Niels { y_plus_x: first.y_plus_x, y_minus_x: first.y_minus_x, xy2d: first.t2d };
        l.split(&first, &mut self.rows[L::COUNT..2 * L::COUNT]);
        let mut row = 2;
        while row < ROWS {
            multiple = multiple.summable(l).add_niels(l, &niels).extended(l);
            l.split(&multiple.addend(l, &d2), &mut self.rows[row * L::COUNT..(row + 1) * L::COUNT]);
            row += 1;
        }
    }
}

struct Double<'a, F> {
    sum: &'a mut Completed<F>,
    count: usize,
}

impl<L: PointLanes> Stage<L> for Double<'_, L::Fe> {
    #[inline(always)]
    fn run(self, l: L) {
        let mut sum = *self.sum;
        let mut i = 0;
        while i < self.count {
            sum = sum.projective(l).double(l);
            i += 1;
        }
        *self.sum = sum;
    }
}

struct AddMultiple<'a, L: PointLanes> {
    sum: &'a mut Completed<L::Fe>,
    rows: &'a [L::Row],
    digits: &'a Digits,
    at: usize,
}

impl<L: PointLanes> Stage<L> for AddMultiple<'_, L> {
    #[inline(always)]
    fn run(self, l: L) {
        const HALF: usize = ROWS - 1;
        let mut picked = [&self.rows[0]; MAX_LANES];
        let mut negative = 0;
        let mut lane = 0;
        while lane < L::COUNT {
            let digit = self.digits.at(lane, self.at, WIDTH);
            picked[lane] = &self.rows[digit.abs_diff(HALF) * L::COUNT + lane];
            negative |= u8::from(digit < HALF) << lane;
            lane += 1;
        }
        let zero = l.splat(&Element::ZERO);
        let addend: Addend<_> = l.join(&picked[..L::COUNT]).negate_if(l, negative, &zero);
        *self.sum = self.sum.summable(l).add(l, &addend);
    }
}

struct AddBase<'a, F> {
    sum: &'a mut Completed<F>,
    rows: &'a [NielsRow],
    digits: &'a Digits,
    at: usize,
}

impl<L: PointLanes> Stage<L> for AddBase<'_, L::Fe> {
    #[inline(always)]
    fn run(self, l: L) {
        // The highest digit has no bias.
        let half = if self.at >= 250 { 0 } else { 1 << (BASE_WIDTH - 1) };
        let mut picked = [&self.rows[0]; MAX_LANES];
        let mut negative = 0;
        let mut lane = 0;
        while lane < L::COUNT {
            let digit = self.digits.at(lane, self.at, BASE_WIDTH);
            picked[lane] = &self.rows[digit.abs_diff(half)];
            negative |= u8::from(digit < half) << lane;
            lane += 1;
        }
        let zero = l.splat(&Element::ZERO);
        let addend = l.join_base(&picked[..L::COUNT]).negate_if(l, negative, &zero);
        *self.sum = self.sum.summable(l).add_niels(l, &addend);
    }
}

impl<F: Copy> Quotient<F> {
    /// The lanes where it is the point `r`.
    pub(crate) fn equals<L: PointLanes<Fe = F>>(&self, l: L, r: &Affine<F>) -> u8 {
        let mut mask = 0;
        l.enter(Equals { quotient: &self.0, r, mask: &mut mask });
        mask
    }

    /// The lanes where eight times the difference from `r` is O.
    pub(crate) fn equals_times_8<L: PointLanes<Fe = F>>(&self, l: L, r: &Affine<F>) -> u8 {
        let mut mask = 0;
        l.enter(EqualsTimes8 { quotient: &self.0, r, mask: &mut mask });
        mask
    }

    /// The lanes where twice the point is O.
    pub(crate) fn has_order_2<L: PointLanes<Fe = F>>(&self, l: L) -> u8 {
        let mut mask = 0;
        l.enter(HasOrder2 { quotient: &self.0, mask: &mut mask });
        mask
    }
}

struct Equals<'a, F> {
    quotient: &'a Completed<F>,
    r: &'a Affine<F>,
    mask: &'a mut u8,
}

impl<L: PointLanes> Stage<L> for Equals<'_, L::Fe> {
    #[inline(always)]
    fn run(self, l: L) {
        let q = self.quotient.projective(l);
        let x = l.sub(l.mul(&self.r.x, &q.z), l.widen(&q.x));
        let y = l.sub(l.mul(&self.r.y, &q.z), l.widen(&q.y));
        *self.mask = l.zero_mask(&l.reduce(x)) & l.zero_mask(&l.reduce(y));
    }
}

struct EqualsTimes8<'a, F> {
    quotient: &'a Completed<F>,
    r: &'a Affine<F>,
    mask: &'a mut u8,
}

impl<L: PointLanes> Stage<L> for EqualsTimes8<'_, L::Fe> {
    #[inline(always)]
    fn run(self, l: L) {
        let (x, y) = (l.widen(&self.r.x), l.widen(&self.r.y));
        let d2 = l.splat(&D);
        let d2 = l.reduce(l.add(l.widen(&d2), l.widen(&d2)));
        let xy = l.reduce(l.mul(&self.r.x, &self.r.y));
        let minus_d2 = l.reduce(l.sub(l.widen(&l.splat(&Element::ZERO)), l.widen(&d2)));
        let minus_r = Niels {
            y_plus_x: l.reduce(l.sub(y, x)),
            y_minus_x: l.reduce(l.add(y, x)),
            xy2d: l.reduce(l.mul(&xy, &minus_d2)),
        };
        let mut difference = self.quotient.summable(l).add_niels(l, &minus_r);
        let mut i = 0;
        while i < 2 {
            difference = difference.projective(l).double(l);
            i += 1;
        }
        // Twice a point is O exactly if its x is 0.
        *self.mask = l.zero_mask(&difference.projective(l).x);
    }
}

struct HasOrder2<'a, F> {
    quotient: &'a Completed<F>,
    mask: &'a mut u8,
}

impl<L: PointLanes> Stage<L> for HasOrder2<'_, L::Fe> {
    #[inline(always)]
    fn run(self, l: L) {
        *self.mask = l.zero_mask(&self.quotient.projective(l).x);
    }
}
