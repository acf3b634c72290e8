//! The fields and the maps between them (spec section 2; section 11 for GF(2^192)).

use std::fmt::Debug;
use std::ops::{BitXor, BitXorAssign};
use std::sync::LazyLock;

/// A binary field. Elements are integers, bit `i` the coefficient of `x^i`, so addition is XOR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The degree of the modulus: 32, 128 or 192.
    pub bits: u32,
    /// The modulus; of the large fields without its leading term, which a shift drops anyway.
    modulus: u64,
}

/// `GF(2)[x]/(x^32 + x^15 + x^9 + x^7 + x^4 + x^3 + 1)`.
pub const T: Field = Field { bits: 32, modulus: 0x1_0000_8299 };
/// `GF(2)[x]/(x^128 + x^7 + x^2 + x + 1)`: `u128` holds its elements.
pub const U: Field = Field { bits: 128, modulus: 0x87 };
/// `GF(2)[x]/(x^192 + x^7 + x^2 + x + 1)`: [`U192`] and [`J192`] hold its elements.
pub const E: Field = Field { bits: 192, modulus: 0x87 };

/// Integers as wide as the elements of a large field, which they are, and what goes with that field: a suite. They also
/// hold elements of T, in their low 32 bits.
pub trait Large:
    Copy + Debug + Default + Eq + BitXor<Output = Self> + BitXorAssign + From<u64> + Send + Sync + 'static
{
    /// The field.
    const FIELD: Field;
    /// The suite string of the registered shapes, and the beginning of every hash context.
    const PRODUCTION: &'static str;
    /// The suite string of every other shape.
    const TEST: &'static str;
    /// The registered shapes, as JSON.
    const TABLE: &'static str;
    /// Whether the commitment and every later level have a sample (spec `ligerito-v2`, section E).
    const SAMPLES: bool;
    /// The root of T's modulus in the field that `x` of T goes to.
    const X_OF_T: Self;

    /// `X_OF_T^i` for `i < 32`; made once, because encoding asks for them millions of times.
    fn powers() -> &'static [Self];

    /// Bits `64 i` to `64 i + 63`.
    fn word(self, i: u32) -> u64;

    /// The integer times `2^by`, `by` from 1 to 63, without the bits that leave it.
    #[must_use]
    fn shifted(self, by: u32) -> Self;

    /// Itself, or zero.
    #[must_use]
    fn only_if(self, condition: bool) -> Self;

    /// All bytes, little-endian.
    fn to_le(self) -> Vec<u8>;

    /// The integer of little-endian bytes.
    ///
    /// # Panics
    ///
    /// Panics if there are too many.
    fn of_le(bytes: &[u8]) -> Self;

    /// The product in the large field.
    #[must_use]
    fn times(self, other: Self) -> Self {
        Self::FIELD.mul(self, other)
    }

    /// `1/self` in the large field; zero for zero.
    #[must_use]
    fn inverse(self) -> Self {
        Self::FIELD.inverse(self)
    }

    /// The one of both fields.
    #[must_use]
    fn one() -> Self {
        Self::from(1)
    }
}

impl Large for u128 {
    const FIELD: Field = U;
    const PRODUCTION: &'static str = "ligerito-v1-provable100";
    const TEST: &'static str = "ligerito-v1-test-insecure";
    const TABLE: &'static str = include_str!("../../../vectors/ligerito-own/params.json");
    const SAMPLES: bool = false;
    const X_OF_T: u128 = 0xc2ad_7d2a_889a_2e62_5daf_e1c0_f5fa_0b0f;

    fn powers() -> &'static [u128] {
        static POWERS: LazyLock<Vec<u128>> = LazyLock::new(powers_of_x);
        &POWERS
    }

    #[inline]
    fn word(self, i: u32) -> u64 {
        u64::try_from(self >> (64 * i) & u128::from(u64::MAX)).expect("64 bits")
    }

    fn shifted(self, by: u32) -> u128 {
        self << by
    }

    fn only_if(self, condition: bool) -> u128 {
        self & u128::from(condition).wrapping_neg()
    }

    fn to_le(self) -> Vec<u8> {
        self.to_le_bytes().to_vec()
    }

    fn of_le(bytes: &[u8]) -> u128 {
        let mut wide = [0; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        u128::from_le_bytes(wide)
    }
}

/// A type of integers of 192 bits: a suite over E.
macro_rules! of_192_bits {
    ($(#[$doc:meta])* $name:ident, $production:literal, $test:literal, $table:literal, samples $samples:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(pub [u64; 3]);

        impl BitXor for $name {
            type Output = $name;

            fn bitxor(self, other: $name) -> $name {
                let ([a, b, c], [d, e, f]) = (self.0, other.0);
                $name([a ^ d, b ^ e, c ^ f])
            }
        }

        impl BitXorAssign for $name {
            fn bitxor_assign(&mut self, other: $name) {
                *self = *self ^ other;
            }
        }

        impl From<u64> for $name {
            fn from(word: u64) -> $name {
                $name([word, 0, 0])
            }
        }

        impl Large for $name {
            const FIELD: Field = E;
            const PRODUCTION: &'static str = $production;
            const TEST: &'static str = $test;
            const TABLE: &'static str = include_str!($table);
            const SAMPLES: bool = $samples;
            const X_OF_T: $name = $name([0xe269_37fb_eef4_e19a, 0xcfa4_847a_3a44_4f1c, 0x00a8_0a0a_d9e4_4d3e]);

            fn powers() -> &'static [$name] {
                static POWERS: LazyLock<Vec<$name>> = LazyLock::new(powers_of_x);
                &POWERS
            }

            #[inline]
            fn word(self, i: u32) -> u64 {
                self.0[i as usize]
            }

            fn shifted(self, by: u32) -> $name {
                let ([a, b, c], rest) = (self.0, 64 - by);
                $name([a << by, b << by | a >> rest, c << by | b >> rest])
            }

            fn only_if(self, condition: bool) -> $name {
                $name(self.0.map(|word| word & u64::from(condition).wrapping_neg()))
            }

            fn to_le(self) -> Vec<u8> {
                self.0.iter().flat_map(|word| word.to_le_bytes()).collect()
            }

            fn of_le(bytes: &[u8]) -> $name {
                let mut wide = [0; 24];
                wide[..bytes.len()].copy_from_slice(bytes);
                let word =
                    |i: usize| u64::from_le_bytes(wide[8 * i..8 * i + 8].try_into().expect("eight bytes"));
                $name([word(0), word(1), word(2)])
            }
        }
    };
}

of_192_bits!(
    /// An integer of 192 bits, three words, the least first; in the suite of 128 bits.
    U192,
    "ligerito-v1-provable128",
    "ligerito-v1-provable128-test-insecure",
    "../../../vectors/ligerito-128/params.json",
    samples false
);

of_192_bits!(
    /// The same integers in the suite up to the Johnson radius.
    J192,
    "ligerito-v2-johnson128",
    "ligerito-v2-johnson128-test-insecure",
    "../../../vectors/ligerito-v2/johnson128_shapes.json",
    samples true
);

/// `X_OF_T^i` for `i < 32`.
fn powers_of_x<N: Large>() -> Vec<N> {
    std::iter::successors(Some(N::one()), |&power| Some(power.times(N::X_OF_T))).take(32).collect()
}

impl Field {
    /// Bytes of an element: 4, 16 or 24.
    pub fn bytes(self) -> usize {
        self.bits as usize / 8
    }

    /// Little-endian bytes.
    pub fn to_bytes<N: Large>(self, element: N) -> Vec<u8> {
        element.to_le()[..self.bytes()].to_vec()
    }

    /// `a * b`: by Horner's rule, four bits of `b` at a time from the top, because so many products are taken.
    pub fn mul<N: Large>(self, a: N, b: N) -> N {
        // Where the highest bit is, in the last word.
        let (last, top) = ((self.bits - 1) / 64, (self.bits - 1) % 64);
        // Multiples of `a` and of the modulus by polynomials below x^4: those below x^k, and these plus the one by x^k.
        let (mut multiples, mut of_modulus) = ([N::default(); 16], [0; 16]);
        let mut power = a;
        for k in 0..4 {
            for i in 0..1 << k {
                multiples[(1 << k) + i] = multiples[i] ^ power;
                of_modulus[(1 << k) + i] = of_modulus[i] ^ self.modulus << k;
            }
            power = power.shifted(1) ^ N::from(self.modulus).only_if(power.word(last) >> top == 1);
        }
        let four_bits = |word: u64| usize::try_from(word & 15).expect("below 16");
        let mut product = N::default();
        for i in (0..=last).rev() {
            let word = b.word(i);
            for j in (0..=top).rev().skip(3).step_by(4) {
                let overflow = product.word(last) >> (top - 3);
                product = product.shifted(4) ^ N::from(of_modulus[four_bits(overflow)]);
                product ^= multiples[four_bits(word >> j)];
            }
        }
        product
    }

    /// `1/a` for `a != 0`, as `a^(2^bits - 2)`; zero for zero.
    pub fn inverse<N: Large>(self, a: N) -> N {
        let (mut result, mut square) = (N::one(), a);
        for _ in 1..self.bits {
            square = self.mul(square, square);
            result = self.mul(result, square);
        }
        result
    }

    /// The element of this field as an element of the large field: through [`phi`] from T, itself from there.
    pub fn into_large<N: Large>(self, element: N) -> N {
        if self == T { phi(element) } else { element }
    }
}

/// `phi`, from T to the large field: GF(2)-linear, `x^i` to `X_OF_T^i`.
pub fn phi<N: Large>(element: N) -> N {
    let powers = (0..32).zip(N::powers());
    powers.fold(N::default(), |image, (i, power)| image ^ power.only_if(element.word(0) >> i & 1 == 1))
}

/// The bytes of elements of the large field, one after the other.
pub fn large_bytes<N: Large>(elements: &[N]) -> Vec<u8> {
    elements.iter().flat_map(|&element| N::FIELD.to_bytes(element)).collect()
}
