//! The verifier: scalar, one thread, about 2^(n+1) elements of memory. Its checks A1 to A7 are named where they happen;
//! A0 is what a [`Statement`] is. Sections 3 and 5 of docs/aggregate.md are its text.
#![forbid(unsafe_code)]

use crate::circuit::{Blake2sCompression, Circuit, rows};
use crate::error::ProofError;
use crate::profile::{Limits, Profile, Suite};
use crate::signatures::{RANDOMIZER_LEN, Verifications, log2_blocks};
use crate::statement::{MAX_SIGNATURES, Statement};
use crate::suites;
use crate::transcript::{Bound, Names, Transcript, conjugates, values_of_slices};
use crate::wiring::{AtPoint, Extension, Wiring, public_sum, weight_at};
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;
use phalanx_ligerito::provable128::Gf192;
use phalanx_ligerito::{EvaluationClaim, Gf128};

/// Magic, profile and root.
pub(crate) const HEADER_LEN: usize = 37;

/// Elements of a proof before its opening, with 2^`n` blocks.
pub(crate) const fn outer_elements<C: Circuit>(n: usize) -> usize {
    3 * 32 + 2 * (C::LOG2_BITS + n) + 2 + 2 * C::LOG2_BITS + 2 * (C::LOG2_SLOTS + n)
}

/// Variables of the committed polynomial: its elements are words of 32 bits.
pub(crate) fn variables<C: Circuit>(n: usize) -> u8 {
    u8::try_from(C::LOG2_BITS - 5 + n).expect("at most 30")
}

/// The length of the longest aggregate of so many signatures, 1 to [`MAX_SIGNATURES`], in bytes. Openings differ in length.
///
/// # Panics
/// For another number of signatures.
#[must_use]
pub fn max_len_bytes(profile: Profile, signatures: usize) -> usize {
    assert!((1..=MAX_SIGNATURES).contains(&signatures), "{signatures} signatures are none of a statement");
    match profile {
        Profile::Provable100 => max_len_bytes_over::<Blake2sCompression, Gf128>(
            RANDOMIZER_LEN * signatures,
            log2_blocks(signatures),
        ),
        Profile::Provable128 => max_len_bytes_over::<Blake2sCompression, Gf192>(
            RANDOMIZER_LEN * signatures,
            log2_blocks(signatures),
        ),
    }
}

fn max_len_bytes_over<C: Circuit, E: Suite>(randomizers_len: usize, n: usize) -> usize {
    fixed_len::<C, E>(randomizers_len, n) + E::max_opening_len(variables::<C>(n))
}

/// Bytes of a proof before its opening, with 2^`n` blocks.
fn fixed_len<C: Circuit, E: Suite>(randomizers_len: usize, n: usize) -> usize {
    HEADER_LEN + randomizers_len + outer_elements::<C>(n) * E::LEN_BYTES
}

/// Verifies that for every key of the statement somebody knows a signature. `context` is what the prover bound the
/// aggregate to, of any length.
///
/// # Errors
/// [`ProofError`] names the first check that failed, in the order of its variants.
pub fn verify(
    limits: &Limits,
    statement: &Statement,
    context: &[u8],
    aggregate: &[u8],
) -> Result<(), ProofError> {
    if statement.signatures() > limits.signatures() {
        return Err(ProofError::TooManySignatures);
    }
    let is_about = About {
        statement: &statement.to_bytes(),
        context,
        n: log2_blocks(statement.signatures()),
        randomizers_len: RANDOMIZER_LEN * statement.signatures(),
    };
    // A3 is that every signature has an encoding.
    let wiring = |randomizers: &[u8]| Verifications::new(statement, randomizers);
    match profile_of(limits, suites::PROVABLE100.magic, aggregate)? {
        Profile::Provable100 => {
            is_about.verify::<Blake2sCompression, Gf128, _>(&suites::PROVABLE100, wiring, aggregate)
        }
        Profile::Provable128 => {
            is_about.verify::<Blake2sCompression, Gf192, _>(&suites::PROVABLE128, wiring, aggregate)
        }
    }
}

/// A1: the profile that a proof says it is of.
pub(crate) fn profile_of(limits: &Limits, wanted: &[u8; 4], proof: &[u8]) -> Result<Profile, ProofError> {
    let Some((header, _)) = proof.split_first_chunk::<5>() else { return Err(ProofError::Length) };
    let [magic @ .., code] = header;
    let profile = Profile::from_code(*code).filter(|profile| magic == wanted && limits.accepts(*profile));
    profile.ok_or(ProofError::UnacceptedProfile)
}

/// What a proof is about, in any suite.
pub(crate) struct About<'a> {
    pub(crate) statement: &'a [u8],
    pub(crate) context: &'a [u8],
    /// log2 of the number of blocks.
    pub(crate) n: usize,
    /// Bytes of the randomizers that the proof has.
    pub(crate) randomizers_len: usize,
}

impl About<'_> {
    /// A2 to A7, of a circuit, over the field of the profile; `wiring` gives the statement's rules under the randomizers.
    pub(crate) fn verify<C: Circuit, E: Suite, W: Wiring>(
        &self,
        names: &'static Names,
        wiring: impl FnOnce(&[u8]) -> Result<W, ProofError>,
        proof: &[u8],
    ) -> Result<(), ProofError> {
        let variables = variables::<C>(self.n);
        // A2.
        let outer_len = outer_elements::<C>(self.n) * E::LEN_BYTES;
        let fixed = fixed_len::<C, E>(self.randomizers_len, self.n);
        if proof.len() <= fixed || proof.len() > max_len_bytes_over::<C, E>(self.randomizers_len, self.n) {
            return Err(ProofError::Length);
        }
        let (fixed, opening) = proof.split_at(fixed);
        let (fixed, outer) = fixed.split_at(fixed.len() - outer_len);
        let (header, randomizers) = fixed.split_at(HEADER_LEN);
        let root = header.last_chunk().expect("a header ends with a root");
        // A3.
        let wiring = wiring(randomizers)?;
        let bound = Bound {
            circuit: &C::DIGEST,
            context: self.context,
            statement: self.statement,
            randomizers,
            profile: E::CODE,
            variables,
            root,
        };
        let transcript = Transcript::begin(names, &bound);
        verify_blocks::<C, E>(transcript, &wiring, self.n, root, outer, opening)
    }
}

/// A4 to A7: the committed bits are 2^`n` blocks that keep the circuit, and the rules of the wiring.
fn verify_blocks<C: Circuit, E: Suite>(
    mut transcript: Transcript,
    wiring: &dyn Wiring,
    n: usize,
    root: &[u8; 32],
    outer: &[u8],
    opening: &[u8],
) -> Result<(), ProofError> {
    let isa = Isa::current();
    let mut outer = Outer { elements: outer.chunks_exact(E::LEN_BYTES).map(E::from_le_slice).collect() };

    // A4, check Z: a(x) b(x) = z(x) at every position, combined by eq(zeta, x).
    let zeta: Vec<E> = transcript.challenges("zeta", C::LOG2_BITS + n);
    let of_zeta = outer.slices(&mut transcript);
    let mut sum = value_of_slices(isa, &of_zeta, &zeta);
    let mut r = Vec::with_capacity(zeta.len());
    for zeta in &zeta {
        // d is the sum of the round polynomial's values at 0 and 1. (1 + zeta) q(0) + zeta q(1) is the sum so far, so
        // q(0) = sum + zeta d, and nothing is left to check.
        let [d, leading] = outer.message(&mut transcript, "zerocheck");
        let challenge: E = transcript.challenge("zerocheck-r");
        sum += d * (*zeta + challenge) + leading * (challenge.square() + challenge);
        r.push(challenge);
    }
    let [product_a, product_b] = outer.message(&mut transcript, "products");
    if sum != product_a * product_b {
        return Err(ProofError::Zerocheck);
    }

    // A5, check L: a = A z and b = B z at the point r.
    let (r_in, r_out) = r.split_at(C::LOG2_BITS);
    let alpha: E = transcript.challenge("alpha");
    let claimed = product_a + alpha * product_b;
    let (y, sum) = outer.sumcheck(&mut transcript, ["lincheck", "lincheck-r"], C::LOG2_BITS, claimed);
    let of_y = outer.slices(&mut transcript);
    if sum != matrices_at::<C, E>(isa, r_in, alpha, &y) * value_of_slices(isa, &of_y, &y) {
        return Err(ProofError::Lincheck);
    }

    // A6, check W: every rule of the wiring.
    let tau: Vec<E> = transcript.challenges("tau", C::LOG2_SLOT_BITS);
    let lambda: Vec<E> = transcript.challenges("lambda", C::LOG2_SLOTS + n);
    let (lambda_slots, lambda_blocks) = lambda.split_at(C::LOG2_SLOTS);
    let lambda_slots = E::equal(isa, E::ONE, lambda_slots);
    let lambda_blocks = E::equal(isa, E::ONE, lambda_blocks);
    let claimed = public_sum(isa, wiring, &Extension::new(isa, &tau), &lambda_slots, &lambda_blocks);
    let (point, sum) = outer.sumcheck(&mut transcript, ["wiring", "wiring-r"], C::LOG2_SLOTS + n, claimed);
    let of_tau = outer.slices(&mut transcript);
    let (sigma, theta) = point.split_at(C::LOG2_SLOTS);
    let at = AtPoint {
        lambda_slots: &lambda_slots,
        lambda_blocks: &lambda_blocks,
        point_slots: &E::equal(isa, E::ONE, sigma),
        point_blocks: &E::equal(isa, E::ONE, theta),
    };
    if sum != weight_at(isa, wiring, &at) * value_of_slices(isa, &of_tau, &tau) {
        return Err(ProofError::Wiring);
    }

    // A7, check O: all three times, the slices are those of the committed bits.
    let points = [zeta[5..].to_vec(), [&y[5..], r_out].concat(), slot_point::<C, E>(&tau, sigma, theta)];
    let points = conjugates(&points);
    let values = [of_zeta, of_y, of_tau].map(|slices| values_of_slices(isa, &slices)).concat();
    let claims: Vec<_> =
        points.iter().zip(values).map(|(point, value)| EvaluationClaim { point, value }).collect();
    E::verify(variables::<C>(n), root, &claims, opening, &transcript.opening()).map_err(ProofError::Opening)
}

/// The point of the words at which the wiring's slices are: the slot's own words, the slot, no position beyond the
/// slots, the block.
pub(crate) fn slot_point<C: Circuit, E: Suite>(tau: &[E], sigma: &[E], theta: &[E]) -> Vec<E> {
    let beyond = vec![E::ZERO; C::LOG2_BITS - C::LOG2_SLOT_BITS - C::LOG2_SLOTS];
    [&tau[5..], sigma, &beyond, theta].concat()
}

/// The value at a point that its slices make: its five lowest coordinates are about the bits of a word.
fn value_of_slices<E: Suite>(isa: Isa, slices: &[E], point: &[E]) -> E {
    E::inner(isa, &E::equal(isa, E::ONE, &point[..5]), slices)
}

/// M~(y): the multilinear extension of A + alpha B, rows at `r`, columns at `y`.
fn matrices_at<C: Circuit, E: Suite>(isa: Isa, r: &[E], alpha: E, y: &[E]) -> E {
    let of_rows = E::equal(isa, E::ONE, r);
    let [a, b] = rows(&C::program(), &E::equal(isa, E::ONE, y));
    E::inner(isa, &of_rows, &a) + alpha * E::inner(isa, &of_rows, &b)
}

/// What is left to read of the proof before its opening. Its length was checked.
struct Outer<E> {
    elements: alloc::collections::VecDeque<E>,
}

impl<E: Suite> Outer<E> {
    /// The next elements, absorbed.
    fn read(&mut self, transcript: &mut Transcript, label: &str, count: usize) -> Vec<E> {
        let read: Vec<E> = self.elements.drain(..count).collect();
        transcript.say(label, &read);
        read
    }

    fn slices(&mut self, transcript: &mut Transcript) -> Vec<E> {
        self.read(transcript, "slices", 32)
    }

    fn message(&mut self, transcript: &mut Transcript, label: &str) -> [E; 2] {
        let read = self.read(transcript, label, 2);
        [read[0], read[1]]
    }

    /// The rounds of a sumcheck about a sum of products: its point, and what the sum has become. The round polynomial
    /// has the value e0 at 0 and the leading coefficient e2; its value at 1 is what is missing of the sum.
    fn sumcheck(
        &mut self,
        transcript: &mut Transcript,
        [label, challenge]: [&str; 2],
        rounds: usize,
        mut sum: E,
    ) -> (Vec<E>, E) {
        let mut point = Vec::with_capacity(rounds);
        for _ in 0..rounds {
            let [at_zero, leading] = self.message(transcript, label);
            let r: E = transcript.challenge(challenge);
            sum = at_zero + (sum + leading) * r + leading * r.square();
            point.push(r);
        }
        (point, sum)
    }
}
