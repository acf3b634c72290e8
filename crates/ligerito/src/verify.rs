//! The verifier: scalar, one thread, no memory beyond a small multiple of the proof. Section 7 of docs/ligerito.md is
//! its text; the steps V0 to V9 are named where they happen.
#![forbid(unsafe_code)]

use super::claims::{self, EvaluationClaim, Expanded, MAX_CLAIMS, PlanesClaim, SumClaim};
use super::commitment::{AcceptedOf, CommitmentOf};
use super::error::ProofError;
use super::generators::Generators;
use super::layout::Layout;
use super::orbit;
use super::preset::PresetOf;
use super::row_hash::RowHash;
use super::shape::{Level, Shape};
use super::statement;
use super::suite::Hashing;
use super::tower::PLANES;
use super::transcript::{Proof, ProofReader, Transcript};
use crate::binary::vectors::{self, Factor, Round};
use crate::binary::{BinaryField, ChallengeField, Gf32, mixed};
use crate::codes;
use crate::opening;
use crate::transcripts;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// V0 to V9, for the registered shapes of any suite.
///
/// # Errors
/// [`ProofError`] names the first check that failed.
pub(crate) fn verify<P: PresetOf>(
    accepted: &AcceptedOf<P>,
    commitment: &CommitmentOf<P>,
    claims: &[EvaluationClaim<'_, P::Challenge>],
    proof: &[u8],
    context: &[u8],
) -> Result<(), ProofError> {
    if P::SAMPLES {
        let claims: Vec<_> = claims.iter().copied().map(SumClaim::Point).collect();
        return verify_sums(accepted, commitment, &claims, proof, context);
    }
    let shape = accepted.shape(commitment)?; // V0
    verify_shape(P::HASHING, P::SUITE, &shape, commitment.root(), claims, proof, context)
}

/// V0 to V9 about planes, for the registered shapes of any suite.
///
/// # Errors
/// [`ProofError`] names the first check that failed.
pub(crate) fn verify_planes<P: PresetOf>(
    accepted: &AcceptedOf<P>,
    commitment: &CommitmentOf<P>,
    claims: &[PlanesClaim<'_, P::Challenge>],
    proof: &[u8],
    context: &[u8],
) -> Result<(), ProofError> {
    if P::SAMPLES {
        let claims: Vec<_> = claims.iter().copied().map(SumClaim::Planes).collect();
        return verify_sums(accepted, commitment, &claims, proof, context);
    }
    let shape = accepted.shape(commitment)?; // V0
    verify_planes_of_shape(P::HASHING, P::SUITE, &shape, commitment.root(), claims, proof, context)
}

/// V1 to V9 about planes, for any shape: each claim is 32 points, the orbit of its own, and the values there that the
/// planes stand for.
pub(super) fn verify_planes_of_shape<E: ChallengeField>(
    hashing: &'static Hashing,
    suite: &str,
    shape: &Shape,
    root: &[u8; 32],
    claims: &[PlanesClaim<'_, E>],
    proof: &[u8],
    context: &[u8],
) -> Result<(), ProofError> {
    let mu = usize::from(shape.variables());
    if claims.len().saturating_mul(PLANES) > MAX_CLAIMS {
        return Err(ProofError::TooManyClaims); // V2
    }
    if let Some(claim) = claims.iter().position(|claim| claim.point.len() != mu) {
        return Err(ProofError::PointLength { claim }); // V3
    }
    let isa = Isa::current();
    let orbits: Vec<_> = claims
        .iter()
        .map(|claim| (orbit::conjugates(isa, claim.point), orbit::values(isa, claim.planes)))
        .collect();
    let claims: Vec<_> = orbits
        .iter()
        .flat_map(|(points, values)| points.chunks(mu).zip(values))
        .map(|(point, value)| EvaluationClaim { point, value: *value })
        .collect();
    verify_shape(hashing, suite, shape, root, &claims, proof, context)
}

/// V1 to V9, for any shape.
pub(super) fn verify_shape<E: ChallengeField>(
    hashing: &'static Hashing,
    suite: &str,
    shape: &Shape,
    root: &[u8; 32],
    claims: &[EvaluationClaim<'_, E>],
    proof: &[u8],
    context: &[u8],
) -> Result<(), ProofError> {
    if shape.challenge_len_bytes() != E::LEN_BYTES || shape.has_samples() {
        return Err(ProofError::UnacceptedParams);
    }
    if claims.is_empty() {
        return Err(ProofError::NoClaims); // V1
    }
    if claims.len() > MAX_CLAIMS {
        return Err(ProofError::TooManyClaims); // V2
    }
    if let Some(claim) = claims.iter().position(|claim| claim.point.len() != usize::from(shape.variables())) {
        return Err(ProofError::PointLength { claim }); // V3
    }
    if proof.len() > shape.max_proof_len_bytes() {
        return Err(ProofError::ProofLength); // V4
    }
    let mut transcript = statement::begin(hashing, suite, context, shape, root, claims);
    let claims: Vec<_> = claims.iter().map(|claim| (0, Expanded::Point(*claim))).collect();
    let (layout, mut proof) = (Layout::of(shape), Proof::new(proof));
    verify_claims(hashing, &mut transcript, &layout, &[*root], &claims, false, &mut proof)?;
    proof.finish() // V9
}

/// V0 and the rest, about weighted sums, for the registered shapes of any suite.
///
/// # Errors
/// [`ProofError`] names the first check that failed.
pub(crate) fn verify_sums<P: PresetOf>(
    accepted: &AcceptedOf<P>,
    commitment: &CommitmentOf<P>,
    claims: &[SumClaim<'_, P::Challenge>],
    proof: &[u8],
    context: &[u8],
) -> Result<(), ProofError> {
    verify_together(accepted, &[*commitment], &claims::of_one(claims), proof, context)
}

/// As [`verify_sums`], for a context from another transcript; gives what that one absorbs.
///
/// # Errors
/// [`ProofError`] names the first check that failed.
pub(crate) fn verify_sums_bridged<P: PresetOf>(
    accepted: &AcceptedOf<P>,
    commitment: &CommitmentOf<P>,
    claims: &[SumClaim<'_, P::Challenge>],
    proof: &[u8],
    context: &[u8; 32],
) -> Result<[u8; 32], ProofError> {
    let statement = Statement::registered(accepted, &[*commitment])?; // V0
    let verified = statement.verify(&claims::of_one(claims), proof, context);
    verified.map(|mut transcript| transcript.bridge())
}

/// V0 and the rest, about weighted sums, where the proof stands in one that is read; gives the reader back.
///
/// # Errors
/// [`ProofError`] names the first check that failed.
pub(crate) fn verify_sums_in<'a, P: PresetOf>(
    reader: ProofReader<'a, P::Challenge>,
    accepted: &AcceptedOf<P>,
    commitment: &CommitmentOf<P>,
    claims: &[SumClaim<'_, P::Challenge>],
    context: &[u8],
) -> Result<ProofReader<'a, P::Challenge>, ProofError> {
    verify_together_in(reader, accepted, &[*commitment], &claims::of_one(claims), context)
}

/// V0 and the rest, about weighted sums of several commitments.
///
/// # Errors
/// [`ProofError`] names the first check that failed.
pub(crate) fn verify_together<P: PresetOf>(
    accepted: &AcceptedOf<P>,
    commitments: &[CommitmentOf<P>],
    claims: &[(usize, SumClaim<'_, P::Challenge>)],
    proof: &[u8],
    context: &[u8],
) -> Result<(), ProofError> {
    let statement = Statement::registered(accepted, commitments)?; // V0
    statement.verify(claims, proof, context).map(|_| ())
}

/// As [`verify_together`], where the proof stands in one that is read; gives the reader back.
///
/// # Errors
/// [`ProofError`] names the first check that failed.
pub(crate) fn verify_together_in<'a, P: PresetOf>(
    mut reader: ProofReader<'a, P::Challenge>,
    accepted: &AcceptedOf<P>,
    commitments: &[CommitmentOf<P>],
    claims: &[(usize, SumClaim<'_, P::Challenge>)],
    context: &[u8],
) -> Result<ProofReader<'a, P::Challenge>, ProofError> {
    let statement = Statement::registered(accepted, commitments)?; // V0
    statement.verify_next(claims, context, &mut reader)?;
    Ok(reader)
}

/// What claims are about.
pub(super) struct Statement<'s> {
    pub(super) hashing: &'static Hashing,
    pub(super) suite: &'s str,
    pub(super) shapes: Vec<Shape>,
    pub(super) layout: Layout,
    /// Of each the profile, the number of variables, the root, and the sample if the shape has samples.
    pub(super) commitments: Vec<Vec<u8>>,
}

impl Statement<'_> {
    fn registered<P: PresetOf>(
        accepted: &AcceptedOf<P>,
        commitments: &[CommitmentOf<P>],
    ) -> Result<Self, ProofError> {
        let shapes = commitments.iter().map(|commitment| accepted.shape(commitment));
        let shapes = shapes.collect::<Result<Vec<_>, _>>()?;
        let mut profiles = commitments.iter().map(|commitment| commitment.preset().code());
        let profile = profiles.next().ok_or(ProofError::UnacceptedParams)?;
        let layout = Layout::registered(profile, &shapes.iter().collect::<Vec<_>>());
        let layout = layout.filter(|_| profiles.all(|other| other == profile));
        Ok(Self {
            hashing: P::HASHING,
            suite: P::SUMS,
            shapes,
            layout: layout.ok_or(ProofError::UnacceptedParams)?,
            commitments: commitments.iter().map(|one| one.to_bytes().as_ref().to_vec()).collect(),
        })
    }

    /// All but V0. Gives the transcript as it is then.
    pub(super) fn verify<E: ChallengeField>(
        &self,
        claims: &[(usize, SumClaim<'_, E>)],
        proof: &[u8],
        context: &[u8],
    ) -> Result<Transcript<E>, ProofError> {
        self.check(claims)?;
        if proof.len() > self.layout.max_proof_len_bytes(claims::closing(claims)) {
            return Err(ProofError::ProofLength); // V4
        }
        let transcript = Transcript::of_an_opening(self.hashing.transcript_context);
        let mut reader = ProofReader::new(transcript, proof);
        self.verify_next(claims, context, &mut reader)?;
        reader.finish() // V9
    }

    fn check<E: ChallengeField>(&self, claims: &[(usize, SumClaim<'_, E>)]) -> Result<(), ProofError> {
        if self.shapes.iter().any(|shape| shape.challenge_len_bytes() != E::LEN_BYTES) {
            return Err(ProofError::UnacceptedParams);
        }
        let variables: Vec<u8> = self.shapes.iter().map(Shape::variables).collect();
        claims::check(claims, &variables)
    }

    /// The same where the proof is the next part of one that is read: neither its longest length nor its end is asked for.
    pub(super) fn verify_next<E: ChallengeField>(
        &self,
        claims: &[(usize, SumClaim<'_, E>)],
        context: &[u8],
        reader: &mut ProofReader<'_, E>,
    ) -> Result<(), ProofError> {
        self.check(claims)?;
        let (transcript, proof) = reader.parts();
        if let Some(claim) = transcript.late(&self.commitments, claims) {
            return Err(ProofError::LateCommitment { claim });
        }
        let transcript = transcript.stream();
        statement::begin_sums(transcript, self.suite, context, &self.layout, &self.commitments, claims);
        let (mut roots, mut points, isa) = (Vec::new(), Vec::new(), Isa::current());
        for (shape, commitment) in self.shapes.iter().zip(&self.commitments) {
            let (root, sample) = root_and_sample::<E>(shape, commitment)?;
            if let Some(value) = sample {
                let point = statement::sample_point::<E>(self.hashing, self.suite, shape, &root);
                points.push((roots.len(), point, value));
            }
            roots.push(root);
        }
        // Samples are claims of their own, before all others.
        let samples = points.iter().map(|(number, point, value)| {
            (*number, Expanded::Point(EvaluationClaim { point, value: *value }))
        });
        let all = claims.iter().map(|(number, claim)| (*number, claim.expanded(isa)));
        let expanded: Vec<_> = samples.chain(all).collect();
        let closing = claims::closing(claims);
        verify_claims(self.hashing, transcript, &self.layout, &roots, &expanded, closing, proof)
    }
}

/// What follows profile and number of variables in a commitment's bytes.
fn root_and_sample<E: ChallengeField>(
    shape: &Shape,
    commitment: &[u8],
) -> Result<([u8; 32], Option<E>), ProofError> {
    let unaccepted = ProofError::UnacceptedParams;
    let (_, root_and_sample) = commitment.split_at_checked(2).ok_or(unaccepted)?;
    let (root, sample) = root_and_sample.split_first_chunk::<32>().ok_or(unaccepted)?;
    match (shape.has_samples(), sample.len()) {
        (false, 0) => Ok((*root, None)),
        (true, len) if len == E::LEN_BYTES => Ok((*root, Some(E::from_le_slice(sample)))),
        _ => Err(unaccepted),
    }
}

/// V5 to V8, once the statement is bound. With `closing`, rounds follow the final vector.
fn verify_claims<E: ChallengeField>(
    hashing: &'static Hashing,
    transcript: &mut transcripts::Transcript,
    layout: &Layout,
    roots: &[[u8; 32]],
    claims: &[(usize, Expanded<'_, E>)],
    closing: bool,
    proof: &mut Proof<'_>,
) -> Result<(), ProofError> {
    let mut verifier = Verifier {
        isa: Isa::current(),
        hashing,
        layout,
        transcript,
        proof,
        sum: E::ZERO,
        challenges: Vec::with_capacity(layout.variables()),
        induced: Vec::new(),
    };
    let gamma: E = verifier.transcript.challenge("gamma");
    let mut power = E::ONE;
    for (_, claim) in claims {
        verifier.sum += claim.value(&mut power, gamma);
    }

    let mut folding = verifier.fold(layout.log2_columns)?;
    let mut level: Option<Level> = None;
    let mut root = [0; 32];
    for (index, next) in layout.later.iter().enumerate() {
        let next_root = *verifier.proof.array::<32>()?;
        verifier.transcript.absorb("root", &[&next_root]);
        let variables = next.log2_message + next.log2_columns;
        let sample = if layout.samples { Some(verifier.sample(variables)?) } else { None };
        let opened = match level {
            None => verifier.open_commitments(roots, &folding)?,
            Some(level) => verifier.open_later(index, &level, &root, &folding)?,
        };
        verifier.induce(level, sample, opened);
        (level, root) = (Some(*next), next_root);
        folding = verifier.fold(next.log2_columns)?;
    }

    let mut message: Vec<E> = elements(verifier.proof.take(layout.final_len() * E::LEN_BYTES)?);
    verifier.transcript.absorb_elements("final", &message);
    message.resize(1 << layout.log2_final(), E::ZERO);
    let rest = if closing {
        let bound = verifier.fold(layout.log2_final())?;
        vec![vectors::inner(verifier.isa, &message, &bound)]
    } else {
        message.clone()
    };
    let opened = match level {
        None => verifier.open_commitments(roots, &folding)?,
        Some(level) => verifier.open_later(layout.later.len(), &level, &root, &folding)?,
    };
    let generators = Generators::new(layout);
    verifier.final_rows(&generators, level, &message, &opened)?; // V7
    verifier.final_claim(&generators, claims, gamma, &rest) // V8
}

/// Opened rows of one code: where, and their values when the columns are folded, those of several trees added up.
struct Opened<E> {
    positions: Vec<usize>,
    rows: Vec<E>,
}

/// Opened rows that are not those of the last level: rows of the generator matrices, times scales, are part of the weights from
/// there on.
struct Induced<E> {
    /// The later level, or the commitments.
    level: Option<Level>,
    /// Challenges before it.
    bound: usize,
    /// The sample of the level after it, if it has one, and its scale.
    sample: Option<(Vec<Factor<E>>, E)>,
    /// Of every code the positions, and the scales.
    rows: Vec<(Vec<usize>, Vec<E>)>,
}

/// The verifier between two messages.
struct Verifier<'t, 'a, E> {
    isa: Isa,
    hashing: &'static Hashing,
    layout: &'t Layout,
    transcript: &'t mut transcripts::Transcript,
    proof: &'t mut Proof<'a>,
    /// sigma: what the inner product of message and weights has to be.
    sum: E,
    /// Every folding challenge so far.
    challenges: Vec<E>,
    induced: Vec<Induced<E>>,
}

impl<'a, E: ChallengeField> Verifier<'_, 'a, E> {
    /// The rounds of a level: `count` variables are bound. Gives the tensor of the new challenges, the weights with
    /// which the columns are folded.
    fn fold(&mut self, count: u8) -> Result<Vec<E>, ProofError> {
        let first = self.challenges.len();
        for _ in 0..count {
            let at_zero = self.proof.element()?;
            let leading = self.proof.element()?;
            self.transcript.absorb_elements("round", &[at_zero, leading]);
            let challenge = self.transcript.challenge("fold");
            self.sum = Round { at_zero, leading }.at(self.sum, challenge);
            self.challenges.push(challenge);
        }
        let factors: Vec<_> = self.challenges[first..].iter().copied().map(Factor::Equal).collect();
        Ok(vectors::tensor(self.isa, E::ONE, &factors))
    }

    /// The sample of the level whose root was read, of so many variables: its weight, and its value.
    fn sample(&mut self, variables: u8) -> Result<(Vec<Factor<E>>, E), ProofError> {
        let point = statement::out_of_domain(self.transcript, variables);
        let value = self.proof.element()?;
        self.transcript.absorb_elements("ood-value", &[value]);
        Ok((point.into_iter().map(Factor::Equal).collect(), value))
    }

    /// The proof of work, if the level has one.
    fn work(&mut self, level: usize, bits: u8) -> Result<(), ProofError> {
        if bits > 0 {
            let mut seed = [0; 32];
            self.transcript.squeeze("pow-seed", &mut seed);
            let nonce = self.proof.array::<8>()?;
            if !self.hashing.work_is_done(&seed, u64::from_le_bytes(*nonce), bits) {
                return Err(ProofError::ProofOfWork { level }); // V5
            }
            self.transcript.absorb("pow-nonce", &[nonce]);
        }
        Ok(())
    }

    fn queries(&mut self, level: &Level) -> Vec<usize> {
        self.transcript.queries(level.log2_rows(), usize::from(level.queries))
    }

    /// Reads the opened rows of all commitments, checks that they are those under the roots, and folds them.
    fn open_commitments(&mut self, roots: &[[u8; 32]], folding: &[E]) -> Result<Vec<Opened<E>>, ProofError> {
        let layout = self.layout;
        self.work(0, layout.grinding_bits)?;
        let drawn: Vec<_> = layout.groups.iter().map(|group| self.queries(&group.level)).collect();
        let mut opened = Vec::with_capacity(drawn.len());
        for (group, positions) in layout.groups.iter().zip(drawn) {
            let mut sums = vec![E::ZERO; positions.len()];
            for member in &group.members {
                let columns = 1 << member.log2_columns;
                let folding = &folding[member.first_column..][..columns];
                let (bytes, root) = self.rows(&group.level, &positions, columns, Gf32::LEN_BYTES)?;
                if root != roots[member.commitment] {
                    return Err(match roots {
                        [_] => ProofError::MerkleRoot { level: 0 },
                        _ => ProofError::MerkleRootOf { commitment: member.commitment },
                    }); // V6
                }
                let rows: Vec<_> = bytes.as_chunks().0.iter().map(|x| Gf32(u32::from_le_bytes(*x))).collect();
                let mut folded = vec![E::ZERO; positions.len()];
                mixed::combine_columns(self.isa, &rows, folding, &mut folded);
                vectors::add_assign(&mut sums, &folded);
            }
            opened.push(Opened { positions, rows: sums });
        }
        Ok(opened)
    }

    /// The same of later level `index`.
    fn open_later(
        &mut self,
        index: usize,
        level: &Level,
        root: &[u8; 32],
        folding: &[E],
    ) -> Result<Vec<Opened<E>>, ProofError> {
        self.work(index, level.grinding_bits)?;
        let positions = self.queries(level);
        let (bytes, recomputed) = self.rows(level, &positions, level.columns(), E::LEN_BYTES)?;
        if recomputed != *root {
            return Err(ProofError::MerkleRoot { level: index }); // V6
        }
        let mut rows = vec![E::ZERO; positions.len()];
        vectors::combine_columns(self.isa, &elements(bytes), folding, &mut rows);
        Ok(vec![Opened { positions, rows }])
    }

    /// Reads opened rows of so many columns, and gives their bytes and the root that they lead to.
    fn rows(
        &mut self,
        level: &Level,
        positions: &[usize],
        columns: usize,
        element_len_bytes: usize,
    ) -> Result<(&'a [u8], [u8; 32]), ProofError> {
        let row_len = columns * element_len_bytes;
        let rows = self.proof.take(positions.len() * row_len)?;
        let (isa, hash) = (self.isa, RowHash::Own(self.hashing));
        let mut leaves = vec![[0; 32]; positions.len()];
        hash.rows_of_bytes(isa, rows, row_len, columns, 0, &mut leaves);
        let proof = &mut *self.proof;
        let sibling = || proof.array::<32>().ok().copied();
        let parents = |pairs: &[[_; 2]]| hash.parents_of(isa, pairs);
        let root = opening::root_of(level.log2_rows(), positions, leaves, sibling, parents);
        root.map(|root| (rows, root)).ok_or(ProofError::ProofLength)
    }

    /// The sample of the next level, if it has one, and the opened rows join the claims, in the powers of alpha.
    fn induce(&mut self, level: Option<Level>, sample: Option<(Vec<Factor<E>>, E)>, opened: Vec<Opened<E>>) {
        let alpha: E = self.transcript.challenge("alpha");
        let mut power = E::ONE;
        let mut add = |value: E| {
            power *= alpha;
            self.sum += power * value;
            power
        };
        let sample = sample.map(|(factors, value)| (factors, add(value)));
        let mut rows = Vec::with_capacity(opened.len());
        for Opened { positions, rows: values } in opened {
            rows.push((positions, values.into_iter().map(&mut add).collect()));
        }
        self.induced.push(Induced { level, bound: self.challenges.len(), sample, rows });
    }

    /// Whether the opened rows of the last level, folded, are what the final vector encodes to.
    fn final_rows(
        &self,
        generators: &Generators<E>,
        level: Option<Level>,
        message: &[E],
        opened: &[Opened<E>],
    ) -> Result<(), ProofError> {
        for (matrix, Opened { positions, rows }) in generators.matrices(self.layout, level).iter().zip(opened)
        {
            let message = &message[matrix.first_row..][..1 << matrix.log2_message];
            let entries = codes::values_at(self.isa, matrix.basis, 0, message, positions);
            for (position, (entry, row)) in positions.iter().zip(entries.iter().zip(rows)) {
                if entry != row {
                    return Err(ProofError::FinalRow { position: *position });
                }
            }
        }
        Ok(())
    }

    /// Whether what is left of the weights gives the sum: their inner product with `rest`, the final vector or the one
    /// entry that closing rounds have left of it.
    fn final_claim(
        &self,
        generators: &Generators<E>,
        claims: &[(usize, Expanded<'_, E>)],
        gamma: E,
        rest: &[E],
    ) -> Result<(), ProofError> {
        let (layout, places) = (self.layout, self.layout.places());
        let mut sum = E::ZERO;
        let mut power = E::ONE;
        for (number, claim) in claims {
            sum += claim.evaluate(self.isa, &places[*number], &self.challenges, rest, &mut power, gamma);
        }
        for induced in &self.induced {
            // A row is the tensor of those variables that were still free when it was opened. The first of them are
            // bound since; the others meet the message.
            let bound = &self.challenges[induced.bound..];
            if let Some((sample, scale)) = &induced.sample {
                sum += *scale * claims::evaluate_tensor(self.isa, sample, bound, rest);
            }
            for (matrix, (positions, scales)) in
                generators.matrices(layout, induced.level).iter().zip(&induced.rows)
            {
                sum += matrix.rows_at(self.isa, positions, scales, bound, rest);
            }
        }
        if sum == self.sum { Ok(()) } else { Err(ProofError::FinalClaim) }
    }
}

/// The elements whose bytes lie one after the other.
fn elements<E: ChallengeField>(bytes: &[u8]) -> Vec<E> {
    bytes.chunks_exact(E::LEN_BYTES).map(E::from_le_slice).collect()
}
