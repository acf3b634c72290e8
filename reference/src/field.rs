//! The KoalaBear field: integers modulo `p = 2^31 - 2^24 + 1` (spec section 2).

use num_bigint::BigUint;

/// The modulus `p = 2130706433`.
pub const P: u32 = 0x7f00_0001;

/// The least non-negative residue of `x`.
pub fn reduce(x: u64) -> u32 {
    u32::try_from(x % u64::from(P)).expect("a residue is below p < 2^32")
}

/// `a + b`.
pub fn add(a: u32, b: u32) -> u32 {
    reduce(u64::from(a) + u64::from(b))
}

/// `a * b`.
pub fn mul(a: u32, b: u32) -> u32 {
    reduce(u64::from(a) * u64::from(b))
}

/// `x^3`, the S-box of both permutations.
pub fn cube(x: u32) -> u32 {
    mul(mul(x, x), x)
}

/// The sum of all elements.
pub fn sum(elements: &[u32]) -> u32 {
    reduce(elements.iter().map(|&x| u64::from(x)).sum())
}

/// The sum of `a[i] * b[i]`.
///
/// # Panics
///
/// Panics if the lengths differ.
pub fn dot(a: &[u32], b: &[u32]) -> u32 {
    assert_eq!(a.len(), b.len(), "a dot product takes vectors of one length");
    a.iter().zip(b).fold(0, |total, (&x, &y)| add(total, mul(x, y)))
}

/// `base^exponent`, by squaring and multiplying.
pub fn pow(base: u32, exponent: u32) -> u32 {
    let (mut result, mut square, mut rest) = (1, base, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result = mul(result, square);
        }
        square = mul(square, square);
        rest >>= 1;
    }
    result
}

/// `1/x` for `x != 0`; zero for zero. Source: Fermat, `x^(p-2)`.
pub fn inverse(x: u32) -> u32 {
    pow(x, P - 2)
}

/// Whether `x` is a canonical residue, that is, below `p`.
pub fn is_canonical(x: u32) -> bool {
    x < P
}

/// The Montgomery form `x * 2^32 mod p`, in which bincode and seeded randomness speak.
pub fn to_montgomery(x: u32) -> u32 {
    reduce(u64::from(x) << 32)
}

/// The element whose Montgomery form is `m`, that is, `m * 2^-32 mod p`.
pub fn from_montgomery(m: u32) -> u32 {
    mul(m, inverse(to_montgomery(1)))
}

/// The first `count` base-`p` digits of `n`, least significant first (spec section 2, `digits(N, k)`).
pub fn digits(n: &BigUint, count: usize) -> Vec<u32> {
    let mut rest = n.clone();
    let mut digits = Vec::with_capacity(count);
    for _ in 0..count {
        digits.push(u32::try_from(&rest % P).expect("a residue is below p < 2^32"));
        rest /= P;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modulus_and_montgomery_one_are_those_of_the_specification() {
        assert_eq!(P, 2_130_706_433);
        assert_eq!(u64::from(P), (1 << 31) - (1 << 24) + 1);
        assert_eq!(to_montgomery(1), 0x01ff_fffe);
        assert_eq!(from_montgomery(0x01ff_fffe), 1);
    }

    #[test]
    fn arithmetic_wraps_at_the_modulus() {
        assert_eq!(add(P - 1, 1), 0);
        assert_eq!(add(P - 1, P - 1), P - 2);
        assert_eq!(mul(P - 1, P - 1), 1);
        assert_eq!(cube(P - 1), P - 1);
        assert_eq!(inverse(2), 1_065_353_217);
        assert_eq!(dot(&[P - 1, 2], &[P - 1, 3]), 7);
    }

    #[test]
    fn digits_are_least_significant_first() {
        let n = BigUint::from(P) * BigUint::from(P) * 5u32 + 7u32;
        assert_eq!(digits(&n, 4), [7, 0, 5, 0]);
    }
}
