//! What the prover sends once the statement is bound: sumchecks, commitments to what they fold, opened rows.
#![forbid(unsafe_code)]

use super::layout::Layout;
use super::matrix::{Code, Matrix};
use super::orbit_tables;
use super::parallel::{self, Entries};
use super::row_hash::RowHash;
use super::shape;
use super::statement;
use super::suite::Hashing;
use super::terms::{Tables, Term, Weights, equal};
use crate::binary::vectors::{self, Factor, Round};
use crate::binary::{ChallengeField, Gf32, le_bytes};
use crate::codes::{self, Basis, Transform};
use crate::transcripts;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::{iter, mem};
use phalanx_core::simd::Isa;
use phalanx_core::threads::Pool;

/// A polynomial, and what was made of it when it was committed to.
pub(super) struct Committed<'a> {
    pub(super) polynomial: &'a [Gf32],
    pub(super) code: &'a Code<Gf32>,
    pub(super) matrix: &'a Matrix<Gf32>,
}

/// The polynomials of a statement in its order, and how they lie beside each other.
pub(super) struct Together<'a> {
    pub(super) hashing: &'static Hashing,
    pub(super) layout: &'a Layout,
    pub(super) parts: Vec<Committed<'a>>,
}

/// The proof of claims that the transcript has, whose weights are the terms, those of each commitment together. With `closing`,
/// rounds follow the final vector.
pub(super) fn prove<E: ChallengeField>(
    pool: &dyn Pool,
    data: &Together<'_>,
    transcript: &mut transcripts::Transcript,
    weights: Vec<Weights<'_, E>>,
    closing: bool,
) -> Vec<u8> {
    let (isa, hashing) = (Isa::current(), data.hashing);
    let mut prover = Prover { isa, pool, hashing, transcript, proof: Vec::new() };
    prover.run(data, weights, closing);
    prover.proof
}

/// The weights of the next message, and the weight of its sample, if it has one.
type NextWeights<'w, E> = (&'w mut Vec<E>, Option<Vec<Factor<E>>>);

/// What is left of a matrix and of its weights when all of its columns are folded into one; of two that stand side by side, by
/// the number of the pair, every other entry is the second one's.
type Columns<E> = Vec<(usize, [Vec<E>; 2])>;

/// The prover between two messages.
struct Prover<'p> {
    isa: Isa,
    pool: &'p dyn Pool,
    hashing: &'static Hashing,
    transcript: &'p mut transcripts::Transcript,
    proof: Vec<u8>,
}

impl Prover<'_> {
    fn run<E: ChallengeField>(&mut self, data: &Together<'_>, weights: Vec<Weights<'_, E>>, closing: bool) {
        let layout = data.layout;
        let (mut v, mut w) = self.first_rounds(data, weights);
        // The level whose rows are opened next: none as long as it is the commitments'.
        let mut before: Option<(shape::Level, Code<E>, Matrix<E>)> = None;
        for next in layout.later.iter().map(Some).chain([None]) {
            if let Some((level, _, matrix)) = &before {
                (v, w) = self.rounds(level.log2_columns, matrix.message(), w);
            }
            let level = before.as_ref().map(|(level, ..)| *level);
            let variables = level.map_or(layout.log2_rows, |level| level.log2_message);
            let mut sample = None;
            let next = if let Some(next) = next {
                let (code, matrix) = self.commit(code(self.hashing, *next), mem::take(&mut v));
                sample = layout.samples.then(|| self.sample(variables, matrix.message()));
                Some((*next, code, matrix))
            } else {
                self.send_final(&v[..layout.final_len()]);
                if closing && variables > 0 {
                    self.rounds(variables, &v, mem::take(&mut w));
                }
                None
            };
            self.work(level.map_or(layout.grinding_bits, |level| level.grinding_bits));
            // Nearly all of the proof is opened rows: its memory is not taken before, beside the cosets of the
            // commitment.
            self.proof.reserve_exact(layout.max_proof_len_bytes(closing).saturating_sub(self.proof.len()));
            let w = next.is_some().then_some((&mut w, sample));
            match &before {
                None => self.open_commitments(data, w),
                Some((level, code, matrix)) => self.open(*level, code, matrix, w),
            }
            before = next;
        }
    }

    /// The rounds of the commitments on tables as long as their rows, and, once the columns of one are bound, on what is left of
    /// it and of its neighbours; then the folded polynomials end to end, and their weights.
    fn first_rounds<E: ChallengeField>(
        &mut self,
        data: &Together<'_>,
        weights: Vec<Weights<'_, E>>,
    ) -> (Vec<E>, Vec<E>) {
        let gamma: E = self.transcript.challenge("gamma");
        let (mut terms, described): (Vec<_>, Vec<_>) =
            weights.into_iter().map(|weights| (weights.terms, weights.described)).unzip();
        scale(self.isa, &mut terms, gamma);
        for ((part, described), terms) in data.parts.iter().zip(&described).zip(&mut terms) {
            if !described.is_empty() {
                terms.push(Term::of_described(self.pool, self.isa, part.polynomial, described, gamma));
            }
        }
        let layout = data.layout;
        let mut left: Vec<Columns<E>> = layout.groups.iter().map(|_| Columns::new()).collect();
        let mut factors = Vec::new();
        for round in 0..=layout.log2_columns {
            let folding = OnceCell::new();
            for (group, left) in layout.groups.iter().zip(&mut left) {
                for member in group.members.iter().filter(|member| member.log2_columns == round) {
                    let folding = folding.get_or_init(|| vectors::tensor(self.isa, E::ONE, &factors));
                    let (part, terms) =
                        (&data.parts[member.commitment], mem::take(&mut terms[member.commitment]));
                    left.push((member.first_column >> round, self.column(part, folding, &terms)));
                }
            }
            if round < layout.log2_columns {
                left = left.into_iter().map(paired).collect();
                factors.push(Factor::Equal(self.round_of_tables(&mut terms, &mut left)));
            }
        }
        end_to_end(layout, left)
    }

    /// A round about the tables of all terms and about pairs of columns; binds them.
    fn round_of_tables<E: ChallengeField>(
        &mut self,
        terms: &mut [Vec<Term<E>>],
        left: &mut [Columns<E>],
    ) -> E {
        let (pool, isa) = (self.pool, self.isa);
        let mut all: Vec<_> = left.iter_mut().flatten().map(|(_, [v, w])| [v, w]).collect();
        let mut orbits = Vec::new();
        for Term { tables, .. } in terms.iter_mut().flatten() {
            match tables {
                Tables::Pair { folded, lower } => all.push([folded, lower]),
                Tables::Orbit(tables) => orbits.push(tables),
            }
        }
        let mut message = Round { at_zero: E::ZERO, leading: E::ZERO };
        for [v, w] in &all {
            let round = parallel::round(pool, isa, v, w);
            message.at_zero += round.at_zero;
            message.leading += round.leading;
        }
        for tables in &orbits {
            let round = tables.round(isa);
            message.at_zero += round.at_zero;
            message.leading += round.leading;
        }
        let challenge = self.round(message);
        if !orbits.is_empty() {
            let conjugates = orbit_tables::conjugates(isa, challenge);
            orbits.into_iter().for_each(|tables| tables.bind(isa, &conjugates));
        }
        for table in all.iter_mut().flatten() {
            parallel::fold(pool, isa, table, challenge);
        }
        challenge
    }

    /// What is left of a polynomial and of its weights, whose tables have one entry for each claim by now; those of whole weights as many as there
    /// are rows.
    fn column<E: ChallengeField>(
        &self,
        part: &Committed<'_>,
        folding: &[E],
        terms: &[Term<E>],
    ) -> [Vec<E>; 2] {
        let v = parallel::combine_columns(self.pool, self.isa, part.polynomial, folding);
        let (whole, terms): (Vec<_>, Vec<_>) = terms.iter().partition(|term| term.upper.is_empty());
        let weights: Vec<_> = terms.iter().map(|term| (term.entries(self.isa), &*term.upper)).collect();
        let mut w = parallel::tensors(self.pool, self.isa, &weights, part.code.log2_message);
        for Term { tables, .. } in whole {
            if let Tables::Pair { lower, .. } = tables {
                vectors::add_assign(&mut w, lower);
            }
        }
        [v, w]
    }

    /// As many rounds on whole vectors.
    fn rounds<E: ChallengeField>(&mut self, count: u8, v: &[E], w: Vec<E>) -> (Vec<E>, Vec<E>) {
        let (pool, count) = (self.pool, usize::from(count));
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
    fn sample<E: ChallengeField>(&mut self, variables: u8, v: &[E]) -> Vec<Factor<E>> {
        let weight = equal(&statement::out_of_domain(self.transcript, variables));
        let value = [vectors::evaluate(self.isa, v, &weight)];
        self.proof.extend_from_slice(&le_bytes(&value));
        self.transcript.absorb_elements("ood-value", &value);
        weight
    }

    fn send_final<E: ChallengeField>(&mut self, v: &[E]) {
        self.proof.extend_from_slice(&le_bytes(v));
        self.transcript.absorb_elements("final", v);
    }

    /// Does a level's proof of work, if it has one.
    fn work(&mut self, bits: u8) {
        if bits > 0 {
            let mut seed = [0; 32];
            self.transcript.squeeze("pow-seed", &mut seed);
            let nonce = self.hashing.grind(self.pool, self.isa, &seed, bits).to_le_bytes();
            self.proof.extend(nonce);
            self.transcript.absorb("pow-nonce", &[&nonce]);
        }
    }

    /// Draws the queries of every code and sends what they open of every commitment. What the next message's sample, if it has
    /// one, and the rows say of it joins its weights `w`, unless there is none; the sum is not the prover's business.
    fn open_commitments<E: ChallengeField>(&mut self, data: &Together<'_>, w: Option<NextWeights<'_, E>>) {
        let groups = &data.layout.groups;
        let drawn: Vec<Vec<usize>> = groups.iter().map(|group| self.queries(group.level)).collect();
        for (group, queries) in groups.iter().zip(&drawn) {
            for member in &group.members {
                let part = &data.parts[member.commitment];
                self.send_rows(part.code, part.matrix, queries);
            }
        }
        if let Some((w, sample)) = w {
            let powers = self.powers(drawn.iter().map(Vec::len).sum(), w, sample);
            let mut powers = &powers[..];
            for (group, queries) in groups.iter().zip(&drawn) {
                let (own, after) = powers.split_at(queries.len());
                powers = after;
                let basis = &data.parts[group.members[0].commitment].code.basis;
                let w = &mut w[group.first_row..][..group.level.message_len()];
                codes::induce(self.pool, self.isa, basis, queries, own, w);
            }
        }
    }

    /// The same of a later level.
    fn open<E: ChallengeField>(
        &mut self,
        level: shape::Level,
        code: &Code<E>,
        matrix: &Matrix<E>,
        w: Option<NextWeights<'_, E>>,
    ) {
        let queries = self.queries(level);
        self.send_rows(code, matrix, &queries);
        if let Some((w, sample)) = w {
            let powers = self.powers(queries.len(), w, sample);
            codes::induce(self.pool, self.isa, &code.basis, &queries, &powers, w);
        }
    }

    fn queries(&mut self, level: shape::Level) -> Vec<usize> {
        self.transcript.queries(level.log2_rows(), usize::from(level.queries))
    }

    fn send_rows<F: Transform>(&mut self, code: &Code<F>, matrix: &Matrix<F>, queries: &[usize]) {
        let opened = matrix.open(self.pool, self.isa, code, queries);
        self.proof.extend_from_slice(&le_bytes(&opened.rows));
        self.proof.extend(opened.siblings.as_flattened());
    }

    /// alpha, alpha^2, … for as many rows. A sample has the first of the powers, and joins the weights `w`.
    fn powers<E: ChallengeField>(
        &mut self,
        rows: usize,
        w: &mut [E],
        sample: Option<Vec<Factor<E>>>,
    ) -> Vec<E> {
        let count = rows + usize::from(sample.is_some());
        let alpha: E = self.transcript.challenge("alpha");
        // alpha^(i + 1) = alpha times alpha^(2^j) for every bit j of i.
        let squares = iter::successors(Some(alpha), |power| Some(power.square())).map(Factor::Generator);
        let factors: Vec<_> = squares.take(count.next_power_of_two().ilog2() as usize).collect();
        let mut powers = vectors::tensor(self.isa, alpha, &factors);
        powers.truncate(count);
        if let Some(sample) = sample {
            let first = [(Entries::Scaled(powers.remove(0)), &sample[..])];
            vectors::add_assign(w, &parallel::tensors(self.pool, self.isa, &first, sample.len()));
        }
        powers
    }
}

/// Scales the tables of every claim by its power of gamma.
fn scale<E: ChallengeField>(isa: Isa, terms: &mut [Vec<Term<E>>], gamma: E) {
    let mut terms: Vec<_> = terms.iter_mut().flatten().collect();
    terms.sort_by_key(|term| term.claim);
    let (mut scale, mut next) = (E::ONE, 0);
    let (mut scaled, mut factors) = (Vec::new(), Vec::new());
    let conjugates = OnceCell::new();
    for Term { claim, tables, .. } in terms {
        let lower = match tables {
            Tables::Pair { lower, .. } => lower,
            Tables::Orbit(tables) => {
                let conjugates = conjugates.get_or_init(|| orbit_tables::conjugates(isa, gamma));
                tables.scale(isa, conjugates, *claim);
                continue;
            }
        };
        // A claim may have several tables or none.
        while next < *claim {
            (scale, next) = (scale * gamma, next + 1);
        }
        factors.clear();
        factors.resize(lower.len(), scale);
        scaled.clear();
        scaled.resize(lower.len(), E::ZERO);
        vectors::add_products(isa, &mut scaled, lower, &factors);
        mem::swap(&mut scaled, lower);
    }
}

/// Columns side by side.
fn paired<E: ChallengeField>(columns: Columns<E>) -> Columns<E> {
    let mut pairs = Columns::new();
    for (number, column) in columns {
        let len = 2 * column[0].len();
        let known = pairs.iter().position(|(pair, _)| *pair == number / 2);
        let at = known.unwrap_or_else(|| {
            pairs.push((number / 2, [vec![E::ZERO; len], vec![E::ZERO; len]]));
            pairs.len() - 1
        });
        for (pair, column) in pairs[at].1.iter_mut().zip(column) {
            let own = pair.iter_mut().skip(number % 2).step_by(2);
            own.zip(column).for_each(|(entry, value)| *entry = value);
        }
    }
    pairs
}

/// The folded polynomials of all groups, and zeros up to a power of two; their weights.
fn end_to_end<E: ChallengeField>(layout: &Layout, left: Vec<Columns<E>>) -> (Vec<E>, Vec<E>) {
    let (mut v, mut w) = (Vec::new(), Vec::new());
    for (_, [part, weights]) in left.into_iter().flatten() {
        if v.is_empty() {
            (v, w) = (part, weights);
        } else {
            v.extend(part);
            w.extend(weights);
        }
    }
    v.resize(1 << layout.log2_rows, E::ZERO);
    w.resize(1 << layout.log2_rows, E::ZERO);
    (v, w)
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
