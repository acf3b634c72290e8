//! The prover: commit once, open any number of times.
#![forbid(unsafe_code)]

use super::commitment::CommitmentOf;
use super::error::Error;
use super::matrix::{Code, Matrix};
use super::parallel;
use super::preset::PresetOf;
use super::row_hash::RowHash;
use super::shape::{self, Shape};
use super::statement::{self, MAX_CLAIMS};
use super::suite::Hashing;
use super::weight::{Point, Weight};
use crate::binary::vectors::{self, Factor, Round};
use crate::binary::{ChallengeField, Gf32, Gf128, gf32s, le_bytes};
use crate::codes::{self, Basis, Transform};
use crate::transcripts::Transcript;
use alloc::vec::Vec;
use core::{iter, mem};
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Inline, Pool};

/// Commits under a preset of any suite. Calls `progress(rows done, rows in all)` from time to time, on any thread.
///
/// # Errors
/// [`Error::PolynomialLength`] if no shape is registered for the length; [`Error::TooLarge`] on small address spaces.
pub(crate) fn commit<'a, P: PresetOf>(
    pool: &dyn Pool,
    preset: P,
    polynomial: &'a [u32],
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<(CommitmentOf<P>, ProverData<'a, P::Challenge>), Error> {
    let unregistered = Error::PolynomialLength { got: polynomial.len() };
    if !polynomial.len().is_power_of_two() {
        return Err(unregistered);
    }
    let variables = u8::try_from(polynomial.len().ilog2()).expect("below 64");
    let shape = preset.shape(variables).ok_or(unregistered)?;
    let data = ProverData::commit(pool, P::HASHING, P::SUITE, shape, polynomial, progress)?;
    Ok((CommitmentOf::new(preset, variables, data.root()), data))
}

/// What the prover keeps of a commitment, to open it at points of `E`^mu.
pub struct ProverData<'a, E = Gf128> {
    hashing: &'static Hashing,
    suite: &'static str,
    shape: Shape,
    polynomial: &'a [Gf32],
    code: Code<Gf32>,
    matrix: Matrix<Gf32>,
    /// [`open_points`](Self::open_points), named where the field is known: so it is compiled in this crate, once for
    /// each field, and not again in every crate that opens.
    open: Open<E>,
}

type Open<E> = fn(&ProverData<'_, E>, &dyn Pool, &[&[E]], &[u8]) -> Result<Opening<E>, Error>;

/// Values at points and the proof that they are right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening<E = Gf128> {
    /// The value at each point, in the order of the points.
    pub values: Vec<E>,
    /// The proof, for all of them.
    pub proof: Vec<u8>,
}

#[expect(private_bounds, reason = "sealed: only this crate knows what a field is")]
impl<'a, E: ChallengeField> ProverData<'a, E> {
    pub(super) fn commit(
        pool: &dyn Pool,
        hashing: &'static Hashing,
        suite: &'static str,
        shape: Shape,
        polynomial: &'a [u32],
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Self, Error> {
        if polynomial.len() as u64 != 1 << shape.variables() {
            return Err(Error::PolynomialLength { got: polynomial.len() });
        }
        if shape.challenge_len_bytes() != E::LEN_BYTES {
            return Err(Error::InvalidShape);
        }
        let first = shape.levels()[0];
        let encoded_len_bytes = u128::from(shape.variables()) + 2 + u128::from(first.log2_inverse_rate);
        if encoded_len_bytes >= u128::from(usize::BITS) - 1 {
            return Err(Error::TooLarge);
        }
        let polynomial = gf32s(polynomial);
        let code = code(hashing, first);
        let matrix = Matrix::commit(pool, Isa::current(), &code, polynomial, progress);
        Ok(Self { hashing, suite, shape, polynomial, code, matrix, open: Self::open_points })
    }

    /// The root of the tree over the encoded rows. It does not bind the shape: what is published is the
    /// [`Commitment`](crate::Commitment), which has the preset and the number of variables beside it.
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
    pub fn open(&self, points: &[&[E]], context: &[u8]) -> Result<Opening<E>, Error> {
        self.open_on(&Inline, points, context)
    }

    /// [`open`](Self::open) on the threads of a pool. The answer is the same.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_on(&self, pool: &dyn Pool, points: &[&[E]], context: &[u8]) -> Result<Opening<E>, Error> {
        (self.open)(self, pool, points, context)
    }

    fn open_points(
        data: &ProverData<'_, E>,
        pool: &dyn Pool,
        points: &[&[E]],
        context: &[u8],
    ) -> Result<Opening<E>, Error> {
        let wanted = usize::from(data.shape.variables());
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
        Ok(data.open_weights(pool, weights, context))
    }

    /// The values of weighted sums, and one proof for all of them.
    pub(super) fn open_weights<W: Weight<E>>(
        &self,
        pool: &dyn Pool,
        weights: Vec<W>,
        context: &[u8],
    ) -> Opening<E> {
        let isa = Isa::current();
        let first = self.shape.levels()[0];
        let split = |weight| Split::new(pool, isa, self.polynomial, weight, first);
        let parts: Vec<Split<E>> = weights.iter().map(split).collect();
        let values: Vec<E> = parts.iter().map(|part| part.value(isa)).collect();
        let claims: Vec<_> = weights.into_iter().zip(values.iter().copied()).collect();
        let mut prover = Prover {
            isa,
            pool,
            hashing: self.hashing,
            transcript: statement::begin(
                self.hashing,
                self.suite,
                context,
                &self.shape,
                &self.root(),
                &claims,
            ),
            proof: Vec::new(),
        };
        prover.run(self, parts);
        Opening { values, proof: prover.proof }
    }
}

/// A weight prepared for the first level: f against the upper factors, and the lower ones.
struct Split<E> {
    terms: Vec<Term<E>>,
}

struct Term<E> {
    /// g\[c\] = sum over a of f\[a, c\] (tensor of the upper factors)\[a\].
    folded: Vec<E>,
    /// The tensor of the lower factors.
    lower: Vec<E>,
    /// The upper factors.
    upper: Vec<Factor<E>>,
}

impl<E: ChallengeField> Split<E> {
    fn new<W: Weight<E>>(
        pool: &dyn Pool,
        isa: Isa,
        polynomial: &[Gf32],
        weight: &W,
        first: shape::Level,
    ) -> Self {
        let mut terms = Vec::new();
        for factors in weight.tensors() {
            let (lower, upper) = factors.split_at(usize::from(first.log2_columns));
            let folded = parallel::combine_rows(pool, isa, polynomial, first.columns(), upper);
            terms.push(Term { folded, lower: vectors::tensor(isa, E::ONE, lower), upper: upper.to_vec() });
        }
        Self { terms }
    }

    fn value(&self, isa: Isa) -> E {
        let mut sum = E::ZERO;
        for term in &self.terms {
            sum += vectors::inner(isa, &term.folded, &term.lower);
        }
        sum
    }
}

/// The prover between two messages.
struct Prover<'p> {
    isa: Isa,
    pool: &'p dyn Pool,
    hashing: &'static Hashing,
    transcript: Transcript,
    proof: Vec<u8>,
}

impl Prover<'_> {
    fn run<E: ChallengeField>(&mut self, data: &ProverData<'_, E>, parts: Vec<Split<E>>) {
        let levels = data.shape.levels();
        let (mut v, mut w) = self.first_rounds(data, parts);
        // The level whose rows are opened next is level 0 first.
        let mut before: Option<(Code<E>, Matrix<E>)> = None;
        for (index, level) in levels.iter().enumerate() {
            if let Some((_, matrix)) = &before {
                (v, w) = self.rounds(*level, matrix.message(), w);
            }
            let next = if let Some(next) = levels.get(index + 1) {
                Some(self.commit(code(self.hashing, *next), mem::take(&mut v)))
            } else {
                self.send_final(&v);
                None
            };
            self.work(*level);
            // Nearly all of the proof is opened rows: its memory is not taken before, beside the cosets of the
            // commitment.
            self.proof.reserve_exact(data.shape.max_proof_len_bytes().saturating_sub(self.proof.len()));
            match &before {
                None => self.open(*level, &data.code, &data.matrix, next.is_some().then_some(&mut w)),
                Some((code, matrix)) => self.open(*level, code, matrix, next.is_some().then_some(&mut w)),
            }
            before = next;
        }
    }

    /// The rounds of level 0 on tables as long as a row, and then the folded polynomial and its weights.
    fn first_rounds<E: ChallengeField>(
        &mut self,
        data: &ProverData<'_, E>,
        mut parts: Vec<Split<E>>,
    ) -> (Vec<E>, Vec<E>) {
        let gamma: E = self.transcript.challenge("gamma");
        let first = data.shape.levels()[0];
        let mut scale = E::ONE;
        for part in &mut parts {
            for term in &mut part.terms {
                term.lower.iter_mut().for_each(|x| *x *= scale);
            }
            scale *= gamma;
        }
        let mut terms: Vec<Term<E>> = parts.into_iter().flat_map(|part| part.terms).collect();
        let mut factors = Vec::new();
        for _ in 0..first.log2_columns {
            let mut message = Round { at_zero: E::ZERO, leading: E::ZERO };
            for term in &terms {
                let round = vectors::round(self.isa, &term.folded, &term.lower);
                message.at_zero += round.at_zero;
                message.leading += round.leading;
            }
            let challenge = self.round(message);
            for term in &mut terms {
                for table in [&mut term.folded, &mut term.lower] {
                    vectors::fold(self.isa, &mut table[..], challenge);
                    table.truncate(table.len() / 2);
                }
            }
            factors.push(Factor::Equal(challenge));
        }
        let folding = vectors::tensor(self.isa, E::ONE, &factors);
        let v = parallel::combine_columns(self.pool, self.isa, data.polynomial, &folding);
        // The lower table is bound to one entry by now: gamma's power times the factors at the challenges.
        let weights: Vec<_> = terms.iter().map(|term| (term.lower[0], &*term.upper)).collect();
        (v, parallel::tensors(self.pool, self.isa, &weights, usize::from(first.log2_message)))
    }

    /// The rounds of a later level.
    fn rounds<E: ChallengeField>(&mut self, level: shape::Level, v: &[E], w: Vec<E>) -> (Vec<E>, Vec<E>) {
        let (pool, count) = (self.pool, usize::from(level.log2_columns));
        parallel::rounds(pool, self.isa, v, w, count, |message| self.round(message))
    }

    /// Sends one message of a sumcheck, and gives its challenge.
    fn round<E: ChallengeField>(&mut self, message: Round<E>) -> E {
        let elements = [message.at_zero, message.leading];
        self.transcript.absorb_elements("round", &elements);
        self.proof.extend(&*le_bytes(&elements));
        self.transcript.challenge("fold")
    }

    fn commit<E: ChallengeField>(&mut self, code: Code<E>, v: Vec<E>) -> (Code<E>, Matrix<E>) {
        let matrix = Matrix::commit_and_forget(self.pool, self.isa, &code, v);
        let root = matrix.root();
        self.proof.extend(root);
        self.transcript.absorb("root", &[&root]);
        (code, matrix)
    }

    fn send_final<E: ChallengeField>(&mut self, v: &[E]) {
        self.proof.extend_from_slice(&le_bytes(v));
        self.transcript.absorb_elements("final", v);
    }

    /// Does the level's proof of work, if it has one.
    fn work(&mut self, level: shape::Level) {
        if level.grinding_bits > 0 {
            let mut seed = [0; 32];
            self.transcript.squeeze("pow-seed", &mut seed);
            let nonce = self.hashing.grind(self.pool, self.isa, &seed, level.grinding_bits).to_le_bytes();
            self.proof.extend(nonce);
            self.transcript.absorb("pow-nonce", &[&nonce]);
        }
    }

    /// Draws the queries and sends what they open. Unless the level is the last one, what the rows say of the next
    /// message joins its weights `w`; the sum is not the prover's business.
    fn open<F: Transform, E: ChallengeField + From<F>>(
        &mut self,
        level: shape::Level,
        code: &Code<F>,
        matrix: &Matrix<F>,
        w: Option<&mut Vec<E>>,
    ) {
        let queries = self.transcript.queries(level.log2_rows(), usize::from(level.queries));
        let opened = matrix.open(self.pool, self.isa, code, &queries);
        self.proof.extend_from_slice(&le_bytes(&opened.rows));
        self.proof.extend(opened.siblings.as_flattened());
        drop(opened);
        if let Some(w) = w {
            let weights = self.powers(queries.len());
            codes::induce(self.pool, self.isa, &code.basis, &queries, &weights, w);
        }
    }

    /// alpha, alpha^2, …
    fn powers<E: ChallengeField>(&mut self, count: usize) -> Vec<E> {
        let alpha: E = self.transcript.challenge("alpha");
        // alpha^(i + 1) = alpha times alpha^(2^j) for every bit j of i.
        let squares = iter::successors(Some(alpha), |power| Some(power.square())).map(Factor::Generator);
        let factors: Vec<_> = squares.take(count.next_power_of_two().ilog2() as usize).collect();
        let mut powers = vectors::tensor(self.isa, alpha, &factors);
        powers.truncate(count);
        powers
    }
}

/// The code of a level.
fn code<F: Transform>(hashing: &'static Hashing, level: shape::Level) -> Code<F> {
    Code {
        basis: Basis::new(level.log2_rows()),
        scales: Vec::new(),
        log2_message: usize::from(level.log2_message),
        log2_columns: usize::from(level.log2_columns),
        hash: RowHash::Own(hashing),
    }
}
