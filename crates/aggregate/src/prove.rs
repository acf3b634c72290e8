//! The prover: signatures in, an aggregate out.
#![forbid(unsafe_code)]

use crate::circuit::{Blake2sCompression, Circuit, columns};
use crate::error::{Error, ProofError};
use crate::profile::{Profile, Suite};
use crate::signatures::{BLOCKS, RANDOMIZER_LEN, Verifications, log2_blocks, randomizer};
use crate::statement::Statement;
use crate::suites;
use crate::sums::{On, bits_of_words, slices, sumcheck};
use crate::transcript::{Bound, Names, Transcript};
use crate::verify::{HEADER_LEN, outer_elements, slot_point, variables};
use crate::wiring::{Rule, SLOTS, Wiring};
use crate::witness::{WORDS, Witness};
use crate::zerocheck;
use alloc::vec;
use alloc::vec::Vec;
use phalanx_core::simd::Isa;
use phalanx_core::threads::{Inline, Pool, map_on};
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
    let takes = memory_len(profile, wanted);
    if takes > memory_limit {
        return Err(Error::Memory { wanted: takes, limit: memory_limit });
    }
    if usize::try_from(takes).is_err() {
        return Err(Error::TooLarge);
    }
    progress(Stage::Signatures);
    verify_all(pool, statement, signatures)?;
    let randomizers = signatures.iter().map(randomizer).collect::<Vec<_>>().concat();
    let prover = Prover { pool, statement, randomizers: &randomizers, context, progress };
    match profile {
        Profile::Provable100 => prover.run::<Gf128>(&suites::PROVABLE100, signatures),
        Profile::Provable128 => prover.run::<Gf192>(&suites::PROVABLE128, signatures),
    }
}

/// The memory that proving takes, in bytes, without what the caller holds: bits and their forms, the encoded matrix with
/// its tree, and the larger of the zerocheck's tables and the opening's.
#[must_use]
pub fn memory_len(profile: Profile, signatures: usize) -> u64 {
    let element = profile.element_len() as u64;
    let committed = 4 << variables::<Blake2sCompression>(log2_blocks(signatures));
    let used = 4 * (WORDS * BLOCKS * signatures) as u64;
    // Two tables with an entry for two words, each folded into itself.
    let tables = used / 8 * element * 2;
    // Weights and message of the first level: an entry for a row of 2^5 to 2^7 words.
    let opening = committed / 128 * element * 3;
    // Two digests of 32 bytes a row of the encoded matrix, which has four times as many words in rows of 2^6.
    let tree = committed;
    committed * 5 + tree + 2 * used + tables.max(opening) + (8 << 20)
}

/// All signatures, side by side.
#[cfg_attr(not(feature = "std"), expect(unused_variables, reason = "without std it is one thread"))]
fn verify_all(pool: &dyn Pool, statement: &Statement, signatures: &[Signature]) -> Result<(), Error> {
    let set = ParameterSet::L32_D42B8;
    if signatures.iter().any(|signature| signature.parameter_set() != set) {
        return Err(Error::ParameterSet);
    }
    let key = |bytes: &[u8; 32]| VerifyingKey::from_bytes(set, bytes).expect("any 32 bytes are a key");
    let keys: Vec<VerifyingKey> = statement.signers().map(|signer| key(signer.key)).collect();
    let messages: Vec<_> = statement
        .signers()
        .zip(keys.iter().zip(signatures))
        .map(|(signer, (key, signature))| SignedMessage {
            key,
            epoch: signer.epoch,
            message: signer.message,
            signature,
        })
        .collect();
    #[cfg(feature = "std")]
    let results = phalanx_xmss::blake2s::verify_many_on(pool, &messages);
    #[cfg(not(feature = "std"))]
    let results = phalanx_xmss::blake2s::verify_many(&messages);
    match results.iter().position(Result::is_err) {
        Some(index) => Err(Error::InvalidSignature { index }),
        None => Ok(()),
    }
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
        self.prove::<E>(names, &verifications, &witness)
    }

    fn verifications(&self) -> Result<Verifications<'_>, ProofError> {
        Verifications::new(self.statement, self.randomizers)
    }

    /// The aggregate of any witness.
    fn prove<E: Suite>(
        &self,
        names: &'static Names,
        wiring: &Verifications<'_>,
        witness: &Witness,
    ) -> Result<Vec<u8>, Error> {
        let n = log2_blocks(self.statement.signatures());
        let variables = variables::<Blake2sCompression>(n);
        let on = On { pool: self.pool, isa: Isa::current() };
        (self.progress)(Stage::Commitment);
        let (root, data) = E::commit(self.pool, &witness.z).map_err(|_| Error::TooLarge)?;
        let bound = Bound {
            circuit: &Blake2sCompression::DIGEST,
            context: self.context,
            statement: &self.statement.to_bytes(),
            randomizers: self.randomizers,
            profile: E::CODE,
            variables,
            root: &root,
        };
        let transcript = Transcript::begin(names, &bound);
        let outer = prove_blocks::<Blake2sCompression, E>(on, transcript, wiring, n, witness, self.progress);
        (self.progress)(Stage::Opening);
        let points: Vec<&[E]> = outer.points.iter().map(Vec::as_slice).collect();
        let opening = E::open(self.pool, &data, &points, &outer.context).map_err(|_| Error::TooLarge)?;
        let outer_len = outer_elements::<Blake2sCompression>(n) * E::LEN_BYTES;
        let fixed = HEADER_LEN + RANDOMIZER_LEN * self.statement.signatures() + outer_len;
        let mut bytes = Vec::with_capacity(fixed + opening.len());
        bytes.extend(b"PXA1");
        bytes.push(E::CODE);
        bytes.extend(root);
        bytes.extend(self.randomizers);
        outer.said.iter().for_each(|element| element.put(&mut bytes));
        debug_assert_eq!(bytes.len(), fixed, "as many elements as the verifier reads");
        bytes.extend(opening);
        Ok(bytes)
    }
}

/// What stands between the randomizers and the opening, and what has to be opened.
struct Outer<E> {
    said: Vec<E>,
    points: [Vec<E>; 3],
    context: Vec<u8>,
}

/// Zerocheck, lincheck and wiring of any bits (docs/aggregate.md, section 3).
fn prove_blocks<C: Circuit, E: Suite>(
    on: On<'_>,
    mut transcript: Transcript,
    wiring: &dyn Wiring,
    n: usize,
    witness: &Witness,
    progress: &dyn Fn(Stage),
) -> Outer<E> {
    let isa = on.isa;
    let used = &witness.z[..witness.a.len()];
    progress(Stage::Zerocheck);
    let zeta: Vec<E> = transcript.challenges("zeta", C::LOG2_BITS + n);
    let mut said = slices(on, used, &zeta[5..]);
    transcript.say("slices", &said);
    let checked = zerocheck::prove(on, &mut transcript, &witness.a, &witness.b, &zeta);
    transcript.say("products", &checked.products);
    said.extend(checked.said);
    said.extend(checked.products);

    progress(Stage::Lincheck);
    let (r_in, r_out) = checked.point.split_at(C::LOG2_BITS);
    let alpha: E = transcript.challenge("alpha");
    let of_a = E::equal(isa, E::ONE, r_in);
    let of_b = E::equal(isa, alpha, r_in);
    let columns = columns(&C::program(), &of_a, &of_b);
    let words = 1 << (C::LOG2_BITS - 5);
    let of_blocks = bits_of_words(on, used, words, r_out).as_flattened().to_vec();
    let labels = ["lincheck", "lincheck-r"];
    let (y, more) = sumcheck(on, &mut transcript, labels, C::LOG2_BITS, [of_blocks, columns]);
    said.extend(more);
    let y_point = [&y[5..], r_out].concat();
    let of_y = slices(on, used, &y_point);
    transcript.say("slices", &of_y);
    said.extend(of_y);

    progress(Stage::Wiring);
    let tau: Vec<E> = transcript.challenges("tau", C::LOG2_SLOT_BITS);
    let lambda: Vec<E> = transcript.challenges("lambda", C::LOG2_SLOTS + n);
    let vectors = [slots::<C, E>(on, used, &tau), weights::<C, E>(on, wiring, used.len() / words, &lambda)];
    let labels = ["wiring", "wiring-r"];
    let (point, more) = sumcheck(on, &mut transcript, labels, C::LOG2_SLOTS + n, vectors);
    said.extend(more);
    let (sigma, theta) = point.split_at(C::LOG2_SLOTS);
    let tau_point = slot_point::<C, E>(&tau, sigma, theta);
    let of_tau = slices(on, used, &tau_point);
    transcript.say("slices", &of_tau);
    said.extend(of_tau);
    Outer { said, points: [zeta[5..].to_vec(), y_point, tau_point], context: transcript.opening() }
}

/// G: the slots that a wiring may speak of, block after block, extended at tau.
fn slots<C: Circuit, E: Suite>(on: On<'_>, words: &[u32], tau: &[E]) -> Vec<E> {
    /// Blocks of a job.
    const BLOCKS: usize = 256;
    let (block, slot) = (1 << (C::LOG2_BITS - 5), 1 << (C::LOG2_SLOT_BITS - 5));
    let images = E::equal(on.isa, E::ONE, tau);
    let images = images.as_chunks::<32>().0;
    let mut slots = vec![E::ZERO; words.len() / block * SLOTS];
    let jobs: Vec<_> = words.chunks(BLOCKS * block).zip(slots.chunks_mut(BLOCKS * SLOTS)).collect();
    map_on(on.pool, jobs.into_iter(), &|(words, out): (&[u32], &mut [E])| {
        let words: Vec<u32> = words.chunks(block).flat_map(|block| &block[..SLOTS * slot]).copied().collect();
        E::map_bits(on.isa, &words, images, out);
    });
    slots
}

/// W: the weights of all slots. A rule counts with its own weight where it is, and a link where it leads, too.
fn weights<C: Circuit, E: Suite>(on: On<'_>, wiring: &dyn Wiring, blocks: usize, lambda: &[E]) -> Vec<E> {
    let of_rules = E::equal(on.isa, E::ONE, lambda);
    let mut weights = vec![E::ZERO; blocks << C::LOG2_SLOTS];
    wiring.rules(&mut |block, slot, rule| {
        let at = slot + (block << C::LOG2_SLOTS);
        weights[at] += of_rules[at];
        if let Rule::Link { slot, block } = rule {
            weights[slot + (block << C::LOG2_SLOTS)] += of_rules[at];
        }
    });
    weights
}

/// Proofs of any words, which promise nothing: for tests of the verifier.
#[cfg(feature = "hazmat")]
pub mod hazmat {
    use super::{
        BLOCKS, Blake2sCompression, Gf128, Gf192, WORDS, log2_blocks, randomizer, suites, variables,
    };
    use super::{Error, Inline, Profile, Prover, Statement, Witness};
    use alloc::vec::Vec;
    use phalanx_xmss::blake2s::Signature;

    /// Words of a block.
    pub const WORDS_OF_A_BLOCK: usize = WORDS;
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
        let mut witness = Witness::of_words(words, used);
        bend(&mut witness.a, &mut witness.b);
        match profile {
            Profile::Provable100 => prover.prove::<Gf128>(&suites::PROVABLE100, &verifications, &witness),
            Profile::Provable128 => prover.prove::<Gf192>(&suites::PROVABLE128, &verifications, &witness),
        }
    }
}
