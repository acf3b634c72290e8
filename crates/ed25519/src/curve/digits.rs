//! Scalars in signed digits, for public data.

use crate::fields::scalar25519::Scalar;

/// How many integers are recoded side by side, at most.
const MAX_TERMS: usize = 4;

/// Non-adjacent forms of one to four integers below 2^255, for tables of odd multiples.
pub(super) struct Nafs {
    /// The digits of all integers at a position, least significant position first.
    digits: [[i8; MAX_TERMS]; 256],
    /// From here on all are 0.
    end: usize,
}

impl Nafs {
    /// Digits d of each integer, the sum of d\[i\] 2^i: each is 0 or odd and below 2^(window - 1) in size, and `window`
    /// digits in a row hold at most one that is not 0 (the width-w NAF: Hankerson, Menezes, Vanstone, "Guide to
    /// Elliptic Curve Cryptography", algorithm 3.35). Windows are 8 at most. The fifth word is 0, room to read past the
    /// end. Variable time.
    pub(super) fn new(integers: &[(&[u64; 5], u32)]) -> Self {
        let (mut digits, mut end) = ([[0; MAX_TERMS]; 256], 0);
        // What is left to write of each is its carry + the bits from position `at` up.
        let (mut at, mut carry) = ([0u32; MAX_TERMS], [0u64; MAX_TERMS]);
        let mut open = true;
        // A digit of each in turn, since a digit waits for the one below.
        while open {
            open = false;
            for (term, (words, window)) in integers.iter().enumerate() {
                let position = at[term];
                if position >= 256 {
                    continue;
                }
                open = true;
                let (word, shift) = ((position / 64) as usize, position % 64);
                let bits = words[word] >> shift | (words[word + 1] << 1) << (63 - shift);
                // With a carry, ones turn to zeros up to the first zero.
                let zeros = (bits ^ 0u64.wrapping_sub(carry[term])).trailing_zeros();
                if zeros > 64 - window {
                    at[term] = position + 64 - window;
                    continue;
                }
                let position = position + zeros;
                at[term] = position + window;
                if position >= 256 {
                    continue;
                }
                let value = ((bits >> zeros) + carry[term]) & ((1 << window) - 1);
                carry[term] = value >> (window - 1);
                let value = i16::try_from(value).expect("a window of 8 or less");
                let digit = if carry[term] == 1 { value - (1 << window) } else { value };
                let digit = i8::try_from(digit).expect("below 2^7 in size");
                digits[position as usize][term] = digit;
                end = end.max(position as usize + 1);
            }
        }
        Self { digits, end }
    }

    /// One above the highest position of a digit other than 0.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// The digits at a position.
    #[inline(always)]
    pub(super) fn at(&self, i: usize) -> &[i8; MAX_TERMS] {
        &self.digits[i]
    }
}

/// Digits of radix 16 in -8..8, least significant first: sixteen for each word of x, which is below 7/16 of
/// the power of two above.
pub(super) fn radix_16(x: &[u64], digits: &mut [i8]) {
    // x + 888...8 has the nibbles d + 8.
    let mut carry = 0u64;
    for (word, digits) in x.iter().zip(digits.chunks_exact_mut(16)) {
        let (sum, c1) = word.overflowing_add(0x8888_8888_8888_8888);
        let (sum, c2) = sum.overflowing_add(carry);
        carry = u64::from(c1 | c2);
        for (i, digit) in digits.iter_mut().enumerate() {
            *digit = (sum >> (4 * i)).to_le_bytes()[0].cast_signed() & 15;
            *digit -= 8;
        }
    }
}

/// Digits of radix 256 in -128..128, least significant first.
pub(super) fn radix_256(s: &Scalar) -> [i8; 32] {
    let mut carry = 0u16;
    s.to_bytes().map(|byte| {
        let sum = u16::from(byte) + 128 + carry;
        carry = sum >> 8;
        // The digit is the low byte minus 128, which is that byte with its top bit changed.
        (sum.to_le_bytes()[0] ^ 0x80).cast_signed()
    })
}
