//! The permutations, written once over an [`Engine`]: one state in scalar words, or several in vectors.

use super::constants::{Constants, JIVE, RP64, RPO};

/// Arithmetic on one word of each state that an engine holds. The value is the witness that the CPU has the instructions.
pub(super) trait Engine: Copy {
    /// How many seventh roots are taken side by side: enough to hide the latency of a product, few enough for the
    /// registers.
    const CHAINS: usize;
    /// A field element (of each state), in whatever form products like.
    type Word: Copy;
    /// Half of a word, in 64 bits, with room for sums: the low and the high limb of an element.
    type Limb: Copy;

    fn mul(self, a: Self::Word, b: Self::Word) -> Self::Word;
    fn square(self, a: Self::Word) -> Self::Word;

    /// The two limbs, each below 2^52.
    fn split(self, a: Self::Word) -> [Self::Limb; 2];
    /// The element with these limbs, each below 2^60, plus a constant.
    fn join(self, limbs: [Self::Limb; 2], constant: u64) -> Self::Word;

    /// a + b, modulo 2^64.
    fn plus(self, a: Self::Limb, b: Self::Limb) -> Self::Limb;
    /// a - b, modulo 2^64.
    fn minus(self, a: Self::Limb, b: Self::Limb) -> Self::Limb;
    /// 2^BITS a, modulo 2^64.
    fn shifted<const BITS: u32>(self, a: Self::Limb) -> Self::Limb;
}

/// Rescue-XLIX as Rp64_256 has it.
#[inline(always)]
pub(super) fn rp64<E: Engine>(e: E, state: &mut [E::Word; 12]) {
    for [first, second] in &RP64 {
        power_7(e, state);
        mds_12(e, state, first);
        root_7(e, state);
        mds_12(e, state, second);
    }
}

/// The same of width 8, with the constants of RpJive64_256.
#[inline(always)]
pub(super) fn jive<E: Engine>(e: E, state: &mut [E::Word; 8]) {
    for [first, second] in &JIVE {
        power_7(e, state);
        mds_8(e, state, first);
        root_7_of_8(e, state);
        mds_8(e, state, second);
    }
}

/// RPO: each half of a round multiplies and adds before its S-box.
#[inline(always)]
pub(super) fn rpo<E: Engine>(e: E, state: &mut [E::Word; 12]) {
    for constants in &RPO {
        rpo_round(e, state, constants);
    }
}

/// RPX: three rounds of RPO, each followed by one over the cubic extension, and a last linear round.
#[inline(always)]
pub(super) fn rpx<E: Engine>(e: E, state: &mut [E::Word; 12]) {
    let constants: &Constants<12> = &RPO;
    for pair in 0..3 {
        rpo_round(e, state, &constants[2 * pair]);
        cubic_round(e, state, &constants[2 * pair + 1][0]);
    }
    mds_12(e, state, &constants[6][0]);
}

#[inline(always)]
fn rpo_round<E: Engine>(e: E, state: &mut [E::Word; 12], [first, second]: &[[u64; 12]; 2]) {
    mds_12(e, state, first);
    power_7(e, state);
    mds_12(e, state, second);
    root_7(e, state);
}

// ---- S-boxes ----

/// x^7 of every word, two at a time.
#[inline(always)]
pub(super) fn power_7<E: Engine, const W: usize>(e: E, state: &mut [E::Word; W]) {
    for x in state.as_chunks_mut::<2>().0 {
        let square = squares(e, *x, 1);
        let fourth = squares(e, square, 1);
        *x = products(e, products(e, square, *x), fourth);
    }
}

/// x^d of twelve words.
#[inline(always)]
fn root_7<E: Engine>(e: E, state: &mut [E::Word; 12]) {
    if E::CHAINS == 12 {
        *state = root_chain(e, *state);
    } else {
        for x in state.as_chunks_mut::<6>().0 {
            *x = root_chain(e, *x);
        }
    }
}

/// x^d of eight words.
#[inline(always)]
fn root_7_of_8<E: Engine>(e: E, state: &mut [E::Word; 8]) {
    *state = root_chain(e, *state);
}

/// x^d, d = 1/7 modulo p - 1: the seventh root, in 63 squarings and 9 products.
#[inline(always)]
pub(super) fn root_chain<E: Engine, const N: usize>(e: E, x: [E::Word; N]) -> [E::Word; N] {
    let t1 = squares(e, x, 1);
    let t2 = squares(e, t1, 1);
    let t3 = products(e, squares(e, t2, 3), t2);
    let t4 = products(e, squares(e, t3, 6), t3);
    let t5 = products(e, squares(e, t4, 12), t4);
    let t6 = products(e, squares(e, t5, 6), t3);
    let t7 = products(e, squares(e, t6, 31), t6);
    let high = squares(e, products(e, squares(e, t7, 1), t6), 2);
    products(e, high, products(e, products(e, t1, t2), x))
}

/// Two at a time, for the loops that the optimiser leaves as loops.
#[inline(always)]
fn squares<E: Engine, const N: usize>(e: E, mut x: [E::Word; N], count: u32) -> [E::Word; N] {
    for _ in 0..count {
        let mut i = 0;
        while i < N {
            x[i] = e.square(x[i]);
            if i + 1 < N {
                x[i + 1] = e.square(x[i + 1]);
            }
            i += 2;
        }
    }
    x
}

#[inline(always)]
fn products<E: Engine, const N: usize>(e: E, mut a: [E::Word; N], b: [E::Word; N]) -> [E::Word; N] {
    let mut i = 0;
    while i < N {
        a[i] = e.mul(a[i], b[i]);
        i += 1;
    }
    a
}

// ---- the cubic extension of RPX ----

/// Adds constants, then takes each triple to its seventh power in F[X] / (X^3 - X - 1).
#[inline(always)]
fn cubic_round<E: Engine>(e: E, state: &mut [E::Word; 12], constants: &[u64; 12]) {
    let mut i = 0;
    while i < 12 {
        let x = [
            e.join(e.split(state[i]), constants[i]),
            e.join(e.split(state[i + 1]), constants[i + 1]),
            e.join(e.split(state[i + 2]), constants[i + 2]),
        ];
        let square = cubic_product(e, x, x);
        let fourth = cubic_product(e, square, square);
        let [a, b, c] = cubic_product(e, cubic_product(e, square, x), fourth);
        (state[i], state[i + 1], state[i + 2]) = (a, b, c);
        i += 3;
    }
}

/// X^3 = X + 1 and X^4 = X^2 + X.
#[inline(always)]
fn cubic_product<E: Engine>(e: E, [a0, a1, a2]: [E::Word; 3], [b0, b1, b2]: [E::Word; 3]) -> [E::Word; 3] {
    let c3 = sum(e, split_product(e, a1, b2), split_product(e, a2, b1));
    let c4 = split_product(e, a2, b2);
    let c1 = sum(e, split_product(e, a0, b1), split_product(e, a1, b0));
    let c2 = sum(e, sum(e, split_product(e, a0, b2), split_product(e, a2, b0)), split_product(e, a1, b1));
    [
        e.join(sum(e, split_product(e, a0, b0), c3), 0),
        e.join(sum(e, c1, sum(e, c3, c4)), 0),
        e.join(sum(e, c2, c4), 0),
    ]
}

#[inline(always)]
fn split_product<E: Engine>(e: E, a: E::Word, b: E::Word) -> [E::Limb; 2] {
    e.split(e.mul(a, b))
}

/// The sum, limb by limb.
#[inline(always)]
fn sum<E: Engine>(e: E, x: [E::Limb; 2], y: [E::Limb; 2]) -> [E::Limb; 2] {
    [e.plus(x[0], y[0]), e.plus(x[1], y[1])]
}

// ---- the linear layer ----

/// The circulant matrix of width 12, then constants.
///
/// As polynomials modulo x^12 - 1 the product is one of two polynomials; with y = x^3 it falls apart into products modulo
/// x^3 - y for y = 1, -1 and -i, whose constants are small sums of powers of two (specification: docs/rescue.md). All sums
/// are exact modulo 2^64, and the last ones are at most 160 times a limb.
#[inline(always)]
fn mds_12<E: Engine>(e: E, state: &mut [E::Word; 12], constants: &[u64; 12]) {
    let mut low = [e.split(state[0])[0]; 12];
    let mut high = low;
    let mut i = 0;
    while i < 12 {
        [low[i], high[i]] = e.split(state[i]);
        i += 1;
    }
    let (low, high) = (circulant_12(e, &low), circulant_12(e, &high));
    i = 0;
    while i < 12 {
        state[i] = e.join([low[i], high[i]], constants[i]);
        i += 1;
    }
}

#[inline(always)]
fn circulant_12<E: Engine>(e: E, s: &[E::Limb; 12]) -> [E::Limb; 12] {
    let (a0, d0, u0, v0) = transform(e, s, 0);
    let (a1, d1, u1, v1) = transform(e, s, 1);
    let (a2, d2, u2, v2) = transform(e, s, 2);

    // y = 1: constants 16, 8, 16, cyclic.
    let all = e.shifted::<4>(e.plus(e.plus(a0, a1), a2));
    let cyclic = [
        e.minus(all, e.shifted::<3>(a2)),
        e.minus(all, e.shifted::<3>(a0)),
        e.minus(all, e.shifted::<3>(a1)),
    ];
    // y = -1: constants -8, 1, 1, and x^3 = -1.
    let minus_alternating = [
        e.plus(e.plus(d1, d2), e.shifted::<3>(d0)),
        e.plus(e.minus(d2, d0), e.shifted::<3>(d1)),
        e.minus(e.shifted::<3>(d2), e.plus(d0, d1)),
    ];
    // y = -i: constants -1 + 2i, -1 + i, 4 + 8i, and x^3 = -i.
    let quarter = complex(e, [u0, u1, u2], [v0, v1, v2]);

    let mut out = *s;
    let mut k = 0;
    while k < 3 {
        let even = e.minus(cyclic[k], minus_alternating[k]);
        let odd = e.plus(cyclic[k], minus_alternating[k]);
        let [minus_re, im] = quarter[k];
        out[k] = e.minus(even, minus_re);
        out[k + 3] = e.minus(odd, im);
        out[k + 6] = e.plus(even, minus_re);
        out[k + 9] = e.plus(odd, im);
        k += 1;
    }
    out
}

/// The values of s_b + s_(b+3) y + s_(b+6) y^2 + s_(b+9) y^3 at 1, at -1, and the two parts of that at -i.
#[inline(always)]
fn transform<E: Engine>(e: E, s: &[E::Limb; 12], b: usize) -> (E::Limb, E::Limb, E::Limb, E::Limb) {
    let (even, odd) = (e.plus(s[b], s[b + 6]), e.plus(s[b + 3], s[b + 9]));
    (e.plus(even, odd), e.minus(even, odd), e.minus(s[b], s[b + 6]), e.minus(s[b + 9], s[b + 3]))
}

/// The product modulo x^3 + i of (-1 + 2i) + (-1 + i) x + (4 + 8i) x^2 and the polynomial with coefficients u + i v: minus
/// the real part, and the imaginary part, of each coefficient.
#[inline(always)]
fn complex<E: Engine>(e: E, u: [E::Limb; 3], v: [E::Limb; 3]) -> [[E::Limb; 2]; 3] {
    let [z0, z1, z2] = [multiples(e, u[0], v[0]), multiples(e, u[1], v[1]), multiples(e, u[2], v[2])];
    [
        // (-1 + 2i) z0 + (8 - 4i) z1 + (1 + i) z2
        [e.minus(e.minus(z0.re_2, z1.re_8), z2.re_1), e.plus(e.plus(z0.im_2, z1.im_8), z2.im_1)],
        // (-1 + i) z0 + (-1 + 2i) z1 + (8 - 4i) z2
        [e.minus(e.plus(z0.im_1, z1.re_2), z2.re_8), e.plus(e.plus(z0.re_1, z1.im_2), z2.im_8)],
        // (4 + 8i) z0 + (-1 + i) z1 + (-1 + 2i) z2
        [e.plus(e.plus(z0.im_8, z1.im_1), z2.re_2), e.plus(e.plus(z0.re_8, z1.re_1), z2.im_2)],
    ]
}

/// Of u + i v: its product by 1 + i, by 1 - 2i (the imaginary part negated) and by 8 - 4i.
struct Multiples<L> {
    re_1: L,
    im_1: L,
    re_2: L,
    im_2: L,
    re_8: L,
    im_8: L,
}

#[inline(always)]
fn multiples<E: Engine>(e: E, u: E::Limb, v: E::Limb) -> Multiples<E::Limb> {
    let (im_1, re_1) = (e.plus(u, v), e.minus(u, v));
    Multiples {
        re_1,
        im_1,
        re_2: e.plus(im_1, v),
        im_2: e.plus(re_1, u),
        re_8: e.shifted::<2>(e.plus(im_1, u)),
        im_8: e.shifted::<2>(e.minus(v, re_1)),
    }
}

/// The circulant matrix of width 8 (row 23, 8, 13, 10, 7, 6, 21, 8), then constants.
#[inline(always)]
fn mds_8<E: Engine>(e: E, state: &mut [E::Word; 8], constants: &[u64; 8]) {
    let mut low = [e.split(state[0])[0]; 8];
    let mut high = low;
    let mut i = 0;
    while i < 8 {
        [low[i], high[i]] = e.split(state[i]);
        i += 1;
    }
    let (low, high) = (circulant_8(e, &low), circulant_8(e, &high));
    i = 0;
    while i < 8 {
        state[i] = e.join([low[i], high[i]], constants[i]);
        i += 1;
    }
}

/// Each entry of the row as a sum of powers of two, shifted together.
#[inline(always)]
fn circulant_8<E: Engine>(e: E, s: &[E::Limb; 8]) -> [E::Limb; 8] {
    let mut out = *s;
    let mut i = 0;
    while i < 8 {
        // Row entry j meets word i + j.
        let [at0, at1, at2, at3] = [s[i], s[(i + 1) % 8], s[(i + 2) % 8], s[(i + 3) % 8]];
        let [at4, at5, at6, at7] = [s[(i + 4) % 8], s[(i + 5) % 8], s[(i + 6) % 8], s[(i + 7) % 8]];
        // 23 = 16 + 8 - 1, 13 = 16 - 4 + 1, 10 = 8 + 2, 7 = 8 - 1, 6 = 4 + 2, 21 = 16 + 4 + 1.
        let sixteen = e.plus(e.plus(at0, at2), at6);
        let eight = e.plus(e.plus(e.plus(at0, at1), e.plus(at3, at4)), at7);
        let four = e.minus(e.plus(at5, at6), at2);
        let two = e.plus(at3, at5);
        let one = e.minus(e.minus(e.plus(at2, at6), at0), at4);
        let sum = e.plus(e.plus(e.shifted::<4>(sixteen), e.shifted::<3>(eight)), e.shifted::<2>(four));
        out[i] = e.plus(sum, e.plus(e.shifted::<1>(two), one));
        i += 1;
    }
    out
}
