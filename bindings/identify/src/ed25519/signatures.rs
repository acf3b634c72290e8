//! Signatures in the forms people keep them in.

use super::text::{digits, text};
use phalanx::ed25519::minisign::SignatureBox;
use phalanx::ed25519::sshsig::SshSignature;
use phalanx::ed25519::{self, Error, KeyFormat as Content};

/// A form of signature files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum SignatureFormat {
    /// 64 bytes
    Raw,
    /// 128 hexadecimal digits
    Hex,
    /// The file of minisign: signs the message's hash and a trusted comment
    Minisign,
    /// The file of `ssh-keygen -Y`: signs the message's hash for a namespace
    Sshsig,
}

impl SignatureFormat {
    /// The name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Hex => "hex",
            Self::Minisign => "minisign",
            Self::Sshsig => "sshsig",
        }
    }

    /// What its files' names end in, where there is a custom.
    pub const fn suffix(self) -> Option<&'static str> {
        match self {
            Self::Raw | Self::Hex => None,
            Self::Minisign => Some(".minisig"),
            Self::Sshsig => Some(".sig"),
        }
    }
}

/// A signature, read from a file.
pub enum Signature {
    /// R and S, raw or in hexadecimal.
    Plain(ed25519::Signature, SignatureFormat),
    /// minisign's.
    Minisign(Box<SignatureBox>),
    /// That of `ssh-keygen -Y`.
    Sshsig(Box<SshSignature>),
}

impl Signature {
    /// Reads the bytes of a signature file.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        if let Ok(signature) = ed25519::Signature::try_from(bytes) {
            return Ok(Self::Plain(signature, SignatureFormat::Raw));
        }
        match Content::detect(bytes) {
            Some(Content::MinisignSignature) => {
                return Ok(Self::Minisign(Box::new(SignatureBox::parse(text(bytes)?)?)));
            }
            Some(Content::Sshsig) => return Ok(Self::Sshsig(Box::new(SshSignature::parse(text(bytes)?)?))),
            _ => {}
        }
        let wrong = |got| Error::InvalidLength { what: "signature", got, wanted: 64 };
        let digits = digits(bytes).ok_or_else(|| wrong(bytes.len()))?;
        Ok(Self::Plain(ed25519::Signature::from_hex(digits)?, SignatureFormat::Hex))
    }

    /// What the file was in.
    pub fn format(&self) -> SignatureFormat {
        match self {
            Self::Plain(_, format) => *format,
            Self::Minisign(_) => SignatureFormat::Minisign,
            Self::Sshsig(_) => SignatureFormat::Sshsig,
        }
    }

    /// The bytes of a file with R and S alone, in hexadecimal or raw.
    pub fn encode_plain(signature: &ed25519::Signature, in_hex: bool) -> Vec<u8> {
        if in_hex { format!("{}\n", signature.to_hex()).into_bytes() } else { signature.to_bytes().to_vec() }
    }
}
