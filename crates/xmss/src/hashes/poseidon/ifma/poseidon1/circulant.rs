//! The matrix of width 16 through its small entries: low halves of products only.
//!
//! Nothing here is ever reduced: words are integers modulo `2^52`, and the result, 16 times the matrix product, is
//! below `2^52` as an integer. In between, words may be negative or carry garbage above bit 51; they meet only
//! additions and low halves of products.

use super::super::super::constants as c;
use super::cube::CubeLanes;

/// What the result is times the product.
pub(super) const GAIN: u64 = 16;

/// A Toeplitz matrix of size 2, `[centre above; below centre]`, as `centre`, `above`, `below`: four products. The three
/// products of the larger sizes cost three additions each here and gain nothing clear (Zen 5, 2026-11-21, 57 against 55
/// ns a lane for `compress16` on a busy machine).
#[derive(Clone, Copy)]
struct Toeplitz2([u64; 3]);

/// Size 4: the central block, and the differences of the upper and the lower one to it.
#[derive(Clone, Copy)]
struct Toeplitz4([Toeplitz2; 3]);

/// Size 8, likewise.
struct Toeplitz8([Toeplitz4; 3]);

/// `d[j] = t[j + shift] - t[j + centre]`, or `t[j + centre]` itself where the shifts agree.
const fn block<const N: usize, const M: usize>(t: &[i64; N], shift: usize, centre: usize) -> [i64; M] {
    let mut d = [0; M];
    let mut j = 0;
    while j < M {
        d[j] = t[j + shift] - if shift == centre { 0 } else { t[j + centre] };
        j += 1;
    }
    d
}

impl Toeplitz2 {
    /// From the diagonals, topmost first.
    #[expect(clippy::cast_sign_loss, reason = "modulo 2^52 on purpose")]
    const fn new(t: &[i64; 3]) -> Self {
        let low = super::super::ops::LOW;
        Self([t[1] as u64 & low, t[0] as u64 & low, t[2] as u64 & low])
    }

    #[inline(always)]
    fn apply<A: CubeLanes>(&self, a: A, acc: [A::V; 2], x: [A::V; 2]) -> [A::V; 2] {
        let Self([centre, above, below]) = *self;
        [
            a.lo(a.lo(acc[0], x[0], a.splat(centre)), x[1], a.splat(above)),
            a.lo(a.lo(acc[1], x[1], a.splat(centre)), x[0], a.splat(below)),
        ]
    }
}

impl Toeplitz4 {
    const fn new(t: &[i64; 7]) -> Self {
        Self([
            Toeplitz2::new(&block(t, 2, 2)),
            Toeplitz2::new(&block(t, 0, 2)),
            Toeplitz2::new(&block(t, 4, 2)),
        ])
    }

    #[inline(always)]
    fn apply<A: CubeLanes>(&self, a: A, acc: [A::V; 4], x: [A::V; 4]) -> [A::V; 4] {
        let Self([centre, above, below]) = self;
        let zero = a.splat(0);
        let s = centre.apply(a, [zero; 2], [a.add(x[0], x[2]), a.add(x[1], x[3])]);
        let [y0, y1] = above.apply(a, [a.add(acc[0], s[0]), a.add(acc[1], s[1])], [x[2], x[3]]);
        let [y2, y3] = below.apply(a, [a.add(acc[2], s[0]), a.add(acc[3], s[1])], [x[0], x[1]]);
        [y0, y1, y2, y3]
    }
}

impl Toeplitz8 {
    const fn new(t: &[i64; 15]) -> Self {
        Self([
            Toeplitz4::new(&block(t, 4, 4)),
            Toeplitz4::new(&block(t, 0, 4)),
            Toeplitz4::new(&block(t, 8, 4)),
        ])
    }

    #[inline(always)]
    fn apply<A: CubeLanes>(&self, a: A, x: [A::V; 8]) -> [A::V; 8] {
        let Self([centre, above, below]) = self;
        let zero = a.splat(0);
        let [x0, x1, x2, x3, x4, x5, x6, x7] = x;
        let sums = [a.add(x0, x4), a.add(x1, x5), a.add(x2, x6), a.add(x3, x7)];
        let s = centre.apply(a, [zero; 4], sums);
        let [y0, y1, y2, y3] = above.apply(a, s, [x4, x5, x6, x7]);
        let [y4, y5, y6, y7] = below.apply(a, s, [x0, x1, x2, x3]);
        [y0, y1, y2, y3, y4, y5, y6, y7]
    }
}

/// Coefficients modulo `x^n + 1` of the polynomial whose product modulo `x^16 - 1` is the matrix.
const fn negacyclic<const N: usize>() -> [i64; N] {
    // new[i] = sum_j row[j - i] old[j]: coefficient k is row[-k].
    let mut f = [0; N];
    let mut k = 0;
    while k < 16 {
        let sign = if (k / N).is_multiple_of(2) { 1 } else { -1 };
        f[k % N] += sign * c::P1_MDS_16[(16 - k) % 16] as i64;
        k += 1;
    }
    f
}

/// The diagonals, topmost first, of `scale` times the product with `f` modulo `x^N + 1`.
const fn diagonals<const N: usize, const D: usize>(f: &[i64; N], scale: i64) -> [i64; D] {
    let mut t = [0; D];
    let mut i = 0;
    while i < D {
        // Diagonal i - (N - 1): coefficient of that number, the negative ones wrapped around with a sign.
        t[i] = scale * if i + 1 < N { -f[i + 1] } else { f[i + 1 - N] };
        i += 1;
    }
    t
}

static MOD_8: Toeplitz8 = Toeplitz8::new(&diagonals(&negacyclic::<8>(), 8));
static MOD_4: Toeplitz4 = Toeplitz4::new(&diagonals(&negacyclic::<4>(), 4));
static MOD_2: Toeplitz2 = Toeplitz2::new(&diagonals(&negacyclic::<2>(), 2));
/// Modulo `x + 1` and modulo `x - 1`.
#[expect(clippy::cast_sign_loss, reason = "modulo 2^52 on purpose")]
const MOD_1: [u64; 2] = {
    let alternating = negacyclic::<1>()[0];
    let mut sum = 0;
    let mut k = 0;
    while k < 16 {
        sum += c::P1_MDS_16[k] as u64;
        k += 1;
    }
    [alternating as u64 & super::super::ops::LOW, sum]
};

/// Sums and differences of the two halves.
#[inline(always)]
fn butterfly<A: CubeLanes, const N: usize, const M: usize>(a: A, x: &[A::V; N], y: &[A::V; N]) -> [A::V; M] {
    let mut out = [a.splat(0); M];
    let mut i = 0;
    while i < N {
        out[i] = a.add(x[i], y[i]);
        out[i + N] = a.sub(x[i], y[i]);
        i += 1;
    }
    out
}

/// The halves of `x`, added and subtracted.
#[inline(always)]
fn halves<A: CubeLanes, const M: usize, const N: usize>(a: A, x: &[A::V; M]) -> ([A::V; N], [A::V; N]) {
    let (mut sum, mut difference) = ([a.splat(0); N], [a.splat(0); N]);
    let mut i = 0;
    while i < N {
        sum[i] = a.add(x[i], x[i + N]);
        difference[i] = a.sub(x[i], x[i + N]);
        i += 1;
    }
    (sum, difference)
}

/// 16 times the matrix product. Inputs with `16 * 371 * max < 2^52`; outputs below that, with garbage above bit 51.
#[inline(always)]
pub(super) fn multiply<A: CubeLanes>(a: A, x: &[A::V; 16]) -> [A::V; 16] {
    let zero = a.splat(0);
    let (x, odd8) = halves::<A, 16, 8>(a, x);
    let (x, odd4) = halves::<A, 8, 4>(a, &x);
    let (x, odd2) = halves::<A, 4, 2>(a, &x);
    let (x, odd1) = halves::<A, 2, 1>(a, &x);
    let y = [a.lo(zero, x[0], a.splat(MOD_1[1]))];
    let y: [_; 2] = butterfly(a, &y, &[a.lo(zero, odd1[0], a.splat(MOD_1[0]))]);
    let y: [_; 4] = butterfly(a, &y, &MOD_2.apply(a, [zero; 2], odd2));
    let y: [_; 8] = butterfly(a, &y, &MOD_4.apply(a, [zero; 4], odd4));
    butterfly(a, &y, &MOD_8.apply(a, odd8))
}
