//! The arithmetic on words, without branches or addresses that depend on values.
//!
//! Reduction folds: L = 2^252 + C with C below 2^125, so 2^252 is -C modulo L, and the bits from 252 up, times C, are
//! subtracted from the rest. Each fold adds a multiple of L that keeps the difference above zero.

/// L.
pub(super) const L: [u64; 4] = [0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 0x1000_0000_0000_0000];

/// C = L - 2^252.
const C: [u64; 2] = [L[0], L[1]];

/// Multiples of L above C 2^260 and C 2^134.
const L_TIMES_2_133: [u64; 7] = l_shifted(133);
const L_TIMES_2_7: [u64; 5] = l_shifted(7);

const fn l_shifted<const N: usize>(by: usize) -> [u64; N] {
    let (mut x, mut i) = ([0; N], 0);
    while i < 4 {
        let (at, shift) = (i + by / 64, by % 64);
        x[at] |= L[i] << shift;
        if at + 1 < N {
            x[at + 1] |= L[i] >> (64 - shift);
        }
        i += 1;
    }
    x
}

/// The low word.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "that is the purpose")]
const fn low(x: u128) -> u64 {
    x as u64
}

/// a + b modulo 2^(64 N), and the carry, 0 or 1.
#[inline(always)]
pub(super) fn add<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], u64) {
    let (mut sum, mut carry) = ([0; N], 0);
    for i in 0..N {
        let (first, c1) = a[i].overflowing_add(b[i]);
        let (second, c2) = first.overflowing_add(carry);
        sum[i] = second;
        carry = u64::from(c1 | c2);
    }
    (sum, carry)
}

/// a - b modulo 2^(64 N), and the borrow, 0 or 1.
#[inline(always)]
pub(super) fn subtract<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], u64) {
    let (mut difference, mut borrow) = ([0; N], 0);
    for i in 0..N {
        let (first, b1) = a[i].overflowing_sub(b[i]);
        let (second, b2) = first.overflowing_sub(borrow);
        difference[i] = second;
        borrow = u64::from(b1 | b2);
    }
    (difference, borrow)
}

/// a b, for N = A + B.
#[inline(always)]
pub(super) fn product<const A: usize, const B: usize, const N: usize>(
    a: &[u64; A],
    b: &[u64; B],
) -> [u64; N] {
    const { assert!(N == A + B) };
    let mut product = [0; N];
    for i in 0..A {
        let mut carry = 0;
        for j in 0..B {
            carry += u128::from(product[i + j]) + u128::from(a[i]) * u128::from(b[j]);
            product[i + j] = low(carry);
            carry >>= 64;
        }
        product[i + B] = low(carry);
    }
    product
}

/// x + L if `borrow` is 1, else x.
#[inline(always)]
fn add_l_if(x: &[u64; 4], borrow: u64) -> [u64; 4] {
    // The compiler shall not find out that the mask has only two values, and branch.
    let mask = core::hint::black_box(0u64.wrapping_sub(borrow));
    add(x, &L.map(|word| word & mask)).0
}

/// a - b modulo L, for a and b below L; also x mod L for a = x below 2L and b = L.
#[inline(always)]
pub(super) fn subtract_mod_l(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let (difference, borrow) = subtract(a, b);
    add_l_if(&difference, borrow)
}

/// x mod 2^252.
#[inline(always)]
fn below_2_252<const N: usize>(x: &[u64; N]) -> [u64; N] {
    let mut rest = [0; N];
    rest[..4].copy_from_slice(&x[..4]);
    rest[3] &= (1 << 60) - 1;
    rest
}

/// The N words of x from bit 252 up.
#[inline(always)]
fn from_2_252<const N: usize>(x: &[u64]) -> [u64; N] {
    let mut high = [0; N];
    for i in 0..N {
        let above = if i + 4 < x.len() { x[i + 4] << 4 } else { 0 };
        high[i] = x[i + 3] >> 60 | above;
    }
    high
}

/// x mod L, canonical, for x below 2^316: the last fold.
#[inline(always)]
fn reduce_short<const N: usize>(x: &[u64; N]) -> [u64; 4] {
    let high: [u64; 1] = from_2_252(x);
    let [p0, p1, p2] = product(&high, &C);
    // The product is below 2^189, so the difference is above -L and, as 2^252 < L, below L.
    let low: [u64; 4] = below_2_252(&[x[0], x[1], x[2], x[3]]);
    subtract_mod_l(&low, &[p0, p1, p2, 0])
}

/// x mod L, canonical, for any x.
#[inline(always)]
pub(super) fn reduce_256(x: &[u64; 4]) -> [u64; 4] {
    reduce_short(x)
}

/// x mod L, canonical, for any x.
#[inline(always)]
pub(super) fn reduce_512(x: &[u64; 8]) -> [u64; 4] {
    // High bits below 2^260, their product with C below 2^385: y is between 0 and 2^252 + 2^133 L < 2^386.
    let [x0, x1, x2, x3, ..] = *x;
    let high: [u64; 5] = from_2_252(x);
    let (rest, _) = add(&below_2_252(&[x0, x1, x2, x3, 0, 0, 0]), &L_TIMES_2_133);
    let (y, _) = subtract(&rest, &product(&high, &C));
    // High bits below 2^134, the product below 2^259: z is between 0 and 2^252 + 2^7 L < 2^260.
    let [y0, y1, y2, y3, ..] = y;
    let high: [u64; 3] = from_2_252(&y);
    let (rest, _) = add(&below_2_252(&[y0, y1, y2, y3, 0]), &L_TIMES_2_7);
    let (z, _) = subtract(&rest, &product(&high, &C));
    reduce_short(&z)
}
