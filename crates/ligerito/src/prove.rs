//! The prover: commit once, open any number of times.
#![forbid(unsafe_code)]

use super::claims::{self, EvaluationClaim, MAX_CLAIMS, PlanesClaim, SumClaim, TensorsClaim};
use super::commitment::CommitmentOf;
use super::error::Error;
use super::matrix::{Code, Matrix};
use super::orbit::{self, PLANES};
use super::parallel;
use super::preset::PresetOf;
use super::row_hash::RowHash;
use super::shape::{self, Shape};
use super::statement;
use super::suite::{Hashing, Names};
use super::terms::{Orbit, Term, Weight, equal};
use super::transcript::Transcript;
use crate::binary::vectors::{self, Factor, Round};
use crate::binary::{ChallengeField, Gf32, Gf128, le_bytes};
use crate::codes::{self, Basis, Transform};
use crate::transcripts;
use alloc::borrow::Cow;
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
    polynomial: Cow<'a, [Gf32]>,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<(CommitmentOf<P>, ProverData<'a, P::Challenge>), Error> {
    let unregistered = Error::PolynomialLength { got: polynomial.len() };
    if !polynomial.len().is_power_of_two() {
        return Err(unregistered);
    }
    let variables = u8::try_from(polynomial.len().ilog2()).expect("below 64");
    let shape = preset.shape(variables).ok_or(unregistered)?;
    let data = ProverData::commit(pool, preset.names(), shape, polynomial, progress)?;
    Ok((CommitmentOf::new(preset, variables, data.root()), data))
}

/// What the prover keeps of a commitment, to open it at points of `E`^mu.
pub struct ProverData<'a, E = Gf128> {
    names: Names,
    shape: Shape,
    polynomial: Cow<'a, [Gf32]>,
    code: Code<Gf32>,
    matrix: Matrix<Gf32>,
    compiled: Compiled<E>,
}

/// What opens, named where the field is known: so it is compiled in this crate, once for each field, and not again in
/// every crate that opens.
struct Compiled<E> {
    open: Open<E>,
    orbit: OrbitAt<E>,
    open_orbits: OpenOrbits<E>,
    open_sums: OpenSums<E>,
}

type OpenSums<E> = fn(
    &ProverData<'_, E>,
    &dyn Pool,
    &mut Transcript<E>,
    &[Weight<'_, E>],
    &[u8],
) -> Result<Opening<E>, Error>;
type OrbitAt<E> = fn(&ProverData<'_, E>, &dyn Pool, &[E]) -> Result<Orbit<E>, Error>;
type OpenOrbits<E> = fn(&ProverData<'_, E>, &dyn Pool, &[Orbit<E>], &[u8]) -> Result<Vec<u8>, Error>;
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
        names: Names,
        shape: Shape,
        polynomial: Cow<'a, [Gf32]>,
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
        let code = code(names.hashing, first);
        let matrix = Matrix::commit(pool, Isa::current(), &code, &polynomial, progress);
        let compiled = Compiled {
            open: Self::open_points,
            orbit: Self::orbit_of_point,
            open_orbits: Self::open_all_orbits,
            open_sums: Self::open_all_sums,
        };
        Ok(Self { names, shape, polynomial, code, matrix, compiled })
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
        (self.compiled.open)(self, pool, points, context)
    }

    /// The 32 planes of the polynomial at `point`, in one pass over the polynomial: what [`open_orbits`] is given.
    ///
    /// [`open_orbits`]: Self::open_orbits
    ///
    /// # Errors
    /// [`Error::PointLength`] unless the point has a coordinate for every variable.
    pub fn orbit(&self, point: &[E]) -> Result<Orbit<E>, Error> {
        self.orbit_on(&Inline, point)
    }

    /// [`orbit`](Self::orbit) on the threads of a pool. The answer is the same.
    ///
    /// # Errors
    /// As [`orbit`](Self::orbit).
    pub fn orbit_on(&self, pool: &dyn Pool, point: &[E]) -> Result<Orbit<E>, Error> {
        (self.compiled.orbit)(self, pool, point)
    }

    /// One proof for the planes of all `orbits`. It is the one that [`open`](Self::open) makes at 32 points for each
    /// orbit in order, z^(2^k) for k = 0 … 31, without a pass over the polynomial for each. `context` as there.
    ///
    /// # Errors
    /// [`Error::NoClaims`]; [`Error::TooManyClaims`], counting 32 for each orbit; [`Error::OtherPolynomial`] for an orbit
    /// that is not of this commitment.
    pub fn open_orbits(&self, orbits: &[Orbit<E>], context: &[u8]) -> Result<Vec<u8>, Error> {
        self.open_orbits_on(&Inline, orbits, context)
    }

    /// [`open_orbits`](Self::open_orbits) on the threads of a pool. The answer is the same.
    ///
    /// # Errors
    /// As [`open_orbits`](Self::open_orbits).
    pub fn open_orbits_on(
        &self,
        pool: &dyn Pool,
        orbits: &[Orbit<E>],
        context: &[u8],
    ) -> Result<Vec<u8>, Error> {
        (self.compiled.open_orbits)(self, pool, orbits, context)
    }

    /// The sums of the coefficients weighted by `weights`, and one proof for all of them, an opening of `ligerito-v2`; of
    /// planes, which are known, the value is the polynomial's at their point. `context` as in [`open`](Self::open).
    ///
    /// # Errors
    /// [`Error::NoClaims`]; [`Error::TooManyClaims`], where planes count 32; [`Error::PointLength`] unless a point has a
    /// coordinate, and a tensor a pair of factors, for every variable; [`Error::NoTensors`];
    /// [`Error::OtherPolynomial`] for planes that are not of this commitment.
    pub fn open_sums(&self, weights: &[Weight<'_, E>], context: &[u8]) -> Result<Opening<E>, Error> {
        self.open_sums_on(&Inline, weights, context)
    }

    /// [`open_sums`](Self::open_sums) on the threads of a pool. The answer is the same.
    ///
    /// # Errors
    /// As [`open_sums`](Self::open_sums).
    pub fn open_sums_on(
        &self,
        pool: &dyn Pool,
        weights: &[Weight<'_, E>],
        context: &[u8],
    ) -> Result<Opening<E>, Error> {
        self.open_sums_after(pool, &mut self.transcript(), weights, context)
    }

    /// [`open_sums`](Self::open_sums) on a transcript that may have heard something before.
    pub(super) fn open_sums_after(
        &self,
        pool: &dyn Pool,
        transcript: &mut Transcript<E>,
        weights: &[Weight<'_, E>],
        context: &[u8],
    ) -> Result<Opening<E>, Error> {
        (self.compiled.open_sums)(self, pool, transcript, weights, context)
    }

    /// The transcript of an opening by itself.
    pub(super) fn transcript(&self) -> Transcript<E> {
        Transcript::of_an_opening(self.names.hashing.transcript_context)
    }

    fn open_points(
        data: &ProverData<'_, E>,
        pool: &dyn Pool,
        points: &[&[E]],
        context: &[u8],
    ) -> Result<Opening<E>, Error> {
        count_claims(points.len())?;
        for (claim, point) in points.iter().enumerate() {
            data.check_point(claim, point)?;
        }
        let (isa, first) = (Isa::current(), data.shape.levels()[0]);
        let (mut terms, mut claims): (Vec<Term<E>>, _) = (Vec::new(), Vec::new());
        for (number, point) in points.iter().enumerate() {
            let scaled = (E::ONE, &equal(point)[..]);
            let term = Term::of_tensor(pool, isa, first, &data.polynomial, scaled, number, terms.last());
            claims.push(EvaluationClaim { point, value: term.tables[0].value(isa) });
            terms.push(term);
        }
        let proof = data.prove(pool, &mut data.begin(context, &claims), terms, false);
        Ok(Opening { values: claims.iter().map(|claim| claim.value).collect(), proof })
    }

    fn check_point(&self, claim: usize, point: &[E]) -> Result<(), Error> {
        let wanted = usize::from(self.shape.variables());
        if point.len() == wanted {
            Ok(())
        } else {
            Err(Error::PointLength { claim, got: point.len(), wanted })
        }
    }

    fn orbit_of_point(data: &ProverData<'_, E>, pool: &dyn Pool, point: &[E]) -> Result<Orbit<E>, Error> {
        data.check_point(0, point)?;
        let (isa, first) = (Isa::current(), data.shape.levels()[0]);
        let factors = equal(point);
        let (lower, upper) = factors.split_at(usize::from(first.log2_columns));
        let sums = parallel::combine_rows_of_bits(pool, isa, &data.polynomial, first.columns(), upper);
        let mut planes = [E::ZERO; PLANES];
        for (weight, sums) in vectors::tensor(isa, E::ONE, lower).iter().zip(sums.as_chunks::<PLANES>().0) {
            vectors::add_products(isa, &mut planes, sums, &[*weight; PLANES]);
        }
        Ok(Orbit { point: point.to_vec(), planes, sums, root: data.root() })
    }

    fn open_all_orbits(
        data: &ProverData<'_, E>,
        pool: &dyn Pool,
        orbits: &[Orbit<E>],
        context: &[u8],
    ) -> Result<Vec<u8>, Error> {
        count_claims(orbits.len().saturating_mul(PLANES))?;
        let (isa, mu) = (Isa::current(), usize::from(data.shape.variables()));
        let (mut points, mut values, mut terms) = (Vec::new(), Vec::new(), Vec::new());
        for (number, orbit) in orbits.iter().enumerate() {
            data.check_orbit(number, orbit)?;
            let conjugates = orbit::conjugates(isa, &orbit.point);
            terms.push(Term::of_orbit(isa, data.shape.levels()[0], orbit, &conjugates, number * PLANES));
            points.push(conjugates);
            values.extend(orbit::values(isa, &orbit.planes));
        }
        let claims: Vec<_> = points
            .iter()
            .flat_map(|points| points.chunks(mu))
            .zip(values)
            .map(|(point, value)| EvaluationClaim { point, value })
            .collect();
        Ok(data.prove(pool, &mut data.begin(context, &claims), terms, false))
    }

    /// The transcript of an opening at points.
    fn begin(&self, context: &[u8], claims: &[EvaluationClaim<'_, E>]) -> transcripts::Transcript {
        let Names { hashing, points, .. } = self.names;
        statement::begin(hashing, points, context, &self.shape, &self.root(), claims)
    }

    fn check_orbit(&self, claim: usize, orbit: &Orbit<E>) -> Result<(), Error> {
        let mu = usize::from(self.shape.variables());
        let sums = PLANES * self.shape.levels()[0].columns();
        let ours = orbit.root == self.root() && orbit.point.len() == mu && orbit.sums.len() == sums;
        if ours { Ok(()) } else { Err(Error::OtherPolynomial { orbit: claim }) }
    }

    fn open_all_sums(
        data: &ProverData<'_, E>,
        pool: &dyn Pool,
        transcript: &mut Transcript<E>,
        weights: &[Weight<'_, E>],
        context: &[u8],
    ) -> Result<Opening<E>, Error> {
        let count = |weight: &Weight<'_, E>| if let Weight::Planes(_) = weight { PLANES } else { 1 };
        count_claims(weights.iter().map(count).sum())?;
        for (claim, weight) in weights.iter().enumerate() {
            data.check_weight(claim, weight)?;
        }
        let (isa, first) = (Isa::current(), data.shape.levels()[0]);
        let (mut values, mut claims) = (Vec::with_capacity(weights.len()), Vec::with_capacity(weights.len()));
        let mut terms: Vec<Term<E>> = Vec::new();
        let mut next = 0;
        for weight in weights {
            let before = terms.len();
            let mut add = |scaled: (E, &[Factor<E>])| {
                let term = Term::of_tensor(pool, isa, first, &data.polynomial, scaled, next, terms.last());
                terms.push(term);
            };
            match weight {
                Weight::Point(point) => add((E::ONE, &equal(point))),
                Weight::Tensors(tensors) => {
                    tensors.iter().for_each(|tensor| add((tensor.scale, &tensor.pairs())));
                }
                Weight::Planes(orbit) => {
                    let conjugates = orbit::conjugates(isa, &orbit.point);
                    terms.push(Term::of_orbit(isa, first, orbit, &conjugates, next));
                }
            }
            // Of planes the first: their point's own.
            let mut value = E::ZERO;
            terms[before..].iter().for_each(|term| value += term.tables[0].value(isa));
            values.push(value);
            claims.push(match *weight {
                Weight::Point(point) => SumClaim::Point(EvaluationClaim { point, value }),
                Weight::Tensors(tensors) => SumClaim::Tensors(TensorsClaim { tensors, value }),
                Weight::Planes(Orbit { point, planes, .. }) => {
                    SumClaim::Planes(PlanesClaim { point, planes })
                }
            });
            next += count(weight);
        }
        let commitment = data.commitment();
        if let Some(claim) = transcript.late(&commitment, &claims) {
            return Err(Error::LateCommitment { claim });
        }
        let stream = transcript.stream();
        statement::begin_sums(stream, data.names.sums, context, &data.shape, &commitment, &claims);
        let proof = data.prove(pool, stream, terms, claims::closing(&claims));
        Ok(Opening { values, proof })
    }

    fn check_weight(&self, claim: usize, weight: &Weight<'_, E>) -> Result<(), Error> {
        match weight {
            Weight::Point(point) => self.check_point(claim, point),
            Weight::Planes(orbit) => self.check_orbit(claim, orbit),
            Weight::Tensors([]) => Err(Error::NoTensors { claim }),
            Weight::Tensors(tensors) => {
                let wanted = usize::from(self.shape.variables());
                let wrong = tensors.iter().map(|tensor| tensor.factors.len()).find(|len| *len != wanted);
                wrong.map_or(Ok(()), |got| Err(Error::PointLength { claim, got, wanted }))
            }
        }
    }

    /// What is published: profile, variables and root.
    fn commitment(&self) -> [u8; 34] {
        let mut bytes = [0; 34];
        (bytes[0], bytes[1]) = (self.names.profile, self.shape.variables());
        bytes[2..].copy_from_slice(&self.root());
        bytes
    }

    /// The proof of claims that the transcript has, whose weights are the terms.
    fn prove(
        &self,
        pool: &dyn Pool,
        transcript: &mut transcripts::Transcript,
        terms: Vec<Term<E>>,
        closing: bool,
    ) -> Vec<u8> {
        let (isa, hashing) = (Isa::current(), self.names.hashing);
        let mut prover = Prover { isa, pool, hashing, transcript, proof: Vec::new() };
        prover.run(self, terms, closing);
        prover.proof
    }
}

/// As many claims as one proof has.
fn count_claims(count: usize) -> Result<(), Error> {
    match count {
        0 => Err(Error::NoClaims),
        1..=MAX_CLAIMS => Ok(()),
        got => Err(Error::TooManyClaims { got }),
    }
}

/// The prover between two messages.
struct Prover<'p> {
    isa: Isa,
    pool: &'p dyn Pool,
    hashing: &'static Hashing,
    transcript: &'p mut transcripts::Transcript,
    proof: Vec<u8>,
}

impl Prover<'_> {
    fn run<E: ChallengeField>(&mut self, data: &ProverData<'_, E>, terms: Vec<Term<E>>, closing: bool) {
        let levels = data.shape.levels();
        let (mut v, mut w) = self.first_rounds(data, terms);
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
                if closing && level.log2_message > 0 {
                    self.rounds(
                        shape::Level { log2_columns: level.log2_message, ..*level },
                        &v,
                        mem::take(&mut w),
                    );
                }
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
        mut terms: Vec<Term<E>>,
    ) -> (Vec<E>, Vec<E>) {
        let gamma: E = self.transcript.challenge("gamma");
        let first = data.shape.levels()[0];
        let (mut scale, mut next) = (E::ONE, 0);
        for table in terms.iter_mut().flat_map(|term| &mut term.tables) {
            // Claims come in order, though one may have several tables or none.
            while next < table.claim {
                (scale, next) = (scale * gamma, next + 1);
            }
            table.lower.iter_mut().for_each(|x| *x *= scale);
        }
        let mut factors = Vec::new();
        for _ in 0..first.log2_columns {
            let mut message = Round { at_zero: E::ZERO, leading: E::ZERO };
            for table in terms.iter().flat_map(|term| &term.tables) {
                let round = vectors::round(self.isa, &table.folded, &table.lower);
                message.at_zero += round.at_zero;
                message.leading += round.leading;
            }
            let challenge = self.round(message);
            for tables in terms.iter_mut().flat_map(|term| &mut term.tables) {
                for table in [&mut tables.folded, &mut tables.lower] {
                    vectors::fold(self.isa, &mut table[..], challenge);
                    table.truncate(table.len() / 2);
                }
            }
            factors.push(Factor::Equal(challenge));
        }
        let folding = vectors::tensor(self.isa, E::ONE, &factors);
        let v = parallel::combine_columns(self.pool, self.isa, &data.polynomial, &folding);
        let weights: Vec<_> = terms.iter().map(|term| (term.entries(self.isa), &*term.upper)).collect();
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
