//! What the arithmetic on doubles asks of an instruction set.

use crate::fields::p25519::lanes::MAX_LANES;

/// Vectors of doubles, and of 64-bit integers with as many lanes. The value is the witness that the CPU has the
/// instructions; every operation is one of them, lane by lane.
pub(crate) trait Vectors: Copy {
    /// How many lanes.
    const COUNT: usize;
    /// Doubles.
    type Doubles: Copy;
    /// 64-bit integers.
    type Integers: Copy;

    /// The same double in every lane.
    fn double(self, value: f64) -> Self::Doubles;
    /// The same integer in every lane.
    fn integer(self, value: i64) -> Self::Integers;
    /// Lane `i` from `row[i]`.
    fn load(self, row: &[i64; MAX_LANES]) -> Self::Integers;
    /// Lane `i` to `row[i]`.
    fn store(self, value: Self::Integers, row: &mut [i64; MAX_LANES]);

    /// a + b.
    fn plus(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;
    /// a - b.
    fn minus(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;
    /// The bits of both.
    fn or(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;
    /// Lane `i` of `set` where bit `i` of `mask` is set, else of `clear`; time independent of all three.
    fn select(self, mask: u8, clear: Self::Doubles, set: Self::Doubles) -> Self::Doubles;

    /// The bit patterns.
    fn bits(self, a: Self::Doubles) -> Self::Integers;
    /// The inverse of [`bits`](Self::bits).
    fn of_bits(self, a: Self::Integers) -> Self::Doubles;

    /// a + b modulo 2^64.
    fn add(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    /// a - b modulo 2^64.
    fn sub(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;

    /// Adds both halves of a b as bit patterns: of [`LOWER`](super::LOWER) plus the lower to `low`, of
    /// [`UPPER`](super::UPPER) plus 2^51 times the upper to `high`. All additions are made in the order of the calls.
    fn add_product(
        self,
        a: &Self::Doubles,
        b: &Self::Doubles,
        constants: &mut Constants<Self::Doubles>,
        low: &mut Self::Integers,
        high: &mut Self::Integers,
    );
    /// Column k + 19 times column k + 5, modulo 2^64.
    fn fold(self, columns: &[Self::Integers; 10]) -> [Self::Integers; 5];
    /// One carry pass: limbs of columns, less the surplus.
    fn carry(self, columns: &[Self::Integers; 5], surplus: &[i64; 5]) -> [Self::Doubles; 5];
    /// The same of columns that have no surplus, and [`BIAS`](super::BIAS) added.
    fn carry_biased(self, columns: &[Self::Integers; 5]) -> [Self::Doubles; 5];
}

/// What pulls the halves of a product apart: [`UPPER`](super::UPPER) and [`BOTH`](super::BOTH).
#[derive(Clone, Copy)]
pub(crate) struct Constants<D> {
    pub(super) upper: D,
    pub(super) both: D,
}

/// Operations whose bodies are one intrinsic each.
macro_rules! intrinsics {
    ($($name:ident($($argument:ident: $kind:ident),+) -> $result:ident = $value:expr;)+) => {
        $(
            #[inline(always)]
            fn $name(self, $($argument: Self::$kind),+) -> Self::$result {
                // SAFETY: `self` is the proof of the instructions.
                unsafe { $value }
            }
        )+
    };
}

/// The methods of [`Vectors`] that are several instructions each, compiled as functions of their own for the features,
/// so that the compiler sees their intrinsics as instructions from the start. As calls of the operations above, whose
/// arguments go through memory until all is inlined, they were 2.3 of the 3.3 million lines that it had to inline for
/// this crate, and compiling took 1.6 times as long.
macro_rules! steps {
    ($features:literal, $doubles:ident, $integers:ident, $in_order:ident:
     $double:ident $fused:ident $minus:ident $or:ident $bits:ident $of_bits:ident
     $integer:ident $add:ident $and:ident $shift_right:ident $shift_left:ident $multiply:ident) => {
        #[inline(always)]
        fn add_product(
            self,
            a: &$doubles,
            b: &$doubles,
            constants: &mut Constants<$doubles>,
            low: &mut $integers,
            high: &mut $integers,
        ) {
            #[inline]
            #[target_feature(enable = $features)]
            fn add_product(
                (a, b): (&$doubles, &$doubles),
                constants: &mut Constants<$doubles>,
                low: &mut $integers,
                high: &mut $integers,
            ) {
                // Left alone, the optimiser gathers all sums behind all products, and the halves go through memory: a
                // doubling then took 450 cycles instead of 340 (AVX2, Zen 5, November 2026). So it is told that each
                // sum changes the constant that the next product needs, and that products stay in the order written.
                let upper = $fused(*a, *b, constants.upper);
                let lower = $fused(*a, *b, $minus(constants.both, upper));
                let (sum, carry) = ($add(*low, $bits(lower)), $add(*high, $bits(upper)));
                (*low, *high, constants.upper) = $in_order(sum, carry, constants.upper);
            }
            // SAFETY: `self` is the proof of the instructions.
            unsafe { add_product((a, b), constants, low, high) }
        }

        #[inline(always)]
        fn fold(self, columns: &[$integers; 10]) -> [$integers; 5] {
            #[inline]
            #[target_feature(enable = $features)]
            fn fold(columns: &[$integers; 10]) -> [$integers; 5] {
                let [l0, l1, l2, l3, l4, h0, h1, h2, h3, h4] = *columns;
                let column = |low, high| {
                    let thrice = $add($add(high, high), high);
                    $add($add(low, thrice), $shift_left::<4>(high))
                };
                [column(l0, h0), column(l1, h1), column(l2, h2), column(l3, h3), column(l4, h4)]
            }
            // SAFETY: `self` is the proof of the instructions.
            unsafe { fold(columns) }
        }

        #[inline(always)]
        fn carry(self, columns: &[$integers; 5], surplus: &[i64; 5]) -> [$doubles; 5] {
            #[inline]
            #[target_feature(enable = $features)]
            fn carry(columns: &[$integers; 5], surplus: &[i64; 5]) -> [$doubles; 5] {
                let ([x0, x1, x2, x3, x4], [s0, s1, s2, s3, s4]) = (*columns, *surplus);
                let biased = |x, surplus: i64| $add(x, $integer(BIAS.wrapping_sub(surplus)));
                carry_biased(&[
                    biased(x0, s0),
                    biased(x1, s1),
                    biased(x2, s2),
                    biased(x3, s3),
                    biased(x4, s4),
                ])
            }
            // SAFETY: `self` is the proof of the instructions.
            unsafe { carry(columns, surplus) }
        }

        #[inline(always)]
        fn carry_biased(self, columns: &[$integers; 5]) -> [$doubles; 5] {
            // SAFETY: `self` is the proof of the instructions.
            unsafe { carry_biased(columns) }
        }
    };
}

/// The function that both carry passes of [`steps`] call.
macro_rules! carry_pass {
    ($features:literal, $doubles:ident, $integers:ident:
     $minus:ident $or:ident $of_bits:ident $double:ident
     $integer:ident $add:ident $and:ident $shift_right:ident $multiply:ident) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn carry_biased(columns: &[$integers; 5]) -> [$doubles; 5] {
            let (mask, [x0, x1, x2, x3, x4]) = ($integer(MASK), *columns);
            // The double `kept + carry - (excess - 2^52)`, for integers with a sum below 2^52.
            let limb = |x, carry, excess| {
                let sum = $of_bits($add($and(x, mask), carry));
                $minus($or(sum, $double(TWO_52)), $double(excess))
            };
            // The last carry is below 2^13: its product with 19 fits the 32-bit multiply.
            let carry = $multiply($shift_right::<51>(x4), $integer(19));
            [
                limb(x0, carry, EXCESS_0),
                limb(x1, $shift_right::<51>(x0), EXCESS),
                limb(x2, $shift_right::<51>(x1), EXCESS),
                limb(x3, $shift_right::<51>(x2), EXCESS),
                limb(x4, $shift_right::<51>(x3), EXCESS),
            ]
        }
    };
}

pub(super) use {carry_pass, intrinsics, steps};
