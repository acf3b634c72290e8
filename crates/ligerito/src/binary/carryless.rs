//! Products of polynomials over GF(2), with ordinary multipliers and without tables.
//!
//! The operands are cut into parts whose bits stand far apart, so that the carries of an integer product stay in the
//! holes between the columns and are masked away. Time does not depend on the operands wherever multiplication
//! instructions take constant time. Idea: "holes", as in T. Pornin, BearSSL, `ghash_ctmul64`.

/// a(x) b(x) for polynomials of degree below 32. Columns of four bits hold sums of up to eight ones.
#[inline]
pub(super) fn product32(a: u32, b: u32) -> u64 {
    const EVERY_4TH: u64 = 0x1111_1111_1111_1111;
    let (a, b) = (u64::from(a), u64::from(b));
    let a = [a & EVERY_4TH, a & (EVERY_4TH << 1), a & (EVERY_4TH << 2), a & (EVERY_4TH << 3)];
    let b = [b & EVERY_4TH, b & (EVERY_4TH << 1), b & (EVERY_4TH << 2), b & (EVERY_4TH << 3)];
    let mut product = 0;
    for column in 0..4 {
        let mut sum = 0;
        for i in 0..4 {
            sum ^= a[i].wrapping_mul(b[(column + 4 - i) % 4]);
        }
        product |= sum & (EVERY_4TH << column);
    }
    product
}

/// a(x) b(x) for polynomials of degree below 64: the lower half as it is, the upper half as the lower half of the
/// product of the reversed polynomials. Source of the second trick: T. Pornin, BearSSL, `ghash_ctmul64`. Wide
/// multiplications with columns of five bits, 25 of them, took twice as long.
#[inline]
pub(super) fn product64(a: u64, b: u64) -> u128 {
    let low = low_product64(a, b);
    let high = low_product64(a.reverse_bits(), b.reverse_bits()).reverse_bits() >> 1;
    u128::from(high) << 64 | u128::from(low)
}

/// The coefficients below x^64 of a(x) b(x). Columns of four bits hold sums of up to fifteen ones, and the uppermost
/// ones sixteen, whose carry is cut off.
#[inline]
fn low_product64(a: u64, b: u64) -> u64 {
    const EVERY_4TH: u64 = 0x1111_1111_1111_1111;
    let parts = |x: u64| [x & EVERY_4TH, x & (EVERY_4TH << 1), x & (EVERY_4TH << 2), x & (EVERY_4TH << 3)];
    let (a, b) = (parts(a), parts(b));
    let mut product = 0;
    for column in 0..4 {
        let mut sum = 0;
        for i in 0..4 {
            sum ^= a[i].wrapping_mul(b[(column + 4 - i) % 4]);
        }
        product |= sum & (EVERY_4TH << column);
    }
    product
}

/// a(x) a(x) for a polynomial of degree below 64: a zero after every bit.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "halves are taken")]
pub(super) fn square64(a: u64) -> u128 {
    u128::from(square32(a as u32)) | u128::from(square32((a >> 32) as u32)) << 64
}

/// a(x) a(x) for a polynomial of degree below 32.
#[inline]
fn square32(a: u32) -> u64 {
    let mut spread = u64::from(a);
    spread = (spread | spread << 16) & 0x0000_ffff_0000_ffff;
    spread = (spread | spread << 8) & 0x00ff_00ff_00ff_00ff;
    spread = (spread | spread << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    spread = (spread | spread << 2) & 0x3333_3333_3333_3333;
    (spread | spread << 1) & 0x5555_5555_5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow(a: u64, b: u64) -> u128 {
        (0..64).filter(|i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ u128::from(a) << i)
    }

    #[test]
    fn products_agree_with_shifts_and_additions() {
        let mut random = phalanx_testing::Random::from_seed(1);
        let mut values = alloc::vec![
            0,
            1,
            2,
            u64::MAX,
            u64::MAX - 1,
            1 << 63,
            0x1111_1111_1111_1111,
            0x8421_0842_1084_2108
        ];
        values.extend((0..200).map(|_| random.u64()));
        for &a in &values {
            assert_eq!(square64(a), slow(a, a), "{a:x}");
            for &b in &values {
                assert_eq!(product64(a, b), slow(a, b), "{a:x} {b:x}");
                let (low_a, low_b) = (a & 0xffff_ffff, b & 0xffff_ffff);
                let halves = u32::try_from(low_a).and_then(|a| Ok((a, u32::try_from(low_b)?)));
                let (a, b) = halves.expect("32 bits");
                assert_eq!(u128::from(product32(a, b)), slow(low_a, low_b), "{a:x} {b:x}");
            }
        }
    }
}
