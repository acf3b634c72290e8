//! From an opened keystore to the key itself: the trees are computed again, and the public key with them.
//!
//! Source: specification, sections 2.5 and 2.8. A header that nothing binds may name another interval, and with it
//! another root over the same one-time keys; only the comparison here finds that out.

use super::error::{Error, Verdict, refused};
use super::open::OpenKey;
use super::payload::Payload;
use super::scheme::Scheme;
use super::secret::KeySecret;
use crate::epoch_key::EpochKey;
use phalanx_xmss::any::{self, KeyGeneration};
use phalanx_xmss::{ParameterSet, Pool, SigningKey, hazmat};
use std::ops::Range;
use zeroize::Zeroizing;

impl KeySecret {
    /// Begins to compute the key of `set` for `epochs`, which are rounded as the set rounds them.
    ///
    /// # Errors
    /// [`Error::Refused`]: `scheme_mismatch` for epochs that are not rounded, or that an expanded key does not have;
    /// `key_mismatch` for an expanded key that is none.
    pub fn key_generation(&self, set: any::ParameterSet, epochs: Range<u64>) -> Result<KeyGeneration, Error> {
        let begun = match (self.seed(), set) {
            (Some(seed), _) => KeyGeneration::from_seed(set, seed, epochs.clone()),
            (None, any::ParameterSet::KoalaBear(set)) => self.expanded_generation(set, epochs.clone())?,
            (None, _) => {
                return Err(refused(Verdict::SchemeMismatch, "a secret that the scheme does not have"));
            }
        };
        let wrong = refused(Verdict::SchemeMismatch, "the activation interval is not one of this key");
        let begun = begun.map_err(|_| wrong)?;
        if begun.activation_interval() == epochs { Ok(begun) } else { Err(wrong) }
    }

    fn expanded_generation(
        &self,
        set: ParameterSet,
        epochs: Range<u64>,
    ) -> Result<Result<KeyGeneration, phalanx_xmss::Error>, Error> {
        let payload = Payload::read(self.expose())?;
        let words = |bytes: &[u8]| -> Vec<u32> {
            bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
        };
        let parameter: [u32; 5] = words(payload.parameter).try_into().expect("a parameter has five elements");
        let padding: Vec<Vec<u32>> = payload.padding.chunks_exact(4 * set.hash_len()).map(words).collect();
        let prf_key = Zeroizing::new(*payload.prf_key);
        let begun = hazmat::key_generation_from_expanded(set, &prf_key, &parameter, &padding, epochs);
        Ok(begun.map(|begun| KeyGeneration::KoalaBear(Box::new(begun))))
    }
}

impl OpenKey {
    /// Begins to compute the trees of an XMSS key. Once it is finished, [`confirm`](Self::confirm) tells whether it is
    /// the key. `interval` is for files that do not say which epochs the key has.
    ///
    /// # Errors
    /// [`Error::Refused`]: `unsupported_scheme` for keys that have no trees, `scheme_mismatch` if the epochs are not
    /// known, or `interval` is not the one that the file says.
    pub fn key_generation(&self, interval: Option<Range<u64>>) -> Result<KeyGeneration, Error> {
        let mismatch = |what| refused(Verdict::SchemeMismatch, what);
        let header = self.header();
        let no_trees = refused(Verdict::UnsupportedScheme, "there are no trees in this scheme");
        let set = header.scheme.parameter_set().ok_or(no_trees)?;
        let told = header.start.zip(header.count).map(|(start, count)| start..start + count);
        let epochs = match (told, interval) {
            (Some(told), Some(asked)) if told != asked => {
                return Err(mismatch("the file says another activation interval"));
            }
            (Some(told), _) => told,
            (None, Some(asked)) => asked,
            (None, None) => return Err(mismatch("the file does not say which epochs the key has")),
        };
        self.secret().key_generation(set, epochs)
    }

    /// `Ok` if `key`, computed from this secret, has the whole public key that the file says.
    ///
    /// # Errors
    /// [`Error::Refused`]: `key_mismatch`.
    pub fn confirm<K: EpochKey>(&self, key: &K) -> Result<(), Error> {
        let is_same = key.scheme() == self.header().scheme.name()
            && K::public_key(&key.verifying_key()) == self.header().public_key;
        if is_same {
            Ok(())
        } else {
            Err(refused(Verdict::KeyMismatch, "the public key is not the one that secret and interval give"))
        }
    }

    /// The XMSS key over KoalaBear, computed on the threads of `pool` and compared with the public key of the file.
    ///
    /// # Errors
    /// As [`any_signing_key_on`](Self::any_signing_key_on); and `unsupported_scheme` for a key over BLAKE2s.
    pub fn signing_key_on(&self, pool: &dyn Pool, interval: Option<Range<u64>>) -> Result<SigningKey, Error> {
        self.check_koala_bear()?;
        over_koala_bear(self.any_signing_key_on(pool, interval)?)
    }

    /// The XMSS key of any generation, computed on the threads of `pool` and compared with the public key of the file.
    ///
    /// # Errors
    /// As [`key_generation`](Self::key_generation) and [`confirm`](Self::confirm).
    pub fn any_signing_key_on(
        &self,
        pool: &dyn Pool,
        interval: Option<Range<u64>>,
    ) -> Result<any::SigningKey, Error> {
        let key = self.key_generation(interval)?.run_on(pool).expect("nothing asks it to stop");
        self.confirm(&key)?;
        Ok(key)
    }

    /// # Errors
    /// [`Error::Refused`]: `unsupported_scheme` for keys that are not over KoalaBear.
    pub(super) fn check_koala_bear(&self) -> Result<(), Error> {
        match self.header().scheme {
            Scheme::KoalaBear(_) => Ok(()),
            _ => Err(not_koala_bear()),
        }
    }

    /// The Ed25519 key; its whole public key was compared when the file was opened.
    ///
    /// # Errors
    /// [`Error::Refused`]: `unsupported_scheme` for keys of other schemes.
    pub fn ed25519_key(&self) -> Result<phalanx_ed25519::SigningKey, Error> {
        match (self.header().scheme, self.secret().seed()) {
            (Scheme::Ed25519, Some(seed)) => Ok(phalanx_ed25519::SigningKey::from_seed(seed)),
            _ => Err(refused(Verdict::UnsupportedScheme, "not an Ed25519 key")),
        }
    }
}

/// The error for keys that are not over KoalaBear.
fn not_koala_bear() -> Error {
    refused(Verdict::UnsupportedScheme, "not an XMSS key over KoalaBear")
}

/// `key`, which is over KoalaBear.
pub(super) fn over_koala_bear(key: any::SigningKey) -> Result<SigningKey, Error> {
    match key {
        any::SigningKey::KoalaBear(key) => Ok(*key),
        _ => Err(not_koala_bear()),
    }
}
