//! What the prover sends once the statement is bound: sumchecks, commitments to what they fold, opened rows.
#![forbid(unsafe_code)]

use super::matrix::{Code, Matrix};
use super::parallel::{self, Entries};
use super::row_hash::RowHash;
use super::shape::{self, Shape};
use super::statement;
use super::suite::Hashing;
use super::terms::{Term, equal};
use crate::binary::vectors::{self, Factor, Round};
use crate::binary::{ChallengeField, Gf32, le_bytes};
use crate::codes::{self, Basis, Transform};
use crate::transcripts;
use alloc::vec::Vec;
use core::{iter, mem};
use phalanx_core::simd::Isa;
use phalanx_core::threads::Pool;

/// A polynomial, and what was made of it when it was committed to.
pub(super) struct Committed<'a> {
    pub(super) hashing: &'static Hashing,
    pub(super) shape: &'a Shape,
    pub(super) polynomial: &'a [Gf32],
    pub(super) code: &'a Code<Gf32>,
    pub(super) matrix: &'a Matrix<Gf32>,
}

/// The proof of claims that the transcript has, whose weights are the terms. With `closing`, rounds follow the final vector.
pub(super) fn prove<E: ChallengeField>(
    pool: &dyn Pool,
    committed: &Committed<'_>,
    transcript: &mut transcripts::Transcript,
    terms: Vec<Term<E>>,
    closing: bool,
) -> Vec<u8> {
    let (isa, hashing) = (Isa::current(), committed.hashing);
    let mut prover = Prover { isa, pool, hashing, transcript, proof: Vec::new() };
    prover.run(committed, terms, closing);
    prover.proof
}

/// The weights of the next message, and the weight of its sample, if it has one.
type NextWeights<'w, E> = (&'w mut Vec<E>, Option<Vec<Factor<E>>>);

/// The prover between two messages.
struct Prover<'p> {
    isa: Isa,
    pool: &'p dyn Pool,
    hashing: &'static Hashing,
    transcript: &'p mut transcripts::Transcript,
    proof: Vec<u8>,
}

impl Prover<'_> {
    fn run<E: ChallengeField>(&mut self, data: &Committed<'_>, terms: Vec<Term<E>>, closing: bool) {
        let levels = data.shape.levels();
        let (mut v, mut w) = self.first_rounds(data, terms);
        // The level whose rows are opened next is level 0 first.
        let mut before: Option<(Code<E>, Matrix<E>)> = None;
        for (index, level) in levels.iter().enumerate() {
            if let Some((_, matrix)) = &before {
                (v, w) = self.rounds(*level, matrix.message(), w);
            }
            let mut sample = None;
            let next = if let Some(next) = levels.get(index + 1) {
                let next = self.commit(code(self.hashing, *next), mem::take(&mut v));
                sample = data.shape.has_samples().then(|| self.sample(*level, next.1.message()));
                Some(next)
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
            let w = next.is_some().then_some((&mut w, sample));
            match &before {
                None => self.open(*level, data.code, data.matrix, w),
                Some((code, matrix)) => self.open(*level, code, matrix, w),
            }
            before = next;
        }
    }

    /// The rounds of level 0 on tables as long as a row, and then the folded polynomial and its weights.
    fn first_rounds<E: ChallengeField>(
        &mut self,
        data: &Committed<'_>,
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
        let v = parallel::combine_columns(self.pool, self.isa, data.polynomial, &folding);
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

    /// Sends the sample of the vector that was committed last, and gives its weight.
    fn sample<E: ChallengeField>(&mut self, level: shape::Level, v: &[E]) -> Vec<Factor<E>> {
        let weight = equal(&statement::out_of_domain(self.transcript, level.log2_message));
        let value = [vectors::evaluate(self.isa, v, &weight)];
        self.proof.extend_from_slice(&le_bytes(&value));
        self.transcript.absorb_elements("ood-value", &value);
        weight
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

    /// Draws the queries and sends what they open. Unless the level is the last one, what the next message's sample, if it has
    /// one, and the rows say of it joins its weights `w`; the sum is not the prover's business.
    fn open<F: Transform, E: ChallengeField + From<F>>(
        &mut self,
        level: shape::Level,
        code: &Code<F>,
        matrix: &Matrix<F>,
        w: Option<NextWeights<'_, E>>,
    ) {
        let queries = self.transcript.queries(level.log2_rows(), usize::from(level.queries));
        let opened = matrix.open(self.pool, self.isa, code, &queries);
        self.proof.extend_from_slice(&le_bytes(&opened.rows));
        self.proof.extend(opened.siblings.as_flattened());
        drop(opened);
        if let Some((w, sample)) = w {
            let mut powers = self.powers(queries.len() + usize::from(sample.is_some()));
            if let Some(sample) = sample {
                let first = [(Entries::Scaled(powers.remove(0)), &sample[..])];
                vectors::add_assign(w, &parallel::tensors(self.pool, self.isa, &first, sample.len()));
            }
            codes::induce(self.pool, self.isa, &code.basis, &queries, &powers, w);
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
pub(super) fn code<F: Transform>(hashing: &'static Hashing, level: shape::Level) -> Code<F> {
    Code {
        basis: Basis::new(level.log2_rows()),
        scales: Vec::new(),
        log2_message: usize::from(level.log2_message),
        log2_columns: usize::from(level.log2_columns),
        hash: RowHash::Own(hashing),
    }
}
