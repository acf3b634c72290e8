//! Committing and opening (spec section 7), by the definition: whole tables of values and weights in the large field.

use super::field::{Field, Large, large_bytes};
use super::multilinear::{add_multiple, dot, eq, eq_weights, evaluate, fold};
use super::shape::{Level, Shape};
use super::transcript::{Squeeze, Transcript, pow};
use super::tree::{Digest, Tree, hash_leaf};
use super::{Error, MAX_CLAIMS};

/// `d` of messages that are encoded by the sum over the basis; longer ones take the transform, or hours.
const LONGEST_BY_DEFINITION: u8 = 9;

/// An encoded matrix and the tree over its rows: what the prover keeps of one level.
#[derive(Clone, Debug)]
pub struct Matrix<N> {
    /// The field of the entries.
    pub field: Field,
    /// Row `q` is leaf `q`.
    pub rows: Vec<Vec<N>>,
    /// The tree over the rows.
    pub tree: Tree,
}

impl<N: Large> Matrix<N> {
    /// Encodes `v` as level `i` of `shape`: entry `a*c + b` goes to row `a` of column `b`, and columns are encoded.
    pub fn encode(shape: &Shape<N>, i: usize, v: &[N]) -> Matrix<N> {
        let columns = 1 << shape.levels()[i].k;
        let column = |b: usize| v.iter().copied().skip(b).step_by(columns).collect();
        let messages: Vec<Vec<N>> = (0..columns).map(column).collect();
        let code = shape.code(i);
        let rows = if shape.levels()[i].d <= LONGEST_BY_DEFINITION {
            code.encode(&messages)
        } else {
            let codewords: Vec<Vec<N>> = messages.iter().map(|message| code.transform(message)).collect();
            (0..codewords[0].len()).map(|q| codewords.iter().map(|codeword| codeword[q]).collect()).collect()
        };
        Matrix::of_rows(shape.field(i), rows)
    }

    /// The tree over any rows; a dishonest prover may choose them freely.
    pub fn of_rows(field: Field, rows: Vec<Vec<N>>) -> Matrix<N> {
        let tree = Tree::new::<N>(rows.iter().map(|row| hash_leaf::<N>(&row_bytes(field, row))).collect());
        Matrix { field, rows, tree }
    }

    /// Row `q` in the large field.
    pub fn row_in_large(&self, q: u64) -> Vec<N> {
        self.row(q).iter().map(|&entry| self.field.into_large(entry)).collect()
    }

    /// What the proof carries for the rows at these positions: the rows, then the siblings.
    pub fn opened(&self, positions: &[u64]) -> Vec<u8> {
        let rows = positions.iter().flat_map(|&q| row_bytes(self.field, self.row(q)));
        rows.chain(self.tree.siblings(positions).into_iter().flatten()).collect()
    }

    fn row(&self, q: u64) -> &[N] {
        &self.rows[usize::try_from(q).expect("a position is an index")]
    }
}

fn row_bytes<N: Large>(field: Field, row: &[N]) -> Vec<u8> {
    row.iter().flat_map(|&entry| field.to_bytes(entry)).collect()
}

/// A committed polynomial, ready to be opened.
#[derive(Clone, Debug)]
pub struct Committed<N> {
    /// Its shape.
    pub shape: Shape<N>,
    /// `phi(f)`.
    pub polynomial: Vec<N>,
    /// Level 0.
    pub matrix: Matrix<N>,
}

/// What opening gives.
#[derive(Clone, Debug)]
pub struct Opening<N> {
    /// The values at the points.
    pub values: Vec<N>,
    /// The proof.
    pub proof: Vec<u8>,
    /// Everything that was squeezed, in order.
    pub squeezes: Vec<Squeeze>,
}

/// Commits to `f`.
///
/// # Errors
///
/// `InvalidInput` if `f` has not `2^mu` elements.
pub fn commit<N: Large>(shape: &Shape<N>, f: &[u32]) -> Result<Committed<N>, Error> {
    if f.len() != 1 << shape.mu() {
        return Err(Error::InvalidInput);
    }
    let elements: Vec<N> = f.iter().map(|&entry| N::from(entry.into())).collect();
    let polynomial = elements.iter().map(|&entry| shape.field(0).into_large(entry)).collect();
    Ok(Committed { shape: shape.clone(), polynomial, matrix: Matrix::encode(shape, 0, &elements) })
}

impl<N: Large> Committed<N> {
    /// The root of level 0.
    pub fn root(&self) -> Digest {
        self.matrix.tree.root()
    }

    /// Proves the values at these points, bound to the application's bytes `ctx`.
    ///
    /// # Errors
    ///
    /// `NoClaims`, `TooManyClaims`, `PointLength`.
    pub fn open(&self, points: &[Vec<N>], ctx: &[u8]) -> Result<Opening<N>, Error> {
        let shape = &self.shape;
        if points.is_empty() {
            return Err(Error::NoClaims);
        }
        if points.len() > MAX_CLAIMS {
            return Err(Error::TooManyClaims);
        }
        if points.iter().any(|point| point.len() != usize::from(shape.mu())) {
            return Err(Error::PointLength);
        }
        let values: Vec<N> = points.iter().map(|z| evaluate(&self.polynomial, z)).collect();

        let mut transcript = Transcript::<N>::default();
        let gamma = transcript.start(shape, &self.root(), points.iter().zip(values.iter().copied()), ctx);
        let mut v = self.polynomial.clone();
        let mut w = eq_weights(shape.mu(), points.iter(), gamma);
        let mut matrix = self.matrix.clone();
        let mut proof = Vec::new();
        for (i, level) in shape.levels().iter().enumerate() {
            // Step 1.
            let mut rho = Vec::new();
            for _ in 0..level.k {
                let (e0, e2) = round(&v, &w);
                let message = large_bytes(&[e0, e2]);
                transcript.absorb("round", &message);
                proof.extend(message);
                let r = transcript.challenge("fold");
                (v, w) = (fold(&v, r), fold(&w, r));
                rho.push(r);
            }
            // Step 2.
            let next = (i < shape.last()).then(|| Matrix::encode(shape, i + 1, &v));
            let (label, message) = match &next {
                Some(next) => ("root", next.tree.root().to_vec()),
                None => ("final", large_bytes(&v)),
            };
            transcript.absorb(label, &message);
            proof.extend(message);
            // Steps 3 and 4.
            proof.extend(grind(&mut transcript, level.grind));
            let positions = transcript.queries(level.d + level.r, level.queries);
            proof.extend(matrix.opened(&positions));
            // Step 5.
            if let Some(next) = next {
                let alpha = transcript.challenge("alpha");
                let rows: Vec<_> = positions.iter().map(|&q| matrix.row_in_large(q)).collect();
                combine(shape, i, &positions, &rows, &rho, alpha, &mut N::default(), &mut w);
                matrix = next;
            }
        }
        Ok(Opening { values, proof, squeezes: transcript.squeezes })
    }
}

/// The two coefficients of a round: `e0 = g(0)`, and `e2`, that of `X^2`.
pub fn round<N: Large>(v: &[N], w: &[N]) -> (N, N) {
    let even = |x: &[N]| -> Vec<N> { x.chunks_exact(2).map(|pair| pair[0]).collect() };
    let sums = |x: &[N]| -> Vec<N> { x.chunks_exact(2).map(|pair| pair[0] ^ pair[1]).collect() };
    (dot(N::FIELD, &even(v), &even(w)), dot(N::FIELD, &sums(v), &sums(w)))
}

/// The smallest nonce, absorbed; its bytes. Nothing for `bits = 0`.
pub fn grind<N: Large>(transcript: &mut Transcript<N>, bits: u8) -> Vec<u8> {
    if bits == 0 {
        return Vec::new();
    }
    let seed = transcript.squeeze("pow-seed", 32);
    let nonce =
        (0..).find(|&nonce| pow::<N>(&seed, nonce).is_multiple_of(1 << bits)).expect("some nonce works");
    transcript.absorb("pow-nonce", &u64::to_le_bytes(nonce));
    nonce.to_le_bytes().to_vec()
}

/// Step 5: adds the claims that the opened rows of level `i` induce, in the powers of alpha from 1 on.
#[allow(clippy::too_many_arguments, reason = "the names of the specification, side by side")]
pub fn combine<N: Large>(
    shape: &Shape<N>,
    i: usize,
    positions: &[u64],
    rows: &[Vec<N>],
    rho: &[N],
    alpha: N,
    sigma: &mut N,
    w: &mut [N],
) {
    let Level { d, .. } = shape.levels()[i];
    assert_eq!(w.len(), 1 << d, "weights of all variables that are left");
    let (code, weights) = (shape.code(i), eq(rho));
    let mut power = alpha;
    for (&q, row) in positions.iter().zip(rows) {
        *sigma ^= power.times(dot(N::FIELD, row, &weights));
        add_multiple(w, power, &code.generator_row_in_large(q));
        power = power.times(alpha);
    }
}
