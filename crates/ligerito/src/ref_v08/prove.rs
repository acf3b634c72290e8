//! The prover. docs/ligerito-ref-v08.md, section 3, is its text.
//!
//! A polynomial is committed as a matrix over GF(2^32); folding its columns gives a vector over GF(2^128), which is
//! committed in turn, and so on until a short vector is sent whole. Every level's rows are opened where the transcript
//! says, and what they say of the next vector joins the sum that the rounds of sumcheck carry on.
#![forbid(unsafe_code)]

use super::super::matrix::{Code, Matrix, Opened};
use super::super::parallel;
use super::super::row_hash::RowHash;
use super::config::Config;
use super::error::Error;
use super::statement::{self, CoefficientClaim, TranscriptKind};
use super::wire::{put_count, put_root};
use crate::binary::vectors::{self, Factor, Round};
use crate::binary::{BinaryField, Gf32, Gf128, gf32s, mixed};
use crate::codes::{self, Basis};
use crate::transcripts::Published;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Inline, Pool};

/// The root that proofs about `polynomial` begin with, which verification takes from whoever knows it: 2^variables
/// elements of GF(2^32), bit j of the index is coordinate j.
///
/// # Errors
/// [`Error::PolynomialLength`] or [`Error::TooLarge`].
pub fn commit(config: &Config, polynomial: &[u32]) -> Result<[u8; 32], Error> {
    commit_on(&Inline, config, polynomial)
}

/// [`commit`] on the threads of a pool. The answer is the same.
///
/// # Errors
/// As [`commit`].
pub fn commit_on(pool: &dyn Pool, config: &Config, polynomial: &[u32]) -> Result<[u8; 32], Error> {
    check_length(config, polynomial)?;
    Ok(Matrix::commit(pool, Isa::current(), &code(config, 0), gf32s(polynomial), &|_, _| ()).root())
}

/// Commits to `polynomial` and proves `claims` about its coefficients; without claims, that the committed matrix is
/// near an encoded one. Gives the bytes that the crate gives.
///
/// # Errors
/// [`Error::PolynomialLength`], [`Error::ClaimIndex`], [`Error::ClaimValue`] or [`Error::TooLarge`].
pub fn prove(
    config: &Config,
    kind: TranscriptKind,
    polynomial: &[u32],
    claims: &[CoefficientClaim],
) -> Result<Vec<u8>, Error> {
    prove_on(&Inline, config, kind, polynomial, claims)
}

/// [`prove`] on the threads of a pool. The answer is the same.
///
/// # Errors
/// As [`prove`].
pub fn prove_on(
    pool: &dyn Pool,
    config: &Config,
    kind: TranscriptKind,
    polynomial: &[u32],
    claims: &[CoefficientClaim],
) -> Result<Vec<u8>, Error> {
    check_length(config, polynomial)?;
    let len = polynomial.len() as u64;
    for (claim, CoefficientClaim { index, value }) in claims.iter().enumerate() {
        let coefficient = usize::try_from(*index).ok().and_then(|index| polynomial.get(index));
        match coefficient {
            None => return Err(Error::ClaimIndex { claim, got: *index, len }),
            Some(wanted) if wanted != value => {
                return Err(Error::ClaimValue { claim, got: *value, wanted: *wanted });
            }
            Some(_) => {}
        }
    }
    Ok(prove_as(&mut NoHooks, pool, config, kind, polynomial, claims))
}

fn check_length(config: &Config, polynomial: &[u32]) -> Result<(), Error> {
    // The encoded matrix is four times as long, and an element has four bytes.
    if u32::from(config.variables()) + 4 >= usize::BITS - 1 {
        return Err(Error::TooLarge);
    }
    let wanted = 1u64 << config.variables();
    let got = polynomial.len();
    if got as u64 == wanted { Ok(()) } else { Err(Error::PolynomialLength { got, wanted }) }
}

/// Called with what the prover is about to send, which it may change: so tests make proofs that lie in one place.
/// Whatever is sent, the prover goes on from it, and makes every later round add up.
pub(super) trait ProverHooks {
    /// The root of a level.
    fn root(&mut self, _level: usize, _root: &mut [u8; 32]) {}
    /// The vector that a later level's matrix is made of.
    fn vector(&mut self, _level: usize, _v: &mut [Gf128]) {}
    /// A round's message; `sum` is what it has to add up to, `v` and `w` what it is about (empty at level 0).
    fn message(
        &mut self,
        _level: usize,
        _round: usize,
        _sum: Gf128,
        _v: &[Gf128],
        _w: &[Gf128],
        _message: &mut [Gf128; 3],
    ) {
    }
    /// The final vector, and its weights.
    fn last(&mut self, _v: &mut [Gf128], _w: &[Gf128]) {}
}

/// Changes nothing.
pub(super) struct NoHooks;

impl ProverHooks for NoHooks {}

/// The proof of claims that nobody has checked.
pub(super) fn prove_as(
    hooks: &mut dyn ProverHooks,
    pool: &dyn Pool,
    config: &Config,
    kind: TranscriptKind,
    polynomial: &[u32],
    claims: &[CoefficientClaim],
) -> Vec<u8> {
    let isa = Isa::current();
    let polynomial = gf32s(polynomial);
    let code = code(config, 0);
    let matrix = Matrix::commit(pool, isa, &code, polynomial, &|_, _| ());
    let mut root = matrix.root();
    hooks.root(0, &mut root);
    let transcript = statement::begin(config, kind, &root, claims);
    let mut prover = Prover {
        isa,
        pool,
        config,
        hooks,
        transcript,
        sum: Gf128(0),
        roots: vec![root],
        openings: Vec::new(),
        last: Vec::new(),
        evaluation: Vec::new(),
        rounds: Vec::new(),
    };
    prover.run(&code, &matrix, polynomial, claims);
    prover.encode()
}

/// A level's code, with the scales that lead from the crate's basis, which is not normalised, to ours.
fn code<F: codes::Transform>(config: &Config, index: usize) -> Code<F> {
    let basis = Basis::new(config.log2_rows(index));
    let dimensions = config.levels()[index];
    let log2_message = usize::from(dimensions.log2_message);
    let scales = codes::scales(&basis, 0, log2_message);
    let log2_columns = usize::from(dimensions.log2_columns);
    Code { basis, scales, log2_message, log2_columns, hash: RowHash::Published }
}

/// The inner products of rows with the weights of their columns.
trait FoldRows: codes::Transform {
    fn fold_rows(isa: Isa, rows: &[Self], weights: &[Gf128], out: &mut [Gf128]);
}

impl FoldRows for Gf32 {
    fn fold_rows(isa: Isa, rows: &[Self], weights: &[Gf128], out: &mut [Gf128]) {
        mixed::combine_columns(isa, rows, weights, out);
    }
}

impl FoldRows for Gf128 {
    fn fold_rows(isa: Isa, rows: &[Self], weights: &[Gf128], out: &mut [Gf128]) {
        for (row, out) in rows.chunks_exact(weights.len()).zip(out) {
            *out = vectors::inner(isa, row, weights);
        }
    }
}

/// A claim at level 0: its weight is at one place of one row of the polynomial's matrix.
struct Spot {
    row: Vec<Gf128>,
    place: usize,
    weight: Gf128,
}

impl Spot {
    /// Its part of the round's message.
    fn message(&self) -> [Gf128; 3] {
        let at = self.place % self.row.len();
        let (even, odd) = (self.row[at & !1], self.row[at | 1]);
        let leading = (even + odd) * self.weight;
        if at.is_multiple_of(2) {
            [even * self.weight, Gf128(0), leading]
        } else {
            [Gf128(0), odd * self.weight, leading]
        }
    }

    fn fold(&mut self, isa: Isa, challenge: Gf128) {
        vectors::fold(isa, &mut self.row[..], challenge);
        self.row.truncate(self.row.len() / 2);
        self.weight *= if self.place.is_multiple_of(2) { Gf128(1) + challenge } else { challenge };
        self.place /= 2;
    }
}

/// The prover between two messages.
struct Prover<'p> {
    isa: Isa,
    pool: &'p dyn Pool,
    config: &'p Config,
    hooks: &'p mut dyn ProverHooks,
    transcript: Published,
    /// What the inner product of vector and weights is.
    sum: Gf128,
    /// What is sent, by the part of the encoding that it goes to.
    roots: Vec<[u8; 32]>,
    openings: Vec<Vec<u8>>,
    last: Vec<Gf128>,
    evaluation: Vec<[Gf128; 3]>,
    rounds: Vec<[Gf128; 3]>,
}

impl Prover<'_> {
    fn run(
        &mut self,
        code: &Code<Gf32>,
        matrix: &Matrix<Gf32>,
        polynomial: &[Gf32],
        claims: &[CoefficientClaim],
    ) {
        let mut spots = self.spots(polynomial, claims);
        let folding = self.first_rounds(&mut spots);
        let mut v = parallel::combine_columns(self.pool, self.isa, polynomial, &folding);
        let mut w = vec![Gf128(0); v.len()];
        for spot in &spots {
            // Bound to one entry by now: the row of the folded matrix.
            w[spot.place] += spot.weight;
        }
        let next = self.commit(1, &mut v);
        self.glue(0, code, matrix, &folding, &mut w, !claims.is_empty());
        let (mut code, mut matrix) = next;
        let last = self.config.last();
        for index in 1..=last {
            let folding = self.rounds(index, &mut v, &mut w);
            if index == last {
                self.hooks.last(&mut v, &w);
                self.transcript.absorb_elements(&v);
                self.last = v;
                let queries = self.queries(index);
                let opened = matrix.open(self.pool, self.isa, &code, &queries);
                self.send(code.columns(), &opened);
                return;
            }
            let next = self.commit(index + 1, &mut v);
            self.glue(index, &code, &matrix, &folding, &mut w, true);
            (code, matrix) = next;
        }
    }

    /// The claims, each with a challenge as its weight.
    fn spots(&mut self, polynomial: &[Gf32], claims: &[CoefficientClaim]) -> Vec<Spot> {
        let columns = 1 << self.config.first().log2_columns;
        let mut spots = Vec::with_capacity(claims.len());
        for claim in claims {
            let weight = self.transcript.challenge();
            self.sum += weight * Gf32(claim.value).into();
            let place = usize::try_from(claim.index).expect("an index of the polynomial");
            let row = &polynomial[place / columns * columns..][..columns];
            spots.push(Spot { row: row.iter().map(|x| (*x).into()).collect(), place, weight });
        }
        spots
    }

    /// What level 0 is folded with: the tensor of its challenges, after rounds of their own if there are claims.
    fn first_rounds(&mut self, spots: &mut [Spot]) -> Vec<Gf128> {
        let mut factors = Vec::new();
        for round in 0..usize::from(self.config.first().log2_columns) {
            let challenge = if spots.is_empty() {
                self.transcript.challenge()
            } else {
                let mut message = [Gf128(0); 3];
                for spot in &*spots {
                    vectors::add_assign(&mut message, &spot.message());
                }
                self.hooks.message(0, round, self.sum, &[], &[], &mut message);
                self.evaluation.push(message);
                self.say(message)
            };
            spots.iter_mut().for_each(|spot| spot.fold(self.isa, challenge));
            factors.push(Factor::Equal(challenge));
        }
        vectors::tensor(self.isa, Gf128(1), &factors)
    }

    /// The rounds of a later level, and the tensor of their challenges.
    fn rounds(&mut self, index: usize, v: &mut Vec<Gf128>, w: &mut Vec<Gf128>) -> Vec<Gf128> {
        let mut factors = Vec::new();
        let mut next = vectors::round(self.isa, v, w);
        for round in 0..usize::from(self.config.levels()[index].log2_columns) {
            // The value at 1 is what the sum leaves for it.
            let mut message = [next.at_zero, self.sum + next.at_zero, next.leading];
            self.hooks.message(index, round, self.sum, v, w, &mut message);
            self.rounds.push(message);
            let challenge = self.say(message);
            next = vectors::fold_round(self.isa, &mut v[..], &mut w[..], challenge);
            v.truncate(v.len() / 2);
            w.truncate(w.len() / 2);
            factors.push(Factor::Equal(challenge));
        }
        vectors::tensor(self.isa, Gf128(1), &factors)
    }

    /// Says a round's message; gives its challenge, and goes on with the round polynomial's value there.
    fn say(&mut self, message: [Gf128; 3]) -> Gf128 {
        message.iter().for_each(|x| self.transcript.absorb_element(*x));
        let challenge = self.transcript.challenge();
        let [at_zero, at_one, leading] = message;
        self.sum = Round { at_zero, leading }.at(at_zero + at_one, challenge);
        challenge
    }

    fn commit(&mut self, index: usize, v: &mut [Gf128]) -> (Code<Gf128>, Matrix<Gf128>) {
        self.hooks.vector(index, v);
        let code = code(self.config, index);
        let matrix = Matrix::commit_and_forget(self.pool, self.isa, &code, v.to_vec());
        let mut root = matrix.root();
        self.hooks.root(index, &mut root);
        self.transcript.absorb_root(&root);
        self.roots.push(root);
        (code, matrix)
    }

    /// Opens rows of level `index`, folded with `folding`, and adds to sum and weights what they say of the vector that
    /// is left: with a challenge in front if there is a sum already.
    fn glue<F: FoldRows>(
        &mut self,
        index: usize,
        code: &Code<F>,
        matrix: &Matrix<F>,
        folding: &[Gf128],
        w: &mut [Gf128],
        joins: bool,
    ) where
        Gf128: From<F>,
    {
        let queries = self.queries(index);
        let alpha = self.transcript.challenge();
        let mut power = Gf128(1);
        let mut powers = Vec::with_capacity(queries.len());
        for _ in &queries {
            powers.push(power);
            power *= alpha;
        }
        let opened = matrix.open(self.pool, self.isa, code, &queries);
        let mut folded = vec![Gf128(0); queries.len()];
        F::fold_rows(self.isa, &opened.rows, folding, &mut folded);
        let sum = vectors::inner(self.isa, &powers, &folded);
        self.transcript.absorb_element(sum);
        self.send(code.columns(), &opened);
        let beta = if joins { self.transcript.challenge() } else { Gf128(1) };
        self.sum += beta * sum;
        powers.iter_mut().for_each(|power| *power *= beta);
        let mut induced = vec![Gf128(0); w.len()];
        codes::induce(self.pool, self.isa, &code.basis, &queries, &powers, &mut induced);
        // The rows of the crate's generator matrix are the tensors of s_j = c_j h_j.
        let norms: Vec<_> =
            (0..code.log2_message).map(|j| Factor::Generator(code.basis.norm(j).into())).collect();
        let scales = vectors::tensor(self.isa, Gf128(1), &norms);
        vectors::add_products(self.isa, w, &induced, &scales);
    }

    fn queries(&mut self, index: usize) -> Vec<usize> {
        self.transcript.queries(1 << self.config.log2_rows(index), self.config.queries(index))
    }

    /// Writes opened rows and their siblings.
    fn send<F: codes::Transform>(&mut self, columns: usize, opened: &Opened<F>) {
        let mut out = Vec::new();
        put_count(&mut out, opened.rows.len() / columns);
        for row in opened.rows.chunks_exact(columns) {
            put_count(&mut out, row.len());
            row.iter().for_each(|x| x.put(&mut out));
        }
        put_count(&mut out, opened.siblings.len());
        out.extend(opened.siblings.as_flattened());
        self.openings.push(out);
    }

    /// The parts in the order of the encoding.
    fn encode(self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.config.max_proof_len_bytes());
        let (last, later) = (self.config.last(), &self.roots[1..]);
        put_root(&mut out, &self.roots[0]);
        out.extend(&self.openings[0]);
        put_count(&mut out, later.len());
        later.iter().for_each(|root| put_root(&mut out, root));
        put_count(&mut out, last - 1);
        self.openings[1..last].iter().for_each(|opening| out.extend(opening));
        put_count(&mut out, self.last.len());
        self.last.iter().for_each(|x| x.put(&mut out));
        out.extend(&self.openings[last]);
        for messages in [&self.rounds, &self.evaluation] {
            put_count(&mut out, messages.len());
            messages.as_flattened().iter().for_each(|x| x.put(&mut out));
        }
        out
    }
}
