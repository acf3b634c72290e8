//! Width 16: full rounds with the small integer matrix, partial rounds in split form (docs/koalabear.md, "Poseidon1").

use super::super::super::constants as c;
use super::super::ops::{CARRY, Factor, R, add_mod, inverse_mod, mul_mod, pow_mod, sub_mod};
use super::circulant;
use super::cube::{Cube, CubeLanes, add_constants};
use super::ring::{self, Matrix, UNIT};

/// Everything the rounds read.
struct Table {
    /// Constants of the first round, in R form.
    first: [u64; 16],
    /// Start values of the S-boxes in the full rounds before and after the partial ones.
    initial: [[u64; 16]; 4],
    terminal: [[u64; 16]; 4],
    /// Into split form, with the fourth round's matrix.
    enter: [Factor; 16],
    /// The matrix in split form.
    matrix: [Factor; 16],
    /// The same in the last partial round, which prepares the scale of the terminal rounds.
    leave: [Factor; 16],
    leave_start: [u64; 16],
    /// Added to the sum of the split words: constants, less the offsets that products leave.
    partial: [u64; 20],
    /// Start value of the square in the partial rounds.
    square: u64,
}

/// `f(e) mod p` for the polynomial with these coefficients.
const fn evaluate(f: &[u64; 16], e: u64) -> u64 {
    let mut sum = 0;
    let mut i = 16;
    while i > 0 {
        i -= 1;
        sum = add_mod(mul_mod(sum, e), f[i]);
    }
    sum
}

static TABLE: Table = {
    let gain = circulant::GAIN;
    let m: Matrix<16> = ring::circulant(&c::P1_MDS_16);
    let inverse = ring::invert(&m);
    let rounds = &c::P1_ROUNDS_16;
    // First column: the polynomial by which the matrix multiplies.
    let mut f = [0; 16];
    let mut values = [0; 16];
    let mut i = 0;
    while i < 16 {
        f[i] = m[i][0];
        i += 1;
    }
    i = 0;
    while i < 16 {
        values[i] = evaluate(&f, ring::leaf(4, i));
        i += 1;
    }

    // Split words have scale alpha = R / 64 (docs), their sum is 16 alpha times word 0.
    let alpha = mul_mod(R, inverse_mod(64));
    let before = ring::scales(R, gain);
    // gain^40 L^81 / R^80 = R^2 makes the closing reduction a division by R.
    let last = mul_mod(pow_mod(R, 82), inverse_mod(pow_mod(gain, 40)));
    let after = ring::scales(pow_mod(last, ring::root_exponent(81)), gain);
    let gamma = mul_mod(after[0], inverse_mod(16));

    let mut t = Table {
        first: ring::scaled(&rounds[0], R),
        initial: [[0; 16]; 4],
        terminal: [[0; 16]; 4],
        enter: [Factor::ONE; 16],
        matrix: [Factor::ONE; 16],
        leave: [Factor::ONE; 16],
        leave_start: [0; 16],
        partial: [0; 20],
        square: sub_mod(CARRY, mul_mod(R, inverse_mod(16))),
    };
    i = 0;
    while i < 3 {
        t.initial[i] = ring::starts(&inverse, ring::cube_scale(before[i]), &rounds[i + 1]);
        t.terminal[i] = ring::starts(&inverse, ring::cube_scale(after[i]), &rounds[i + 25]);
        i += 1;
    }
    t.terminal[3] = ring::last_starts(&inverse, gain);
    i = 0;
    while i < 16 {
        t.initial[3][i] = CARRY + UNIT * ring::offset(4, i);
        t.enter[i] =
            Factor::new(mul_mod(mul_mod(values[i], alpha), inverse_mod(ring::cube_scale(before[3]))));
        t.matrix[i] = Factor::new(values[i]);
        t.leave[i] = Factor::new(mul_mod(mul_mod(values[i], gamma), inverse_mod(alpha)));
        i += 1;
    }
    // The response of the whole state to the rounds' constants alone, and the offsets of the split words.
    let mut response = ring::plus(&[0; 16], &rounds[4]);
    let mut offsets = [ring::negate(CARRY); 16];
    let mut r = 0;
    while r < 20 {
        let mut sum = mul_mod(mul_mod(16, alpha), response[0]);
        i = 0;
        while i < 16 {
            sum = sub_mod(sum, offsets[i]);
            if r < 19 {
                offsets[i] = sub_mod(mul_mod(values[i], offsets[i]), CARRY);
            }
            i += 1;
        }
        t.partial[r] = sum;
        response = ring::plus(&ring::apply(&m, &response), &rounds[r + 5]);
        r += 1;
    }
    i = 0;
    while i < 16 {
        let wanted = mul_mod(gamma, evaluate(&response, ring::leaf(4, i)));
        let have = mul_mod(mul_mod(mul_mod(values[i], gamma), inverse_mod(alpha)), offsets[i]);
        t.leave_start[i] = add_mod(sub_mod(wanted, have), CARRY) + UNIT * ring::offset_up(4, i);
        i += 1;
    }
    t
};

/// S-boxes of a full round.
#[inline(always)]
fn cubes<A: CubeLanes>(a: A, x: &mut [A::V; 16], starts: &[u64; 16]) {
    let first = a.splat(CARRY);
    each!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
        x[I] = a.cube_from(first, a.splat(starts[I]), x[I]);
    });
}

/// All rounds but the last matrix.
#[inline(always)]
pub(super) fn rounds<A: CubeLanes>(a: A, x: &mut [[A::V; 16]; 2]) {
    let t = &TABLE;
    let mut h = 0;
    while h < 2 {
        add_constants(a, &mut x[h], &t.first);
        h += 1;
    }
    full_rounds(a, x, &t.initial);
    h = 0;
    while h < 2 {
        enter(a, &mut x[h], t);
        h += 1;
    }
    partial_rounds(a, x, t);
    h = 0;
    while h < 2 {
        leave(a, &mut x[h]);
        h += 1;
    }
    full_rounds(a, x, &t.terminal);
}

/// Four layers of S-boxes and the three matrices between them.
#[inline(always)]
fn full_rounds<A: CubeLanes>(a: A, x: &mut [[A::V; 16]; 2], starts: &[[u64; 16]; 4]) {
    let mut r = 0;
    while r < 3 {
        let mut h = 0;
        while h < 2 {
            let mut y = x[h];
            cubes(a, &mut y, &starts[r]);
            x[h] = circulant::multiply(a, &y);
            h += 1;
        }
        r += 1;
    }
    let mut h = 0;
    while h < 2 {
        cubes(a, &mut x[h], &starts[3]);
        h += 1;
    }
}

/// The fourth matrix, into split form.
#[inline(always)]
fn enter<A: CubeLanes>(a: A, x: &mut [A::V; 16], t: &Table) {
    ring::split(a, x, 1);
    ring::split(a, x, 2);
    ring::split(a, x, 4);
    ring::split(a, x, 8);
    let zero = a.splat(0);
    each!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
        x[I] = a.mul_const(zero, x[I], &t.enter[I]);
    });
}

/// Out of split form.
#[inline(always)]
fn leave<A: CubeLanes>(a: A, x: &mut [A::V; 16]) {
    ring::merge(a, x, 8);
    ring::merge(a, x, 4);
    ring::merge(a, x, 2);
    ring::merge(a, x, 1);
}

/// Sum of all words and a constant.
#[inline(always)]
fn sum<A: CubeLanes>(a: A, x: &[A::V; 16], constant: A::V) -> A::V {
    let mut s = [constant; 8];
    let mut i = 0;
    while i < 8 {
        s[i] = a.add(x[i], x[i + 8]);
        i += 1;
    }
    let [a0, a1, a2, a3] = [a.add(s[0], s[4]), a.add(s[1], s[5]), a.add(s[2], s[6]), a.add(s[3], s[7])];
    a.add(a.add(a.add(a0, a1), constant), a.add(a2, a3))
}

/// The partial rounds, the two vectors half a round apart: while one multiplies its words, the other has its S-box,
/// whose five steps are written between the products. Left to the processor (S-box, then products, of one vector after
/// the other), the products of one are always older than the S-box of the other and delay it: 76 cycles a round instead
/// of 58 (Zen 5, 2026-11-21).
#[inline(always)]
fn partial_rounds<A: CubeLanes>(a: A, x: &mut [[A::V; 16]; 2], t: &Table) {
    let (zero, carry, square) = (a.splat(0), a.splat(CARRY), a.splat(t.square));
    let constant = a.splat(t.partial[0]);
    let mut d = a.cube_from(square, carry, sum(a, &x[0], constant));
    let mut other = Cube::new(square, carry, sum(a, &x[1], constant));
    let mut r = 1;
    while r < 20 {
        let constant = a.splat(t.partial[r]);
        let mut h = 0;
        while h < 2 {
            let x = &mut x[h];
            let mut sums = [constant, zero];
            each!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
                if const { I.is_multiple_of(3) && I < 15 } {
                    a.step::<{ I / 3 }>(&mut other);
                }
                x[I] = a.mul_const(zero, a.add(x[I], d), &t.matrix[I]);
                sums[I % 2] = a.add(sums[I % 2], x[I]);
            });
            d = other.out;
            other = Cube::new(square, carry, a.add(sums[0], sums[1]));
            h += 1;
        }
        r += 1;
    }
    each!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
        if const { I.is_multiple_of(3) && I < 15 } {
            a.step::<{ I / 3 }>(&mut other);
        }
        x[0][I] = a.mul_const(a.splat(t.leave_start[I]), a.add(x[0][I], d), &t.leave[I]);
    });
    each!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => {
        x[1][I] = a.mul_const(a.splat(t.leave_start[I]), a.add(x[1][I], other.out), &t.leave[I]);
    });
}

/// The last matrix, with scale `R^2`: [`CubeLanes::divide`] leads back to R form, and the start values of the last
/// S-boxes make up for the constant that it leaves.
#[inline(always)]
pub(super) fn last_layer<A: CubeLanes>(a: A, x: &[A::V; 16]) -> [A::V; 16] {
    circulant::multiply(a, x)
}
