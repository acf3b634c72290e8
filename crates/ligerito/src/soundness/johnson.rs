//! Words up to the Johnson radius: how many polynomials one is near to, and how many challenges lead astray, in integers.
//!
//! Source: Theorem J of docs/ligerito.md, section 16, with the constants of ArkLib's `johnsonExceptionCount`.
#![forbid(unsafe_code)]

use crate::shape::Level;
use num_bigint::BigUint;

/// Multiplicities that the analysis of a level chooses from. Any of them gives a bound.
pub(super) const MULTIPLICITIES: [u32; 10] = [1000, 800, 640, 512, 400, 320, 256, 200, 160, 128];

/// What "near" means at a level, and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Radius {
    /// A: a word is near to a polynomial if they agree in so many rows.
    pub(super) agreement: u64,
    /// Most polynomials that a word is near to.
    pub(super) list: u64,
    /// E0, a fraction: challenges that may make a fold of two words nearer than the words are.
    exceptions: [BigUint; 2],
}

impl Radius {
    /// With n rows, D = 2^d - 1 and multiplicity m: A is the least integer with (2 m A)^2 >= n D (2 m + 1)^2, which is the
    /// theorem's (sqrt(D/n) + eta) n for eta = sqrt(D/n) / (2 m).
    pub(super) fn new(level: Level, multiplicity: u32) -> Self {
        let (n, degree) = (1u128 << level.log2_rows(), (1u128 << level.log2_message) - 1);
        let (even, odd) = (2 * u128::from(multiplicity), 2 * u128::from(multiplicity) + 1);
        let agreement = ceil_sqrt(n * degree * odd * odd).div_ceil(even);
        // M is the least integer with 4 D (M + 1)^2 >= n (2 m + 1)^2.
        let m = ceil_sqrt((odd * odd * n).div_ceil(4 * degree)) - 1;
        let h = (odd * odd * n).div_ceil(12 * degree) - 1;
        // Over A - D, since theta = (n - D)/(A - D).
        let apart = agreement - degree;
        let numerator = BigUint::from((2 * m - 1) * h + (n - degree - 1) * m) * apart
            + BigUint::from(h + m + 4 * degree * m * h) * (n - degree);
        // Two members agree in at most D rows: pairs are counted.
        let list = n * apart / (agreement * agreement - n * degree);
        let small = |x: u128| u64::try_from(x).expect("not far above the number of rows");
        Self { agreement: small(agreement), list: small(list), exceptions: [numerator, apart.into()] }
    }

    /// Pairs of polynomials of a list.
    pub(super) fn pairs(&self) -> BigUint {
        BigUint::from(self.list) * self.list.saturating_sub(1) / 2u32
    }

    /// Challenges that lead astray when `rounds` rounds fold `pairs` pairs of columns in all: the exceptions of each pair, and
    /// for every polynomial of the list the two of a sumcheck's round.
    pub(super) fn folds(&self, pairs: u64, rounds: u8) -> [BigUint; 2] {
        let [numerator, denominator] = &self.exceptions;
        let members = BigUint::from(2 * u64::from(rounds)) * self.list;
        [numerator * pairs + members * denominator, denominator.clone()]
    }
}

fn ceil_sqrt(x: u128) -> u128 {
    let floor = x.isqrt();
    floor + u128::from(floor * floor < x)
}
