//! What codes and commitments need of a binary field.

use core::ops::{Add, AddAssign, Mul, MulAssign};
use phalanx_core::memory::Plain;

/// A field of characteristic two in a polynomial basis.
pub(crate) trait BinaryField:
    Plain + Eq + Default + Send + Sync + Add<Output = Self> + AddAssign + Mul<Output = Self> + MulAssign + 'static
{
    /// The neutral element of addition.
    const ZERO: Self;
    /// The neutral element of multiplication.
    const ONE: Self;
    /// The degree over GF(2).
    const BITS: u32;
    /// The length of an element's bytes.
    const LEN_BYTES: usize = Self::BITS as usize / 8;

    /// The element whose bits are those of `integer`.
    ///
    /// # Panics
    /// If `integer` has more bits than the field.
    fn from_integer(integer: u64) -> Self;

    /// Appends the little-endian bytes.
    fn put(self, out: &mut alloc::vec::Vec<u8>);

    /// The product with itself, linear over GF(2).
    #[must_use]
    fn square(self) -> Self {
        self * self
    }

    /// The inverse, and zero for zero: x^(2^BITS - 2), by T. Itoh and S. Tsujii, "A fast algorithm for computing
    /// multiplicative inverses in GF(2^m) using normal bases", 1988: x^(2^e - 1) for the e that are the upper bits of
    /// BITS - 1, ever more of them, where x^(2^2e - 1) = (x^(2^e - 1))^(2^e) x^(2^e - 1).
    #[must_use]
    fn invert(self) -> Self {
        let mut power = self;
        let last = Self::BITS - 1;
        for bit in (0..last.ilog2()).rev() {
            let mut shifted = power;
            for _ in 0..last >> (bit + 1) {
                shifted = shifted.square();
            }
            power = shifted * power;
            if last >> bit & 1 == 1 {
                power = power.square() * self;
            }
        }
        power.square()
    }
}
