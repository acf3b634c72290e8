//! The chain of products that inversion and square root have in common.

/// x^(2^250 - 1) and x^11, given x^2 and `power(a, count, b)`, which is a^(2^count) b.
#[inline(always)]
pub(crate) fn pow_2_250_minus_1<T: Copy>(x: &T, x2: &T, power: impl Fn(&T, u32, &T) -> T) -> (T, T) {
    let x9 = power(x2, 2, x);
    let x11 = power(&x9, 0, x2);
    let p5 = power(&x11, 1, &x9);
    let p10 = power(&p5, 5, &p5);
    let p20 = power(&p10, 10, &p10);
    let p40 = power(&p20, 20, &p20);
    let p50 = power(&p40, 10, &p10);
    let p100 = power(&p50, 50, &p50);
    let p200 = power(&p100, 100, &p100);
    (power(&p200, 50, &p50), x11)
}
