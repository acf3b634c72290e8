//! The prover: commit once, open any number of times.
#![forbid(unsafe_code)]

use super::commitment::CommitmentOf;
use super::error::Error;
use super::matrix::{Code, Matrix};
use super::orbit::{self, PLANES};
use super::parallel::{self, Entries};
use super::preset::PresetOf;
use super::row_hash::RowHash;
use super::shape::{self, Shape};
use super::statement::{self, MAX_CLAIMS};
use super::suite::Hashing;
use super::weight::{Point, Weight};
use crate::binary::vectors::{self, Factor, Round};
use crate::binary::{ChallengeField, Gf32, Gf128, le_bytes};
use crate::codes::{self, Basis, Transform};
use crate::transcripts::Transcript;
use alloc::borrow::Cow;
use alloc::vec;
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
    let data = ProverData::commit(pool, P::HASHING, P::SUITE, shape, polynomial, progress)?;
    Ok((CommitmentOf::new(preset, variables, data.root()), data))
}

/// What the prover keeps of a commitment, to open it at points of `E`^mu.
pub struct ProverData<'a, E = Gf128> {
    hashing: &'static Hashing,
    suite: &'static str,
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
}

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

/// The 32 planes of a committed polynomial at a point, and what a proof of them is made from.
#[derive(Clone, Debug)]
pub struct Orbit<E = Gf128> {
    point: Vec<E>,
    planes: [E; PLANES],
    /// For every column of the matrix and every bit the sum over the rows.
    sums: Vec<E>,
    /// Of the tree: whose planes they are.
    root: [u8; 32],
}

impl<E> Orbit<E> {
    /// Where the planes are taken.
    #[must_use]
    pub fn point(&self) -> &[E] {
        &self.point
    }

    /// Plane i: the sum of eq(point, x) over those x where word x has bit i.
    #[must_use]
    pub fn planes(&self) -> &[E; PLANES] {
        &self.planes
    }
}

#[expect(private_bounds, reason = "sealed: only this crate knows what a field is")]
impl<'a, E: ChallengeField> ProverData<'a, E> {
    pub(super) fn commit(
        pool: &dyn Pool,
        hashing: &'static Hashing,
        suite: &'static str,
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
        let code = code(hashing, first);
        let matrix = Matrix::commit(pool, Isa::current(), &code, &polynomial, progress);
        let compiled = Compiled {
            open: Self::open_points,
            orbit: Self::orbit_of_point,
            open_orbits: Self::open_all_orbits,
        };
        Ok(Self { hashing, suite, shape, polynomial, code, matrix, compiled })
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
        let weights = points.iter().map(|point| Point(point)).collect();
        Ok(data.open_weights(pool, weights, context))
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
        let factors: Vec<_> = point.iter().copied().map(Factor::Equal).collect();
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
            let sums = PLANES * data.shape.levels()[0].columns();
            if orbit.root != data.root() || orbit.point.len() != mu || orbit.sums.len() != sums {
                return Err(Error::OtherPolynomial { orbit: number });
            }
            let conjugates = orbit::conjugates(isa, &orbit.point);
            terms.push(Term::of_orbit(isa, data.shape.levels()[0], orbit, &conjugates, number * PLANES));
            points.push(conjugates);
            values.extend(orbit::values(isa, &orbit.planes));
        }
        let claims: Vec<_> =
            points.iter().flat_map(|points| points.chunks(mu)).map(Point).zip(values).collect();
        Ok(data.prove(pool, &claims, terms, context))
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
        let (mut values, mut terms) = (Vec::with_capacity(weights.len()), Vec::new());
        for (claim, weight) in weights.iter().enumerate() {
            let mut value = E::ZERO;
            for factors in weight.tensors() {
                let term = Term::of_tensor(pool, isa, first, &self.polynomial, &factors, claim);
                value += term.tables[0].value(isa);
                terms.push(term);
            }
            values.push(value);
        }
        let claims: Vec<_> = weights.into_iter().zip(values.iter().copied()).collect();
        let proof = self.prove(pool, &claims, terms, context);
        Opening { values, proof }
    }

    /// The proof of claims whose weights are the terms.
    fn prove<W: Weight<E>>(
        &self,
        pool: &dyn Pool,
        claims: &[(W, E)],
        terms: Vec<Term<E>>,
        context: &[u8],
    ) -> Vec<u8> {
        let transcript =
            statement::begin(self.hashing, self.suite, context, &self.shape, &self.root(), claims);
        let (isa, hashing) = (Isa::current(), self.hashing);
        let mut prover = Prover { isa, pool, hashing, transcript, proof: Vec::new() };
        prover.run(self, terms);
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

/// Weights prepared for the first level: f against the upper factors, and the lower ones.
struct Term<E> {
    /// One for a tensor; for an orbit one for each of its points, the conjugates of the first.
    tables: Vec<Tables<E>>,
    /// The upper factors, of the first of the tables.
    upper: Vec<Factor<E>>,
}

/// A tensor as the rounds of the first level see it.
struct Tables<E> {
    /// The power of gamma that the claim has.
    claim: usize,
    /// g\[c\] = sum over a of f\[a, c\] (tensor of the upper factors)\[a\].
    folded: Vec<E>,
    /// The tensor of the lower factors.
    lower: Vec<E>,
}

impl<E: ChallengeField> Term<E> {
    fn of_tensor(
        pool: &dyn Pool,
        isa: Isa,
        first: shape::Level,
        polynomial: &[Gf32],
        factors: &[Factor<E>],
        claim: usize,
    ) -> Self {
        let (lower, upper) = factors.split_at(usize::from(first.log2_columns));
        let folded = parallel::combine_rows(pool, isa, polynomial, first.columns(), upper);
        let lower = vectors::tensor(isa, E::ONE, lower);
        Self { tables: vec![Tables { claim, folded, lower }], upper: upper.to_vec() }
    }

    /// `conjugates` are the orbit's points, the first of which is claim number `first_claim`.
    fn of_orbit(
        isa: Isa,
        first: shape::Level,
        orbit: &Orbit<E>,
        conjugates: &[E],
        first_claim: usize,
    ) -> Self {
        let split = usize::from(first.log2_columns);
        let equal = |coordinates: &[E]| coordinates.iter().copied().map(Factor::Equal).collect::<Vec<_>>();
        let folded = orbit::tables(isa, orbit.sums.clone());
        let tables = folded.into_iter().zip(conjugates.chunks(orbit.point.len())).zip(first_claim..);
        let tables = tables.map(|((folded, point), claim)| {
            let lower = vectors::tensor(isa, E::ONE, &equal(&point[..split]));
            Tables { claim, folded, lower }
        });
        Self { tables: tables.collect(), upper: equal(&orbit.point[split..]) }
    }

    /// What the tensor of the upper factors becomes in the weights. The lower tables are bound to one entry by now: a
    /// power of gamma times the factors at the challenges.
    fn entries(&self, isa: Isa) -> Entries<E> {
        match &*self.tables {
            [table] => Entries::Scaled(table.lower[0]),
            // Squaring is additive and multiplicative: the upper tensor of a conjugate is that of the first, squared.
            conjugates => {
                let scales: Vec<E> = conjugates.iter().map(|table| table.lower[0]).collect();
                Entries::Mapped(orbit::map_of(isa, &scales))
            }
        }
    }
}

impl<E: ChallengeField> Tables<E> {
    fn value(&self, isa: Isa) -> E {
        vectors::inner(isa, &self.folded, &self.lower)
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
    fn run<E: ChallengeField>(&mut self, data: &ProverData<'_, E>, terms: Vec<Term<E>>) {
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
