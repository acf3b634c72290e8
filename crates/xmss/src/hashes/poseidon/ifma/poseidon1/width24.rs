//! Width 24: the matrix in split form throughout (docs/koalabear.md, "Poseidon1").
//!
//! Tried while all stages were one function, on a busy machine, and not since (Zen 5, 2026-11-21, ns a lane): S-boxes
//! of one vector written between the layers of the other's matrix, 142 against 130; the recurrence's terms that do not
//! depend on the S-box one round ahead, 130 against 117.
#![allow(unsafe_code, reason = "enters functions compiled for AVX-512 on the strength of the witness")]

use super::super::super::constants as c;
use super::super::ops::{CARRY, R, Vector, add_mod, inverse_mod, mul_mod, pow_mod, sub_mod};
use super::cube::{Cube, CubeLanes, add_constants};
use super::ring::{self, Matrix, ROOT, UNIT};
use core::arch::x86_64::__m512i;
use phalanx_core::simd::Ifma;

/// The matrix modulo one factor `x^3 - e`: a Toeplitz matrix of size 3, prepared for six products.
#[derive(Clone, Copy)]
struct Toeplitz3 {
    /// For the sums of words 2 and 1, 2 and 0, 1 and 0.
    pairs: [u64; 3],
    /// For words 2, 1, 0.
    singles: [u64; 3],
    /// Half of the start value of a result.
    start: u64,
}

/// The partial rounds modulo one factor (docs: recurrence of order 3).
#[derive(Clone, Copy)]
struct Recurrence {
    /// Characteristic coefficients of the matrix: trace, minus the second, determinant. In R form.
    next: [u64; 3],
    /// First row of the matrix and of its inverse: the words before the first round and before the two before.
    now: [u64; 3],
    past: [u64; 3],
    /// Word 0 of the result, from the three terms of the recurrence.
    leave: [u64; 3],
    /// Words 1 and 2, from word 0, the last two rounds' words and the last difference.
    leave_more: [[u64; 4]; 2],
    leave_start: [u64; 3],
}

/// Everything the rounds read.
struct Table {
    /// Constants of the first round, in R form.
    first: [u64; 24],
    /// Start values of the S-boxes in the full rounds before and after the partial ones.
    initial: [[u64; 24]; 4],
    terminal: [[u64; 24]; 4],
    matrix: [Toeplitz3; 8],
    partial: [Recurrence; 8],
    /// Added to three times the sum of the split words: constants, less the offsets that products leave.
    constants: [u64; 23],
    /// Start value of the square in the partial rounds.
    square: u64,
}

/// Residue of the polynomial with these coefficients modulo `x^3 - e`.
const fn residue(f: &[u64; 24], e: u64) -> [u64; 3] {
    let mut out = [0; 3];
    let mut i = 24;
    while i > 0 {
        i -= 3;
        let mut j = 0;
        while j < 3 {
            out[j] = add_mod(mul_mod(out[j], e), f[i + j]);
            j += 1;
        }
    }
    out
}

/// `m_i x_i` summed.
const fn dot(m: &[u64; 3], x: &[u64; 3]) -> u64 {
    add_mod(add_mod(mul_mod(m[0], x[0]), mul_mod(m[1], x[1])), mul_mod(m[2], x[2]))
}

/// `scale x`.
const fn times<const N: usize>(scale: u64, x: &[u64; N]) -> [u64; N] {
    let mut out = *x;
    let mut i = 0;
    while i < N {
        out[i] = mul_mod(scale, x[i]);
        i += 1;
    }
    out
}

/// Characteristic coefficients: `A^3 = s[0] A^2 + s[1] A + s[2]`.
const fn characteristic(a: &Matrix<3>) -> [u64; 3] {
    let trace = add_mod(add_mod(a[0][0], a[1][1]), a[2][2]);
    let second = add_mod(add_mod(minor2(a, 0, 1, 0, 1), minor2(a, 0, 2, 0, 2)), minor2(a, 1, 2, 1, 2));
    let determinant = add_mod(
        sub_mod(mul_mod(a[0][0], minor2(a, 1, 2, 1, 2)), mul_mod(a[0][1], minor2(a, 1, 2, 0, 2))),
        mul_mod(a[0][2], minor2(a, 1, 2, 0, 1)),
    );
    [trace, ring::negate(second), determinant]
}

/// The determinant of rows `i`, `j` and columns `k`, `l`.
const fn minor2(a: &Matrix<3>, i: usize, j: usize, k: usize, l: usize) -> u64 {
    sub_mod(mul_mod(a[i][k], a[j][l]), mul_mod(a[i][l], a[j][k]))
}

/// Matrix of the product with `f` modulo `x^3 - e`.
const fn multiplication(f: &[u64; 3], e: u64) -> Matrix<3> {
    let (g1, g2) = (mul_mod(e, f[1]), mul_mod(e, f[2]));
    [[f[0], g2, g1], [f[1], f[0], g2], [f[2], f[1], f[0]]]
}

impl Toeplitz3 {
    /// `scale` times the matrix, results from `start` units up.
    const fn new(a: &Matrix<3>, scale: u64, units: u64) -> Self {
        // Over the words in the order 2, 1, 0 the entries depend on the sum of the indices only: h[i + j].
        let h = times(mul_mod(scale, R), &[a[0][2], a[0][1], a[0][0], a[1][0], a[2][0]]);
        // Twice the start is CARRY plus an even multiple of p, or an odd one where CARRY is odd.
        Self {
            pairs: [h[1], h[2], h[3]],
            singles: [
                sub_mod(sub_mod(h[0], h[1]), h[2]),
                sub_mod(sub_mod(h[2], h[1]), h[3]),
                sub_mod(sub_mod(h[4], h[2]), h[3]),
            ],
            start: mul_mod(CARRY, inverse_mod(2)) + units * UNIT / 2,
        }
    }
}

static TABLE: Table = {
    let m: Matrix<24> = ring::circulant(&c::P1_MDS_24);
    let inverse = ring::invert(&m);
    let rounds = &c::P1_ROUNDS_24;
    let mut f = [0; 24];
    let mut i = 0;
    while i < 24 {
        f[i] = m[i][0];
        i += 1;
    }

    // Split words 0 have scale 3 beta, their sum is 24 beta times word 0, and beta^2 = R^2 / 72^3 (docs).
    let root2 = add_mod(pow_mod(ROOT, 2), pow_mod(ROOT, 14));
    assert!(mul_mod(root2, root2) == 2, "a root of two");
    let beta = mul_mod(R, inverse_mod(mul_mod(72 * 6, root2)));
    let three_beta = mul_mod(3, beta);
    // gain^39 R = 3 beta: the fourth S-boxes' outputs have that scale.
    let gain = pow_mod(mul_mod(three_beta, inverse_mod(R)), ring::root_exponent(39));
    let before = ring::scales(R, gain);
    assert!(ring::cube_scale(before[3]) == three_beta, "scale of the partial rounds");
    let last = mul_mod(pow_mod(R, 82), inverse_mod(pow_mod(gain, 40)));
    let after = ring::scales(pow_mod(last, ring::root_exponent(81)), gain);
    // Merging multiplies by eight.
    let leave = mul_mod(after[0], inverse_mod(8));
    let ratio = mul_mod(leave, inverse_mod(three_beta));
    let eighth = mul_mod(gain, inverse_mod(8));

    let zero = Recurrence {
        next: [0; 3],
        now: [0; 3],
        past: [0; 3],
        leave: [0; 3],
        leave_more: [[0; 4]; 2],
        leave_start: [0; 3],
    };
    let mut t = Table {
        first: ring::scaled(&rounds[0], R),
        initial: [[0; 24]; 4],
        terminal: [[0; 24]; 4],
        matrix: [Toeplitz3 { pairs: [0; 3], singles: [0; 3], start: 0 }; 8],
        partial: [zero; 8],
        constants: [0; 23],
        square: sub_mod(CARRY, mul_mod(R, inverse_mod(72))),
    };
    i = 0;
    while i < 3 {
        t.initial[i] = ring::starts(&inverse, ring::cube_scale(before[i]), &rounds[i + 1]);
        t.terminal[i] = ring::starts(&inverse, ring::cube_scale(after[i]), &rounds[i + 28]);
        i += 1;
    }
    t.initial[3] = [CARRY; 24];
    t.terminal[3] = ring::last_starts(&inverse, gain);
    let mut r = 0;
    while r < 4 {
        i = 0;
        while i < 24 {
            t.initial[r][i] += UNIT * ring::offset(3, i / 3);
            t.terminal[r][i] += UNIT * ring::offset(3, i / 3);
            i += 1;
        }
        r += 1;
    }

    let mut steps = [[0; 3]; 8];
    let mut matrices = [[[0; 3]; 3]; 8];
    let mut inverses = matrices;
    i = 0;
    while i < 8 {
        let e = ring::leaf(3, i);
        let a = multiplication(&residue(&f, e), e);
        t.matrix[i] = Toeplitz3::new(&a, eighth, ring::offset_up(3, i));
        matrices[i] = a;
        inverses[i] = ring::invert(&a);
        steps[i] = characteristic(&a);
        t.partial[i].next = times(R, &steps[i]);
        t.partial[i].now = times(R, &a[0]);
        t.partial[i].past = times(R, &inverses[i][0]);
        t.partial[i].leave = times(mul_mod(ratio, R), &steps[i]);
        i += 1;
    }
    // The response of the whole state to the rounds' constants alone, and the offsets of the split words: of this
    // round, the one before and the one before that.
    let mut response = ring::plus(&[0; 24], &rounds[4]);
    let carry = ring::negate(CARRY);
    let mut offsets = [[carry, 0, carry]; 8];
    let mut r = 0;
    while r < 23 {
        let mut sum = mul_mod(mul_mod(24, beta), response[0]);
        i = 0;
        while i < 8 {
            let [now, past, _] = offsets[i];
            sum = sub_mod(sum, now);
            if r < 22 {
                offsets[i] = [sub_mod(dot(&steps[i], &offsets[i]), CARRY), now, past];
            }
            i += 1;
        }
        t.constants[r] = mul_mod(3, sum);
        response = ring::plus(&ring::apply(&m, &response), &rounds[r + 5]);
        r += 1;
    }
    i = 0;
    while i < 8 {
        let e = ring::leaf(3, i);
        let up = UNIT * ring::offset_up(3, i);
        let p = &mut t.partial[i];
        let wanted = times(leave, &residue(&response, e));
        let have = mul_mod(ratio, dot(&steps[i], &offsets[i]));
        p.leave_start[0] = add_mod(sub_mod(wanted[0], have), CARRY) + up;
        // Word 0 of the result x, of A^-1 x and of A^-2 x determine x.
        let b = &inverses[i];
        let squared_row = [
            dot(&b[0], &[b[0][0], b[1][0], b[2][0]]),
            dot(&b[0], &[b[0][1], b[1][1], b[2][1]]),
            dot(&b[0], &[b[0][2], b[1][2], b[2][2]]),
        ];
        let w = ring::invert(&[[1, 0, 0], b[0], squared_row]);
        let mut j = 1;
        while j < 3 {
            let terms = [
                w[j][0],
                mul_mod(ratio, w[j][1]),
                mul_mod(ratio, w[j][2]),
                mul_mod(mul_mod(mul_mod(3, ratio), w[j][2]), b[0][0]),
            ];
            p.leave_more[j - 1] = times(R, &terms);
            let have = dot(&[terms[0], terms[1], terms[2]], &[wanted[0], offsets[i][0], offsets[i][1]]);
            p.leave_start[j] = add_mod(sub_mod(wanted[j], have), CARRY) + up;
            j += 1;
        }
        i += 1;
    }
    t
};

/// The two stages of the rounds.
pub(super) trait Stages: CubeLanes {
    /// [`full_rounds`]; for vectors, a function of its own.
    #[inline(always)]
    fn full24(self, x: &mut [Self::V; 24], starts: &[[u64; 24]; 4], matrices: usize) {
        full_rounds(self, x, starts, matrices);
    }

    /// [`partial_rounds`], likewise.
    #[inline(always)]
    fn partial24(self, x: &mut [[Self::V; 24]; 2]) {
        partial_rounds(self, x);
    }
}

impl Stages for Vector {
    #[inline(always)]
    fn full24(self, x: &mut [__m512i; 24], starts: &[[u64; 24]; 4], matrices: usize) {
        // SAFETY: the witness proves the target features.
        unsafe { full24(self.0, x, starts, matrices) }
    }

    #[inline(always)]
    fn partial24(self, x: &mut [[__m512i; 24]; 2]) {
        // SAFETY: the witness proves the target features.
        unsafe { partial24(self.0, x) }
    }
}

// The stages of width 24, each compiled once and on its own: 99 ns a lane instead of 119 as one function (Zen 5,
// 2026-11-21). Width 16 stays in one function: a variant in stages took 65 ns instead of 55, but so did the same
// variant with its stages inlined, so the cause lies elsewhere in it (splitting and merging were unrolled over the two
// vectors) and is not known.

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn full24(witness: Ifma, x: &mut [__m512i; 24], starts: &[[u64; 24]; 4], matrices: usize) {
    full_rounds(Vector(witness), x, starts, matrices);
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
fn partial24(witness: Ifma, x: &mut [[__m512i; 24]; 2]) {
    partial_rounds(Vector(witness), x);
}

/// All rounds.
#[inline(always)]
pub(super) fn rounds<A: Stages>(a: A, x: &mut [[A::V; 24]; 2]) {
    let t = &TABLE;
    let mut h = 0;
    while h < 2 {
        add_constants(a, &mut x[h], &t.first);
        a.full24(&mut x[h], &t.initial, 3);
        h += 1;
    }
    a.partial24(x);
    h = 0;
    while h < 2 {
        let x = &mut x[h];
        a.full24(x, &t.terminal, 4);
        let mut i = 0;
        while i < 24 {
            // From scale R^2 to R form: x / R. The last start values make up for the constant that this leaves.
            x[i] = a.divide(a.splat(0), x[i]);
            i += 1;
        }
        h += 1;
    }
}

/// Four layers of S-boxes, three or all four of them with the matrix behind.
#[inline(always)]
fn full_rounds<A: CubeLanes>(a: A, x: &mut [A::V; 24], starts: &[[u64; 24]; 4], matrices: usize) {
    let mut r = 0;
    while r < 4 {
        cubes(a, x, &starts[r]);
        if r < matrices {
            matrix(a, x, &TABLE);
        }
        r += 1;
    }
}

/// S-boxes of a full round.
#[inline(always)]
fn cubes<A: CubeLanes>(a: A, x: &mut [A::V; 24], starts: &[u64; 24]) {
    let first = a.splat(CARRY);
    each!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 => {
        x[I] = a.cube_from(first, a.splat(starts[I]), x[I]);
    });
}

#[inline(always)]
fn split<A: CubeLanes>(a: A, x: &mut [A::V; 24]) {
    ring::split(a, x, 1);
    ring::split(a, x, 2);
    ring::split(a, x, 4);
}

#[inline(always)]
fn merge<A: CubeLanes>(a: A, x: &mut [A::V; 24]) {
    ring::merge(a, x, 4);
    ring::merge(a, x, 2);
    ring::merge(a, x, 1);
}

/// The matrix of a full round.
#[inline(always)]
fn matrix<A: CubeLanes>(a: A, x: &mut [A::V; 24], t: &Table) {
    split(a, x);
    each!(I in 0 1 2 3 4 5 6 7 => {
        let y = toeplitz(a, [x[3 * I], x[3 * I + 1], x[3 * I + 2]], &t.matrix[I]);
        [x[3 * I], x[3 * I + 1], x[3 * I + 2]] = y;
    });
    merge(a, x);
}

/// Two accumulators of products, low and high halves.
type Sums<V> = (V, V);

/// `sums + x c`.
#[inline(always)]
fn add_product<A: CubeLanes>(a: A, (low, high): Sums<A::V>, x: A::V, c: u64) -> Sums<A::V> {
    (a.lo(low, x, a.splat(c)), a.hi(high, x, a.splat(c)))
}

#[inline(always)]
fn toeplitz<A: CubeLanes>(a: A, [x0, x1, x2]: [A::V; 3], t: &Toeplitz3) -> [A::V; 3] {
    let start = (a.splat(0), a.splat(t.start));
    let p = add_product(a, start, a.add(x2, x1), t.pairs[0]);
    let q = add_product(a, start, a.add(x2, x0), t.pairs[1]);
    let r = add_product(a, start, a.add(x1, x0), t.pairs[2]);
    let y0 = add_product(a, (a.add(p.0, q.0), a.add(p.1, q.1)), x2, t.singles[0]);
    let y1 = add_product(a, (a.add(p.0, r.0), a.add(p.1, r.1)), x1, t.singles[1]);
    let y2 = add_product(a, (a.add(q.0, r.0), a.add(q.1, r.1)), x0, t.singles[2]);
    [a.fold(y0.1, y0.0), a.fold(y1.1, y1.0), a.fold(y2.1, y2.0)]
}

/// The scalar product with constants in R form.
#[inline(always)]
fn product<A: CubeLanes, const N: usize>(a: A, start: A::V, x: [A::V; N], c: &[u64; N]) -> A::V {
    let mut sums = (a.splat(0), start);
    let mut i = N;
    while i > 0 {
        i -= 1;
        sums = add_product(a, sums, x[i], c[i]);
    }
    a.fold(sums.1, sums.0)
}

/// Words 0 of all factors, and what the recurrence remembers.
#[derive(Clone, Copy)]
struct Memory<V> {
    /// Word 0.
    z: [V; 8],
    /// Word 0 plus twice the difference, one round ago.
    f: [V; 8],
    /// Word 0 plus three times the difference, one and two rounds ago.
    g: [V; 8],
    g2: [V; 8],
}

/// From the split S-box outputs of the fourth round to the split state before the terminal rounds.
#[inline(always)]
fn partial_rounds<A: CubeLanes>(a: A, x: &mut [[A::V; 24]; 2]) {
    let t = &TABLE;
    split(a, &mut x[0]);
    split(a, &mut x[1]);
    let zero = a.splat(0);
    let mut memory = [Memory { z: [zero; 8], f: [zero; 8], g: [zero; 8], g2: [zero; 8] }; 2];
    let mut h = 0;
    while h < 2 {
        let m = &mut memory[h];
        each!(I in 0 1 2 3 4 5 6 7 => {
            let y = [x[h][3 * I], x[h][3 * I + 1], x[h][3 * I + 2]];
            m.z[I] = product(a, zero, y, &t.partial[I].now);
            m.g2[I] = product(a, zero, y, &t.partial[I].past);
            (m.f[I], m.g[I]) = (y[0], y[0]);
        });
        h += 1;
    }
    let mut d = sum(a, &memory[0].z, t, 0);
    each!(I in 0 1 2 3 4 => {
        a.step::<I>(&mut d);
    });
    let mut d = d.out;
    let mut other = sum(a, &memory[1].z, t, 0);
    let mut r = 1;
    while r < 23 {
        let mut h = 0;
        while h < 2 {
            let m = &mut memory[h];
            let d2 = a.add(d, d);
            let d3 = a.add(d2, d);
            each!(I in 0 1 2 3 4 5 6 7 => {
                if const { I < 5 } {
                    a.step::<I>(&mut other);
                }
                let z = m.z[I];
                m.z[I] = product(a, zero, [a.add(z, d), m.f[I], m.g2[I]], &t.partial[I].next);
                m.f[I] = a.add(z, d2);
                m.g2[I] = m.g[I];
                m.g[I] = a.add(z, d3);
            });
            d = other.out;
            other = sum(a, &m.z, t, r);
            h += 1;
        }
        r += 1;
    }
    let mut h = 0;
    while h < 2 {
        let m = &memory[h];
        let d3 = a.add(a.add(d, d), d);
        each!(I in 0 1 2 3 4 5 6 7 => {
            if const { I < 5 } {
                a.step::<I>(&mut other);
            }
            let p = &t.partial[I];
            let start = p.leave_start;
            let e = a.add(m.z[I], d);
            let y = product(a, a.splat(start[0]), [e, m.f[I], m.g2[I]], &p.leave);
            let terms = [y, a.add(m.z[I], d3), m.g[I], d];
            x[h][3 * I] = y;
            x[h][3 * I + 1] = product(a, a.splat(start[1]), terms, &p.leave_more[0]);
            x[h][3 * I + 2] = product(a, a.splat(start[2]), terms, &p.leave_more[1]);
        });
        d = other.out;
        merge(a, &mut x[h]);
        h += 1;
    }
}

/// The S-box of partial round `r`, not begun: its result is added to word 0, with scale beta.
#[inline(always)]
fn sum<A: CubeLanes>(a: A, z: &[A::V; 8], t: &Table, r: usize) -> Cube<A::V> {
    let [b0, b1, b2, b3] = [a.add(z[0], z[1]), a.add(z[2], z[3]), a.add(z[4], z[5]), a.add(z[6], z[7])];
    let sum = a.add(a.add(b0, b1), a.add(b2, b3));
    let x = a.lo(a.splat(t.constants[r]), sum, a.splat(3));
    Cube::new(a.splat(t.square), a.splat(CARRY), x)
}
