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
use crate::binary::{Gf32, Gf128, mixed};
use crate::codes::{self, Basis};
use crate::opening;
use crate::row_hash::RowHash;
use crate::transcripts::Published;
use alloc::vec;
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

/// The rows opened of level `index`, which is not the last: rows `positions` of its generator matrix, times `scales`,
/// are part of the weights from there on.
struct Induced {
    index: usize,
    positions: Vec<usize>,
    scales: Vec<Gf128>,
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
        let mut scales = Vec::with_capacity(queries.len());
        for _ in &queries {
            scales.push(scale);
            scale *= alpha;
        }
        self.induced.push(Induced { index, positions: queries, scales });
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
        let rows: Vec<u8> = opened.rows().flatten().copied().collect();
        let mut folded = vec![Gf128(0); queries.len()];
        if index == 0 {
            let rows: Vec<_> = rows.as_chunks().0.iter().map(|x| Gf32(u32::from_le_bytes(*x))).collect();
            mixed::combine_columns(self.isa, &rows, folding, &mut folded);
        } else {
            let rows: Vec<_> = rows.as_chunks().0.iter().map(|x| Gf128::from_le_bytes(*x)).collect();
            vectors::combine_columns(self.isa, &rows, folding, &mut folded);
        }
        let (isa, hash) = (self.isa, RowHash::Published);
        let mut leaves = vec![[0; 32]; queries.len()];
        hash.rows_of_bytes(isa, &rows, self.config.row_len_bytes(index), folding.len(), 0, &mut leaves);
        let mut siblings = opened.siblings.iter().copied();
        let depth = self.config.log2_rows(index);
        let parents = |pairs: &[[_; 2]]| hash.parents_of(isa, pairs);
        let root = opening::root_of(depth, queries, leaves, || siblings.next(), parents);
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
        let entries = generators.values_at(self.isa, last, 0, &message, &queries);
        for (query, (position, (row, entry))) in queries.iter().zip(rows.iter().zip(entries)).enumerate() {
            if entry != *row {
                return Err(ProofError::FinalRow {
                    query: u16::try_from(query).expect("at most 148"),
                    position: u32::try_from(*position).expect("at most 2^32 rows"),
                });
            }
        }
        if self.final_sum(&generators, &message) == self.sum { Ok(()) } else { Err(ProofError::FinalSum) }
    }

    /// The inner product of the final vector with all weights.
    fn final_sum(&self, generators: &Generators, message: &[Gf128]) -> Gf128 {
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
        for rows in &self.induced {
            // A row is the tensor of those variables that were still free when it was opened. The first of them are
            // bound since; the others meet the message.
            let free = usize::from(self.config.levels()[rows.index].log2_message);
            let bound = &self.challenges[usize::from(self.config.variables()) - free..];
            let rest = generators.values_at(self.isa, rows.index, bound.len(), message, &rows.positions);
            for ((position, scale), rest) in rows.positions.iter().zip(&rows.scales).zip(rest) {
                let factors = generators.factors(rows.index, *position, bound.len());
                sum += *scale * vectors::extension(self.isa, &factors, bound) * rest;
            }
        }
        sum
    }
}

/// The bases of the codes of all levels, over GF(2^128). Codes are in the basis made of s_j = c_j h_j.
struct Generators {
    first: Basis<Gf128>,
    later: Basis<Gf128>,
}

impl Generators {
    fn new(config: &Config) -> Self {
        let first = Basis::<Gf32>::new(config.log2_rows(0)).embedded();
        // The later levels' domains lie in each other; the first of them is the largest.
        Self { first, later: Basis::new(config.log2_rows(1)) }
    }

    fn basis(&self, index: usize) -> &Basis<Gf128> {
        if index == 0 { &self.first } else { &self.later }
    }

    /// The first `count` factors s_j(position) of row `position` of level `index`.
    fn factors(&self, index: usize, position: usize, count: usize) -> Vec<Factor<Gf128>> {
        let basis = self.basis(index);
        (0..count).map(|j| Factor::Generator(basis.norm(j) * basis.at(j, position))).collect()
    }

    /// The inner products of the message with the tensors of (1, s_j) at `positions`, for the j from `bound` on.
    fn values_at(
        &self,
        isa: Isa,
        index: usize,
        bound: usize,
        message: &[Gf128],
        positions: &[usize],
    ) -> Vec<Gf128> {
        let basis = self.basis(index);
        let mut scaled = vec![Gf128(0); message.len()];
        let scales = codes::scales(basis, bound, message.len().ilog2() as usize);
        vectors::add_products(isa, &mut scaled, message, &scales);
        codes::values_at(isa, basis, bound, &scaled, positions)
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
