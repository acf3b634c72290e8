//! The verifier: scalar, one thread, no memory beyond a small multiple of the proof. Section 7 of docs/ligerito.md is
//! its text; the steps V0 to V9 are named where they happen.
#![forbid(unsafe_code)]

use super::claims::{self, EvaluationClaim, Expanded, MAX_CLAIMS, PlanesClaim, SumClaim};
use super::commitment::{AcceptedOf, CommitmentOf};
use super::error::ProofError;
use super::orbit::{self, PLANES};
use super::preset::PresetOf;
use super::row_hash::RowHash;
use super::shape::{self, Shape};
use super::statement;
use super::suite::Hashing;
use super::transcript::{Proof, ProofReader, Transcript};
use crate::binary::vectors::{self, Factor, Round};
use crate::binary::{ChallengeField, Gf32, mixed};
use crate::codes::{self, Basis};
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
    let claims: Vec<_> = claims.iter().map(|claim| Expanded::Point(*claim)).collect();
    let mut proof = Proof::new(proof);
    verify_claims(hashing, &mut transcript, shape, root, &claims, false, &mut proof)?;
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
    let shape = accepted.shape(commitment)?; // V0
    let commitment = commitment.to_bytes();
    let (hashing, commitment) = (P::HASHING, commitment.as_ref());
    verify_sums_of_shape(hashing, P::SUMS, &shape, commitment, claims, proof, context).map(|_| ())
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
    let shape = accepted.shape(commitment)?; // V0
    let commitment = commitment.to_bytes();
    let (hashing, commitment) = (P::HASHING, commitment.as_ref());
    let verified = verify_sums_of_shape(hashing, P::SUMS, &shape, commitment, claims, proof, context);
    verified.map(|mut transcript| transcript.bridge())
}

/// V0 and the rest, about weighted sums, where the proof stands in one that is read; gives the reader back.
///
/// # Errors
/// [`ProofError`] names the first check that failed.
pub(crate) fn verify_sums_in<'a, P: PresetOf>(
    mut reader: ProofReader<'a, P::Challenge>,
    accepted: &AcceptedOf<P>,
    commitment: &CommitmentOf<P>,
    claims: &[SumClaim<'_, P::Challenge>],
    context: &[u8],
) -> Result<ProofReader<'a, P::Challenge>, ProofError> {
    let shape = accepted.shape(commitment)?; // V0
    let commitment = commitment.to_bytes();
    let (hashing, commitment) = (P::HASHING, commitment.as_ref());
    verify_next_sums(hashing, P::SUMS, &shape, commitment, claims, context, &mut reader)?;
    Ok(reader)
}

/// All but V0 about weighted sums, for any shape. `commitment` is the profile, the number of variables, the root, and the
/// sample if the shape has samples. Gives the transcript as it is then.
pub(super) fn verify_sums_of_shape<E: ChallengeField>(
    hashing: &'static Hashing,
    suite: &str,
    shape: &Shape,
    commitment: &[u8],
    claims: &[SumClaim<'_, E>],
    proof: &[u8],
    context: &[u8],
) -> Result<Transcript<E>, ProofError> {
    check_sums(shape, claims)?;
    if proof.len() > shape.max_sums_proof_len_bytes(claims::closing(claims)) {
        return Err(ProofError::ProofLength); // V4
    }
    let mut reader = ProofReader::new(Transcript::of_an_opening(hashing.transcript_context), proof);
    verify_next_sums(hashing, suite, shape, commitment, claims, context, &mut reader)?;
    reader.finish() // V9
}

fn check_sums<E: ChallengeField>(shape: &Shape, claims: &[SumClaim<'_, E>]) -> Result<(), ProofError> {
    if shape.challenge_len_bytes() != E::LEN_BYTES {
        return Err(ProofError::UnacceptedParams);
    }
    claims::check(claims, shape.variables().into())
}

/// The same where the proof is the next part of one that is read: neither its longest length nor its end is asked for.
pub(super) fn verify_next_sums<E: ChallengeField>(
    hashing: &'static Hashing,
    suite: &str,
    shape: &Shape,
    commitment: &[u8],
    claims: &[SumClaim<'_, E>],
    context: &[u8],
    reader: &mut ProofReader<'_, E>,
) -> Result<(), ProofError> {
    check_sums(shape, claims)?;
    let unaccepted = ProofError::UnacceptedParams;
    let (_, root_and_sample) = commitment.split_at_checked(2).ok_or(unaccepted)?;
    let (root, sample) = root_and_sample.split_first_chunk::<32>().ok_or(unaccepted)?;
    let sample_len = if shape.has_samples() { E::LEN_BYTES } else { 0 };
    if sample.len() != sample_len {
        return Err(unaccepted);
    }
    let (transcript, proof) = reader.parts();
    if let Some(claim) = transcript.late(commitment, claims) {
        return Err(ProofError::LateCommitment { claim });
    }
    statement::begin_sums(transcript.stream(), suite, context, shape, commitment, claims);
    let isa = Isa::current();
    // The sample is claim number 0.
    let point =
        if shape.has_samples() { statement::sample_point(hashing, suite, shape, root) } else { vec![] };
    let sample = elements(sample).into_iter().map(|value| EvaluationClaim { point: &point, value });
    let all = claims.iter().map(|claim| claim.expanded(isa));
    let expanded: Vec<_> = sample.map(Expanded::Point).chain(all).collect();
    verify_claims(hashing, transcript.stream(), shape, root, &expanded, claims::closing(claims), proof)
}

/// V5 to V8, once the statement is bound. With `closing`, rounds follow the final vector.
fn verify_claims<E: ChallengeField>(
    hashing: &'static Hashing,
    transcript: &mut transcripts::Transcript,
    shape: &Shape,
    root: &[u8; 32],
    claims: &[Expanded<'_, E>],
    closing: bool,
    proof: &mut Proof<'_>,
) -> Result<(), ProofError> {
    let mut verifier = Verifier {
        isa: Isa::current(),
        hashing,
        transcript,
        proof,
        sum: E::ZERO,
        challenges: Vec::with_capacity(usize::from(shape.variables())),
        induced: Vec::new(),
    };
    let gamma: E = verifier.transcript.challenge("gamma");
    let mut power = E::ONE;
    for claim in claims {
        verifier.sum += claim.value(&mut power, gamma);
    }

    let mut root = *root;
    let (last, before) = shape.levels().split_last().expect("a shape has at least one level");
    for (index, level) in before.iter().enumerate() {
        let folding = verifier.fold(level.log2_columns)?;
        let next = *verifier.proof.array::<32>()?;
        verifier.transcript.absorb("root", &[&next]);
        let sample = if shape.has_samples() { Some(verifier.sample(level.log2_message)?) } else { None };
        let queries = verifier.queries(index, level)?;
        let rows = verifier.open(index, shape, &root, &queries, &folding)?;
        let alpha: E = verifier.transcript.challenge("alpha");
        let mut power = E::ONE;
        let mut scales = Vec::with_capacity(rows.len() + 1);
        // The sample first, then the rows.
        for value in sample.iter().map(|(_, value)| *value).chain(rows) {
            power *= alpha;
            verifier.sum += power * value;
            scales.push(power);
        }
        let sample = sample.map(|(factors, _)| factors);
        verifier.induced.push(Induced { index, sample, positions: queries, scales });
        root = next;
    }

    let index = before.len();
    let folding = verifier.fold(last.log2_columns)?;
    let message: Vec<E> = elements(verifier.proof.take(last.message_len() * E::LEN_BYTES)?);
    verifier.transcript.absorb_elements("final", &message);
    let rest = if closing {
        let bound = verifier.fold(last.log2_message)?;
        vec![vectors::inner(verifier.isa, &message, &bound)]
    } else {
        message.clone()
    };
    let queries = verifier.queries(index, last)?;
    let rows = verifier.open(index, shape, &root, &queries, &folding)?;
    let generators = Generators::new(shape);
    verifier.final_rows(&generators, shape, &message, &queries, &rows)?; // V7
    verifier.final_claim(&generators, shape, claims, gamma, &rest) // V8
}

/// The rows opened of level `index`, which is not the last: rows `positions` of its generator matrix, times `scales`,
/// are part of the weights from there on; before them the sample of the level after it, if it has one.
struct Induced<E> {
    index: usize,
    sample: Option<Vec<Factor<E>>>,
    positions: Vec<usize>,
    scales: Vec<E>,
}

/// The verifier between two messages.
struct Verifier<'t, 'a, E> {
    isa: Isa,
    hashing: &'static Hashing,
    transcript: &'t mut transcripts::Transcript,
    proof: &'t mut Proof<'a>,
    /// sigma: what the inner product of message and weights has to be.
    sum: E,
    /// Every folding challenge so far.
    challenges: Vec<E>,
    induced: Vec<Induced<E>>,
}

impl<E: ChallengeField> Verifier<'_, '_, E> {
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

    /// The proof of work, if the level has one, and then the rows that are opened.
    fn queries(&mut self, index: usize, level: &shape::Level) -> Result<Vec<usize>, ProofError> {
        if level.grinding_bits > 0 {
            let mut seed = [0; 32];
            self.transcript.squeeze("pow-seed", &mut seed);
            let nonce = self.proof.array::<8>()?;
            if !self.hashing.work_is_done(&seed, u64::from_le_bytes(*nonce), level.grinding_bits) {
                return Err(ProofError::ProofOfWork { level: index }); // V5
            }
            self.transcript.absorb("pow-nonce", &[nonce]);
        }
        Ok(self.transcript.queries(level.log2_rows(), usize::from(level.queries)))
    }

    /// Reads the opened rows, checks that they are those under `root`, and folds them.
    fn open(
        &mut self,
        index: usize,
        shape: &Shape,
        root: &[u8; 32],
        queries: &[usize],
        folding: &[E],
    ) -> Result<Vec<E>, ProofError> {
        let row_len = shape.row_len_bytes(index);
        let rows = self.proof.take(queries.len() * row_len)?;
        let mut folded = vec![E::ZERO; queries.len()];
        if index == 0 {
            let rows: Vec<_> = rows.as_chunks().0.iter().map(|x| Gf32(u32::from_le_bytes(*x))).collect();
            mixed::combine_columns(self.isa, &rows, folding, &mut folded);
        } else {
            vectors::combine_columns(self.isa, &elements(rows), folding, &mut folded);
        }
        let (isa, hash) = (self.isa, RowHash::Own(self.hashing));
        let mut leaves = vec![[0; 32]; queries.len()];
        hash.rows_of_bytes(isa, rows, row_len, folding.len(), 0, &mut leaves);
        let proof = &mut *self.proof;
        let sibling = || proof.array::<32>().ok().copied();
        let parents = |pairs: &[[_; 2]]| hash.parents_of(isa, pairs);
        let log2_rows = shape.levels()[index].log2_rows();
        let recomputed = opening::root_of(log2_rows, queries, leaves, sibling, parents);
        match recomputed {
            None => Err(ProofError::ProofLength),
            Some(recomputed) if recomputed != *root => Err(ProofError::MerkleRoot { level: index }), // V6
            Some(_) => Ok(folded),
        }
    }

    /// Whether the opened rows of the last level, folded, are what the final vector encodes to.
    fn final_rows(
        &self,
        generators: &Generators<E>,
        shape: &Shape,
        message: &[E],
        queries: &[usize],
        rows: &[E],
    ) -> Result<(), ProofError> {
        let last = generators.basis(shape.levels().len() - 1);
        let entries = codes::values_at(self.isa, last, 0, message, queries);
        for (position, (entry, row)) in queries.iter().zip(entries.iter().zip(rows)) {
            if entry != row {
                return Err(ProofError::FinalRow { position: *position });
            }
        }
        Ok(())
    }

    /// Whether what is left of the weights gives the sum: their inner product with `rest`, the final vector or the one
    /// entry that closing rounds have left of it.
    fn final_claim(
        &self,
        generators: &Generators<E>,
        shape: &Shape,
        claims: &[Expanded<'_, E>],
        gamma: E,
        rest: &[E],
    ) -> Result<(), ProofError> {
        let mut sum = E::ZERO;
        let mut power = E::ONE;
        for claim in claims {
            sum += claim.evaluate(self.isa, &self.challenges, rest, &mut power, gamma);
        }
        for rows in &self.induced {
            // A row is the tensor of those variables that were still free when it was opened. The first of them are
            // bound since; the others meet the message.
            let free = usize::from(shape.levels()[rows.index].log2_message);
            let bound = &self.challenges[usize::from(shape.variables()) - free..];
            let basis = generators.basis(rows.index);
            let mut scales = &rows.scales[..];
            if let (Some(sample), Some((scale, after))) = (&rows.sample, scales.split_first()) {
                sum += *scale * claims::evaluate_tensor(self.isa, sample, bound, rest);
                scales = after;
            }
            let values = codes::values_at(self.isa, basis, bound.len(), rest, &rows.positions);
            for ((position, scale), value) in rows.positions.iter().zip(scales).zip(values) {
                let factors: Vec<_> =
                    basis.generator_factors(*position, bound.len()).map(Factor::Generator).collect();
                sum += *scale * vectors::extension(self.isa, &factors, bound) * value;
            }
        }
        if sum == self.sum { Ok(()) } else { Err(ProofError::FinalClaim) }
    }
}

/// The bases of the codes of all levels, over the large field.
struct Generators<E> {
    /// Of level 0, embedded.
    first: Basis<E>,
    /// Of all other levels.
    later: Basis<E>,
}

impl<E: ChallengeField> Generators<E> {
    fn new(shape: &Shape) -> Self {
        let (first, rest) = shape.levels().split_first().expect("a shape has at least one level");
        let largest = rest.iter().map(|level| level.log2_rows()).max().unwrap_or(0);
        let first = Basis::<Gf32>::new(first.log2_rows()).embedded();
        Self { first, later: Basis::new(largest) }
    }

    /// That of level `index`.
    fn basis(&self, index: usize) -> &Basis<E> {
        if index == 0 { &self.first } else { &self.later }
    }
}

/// The elements whose bytes lie one after the other.
fn elements<E: ChallengeField>(bytes: &[u8]) -> Vec<E> {
    bytes.chunks_exact(E::LEN_BYTES).map(E::from_le_slice).collect()
}
