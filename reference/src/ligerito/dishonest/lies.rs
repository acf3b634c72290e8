//! The lies: each defeats a verifier that leaves out one thing.

use super::super::{Claim, Large, Matrix, dot, grind};
use super::{Lies, View, solve, works};

/// A vector near `v` whose inner product with `w` is `sigma`.
pub(crate) fn adjusted<N: Large>(v: &[N], w: &[N], sigma: N) -> Vec<N> {
    let j = w.iter().position(|&weight| weight != N::default()).expect("the weights are not all zero");
    let mut v = v.to_vec();
    let wrong_by = sigma ^ dot(N::FIELD, &v, w);
    v[j] ^= wrong_by.times(w[j].inverse());
    v
}

/// Commits at one level to a vector that gives what the claims add up to, instead of the folded one; at the last level,
/// sends it. Believes that the verifier does not take the rows of that level as claims.
#[derive(Clone, Copy, Debug)]
pub struct OtherMessage(pub usize);

impl<N: Large> Lies<N> for OtherMessage {
    fn message(&mut self, view: &View<'_, N>) -> Vec<N> {
        if view.level == self.0 { adjusted(view.v, view.w, view.sigma) } else { view.v.to_vec() }
    }

    fn induces(&self, level: usize) -> bool {
        level != self.0
    }
}

/// Sends any root for a later level, chooses the vector when alpha is known, and opens rows of that.
#[derive(Clone, Copy, Debug)]
pub struct LateMessage {
    /// The level that commits.
    pub level: usize,
    /// Sends the vector's own root after all: needs that the root is not bound.
    pub unbound: bool,
}

impl<N: Large> Lies<N> for LateMessage {
    fn unbound(&self) -> Option<&'static str> {
        self.unbound.then_some("root")
    }

    fn late_message(&mut self, view: &View<'_, N>) -> Option<Vec<N>> {
        (view.level == self.level).then(|| adjusted(view.v, view.w, view.sigma))
    }

    fn late_root(&self) -> bool {
        self.unbound
    }
}

/// A nonce that does no work.
#[derive(Clone, Copy, Debug)]
pub struct NoWork(pub usize);

impl<N: Large> Lies<N> for NoWork {
    fn nonce(&mut self, seed: &[u8], bits: u8) -> u64 {
        let lazy = self.0 == 0;
        self.0 = self.0.wrapping_sub(1);
        (0..).find(|&nonce| works::<N>(seed, nonce, bits) != lazy).expect("some nonce does not work")
    }
}

/// Corrects the sum of a false claim in the first round message, whose challenge does not depend on it.
#[derive(Clone, Copy, Debug)]
pub struct UnboundRound;

impl<N: Large> Lies<N> for UnboundRound {
    fn unbound(&self) -> Option<&'static str> {
        Some("round")
    }

    fn round(&mut self, view: &View<'_, N>, (e0, e2): (N, N)) -> (N, N) {
        let wrong_by = view.sigma ^ dot(N::FIELD, view.v, view.w);
        let r = view.transcript.clone().challenge("fold");
        (e0, e2 ^ wrong_by.times((N::one() ^ r).inverse()))
    }
}

/// Two false values whose errors cancel under a gamma that does not depend on them.
#[derive(Clone, Copy, Debug)]
pub struct UnboundValue;

impl<N: Large> Lies<N> for UnboundValue {
    fn unbound(&self) -> Option<&'static str> {
        Some("value")
    }

    fn values(&mut self, gamma: N, claims: &mut [Claim<N>]) {
        claims[0].value ^= N::one();
        claims[1].value ^= gamma.inverse();
    }
}

/// Another point with the same product of the first two bound factors, for challenges that do not depend on it.
#[derive(Clone, Copy, Debug)]
pub struct UnboundPoint;

impl<N: Large> Lies<N> for UnboundPoint {
    fn unbound(&self) -> Option<&'static str> {
        Some("point")
    }

    fn points(&mut self, rho: &[N], claims: &mut [Claim<N>]) {
        let z = &mut claims[0].point;
        let (one, x) = (N::one(), N::from(2));
        let factors = [one ^ z[0] ^ rho[0], one ^ z[1] ^ rho[1]];
        z[0] = one ^ rho[0] ^ factors[0].times(x);
        z[1] = one ^ rho[1] ^ factors[1].times(x.inverse());
    }
}

/// Overwrites every row of level 0 that will not be looked at, since the queries do not depend on the root.
#[derive(Clone, Copy, Debug)]
pub struct UnboundCommitment;

impl<N: Large> Lies<N> for UnboundCommitment {
    fn unbound(&self) -> Option<&'static str> {
        Some("root0")
    }

    fn late_matrix(&mut self, positions: &[u64], matrix: &Matrix<N>) -> Option<Matrix<N>> {
        let keep = |(q, row): (u64, &Vec<N>)| {
            if positions.contains(&q) { row.clone() } else { vec![N::from(q % 7); row.len()] }
        };
        Some(Matrix::of_rows(matrix.field, (0..).zip(&matrix.rows).map(keep).collect()))
    }
}

/// Chooses the final vector when the last queries are known: it gives the false sum and still encodes to those rows.
#[derive(Clone, Copy, Debug)]
pub struct UnboundFinal;

impl<N: Large> Lies<N> for UnboundFinal {
    fn unbound(&self) -> Option<&'static str> {
        Some("final")
    }

    fn message(&mut self, view: &View<'_, N>) -> Vec<N> {
        let (level, code) = (view.shape.levels()[view.level], view.shape.code(view.level));
        if view.level < view.shape.last() {
            return view.v.to_vec();
        }
        let mut ahead = view.transcript.clone();
        grind(&mut ahead, level.grind);
        let mut equations = vec![(view.w.to_vec(), view.sigma ^ dot(N::FIELD, view.v, view.w))];
        for q in ahead.queries(level.d + level.r, level.queries) {
            equations.push((code.generator_row_in_large(q), N::default()));
        }
        view.v.iter().zip(solve(&equations)).map(|(&v, change)| v ^ change).collect()
    }
}

/// Honest, but does not bind one message: a proof for a statement in which that part may be anything.
#[derive(Clone, Copy, Debug)]
pub struct Unbound(pub &'static str);

impl<N: Large> Lies<N> for Unbound {
    fn unbound(&self) -> Option<&'static str> {
        Some(self.0)
    }
}
