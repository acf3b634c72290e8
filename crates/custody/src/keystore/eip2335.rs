//! Keystores of version 4 (ERC-2335), as far as they hold what ours hold: a secret of 32 bytes.

use super::error::{Error, Verdict, malformed, refused};
use super::fields::{array, bytes, integer, object, text};
use super::header::checksum;
use super::kdf::Kdf;
use super::open::Policy;
use super::password::Password;
use super::secret::KeySecret;
use crate::json::{self, Limits};
use aes_gcm::aes::Aes128;
use ctr::Ctr128BE;
use ctr::cipher::{KeyIvInit, StreamCipher};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

impl KeySecret {
    /// The secret in a keystore of version 4, as a seed. Such a file says nothing of the schemes here: the caller does.
    ///
    /// # Errors
    /// [`Error::Refused`], by the rules of ERC-2335 and the same bounds and floors as for our own files.
    pub fn from_eip2335(file: &[u8], password: &Password, policy: Policy) -> Result<Self, Error> {
        let document = json::parse(file, Limits::KEYSTORE).map_err(|error| match error {
            json::Error::TooLong { .. } => refused(Verdict::TooLarge, "at most 65536 bytes are read"),
            json::Error::Malformed { what, .. } => malformed(what),
        })?;
        let members = document.as_object().ok_or_else(|| malformed("not an object"))?;
        if integer(members, "version")? != 4 {
            return Err(refused(Verdict::UnsupportedVersion, "version"));
        }
        let crypto = object(members, "crypto")?;
        let (kdf, cipher) = (object(crypto, "kdf")?, object(crypto, "cipher")?);
        if text(cipher, "function")? != "aes-128-ctr" {
            return Err(refused(Verdict::UnsupportedFunction, "crypto.cipher.function"));
        }
        let iv: [u8; 16] = array(object(cipher, "params")?, "iv")?;
        let message = bytes(cipher, "message")?;
        let wrong_length = refused(Verdict::WrongSecretLength, "a seed has 32 bytes");
        let ciphertext: [u8; 32] = message.as_slice().try_into().map_err(|_| wrong_length)?;
        let check = object(crypto, "checksum")?;
        if text(check, "function")? != "sha256" {
            return Err(refused(Verdict::UnsupportedFunction, "crypto.checksum.function"));
        }
        let wanted: [u8; 32] = array(check, "message")?;
        let kdf = Kdf::read(kdf)?;
        if kdf.is_weak() && !policy.accept_weak_kdf {
            return Err(refused(Verdict::WeakKdf, "the key derivation is too cheap to protect a password"));
        }
        let key = kdf.derive(password)?;
        if !bool::from(checksum(&key, &message).ct_eq(&wanted)) {
            return Err(refused(Verdict::WrongPassword, "crypto.checksum"));
        }
        let mut seed = Zeroizing::new(ciphertext);
        Ctr128BE::<Aes128>::new_from_slices(&key[..16], &iv)
            .expect("16 bytes of key and of counter")
            .apply_keystream(&mut seed[..]);
        Ok(Self::from_seed(&seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] = include_bytes!("../../../../vectors/custody/keystore/version-4-erc2335.json");

    fn open(file: &[u8], password: &str) -> Result<Vec<u8>, Option<Verdict>> {
        let password = Password::from_bytes(password.as_bytes()).expect("UTF-8");
        let secret = KeySecret::from_eip2335(file, &password, Policy::default());
        secret.map(|secret| secret.expose().to_vec()).map_err(Error::verdict)
    }

    #[test]
    fn the_scrypt_vector_of_erc_2335() {
        let secret = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f";
        assert_eq!(open(FILE, "𝔱𝔢𝔰𝔱𝔭𝔞𝔰𝔰𝔴𝔬𝔯𝔡🔑").map(hex::encode), Ok(secret.to_owned()));
        assert_eq!(open(FILE, "testpassword"), Err(Some(Verdict::WrongPassword)));
    }

    #[test]
    fn other_versions_are_refused() {
        let file = include_bytes!("../../../../vectors/custody/keystore/ok-argon2id-p2-l32.json");
        assert_eq!(open(file, "p"), Err(Some(Verdict::UnsupportedVersion)));
        let changed = String::from_utf8_lossy(FILE).replace("aes-128-ctr", "aes-256-ctr");
        assert_eq!(open(changed.as_bytes(), "p"), Err(Some(Verdict::UnsupportedFunction)));
    }
}
