//! The secret of a keystore, and what it says about the key.

use super::error::{Error, Verdict, refused};
use super::payload::{self, PRF_KEY_BYTES, Payload};
use super::scheme::Scheme;
use crate::identity::{KeyId, OneTimeKeyId, key_id, one_time_key_id};
use blake2::{Blake2s256, Digest};
use phalanx_core::secret::Secret32;
use phalanx_xmss::{ParameterSet, SigningKey, hazmat};
use zeroize::Zeroizing;

/// What a keystore's plaintext is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretKind {
    /// The 32 bytes that the key is made from.
    Seed,
    /// An expanded key whose seed is not known: PRF key, parameter and padding nodes.
    PrfKey,
}

impl SecretKind {
    /// The name, as in the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::PrfKey => "prf-key",
        }
    }
}

/// The plaintext of a keystore. Wiped on drop; without `Debug`.
pub struct KeySecret(Plaintext);

/// A seed, which whoever serves the key for long may keep, is in memory that is neither swapped out nor dumped as far as
/// the system allows.
enum Plaintext {
    Seed(Secret32),
    PrfKey(Zeroizing<Vec<u8>>),
}

impl KeySecret {
    /// A seed.
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(Plaintext::Seed(Secret32::filled_by(|place| place.copy_from_slice(seed))))
    }

    /// What cannot be computed of an XMSS key whose seed is not known. The key is the same again when it is computed
    /// from this; its record of used epochs is elsewhere.
    #[must_use]
    pub fn from_signing_key(key: &SigningKey) -> Self {
        Self(Plaintext::PrfKey(payload::of_key(key)))
    }

    /// A plaintext whose length has been checked.
    pub(super) fn from_plaintext(kind: SecretKind, bytes: Zeroizing<Vec<u8>>) -> Self {
        match kind {
            SecretKind::Seed => Self::from_seed(bytes.first_chunk().expect("its length was checked")),
            SecretKind::PrfKey => Self(Plaintext::PrfKey(bytes)),
        }
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> SecretKind {
        match self.0 {
            Plaintext::Seed(_) => SecretKind::Seed,
            Plaintext::PrfKey(_) => SecretKind::PrfKey,
        }
    }

    /// The bytes: whoever sees them can sign.
    #[must_use]
    pub fn expose(&self) -> &[u8] {
        match &self.0 {
            Plaintext::Seed(seed) => seed.bytes(),
            Plaintext::PrfKey(bytes) => bytes,
        }
    }

    /// The seed, if it is one.
    pub(super) fn seed(&self) -> Option<&[u8; 32]> {
        match &self.0 {
            Plaintext::Seed(seed) => Some(seed.bytes()),
            Plaintext::PrfKey(_) => None,
        }
    }

    /// The names of the key and of its one-time keys, before any tree is computed; Ed25519 has no one-time keys.
    ///
    /// # Errors
    /// [`Error::Refused`]: `scheme_mismatch` for an expanded key of a scheme that has none, `key_mismatch` for one that
    /// is none.
    pub fn identity(&self, scheme: Scheme) -> Result<(KeyId, Option<OneTimeKeyId>), Error> {
        let part = self.part(scheme)?;
        Ok((key_id(scheme.family(), &part), self.one_time_key_id(scheme)))
    }

    /// The PRF key, of a key over KoalaBear.
    pub(super) fn prf_key(&self, set: ParameterSet) -> Zeroizing<[u8; PRF_KEY_BYTES]> {
        Zeroizing::new(match self.seed() {
            Some(seed) => hazmat::draw_key_material(set, seed, 0).1,
            None => *self.expose().first_chunk().expect("its length was checked"),
        })
    }

    /// The 32 secret bytes that a key in SSZ begins with; none of Ed25519.
    pub(super) fn leading_bytes(&self, scheme: Scheme) -> Option<Zeroizing<[u8; PRF_KEY_BYTES]>> {
        match scheme {
            Scheme::KoalaBear(set) => Some(self.prf_key(set)),
            Scheme::Blake2s => self.seed().map(|seed| Zeroizing::new(*seed)),
            Scheme::Ed25519 => None,
        }
    }

    /// The part of the public key that this secret makes.
    pub(super) fn part(&self, scheme: Scheme) -> Result<Vec<u8>, Error> {
        let no_such_secret = refused(Verdict::SchemeMismatch, "a secret that the scheme does not have");
        match (scheme, self.seed()) {
            (Scheme::KoalaBear(set), Some(seed)) => {
                let (parameter, prf_key, _) = hazmat::draw_key_material(set, seed, 0);
                drop(Zeroizing::new(prf_key));
                Ok(parameter.iter().flat_map(|word| word.to_le_bytes()).collect())
            }
            (Scheme::KoalaBear(_), None) => Ok(Payload::read(self.expose())?.parameter.to_vec()),
            (Scheme::Blake2s, Some(seed)) => Ok(blake2s_parameter(seed).to_vec()),
            (Scheme::Ed25519, Some(seed)) => {
                Ok(phalanx_ed25519::SigningKey::from_seed(seed).verifying_key().to_bytes().to_vec())
            }
            (_, None) => Err(no_such_secret),
        }
    }

    /// The name of the one-time keys: none for Ed25519, which has none.
    pub(super) fn one_time_key_id(&self, scheme: Scheme) -> Option<OneTimeKeyId> {
        Some(one_time_key_id(scheme.family(), &*self.leading_bytes(scheme)?))
    }
}

/// The public parameter of profile B of XMSS over BLAKE2s: the first half of `H(tweak || 16 zero bytes || seed)`, where
/// byte 1 of the tweak is type 5 and all others are zero.
fn blake2s_parameter(seed: &[u8; 32]) -> [u8; 16] {
    let mut block = Zeroizing::new([0; 64]);
    block[1] = 5;
    block[32..].copy_from_slice(seed);
    let digest = Blake2s256::digest(&block[..]);
    core::array::from_fn(|i| digest[i])
}
