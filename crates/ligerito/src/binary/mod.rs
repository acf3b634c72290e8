//! Binary fields in polynomial bases: GF(2^16), GF(2^32), GF(2^128) and GF(2^192), and how the small ones lie in the large ones.
//!
//! An element is an unsigned integer whose bit i is the coefficient of x^i; addition is XOR; every bit pattern is an
//! element. As bytes, elements are little-endian. All operations take the same time for all values.
//!
//! Source of moduli and embeddings: the crate `ligerito-binary-fields` 0.7.2 (MIT), whose proofs we read and write.

mod carryless;
mod embed;
mod gf128;
mod gf16;
mod gf192;
mod gf32;
pub(crate) mod lanes;
pub(crate) mod mixed;
mod slices;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod vectors;

pub(crate) use gf16::Gf16;
pub(crate) use gf32::Gf32;
pub use gf128::Gf128;
pub use gf192::Gf192;
pub(crate) use slices::{gf32s, le_bytes};

use core::ops::{Add, AddAssign, Mul, MulAssign};
use phalanx_core::memory::Plain;

/// An extension of GF(2^32) that is large enough for challenges: [`Gf128`] or [`Gf192`]. Points and values are its
/// elements, and all that is committed after the first level.
pub(crate) trait ChallengeField:
    BinaryField + core::fmt::Debug + From<Gf32> + lanes::OnLanes + mixed::Mixed
{
    /// The element whose little-endian bytes are given.
    ///
    /// # Panics
    /// If there are not `LEN_BYTES` of them.
    fn from_le_slice(bytes: &[u8]) -> Self;
}

impl ChallengeField for Gf128 {
    fn from_le_slice(bytes: &[u8]) -> Self {
        Self::from_le_bytes(bytes.try_into().expect("sixteen bytes"))
    }
}

impl ChallengeField for Gf192 {
    fn from_le_slice(bytes: &[u8]) -> Self {
        Self::from_le_bytes(bytes.try_into().expect("twenty-four bytes"))
    }
}

/// What codes and commitments need of a binary field.
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
