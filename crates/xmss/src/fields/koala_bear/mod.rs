//! KoalaBear, the field of integers modulo `p = 2^31 - 2^24 + 1`, in Montgomery form with radix `2^32`.
//!
//! Source: `spec` section 2 of the XMSS chapter (`docs/xmss.md`). The Montgomery word is also what leanSig's bincode
//! and JSON forms store, so keeping elements in this form makes those encodings a copy.

/// The modulus `p = 2^31 - 2^24 + 1`.
pub(crate) const P: u32 = 0x7f00_0001;

/// `p^-1 mod 2^32`, for Montgomery reduction.
const P_INVERSE: u32 = 0x8100_0001;

/// `2^64 mod p`: multiplying by it (in the Montgomery sense) turns a canonical residue into Montgomery form.
const R_SQUARED: u32 = {
    let r = (1u64 << 32) % P as u64;
    #[expect(clippy::cast_possible_truncation, reason = "reduced modulo p, so below 2^31")]
    {
        (r * r % P as u64) as u32
    }
};

/// An element of the field, always stored fully reduced: Montgomery word below `p`.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
#[repr(transparent)]
pub(crate) struct KoalaBear(u32);

impl KoalaBear {
    /// Zero.
    pub(crate) const ZERO: Self = Self(0);

    /// The element with canonical residue `x mod p`. Input: any `u32`.
    pub(crate) const fn new(x: u32) -> Self {
        Self(reduce(x as u64 * R_SQUARED as u64))
    }

    /// The element with canonical residue `x mod p`. Input: any `u64`.
    #[expect(clippy::cast_possible_truncation, reason = "reduced modulo p, so below 2^31")]
    pub(crate) const fn from_u64(x: u64) -> Self {
        Self::new((x % P as u64) as u32)
    }

    /// The element whose canonical residue is `x`, or `None` if `x >= p`.
    pub(crate) const fn from_canonical(x: u32) -> Option<Self> {
        if x < P { Some(Self::new(x)) } else { None }
    }

    /// The element whose Montgomery word is `word`, or `None` if `word >= p`.
    pub(crate) const fn from_montgomery(word: u32) -> Option<Self> {
        if word < P { Some(Self(word)) } else { None }
    }

    /// The element whose Montgomery word is `word`, which must be below `p` (checked in debug builds).
    pub(crate) const fn from_reduced_montgomery(word: u32) -> Self {
        debug_assert!(word < P);
        Self(word)
    }

    /// The canonical residue, below `p`.
    pub(crate) const fn canonical(self) -> u32 {
        reduce(self.0 as u64)
    }

    /// The Montgomery word `x * 2^32 mod p`, below `p`.
    pub(crate) const fn montgomery(self) -> u32 {
        self.0
    }

    /// Sum. Time: independent of values.
    #[inline]
    pub(crate) const fn add(self, other: Self) -> Self {
        let sum = self.0 + other.0;
        let (less, borrow) = sum.overflowing_sub(P);
        Self(less.wrapping_add(P & (borrow as u32).wrapping_neg()))
    }

    /// Difference. Time: independent of values.
    #[inline]
    pub(crate) const fn sub(self, other: Self) -> Self {
        let (difference, borrow) = self.0.overflowing_sub(other.0);
        Self(difference.wrapping_add(P & (borrow as u32).wrapping_neg()))
    }

    /// Product. Time: independent of values.
    #[inline]
    pub(crate) const fn mul(self, other: Self) -> Self {
        Self(reduce(self.0 as u64 * other.0 as u64))
    }

    /// Third power, the S-box of both Poseidon versions (3 does not divide `p - 1`).
    #[inline]
    pub(crate) const fn cube(self) -> Self {
        self.mul(self).mul(self)
    }

    /// `self^exponent`. Time depends on the exponent.
    pub(crate) const fn power(self, exponent: u32) -> Self {
        let mut power = Self::new(1);
        let mut bit = u32::BITS;
        while bit > 0 {
            bit -= 1;
            power = power.mul(power);
            if exponent >> bit & 1 == 1 {
                power = power.mul(self);
            }
        }
        power
    }

    /// The element of a sum of Montgomery words below `2^37 + 2^36`.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(crate) const fn from_sum(sum: u64) -> Self {
        // Below 1.77 p, so one subtraction ends it.
        let x = fold(sum);
        Self(min(x, x.wrapping_sub(P)))
    }

    /// The element of a Montgomery reduction of `x = a * 2^64`-scaled sums: `x` is any sum of products of Montgomery
    /// words that stays below `2^32 * p`, and the result is the Montgomery word of that sum of products.
    #[inline]
    pub(crate) const fn from_wide(x: u64) -> Self {
        Self(reduce(x))
    }

    /// The first `k` digits of `n` in base `p`, least significant first (`spec` section 2).
    #[expect(clippy::cast_possible_truncation, reason = "a digit is below p < 2^31")]
    pub(crate) fn digits<const K: usize>(mut n: u128) -> [Self; K] {
        let mut digits = [Self::ZERO; K];
        for digit in &mut digits {
            *digit = Self::new((n % u128::from(P)) as u32);
            n /= u128::from(P);
        }
        digits
    }

    /// The residue of the 128-bit integer `high * 2^64 + low`. Time: independent of values, the input may be secret.
    pub(crate) const fn from_u128_parts(high: u64, low: u64) -> Self {
        // Four 32-bit limbs, Horner in base 2^32: `reduce(x)` divides by 2^32, so multiplying by the Montgomery word of
        // 2^32 shifts by one limb. Every limb is brought below p by the product itself.
        let limbs = [high >> 32, high & 0xffff_ffff, low >> 32, low & 0xffff_ffff];
        let shift = Self::new(1 << 31).add(Self::new(1 << 31));
        let mut sum = Self::ZERO;
        let mut i = 0;
        while i < 4 {
            #[expect(clippy::cast_possible_truncation, reason = "masked to 32 bits above")]
            let limb = Self::new(limbs[i] as u32);
            sum = sum.mul(shift).add(limb);
            i += 1;
        }
        sum
    }
}

/// The lesser of two words, without a branch.
#[cfg(target_arch = "x86_64")]
#[inline]
const fn min(a: u32, b: u32) -> u32 {
    if a < b { a } else { b }
}

/// A word congruent to `sum < 2^37 + 2^36`, below `2^31 + 96 * 2^24 < 1.77 p`, for `sum < 2^37` below `2^31 + 2^30 <
/// 1.52 p`: because `2^31 = 2^24 - 1 (mod p)`, what stands above bit 31, below 96, comes back in times `2^24 - 1`.
#[cfg(target_arch = "x86_64")]
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "below 2^32, as stated")]
const fn fold(sum: u64) -> u32 {
    // Shifts, because reductions keep the multiplier busy.
    let high = sum >> 31;
    ((sum & 0x7fff_ffff) + (high << 24) - high) as u32
}

/// Montgomery reduction: `x / 2^32 mod p`, fully reduced if `x < 2^32 * p`; for greater `x` below `x / 2^32`. Time:
/// independent of `x`.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the low and the high half are taken on purpose")]
const fn reduce(x: u64) -> u32 {
    // q * p has the low half of x, so the difference of the high halves is all there is of x - q * p.
    let q = (x as u32).wrapping_mul(P_INVERSE);
    let (difference, borrow) = ((x >> 32) as u32).overflowing_sub(((q as u64 * P as u64) >> 32) as u32);
    difference.wrapping_add(P & (borrow as u32).wrapping_neg())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [u32; 12] =
        [0, 1, 2, P / 2, P / 2 + 1, P - 2, P - 1, P, P + 1, 0x0100_0000, 0x8000_0000, u32::MAX];

    #[test]
    fn constants_are_what_they_say() {
        assert_eq!(P.wrapping_mul(P_INVERSE), 1);
        assert_eq!(KoalaBear::new(1).montgomery(), 0x01ff_fffe);
    }

    #[test]
    fn arithmetic_matches_plain_residues() {
        let p = u64::from(P);
        for a in EDGES {
            for b in EDGES {
                let (x, y) = (KoalaBear::new(a), KoalaBear::new(b));
                assert_eq!(u64::from(x.add(y).canonical()), (u64::from(a) + u64::from(b)) % p, "{a} + {b}");
                assert_eq!(
                    u64::from(x.mul(y).canonical()),
                    u64::from(a) % p * (u64::from(b) % p) % p,
                    "{a} * {b}"
                );
                assert!(x.sub(y).add(y) == x);
                assert!([x.mul(y), x.add(y), x.sub(y)].iter().all(|z| z.montgomery() < P));
            }
            assert_eq!(KoalaBear::new(a).canonical(), a % P);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn sums_reduce_up_to_their_bound() {
        let p = u64::from(P);
        let element =
            |sum: u64| KoalaBear::from_montgomery(u32::try_from(sum % p).expect("below p")).expect("below p");
        let top = (1 << 37) - 1;
        let mut sums = alloc::vec![0, 1, p - 1, p, p + 1, 2 * p, 64 * p - 1, 64 * p, top - p, top];
        sums.extend(
            (0..64)
                .flat_map(|high: u64| [high << 31, (high << 31) + 0x7fff_ffff, (high << 31) + 0x0100_0000]),
        );
        for sum in sums {
            assert!(KoalaBear::from_sum(sum) == element(sum), "{sum}");
            let greater = sum + (1 << 36);
            assert!(KoalaBear::from_sum(greater) == element(greater), "{greater}");
        }
    }

    #[test]
    fn wide_integers_reduce() {
        for high in [0, 1, u64::from(P), u64::MAX] {
            for low in [0, 1, u64::from(P), 0xffff_ffff, u64::MAX] {
                let n = (u128::from(high) << 64) | u128::from(low);
                let expected = u32::try_from(n % u128::from(P)).expect("below p");
                assert_eq!(KoalaBear::from_u128_parts(high, low).canonical(), expected);
                assert_eq!(KoalaBear::digits::<2>(n)[0].canonical(), expected);
            }
        }
    }

    #[test]
    fn non_canonical_words_are_refused() {
        assert!(KoalaBear::from_canonical(P - 1).is_some() && KoalaBear::from_montgomery(P - 1).is_some());
        for x in [P, P + 1, u32::MAX] {
            assert!(KoalaBear::from_canonical(x).is_none() && KoalaBear::from_montgomery(x).is_none());
        }
    }
}
