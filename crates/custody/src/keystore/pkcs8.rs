//! Encrypted PKCS#8 (RFC 5958 with PBES2), as far as it holds keys of Ed25519.

use super::error::{Error, Verdict, malformed, refused};
use super::kdf::Cost;
use super::openssh::no_seed;
use super::secret::KeySecret;
use pkcs8::der::asn1::OctetStringRef;
use pkcs8::pkcs5::pbes2::{Kdf, Parameters};
use pkcs8::{EncryptedPrivateKeyInfoRef, LineEnding, SecretDocument};
use zeroize::Zeroizing;

/// Longer files are not those of one key of Ed25519.
const MAX_BYTES: usize = 4096;

/// Rounds of PBKDF2 in the files that are written: what OWASP's Password Storage Cheat Sheet wants with SHA-256.
const ROUNDS: u32 = 600_000;

/// What PEM says of such a file.
const LABEL: &str = "ENCRYPTED PRIVATE KEY";

impl KeySecret {
    /// The seed of the Ed25519 key in an encrypted PKCS#8 file, DER or PEM. `password` is taken as it is: PKCS#8
    /// normalises nothing.
    ///
    /// The costs of its derivation have the bounds of our own files, but no floor: the file is what it is.
    ///
    /// # Errors
    /// [`Error::Refused`]: `malformed` for anything else, `unsupported_function` for encryption other than PBES2 with
    /// PBKDF2 or scrypt, `kdf_bounds`, `wrong_password`; `unsupported_scheme` for keys of other schemes.
    pub fn from_encrypted_pkcs8(file: &[u8], password: &[u8]) -> Result<Self, Error> {
        if file.len() > MAX_BYTES {
            return Err(refused(Verdict::TooLarge, "at most 4096 bytes are read"));
        }
        let no_pkcs8 = || malformed("not an encrypted PKCS#8 file");
        let from_pem;
        let der = match core::str::from_utf8(file) {
            Ok(text) if text.starts_with("-----BEGIN ") => {
                let (label, document) = SecretDocument::from_pem(text).map_err(|_| no_pkcs8())?;
                if label != LABEL {
                    return Err(no_pkcs8());
                }
                from_pem = document;
                from_pem.as_bytes()
            }
            _ => file,
        };
        let info = EncryptedPrivateKeyInfoRef::try_from(der).map_err(|_| no_pkcs8())?;
        let unsupported = refused(Verdict::UnsupportedFunction, "encryption of PKCS#8");
        let scheme = info.encryption_algorithm.pbes2().ok_or(unsupported)?;
        Cost::of_pkcs8(&scheme.kdf).ok_or(unsupported)??;
        // A wrong password shows in the padding, and by chance once in 256 times only in what is decrypted.
        let wrong = refused(Verdict::WrongPassword, "PKCS#8");
        let document = info.decrypt(password).map_err(|_| wrong)?;
        match phalanx_ed25519::SigningKey::from_pkcs8_der(document.as_bytes()) {
            Ok(key) => Ok(Self::from_seed(&key.to_seed())),
            Err(_) if pkcs8::PrivateKeyInfoRef::try_from(document.as_bytes()).is_ok() => {
                Err(refused(Verdict::UnsupportedScheme, "not a key of Ed25519"))
            }
            Err(_) => Err(wrong),
        }
    }
}

impl KeySecret {
    /// Encrypted PKCS#8 of this seed of Ed25519, in PEM: AES-256-CBC with a key derived by 600,000 rounds of
    /// PBKDF2-HMAC-SHA-256 from `password`, which is taken as it is, and a new salt. OpenSSL reads it since version 1.1.
    ///
    /// # Errors
    /// [`Error::Refused`]: `malformed` for an empty password, `scheme_mismatch` for what is no seed;
    /// [`Error::NoRandomness`].
    pub fn to_encrypted_pkcs8(&self, password: &[u8]) -> Result<Zeroizing<String>, Error> {
        if password.is_empty() {
            return Err(malformed("an empty password"));
        }
        let key = phalanx_ed25519::SigningKey::from_seed(self.seed().ok_or_else(no_seed)?);
        let (mut salt, mut iv) = ([0; 16], [0; 16]);
        getrandom::fill(&mut salt)
            .and_then(|()| getrandom::fill(&mut iv))
            .map_err(|_| Error::NoRandomness)?;
        let scheme = Parameters::generate_pbkdf2_sha256_aes256cbc(ROUNDS, &salt, iv)
            .expect("a salt of 16 bytes is allowed");
        let short = "a key of Ed25519 is short enough for any encryption";
        let encrypted = scheme.encrypt(password, &key.to_pkcs8_der()).expect(short);
        let info = EncryptedPrivateKeyInfoRef {
            encryption_algorithm: scheme.into(),
            encrypted_data: OctetStringRef::new(&encrypted).expect(short),
        };
        let document = SecretDocument::try_from(info).expect(short);
        Ok(document.to_pem(LABEL, LineEnding::LF).expect("the label is one of PEM"))
    }
}

impl Cost {
    /// The costs of a derivation, if they are within the bounds; `None` for a function that is not known.
    fn of_pkcs8(kdf: &Kdf) -> Option<Result<Self, Error>> {
        match kdf {
            Kdf::Pbkdf2(params) => Some(Self::pbkdf2(params.iteration_count.into())),
            Kdf::Scrypt(params) => Some(Self::scrypt(
                params.cost_parameter,
                params.block_size.into(),
                params.parallelization.into(),
            )),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written by OpenSSL 3: `openssl pkcs8 -topk8 -v2 aes-256-cbc`, and `-scrypt`.
    const PBKDF2: &str = "-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjVoZ7n4v+AsgICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEPHrnRAnSON24mIFknZCdU0EQNgE
5uMGXdjJC4ZKd0fgG+Ng9hHEzrvn5W0zRteclkV8cFNQz1Hkby1e4WO8eg31Njlf
bv0HlmDHp3J06cxj8BI=
-----END ENCRYPTED PRIVATE KEY-----
";
    const SCRYPT: &str = "-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGTME8GCSqGSIb3DQEFDTBCMCEGCSsGAQQB2kcECzAUBAjWhm1ka8jPugICQAAC
AQgCAQEwHQYJYIZIAWUDBAEqBBCKfotdEK0ZkjV9Uxvh0WqbBEDbqI7517NIzN77
VfA1RQfZJC3QkmniWo6JKbbBaBj6wOZqhz7wpF6TUcZdyZeLHY4eYIgkwzQnwY5n
jvAVvaEx
-----END ENCRYPTED PRIVATE KEY-----
";
    const SEED: &str = "0371621c1de420d64dcdc4ba11cb5b2b1946d4009e4ef08b40899ab8fd12f540";

    fn open(file: &[u8], password: &str) -> Result<String, Option<Verdict>> {
        let secret = KeySecret::from_encrypted_pkcs8(file, password.as_bytes());
        secret.map(|secret| hex::encode(secret.expose())).map_err(Error::verdict)
    }

    fn der(pem: &str) -> Vec<u8> {
        SecretDocument::from_pem(pem).expect("it is PEM").1.as_bytes().to_vec()
    }

    #[test]
    fn files_of_openssl() {
        for pem in [PBKDF2, SCRYPT] {
            assert_eq!(open(pem.as_bytes(), "correct horse").as_deref(), Ok(SEED));
            assert_eq!(open(&der(pem), "correct horse").as_deref(), Ok(SEED));
            let alike =
                KeySecret::from_encrypted_file(pem.as_bytes(), b"correct horse").expect("the same file");
            assert_eq!(hex::encode(alike.expose()), SEED);
            assert_eq!(open(pem.as_bytes(), "correct horsf"), Err(Some(Verdict::WrongPassword)));
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let secret = KeySecret::from_seed(&[0x5a; 32]);
        let file = secret.to_encrypted_pkcs8(b"correct horse").expect("a password");
        assert_eq!(open(file.as_bytes(), "correct horse"), Ok(hex::encode([0x5a; 32])));
        assert_eq!(open(file.as_bytes(), "correct horsf"), Err(Some(Verdict::WrongPassword)));
        let refused = secret.to_encrypted_pkcs8(b"");
        assert_eq!(refused.err().and_then(Error::verdict), Some(Verdict::Malformed));
    }

    #[test]
    fn costs_are_bounded_before_they_are_spent() {
        let mut bytes = der(SCRYPT);
        let r =
            bytes.windows(6).position(|six| six == [2, 1, 8, 2, 1, 1]).expect("block size and parallelism");
        bytes[r + 2] = 127;
        assert_eq!(open(&bytes, "correct horse"), Err(Some(Verdict::KdfBounds)));
        bytes[r + 2] = 8;
        bytes[r + 5] = 17;
        assert_eq!(open(&bytes, "correct horse"), Err(Some(Verdict::KdfBounds)));
    }

    #[test]
    fn what_is_something_else_is_refused() {
        assert_eq!(open(b"", "p"), Err(Some(Verdict::Malformed)));
        assert_eq!(open(&[0x30; 5000], "p"), Err(Some(Verdict::TooLarge)));
        let plain = phalanx_ed25519::SigningKey::from_seed(&[1; 32]).to_pkcs8_pem();
        assert_eq!(open(plain.as_bytes(), "p"), Err(Some(Verdict::Malformed)));
        let bytes = der(PBKDF2);
        for len in 0..bytes.len() {
            assert!(open(&bytes[..len], "correct horse").is_err(), "{len} bytes");
        }
    }
}
