//! Secret and public keys in the forms people keep them in.

use super::from_hex;
use crate::exit::Failure;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use phalanx::ed25519::{Error, SigningKey, VerifyingKey};
use zeroize::Zeroizing;

/// A form of key files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KeyFormat {
    /// 32 bytes: the seed, or the public key.
    Raw,
    /// The same in 64 hexadecimal digits.
    Hex,
    /// 64 bytes: seed, then public key (NaCl, Zig, Go). Only of secret keys.
    Keypair,
}

impl KeyFormat {
    /// All.
    pub(crate) const ALL: [Self; 3] = [Self::Raw, Self::Hex, Self::Keypair];

    /// The name, as on the command line, in `key.json` and at the end of file names.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Hex => "hex",
            Self::Keypair => "keypair",
        }
    }

    /// The form called `name`.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Whether its files can hold a comment.
    const fn has_comment(self) -> bool {
        false
    }

    /// Parses the name of a form that both halves of a key have.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        let names = Self::ALL.into_iter().filter(|&format| format != Self::Keypair).map(Self::name);
        PossibleValuesParser::new(names.collect::<Vec<_>>())
            .try_map(|name| Self::from_name(&name).ok_or("unknown format"))
    }
}

/// A secret key, read from a file.
pub(crate) struct SecretKey {
    /// The key.
    pub(crate) key: SigningKey,
    /// What the file was in.
    pub(crate) format: KeyFormat,
}

impl SecretKey {
    /// Reads the bytes of a key file.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Error> {
        if let Ok(seed) = bytes.try_into() {
            return Ok(Self { key: SigningKey::from_seed(seed), format: KeyFormat::Raw });
        }
        if let Ok(pair) = bytes.try_into()
            && from_hex(bytes).is_none()
        {
            return Ok(Self { key: SigningKey::from_keypair_bytes(pair)?, format: KeyFormat::Keypair });
        }
        let unknown = Error::InvalidKeyFormat("of no form that is known");
        let decoded = from_hex(bytes).ok_or(unknown)?;
        let key = match decoded.len() {
            32 => SigningKey::from_seed(decoded[..].try_into().expect("32 bytes")),
            64 => SigningKey::from_keypair_bytes(decoded[..].try_into().expect("64 bytes"))?,
            _ => return Err(unknown),
        };
        Ok(Self { key, format: KeyFormat::Hex })
    }

    /// The bytes of the key in `format`, wiped on drop.
    ///
    /// # Errors
    /// A comment that the form cannot hold.
    pub(crate) fn encode(
        key: &SigningKey,
        format: KeyFormat,
        comment: &str,
    ) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let seed = Zeroizing::new(key.to_seed());
        check_comment(format, comment)?;
        Ok(match format {
            KeyFormat::Raw => Zeroizing::new(seed.to_vec()),
            KeyFormat::Hex => {
                let mut digits = Zeroizing::new(vec![b'\n'; 65]);
                hex::encode_to_slice(&seed[..], &mut digits[..64]).expect("64 digits for 32 bytes");
                digits
            }
            KeyFormat::Keypair => {
                let pair = Zeroizing::new(key.to_keypair_bytes());
                Zeroizing::new(pair.to_vec())
            }
        })
    }
}

/// A public key, read from a file. Its bytes need not encode a point: verification says so.
pub(crate) struct PublicKey {
    /// The 32 bytes.
    pub(crate) bytes: [u8; 32],
    /// What the file was in.
    pub(crate) format: KeyFormat,
}

impl PublicKey {
    /// Reads the bytes of a key file.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Error> {
        if let Ok(bytes) = bytes.try_into() {
            return Ok(Self { bytes, format: KeyFormat::Raw });
        }
        let decoded = from_hex(bytes).ok_or(Error::InvalidKeyFormat("of no form that is known"))?;
        let wrong = Error::InvalidLength { what: "public key", got: decoded.len(), wanted: 32 };
        let bytes = decoded[..].try_into().map_err(|_| wrong)?;
        Ok(Self { bytes, format: KeyFormat::Hex })
    }

    /// The bytes of the key in `format`; a pair has no form of its own for the public half.
    ///
    /// # Errors
    /// A comment that the form cannot hold.
    pub(crate) fn encode(key: &VerifyingKey, format: KeyFormat, comment: &str) -> Result<Vec<u8>, Failure> {
        check_comment(format, comment)?;
        Ok(match format {
            KeyFormat::Raw | KeyFormat::Keypair => key.to_bytes().to_vec(),
            KeyFormat::Hex => format!("{}\n", hex::encode(key.to_bytes())).into_bytes(),
        })
    }
}

/// Refuses comments that would break their line, or that `format` has no place for.
fn check_comment(format: KeyFormat, comment: &str) -> Result<(), Failure> {
    if !comment.is_empty() && !format.has_comment() {
        return Err(Failure::usage(format_args!("key files in {} have no comment", format.name())));
    }
    if comment.chars().any(char::is_control) {
        return Err(Failure::usage("a comment is one line of printable characters"));
    }
    Ok(())
}
