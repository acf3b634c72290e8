//! The prover: commit once, open any number of times.

use super::commitment::Commitment;
use super::error::Error;
use super::matrix::{Code, Matrix};
use super::pieces;
use super::profile::Profile;
use super::row_hash::RowHash;
use super::shape::{self, Shape};
use super::statement::{self, MAX_CLAIMS};
use super::suite;
use super::weight::{Point, Weight};
use crate::codes::{self, Basis, Transform};
use crate::fields::binary::vectors::{self, Factor, Round};
use crate::fields::binary::{Gf32, Gf128, gf32s, le_bytes};
use crate::simd::Level;
use crate::threads::{Inline, Pool};
use crate::transcripts::Transcript;
use alloc::vec;
use alloc::vec::Vec;

/// Commits to the polynomial whose 2^mu coefficients on the Boolean cube are `polynomial`, each an element of GF(2^32).
///
/// Gives what is published and what openings are made from; the latter holds the encoded polynomial, 2^r times as long as
/// the polynomial, and borrows the polynomial itself. Not hiding.
///
/// # Errors
/// [`Error::PolynomialLength`] if no shape is registered for the length; [`Error::TooLarge`] on small address spaces.
pub fn commit(profile: Profile, polynomial: &[u32]) -> Result<(Commitment, ProverData<'_>), Error> {
    commit_on(&Inline, profile, polynomial)
}

/// [`commit`] on the threads of a pool. The answer is the same.
///
/// # Errors
/// As [`commit`].
pub fn commit_on<'a>(
    pool: &dyn Pool,
    profile: Profile,
    polynomial: &'a [u32],
) -> Result<(Commitment, ProverData<'a>), Error> {
    commit_watched(pool, profile, polynomial, &|_, _| ())
}

/// [`commit_on`], which calls `progress(rows done, rows in all)` from time to time, on any thread. Both count the rows of
/// the encoded matrix; what follows the last call takes a small part of the time.
///
/// # Errors
/// As [`commit`].
pub fn commit_watched<'a>(
    pool: &dyn Pool,
    profile: Profile,
    polynomial: &'a [u32],
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<(Commitment, ProverData<'a>), Error> {
    let unregistered = Error::PolynomialLength { got: polynomial.len() };
    if !polynomial.len().is_power_of_two() {
        return Err(unregistered);
    }
    let variables = u8::try_from(polynomial.len().ilog2()).expect("below 64");
    let shape = profile.shape(variables).ok_or(unregistered)?;
    let data = ProverData::commit(pool, suite::SUITE, shape, polynomial, progress)?;
    Ok((Commitment::new(profile, variables, data.root()), data))
}

/// What the prover keeps of a commitment, to open it.
pub struct ProverData<'a> {
    suite: &'static str,
    shape: Shape,
    polynomial: &'a [Gf32],
    code: Code<Gf32>,
    matrix: Matrix<Gf32>,
}

/// Values at points and the proof that they are right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The value at each point, in the order of the points.
    pub values: Vec<Gf128>,
    /// The proof, for all of them.
    pub proof: Vec<u8>,
}

impl<'a> ProverData<'a> {
    pub(super) fn commit(
        pool: &dyn Pool,
        suite: &'static str,
        shape: Shape,
        polynomial: &'a [u32],
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Self, Error> {
        if polynomial.len() as u64 != 1 << shape.variables() {
            return Err(Error::PolynomialLength { got: polynomial.len() });
        }
        let first = shape.levels()[0];
        let encoded_len_bytes = u128::from(shape.variables()) + 2 + u128::from(first.log2_inverse_rate);
        if encoded_len_bytes >= u128::from(usize::BITS) - 1 {
            return Err(Error::TooLarge);
        }
        let polynomial = gf32s(polynomial);
        let code = code(first);
        let matrix = Matrix::commit(pool, Level::current(), &code, polynomial, progress);
        Ok(Self { suite, shape, polynomial, code, matrix })
    }

    /// The root of the tree over the encoded rows.
    #[must_use]
    pub fn root(&self) -> [u8; 32] {
        self.matrix.root()
    }

    /// The shape of the proofs.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The values at `points`, and one proof for all of them. `context` is bound to the proof: who verifies has to name
    /// the same. The same input gives the same proof.
    ///
    /// # Errors
    /// [`Error::NoClaims`], [`Error::TooManyClaims`], or [`Error::PointLength`] unless every point has a coordinate for
    /// every variable.
    pub fn open(&self, points: &[&[Gf128]], context: &[u8]) -> Result<Opening, Error> {
        self.open_on(&Inline, points, context)
    }

    /// [`open`](Self::open) on the threads of a pool. The answer is the same.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_on(&self, pool: &dyn Pool, points: &[&[Gf128]], context: &[u8]) -> Result<Opening, Error> {
        let wanted = usize::from(self.shape.variables());
        if points.is_empty() {
            return Err(Error::NoClaims);
        }
        if points.len() > MAX_CLAIMS {
            return Err(Error::TooManyClaims { got: points.len() });
        }
        for (claim, point) in points.iter().enumerate() {
            if point.len() != wanted {
                return Err(Error::PointLength { claim, got: point.len(), wanted });
            }
        }
        let weights = points.iter().map(|point| Point(point)).collect();
        Ok(self.open_weights(pool, weights, context))
    }

    /// The values of weighted sums, and one proof for all of them.
    pub(super) fn open_weights<W: Weight>(
        &self,
        pool: &dyn Pool,
        weights: Vec<W>,
        context: &[u8],
    ) -> Opening {
        let level = Level::current();
        let first = self.shape.levels()[0];
        let split = |weight| Split::new(pool, level, self.polynomial, weight, first);
        let parts: Vec<Split> = weights.iter().map(split).collect();
        let values: Vec<Gf128> = parts.iter().map(|part| part.value(level)).collect();
        let claims: Vec<_> = weights.into_iter().zip(values.iter().copied()).collect();
        let mut prover = Prover {
            level,
            pool,
            transcript: statement::begin(self.suite, context, &self.shape, &self.root(), &claims),
            proof: Vec::with_capacity(self.shape.max_proof_len_bytes()),
        };
        prover.run(self, parts);
        Opening { values, proof: prover.proof }
    }
}

/// A weight prepared for the first level: f against the upper factors, and the lower ones.
struct Split {
    terms: Vec<Term>,
}

struct Term {
    /// g\[c\] = sum over a of f\[a, c\] (tensor of the upper factors)\[a\].
    folded: Vec<Gf128>,
    /// The tensor of the lower factors.
    lower: Vec<Gf128>,
    /// The upper factors.
    upper: Vec<Factor>,
}

impl Split {
    fn new<W: Weight>(
        pool: &dyn Pool,
        level: Level,
        polynomial: &[Gf32],
        weight: &W,
        first: shape::Level,
    ) -> Self {
        let mut terms = Vec::new();
        for factors in weight.tensors() {
            let (lower, upper) = factors.split_at(usize::from(first.log2_columns));
            let folded = pieces::combine_rows(pool, level, polynomial, first.columns(), upper);
            terms.push(Term {
                folded,
                lower: vectors::tensor(level, Gf128(1), lower),
                upper: upper.to_vec(),
            });
        }
        Self { terms }
    }

    fn value(&self, level: Level) -> Gf128 {
        let mut sum = Gf128(0);
        for term in &self.terms {
            sum += vectors::inner(level, &term.folded, &term.lower);
        }
        sum
    }
}

/// The prover between two messages.
struct Prover<'p> {
    level: Level,
    pool: &'p dyn Pool,
    transcript: Transcript,
    proof: Vec<u8>,
}

impl Prover<'_> {
    fn run(&mut self, data: &ProverData<'_>, parts: Vec<Split>) {
        let levels = data.shape.levels();
        let (mut v, mut w) = self.first_rounds(data, parts);
        // The level whose rows are opened next is level 0 first.
        let mut before: Option<(Code<Gf128>, Matrix<Gf128>)> = None;
        for (index, level) in levels.iter().enumerate() {
            if index > 0 {
                self.rounds(*level, &mut v, &mut w);
            }
            let next = levels.get(index + 1).map(|next| self.commit(code(*next), &v));
            if next.is_none() {
                self.send_final(&v);
            }
            self.work(*level);
            match &before {
                None => self.open(*level, &data.code, &data.matrix, next.is_some().then_some(&mut w)),
                Some((code, matrix)) => self.open(*level, code, matrix, next.is_some().then_some(&mut w)),
            }
            before = next;
        }
    }

    /// The rounds of level 0 on tables as long as a row, and then the folded polynomial and its weights.
    fn first_rounds(&mut self, data: &ProverData<'_>, mut parts: Vec<Split>) -> (Vec<Gf128>, Vec<Gf128>) {
        let gamma = self.transcript.challenge("gamma");
        let first = data.shape.levels()[0];
        let mut scale = Gf128(1);
        for part in &mut parts {
            for term in &mut part.terms {
                term.lower.iter_mut().for_each(|x| *x *= scale);
            }
            scale *= gamma;
        }
        let mut terms: Vec<Term> = parts.into_iter().flat_map(|part| part.terms).collect();
        let mut factors = Vec::new();
        for _ in 0..first.log2_columns {
            let mut message = Round { at_zero: Gf128(0), leading: Gf128(0) };
            for term in &terms {
                let round = vectors::round(self.level, &term.folded, &term.lower);
                message.at_zero += round.at_zero;
                message.leading += round.leading;
            }
            let challenge = self.round(message);
            for term in &mut terms {
                vectors::fold(self.level, &mut term.folded, challenge);
                vectors::fold(self.level, &mut term.lower, challenge);
            }
            factors.push(Factor::Equal(challenge));
        }
        let folding = vectors::tensor(self.level, Gf128(1), &factors);
        let mut v = vec![Gf128(0); first.message_len()];
        pieces::combine_columns(self.pool, self.level, data.polynomial, &folding, &mut v);
        // The lower table is bound to one entry by now: gamma's power times the factors at the challenges.
        let mut weights = terms.iter().map(|term| vectors::tensor(self.level, term.lower[0], &term.upper));
        let mut w = weights.next().unwrap_or_else(|| vec![Gf128(0); first.message_len()]);
        weights.for_each(|more| vectors::add_assign(&mut w, &more));
        (v, w)
    }

    /// The rounds of a later level.
    fn rounds(&mut self, level: shape::Level, v: &mut Vec<Gf128>, w: &mut Vec<Gf128>) {
        let mut message = vectors::round(self.level, v, w);
        for _ in 0..level.log2_columns {
            let challenge = self.round(message);
            message = vectors::fold_round(self.level, v, w, challenge);
        }
    }

    /// Sends one message of a sumcheck, and gives its challenge.
    fn round(&mut self, message: Round) -> Gf128 {
        let elements = [message.at_zero, message.leading];
        self.transcript.absorb_elements("round", &elements);
        elements.iter().for_each(|x| self.proof.extend(x.to_le_bytes()));
        self.transcript.challenge("fold")
    }

    fn commit(&mut self, code: Code<Gf128>, v: &[Gf128]) -> (Code<Gf128>, Matrix<Gf128>) {
        let matrix = Matrix::commit_and_forget(self.pool, self.level, &code, v.to_vec());
        let root = matrix.root();
        self.proof.extend(root);
        self.transcript.absorb("root", &[&root]);
        (code, matrix)
    }

    fn send_final(&mut self, v: &[Gf128]) {
        self.proof.extend_from_slice(&le_bytes(v));
        self.transcript.absorb_elements("final", v);
    }

    /// Does the level's proof of work, if it has one.
    fn work(&mut self, level: shape::Level) {
        if level.grinding_bits > 0 {
            let mut seed = [0; 32];
            self.transcript.squeeze("pow-seed", &mut seed);
            let nonce = suite::grind(self.level, &seed, level.grinding_bits).to_le_bytes();
            self.proof.extend(nonce);
            self.transcript.absorb("pow-nonce", &[&nonce]);
        }
    }

    /// Draws the queries and sends what they open. Unless the level is the last one, what the rows say of the next message
    /// joins its weights `w`; the sum is not the prover's business.
    fn open<F: Transform>(
        &mut self,
        level: shape::Level,
        code: &Code<F>,
        matrix: &Matrix<F>,
        w: Option<&mut Vec<Gf128>>,
    ) {
        let queries = self.transcript.queries(level.log2_rows(), usize::from(level.queries));
        let opened = matrix.open(self.pool, self.level, code, &queries);
        self.proof.extend_from_slice(&le_bytes(&opened.rows));
        self.proof.extend(opened.siblings.as_flattened());
        if let Some(w) = w {
            let weights = self.powers(queries.len());
            codes::induce(self.pool, self.level, &code.basis, &queries, &weights, w);
        }
    }

    /// alpha, alpha^2, …
    fn powers(&mut self, count: usize) -> Vec<Gf128> {
        let alpha = self.transcript.challenge("alpha");
        let mut power = Gf128(1);
        (0..count)
            .map(|_| {
                power *= alpha;
                power
            })
            .collect()
    }
}

/// The code of a level.
fn code<F: Transform>(level: shape::Level) -> Code<F> {
    Code {
        basis: Basis::new(level.log2_rows()),
        scales: Vec::new(),
        log2_message: usize::from(level.log2_message),
        log2_columns: usize::from(level.log2_columns),
        hash: RowHash::Own,
    }
}
