//! Inversion by division steps: Bernstein and Yang, "Fast constant-time gcd computation and modular inversion" (ePrint
//! 2019/266), in constant time and, for public values, in variable time.
//!
//! f and g begin as p and x. A *division step* (section 8 of the paper) halves g, after adding f, or after changing
//! places with f; some 60 of them depend on the low words only and amount to a 2 x 2 matrix over 2^62. Beside f and g
//! run d and e with f = d x and g = e x modulo p. When g = 0, f is the gcd 1 or -1, and d or -d is the inverse.

use super::element::Element;

/// An integer as limbs of radix 2^62, least significant first. All but the highest are in 0..2^62 once settled.
type Limbs = [i64; 5];

/// Steps per matrix, and what the limbs of all numbers are cut at.
const STEPS: u32 = 62;

/// Steps in constant time on packed numbers ([`packed_steps`]), how often in a row, and matrices. With delta = 1/2 at
/// first, 590 steps are enough for any modulus and value below 2^256 (P. Wuille, "Bounds on divsteps iterations in
/// safegcd", 2021, by convex hulls of what can be reached; proved in Coq by R. O'Connor and A. Poelstra); with the
/// paper's delta = 1 it would be 741.
const PACKED_STEPS: u32 = 20;
const PACKED_ROUNDS: u32 = 3;
const ROUNDS_CONSTANT_TIME: u32 = 10;
const _: () = assert!(
    ROUNDS_CONSTANT_TIME * PACKED_ROUNDS * PACKED_STEPS >= 590,
    "values that take so many are too rare to test"
);

const MASK: i64 = (1 << STEPS) - 1;

/// p = 128 * 2^248 - 19.
const P: Limbs = [-19, 0, 0, 0, 128];

/// 1/p modulo 2^62 (mod 2^64 even): p = -19 there, and this times -19 is 1.
const P_INVERSE: i64 = {
    let (mut inverse, mut i) = (1i64, 0);
    while i < 6 {
        inverse = inverse.wrapping_mul(2i64.wrapping_sub(P[0].wrapping_mul(inverse)));
        i += 1;
    }
    inverse
};

/// 2^62 (f', g') = (u f + v g, q f + r g); |u| + |v| and |q| + |r| are at most 2^62.
#[derive(Clone, Copy)]
struct Matrix {
    u: i64,
    v: i64,
    q: i64,
    r: i64,
}

impl Element {
    /// The inverse, and 0 for 0. Time independent of the value.
    pub(crate) fn invert(&self) -> Self {
        let (mut zeta, mut f, mut g) = (-1, P, limbs(self));
        let (mut d, mut e) = ([0; 5], [1, 0, 0, 0, 0]);
        for _ in 0..ROUNDS_CONSTANT_TIME {
            let matrix = steps_constant_time(&mut zeta, f[0], g[0]);
            matrix.apply(&mut f, &mut g, &mut d, &mut e);
        }
        element(&d, f[4] >> 63)
    }

    /// The inverse, and 0 for 0. Variable time: for public values.
    pub(crate) fn invert_vartime(&self) -> Self {
        let (mut delta, mut f, mut g) = (1, P, limbs(self));
        let (mut d, mut e) = ([0; 5], [1, 0, 0, 0, 0]);
        // Theorem 11.2 of the paper: 741 steps are enough for 255 bits, so at most 12 rounds.
        while g != [0; 5] {
            let matrix = steps(&mut delta, f[0], g[0]);
            matrix.apply(&mut f, &mut g, &mut d, &mut e);
        }
        element(&d, f[4] >> 63)
    }
}

impl Matrix {
    /// The product with (f, g), and with (d, e) modulo p, both over 2^62.
    #[inline(always)]
    fn apply(&self, f: &mut Limbs, g: &mut Limbs, d: &mut Limbs, e: &mut Limbs) {
        let Self { u, v, q, r } = *self;
        (*f, *g) = (combine(u, f, v, g), combine(q, f, r, g));
        (*d, *e) = (combine_mod_p(u, d, v, e), combine_mod_p(q, d, r, e));
    }
}

/// 60 division steps on the low words of f (odd) and g; zeta = -(delta + 1/2).
#[inline]
fn steps_constant_time(zeta: &mut i64, mut f: i64, mut g: i64) -> Matrix {
    let mut m = packed_steps(zeta, f, g);
    let mut last = m;
    for _ in 1..PACKED_ROUNDS {
        // Of 62 bits, 42 and then 22 are left.
        let next = |a: i64, b: i64| a.wrapping_mul(f).wrapping_add(b.wrapping_mul(g)) >> PACKED_STEPS;
        (f, g) = (next(last.u, last.v), next(last.q, last.r));
        last = packed_steps(zeta, f, g);
        m = Matrix {
            u: last.u * m.u + last.v * m.q,
            v: last.u * m.v + last.v * m.r,
            q: last.q * m.u + last.r * m.q,
            r: last.q * m.v + last.r * m.r,
        };
    }
    // One over 2^62.
    Matrix { u: m.u << 2, v: m.v << 2, q: m.q << 2, r: m.r << 2 }
}

/// Minus the matrix, over 2^20, of 20 division steps. A step is
///
/// - (1 - delta, g, (g - f) / 2) if delta is above 0, which is zeta below 0, and g is odd;
/// - (1 + delta, f, (g + (g mod 2) f) / 2) else.
///
/// What a step does to f and g it does to their rows of the matrix, too, so f + 2^21 u + 2^42 v stands in one number and
/// g + 2^21 q + 2^42 r in another (as in s2n-bignum). The rows begin as (-2^20, 0) and (0, -2^20), so what is halved is
/// even up to the last step. Of f and g as many bits are enough as there are steps, and they stay below 2^20 in size.
/// |u| + |v| and |q| + |r| are at most 2^20, so that |q +- u| + |r +- v| is at most 2^21, and |r +- v| less than that, or
/// the determinant would be 0: no sum reaches 2^63. Likewise an entry of size 2^20 is one of the first two, and negative.
#[inline]
fn packed_steps(zeta: &mut i64, f: i64, g: i64) -> Matrix {
    const LOW: i64 = (1 << PACKED_STEPS) - 1;
    let (mut fuv, mut gqr) = ((f & LOW) - (1 << 41), (g & LOW) - (1 << 62));
    let mut step = || {
        // All ones if g is odd; if delta is above 0; if the two change places.
        let (odd, above) = ((gqr & 1).wrapping_neg(), *zeta >> 63);
        let swap = odd & above;
        *zeta = (*zeta ^ swap) - 1;
        // f, or -f where they change places: that does not wait for g, and f waits for the former g only.
        let signed = (fuv ^ above).wrapping_sub(above);
        fuv = fuv.wrapping_add(gqr.wrapping_sub(fuv) & swap);
        gqr = gqr.wrapping_add(signed & odd) >> 1;
    };
    // The compiler leaves a loop over single steps as it stands; so it is 4 % faster.
    for _ in 0..PACKED_STEPS / 5 {
        step();
        step();
        step();
        step();
        step();
    }
    // Entries are in -2^20..2^20, and f and g, plus 2^20, in 0..2^21.
    let first = |x: i64| x.wrapping_add(1 << 20) << 22 >> 43;
    let second = |x: i64| x.wrapping_add((1 << 20) + (1 << 41)) >> 42;
    Matrix { u: first(fuv), v: second(fuv), q: first(gqr), r: second(gqr) }
}

/// 62 division steps on the low words of f (odd) and g.
fn steps(delta: &mut i64, mut f: i64, mut g: i64) -> Matrix {
    let mut m = Matrix { u: 1, v: 0, q: 0, r: 1 };
    let mut left = STEPS;
    loop {
        // Steps with g even halve g; the rows of f double instead.
        let zeros = (g | -1 << left).trailing_zeros();
        g >>= zeros;
        m.u <<= zeros;
        m.v <<= zeros;
        *delta += i64::from(zeros);
        left -= zeros;
        if left == 0 {
            return m;
        }
        if *delta > 0 {
            *delta = -*delta;
            (f, g) = (g, f.wrapping_neg());
            m = Matrix { u: m.q, v: m.r, q: -m.u, r: -m.v };
        }
        // The next 1 - delta steps all add f to an odd g, with no change of places: add the multiple w f that clears as
        // many bits at once, w = -g/f. For odd f, f^2 = 1 modulo 8, so f is its own inverse there, and a step of
        // Newton's iteration, f (2 - f^2), is right modulo 64.
        let bits = (1 - *delta).min(i64::from(left)).min(6);
        let w = f.wrapping_mul(g).wrapping_mul(f.wrapping_mul(f).wrapping_sub(2)) & ((1 << bits) - 1);
        g = g.wrapping_add(f.wrapping_mul(w));
        m.q += m.u * w;
        m.r += m.v * w;
    }
}

/// (a x + b y) / 2^62, which is exact.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "low words")]
fn combine(a: i64, x: &Limbs, b: i64, y: &Limbs) -> Limbs {
    let mut result = [0; 5];
    let mut sum = product(a, x[0]) + product(b, y[0]);
    for i in 1..5 {
        sum = (sum >> STEPS) + product(a, x[i]) + product(b, y[i]);
        result[i - 1] = sum as i64 & MASK;
    }
    result[4] = (sum >> STEPS) as i64;
    result
}

/// (a x + b y) / 2^62 modulo p. If |x| and |y| are at most c p, the result is at most (c + 1/2) p in size: after the
/// twelve rounds of an inversion it is below 8 p.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "low words")]
fn combine_mod_p(a: i64, x: &Limbs, b: i64, y: &Limbs) -> Limbs {
    let mut result = [0; 5];
    let mut sum = product(a, x[0]) + product(b, y[0]);
    // The multiple of p, -2^61 to 2^61, that makes the sum divisible.
    let multiple = (sum as i64).wrapping_mul(P_INVERSE).wrapping_neg() << 2 >> 2;
    sum += product(multiple, P[0]);
    for i in 1..5 {
        sum = (sum >> STEPS) + product(a, x[i]) + product(b, y[i]);
        if i == 4 {
            sum += product(multiple, P[4]);
        }
        result[i - 1] = sum as i64 & MASK;
    }
    result[4] = (sum >> STEPS) as i64;
    result
}

#[inline(always)]
fn product(a: i64, b: i64) -> i128 {
    i128::from(a) * i128::from(b)
}

/// The canonical value.
#[expect(clippy::cast_possible_wrap, reason = "masked below 2^62")]
fn limbs(x: &Element) -> Limbs {
    let bytes = x.to_bytes();
    let mut words = [0u64; 4];
    for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
    }
    let [w0, w1, w2, w3] = words;
    [w0, w0 >> 62 | w1 << 2, w1 >> 60 | w2 << 4, w2 >> 58 | w3 << 6, w3 >> 56].map(|word| word as i64 & MASK)
}

/// d for a sign of 0, -d for -1; |d| is below 8 p.
#[expect(clippy::cast_sign_loss, reason = "masked, or made positive")]
fn element(d: &Limbs, sign: i64) -> Element {
    // 8 p + d is not negative, and below 2^259.
    let mut limbs = d.map(|limb| (limb ^ sign) - sign);
    limbs[0] += 8 * P[0];
    limbs[4] += 8 * P[4];
    for i in 0..4 {
        limbs[i + 1] += limbs[i] >> STEPS;
        limbs[i] &= MASK;
    }
    let [l0, l1, l2, l3, l4] = limbs.map(|limb| limb as u64);
    const MASK_51: u64 = (1 << 51) - 1;
    let sum = Element([
        l0 & MASK_51,
        (l0 >> 51 | l1 << 11) & MASK_51,
        (l1 >> 40 | l2 << 22) & MASK_51,
        (l2 >> 29 | l3 << 33) & MASK_51,
        l3 >> 18 | l4 << 44,
    ]);
    // The highest limb is below 2^55 only: adding 0 carries it.
    sum.add(&Element::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One division step, as the comment of [`packed_steps`] has it.
    fn step((zeta, f, g): (i64, i64, i64)) -> (i64, i64, i64) {
        match (zeta < 0, g & 1 == 1) {
            (true, true) => (-zeta - 2, g, (g - f) >> 1),
            (false, true) => (zeta - 1, f, (g + f) >> 1),
            (_, false) => (zeta - 1, f, g >> 1),
        }
    }

    /// Against plain steps: all low bits that make the fields largest, signs, and every zeta around 0.
    #[test]
    fn packed_steps_are_division_steps() {
        const ONE: i64 = 1 << PACKED_STEPS;
        let mut pairs = std::vec::Vec::new();
        for f in
            [1, 3, 5, ONE - 1, ONE + 1, 2 * ONE - 1, -1, -3, 1 - ONE, -1 - ONE, (1 << 40) - 1, 1 - (1 << 40)]
        {
            for g in
                [0, 1, 2, 3, ONE - 2, ONE - 1, ONE, ONE + 1, ONE / 2, -1, -2, -ONE, 1 - ONE, (1 << 40) - 1]
            {
                pairs.push((f, g));
            }
        }
        let mut random = phalanx_testing::Random::from_seed(1);
        pairs.extend((0..20_000).map(|_| {
            let mut drawn = || random.u64().cast_signed() >> 22;
            (drawn() | 1, drawn())
        }));
        for (f, g) in pairs {
            for zeta in -25..25 {
                let plain = (0..PACKED_STEPS).fold((zeta, f, g), |state, _| step(state));
                let mut packed_zeta = zeta;
                let m = packed_steps(&mut packed_zeta, f, g);
                let next = |a: i64, b: i64| {
                    -((i128::from(a) * i128::from(f) + i128::from(b) * i128::from(g)) >> PACKED_STEPS)
                };
                let packed = (i128::from(packed_zeta), next(m.u, m.v), next(m.q, m.r));
                assert_eq!(packed, (plain.0.into(), plain.1.into(), plain.2.into()), "{zeta} {f} {g}");
            }
        }
    }
}
