//! Binary fields in polynomial bases: GF(2^16), GF(2^32), GF(2^128) and GF(2^192), and how the small ones lie in the
//! large ones.
//!
//! An element is an unsigned integer whose bit i is the coefficient of x^i; addition is XOR; every bit pattern is an
//! element. As bytes, elements are little-endian. All operations take the same time for all values.
//!
//! Source of moduli and embeddings: the crate `ligerito-binary-fields` 0.7.2 (MIT), whose proofs we read and write.

mod carryless;
mod embed;
mod field;
mod gf128;
mod gf16;
mod gf192;
mod gf32;
pub(crate) mod lanes;
pub(crate) mod mixed;
mod multiples;
mod slices;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod vectors;

pub(crate) use field::BinaryField;
pub(crate) use gf16::Gf16;
pub(crate) use gf32::Gf32;
pub use gf128::Gf128;
pub use gf192::Gf192;
pub use mixed::POINTS;
pub(crate) use multiples::Multiples;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(crate) use slices::{bytes, bytes_mut};
pub(crate) use slices::{gf32s, le_bytes, words, words_of_bits};

/// An extension of GF(2^32) that is large enough for challenges: [`Gf128`] or [`Gf192`]. Points and values are its
/// elements, and all that is committed after the first level.
pub(crate) trait ChallengeField: lanes::OnLanes + mixed::Mixed {
    /// The image of x of GF(2^8) modulo x^8 + x^4 + x^3 + x + 1: of the eight roots the one whose integer is smallest.
    const ROOT_OF_AES: Self;

    /// The element whose little-endian bytes are given.
    ///
    /// # Panics
    /// If there are not `LEN_BYTES` of them.
    fn from_le_slice(bytes: &[u8]) -> Self;
}

impl ChallengeField for Gf128 {
    const ROOT_OF_AES: Self = Self(0x053d_8555_a997_9a1c_a13f_e8ac_5560_ce0d);

    fn from_le_slice(bytes: &[u8]) -> Self {
        Self::from_le_bytes(bytes.try_into().expect("sixteen bytes"))
    }
}

impl ChallengeField for Gf192 {
    const ROOT_OF_AES: Self = Self([0xccc8_a3d5_6f38_9763, 0xe665_d76c_966e_bdea, 0x310b_c814_0e6b_3662]);

    fn from_le_slice(bytes: &[u8]) -> Self {
        Self::from_le_bytes(bytes.try_into().expect("twenty-four bytes"))
    }
}
