//! The permutations, written once over a [`PackedField`]: one state in scalar words, or several in vectors.

use super::constants::{Constants, JIVE, RP64, RPO};
use phalanx_core::simd::Kernel;

/// Goldilocks arithmetic on packed elements: one word of each of several states. The value is the witness that the CPU has
/// the instructions.
pub(super) trait PackedField: Copy {
    /// How many seventh roots are taken side by side: enough to hide the latency of a product, few enough for the
    /// registers.
    const CHAINS: usize;
    /// A field element (of each state), in the form that products take.
    type Word: Copy;
    /// Half of a word, in 64 bits, with room for sums: the low and the high limb of an element.
    type Limb: Copy;

    fn mul_inlined(self, a: Self::Word, b: Self::Word) -> Self::Word;
    fn square_inlined(self, a: Self::Word) -> Self::Word;

    /// The two limbs, each below 2^52.
    fn split(self, a: Self::Word) -> [Self::Limb; 2];
    /// The element with these limbs, each below 2^60, plus a constant.
    fn join(self, limbs: [Self::Limb; 2], constant: u64) -> Self::Word;

    /// Runs a few of these operations as a function, compiled for the instructions they take, which is inlined in its
    /// turn: where the same ones come again and again, the compiler simplifies them once. See
    /// [`Witness::step`](phalanx_core::simd::Witness::step).
    fn step<K: Kernel<Self>>(self, kernel: K) -> K::Output;

    /// The product, a step.
    #[inline(always)]
    fn mul(self, a: Self::Word, b: Self::Word) -> Self::Word {
        self.step(Mul(a, b))
    }

    /// The square, a step.
    #[inline(always)]
    fn square(self, a: Self::Word) -> Self::Word {
        self.step(Square(a))
    }

    /// a + b, modulo 2^64.
    fn plus(self, a: Self::Limb, b: Self::Limb) -> Self::Limb;
    /// a - b, modulo 2^64.
    fn minus(self, a: Self::Limb, b: Self::Limb) -> Self::Limb;
    /// 2^BITS a, modulo 2^64.
    fn shifted<const BITS: i32>(self, a: Self::Limb) -> Self::Limb;

    /// Runs a layer of a permutation as a function of its own, compiled for the instructions.
    fn layer<K: Layer<Self::Word>>(self, layer: K);

    /// x^7 of every word.
    #[inline(always)]
    fn power_7<const W: usize>(self, state: &mut [Self::Word; W]) {
        self.layer(Powers(state));
    }

    /// x^d of every word: the seventh root.
    #[inline(always)]
    fn root_7<const W: usize>(self, state: &mut [Self::Word; W]) {
        self.layer(Roots(state));
    }
}

/// A layer, on a state of such words. It lies in memory, having more of them than there are registers, so that what
/// several permutations need can be one function.
pub(super) trait Layer<Word> {
    /// Does it; `#[inline(always)]`, as what it calls.
    fn run<F: PackedField<Word = Word>>(self, f: F);
}

// ---- steps ----

/// [`PackedField::mul`].
struct Mul<W>(W, W);

impl<F: PackedField> Kernel<F> for Mul<F::Word> {
    type Output = F::Word;

    #[inline(always)]
    fn run(self, f: F) -> F::Word {
        f.mul_inlined(self.0, self.1)
    }
}

/// [`PackedField::square`].
struct Square<W>(W);

impl<F: PackedField> Kernel<F> for Square<F::Word> {
    type Output = F::Word;

    #[inline(always)]
    fn run(self, f: F) -> F::Word {
        f.square_inlined(self.0)
    }
}

/// [`PackedField::split`].
struct Split<W>(W);

impl<F: PackedField> Kernel<F> for Split<F::Word> {
    type Output = [F::Limb; 2];

    #[inline(always)]
    fn run(self, f: F) -> [F::Limb; 2] {
        f.split(self.0)
    }
}

/// [`PackedField::join`].
struct Join<L>([L; 2], u64);

impl<F: PackedField> Kernel<F> for Join<F::Limb> {
    type Output = F::Word;

    #[inline(always)]
    fn run(self, f: F) -> F::Word {
        f.join(self.0, self.1)
    }
}

/// Rescue-XLIX as Rp64_256 has it.
#[inline(always)]
pub(super) fn rp64<F: PackedField>(f: F, state: &mut [F::Word; 12]) {
    for [first, second] in &RP64 {
        f.power_7(state);
        f.layer(Mds12(state, first));
        f.root_7(state);
        f.layer(Mds12(state, second));
    }
}

/// The same of width 8, with the constants of RpJive64_256.
#[inline(always)]
pub(super) fn jive<F: PackedField>(f: F, state: &mut [F::Word; 8]) {
    for [first, second] in &JIVE {
        f.power_7(state);
        f.layer(Mds8(state, first));
        f.root_7(state);
        f.layer(Mds8(state, second));
    }
}

/// RPO: each half of a round multiplies and adds before its S-box.
#[inline(always)]
pub(super) fn rpo<F: PackedField>(f: F, state: &mut [F::Word; 12]) {
    for constants in &RPO {
        rpo_round(f, state, constants);
    }
}

/// RPX: three rounds of RPO, each followed by one over the cubic extension, and a last linear round.
#[inline(always)]
pub(super) fn rpx<F: PackedField>(f: F, state: &mut [F::Word; 12]) {
    let constants: &Constants<12> = &RPO;
    for pair in 0..3 {
        rpo_round(f, state, &constants[2 * pair]);
        cubic_round(f, state, &constants[2 * pair + 1][0]);
    }
    f.layer(Mds12(state, &constants[6][0]));
}

#[inline(always)]
fn rpo_round<F: PackedField>(f: F, state: &mut [F::Word; 12], [first, second]: &[[u64; 12]; 2]) {
    f.layer(Mds12(state, first));
    f.power_7(state);
    f.layer(Mds12(state, second));
    f.root_7(state);
}

// ---- S-boxes ----

/// x^7 of every word, two at a time.
struct Powers<'a, W, const N: usize>(&'a mut [W; N]);

impl<W: Copy, const N: usize> Layer<W> for Powers<'_, W, N> {
    #[inline(always)]
    fn run<F: PackedField<Word = W>>(self, f: F) {
        for x in self.0.as_chunks_mut::<2>().0 {
            *x = power_chain(f, *x);
        }
    }
}

/// x^7, in two squarings and two products.
#[inline(always)]
pub(super) fn power_chain<F: PackedField, const N: usize>(f: F, x: [F::Word; N]) -> [F::Word; N] {
    let square = squares(f, x, 1);
    let fourth = squares(f, square, 1);
    products(f, products(f, square, x), fourth)
}

/// x^d of eight words, or of twelve.
struct Roots<'a, W, const N: usize>(&'a mut [W; N]);

impl<W: Copy, const N: usize> Layer<W> for Roots<'_, W, N> {
    #[inline(always)]
    fn run<F: PackedField<Word = W>>(self, f: F) {
        if F::CHAINS >= N || !N.is_multiple_of(6) {
            *self.0 = root_chain(f, *self.0);
        } else {
            for x in self.0.as_chunks_mut::<6>().0 {
                *x = root_chain(f, *x);
            }
        }
    }
}

/// x^d, d = 1/7 modulo p - 1: the seventh root, in 63 squarings and 9 products.
#[inline(always)]
pub(super) fn root_chain<F: PackedField, const N: usize>(f: F, x: [F::Word; N]) -> [F::Word; N] {
    let t1 = squares(f, x, 1);
    let t2 = squares(f, t1, 1);
    let t3 = products(f, squares(f, t2, 3), t2);
    let t4 = products(f, squares(f, t3, 6), t3);
    let t5 = products(f, squares(f, t4, 12), t4);
    let t6 = products(f, squares(f, t5, 6), t3);
    let t7 = products(f, squares(f, t6, 31), t6);
    let high = squares(f, products(f, squares(f, t7, 1), t6), 2);
    products(f, high, products(f, products(f, t1, t2), x))
}

/// Two at a time, for the loops that the optimiser leaves as loops.
#[inline(always)]
fn squares<F: PackedField, const N: usize>(f: F, mut x: [F::Word; N], count: u32) -> [F::Word; N] {
    for _ in 0..count {
        let mut i = 0;
        while i < N {
            x[i] = f.square(x[i]);
            if i + 1 < N {
                x[i + 1] = f.square(x[i + 1]);
            }
            i += 2;
        }
    }
    x
}

#[inline(always)]
fn products<F: PackedField, const N: usize>(f: F, mut a: [F::Word; N], b: [F::Word; N]) -> [F::Word; N] {
    let mut i = 0;
    while i < N {
        a[i] = f.mul(a[i], b[i]);
        i += 1;
    }
    a
}

// ---- the cubic extension of RPX ----

/// Adds constants, then takes each triple to its seventh power in F[X] / (X^3 - X - 1).
#[inline(always)]
fn cubic_round<F: PackedField>(f: F, state: &mut [F::Word; 12], constants: &[u64; 12]) {
    let mut i = 0;
    while i < 12 {
        let x = [
            f.step(Join(f.step(Split(state[i])), constants[i])),
            f.step(Join(f.step(Split(state[i + 1])), constants[i + 1])),
            f.step(Join(f.step(Split(state[i + 2])), constants[i + 2])),
        ];
        let square = cubic_product(f, x, x);
        let fourth = cubic_product(f, square, square);
        let [a, b, c] = cubic_product(f, cubic_product(f, square, x), fourth);
        (state[i], state[i + 1], state[i + 2]) = (a, b, c);
        i += 3;
    }
}

/// X^3 = X + 1 and X^4 = X^2 + X.
#[inline(always)]
fn cubic_product<F: PackedField>(
    f: F,
    [a0, a1, a2]: [F::Word; 3],
    [b0, b1, b2]: [F::Word; 3],
) -> [F::Word; 3] {
    let c3 = sum(f, split_product(f, a1, b2), split_product(f, a2, b1));
    let c4 = split_product(f, a2, b2);
    let c1 = sum(f, split_product(f, a0, b1), split_product(f, a1, b0));
    let c2 = sum(f, sum(f, split_product(f, a0, b2), split_product(f, a2, b0)), split_product(f, a1, b1));
    [
        f.step(Join(sum(f, split_product(f, a0, b0), c3), 0)),
        f.step(Join(sum(f, c1, sum(f, c3, c4)), 0)),
        f.step(Join(sum(f, c2, c4), 0)),
    ]
}

#[inline(always)]
fn split_product<F: PackedField>(f: F, a: F::Word, b: F::Word) -> [F::Limb; 2] {
    f.step(Split(f.mul(a, b)))
}

/// The sum, limb by limb.
#[inline(always)]
fn sum<F: PackedField>(f: F, x: [F::Limb; 2], y: [F::Limb; 2]) -> [F::Limb; 2] {
    [f.plus(x[0], y[0]), f.plus(x[1], y[1])]
}

// ---- the linear layer ----

/// The circulant matrix of width 12, then constants.
///
/// As polynomials modulo x^12 - 1 the product is one of two polynomials; with y = x^3 it falls apart into products modulo
/// x^3 - y for y = 1, -1 and -i, whose constants are small sums of powers of two (specification: docs/rescue.md). All sums
/// are exact modulo 2^64, and the last ones are at most 160 times a limb.
struct Mds12<'a, W>(&'a mut [W; 12], &'a [u64; 12]);

impl<W: Copy> Layer<W> for Mds12<'_, W> {
    #[inline(always)]
    fn run<F: PackedField<Word = W>>(self, f: F) {
        let Self(state, constants) = self;
        let mut low = [f.step(Split(state[0]))[0]; 12];
        let mut high = low;
        let mut i = 0;
        while i < 12 {
            [low[i], high[i]] = f.step(Split(state[i]));
            i += 1;
        }
        let (low, high) = (circulant_12(f, &low), circulant_12(f, &high));
        i = 0;
        while i < 12 {
            state[i] = f.step(Join([low[i], high[i]], constants[i]));
            i += 1;
        }
    }
}

#[inline(always)]
fn circulant_12<F: PackedField>(f: F, s: &[F::Limb; 12]) -> [F::Limb; 12] {
    let [a0, d0, u0, v0] = f.step(Transform([s[0], s[3], s[6], s[9]]));
    let [a1, d1, u1, v1] = f.step(Transform([s[1], s[4], s[7], s[10]]));
    let [a2, d2, u2, v2] = f.step(Transform([s[2], s[5], s[8], s[11]]));

    // y = 1: constants 16, 8, 16, cyclic.
    let all = f.shifted::<4>(f.plus(f.plus(a0, a1), a2));
    let cyclic = [
        f.minus(all, f.shifted::<3>(a2)),
        f.minus(all, f.shifted::<3>(a0)),
        f.minus(all, f.shifted::<3>(a1)),
    ];
    // y = -1: constants -8, 1, 1, and x^3 = -1.
    let minus_alternating = [
        f.plus(f.plus(d1, d2), f.shifted::<3>(d0)),
        f.plus(f.minus(d2, d0), f.shifted::<3>(d1)),
        f.minus(f.shifted::<3>(d2), f.plus(d0, d1)),
    ];
    // y = -i: constants -1 + 2i, -1 + i, 4 + 8i, and x^3 = -i.
    let quarter = complex(f, [u0, u1, u2], [v0, v1, v2]);

    let mut out = *s;
    let mut k = 0;
    while k < 3 {
        let four = f.step(Inverse(cyclic[k], minus_alternating[k], quarter[k]));
        [out[k], out[k + 3], out[k + 6], out[k + 9]] = four;
        k += 1;
    }
    out
}

/// The values of s_b + s_(b+3) y + s_(b+6) y^2 + s_(b+9) y^3 at 1, at -1, and the two parts of that at -i.
struct Transform<L>([L; 4]);

impl<F: PackedField> Kernel<F> for Transform<F::Limb> {
    type Output = [F::Limb; 4];

    #[inline(always)]
    fn run(self, f: F) -> [F::Limb; 4] {
        let Self([s0, s3, s6, s9]) = self;
        let (even, odd) = (f.plus(s0, s6), f.plus(s3, s9));
        [f.plus(even, odd), f.minus(even, odd), f.minus(s0, s6), f.minus(s9, s3)]
    }
}

/// The coefficients of the product from its values at 1, at -1 (negated), and the two parts of that at -i.
struct Inverse<L>(L, L, [L; 2]);

impl<F: PackedField> Kernel<F> for Inverse<F::Limb> {
    type Output = [F::Limb; 4];

    #[inline(always)]
    fn run(self, f: F) -> [F::Limb; 4] {
        let Self(cyclic, minus_alternating, [minus_re, im]) = self;
        let even = f.minus(cyclic, minus_alternating);
        let odd = f.plus(cyclic, minus_alternating);
        [f.minus(even, minus_re), f.minus(odd, im), f.plus(even, minus_re), f.plus(odd, im)]
    }
}

/// The product modulo x^3 + i of (-1 + 2i) + (-1 + i) x + (4 + 8i) x^2 and the polynomial with coefficients u + i v: minus
/// the real part, and the imaginary part, of each coefficient.
#[inline(always)]
fn complex<F: PackedField>(f: F, u: [F::Limb; 3], v: [F::Limb; 3]) -> [[F::Limb; 2]; 3] {
    let [z0, z1, z2] = [f.step(Parts(u[0], v[0])), f.step(Parts(u[1], v[1])), f.step(Parts(u[2], v[2]))];
    [
        // (-1 + 2i) z0 + (8 - 4i) z1 + (1 + i) z2
        [f.minus(f.minus(z0.re_2, z1.re_8), z2.re_1), f.plus(f.plus(z0.im_2, z1.im_8), z2.im_1)],
        // (-1 + i) z0 + (-1 + 2i) z1 + (8 - 4i) z2
        [f.minus(f.plus(z0.im_1, z1.re_2), z2.re_8), f.plus(f.plus(z0.re_1, z1.im_2), z2.im_8)],
        // (4 + 8i) z0 + (-1 + i) z1 + (-1 + 2i) z2
        [f.plus(f.plus(z0.im_8, z1.im_1), z2.re_2), f.plus(f.plus(z0.re_8, z1.re_1), z2.im_2)],
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

/// u and v, of which [`Multiples`] are made.
struct Parts<L>(L, L);

impl<F: PackedField> Kernel<F> for Parts<F::Limb> {
    type Output = Multiples<F::Limb>;

    #[inline(always)]
    fn run(self, f: F) -> Multiples<F::Limb> {
        let Self(u, v) = self;
        let (im_1, re_1) = (f.plus(u, v), f.minus(u, v));
        Multiples {
            re_1,
            im_1,
            re_2: f.plus(im_1, v),
            im_2: f.plus(re_1, u),
            re_8: f.shifted::<2>(f.plus(im_1, u)),
            im_8: f.shifted::<2>(f.minus(v, re_1)),
        }
    }
}

/// The circulant matrix of width 8 (row 23, 8, 13, 10, 7, 6, 21, 8), then constants.
struct Mds8<'a, W>(&'a mut [W; 8], &'a [u64; 8]);

impl<W: Copy> Layer<W> for Mds8<'_, W> {
    #[inline(always)]
    fn run<F: PackedField<Word = W>>(self, f: F) {
        let Self(state, constants) = self;
        let mut low = [f.step(Split(state[0]))[0]; 8];
        let mut high = low;
        let mut i = 0;
        while i < 8 {
            [low[i], high[i]] = f.step(Split(state[i]));
            i += 1;
        }
        let (low, high) = (circulant_8(f, &low), circulant_8(f, &high));
        i = 0;
        while i < 8 {
            state[i] = f.step(Join([low[i], high[i]], constants[i]));
            i += 1;
        }
    }
}

/// As polynomials modulo x^8 - 1 = (x^2 - 1) (x^2 + 1) (x^4 + 1); halved at each split, the constants of the parts are
/// 16, 8; -1, -1; and 8, 1, -4, 1. All sums are exact modulo 2^64, and the last ones are at most 96 times a limb.
#[inline(always)]
fn circulant_8<F: PackedField>(f: F, s: &[F::Limb; 8]) -> [F::Limb; 8] {
    let [a0, a1, a2, a3] = [f.plus(s[0], s[4]), f.plus(s[1], s[5]), f.plus(s[2], s[6]), f.plus(s[3], s[7])];
    let [b0, b1, b2, b3] =
        [f.minus(s[0], s[4]), f.minus(s[1], s[5]), f.minus(s[2], s[6]), f.minus(s[3], s[7])];

    // x^4 = 1, of which x^2 = 1: 16, 8, and x^2 = -1: -1, -1.
    let (c0, c1, d0, d1) = (f.plus(a0, a2), f.plus(a1, a3), f.minus(a0, a2), f.minus(a1, a3));
    let even = [f.shifted::<3>(twice_plus(f, c0, c1)), f.shifted::<3>(twice_plus(f, c1, c0))];
    let odd = [f.plus(d0, d1), f.minus(d1, d0)];
    let cyclic = [
        f.minus(even[0], odd[0]),
        f.minus(even[1], odd[1]),
        f.plus(even[0], odd[0]),
        f.plus(even[1], odd[1]),
    ];
    // x^4 = -1: 8, 1, -4, 1.
    let alternating = [
        f.plus(f.shifted::<2>(f.minus(f.shifted::<1>(b0), b2)), f.plus(b1, b3)),
        f.plus(f.shifted::<2>(f.minus(f.shifted::<1>(b1), b3)), f.minus(b2, b0)),
        f.plus(f.shifted::<2>(twice_plus(f, b2, b0)), f.minus(b3, b1)),
        f.minus(f.shifted::<2>(twice_plus(f, b3, b1)), f.plus(b0, b2)),
    ];

    let mut out = *s;
    let mut i = 0;
    while i < 4 {
        out[i] = f.plus(cyclic[i], alternating[i]);
        out[i + 4] = f.minus(cyclic[i], alternating[i]);
        i += 1;
    }
    out
}

/// 2 a + b.
#[inline(always)]
fn twice_plus<F: PackedField>(f: F, a: F::Limb, b: F::Limb) -> F::Limb {
    f.plus(f.shifted::<1>(a), b)
}
