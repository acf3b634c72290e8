//! Signatures in the forms people keep them in.

use super::digits;
use phalanx::ed25519::{self, Error};

/// A form of signature files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum SignatureFormat {
    /// 64 bytes.
    Raw,
    /// 128 hexadecimal digits.
    Hex,
}

impl SignatureFormat {
    /// The name, as on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Hex => "hex",
        }
    }

    /// The bytes of a file in this form.
    pub(crate) fn encode(self, signature: &ed25519::Signature) -> Vec<u8> {
        match self {
            Self::Raw => signature.to_bytes().to_vec(),
            Self::Hex => format!("{}\n", hex::encode(signature.to_bytes())).into_bytes(),
        }
    }
}

/// A signature, read from a file.
pub(crate) enum Signature {
    /// R and S, in either form.
    Plain(ed25519::Signature, SignatureFormat),
}

impl Signature {
    /// Reads the bytes of a signature file.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Error> {
        if let Ok(signature) = ed25519::Signature::try_from(bytes) {
            return Ok(Self::Plain(signature, SignatureFormat::Raw));
        }
        let wrong = |got| Error::InvalidLength { what: "signature", got, wanted: 64 };
        let digits = digits(bytes).ok_or_else(|| wrong(bytes.len()))?;
        Ok(Self::Plain(ed25519::Signature::from_hex(digits)?, SignatureFormat::Hex))
    }

    /// What the file was in.
    pub(crate) fn format(&self) -> SignatureFormat {
        match self {
            Self::Plain(_, format) => *format,
        }
    }
}
