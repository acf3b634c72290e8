//! What the scheme asks of a family of hash functions.
//!
//! Keys, trees, windows and the wire know nothing of fields: they move [`Digest`]s. Poseidon over KoalaBear is one
//! family; one over byte strings can join by implementing this trait and adding rows to the parameter table.

use super::digest::{Digest, Parameter, Randomness};
use super::encoding::Codeword;
use super::key::PrfKey;
use super::poseidon::Poseidon;
use super::signature::Signature;
use phalanx_core::InvalidSignature;
use phalanx_core::simd::Isa;
use rand_core::Rng;

/// Most encoding attempts of a signature (spec section 8.3).
pub(crate) const MAX_ATTEMPTS: u32 = 100_000;

/// What signs at one epoch.
#[derive(Clone, Copy)]
pub(crate) struct OneTimeKey<'a> {
    /// Parameter of the key.
    pub(crate) parameter: &'a Parameter,
    /// Its secret.
    pub(crate) prf_key: &'a PrfKey,
    /// The epoch; below the lifetime.
    pub(crate) epoch: u32,
}

/// A signature together with what it is claimed to sign.
pub(crate) struct Instance<'a> {
    /// Root of the signer's tree.
    pub(crate) root: &'a Digest,
    /// Parameter of the signer's key.
    pub(crate) parameter: &'a Parameter,
    /// The epoch; below the lifetime.
    pub(crate) epoch: u32,
    /// The message.
    pub(crate) message: &'a [u8; 32],
    /// The signature, of the set the family belongs to.
    pub(crate) signature: &'a Signature,
}

/// The hash functions of one parameter set. Methods that take an [`Isa`] fill its lanes.
pub(crate) trait Family: Sync {
    /// This family, if it is the Poseidon one: [`super::hazmat`] looks inside.
    fn as_poseidon(&self) -> Option<&Poseidon> {
        None
    }

    /// Draws a parameter.
    fn random_parameter(&self, rng: &mut dyn Rng) -> Parameter;

    /// Draws a node for padding.
    fn random_node(&self, rng: &mut dyn Rng) -> Digest;

    /// The leaves of epochs `first..first + out.len()`.
    fn leaves(&self, isa: Isa, parameter: &Parameter, key: &PrfKey, first: u32, out: &mut [Digest]);

    /// Nodes `first..first + out.len()` of tree level `height`, each from two of `children`.
    fn parents(
        &self,
        isa: Isa,
        parameter: &Parameter,
        height: u8,
        first: u64,
        children: &[Digest],
        out: &mut [Digest],
    );

    /// The first randomness, in counter order, under which `message` has an encoding (spec section 8.3).
    fn find_encoding(
        &self,
        isa: Isa,
        key: &OneTimeKey<'_>,
        message: &[u8; 32],
    ) -> Option<(Randomness, Codeword)>;

    /// The value of every chain at its position in `codeword`.
    fn reveal(&self, isa: Isa, key: &OneTimeKey<'_>, codeword: &Codeword, out: &mut [Digest]);

    /// A verdict for every instance. `verdicts` has as many entries as `instances`.
    fn verify(&self, isa: Isa, instances: &[Instance<'_>], verdicts: &mut [Result<(), InvalidSignature>]);

    /// The wire form of a word in SSZ, of one that is in use in some digest.
    fn word_to_ssz(&self, word: u32) -> u32;

    /// The word whose SSZ form is `wire`; `Err` holds the bound that `wire` must stay below.
    fn word_from_ssz(&self, wire: u32) -> Result<u32, u32>;

    /// Whether `word` may stand in a digest; `Err` holds the bound that it must stay below. (bincode and JSON store
    /// words as they are.)
    fn check_word(&self, word: u32) -> Result<(), u32>;
}
