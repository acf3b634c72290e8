//! A prover that can lie at every step. Without lies it is the plain prover; each lie changes one message, and goes on
//! honestly from there. What it makes are the negatives of the fast verifier, and the attacks in the vectors.

pub(crate) mod lies;

pub use lies::{
    LateMessage, NoWork, OtherMessage, Unbound, UnboundCommitment, UnboundFinal, UnboundPoint, UnboundRound,
    UnboundValue,
};

use super::{
    Claim, Digest, Error, Large, Matrix, Omission, Shape, Transcript, combine, eq_weights, fold, large_bytes,
    next_sigma, pow, round, verify_without,
};

/// What a lie may look at when it is told.
pub struct View<'a, N> {
    /// The shape.
    pub shape: &'a Shape<N>,
    /// The level.
    pub level: usize,
    /// To look ahead on a copy.
    pub transcript: &'a Transcript<N>,
    /// The folded polynomial, or what the prover committed in its place.
    pub v: &'a [N],
    /// The weights.
    pub w: &'a [N],
    /// What the verifier takes their inner product for.
    pub sigma: N,
    /// The folding challenges of this level.
    pub rho: &'a [N],
}

/// The steps, each honest unless a lie says otherwise.
pub trait Lies<N: Large> {
    /// Which message the verifier is believed not to bind.
    fn unbound(&self) -> Option<&'static str> {
        None
    }

    /// The values, once gamma is known.
    fn values(&mut self, _gamma: N, _claims: &mut [Claim<N>]) {}

    /// The message of round number `rho.len()` of a level.
    fn round(&mut self, _view: &View<'_, N>, honest: (N, N)) -> (N, N) {
        honest
    }

    /// The vector that is committed for the next level, or sent at the last.
    fn message(&mut self, view: &View<'_, N>) -> Vec<N> {
        view.v.to_vec()
    }

    /// The nonce.
    fn nonce(&mut self, seed: &[u8], bits: u8) -> u64 {
        (0..).find(|&nonce| works::<N>(seed, nonce, bits)).expect("some nonce works")
    }

    /// Another matrix for level 0, once its queries are known; its root becomes the commitment.
    fn late_matrix(&mut self, _positions: &[u64], _matrix: &Matrix<N>) -> Option<Matrix<N>> {
        None
    }

    /// Whether the opened rows of a level become claims.
    fn induces(&self, _level: usize) -> bool {
        true
    }

    /// Another vector for the next level, once alpha is known.
    fn late_message(&mut self, _view: &View<'_, N>) -> Option<Vec<N>> {
        None
    }

    /// Whether the root that was sent becomes that of the late vector.
    fn late_root(&self) -> bool {
        false
    }

    /// The points, once the folding challenges are known.
    fn points(&mut self, _rho: &[N], _claims: &mut [Claim<N>]) {}
}

/// No lie.
#[derive(Clone, Copy, Debug)]
pub struct Honest;

impl<N: Large> Lies<N> for Honest {}

/// A statement and a proof for it, both as the prover wants the verifier to see them.
#[derive(Clone, Debug)]
pub struct Forgery<N> {
    /// The shape.
    pub shape: Shape<N>,
    /// The root of level 0.
    pub root: Digest,
    /// The claims.
    pub claims: Vec<Claim<N>>,
    /// The application's bytes.
    pub context: Vec<u8>,
    /// The proof.
    pub proof: Vec<u8>,
}

impl<N: Large> Forgery<N> {
    /// The plain verdict, by a verifier that leaves something out.
    ///
    /// # Errors
    ///
    /// The first failed check of those that are left.
    pub fn without(&self, omission: Omission) -> Result<(), Error> {
        let Self { shape, root, claims, context, proof } = self;
        verify_without(omission, shape, root, claims, proof, context).map(|_| ())
    }
}

/// Proves `claims` about the vector `v` over the large field, with `matrix` for level 0 and `root` as the commitment.
pub fn prove<N: Large>(
    shape: &Shape<N>,
    v: &[N],
    matrix: &Matrix<N>,
    root: Digest,
    claims: &[Claim<N>],
    context: &[u8],
    lies: &mut dyn Lies<N>,
) -> Forgery<N> {
    let (mut v, mut matrix, mut claims) = (v.to_vec(), matrix.clone(), claims.to_vec());
    let mut commitment = root;
    let mut transcript = Transcript::deaf_to(lies.unbound());
    let gamma =
        transcript.start(shape, &root, claims.iter().map(|claim| (&claim.point, claim.value)), context);
    lies.values(gamma, &mut claims);
    let mut w = eq_weights(shape.mu(), claims.iter().map(|claim| &claim.point), gamma);
    let mut sigma = claims.iter().rev().fold(N::default(), |sigma, claim| sigma.times(gamma) ^ claim.value);
    let (mut proof, mut challenges) = (Vec::new(), Vec::new());
    for (level, sizes) in shape.levels().iter().enumerate() {
        let mut rho = Vec::new();
        macro_rules! view {
            () => {
                &View { shape, level, transcript: &transcript, v: &v, w: &w, sigma, rho: &rho }
            };
        }
        for _ in 0..sizes.k {
            let message = lies.round(view!(), round(&v, &w));
            transcript.absorb("round", &large_bytes(&[message.0, message.1]));
            proof.extend(large_bytes(&[message.0, message.1]));
            let r = transcript.challenge("fold");
            sigma = next_sigma(sigma, message, r);
            (v, w) = (fold(&v, r), fold(&w, r));
            rho.push(r);
        }
        v = lies.message(view!());
        let root_at = proof.len();
        let next = (level < shape.last()).then(|| Matrix::encode(shape, level + 1, &v));
        let (label, message) = match &next {
            Some(next) => ("root", next.tree.root().to_vec()),
            None => ("final", large_bytes(&v)),
        };
        transcript.absorb(label, &message);
        proof.extend(message);
        if sizes.grind > 0 {
            let seed = transcript.squeeze("pow-seed", 32);
            let nonce = lies.nonce(&seed, sizes.grind).to_le_bytes();
            transcript.absorb("pow-nonce", &nonce);
            proof.extend(nonce);
        }
        let positions = transcript.queries(sizes.d + sizes.r, sizes.queries);
        if let Some(late) = lies.late_matrix(&positions, &matrix).filter(|_| level == 0) {
            (commitment, matrix) = (late.tree.root(), late);
        }
        proof.extend(matrix.opened(&positions));
        if let Some(mut next) = next {
            let alpha = transcript.challenge("alpha");
            let rows: Vec<_> = positions.iter().map(|&q| matrix.row_in_large(q)).collect();
            if lies.induces(level) {
                combine(shape, level, &positions, &rows, &rho, alpha, &mut sigma, &mut w);
            }
            if let Some(late) = lies.late_message(view!()) {
                next = Matrix::encode(shape, level + 1, &late);
                v = late;
                if lies.late_root() {
                    proof[root_at..root_at + 32].copy_from_slice(&next.tree.root());
                }
            }
            matrix = next;
        }
        challenges.extend(rho);
    }
    lies.points(&challenges, &mut claims);
    Forgery { shape: shape.clone(), root: commitment, claims, context: context.to_vec(), proof }
}

/// Whether a nonce does the work.
pub fn works<N: Large>(seed: &[u8], nonce: u64, bits: u8) -> bool {
    pow::<N>(seed, nonce).is_multiple_of(1 << bits)
}

/// Some `x` with `<row, x> = value` for every given row and value: elimination, free unknowns zero.
///
/// # Panics
///
/// Panics if there is none.
pub fn solve<N: Large>(equations: &[(Vec<N>, N)]) -> Vec<N> {
    let mut reduced: Vec<(usize, Vec<N>, N)> = Vec::new();
    let subtract = |from: &mut (Vec<N>, N), factor: N, row: &[N], value: N| {
        from.0.iter_mut().zip(row).for_each(|(x, &y)| *x ^= factor.times(y));
        from.1 ^= factor.times(value);
    };
    for equation in equations {
        let mut new = equation.clone();
        for (pivot, row, value) in &reduced {
            let factor = new.0[*pivot];
            subtract(&mut new, factor, row, *value);
        }
        let Some(pivot) = new.0.iter().position(|&x| x != N::default()) else {
            assert_eq!(new.1, N::default(), "the equations contradict each other");
            continue;
        };
        let inverse = new.0[pivot].inverse();
        let row: Vec<N> = new.0.iter().map(|&x| inverse.times(x)).collect();
        let value = inverse.times(new.1);
        for (_, before, sum) in &mut reduced {
            let mut changed = (std::mem::take(before), *sum);
            let factor = changed.0[pivot];
            subtract(&mut changed, factor, &row, value);
            (*before, *sum) = changed;
        }
        reduced.push((pivot, row, value));
    }
    let mut solution = vec![N::default(); equations[0].0.len()];
    for (pivot, _, value) in reduced {
        solution[pivot] = value;
    }
    solution
}
