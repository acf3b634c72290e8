//! A prover that can lie at every step. Without lies it is the plain prover; each lie changes one message, and goes on
//! honestly from there.

use phalanx_reference::ligerito::{
    Claim, Digest, Error, Matrix, Omission, Shape, Transcript, U, combine, eq_weights, fold, next_sigma, pow,
    round, u_bytes, verify_without,
};

/// What a lie may look at when it is told.
pub(crate) struct View<'a> {
    pub(crate) shape: &'a Shape,
    /// The level.
    pub(crate) level: usize,
    /// To look ahead on a copy.
    pub(crate) transcript: &'a Transcript,
    /// The folded polynomial, or what the prover committed in its place.
    pub(crate) v: &'a [u128],
    /// The weights.
    pub(crate) w: &'a [u128],
    /// What the verifier takes their inner product for.
    pub(crate) sigma: u128,
    /// The folding challenges of this level.
    pub(crate) rho: &'a [u128],
}

/// The steps, each honest unless a lie says otherwise.
pub(crate) trait Lies {
    /// Which message the verifier is believed not to bind.
    fn unbound(&self) -> Option<&'static str> {
        None
    }

    /// The values, once gamma is known.
    fn values(&mut self, _gamma: u128, _claims: &mut [Claim]) {}

    /// The message of round number `rho.len()` of a level.
    fn round(&mut self, _view: &View<'_>, honest: (u128, u128)) -> (u128, u128) {
        honest
    }

    /// The vector that is committed for the next level, or sent at the last.
    fn message(&mut self, view: &View<'_>) -> Vec<u128> {
        view.v.to_vec()
    }

    /// The nonce.
    fn nonce(&mut self, seed: &[u8], bits: u8) -> u64 {
        (0..).find(|&nonce| works(seed, nonce, bits)).expect("some nonce works")
    }

    /// Another matrix for level 0, once its queries are known; its root becomes the commitment.
    fn late_matrix(&mut self, _positions: &[u64], _matrix: &Matrix) -> Option<Matrix> {
        None
    }

    /// Whether the opened rows of a level become claims.
    fn induces(&self, _level: usize) -> bool {
        true
    }

    /// Another vector for the next level, once alpha is known.
    fn late_message(&mut self, _view: &View<'_>) -> Option<Vec<u128>> {
        None
    }

    /// Whether the root that was sent becomes that of the late vector.
    fn late_root(&self) -> bool {
        false
    }

    /// The points, once the folding challenges are known.
    fn points(&mut self, _rho: &[u128], _claims: &mut [Claim]) {}
}

/// No lie.
pub(crate) struct Honest;

impl Lies for Honest {}

/// A statement and a proof for it, both as the prover wants the verifier to see them.
#[derive(Clone)]
pub(crate) struct Forgery {
    pub(crate) shape: Shape,
    pub(crate) root: Digest,
    pub(crate) claims: Vec<Claim>,
    pub(crate) context: Vec<u8>,
    pub(crate) proof: Vec<u8>,
}

impl Forgery {
    /// The plain verdict, by a verifier that leaves something out.
    pub(crate) fn without(&self, omission: Omission) -> Result<(), Error> {
        let Self { shape, root, claims, context, proof } = self;
        verify_without(omission, shape, root, claims, proof, context).map(|_| ())
    }
}

/// Proves `claims` about the vector `v` over the large field, with `matrix` for level 0 and `root` as the commitment.
pub(crate) fn prove(
    shape: &Shape,
    v: &[u128],
    matrix: &Matrix,
    root: Digest,
    claims: &[Claim],
    context: &[u8],
    lies: &mut dyn Lies,
) -> Forgery {
    let (mut v, mut matrix, mut claims) = (v.to_vec(), matrix.clone(), claims.to_vec());
    let mut commitment = root;
    let mut transcript = Transcript { deaf_to: lies.unbound(), ..Transcript::default() };
    let gamma =
        transcript.start(shape, &root, claims.iter().map(|claim| (&claim.point, claim.value)), context);
    lies.values(gamma, &mut claims);
    let mut w = eq_weights(shape.mu(), claims.iter().map(|claim| &claim.point), gamma);
    let mut sigma = claims.iter().rev().fold(0, |sigma, claim| U.mul(sigma, gamma) ^ claim.value);
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
            transcript.absorb("round", &u_bytes(&[message.0, message.1]));
            proof.extend(u_bytes(&[message.0, message.1]));
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
            None => ("final", u_bytes(&v)),
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
            let rows: Vec<_> = positions.iter().map(|&q| matrix.row_in_u(q)).collect();
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
pub(crate) fn works(seed: &[u8], nonce: u64, bits: u8) -> bool {
    pow(seed, nonce).is_multiple_of(1 << bits)
}

/// Some `x` with `<row, x> = value` for every given row and value: elimination, free unknowns zero.
///
/// # Panics
///
/// Panics if there is none.
pub(crate) fn solve(equations: &[(Vec<u128>, u128)]) -> Vec<u128> {
    let mut reduced: Vec<(usize, Vec<u128>, u128)> = Vec::new();
    let subtract = |from: &mut (Vec<u128>, u128), factor: u128, row: &[u128], value: u128| {
        from.0.iter_mut().zip(row).for_each(|(x, &y)| *x ^= U.mul(factor, y));
        from.1 ^= U.mul(factor, value);
    };
    for equation in equations {
        let mut new = equation.clone();
        for (pivot, row, value) in &reduced {
            let factor = new.0[*pivot];
            subtract(&mut new, factor, row, *value);
        }
        let Some(pivot) = new.0.iter().position(|&x| x != 0) else {
            assert_eq!(new.1, 0, "the equations contradict each other");
            continue;
        };
        let inverse = U.inverse(new.0[pivot]);
        let row: Vec<u128> = new.0.iter().map(|&x| U.mul(inverse, x)).collect();
        let value = U.mul(inverse, new.1);
        for (_, before, sum) in &mut reduced {
            let mut changed = (std::mem::take(before), *sum);
            let factor = changed.0[pivot];
            subtract(&mut changed, factor, &row, value);
            (*before, *sum) = changed;
        }
        reduced.push((pivot, row, value));
    }
    let mut solution = vec![0; equations[0].0.len()];
    for (pivot, _, value) in reduced {
        solution[pivot] = value;
    }
    solution
}
