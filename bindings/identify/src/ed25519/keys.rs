//! Secret and public keys in the forms people keep them in.

use super::text::{digits, text};
use crate::hexadecimal;
use phalanx::ed25519::minisign::{self, KeyId};
use phalanx::ed25519::{Error, KeyFormat as Content, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// A form of key files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyFormat {
    /// 32 bytes: the seed, or the public key.
    Raw,
    /// The same in 64 hexadecimal digits.
    Hex,
    /// 64 bytes: seed, then public key (NaCl, Zig, Go). Only of secret keys.
    Keypair,
    /// PEM: PKCS#8 version 1, or SPKI.
    Pkcs8,
    /// PEM: PKCS#8 version 2, which holds the public key too. Only of secret keys.
    Pkcs8V2,
    /// DER: PKCS#8 version 1, or SPKI.
    Der,
    /// DER: PKCS#8 version 2. Only of secret keys.
    DerV2,
    /// OpenSSH's private file, or public line.
    Openssh,
    /// JSON Web Key.
    Jwk,
    /// minisign's files; the secret key without a password.
    Minisign,
}

impl KeyFormat {
    /// All.
    pub const ALL: [Self; 10] = [
        Self::Raw,
        Self::Hex,
        Self::Keypair,
        Self::Pkcs8,
        Self::Pkcs8V2,
        Self::Der,
        Self::DerV2,
        Self::Openssh,
        Self::Jwk,
        Self::Minisign,
    ];

    /// The name, as on the command line, in `key.json` and at the end of file names.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Hex => "hex",
            Self::Keypair => "keypair",
            Self::Pkcs8 => "pkcs8",
            Self::Pkcs8V2 => "pkcs8-v2",
            Self::Der => "der",
            Self::DerV2 => "der-v2",
            Self::Openssh => "openssh",
            Self::Jwk => "jwk",
            Self::Minisign => "minisign",
        }
    }

    /// The form called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Whether only secret keys have it.
    pub const fn is_secret_only(self) -> bool {
        matches!(self, Self::Keypair | Self::Pkcs8V2 | Self::DerV2)
    }

    /// Whether its files of secret keys can hold a comment.
    pub const fn has_comment(self) -> bool {
        matches!(self, Self::Openssh | Self::Minisign)
    }
}

const UNKNOWN: Error = Error::InvalidKeyFormat("of no form that is known");

/// Why a key cannot be written in a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EncodeError {
    /// A comment that would break its line.
    Comment,
    /// What the library says.
    Key(Error),
}

impl From<Error> for EncodeError {
    fn from(error: Error) -> Self {
        Self::Key(error)
    }
}

impl std::fmt::Display for EncodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Comment => f.write_str("a comment is one line of printable characters"),
            Self::Key(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EncodeError {}

/// A secret key, read from a file.
pub struct SecretKey {
    /// The key.
    pub key: SigningKey,
    /// What the file was in.
    pub format: KeyFormat,
    /// Empty if there is none.
    pub comment: String,
    /// What minisign calls the key.
    pub key_id: KeyId,
}

/// What minisign is to call a key that came from elsewhere: the same for both halves, whatever their files are in.
fn key_id_of(public: &[u8; 32]) -> KeyId {
    let digest: [u8; 32] = Sha256::digest(public).into();
    KeyId(digest[..8].try_into().expect("8 of 32"))
}

impl SecretKey {
    /// Reads the bytes of a key file. If a public key is in it, it is the secret one's.
    ///
    /// # Errors
    /// What is wrong with them; [`Error::EncryptedKey`] if a password is needed and none is given.
    pub fn read(bytes: &[u8], password: Option<&[u8]>) -> Result<Self, Error> {
        let with = |key: SigningKey, format, comment| {
            let key_id = key_id_of(&key.verifying_key().to_bytes());
            Self { key, format, comment, key_id }
        };
        let plain = |key, format| with(key, format, String::new());
        Ok(match Content::detect(bytes) {
            Some(Content::Raw32) => {
                let seed = bytes.try_into().expect("a raw key has 32 bytes");
                plain(SigningKey::from_seed(seed), KeyFormat::Raw)
            }
            Some(Content::Raw64) => {
                let pair = bytes.try_into().expect("a raw pair has 64 bytes");
                plain(SigningKey::from_keypair_bytes(pair)?, KeyFormat::Keypair)
            }
            Some(Content::Hex) => plain(SigningKey::from_hex(digits(bytes).ok_or(UNKNOWN)?)?, KeyFormat::Hex),
            Some(Content::Pkcs8Der) => {
                let key = SigningKey::from_pkcs8_der(bytes)?;
                let is_v2 = *key.to_pkcs8_der() != *bytes;
                plain(key, if is_v2 { KeyFormat::DerV2 } else { KeyFormat::Der })
            }
            Some(Content::Pkcs8Pem) => {
                let text = text(bytes)?;
                // Version 1 has 48 bytes, 64 characters in base64, on one line or more.
                let body = text.trim().lines().filter(|line| !line.starts_with("-----"));
                let is_v2 = body.map(|line| line.trim().len()).sum::<usize>() > 64;
                let format = if is_v2 { KeyFormat::Pkcs8V2 } else { KeyFormat::Pkcs8 };
                plain(SigningKey::from_pkcs8_pem(text)?, format)
            }
            Some(Content::Pkcs8EncryptedPem) => return Err(Error::EncryptedKey),
            Some(Content::OpensshPrivate) => {
                let (key, comment) = SigningKey::from_openssh(text(bytes)?)?;
                with(key, KeyFormat::Openssh, comment)
            }
            Some(Content::MinisignSecret) => {
                let text = text(bytes)?;
                let minisign::SecretKey { key_id, key } = minisign::SecretKey::parse(text, password)?;
                let comment = untrusted_comment(text).to_owned();
                Self { key, format: KeyFormat::Minisign, comment, key_id }
            }
            Some(Content::Jwk) => plain(SigningKey::from_jwk(text(bytes)?)?, KeyFormat::Jwk),
            Some(Content::SpkiDer | Content::SpkiPem | Content::OpensshPublic | Content::MinisignPublic) => {
                return Err(Error::InvalidKeyFormat("it is a public key"));
            }
            _ => return Err(UNKNOWN),
        })
    }

    /// A key that is to have files.
    pub fn new(key: SigningKey, comment: &str) -> Self {
        let key_id = key_id_of(&key.verifying_key().to_bytes());
        Self { key, format: KeyFormat::Raw, comment: comment.to_owned(), key_id }
    }

    /// The public half, with its comment and name.
    pub fn public(&self) -> PublicKey {
        PublicKey {
            bytes: self.key.verifying_key().to_bytes(),
            format: self.format,
            comment: self.comment.clone(),
            key_id: Some(self.key_id),
        }
    }

    /// The bytes of the key in `format`, wiped on drop.
    ///
    /// # Errors
    /// A comment that the form cannot hold.
    pub fn encode(&self, format: KeyFormat) -> Result<Zeroizing<Vec<u8>>, EncodeError> {
        let (key, comment) = (&self.key, self.comment.as_str());
        check_comment(comment)?;
        // Into the buffer of its own that a text came in, without a copy left behind.
        let of_text = |mut text: Zeroizing<String>| Zeroizing::new(std::mem::take(&mut *text).into_bytes());
        let line = |text: &Zeroizing<String>| {
            let mut line = Zeroizing::new(Vec::with_capacity(text.len() + 1));
            line.extend_from_slice(text.as_bytes());
            line.push(b'\n');
            line
        };
        Ok(match format {
            KeyFormat::Raw => Zeroizing::new(Zeroizing::new(key.to_seed()).to_vec()),
            KeyFormat::Hex => line(&key.to_hex()),
            KeyFormat::Keypair => Zeroizing::new(Zeroizing::new(key.to_keypair_bytes()).to_vec()),
            KeyFormat::Pkcs8 => of_text(key.to_pkcs8_pem()),
            KeyFormat::Pkcs8V2 => of_text(key.to_pkcs8_v2_pem()),
            KeyFormat::Der => key.to_pkcs8_der(),
            KeyFormat::DerV2 => key.to_pkcs8_v2_der(),
            KeyFormat::Openssh => of_text(key.to_openssh(comment)?),
            KeyFormat::Jwk => line(&key.to_jwk()),
            KeyFormat::Minisign => {
                let key = minisign::SecretKey { key_id: self.key_id, key: key.clone() };
                let comment = if comment.is_empty() { "minisign secret key" } else { comment };
                of_text(key.to_file(comment)?)
            }
        })
    }
}

/// A public key, read from a file.
pub struct PublicKey {
    /// The 32 bytes. Raw and in hexadecimal they need not encode a point: verification says so.
    pub bytes: [u8; 32],
    /// What the file was in.
    pub format: KeyFormat,
    /// Empty if there is none.
    pub comment: String,
    /// What minisign calls the key, if the file says so.
    pub key_id: Option<KeyId>,
}

impl PublicKey {
    /// Reads the bytes of a key file.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let of_bytes = |bytes, format| Self { bytes, format, comment: String::new(), key_id: None };
        let plain = |key: VerifyingKey, format| of_bytes(key.to_bytes(), format);
        Ok(match Content::detect(bytes) {
            Some(Content::Raw32) => {
                of_bytes(bytes.try_into().expect("a raw key has 32 bytes"), KeyFormat::Raw)
            }
            Some(Content::Hex) => {
                let got = hexadecimal::count(bytes) / 2;
                let mut key = [0; 32];
                hexadecimal::decode_to_slice(bytes, &mut key).map_err(|_| Error::InvalidLength {
                    what: "public key",
                    got,
                    wanted: 32,
                })?;
                of_bytes(key, KeyFormat::Hex)
            }
            Some(Content::SpkiDer) => plain(VerifyingKey::from_spki_der(bytes)?, KeyFormat::Der),
            Some(Content::SpkiPem) => plain(VerifyingKey::from_spki_pem(text(bytes)?)?, KeyFormat::Pkcs8),
            Some(Content::OpensshPublic) => {
                let (key, comment) = VerifyingKey::from_openssh(text(bytes)?)?;
                Self { comment, ..plain(key, KeyFormat::Openssh) }
            }
            Some(Content::MinisignPublic) => {
                let minisign::PublicKey { key_id, key } = minisign::PublicKey::parse(text(bytes)?)?;
                Self { key_id: Some(key_id), ..plain(key, KeyFormat::Minisign) }
            }
            Some(Content::Jwk) => {
                let text = text(bytes)?;
                if SigningKey::from_jwk(text).is_ok() {
                    return Err(IS_SECRET);
                }
                plain(VerifyingKey::from_jwk(text)?, KeyFormat::Jwk)
            }
            Some(
                Content::Raw64
                | Content::Pkcs8Der
                | Content::Pkcs8Pem
                | Content::Pkcs8EncryptedPem
                | Content::OpensshPrivate
                | Content::MinisignSecret,
            ) => return Err(IS_SECRET),
            _ => return Err(UNKNOWN),
        })
    }

    /// The key itself.
    ///
    /// # Errors
    /// Bytes that encode no point.
    pub fn key(&self) -> Result<VerifyingKey, Error> {
        VerifyingKey::from_bytes(&self.bytes)
    }

    /// The bytes of the key in `format`. Forms of secret keys alone stand for the one of the public half.
    ///
    /// # Errors
    /// A comment that the form cannot hold, bytes that encode no point.
    pub fn encode(&self, format: KeyFormat) -> Result<Vec<u8>, EncodeError> {
        let (key, comment) = (self.key()?, self.comment.as_str());
        check_comment(comment)?;
        let line = |text: String| (text + "\n").into_bytes();
        Ok(match format {
            KeyFormat::Raw | KeyFormat::Keypair => key.to_bytes().to_vec(),
            KeyFormat::Hex => line(key.to_hex()),
            KeyFormat::Pkcs8 | KeyFormat::Pkcs8V2 => key.to_spki_pem().into_bytes(),
            KeyFormat::Der | KeyFormat::DerV2 => key.to_spki_der(),
            KeyFormat::Openssh => line(key.to_openssh(comment)?),
            KeyFormat::Jwk => line(key.to_jwk()),
            KeyFormat::Minisign => {
                let key_id = self.key_id.unwrap_or_else(|| key_id_of(&self.bytes));
                minisign::PublicKey { key_id, key }.to_file().into_bytes()
            }
        })
    }
}

/// The comment of the first line of a minisign file.
fn untrusted_comment(text: &str) -> &str {
    text.lines().next().and_then(|line| line.strip_prefix("untrusted comment: ")).unwrap_or_default()
}

/// What is said when a secret key stands where a public one should.
const IS_SECRET: Error = Error::InvalidKeyFormat("it is a secret key");

/// Refuses comments that would break their line.
fn check_comment(comment: &str) -> Result<(), EncodeError> {
    if comment.chars().any(char::is_control) {
        return Err(EncodeError::Comment);
    }
    Ok(())
}
