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

    /// a b + c, rounded once.
    fn multiply_add(self, a: Self::Doubles, b: Self::Doubles, c: Self::Doubles) -> Self::Doubles;
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
    /// The bits that both have.
    fn and(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    /// a / 2^51, unsigned.
    fn shift_right_51(self, a: Self::Integers) -> Self::Integers;
    /// 16 a.
    fn shift_left_4(self, a: Self::Integers) -> Self::Integers;
    /// The product of the low 32 bits of both.
    fn multiply_low_halves(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;

    /// The same vectors, all computed before any of them is used, and in the order of the calls.
    fn in_order(
        self,
        a: Self::Integers,
        b: Self::Integers,
        c: Self::Doubles,
    ) -> (Self::Integers, Self::Integers, Self::Doubles);
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

pub(super) use intrinsics;
