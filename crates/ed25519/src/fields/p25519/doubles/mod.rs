//! Four elements in AVX2 lanes, or eight in those of AVX-512 without IFMA: limbs are doubles, and a fused multiply-add
//! gives both halves of a product exactly.
//!
//! The mathematics, with the proof that nothing is rounded away, is docs/p25519.md, section 4. In short: with h = round(a b / 2^51), `fma(a, b, 3 * 2^102)` is 3 * 2^102 + 2^51 h, and a second
//! fused multiply-add yields 3 * 2^51 + (a b - 2^51 h). The bit patterns of these doubles, as integers, are h and
//! a b - 2^51 h plus constants, so they are summed into 64-bit columns as they stand.
//!
//! For public data only: verification. The time of floating-point instructions on integers of this size is not known to
//! vary, but no vendor promises it, so secrets go through integer registers.
mod avx2;
mod avx512;
#[cfg(test)]
mod tests;
mod vectors;

use super::element::Element;
use super::lanes::{FieldLanes, MAX_LANES, Single};
use vectors::Constants;
pub(crate) use vectors::Vectors;

/// An element in each lane: five limbs of radix 2^51, signed integers held as doubles.
///
/// Bounds: |limb| is at most 2^50 + 2^14 after [`FieldLanes::reduce`], and below 2^51 after [`Doubles::canonical`]; a
/// product takes one factor of the second kind, a square none. What the proof needs is |a_i b_j| at most 2^102, and
/// half of that in a square.
#[derive(Clone, Copy)]
pub(crate) struct Limbs<V: Vectors>(pub(crate) [V::Doubles; 5]);

/// Columns of radix 2^51 in each lane, signed 64-bit integers: weight w is below 2^58 w in magnitude.
///
/// What stands in the vectors is that plus a surplus, the same in all lanes, modulo 2^64: the bit patterns of [`LOWER`]
/// and [`UPPER`] as often as they were added. The surplus is known to the compiler, so sums and differences of columns
/// leave it alone, and the carry pass takes it away with the constant that it adds anyway.
#[derive(Clone, Copy)]
pub(crate) struct Columns<V: Vectors> {
    sums: [V::Integers; 5],
    surplus: [i64; 5],
}

/// The engine, with as many lanes as the witness has doubles in a vector.
#[derive(Clone, Copy)]
pub(crate) struct Doubles<V>(pub(crate) V);

/// What pulls the upper half of a product out: doubles near it are 2^51 apart.
const UPPER: f64 = 3.0 * (1u128 << 102) as f64;
/// What pulls the lower half out: doubles near it are 1 apart.
const LOWER: f64 = 3.0 * (1u128 << 51) as f64;
/// Their sum is a double, since LOWER is a multiple of 2^51.
const BOTH: f64 = UPPER + LOWER;

/// How many lower halves fall into each of the ten columns of a product, and of a square. As many upper halves fall
/// into the next column.
const PRODUCT_TERMS: [u64; 10] = [1, 2, 3, 4, 5, 4, 3, 2, 1, 0];
const SQUARE_TERMS: [u64; 10] = [1, 1, 2, 2, 3, 2, 2, 1, 1, 0];

/// What the bit patterns of `LOWER` and `UPPER` alone come to in the five folded columns, modulo 2^64.
const fn surplus(terms: [u64; 10]) -> [i64; 5] {
    let mut surplus = [0; 5];
    let mut k = 0;
    while k < 5 {
        let lower = terms[k] + 19 * terms[k + 5];
        let upper = 19 * terms[k + 4] + if k == 0 { 0 } else { terms[k - 1] };
        let sum = LOWER.to_bits().wrapping_mul(lower).wrapping_add(UPPER.to_bits().wrapping_mul(upper));
        surplus[k] = sum.cast_signed();
        k += 1;
    }
    surplus
}

const PRODUCT: [i64; 5] = surplus(PRODUCT_TERMS);
const SQUARE: [i64; 5] = surplus(SQUARE_TERMS);

const MASK: i64 = (1 << 51) - 1;
/// Makes columns positive, and rounds their quotients by 2^51 to the nearest.
const BIAS: i64 = (1 << 62) + (1 << 50);
/// 2^52, whose bit pattern OR a smaller integer is the double 2^52 plus that integer.
const TWO_52: f64 = (1u64 << 52) as f64;
/// What a limb carries too much before it is one: 2^52, the rounding, and the share of the bias in the carry.
const EXCESS: f64 = ((1u64 << 52) + (1 << 50) + (1 << 11)) as f64;
/// The same for the limb that receives 19 times the last carry.
const EXCESS_0: f64 = ((1u64 << 52) + (1 << 50) + 19 * (1 << 11)) as f64;

/// Ten columns, while products are added to them.
struct Sum<V: Vectors> {
    columns: [V::Integers; 10],
    constants: Constants<V::Doubles>,
}

impl<V: Vectors> Sum<V> {
    #[inline(always)]
    fn new(v: V) -> Self {
        let constants = Constants { upper: v.double(UPPER), both: v.double(BOTH) };
        Self { columns: [v.integer(0); 10], constants }
    }
}

impl<V: Vectors> Doubles<V> {
    /// The columns without a surplus.
    #[inline(always)]
    pub(crate) fn settled(self, a: Columns<V>) -> [V::Integers; 5] {
        let (v, mut columns) = (self.0, a.sums);
        for (column, surplus) in columns.iter_mut().zip(a.surplus) {
            *column = v.sub(*column, v.integer(surplus));
        }
        columns
    }

    /// [`FieldLanes::reduce`] of such columns.
    #[inline(always)]
    pub(crate) fn reduce_settled(self, columns: &[V::Integers; 5]) -> Limbs<V> {
        Limbs(self.0.carry(columns, &[0; 5]))
    }

    /// The element whose canonical limbs, each below 2^51, are given as integers in the bits of `limbs`. It is not
    /// reduced: see [`Limbs`].
    #[inline(always)]
    pub(crate) fn canonical(self, limbs: [V::Doubles; 5]) -> Limbs<V> {
        let v = self.0;
        let two_52 = v.double(TWO_52);
        let mut doubles = limbs;
        for k in 0..5 {
            doubles[k] = v.minus(v.or(limbs[k], two_52), two_52);
        }
        Limbs(doubles)
    }
}

impl<V: Vectors> FieldLanes for Doubles<V> {
    const COUNT: usize = V::COUNT;
    type Fe = Limbs<V>;
    type Wide = Columns<V>;

    #[inline(always)]
    fn splat(self, element: &Element) -> Limbs<V> {
        let [l0, l1, l2, l3, l4] = element.0.map(u64::cast_signed);
        let v = self.0;
        self.reduce_settled(&[v.integer(l0), v.integer(l1), v.integer(l2), v.integer(l3), v.integer(l4)])
    }

    #[inline(always)]
    fn load(self, elements: &[Element]) -> Limbs<V> {
        let mut columns = [self.0.integer(0); 5];
        for (k, column) in columns.iter_mut().enumerate() {
            let mut row = [0; MAX_LANES];
            for (number, element) in row.iter_mut().zip(&elements[..V::COUNT]) {
                *number = element.0[k].cast_signed();
            }
            *column = self.0.load(&row);
        }
        self.reduce_settled(&columns)
    }

    #[inline(always)]
    fn store(self, value: &Limbs<V>, elements: &mut [Element]) {
        // 2 p, limb by limb: more than any negative limb, and the sum is below 2^53.
        const TWO_P: [i64; 5] = [2 * (MASK - 18), 2 * MASK, 2 * MASK, 2 * MASK, 2 * MASK];
        let columns = self.settled(self.widen(value));
        for k in 0..5 {
            let mut row = [0; MAX_LANES];
            self.0.store(self.0.add(columns[k], self.0.integer(TWO_P[k])), &mut row);
            for (element, limb) in elements[..V::COUNT].iter_mut().zip(row) {
                element.0[k] = limb.cast_unsigned();
            }
        }
        for element in &mut elements[..V::COUNT] {
            *element = Single.reduce(Single.widen(element));
        }
    }

    #[inline(always)]
    fn mul(self, a: &Limbs<V>, b: &Limbs<V>) -> Columns<V> {
        let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (&a.0, &b.0);
        // Column after column, and no loop: the optimiser leaves loops over columns as loops.
        let v = self.0;
        let mut s = Sum::new(v);
        let Sum { columns: [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9], constants } = &mut s;
        v.add_product(a0, b0, constants, c0, c1);
        v.add_product(a0, b1, constants, c1, c2);
        v.add_product(a1, b0, constants, c1, c2);
        v.add_product(a0, b2, constants, c2, c3);
        v.add_product(a1, b1, constants, c2, c3);
        v.add_product(a2, b0, constants, c2, c3);
        v.add_product(a0, b3, constants, c3, c4);
        v.add_product(a1, b2, constants, c3, c4);
        v.add_product(a2, b1, constants, c3, c4);
        v.add_product(a3, b0, constants, c3, c4);
        v.add_product(a0, b4, constants, c4, c5);
        v.add_product(a1, b3, constants, c4, c5);
        v.add_product(a2, b2, constants, c4, c5);
        v.add_product(a3, b1, constants, c4, c5);
        v.add_product(a4, b0, constants, c4, c5);
        v.add_product(a1, b4, constants, c5, c6);
        v.add_product(a2, b3, constants, c5, c6);
        v.add_product(a3, b2, constants, c5, c6);
        v.add_product(a4, b1, constants, c5, c6);
        v.add_product(a2, b4, constants, c6, c7);
        v.add_product(a3, b3, constants, c6, c7);
        v.add_product(a4, b2, constants, c6, c7);
        v.add_product(a3, b4, constants, c7, c8);
        v.add_product(a4, b3, constants, c7, c8);
        v.add_product(a4, b4, constants, c8, c9);
        Columns { sums: v.fold(&s.columns), surplus: PRODUCT }
    }

    #[inline(always)]
    fn square(self, a: &Limbs<V>) -> Columns<V> {
        let ([a0, a1, a2, a3, a4], v) = (&a.0, self.0);
        let twice = |limb: &V::Doubles| v.plus(*limb, *limb);
        let (d0, d1, d2, d3) = (&twice(a0), &twice(a1), &twice(a2), &twice(a3));
        let mut s = Sum::new(v);
        let Sum { columns: [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9], constants } = &mut s;
        v.add_product(a0, a0, constants, c0, c1);
        v.add_product(d0, a1, constants, c1, c2);
        v.add_product(d0, a2, constants, c2, c3);
        v.add_product(a1, a1, constants, c2, c3);
        v.add_product(d0, a3, constants, c3, c4);
        v.add_product(d1, a2, constants, c3, c4);
        v.add_product(d0, a4, constants, c4, c5);
        v.add_product(d1, a3, constants, c4, c5);
        v.add_product(a2, a2, constants, c4, c5);
        v.add_product(d1, a4, constants, c5, c6);
        v.add_product(d2, a3, constants, c5, c6);
        v.add_product(d2, a4, constants, c6, c7);
        v.add_product(a3, a3, constants, c6, c7);
        v.add_product(d3, a4, constants, c7, c8);
        v.add_product(a4, a4, constants, c8, c9);
        Columns { sums: v.fold(&s.columns), surplus: SQUARE }
    }

    #[inline(always)]
    fn widen(self, a: &Limbs<V>) -> Columns<V> {
        let ([a0, a1, a2, a3, a4], v) = (a.0, self.0);
        let column = |limb| v.bits(v.plus(limb, v.double(LOWER)));
        let sums = [column(a0), column(a1), column(a2), column(a3), column(a4)];
        Columns { sums, surplus: [LOWER.to_bits().cast_signed(); 5] }
    }

    #[inline(always)]
    fn add(self, a: Columns<V>, b: Columns<V>) -> Columns<V> {
        let mut sum = a;
        for k in 0..5 {
            sum.sums[k] = self.0.add(a.sums[k], b.sums[k]);
            sum.surplus[k] = a.surplus[k].wrapping_add(b.surplus[k]);
        }
        sum
    }

    #[inline(always)]
    fn sub(self, a: Columns<V>, b: Columns<V>) -> Columns<V> {
        let mut difference = a;
        for k in 0..5 {
            difference.sums[k] = self.0.sub(a.sums[k], b.sums[k]);
            difference.surplus[k] = a.surplus[k].wrapping_sub(b.surplus[k]);
        }
        difference
    }

    #[inline(always)]
    fn reduce(self, a: Columns<V>) -> Limbs<V> {
        Limbs(self.0.carry(&a.sums, &a.surplus))
    }

    #[inline(always)]
    fn select(self, mask: u8, clear: &Limbs<V>, set: &Limbs<V>) -> Limbs<V> {
        let mut chosen = *clear;
        for k in 0..5 {
            chosen.0[k] = self.0.select(mask, clear.0[k], set.0[k]);
        }
        chosen
    }
}
