//! What some bytes are, among everything that Ed25519 has files for.

use super::keys::{PublicKey, SecretKey};
use super::signatures::Signature;
use crate::reading::Kind;
use phalanx::ed25519::{Error, KeyFormat as Content};

/// One reading of some bytes.
pub enum Reading {
    /// A secret key.
    Secret(SecretKey),
    /// A public key.
    Public(PublicKey),
    /// A signature.
    Signature(Signature),
}

impl Reading {
    /// What kind of value.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Secret(_) => Kind::SecretKey,
            Self::Public(_) => Kind::PublicKey,
            Self::Signature(_) => Kind::Signature,
        }
    }

    /// The name of the form it is in.
    pub fn format_name(&self) -> &'static str {
        match self {
            Self::Secret(key) => key.format.name(),
            Self::Public(key) => key.format.name(),
            Self::Signature(signature) => signature.format().name(),
        }
    }
}

impl std::fmt::Display for Reading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of ed25519 in {}", self.kind().name(), self.format_name())
    }
}

/// All readings. 32 bytes may be a public key (which need not encode a point) or a seed, in this order; 64 are a pair if
/// the second half belongs to the first, else a signature.
///
/// # Errors
/// If there are none: what is wrong, if the bytes look like a file of Ed25519.
pub fn readings(bytes: &[u8], password: Option<&[u8]>) -> Result<Vec<Reading>, Option<Error>> {
    let secret = SecretKey::read(bytes, password);
    let is_pair = secret.as_ref().is_ok_and(|_| matches!(Content::detect(bytes), Some(Content::Raw64)));
    let public = PublicKey::read(bytes);
    let mut found = Vec::new();
    let mut problems = Vec::new();
    match secret {
        Ok(key) => found.push(Reading::Secret(key)),
        Err(error) => problems.push(error),
    }
    match public {
        // First what is found lying around more often.
        Ok(key) => found.insert(0, Reading::Public(key)),
        Err(error) => problems.push(error),
    }
    // A pair in hexadecimal is a pair too.
    let is_pair = is_pair || (found.len() == 1 && bytes.trim_ascii().len() == 128);
    match Signature::read(bytes) {
        Ok(_) if is_pair => {}
        Ok(signature) => found.push(Reading::Signature(signature)),
        Err(error) => problems.push(error),
    }
    if !found.is_empty() {
        return Ok(found);
    }
    // The reader of the form that it looks like has the most to say: not that the form is another's.
    let of_its_form = match Content::detect(bytes) {
        None => return Err(None),
        Some(Content::SpkiDer | Content::SpkiPem | Content::OpensshPublic | Content::MinisignPublic) => {
            problems.get(1)
        }
        Some(Content::MinisignSignature | Content::Sshsig) => problems.get(2),
        Some(_) => problems.first(),
    };
    Err(of_its_form.copied())
}
