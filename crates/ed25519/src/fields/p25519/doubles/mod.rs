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
pub(crate) use vectors::Vectors;

/// An element in each lane: five limbs of radix 2^51, signed integers held as doubles.
///
/// Bounds: |limb| is at most 2^50 + 2^14 after [`FieldLanes::reduce`], and below 2^51 after [`Doubles::canonical`]; a
/// product takes one factor of the second kind, a square none. What the proof needs is |a_i b_j| at most 2^102, and
/// half of that in a square.
#[derive(Clone, Copy)]
pub(crate) struct Limbs<V: Vectors>(pub(crate) [V::Doubles; 5]);

/// Columns of radix 2^51 in each lane, signed 64-bit integers: weight w is below 2^58 w in magnitude.
#[derive(Clone, Copy)]
pub(crate) struct Columns<V: Vectors>(pub(crate) [V::Integers; 5]);

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
    v: V,
    columns: [V::Integers; 10],
    upper: V::Doubles,
    both: V::Doubles,
}

impl<V: Vectors> Sum<V> {
    #[inline(always)]
    fn new(v: V) -> Self {
        Self { v, columns: [v.integer(0); 10], upper: v.double(UPPER), both: v.double(BOTH) }
    }

    /// Adds the halves of a b to columns k and k + 1, with the surplus of their bit patterns.
    ///
    /// Left alone, the optimiser gathers all sums behind all products, and the halves go through memory: a doubling
    /// then took 450 cycles instead of 340 (AVX2, Zen 5, November 2026). So it is told that each sum changes the
    /// constant that the next product needs, and that products stay in the order written.
    #[inline(always)]
    fn add_product(&mut self, k: usize, a: V::Doubles, b: V::Doubles) {
        let (lower, upper) = split(self.v, a, b, self.upper, self.both);
        let (low, high) = (self.v.add(self.columns[k], lower), self.v.add(self.columns[k + 1], upper));
        (self.columns[k], self.columns[k + 1], self.upper) = self.v.in_order(low, high, self.upper);
    }

    /// Ten columns to five, 2^255 being 19, less the surplus.
    #[inline(always)]
    fn fold(self, surplus: &[i64; 5]) -> Columns<V> {
        let v = self.v;
        let mut folded = [v.integer(0); 5];
        let mut k = 0;
        while k < 5 {
            let (low, high) = (self.columns[k], self.columns[k + 5]);
            let thrice = v.add(v.add(high, high), high);
            let low = v.sub(low, v.integer(surplus[k]));
            folded[k] = v.add(v.add(low, thrice), v.shift_left_4(high));
            k += 1;
        }
        Columns(folded)
    }
}

/// Both halves of a product as bit patterns: of `LOWER` plus the lower, of `UPPER` plus 2^51 times the upper.
#[inline(always)]
fn split<V: Vectors>(
    v: V,
    a: V::Doubles,
    b: V::Doubles,
    constant: V::Doubles,
    both: V::Doubles,
) -> (V::Integers, V::Integers) {
    let upper = v.multiply_add(a, b, constant);
    let lower = v.multiply_add(a, b, v.minus(both, upper));
    (v.bits(lower), v.bits(upper))
}

impl<V: Vectors> Doubles<V> {
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

    /// The double `kept + carry - (excess - 2^52)`, for integers with a sum below 2^52.
    #[inline(always)]
    fn limb(self, kept: V::Integers, carry: V::Integers, excess: f64) -> V::Doubles {
        let v = self.0;
        v.minus(v.or(v.of_bits(v.add(kept, carry)), v.double(TWO_52)), v.double(excess))
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
        self.reduce(Columns([v.integer(l0), v.integer(l1), v.integer(l2), v.integer(l3), v.integer(l4)]))
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
        self.reduce(Columns(columns))
    }

    #[inline(always)]
    fn store(self, value: &Limbs<V>, elements: &mut [Element]) {
        // 2 p, limb by limb: more than any negative limb, and the sum is below 2^53.
        const TWO_P: [i64; 5] = [2 * (MASK - 18), 2 * MASK, 2 * MASK, 2 * MASK, 2 * MASK];
        let columns = self.widen(value).0;
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
        let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (a.0, b.0);
        // Column after column, and no loop: the optimiser leaves loops over columns as loops.
        let mut s = Sum::new(self.0);
        s.add_product(0, a0, b0);
        s.add_product(1, a0, b1);
        s.add_product(1, a1, b0);
        s.add_product(2, a0, b2);
        s.add_product(2, a1, b1);
        s.add_product(2, a2, b0);
        s.add_product(3, a0, b3);
        s.add_product(3, a1, b2);
        s.add_product(3, a2, b1);
        s.add_product(3, a3, b0);
        s.add_product(4, a0, b4);
        s.add_product(4, a1, b3);
        s.add_product(4, a2, b2);
        s.add_product(4, a3, b1);
        s.add_product(4, a4, b0);
        s.add_product(5, a1, b4);
        s.add_product(5, a2, b3);
        s.add_product(5, a3, b2);
        s.add_product(5, a4, b1);
        s.add_product(6, a2, b4);
        s.add_product(6, a3, b3);
        s.add_product(6, a4, b2);
        s.add_product(7, a3, b4);
        s.add_product(7, a4, b3);
        s.add_product(8, a4, b4);
        s.fold(&PRODUCT)
    }

    #[inline(always)]
    fn square(self, a: &Limbs<V>) -> Columns<V> {
        let [a0, a1, a2, a3, a4] = a.0;
        let v = self.0;
        let (d0, d1, d2, d3) = (v.plus(a0, a0), v.plus(a1, a1), v.plus(a2, a2), v.plus(a3, a3));
        let mut s = Sum::new(v);
        s.add_product(0, a0, a0);
        s.add_product(1, d0, a1);
        s.add_product(2, d0, a2);
        s.add_product(2, a1, a1);
        s.add_product(3, d0, a3);
        s.add_product(3, d1, a2);
        s.add_product(4, d0, a4);
        s.add_product(4, d1, a3);
        s.add_product(4, a2, a2);
        s.add_product(5, d1, a4);
        s.add_product(5, d2, a3);
        s.add_product(6, d2, a4);
        s.add_product(6, a3, a3);
        s.add_product(7, d3, a4);
        s.add_product(8, a4, a4);
        s.fold(&SQUARE)
    }

    #[inline(always)]
    fn widen(self, a: &Limbs<V>) -> Columns<V> {
        let v = self.0;
        let lower = v.double(LOWER);
        let (mut columns, mut k) = ([v.bits(lower); 5], 0);
        while k < 5 {
            columns[k] = v.sub(v.bits(v.plus(a.0[k], lower)), columns[k]);
            k += 1;
        }
        Columns(columns)
    }

    #[inline(always)]
    fn add(self, a: Columns<V>, b: Columns<V>) -> Columns<V> {
        let mut sum = a;
        for k in 0..5 {
            sum.0[k] = self.0.add(a.0[k], b.0[k]);
        }
        sum
    }

    #[inline(always)]
    fn sub(self, a: Columns<V>, b: Columns<V>) -> Columns<V> {
        let mut difference = a;
        for k in 0..5 {
            difference.0[k] = self.0.sub(a.0[k], b.0[k]);
        }
        difference
    }

    #[inline(always)]
    fn reduce(self, a: Columns<V>) -> Limbs<V> {
        let v = self.0;
        let (mask, bias) = (v.integer(MASK), v.integer(BIAS));
        let x0 = v.add(a.0[0], bias);
        let x1 = v.add(a.0[1], bias);
        let x2 = v.add(a.0[2], bias);
        let x3 = v.add(a.0[3], bias);
        let x4 = v.add(a.0[4], bias);
        // The last carry is below 2^13: its product with 19 fits the 32-bit multiply.
        let carry = v.multiply_low_halves(v.shift_right_51(x4), v.integer(19));
        Limbs([
            self.limb(v.and(x0, mask), carry, EXCESS_0),
            self.limb(v.and(x1, mask), v.shift_right_51(x0), EXCESS),
            self.limb(v.and(x2, mask), v.shift_right_51(x1), EXCESS),
            self.limb(v.and(x3, mask), v.shift_right_51(x2), EXCESS),
            self.limb(v.and(x4, mask), v.shift_right_51(x3), EXCESS),
        ])
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
