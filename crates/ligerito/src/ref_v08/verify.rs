//! The verifier: scalar, one thread, no memory beyond a small multiple of the proof. docs/ligerito-ref-v08.md, section
//! 4, is its text.
//!
//! All lengths are checked before the first challenge. Then the transcript is replayed: every round's message has to
//! add up to the sum, every opened row has to lie under its root, and at the end the final vector has to encode to the
//! rows of the last level and to give the sum.
#![forbid(unsafe_code)]

use super::config::Config;
use super::error::ProofError;
use super::statement::{self, CoefficientClaim, TranscriptKind};
use super::wire::{self, Opened, Parts};
use crate::binary::vectors::{self, Factor, Round};
use crate::binary::{Gf32, Gf128};
use crate::codes::Basis;
use crate::hashes::{blake3, sha256};
use crate::opening;
use crate::transcripts::Published;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;

/// Verifies that the polynomial committed under `root` has the claimed coefficients; without claims, that the committed
/// matrix is near an encoded one.
///
/// The crate takes the root from the proof, and so accepts a proof about anything; here it is the caller's, from
/// whoever [committed](super::commit).
///
/// # Errors
/// [`ProofError`] names the first check that failed.
pub fn verify(
    config: &Config,
    kind: TranscriptKind,
    root: &[u8; 32],
    claims: &[CoefficientClaim],
    proof: &[u8],
) -> Result<(), ProofError> {
    if let Some(claim) = claims.iter().position(|claim| claim.index >> config.variables() != 0) {
        return Err(ProofError::ClaimIndex { claim });
    }
    let parts = wire::read(config, !claims.is_empty(), proof)?;
    if parts.roots[0] != root {
        return Err(ProofError::InitialRoot);
    }
    let mut verifier = Verifier {
        isa: Isa::current(),
        config,
        transcript: statement::begin(config, kind, root, claims),
        sum: Gf128(0),
        challenges: Vec::with_capacity(usize::from(config.variables())),
        spots: Vec::with_capacity(claims.len()),
        induced: Vec::new(),
    };
    verifier.run(claims, &parts)
}

/// A claim: a weight at one place.
struct Spot {
    place: u64,
    weight: Gf128,
}

/// A row opened before the last level: `scale` times row `position` of the generator matrix of level `index` is part of
/// the weights from there on.
struct Induced {
    scale: Gf128,
    index: usize,
    position: usize,
}

/// The verifier between two messages.
struct Verifier<'a> {
    isa: Isa,
    config: &'a Config,
    transcript: Published,
    /// What the inner product of vector and weights has to be.
    sum: Gf128,
    /// Every folding challenge so far.
    challenges: Vec<Gf128>,
    spots: Vec<Spot>,
    induced: Vec<Induced>,
}

impl Verifier<'_> {
    fn run(&mut self, claims: &[CoefficientClaim], parts: &Parts<'_>) -> Result<(), ProofError> {
        for claim in claims {
            let weight = self.transcript.challenge();
            self.sum += weight * Gf32(claim.value).into();
            self.spots.push(Spot { place: claim.index, weight });
        }
        let mut rounds = parts.rounds;
        let last = self.config.last();
        for index in 0..last {
            let folding = self.bind(index, parts, &mut rounds)?;
            self.transcript.absorb_root(parts.roots[index + 1]);
            self.glue(index, parts, &folding, index > 0 || !claims.is_empty())?;
        }
        let folding = self.bind(last, parts, &mut rounds)?;
        self.finish(parts, &folding)
    }

    /// Binds the variables of a level: with the messages of its rounds, which are taken from `rounds` or, at level 0,
    /// are those of the evaluation; without claims, level 0 has only challenges. Gives the weights with which the
    /// columns are folded.
    fn bind(
        &mut self,
        index: usize,
        parts: &Parts<'_>,
        rounds: &mut &[[u8; 48]],
    ) -> Result<Vec<Gf128>, ProofError> {
        let count = usize::from(self.config.levels()[index].log2_columns);
        if index > 0 {
            let (messages, later) = rounds.split_at(count);
            *rounds = later;
            self.sumcheck(index, messages)?;
        } else if self.spots.is_empty() {
            self.challenges.extend((0..count).map(|_| self.transcript.challenge()));
        } else {
            self.sumcheck(0, parts.evaluation)?;
        }
        let first = self.challenges.len() - count;
        let factors: Vec<_> = self.challenges[first..].iter().copied().map(Factor::Equal).collect();
        Ok(vectors::tensor(self.isa, Gf128(1), &factors))
    }

    /// Every message adds up to the sum, and makes the next one.
    fn sumcheck(&mut self, index: usize, messages: &[[u8; 48]]) -> Result<(), ProofError> {
        for (round, message) in messages.iter().enumerate() {
            let [at_zero, at_one, leading] = elements(message);
            if at_zero + at_one != self.sum {
                let round = u8::try_from(round).expect("at most 30 variables");
                return Err(ProofError::Round { level: number(index), round });
            }
            [at_zero, at_one, leading].iter().for_each(|x| self.transcript.absorb_element(*x));
            let challenge = self.transcript.challenge();
            self.sum = Round { at_zero, leading }.at(self.sum, challenge);
            self.challenges.push(challenge);
        }
        Ok(())
    }

    /// The rows of a level before the last join the sum, and what they say of the next vector joins the weights.
    fn glue(
        &mut self,
        index: usize,
        parts: &Parts<'_>,
        folding: &[Gf128],
        joins: bool,
    ) -> Result<(), ProofError> {
        let queries = self.queries(index);
        let rows = self.open(index, parts, &queries, folding)?;
        let alpha = self.transcript.challenge();
        let mut sum = Gf128(0);
        let mut power = Gf128(1);
        for row in &rows {
            sum += power * *row;
            power *= alpha;
        }
        self.transcript.absorb_element(sum);
        let beta = if joins { self.transcript.challenge() } else { Gf128(1) };
        self.sum += beta * sum;
        let mut scale = beta;
        for position in queries {
            self.induced.push(Induced { scale, index, position });
            scale *= alpha;
        }
        Ok(())
    }

    fn queries(&mut self, index: usize) -> Vec<usize> {
        self.transcript.queries(1 << self.config.log2_rows(index), self.config.queries(index))
    }

    /// Checks that the opened rows are those under the level's root, and folds them.
    fn open(
        &self,
        index: usize,
        parts: &Parts<'_>,
        queries: &[usize],
        folding: &[Gf128],
    ) -> Result<Vec<Gf128>, ProofError> {
        let opened: &Opened<'_> = &parts.openings[index];
        let columns = 1 << self.config.levels()[index].log2_columns;
        let mut leaves = Vec::with_capacity(queries.len());
        let mut folded = Vec::with_capacity(queries.len());
        for bytes in opened.rows() {
            leaves.push(sha256::leaf(columns, bytes));
            let row: Vec<Gf128> = if index == 0 {
                bytes.as_chunks().0.iter().map(|x| Gf32(u32::from_le_bytes(*x)).into()).collect()
            } else {
                bytes.as_chunks().0.iter().map(|x| Gf128::from_le_bytes(*x)).collect()
            };
            folded.push(vectors::inner(self.isa, &row, folding));
        }
        let mut siblings = opened.siblings.iter().copied();
        let depth = self.config.log2_rows(index);
        let parent =
            |left: &_, right: &_| blake3::digest(&blake3::Mode::UNKEYED, [*left, *right].as_flattened());
        let root = opening::root_of(depth, queries, leaves, || siblings.next(), parent);
        match root {
            Some(_) if siblings.next().is_some() => Err(ProofError::Siblings { level: number(index) }),
            None => Err(ProofError::Siblings { level: number(index) }),
            Some(root) if root != *parts.roots[index] => Err(ProofError::MerkleRoot { level: number(index) }),
            Some(_) => Ok(folded),
        }
    }

    /// The last level: the final vector encodes to the opened rows, and gives the sum.
    fn finish(&mut self, parts: &Parts<'_>, folding: &[Gf128]) -> Result<(), ProofError> {
        let last = self.config.last();
        let message: Vec<Gf128> = parts.last.iter().map(|x| Gf128::from_le_bytes(*x)).collect();
        self.transcript.absorb_elements(&message);
        let queries = self.queries(last);
        let rows = self.open(last, parts, &queries, folding)?;
        let generators = Generators::new(self.config);
        for (query, (position, row)) in queries.iter().zip(rows).enumerate() {
            if vectors::evaluate(self.isa, &message, &generators.factors(last, *position)) != row {
                return Err(ProofError::FinalRow {
                    query: u16::try_from(query).expect("at most 148"),
                    position: u32::try_from(*position).expect("at most 2^32 rows"),
                });
            }
        }
        if self.final_sum(&generators, &message) == self.sum { Ok(()) } else { Err(ProofError::FinalSum) }
    }

    /// The inner product of the final vector with all weights.
    fn final_sum(&self, generators: &Generators<'_>, message: &[Gf128]) -> Gf128 {
        let mut sum = Gf128(0);
        for spot in &self.spots {
            // Bound to the challenges, a weight at one place stays at one place.
            let (mut place, mut weight) = (spot.place, spot.weight);
            for challenge in &self.challenges {
                weight *= if place.is_multiple_of(2) { Gf128(1) + *challenge } else { *challenge };
                place /= 2;
            }
            sum += weight * message[usize::try_from(place).expect("an index of the final vector")];
        }
        for row in &self.induced {
            // Its factors are those variables that were still free when it was opened; the first of them are bound
            // since.
            let factors = generators.factors(row.index, row.position);
            let bound = &self.challenges[usize::from(self.config.variables()) - factors.len()..];
            let (first, left) = factors.split_at(bound.len());
            let mut scale = row.scale;
            for (factor, challenge) in first.iter().zip(bound) {
                scale *= factor.bind(*challenge);
            }
            sum += scale * vectors::evaluate(self.isa, message, left);
        }
        sum
    }
}

/// The rows of the generator matrices of all levels, as tensors over GF(2^128).
struct Generators<'a> {
    config: &'a Config,
    small: Basis<Gf32>,
    large: Basis<Gf128>,
}

impl<'a> Generators<'a> {
    fn new(config: &'a Config) -> Self {
        // The later levels' domains lie in each other; the first of them is the largest.
        Self { config, small: Basis::new(config.log2_rows(0)), large: Basis::new(config.log2_rows(1)) }
    }

    /// The factors s_j(position) of row `position` of level `index`: s_j = c_j h_j.
    fn factors(&self, index: usize, position: usize) -> Vec<Factor<Gf128>> {
        let log2_message = usize::from(self.config.levels()[index].log2_message);
        let mut factors = Vec::with_capacity(log2_message);
        for j in 0..log2_message {
            factors.push(Factor::Generator(if index == 0 {
                (self.small.norm(j) * self.small.at(j, position)).into()
            } else {
                self.large.norm(j) * self.large.at(j, position)
            }));
        }
        factors
    }
}

fn elements(message: &[u8; 48]) -> [Gf128; 3] {
    let mut elements = [Gf128(0); 3];
    for (element, bytes) in elements.iter_mut().zip(message.as_chunks().0) {
        *element = Gf128::from_le_bytes(*bytes);
    }
    elements
}

fn number(index: usize) -> u8 {
    u8::try_from(index).expect("at most 16 levels")
}
