//! Scalars of half the size: u and v with u = v k modulo 8 L, v odd, both near 2^128.
//!
//! The equation Q = [S]B - [k]A then holds for R exactly if [v S]B - [u]A - [v]R = O, because v is prime to the order 8
//! L of the whole group (Antipa, Brown, Gallant, Lambert, Struik, Vanstone, "Accelerated Verification of ECDSA
//! Signatures", SAC 2005; for cofactors Pornin, ePrint 2020/454, section 2). All scalars on points that may have
//! torsion are taken as integers or modulo 8 L, never modulo L: the answer is that of the equation without halving, on
//! every input.

use crate::fields::scalar25519::Scalar;

/// u is not negative; v is `v_magnitude`, or minus that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Halves {
    pub(crate) u: [u64; 3],
    pub(crate) v_magnitude: [u64; 3],
    pub(crate) v_is_negative: bool,
}

/// Both magnitudes of [`Halves`] are below 2^136.
pub(crate) const MAX_BITS: u32 = 136;

/// 8 L.
const MODULUS: [u64; 4] = [0xc093_18d2_e7ae_9f68, 0xa6f7_cef5_17bc_e6b2, 0, 0x8000_0000_0000_0000];

/// `None` for about one k in a thousand, for which the lattice has no short vector with odd v that is found here.
/// Variable time.
///
/// Euclid's algorithm on 8 L and k, from the leading 64 bits and in rounds of about 30 bits (Lehmer), until a remainder
/// is below 2^128. Remainders r_i and coefficients t_i obey r_i = +-t_i k modulo 8 L. Any quotient near the true one
/// keeps that, so the leading bits need no exactness.
pub(crate) fn halves(k: &Scalar) -> Option<Halves> {
    let (mut r0, mut r1, mut t0, mut t1) = (MODULUS, words(k), 0u128, 1u128);
    // The sign of t1 is minus for an odd number of steps, that of t0 the other.
    let mut odd_steps = false;
    while bits(&r1) > 128 {
        let shift = bits(&r0) - 64;
        let (mut a, mut b) = (shifted(&r0, shift), shifted(&r1, shift));
        let [mut m00, mut m01, mut m10, mut m11] = [1u64, 0, 0, 1];
        let mut odd = false;
        if b < 1 << 33 {
            return None;
        }
        // 2^128 on this scale.
        let enough = if shift <= 128 { 1u64.checked_shl(128 - shift).unwrap_or(0) } else { 0 };
        while b >= enough {
            let q = a / b;
            let rest = a - q * b;
            if rest < 1 << 33 {
                break;
            }
            // Coefficients stay below 2^31, as the remainders stay above 2^33.
            (a, b) = (b, rest);
            (m00, m01, m10, m11) = (m10, m11, m00 + q * m10, m01 + q * m11);
            odd = !odd;
        }
        if m01 == 0 {
            return None;
        }
        // (m00 -m01; -m10 m11), or minus that after an odd number of steps.
        let (first, second) = (difference(m00, &r0, m01, &r1, odd), difference(m11, &r1, m10, &r0, odd));
        (r0, r1) = (first, second);
        (t0, t1) = (sum(m00, t0, m01, t1)?, sum(m10, t0, m11, t1)?);
        odd_steps ^= odd;
    }
    if t1 & 1 == 1 {
        return Some(Halves { u: [r1[0], r1[1], r1[2]], v_magnitude: wide(t1), v_is_negative: odd_steps });
    }
    // t0 is odd then, and so is t0 - j t1 (magnitude t0 + j t1): balance it with r0 - j r1.
    let shift = bits(&r0) - 64;
    let (a, b) = (shifted(&r0, shift), shifted(&r1, shift).checked_add(shifted(&narrow(t1), shift))?);
    let j = a / b.checked_add(2)?;
    let u = difference(1, &r0, j, &r1, false);
    let v = add_product(t0, j, t1)?;
    let short = u[3] == 0 && u[2] >> (MAX_BITS - 128) == 0 && v[2] >> (MAX_BITS - 128) == 0;
    short.then_some(Halves { u: [u[0], u[1], u[2]], v_magnitude: v, v_is_negative: !odd_steps })
}

fn words(k: &Scalar) -> [u64; 4] {
    let bytes = k.to_bytes();
    let mut words = [0; 4];
    for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
    }
    words
}

/// The number of bits.
fn bits(x: &[u64; 4]) -> u32 {
    let mut count = 256;
    for word in x.iter().rev() {
        if *word != 0 {
            return count - word.leading_zeros();
        }
        count -= 64;
    }
    0
}

/// The low word of x / 2^shift.
fn shifted(x: &[u64; 4], shift: u32) -> u64 {
    let (word, shift) = ((shift / 64) as usize, shift % 64);
    let high = if word < 3 { x[word + 1] } else { 0 };
    x[word] >> shift | (high << 1) << (63 - shift)
}

/// a x - b y, or b y - a x if `negated`: known to be in 0..2^256.
#[expect(clippy::cast_possible_truncation, reason = "limbs of integers modulo 2^256")]
fn difference(a: u64, x: &[u64; 4], b: u64, y: &[u64; 4], negated: bool) -> [u64; 4] {
    let (a, x, b, y) = if negated { (b, y, a, x) } else { (a, x, b, y) };
    let (mut result, mut carry, mut borrow) = ([0; 4], 0u128, 0u128);
    for i in 0..4 {
        carry += u128::from(a) * u128::from(x[i]);
        borrow += u128::from(b) * u128::from(y[i]);
        let (low, under) = (carry as u64).overflowing_sub(borrow as u64);
        result[i] = low;
        carry >>= 64;
        borrow = (borrow >> 64) + u128::from(under);
    }
    result
}

/// a x + b y.
fn sum(a: u64, x: u128, b: u64, y: u128) -> Option<u128> {
    u128::from(a).checked_mul(x)?.checked_add(u128::from(b).checked_mul(y)?)
}

#[expect(clippy::cast_possible_truncation, reason = "words")]
fn wide(x: u128) -> [u64; 3] {
    [x as u64, (x >> 64) as u64, 0]
}

fn narrow(x: u128) -> [u64; 4] {
    let [low, high, _] = wide(x);
    [low, high, 0, 0]
}

/// x + a y below 2^192.
fn add_product(x: u128, a: u64, y: u128) -> Option<[u64; 3]> {
    let [x, y] = [x, y].map(narrow);
    let mut result = [0; 3];
    let mut carry = 0u128;
    for i in 0..3 {
        carry += u128::from(x[i]);
        carry = carry.checked_add(u128::from(a) * u128::from(y[i]))?;
        result[i] = wide(carry)[0];
        carry >>= 64;
    }
    (carry == 0).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar(words: &[u64; 3]) -> Scalar {
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(words) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        Scalar::from_bytes_reduced(&bytes)
    }

    /// u = v k modulo 8 and modulo L, v odd, for edges and random k; how often there is no answer, and how long they
    /// are.
    #[test]
    fn congruent_odd_and_short() {
        let one = scalar(&[1, 0, 0]);
        let mut all = std::vec![Scalar::ZERO, one, one.negate()];
        for i in 1..192 {
            let mut words = [0u64; 3];
            words[i / 64] = 1 << (i % 64);
            let power = scalar(&words);
            all.extend([
                power,
                power.negate(),
                power.add(&one),
                power.mul(&power),
                power.mul(&power).negate(),
            ]);
        }
        let edges = all.len();
        let mut x = scalar(&[39, 5, 7]);
        for _ in 0..20_000 {
            x = x.mul(&x).add(&one);
            all.push(x);
        }
        let (mut missing, mut sum_of_bits) = (0, 0);
        for (i, k) in all.iter().enumerate() {
            let Some(halves) = halves(k) else {
                missing += usize::from(i >= edges);
                continue;
            };
            let Halves { u, v_magnitude: v, v_is_negative } = halves;
            assert_eq!(v[0] & 1, 1);
            assert!(u[2] < 256 && v[2] < 256, "{halves:?}");
            let signed = if v_is_negative { scalar(&v).negate() } else { scalar(&v) };
            assert_eq!(signed.mul(k).to_bytes(), scalar(&u).to_bytes(), "{halves:?}");
            let product = v[0].wrapping_mul(u64::from(k.to_bytes()[0]));
            let product = if v_is_negative { product.wrapping_neg() } else { product };
            assert_eq!(product & 7, u[0] & 7, "{halves:?}");
            if i >= edges {
                sum_of_bits += [u, v].map(|x| bits(&[x[0], x[1], x[2], 0])).into_iter().max().unwrap_or(0);
            }
        }
        assert!(missing <= 60, "{missing} of 20000 without halves");
        assert!(sum_of_bits < 129 * 20_000, "on average {} bits", f64::from(sum_of_bits) / 20_000.0);
    }
}
