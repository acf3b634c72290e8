//! The prover: signatures in, an aggregate out.
#![forbid(unsafe_code)]

use crate::circuit::{Blake2sCompression, Circuit, columns};
use crate::error::{Error, ProofError};
use crate::profile::{Profile, Suite};
use crate::signatures::{BLOCKS, Verifications, log2_blocks, randomizer};
use crate::statement::Statement;
use crate::suites;
use crate::sums::{JOBS, On, PIECE, bits_of_words, sumcheck};
use crate::transcript::{Bound, Names, Transcript};
use crate::verify::{About, HEADER_LEN, outer_elements, slot_point, variables};
use crate::wiring::{Rule, Wiring};
use crate::witness::Witness;
use crate::zerocheck::{self, Form};
use alloc::vec::Vec;
use phalanx_core::memory::make_on;
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Inline, Pool};
use phalanx_ligerito::Gf128;
use phalanx_ligerito::provable128::Gf192;
use phalanx_xmss::blake2s::{ParameterSet, Signature, SignedMessage, VerifyingKey};

/// Memory that [`aggregate`] and [`aggregate_on`] take at most, in bytes.
pub const DEFAULT_MEMORY_LIMIT: u64 = 8 << 30;

/// What the prover is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Verifying the signatures.
    Signatures,
    /// Computing every bit of every compression.
    Witness,
    /// Committing to them.
    Commitment,
    /// Proving that every gate holds.
    Zerocheck,
    /// Proving that the gates are those of the circuit.
    Lincheck,
    /// Proving that wires lead where the statement says.
    Wiring,
    /// Opening the commitment.
    Opening,
}

impl Stage {
    /// All, in their order.
    pub const ALL: [Self; 7] = [
        Self::Signatures,
        Self::Witness,
        Self::Commitment,
        Self::Zerocheck,
        Self::Lincheck,
        Self::Wiring,
        Self::Opening,
    ];

    /// What the stage is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Signatures => "signatures",
            Self::Witness => "witness",
            Self::Commitment => "commitment",
            Self::Zerocheck => "zerocheck",
            Self::Lincheck => "lincheck",
            Self::Wiring => "wiring",
            Self::Opening => "opening",
        }
    }
}

/// One aggregate for the signatures of a statement, in its order. `context` is bound to it, of any length: who verifies
/// has to name the same. The same input gives the same bytes.
///
/// # Errors
/// [`Error::SignatureCount`], [`Error::ParameterSet`]; [`Error::InvalidSignature`] names the first that does not verify;
/// [`Error::Memory`] above [`DEFAULT_MEMORY_LIMIT`].
pub fn aggregate(
    profile: Profile,
    statement: &Statement,
    signatures: &[Signature],
    context: &[u8],
) -> Result<Vec<u8>, Error> {
    aggregate_on(&Inline, profile, statement, signatures, context)
}

/// [`aggregate`] on the threads of a pool. The answer is the same.
///
/// # Errors
/// As [`aggregate`].
pub fn aggregate_on(
    pool: &dyn Pool,
    profile: Profile,
    statement: &Statement,
    signatures: &[Signature],
    context: &[u8],
) -> Result<Vec<u8>, Error> {
    aggregate_watched_on(pool, profile, statement, signatures, context, DEFAULT_MEMORY_LIMIT, &|_| ())
}

/// [`aggregate_on`] within a limit of memory, in bytes, which calls `progress` when a stage begins.
///
/// # Errors
/// As [`aggregate`], with this limit.
pub fn aggregate_watched_on(
    pool: &dyn Pool,
    profile: Profile,
    statement: &Statement,
    signatures: &[Signature],
    context: &[u8],
    memory_limit: u64,
    progress: &dyn Fn(Stage),
) -> Result<Vec<u8>, Error> {
    let wanted = statement.signatures();
    if signatures.len() != wanted {
        return Err(Error::SignatureCount { got: signatures.len(), wanted });
    }
    within(memory_len(profile, wanted), memory_limit)?;
    progress(Stage::Signatures);
    verify_all(pool, statement, signatures)?;
    let randomizers = signatures.iter().map(randomizer).collect::<Vec<_>>().concat();
    let prover = Prover { pool, statement, randomizers: &randomizers, context, progress };
    match profile {
        Profile::Provable100 => prover.run::<Gf128>(&suites::PROVABLE100, signatures),
        Profile::Provable128 => prover.run::<Gf192>(&suites::PROVABLE128, signatures),
    }
}

/// The memory that proving takes, in bytes, without what the caller holds: bits, the encoded matrix with its tree, and the
/// larger of the zerocheck's forms and what the opening needs.
#[must_use]
pub fn memory_len(profile: Profile, signatures: usize) -> u64 {
    memory_of_blocks::<Blake2sCompression>(profile, log2_blocks(signatures), BLOCKS * signatures)
}

/// The same of blocks, 2^`n` with the padding.
pub(crate) fn memory_of_blocks<C: Circuit>(profile: Profile, n: usize, blocks: usize) -> u64 {
    let element = profile.element_len() as u64;
    let committed = 4 << variables::<C>(n);
    let used = 4 * (C::WORDS * blocks) as u64;
    // The forms, in whose place the tables are.
    let zerocheck = 2 * used;
    // Weights and message of the first level: an entry for a row of 2^5 to 2^7 words.
    let opening = committed / 128 * element * 3;
    // Two digests of 32 bytes a row of the encoded matrix, which has four times as many words in rows of 2^6.
    let tree = committed;
    committed * 5 + tree + zerocheck.max(opening) + (8 << 20)
}

/// Refuses to start what takes more memory than is allowed.
pub(crate) fn within(takes: u64, limit: u64) -> Result<(), Error> {
    if takes > limit {
        return Err(Error::Memory { wanted: takes, limit });
    }
    usize::try_from(takes).map(|_| ()).map_err(|_| Error::TooLarge)
}

/// All signatures, side by side.
#[cfg_attr(not(feature = "std"), expect(unused_variables, reason = "without std it is one thread"))]
fn verify_all(pool: &dyn Pool, statement: &Statement, signatures: &[Signature]) -> Result<(), Error> {
    if signatures.iter().any(|signature| signature.parameter_set() != ParameterSet::L32_D42B8) {
        return Err(Error::ParameterSet);
    }
    let keys = keys(statement);
    let messages = messages(statement, &keys, signatures);
    #[cfg(feature = "std")]
    let results = phalanx_xmss::blake2s::verify_many_on(pool, &messages);
    #[cfg(not(feature = "std"))]
    let results = phalanx_xmss::blake2s::verify_many(&messages);
    match results.iter().position(Result::is_err) {
        Some(index) => Err(Error::InvalidSignature { index }),
        None => Ok(()),
    }
}

/// The keys of a statement's signers.
#[cfg_attr(not(feature = "hazmat"), expect(unreachable_pub, reason = "public through `hazmat`"))]
#[must_use]
pub fn keys(statement: &Statement) -> Vec<VerifyingKey> {
    let key = |bytes: &[u8; 32]| {
        VerifyingKey::from_bytes(ParameterSet::L32_D42B8, bytes).expect("any 32 bytes are a key")
    };
    statement.signers().map(|signer| key(signer.key)).collect()
}

/// What the signers of a statement have signed, with their keys.
#[cfg_attr(not(feature = "hazmat"), expect(unreachable_pub, reason = "public through `hazmat`"))]
#[must_use]
pub fn messages<'a>(
    statement: &'a Statement,
    keys: &'a [VerifyingKey],
    signatures: &'a [Signature],
) -> Vec<SignedMessage<'a>> {
    let signed = statement.signers().zip(keys.iter().zip(signatures));
    signed
        .map(|(signer, (key, signature))| SignedMessage {
            key,
            epoch: signer.epoch,
            message: signer.message,
            signature,
        })
        .collect()
}

struct Prover<'a> {
    pool: &'a dyn Pool,
    statement: &'a Statement,
    randomizers: &'a [u8],
    context: &'a [u8],
    progress: &'a dyn Fn(Stage),
}

impl Prover<'_> {
    fn run<E: Suite>(&self, names: &'static Names, signatures: &[Signature]) -> Result<Vec<u8>, Error> {
        let verifications = self.verifications().map_err(|error| match error {
            ProofError::NoEncoding { index } => Error::InvalidSignature { index },
            _ => unreachable!("verifications ask for encodings only"),
        })?;
        (self.progress)(Stage::Witness);
        let len = 1 << variables::<Blake2sCompression>(log2_blocks(signatures.len()));
        let witness = Witness::of_signatures(self.pool, &verifications, signatures, len);
        self.prove::<E>(names, &verifications, witness)
    }

    fn verifications(&self) -> Result<Verifications<'_>, ProofError> {
        Verifications::new(self.statement, self.randomizers)
    }

    /// The aggregate of any witness.
    fn prove<E: Suite>(
        &self,
        names: &'static Names,
        wiring: &Verifications<'_>,
        witness: Witness,
    ) -> Result<Vec<u8>, Error> {
        let is_about = About {
            statement: &self.statement.to_bytes(),
            context: self.context,
            n: log2_blocks(self.statement.signatures()),
            randomizers_len: self.randomizers.len(),
        };
        is_about.prove::<Blake2sCompression, E>(
            self.pool,
            names,
            self.randomizers,
            wiring,
            witness,
            self.progress,
        )
    }
}

impl About<'_> {
    /// The proof of any witness of a circuit.
    pub(crate) fn prove<C: Circuit, E: Suite>(
        &self,
        pool: &dyn Pool,
        names: &'static Names,
        randomizers: &[u8],
        wiring: &dyn Wiring,
        Witness { z, used, a, b }: Witness,
        progress: &dyn Fn(Stage),
    ) -> Result<Vec<u8>, Error> {
        let variables = variables::<C>(self.n);
        let on = On { pool, isa: Isa::current() };
        progress(Stage::Commitment);
        let (root, data) = E::commit(pool, &z).map_err(|_| Error::TooLarge)?;
        let bound = Bound {
            circuit: &C::DIGEST,
            context: self.context,
            statement: self.statement,
            randomizers,
            profile: E::CODE,
            variables,
            root: &root,
        };
        let transcript = Transcript::begin(names, &bound);
        let blocks = Blocks::<E> { z: &z[..used], data: &data, wiring, n: self.n, progress };
        let outer: Outer<E> = blocks.prove::<C>(on, transcript, [a, b]);
        progress(Stage::Opening);
        let opening = E::open(pool, &data, &outer.orbits, &outer.context).map_err(|_| Error::TooLarge)?;
        let outer_len = outer_elements::<C>(self.n) * E::LEN_BYTES;
        let fixed = HEADER_LEN + self.randomizers_len + outer_len;
        let mut bytes = Vec::with_capacity(fixed + opening.len());
        bytes.extend(names.magic);
        bytes.push(E::CODE);
        bytes.extend(root);
        bytes.extend(randomizers);
        outer.said.iter().for_each(|element| element.put(&mut bytes));
        debug_assert_eq!(bytes.len(), fixed, "as many elements as the verifier reads");
        bytes.extend(opening);
        Ok(bytes)
    }
}

/// What stands between the randomizers and the opening, and what has to be opened.
struct Outer<E: Suite> {
    said: Vec<E>,
    orbits: Vec<E::Orbit>,
    context: Vec<u8>,
}

/// Committed blocks that are to be proved.
struct Blocks<'a, 'z, E: Suite> {
    /// Their words, without padding.
    z: &'a [u32],
    data: &'a E::Data<'z>,
    wiring: &'a dyn Wiring,
    n: usize,
    progress: &'a dyn Fn(Stage),
}

impl<E: Suite> Blocks<'_, '_, E> {
    /// Zerocheck, lincheck and wiring (docs/aggregate.md, section 3). The slices are the planes that are opened at the end.
    fn prove<C: Circuit>(&self, on: On<'_>, mut transcript: Transcript, forms: [Form; 2]) -> Outer<E> {
        let (isa, n, used) = (on.isa, self.n, self.z);
        let mut said = Vec::new();
        let mut orbits = Vec::with_capacity(3);
        let mut slices = |transcript: &mut Transcript, said: &mut Vec<E>, point: &[E]| {
            let orbit = E::orbit(on.pool, self.data, point);
            transcript.say("slices", E::slices(&orbit));
            said.extend(E::slices(&orbit));
            orbits.push(orbit);
        };
        (self.progress)(Stage::Zerocheck);
        let zeta: Vec<E> = transcript.challenges("zeta", C::LOG2_BITS + n);
        slices(&mut transcript, &mut said, &zeta[5..]);
        let checked = zerocheck::prove(on, &mut transcript, forms, &zeta);
        transcript.say("products", &checked.products);
        said.extend(checked.said);
        said.extend(checked.products);

        (self.progress)(Stage::Lincheck);
        let (r_in, r_out) = checked.point.split_at(C::LOG2_BITS);
        let alpha: E = transcript.challenge("alpha");
        let of_a = E::equal(isa, E::ONE, r_in);
        let of_b = E::equal(isa, alpha, r_in);
        let columns = columns(&C::program(), &of_a, &of_b);
        let of_blocks = bits_of_words(on, used, C::WORDS, r_out).as_flattened().to_vec();
        let labels = ["lincheck", "lincheck-r"];
        let (y, more) = sumcheck(on, &mut transcript, labels, C::LOG2_BITS, [of_blocks, columns]);
        said.extend(more);
        slices(&mut transcript, &mut said, &[&y[5..], r_out].concat());

        (self.progress)(Stage::Wiring);
        let tau: Vec<E> = transcript.challenges("tau", C::LOG2_SLOT_BITS);
        let lambda: Vec<E> = transcript.challenges("lambda", C::LOG2_SLOTS + n);
        let weights = weights::<C, E>(on, self.wiring, used.len() / C::WORDS, &lambda);
        let vectors = [slots::<C, E>(on, used, &tau), weights];
        let labels = ["wiring", "wiring-r"];
        let (point, more) = sumcheck(on, &mut transcript, labels, C::LOG2_SLOTS + n, vectors);
        said.extend(more);
        let (sigma, theta) = point.split_at(C::LOG2_SLOTS);
        slices(&mut transcript, &mut said, &slot_point::<C, E>(&tau, sigma, theta));
        Outer { said, orbits, context: transcript.opening() }
    }
}

/// G: the slots that a wiring may speak of, block after block, extended at tau.
fn slots<C: Circuit, E: Suite>(on: On<'_>, words: &[u32], tau: &[E]) -> Vec<E> {
    let (block, slot, count) = (C::WORDS, 1 << (C::LOG2_SLOT_BITS - 5), 1 << C::LOG2_SLOTS);
    let blocks_of_a_job = PIECE / count;
    let images = E::equal(on.isa, E::ONE, tau);
    let images = images.as_chunks::<32>().0;
    let jobs = words.chunks(blocks_of_a_job * block);
    let make = |words: &[u32], out: &mut [E]| {
        let mut of_slots = Vec::with_capacity(out.len() * slot);
        words.chunks(block).for_each(|block| of_slots.extend_from_slice(&block[..count * slot]));
        E::map_bits(on.isa, &of_slots, images, &mut out[..of_slots.len() / slot]);
    };
    make_on(on.pool, jobs.len() * PIECE, PIECE, jobs, &make).0
}

/// W: the weights of all slots of so many blocks. A rule counts with its own weight where it is, and a link where it leads,
/// too.
fn weights<C: Circuit, E: Suite>(on: On<'_>, wiring: &dyn Wiring, blocks: usize, lambda: &[E]) -> Vec<E> {
    let (within, across) = lambda.split_at(lambda.len().min(PIECE.ilog2() as usize));
    let scales = E::equal(on.isa, E::ONE, across);
    let (units, len) = (wiring.units(), (blocks << C::LOG2_SLOTS).next_multiple_of(PIECE));
    let units_of_a_job = units.div_ceil(JOBS);
    let len_of_a_job = (units_of_a_job * wiring.blocks_of_a_unit()) << C::LOG2_SLOTS;
    let make = |job: usize, weights: &mut [E]| {
        let [first, end] = [job, job + 1].map(|job| units.min(job * units_of_a_job));
        // The weights of rules, of as many slots as have the same scale.
        let (mut piece, mut of_rules) = (usize::MAX, Vec::new());
        wiring.rules_of(first..end, &mut |block, slot, rule| {
            let at = slot + (block << C::LOG2_SLOTS);
            if at / PIECE != piece {
                piece = at / PIECE;
                of_rules = E::equal(on.isa, scales[piece], within);
            }
            let (before, weight) = (job * len_of_a_job, of_rules[at % PIECE]);
            weights[at - before] += weight;
            if let Rule::Link { slot, block } = rule {
                weights[slot + (block << C::LOG2_SLOTS) - before] += weight;
            }
        });
    };
    make_on(on.pool, len, len_of_a_job, 0..len.div_ceil(len_of_a_job), &make).0
}

/// Proofs of any words, which promise nothing, for tests of the verifier; and a statement's signatures as what they are
/// verified as, for measurements.
#[cfg(feature = "hazmat")]
pub mod hazmat {
    use super::{
        BLOCKS, Blake2sCompression, Circuit, Gf128, Gf192, log2_blocks, randomizer, suites, variables,
    };
    use super::{Error, Inline, Profile, Prover, Statement, Witness};
    use alloc::vec::Vec;
    use phalanx_xmss::blake2s::Signature;

    pub use super::{keys, messages};

    /// Words of a block.
    pub const WORDS_OF_A_BLOCK: usize = Blake2sCompression::WORDS;
    /// Blocks of a signature.
    pub const BLOCKS_OF_A_SIGNATURE: usize = BLOCKS;

    /// The randomizers of signatures, as they stand in an aggregate.
    #[must_use]
    pub fn randomizers(signatures: &[Signature]) -> Vec<u8> {
        signatures.iter().map(randomizer).collect::<Vec<_>>().concat()
    }

    /// The committed words of signatures that need not verify.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`] if one has no encoding.
    pub fn words(statement: &Statement, signatures: &[Signature]) -> Result<Vec<u32>, Error> {
        let randomizers = randomizers(signatures);
        let prover =
            Prover { pool: &Inline, statement, randomizers: &randomizers, context: &[], progress: &|_| () };
        let verifications = prover.verifications().map_err(|_| Error::InvalidSignature { index: 0 })?;
        let len = 1 << variables::<Blake2sCompression>(log2_blocks(signatures.len()));
        Ok(Witness::of_signatures(&Inline, &verifications, signatures, len).z)
    }

    /// The aggregate of any words under a statement, by the honest prover. `bend` may change the forms A z and B z.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`] if a randomizer has no encoding.
    pub fn prove(
        profile: Profile,
        statement: &Statement,
        randomizers: &[u8],
        words: Vec<u32>,
        context: &[u8],
        bend: impl FnOnce(&mut [u32], &mut [u32]),
    ) -> Result<Vec<u8>, Error> {
        let prover = Prover { pool: &Inline, statement, randomizers, context, progress: &|_| () };
        let verifications = prover.verifications().map_err(|_| Error::InvalidSignature { index: 0 })?;
        // The padding's words count as well: here they may be anything.
        let used = words.len();
        let mut witness = Witness::of_words::<Blake2sCompression>(words, used);
        bend(witness.a.words(), witness.b.words());
        match profile {
            Profile::Provable100 => prover.prove::<Gf128>(&suites::PROVABLE100, &verifications, witness),
            Profile::Provable128 => prover.prove::<Gf192>(&suites::PROVABLE128, &verifications, witness),
        }
    }
}
