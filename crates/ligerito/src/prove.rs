//! The prover: commit once, open any number of times.
#![forbid(unsafe_code)]

use super::claims::{self, EvaluationClaim, MAX_CLAIMS};
use super::commitment::CommitmentOf;
use super::error::Error;
use super::layout::Layout;
use super::matrix::{Code, Matrix};
use super::orbit;
use super::parallel;
use super::preset::PresetOf;
use super::rounds::{self, Committed, Together, code};
use super::shape::Shape;
use super::statement;
use super::suite::Names;
use super::terms::{Described, Orbit, Scaled, Term, Weight, Weights, equal};
use super::tower::PLANES;
use super::transcript::Transcript;
use crate::binary::vectors;
use crate::binary::{ChallengeField, Gf32, Gf128, le_bytes};
use crate::transcripts;
use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
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
    Ok((CommitmentOf::of(preset, variables, data.root(), data.sample()), data))
}

/// What the prover keeps of a commitment, to open it at points of `E`^mu.
pub struct ProverData<'a, E = Gf128> {
    names: Names,
    shape: Shape,
    polynomial: Cow<'a, [Gf32]>,
    code: Code<Gf32>,
    matrix: Matrix<Gf32>,
    /// The sample as claim number 0 of every opening, where the shape has samples.
    sample: Option<Term<E>>,
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
    &[&ProverData<'_, E>],
    &Layout,
    &dyn Pool,
    &mut Transcript<E>,
    &[(usize, Weight<'_, E>)],
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
        let isa = Isa::current();
        let matrix = Matrix::commit(pool, isa, &code, &polynomial, progress);
        let sample = shape.has_samples().then(|| {
            let point: Vec<E> = statement::sample_point(names.hashing, names.sums, &shape, &matrix.root());
            let tensor = Scaled { claim: 0, scale: E::ONE, factors: equal(&point) };
            Term::of_tensors(pool, isa, first, &polynomial, [tensor].into_iter()).remove(0)
        });
        let compiled = Compiled {
            open: Self::open_points,
            orbit: Self::orbit_of_point,
            open_orbits: Self::open_all_orbits,
            open_sums: Self::open_all_sums,
        };
        Ok(Self { names, shape, polynomial, code, matrix, sample, compiled })
    }

    /// The root of the tree over the encoded rows. It does not bind the shape: what is published is the
    /// [`Commitment`](crate::Commitment), which has the preset and the number of variables beside it.
    #[must_use]
    pub fn root(&self) -> [u8; 32] {
        self.matrix.root()
    }

    /// What is published beside the root in the suite that has samples: the polynomial's value at a point that follows from
    /// the root (docs/ligerito.md, section 16).
    #[must_use]
    pub fn sample(&self) -> Option<E> {
        self.sample.as_ref().map(|term| term.tables.value(Isa::current()))
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

    /// One proof for the planes of all `orbits`. In the suites `ligerito-v1` it is the one that [`open`](Self::open) makes at
    /// 32 points for each orbit in order, z^(2^k) for k = 0 … 31, without a pass over the polynomial for each. `context` as
    /// there.
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
        let weights: Vec<_> = weights.iter().map(|weight| (0, *weight)).collect();
        Self::open_under(&[self], &Layout::of(&self.shape), pool, transcript, &weights, context)
    }

    /// The same of several polynomials that lie so.
    pub(super) fn open_under(
        data: &[&Self],
        layout: &Layout,
        pool: &dyn Pool,
        transcript: &mut Transcript<E>,
        weights: &[(usize, Weight<'_, E>)],
        context: &[u8],
    ) -> Result<Opening<E>, Error> {
        (data[0].compiled.open_sums)(data, layout, pool, transcript, weights, context)
    }

    /// How these lie together, under the registered shapes.
    pub(super) fn layout(data: &[&Self]) -> Result<Layout, Error> {
        let [first, ..] = data else { return Err(Error::Together) };
        let shapes: Vec<&Shape> = data.iter().map(|data| &data.shape).collect();
        let same = data.iter().all(|data| data.names.profile == first.names.profile);
        Layout::registered(first.names.profile, &shapes).filter(|_| same).ok_or(Error::Together)
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
        if data.sample.is_some() {
            let weights: Vec<_> = points.iter().map(|point| Weight::Point(point)).collect();
            return data.open_sums_after(pool, &mut data.transcript(), &weights, context);
        }
        let weights: Vec<_> = points.iter().map(|point| Weight::Point(point)).enumerate().collect();
        let (values, Weights { terms, .. }) = data.prepare(pool, &weights);
        let claims = points.iter().zip(values).map(|(point, value)| EvaluationClaim { point, value });
        let claims: Vec<_> = claims.collect();
        let proof = data.prove(pool, &mut data.begin(context, &claims), terms);
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
        if data.sample.is_some() {
            let weights: Vec<_> = orbits.iter().map(Weight::Planes).collect();
            let opening = data.open_sums_after(pool, &mut data.transcript(), &weights, context)?;
            return Ok(opening.proof);
        }
        let (isa, mu) = (Isa::current(), usize::from(data.shape.variables()));
        let (mut points, mut values, mut terms) = (Vec::new(), Vec::new(), Vec::new());
        for (number, orbit) in orbits.iter().enumerate() {
            data.check_orbit(number, orbit)?;
            terms.push(Term::of_orbit(isa, data.shape.levels()[0], orbit, number * PLANES));
            points.push(orbit::conjugates(isa, &orbit.point));
            values.extend(orbit::values(isa, &orbit.planes));
        }
        let claims: Vec<_> = points
            .iter()
            .flat_map(|points| points.chunks(mu))
            .zip(values)
            .map(|(point, value)| EvaluationClaim { point, value })
            .collect();
        Ok(data.prove(pool, &mut data.begin(context, &claims), terms))
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
        data: &[&ProverData<'_, E>],
        layout: &Layout,
        pool: &dyn Pool,
        transcript: &mut Transcript<E>,
        weights: &[(usize, Weight<'_, E>)],
        context: &[u8],
    ) -> Result<Opening<E>, Error> {
        count_claims(weights.iter().map(|(_, weight)| weight.count()).sum())?;
        for (claim, (commitment, weight)) in weights.iter().enumerate() {
            let data = data.get(*commitment).ok_or(Error::CommitmentIndex { claim })?;
            data.check_weight(claim, weight)?;
        }
        // Samples are claims of their own, before all others.
        let terms: Vec<Vec<Term<E>>> =
            data.iter().map(|data| data.sample.iter().cloned().collect()).collect();
        let mut next = terms.iter().map(Vec::len).sum();
        let mut numbered: Vec<Vec<(usize, Weight<'_, E>)>> = data.iter().map(|_| Vec::new()).collect();
        for (commitment, weight) in weights {
            numbered[*commitment].push((next, *weight));
            next += weight.count();
        }
        let (mut of_each, mut prepared) = (Vec::with_capacity(data.len()), Vec::with_capacity(data.len()));
        for ((data, numbered), mut terms) in data.iter().zip(&numbered).zip(terms) {
            let (values, weights) = data.prepare(pool, numbered);
            terms.extend(weights.terms);
            of_each.push(values.into_iter());
            prepared.push(Weights { terms, ..weights });
        }
        let value = |(commitment, _): &(usize, _)| of_each[*commitment].next().expect("one for each weight");
        let values: Vec<E> = weights.iter().map(value).collect();
        let claims = weights.iter().zip(&values);
        let claims: Vec<_> =
            claims.map(|((commitment, weight), value)| (*commitment, weight.claim(*value))).collect();
        let commitments: Vec<_> = data.iter().map(|data| data.commitment()).collect();
        if let Some(claim) = transcript.late(&commitments, &claims) {
            return Err(Error::LateCommitment { claim });
        }
        let stream = transcript.stream();
        let names = data[0].names;
        statement::begin_sums(stream, names.sums, context, layout, &commitments, &claims);
        let parts = data.iter().map(|data| data.committed()).collect();
        let together = Together { hashing: names.hashing, layout, parts };
        let proof = rounds::prove(pool, &together, stream, prepared, claims::closing(&claims));
        Ok(Opening { values, proof })
    }

    /// Prepares weights, each with the number of its first claim, and gives their values; of planes that is the one at their
    /// point.
    fn prepare<'w>(&self, pool: &dyn Pool, weights: &[(usize, Weight<'w, E>)]) -> (Vec<E>, Weights<'w, E>) {
        let (isa, first) = (Isa::current(), self.shape.levels()[0]);
        let tensors = weights.iter().flat_map(|(claim, weight)| {
            let (point, tensors): (Option<&[E]>, &[_]) = match weight {
                Weight::Point(point) => (Some(point), &[]),
                Weight::Tensors(tensors) => (None, tensors),
                Weight::Planes(_) | Weight::Described(_) => (None, &[]),
            };
            let point = point.map(|point| (E::ONE, equal(point)));
            let all = point.into_iter().chain(tensors.iter().map(|tensor| (tensor.scale, tensor.pairs())));
            all.map(|(scale, factors)| Scaled { claim: *claim, scale, factors })
        });
        let mut terms = Term::of_tensors(pool, isa, first, &self.polynomial, tensors);
        for (claim, weight) in weights {
            if let Weight::Planes(orbit) = weight {
                terms.push(Term::of_orbit(isa, first, orbit, *claim));
            }
        }
        let mut values = vec![E::ZERO; weights.len()];
        let mut described = Described::new();
        for ((claim, weight), value) in weights.iter().zip(&mut values) {
            if let Weight::Described(weight) = weight {
                *value = parallel::sum_by(pool, isa, &self.polynomial, *weight);
                described.push((*claim, *weight));
            }
        }
        for term in &terms {
            let found = weights.binary_search_by_key(&term.claim, |(claim, _)| *claim);
            values[found.expect("a weight for every term")] += term.tables.value(isa);
        }
        (values, Weights { terms, described })
    }

    fn check_weight(&self, claim: usize, weight: &Weight<'_, E>) -> Result<(), Error> {
        match weight {
            Weight::Point(point) => self.check_point(claim, point),
            Weight::Planes(orbit) => self.check_orbit(claim, orbit),
            Weight::Described(_) => Ok(()),
            Weight::Tensors([]) => Err(Error::NoTensors { claim }),
            Weight::Tensors(tensors) => {
                let wanted = usize::from(self.shape.variables());
                let wrong = tensors.iter().map(|tensor| tensor.factors.len()).find(|len| *len != wanted);
                wrong.map_or(Ok(()), |got| Err(Error::PointLength { claim, got, wanted }))
            }
        }
    }

    /// What is published: profile, variables, root, and the sample if there is one.
    fn commitment(&self) -> Vec<u8> {
        let sample: Vec<E> = self.sample().into_iter().collect();
        [&[self.names.profile, self.shape.variables()], &self.root()[..], &le_bytes(&sample)].concat()
    }

    /// The proof of claims at points that the transcript has, whose weights are the terms.
    fn prove(
        &self,
        pool: &dyn Pool,
        transcript: &mut transcripts::Transcript,
        terms: Vec<Term<E>>,
    ) -> Vec<u8> {
        let (hashing, layout) = (self.names.hashing, &Layout::of(&self.shape));
        let together = Together { hashing, layout, parts: vec![self.committed()] };
        rounds::prove(
            pool,
            &together,
            transcript,
            vec![Weights { terms, described: Described::new() }],
            false,
        )
    }

    fn committed(&self) -> Committed<'_> {
        Committed { polynomial: &self.polynomial, code: &self.code, matrix: &self.matrix }
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
