//! The forgeries: each defeats a verifier that leaves out one thing.

use phalanx_reference::ligerito::{Claim, Matrix, U, dot, grind};

use super::cheat::{Lies, View, solve, works};

/// A vector near `v` whose inner product with `w` is `sigma`.
fn adjusted(v: &[u128], w: &[u128], sigma: u128) -> Vec<u128> {
    let j = w.iter().position(|&weight| weight != 0).expect("the weights are not all zero");
    let mut v = v.to_vec();
    let wrong_by = sigma ^ dot(U, &v, w);
    v[j] ^= U.mul(wrong_by, U.inverse(w[j]));
    v
}

/// Commits at one level to a vector that gives what the claims add up to, instead of the folded one; at the last level,
/// sends it. Believes that the verifier does not take the rows of that level as claims.
pub(crate) struct OtherMessage(pub(crate) usize);

impl Lies for OtherMessage {
    fn message(&mut self, view: &View<'_>) -> Vec<u128> {
        if view.level == self.0 { adjusted(view.v, view.w, view.sigma) } else { view.v.to_vec() }
    }

    fn induces(&self, level: usize) -> bool {
        level != self.0
    }
}

/// Sends any root for a later level, chooses the vector when alpha is known, and opens rows of that.
pub(crate) struct LateMessage {
    /// The level that commits.
    pub(crate) level: usize,
    /// Sends the vector's own root after all: needs that the root is not bound.
    pub(crate) unbound: bool,
}

impl Lies for LateMessage {
    fn unbound(&self) -> Option<&'static str> {
        self.unbound.then_some("root")
    }

    fn late_message(&mut self, view: &View<'_>) -> Option<Vec<u128>> {
        (view.level == self.level).then(|| adjusted(view.v, view.w, view.sigma))
    }

    fn late_root(&self) -> bool {
        self.unbound
    }
}

/// A nonce that does no work.
pub(crate) struct NoWork(pub(crate) usize);

impl Lies for NoWork {
    fn nonce(&mut self, seed: &[u8], bits: u8) -> u64 {
        let lazy = self.0 == 0;
        self.0 = self.0.wrapping_sub(1);
        (0..).find(|&nonce| works(seed, nonce, bits) != lazy).expect("some nonce does not work")
    }
}

/// Corrects the sum of a false claim in the first round message, whose challenge does not depend on it.
pub(crate) struct UnboundRound;

impl Lies for UnboundRound {
    fn unbound(&self) -> Option<&'static str> {
        Some("round")
    }

    fn round(&mut self, view: &View<'_>, (e0, e2): (u128, u128)) -> (u128, u128) {
        let wrong_by = view.sigma ^ dot(U, view.v, view.w);
        let r = view.transcript.clone().challenge("fold");
        (e0, e2 ^ U.mul(wrong_by, U.inverse(1 ^ r)))
    }
}

/// Two false values whose errors cancel under a gamma that does not depend on them.
pub(crate) struct UnboundValue;

impl Lies for UnboundValue {
    fn unbound(&self) -> Option<&'static str> {
        Some("value")
    }

    fn values(&mut self, gamma: u128, claims: &mut [Claim]) {
        claims[0].value ^= 1;
        claims[1].value ^= U.inverse(gamma);
    }
}

/// Another point with the same product of the first two bound factors, for challenges that do not depend on it.
pub(crate) struct UnboundPoint;

impl Lies for UnboundPoint {
    fn unbound(&self) -> Option<&'static str> {
        Some("point")
    }

    fn points(&mut self, rho: &[u128], claims: &mut [Claim]) {
        let z = &mut claims[0].point;
        let factors = [1 ^ z[0] ^ rho[0], 1 ^ z[1] ^ rho[1]];
        z[0] = 1 ^ rho[0] ^ U.mul(factors[0], 2);
        z[1] = 1 ^ rho[1] ^ U.mul(factors[1], U.inverse(2));
    }
}

/// Overwrites every row of level 0 that will not be looked at, since the queries do not depend on the root.
pub(crate) struct UnboundCommitment;

impl Lies for UnboundCommitment {
    fn unbound(&self) -> Option<&'static str> {
        Some("root0")
    }

    fn late_matrix(&mut self, positions: &[u64], matrix: &Matrix) -> Option<Matrix> {
        let keep = |(q, row): (u64, &Vec<u128>)| {
            if positions.contains(&q) { row.clone() } else { vec![u128::from(q % 7); row.len()] }
        };
        Some(Matrix::of_rows(matrix.field, (0..).zip(&matrix.rows).map(keep).collect()))
    }
}

/// Chooses the final vector when the last queries are known: it gives the false sum and still encodes to those rows.
pub(crate) struct UnboundFinal;

impl Lies for UnboundFinal {
    fn unbound(&self) -> Option<&'static str> {
        Some("final")
    }

    fn message(&mut self, view: &View<'_>) -> Vec<u128> {
        let (level, code) = (view.shape.levels()[view.level], view.shape.code(view.level));
        if view.level < view.shape.last() {
            return view.v.to_vec();
        }
        let mut ahead = view.transcript.clone();
        grind(&mut ahead, level.grind);
        let mut equations = vec![(view.w.to_vec(), view.sigma ^ dot(U, view.v, view.w))];
        for q in ahead.queries(level.d + level.r, level.queries) {
            equations.push((code.generator_row_in_u(q), 0));
        }
        view.v.iter().zip(solve(&equations)).map(|(v, change)| v ^ change).collect()
    }
}

/// Honest, but does not bind one message: a proof for a statement in which that part may be anything.
pub(crate) struct Unbound(pub(crate) &'static str);

impl Lies for Unbound {
    fn unbound(&self) -> Option<&'static str> {
        Some(self.0)
    }
}
