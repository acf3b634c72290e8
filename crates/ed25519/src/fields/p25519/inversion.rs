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

/// Steps per matrix in constant time, and matrices. With delta = 1/2 at first, 590 steps are enough for any modulus and
/// value below 2^256 (P. Wuille, "Bounds on divsteps iterations in safegcd", 2021, by convex hulls of what can be
/// reached; proved in Coq by R. O'Connor and A. Poelstra); with the paper's delta = 1 it would be 741.
const STEPS_CONSTANT_TIME: u32 = 59;
const ROUNDS_CONSTANT_TIME: u32 = 10;
const _: () = assert!(
    ROUNDS_CONSTANT_TIME * STEPS_CONSTANT_TIME >= 590,
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

/// 59 division steps on the low words of f (odd) and g; zeta = -(delta + 1/2). A step is
///
/// - (1 - delta, g, (g - f) / 2) if delta is above 0, which is zeta below 0, and g is odd;
/// - (1 + delta, f, (g + (g mod 2) f) / 2) else.
fn steps_constant_time(zeta: &mut i64, mut f: i64, mut g: i64) -> Matrix {
    // Times 2^3, so that the matrix of 59 steps is one over 2^62.
    let mut m = Matrix { u: 8, v: 0, q: 0, r: 8 };
    for _ in 0..STEPS_CONSTANT_TIME {
        // All ones if g is odd; if delta is above 0; if the two change places.
        let (odd, above) = ((g & 1).wrapping_neg(), *zeta >> 63);
        let swap = odd & above;
        *zeta = (*zeta ^ swap) - 1;
        // f, or -f where they change places; the row of g gains that, and the row of f then gains what is wanted there.
        // The sign does not wait for g: 6 instead of 10 cycles a step.
        let signed = |x: i64| (x ^ above).wrapping_sub(above) & odd;
        g = g.wrapping_add(signed(f));
        m.q += signed(m.u);
        m.r += signed(m.v);
        f = f.wrapping_add(g & swap);
        m.u = (m.u + (m.q & swap)) << 1;
        m.v = (m.v + (m.r & swap)) << 1;
        g >>= 1;
    }
    m
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
