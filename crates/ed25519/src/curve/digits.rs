//! Scalars in signed digits, for public data.

use crate::fields::scalar25519::Scalar;

/// Digits of an integer below 2^255, least significant first, for a table of odd multiples.
pub(super) type Naf = [i16; 256];

/// Digits d of an integer below 2^255, the sum of d\[i\] 2^i: each is 0 or odd and below 2^(window - 1) in size, and
/// `window` digits in a row hold at most one that is not 0 (the width-w NAF: Hankerson, Menezes, Vanstone, "Guide to
/// Elliptic Curve Cryptography", algorithm 3.35). The fifth word is 0, room to read past the end. Variable time.
pub(super) fn naf(words: &[u64; 5], window: u32) -> Naf {
    let mut digits = [0; 256];
    // What is left to write is carry + the bits of s from position `at` up.
    let (mut at, mut carry) = (0u32, 0u64);
    while at < 256 {
        let (word, shift) = ((at / 64) as usize, at % 64);
        let bits = words[word] >> shift | (words[word + 1] << 1) << (63 - shift);
        // With a carry, ones turn to zeros up to the first zero.
        let zeros = (bits ^ 0u64.wrapping_sub(carry)).trailing_zeros();
        if zeros > 64 - window {
            at += 64 - window;
            continue;
        }
        at += zeros;
        if at >= 256 {
            break;
        }
        let value = ((bits >> zeros) + carry) & ((1 << window) - 1);
        carry = value >> (window - 1);
        let digit = i16::try_from(value).expect("window below 16") - (i16::from(carry == 1) << window);
        digits[at as usize] = digit;
        at += window;
    }
    digits
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
