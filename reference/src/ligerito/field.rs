//! The two fields and the map between them (spec section 2).

use std::sync::LazyLock;

/// A binary field. Elements are integers, bit `i` the coefficient of `x^i`, so addition is XOR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The degree of the modulus: 32 or 128.
    pub bits: u32,
    /// The modulus; of U without its leading term, which a shift of 128 bits drops anyway.
    modulus: u128,
}

/// `GF(2)[x]/(x^32 + x^15 + x^9 + x^7 + x^4 + x^3 + 1)`.
pub const T: Field = Field { bits: 32, modulus: 0x1_0000_8299 };
/// `GF(2)[x]/(x^128 + x^7 + x^2 + x + 1)`.
pub const U: Field = Field { bits: 128, modulus: 0x87 };

/// The root of T's modulus in U that `x` of T goes to.
const G: u128 = 0xc2ad_7d2a_889a_2e62_5daf_e1c0_f5fa_0b0f;
/// `g^i` for `i < 32`; made once, because encoding asks for them millions of times.
static POWERS: LazyLock<Vec<u128>> =
    LazyLock::new(|| std::iter::successors(Some(1), |&power| Some(U.mul(power, G))).take(32).collect());

impl Field {
    /// Bytes of an element: 4 or 16.
    pub fn bytes(self) -> usize {
        self.bits as usize / 8
    }

    /// Little-endian bytes.
    pub fn to_bytes(self, element: u128) -> Vec<u8> {
        element.to_le_bytes()[..self.bytes()].to_vec()
    }

    /// The element of little-endian bytes.
    ///
    /// # Panics
    ///
    /// Panics if the slice is longer than 16 bytes.
    pub fn of_bytes(bytes: &[u8]) -> u128 {
        let mut wide = [0; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        u128::from_le_bytes(wide)
    }

    /// `a * b`: `a x^i` for every bit `i` of `b`.
    pub fn mul(self, a: u128, b: u128) -> u128 {
        let (mut product, mut a, mut b) = (0, a, b);
        while b != 0 {
            product ^= a & (b & 1).wrapping_neg();
            a = self.times_x(a);
            b >>= 1;
        }
        product
    }

    fn times_x(self, a: u128) -> u128 {
        let overflow = a >> (self.bits - 1) & 1;
        a << 1 ^ (self.modulus & overflow.wrapping_neg())
    }

    /// `1/a` for `a != 0`, as `a^(2^bits - 2)`; zero for zero.
    pub fn inverse(self, a: u128) -> u128 {
        let (mut result, mut square) = (1, a);
        for _ in 1..self.bits {
            square = self.mul(square, square);
            result = self.mul(result, square);
        }
        result
    }

    /// The element of this field as an element of U: through [`phi`] from T, itself from U.
    pub fn into_u(self, element: u128) -> u128 {
        if self == T { phi(element) } else { element }
    }
}

/// `phi : T -> U`, GF(2)-linear, `x^i` to `g^i`.
pub fn phi(element: u128) -> u128 {
    let powers = (0..).zip(POWERS.iter());
    powers.fold(0, |image, (i, power)| image ^ (power & (element >> i & 1).wrapping_neg()))
}

/// The bytes of elements of U, one after the other.
pub fn u_bytes(elements: &[u128]) -> Vec<u8> {
    elements.iter().flat_map(|&element| U.to_bytes(element)).collect()
}
